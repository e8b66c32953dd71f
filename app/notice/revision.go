package notice

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"candor/app/approval"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// State is a revision's state.
type State string

// The states of revisions.
const (
	Drafted     State = "draft"
	Submitted   State = "submitted" // its approval is undecided or scheduled
	Live        State = "live"
	Expired     State = "expired"     // its end has passed
	Unpublished State = "unpublished" // by a publisher
	Replaced    State = "replaced"    // by a later revision
	Archived    State = "archived"
)

// The stages of a submitted revision, which are the states of its approval.
const (
	InReview  = State(approval.Requested)
	Scheduled = State(approval.Scheduled)
)

// UnderWay reports whether a revision in the state may still become live.
func (s State) UnderWay() bool { return s == Drafted || s == Submitted }

// MayArchive reports whether a revision in the state may be archived.
func (s State) MayArchive() bool { return s == Drafted || s == Expired || s == Unpublished }

// Refusals of changes.
var (
	ErrItem     = errs.New(errs.NotFound, "content.unknown")
	ErrState    = errs.New(errs.Conflict, "content.state")     // no longer in a state that allows the act
	ErrDefault  = errs.New(errs.Refused, "content.no_default") // the default language is missing
	ErrAlt      = errs.New(errs.Refused, "content.no_alt")     // Args locale: a language without a description of the picture
	ErrOver     = errs.New(errs.Refused, "content.over")       // its end has passed
	ErrIsPage   = errs.New(errs.Refused, "content.page")       // pages are fixed: none is created
	ErrUnderWay = errs.New(errs.Conflict, "content.under_way") // another revision may still become live
	ErrTooHeavy = errs.New(errs.Refused, "content.image_heavy")
)

// Limits of texts, in characters.
const (
	MaxTitle   = 120
	MaxSummary = 300
	MaxBody    = 20_000
	MaxAlt     = 200
	maxLink    = 300
	maxSource  = 60
	maxNames   = 60
	minReason  = 5
	maxReason  = 500
)

// maxAhead is the longest time ahead of a scheduled start or end.
const maxAhead = 366 * 24 * time.Hour

// Item is published content, or a draft of it.
type Item struct {
	ID        int64
	Kind      Kind
	Key       *string
	Sort      int
	LiveID    *int64
	ToldFrom  int // the first revision whose readers need not be notified again
	Version   int
	CreatedAt time.Time
}

// TableName is GORM's name of the table.
func (Item) TableName() string { return "notice_items" }

// Number is an item's number as staff see it.
func Number(id int64) string { return fmt.Sprintf("N-%d", id) }

// Revision is one form of an item, with its texts in several languages.
type Revision struct {
	ID     int64
	ItemID int64
	Number int
	State  State
	Settings
	AuthorID    *int64  // the latest author; nil for content of the installation
	Authors     []int64 `gorm:"serializer:array"` // all authors
	CreatedAt   time.Time
	ChangedAt   time.Time
	ApprovalID  *int64             `gorm:"column:approval"`
	Approval    *approval.Approval `gorm:"-"` // its newest request; nil before it was submitted
	Again       bool               // notify readers of earlier revisions again when it goes live
	Reason      string             // of the unpublication
	LiveAt      *time.Time
	EndedAt     *time.Time
	AuthorName  string `gorm:"-"`
	DeciderName string `gorm:"-"`
}

// TableName is GORM's name of the table.
func (Revision) TableName() string { return "notice_revisions" }

// Stage is the state as staff see it: that of the approval while the revision is submitted.
func (r Revision) Stage() State {
	if r.State == Submitted {
		return State(r.Approval.State)
	}
	return r.State
}

// TookPart reports whether a member of staff wrote at it or submitted it: another person decides it.
func (r Revision) TookPart(staffID int64) bool {
	return slices.Contains(r.Authors, staffID) || r.State == Submitted && r.Approval.Decided(staffID)
}

// DeciderID is who approved its newest request, or sent it back; nil without a decision.
func (r Revision) DeciderID() *int64 {
	switch a := r.Approval; {
	case a == nil:
		return nil
	case a.SecondBy != nil:
		return a.SecondBy
	default:
		return a.RefusedBy()
	}
}

// Variant is a revision's text in a language, with the time of its last edit.
type Variant struct {
	RevisionID int64
	Text
	ChangedAt time.Time
}

// TableName is GORM's name of the table.
func (Variant) TableName() string { return "notice_variants" }

// hasBody reports whether items of a kind have a body.
func (k Kind) hasBody() bool { return k != Banner }

// Ordered reports whether staff order the items of a kind.
func (k Kind) Ordered() bool { return k == FAQ || k == Banner || k == Popup }

// NewestFirst reports whether items of a kind are listed newest first, after the sticky ones.
func (k Kind) NewestFirst() bool { return k == Notice || k == News }

// HasImage reports whether items of a kind may have a picture.
func (k Kind) HasImage() bool { return k == Banner || k == News || k == Popup || k == Notice }

// Shape is the aspect ratio of an item's picture.
func (k Kind) Shape() string {
	if k == Banner {
		return Wide
	}
	return Tall
}

// read normalises and checks settings. Refusals: fields.
func (k Kind) read(set Settings, now time.Time) (Settings, error) {
	for _, word := range []struct {
		field, value string
		of           []string
	}{
		{"category", set.Category, Categories[k]}, {"placement", set.Placement, Placements[k]}, {"severity", set.Severity, Severities},
		{"audience", set.Audience, Audiences}, {"frequency", set.Frequency, Frequencies},
	} {
		if !slices.Contains(word.of, word.value) {
			return set, errs.Field(word.field, "field.choice")
		}
	}
	set.Countries, set.Languages, set.Platforms = tidy(set.Countries, strings.ToUpper), tidy(set.Languages, strings.TrimSpace), tidy(set.Platforms, strings.TrimSpace)
	set.Link, set.Source = strings.TrimSpace(set.Link), strings.TrimSpace(set.Source)
	set.Sticky = set.Sticky && k.NewestFirst()
	switch {
	case len(set.Countries) > maxNames || slices.ContainsFunc(set.Countries, func(c string) bool { return !isCountry(c) }):
		return set, errs.Field("countries", "field.choice")
	case slices.ContainsFunc(set.Languages, func(l string) bool { return !known(l) }):
		return set, errs.Field("languages", "field.choice")
	case slices.ContainsFunc(set.Platforms, func(p string) bool { return !slices.Contains(Platforms, p) }):
		return set, errs.Field("platforms", "field.choice")
	case set.Link != "" && (len(set.Link) > maxLink || !isLink(set.Link)):
		return set, errs.Field("link", "field.link")
	case utf8.RuneCountInString(set.Source) > maxSource || !db.IsText(set.Source):
		return set, errs.Field("source", "field.length")
	}
	return set, set.readTimes(now)
}

func (s *Settings) readTimes(now time.Time) error {
	if _, err := time.LoadLocation(s.Zone); err != nil || s.Zone == "" || s.Zone == "Local" || len(s.Zone) > 64 {
		return errs.Field("zone", "field.choice")
	}
	s.StartsAt, s.EndsAt = toSecond(s.StartsAt), toSecond(s.EndsAt)
	switch {
	case s.StartsAt != nil && s.StartsAt.After(now.Add(maxAhead)):
		return errs.Field("starts", "field.far")
	case s.EndsAt != nil && !s.EndsAt.After(now):
		return errs.Field("ends", "field.past")
	case s.StartsAt != nil && s.EndsAt != nil && !s.EndsAt.After(*s.StartsAt):
		return errs.Field("ends", "field.order")
	}
	return nil
}

func toSecond(at *time.Time) *time.Time {
	if at == nil || at.IsZero() {
		return nil
	}
	second := at.UTC().Truncate(time.Second)
	return &second
}

func tidy(list []string, form func(string) string) []string {
	out := []string{}
	for _, text := range list {
		if text = form(strings.TrimSpace(text)); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func isCountry(code string) bool {
	return len(code) == 2 && code[0] >= 'A' && code[0] <= 'Z' && code[1] >= 'A' && code[1] <= 'Z'
}

// readText normalises and checks a text and cleans its HTML. An empty text is deleted. Refusals: fields.
func (k Kind) readText(text Text) (Text, error) {
	text.Title, text.Summary, text.Alt = strings.TrimSpace(text.Title), strings.TrimSpace(text.Summary), strings.TrimSpace(text.Alt)
	if !known(text.Locale) {
		return text, errs.Field("locale", "field.choice")
	}
	for _, part := range []struct {
		field, value string
		most         int
	}{{"title", text.Title, MaxTitle}, {"summary", text.Summary, MaxSummary}, {"alt", text.Alt, MaxAlt}, {"body", text.Body, MaxBody}} {
		if utf8.RuneCountInString(part.value) > part.most || !db.IsText(part.value) {
			return text, errs.Field(part.field, "field.length")
		}
	}
	text.Body = Clean(text.Body)
	switch {
	case text.empty():
		return text, nil
	case text.Title == "":
		return text, errs.Field("title", "field.required")
	case k.hasBody() && strings.TrimSpace(Plain(text.Body)) == "":
		return text, errs.Field("body", "field.required")
	case !k.hasBody() && text.Summary == "":
		return text, errs.Field("summary", "field.required")
	}
	return text, nil
}

func (t Text) empty() bool { return t.Title+t.Summary+t.Body+t.Alt == "" }

// ready refuses a revision that can't be published: without the default language, with a picture that a language does not describe, or past its end.
// Refusals: ErrDefault, ErrAlt, ErrOver.
func (r Revision) ready(texts []Variant, now time.Time) error {
	if !slices.ContainsFunc(texts, func(v Variant) bool { return v.Locale == Default }) {
		return ErrDefault
	}
	for _, v := range texts {
		if r.Image != nil && v.Alt == "" {
			return ErrAlt.With("locale", v.Locale)
		}
	}
	if r.EndsAt != nil && !r.EndsAt.After(now) {
		return ErrOver
	}
	return nil
}

// Ready refuses an item that can't be published as it is. Refusals: ErrDefault, ErrAlt, ErrOver.
func (w ItemDetails) Ready(now time.Time) error { return w.Newest.ready(w.Texts, now) }

func readReason(text string) (string, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < minReason || n > maxReason || !db.IsText(text) {
		return "", errs.Field("reason", "field.length")
	}
	return text, nil
}

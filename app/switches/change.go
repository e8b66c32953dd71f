package switches

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"candor/app/approval"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Drafted is the state of a change that nobody has submitted. Any other change has the state of its newest request.
const Drafted approval.State = "draft"

// Kind separates planned changes from immediate stops.
type Kind string

// The kinds of changes.
const (
	Planned Kind = "planned"
	Stopped Kind = "stop" // one person set the key to its safe value; another one reviews it within ReviewWithin
)

// ReviewWithin is the deadline of another person's review of a stop.
const ReviewWithin = 24 * time.Hour

// Verdict is the result of the review of a stop.
type Verdict string

// The verdicts on a stop.
const (
	Right Verdict = "right"
	Wrong Verdict = "wrong" // undoing it needs a new change by two people
)

// Refusals of changes, beside those of approvals.
var (
	ErrChange   = errs.New(errs.NotFound, "switch.change_unknown")
	ErrOutdated = errs.New(errs.Conflict, "switch.outdated") // the key's value has changed since the change was drafted
	ErrNothing  = errs.New(errs.Refused, "switch.nothing")   // the value is already in force
	ErrLocked   = errs.New(errs.Forbidden, "switch.locked")  // can't be changed here
	ErrNotOwn   = errs.New(errs.Forbidden, "switch.not_own") // only the author submits or withdraws a draft
	ErrOrder    = errs.New(errs.Refused, "switch.order")     // Args other: the key whose value contradicts it
	ErrNoStop   = errs.New(errs.Forbidden, "switch.no_stop") // the key or the role does not allow an immediate stop
	ErrKey      = errs.Field("key", "field.key_typed")       // the typed key is wrong
	ErrPast     = errs.Field("at", "field.past")
)

// Limits of a reason, in characters.
const (
	minReason = 10
	maxReason = 500
)

// maxAhead is the longest time ahead of a scheduled change.
const maxAhead = 366 * 24 * time.Hour

// ChangeInput is the requested value of a key.
type ChangeInput struct {
	Value  string
	Rules  []Rule
	Reason string
	At     time.Time // zero for at once
	Zone   string    // IANA zone in which the time was chosen
}

// Change is a change of a key as staff write it. What takes effect is approved by its newest request.
type Change struct {
	ID          int64
	Key         string
	Kind        Kind
	BaseVersion int    // the key's, when it was drafted
	Was         []byte // a Setting
	Becomes     []byte
	Reason      string
	ApplyAt     *time.Time
	Zone        string
	AuthorID    int64 // the latest author
	CreatedAt   time.Time
	Approval    *int64 // its newest request; nil for a draft
	AppliedAt   *time.Time
	ToVersion   *int       // the key's, once applied
	ClosedAt    *time.Time // when it was refused, was withdrawn or failed
	RevertOf    *int       // the key's version that it restores
	ReviewDue   *time.Time
	ReviewerID  *int64
	ReviewedAt  *time.Time
	Verdict     *Verdict
	ReviewNote  string
	Version     int
	Request     approval.Approval `gorm:"-"` // zero for a draft
	AuthorName  string            `gorm:"-"`
	DeciderName string            `gorm:"-"` // who approved it
	CloserName  string            `gorm:"-"` // who refused or withdrew it
}

// TableName is GORM's name of the table.
func (Change) TableName() string { return "switch_changes" }

// Number is the change's number as staff see it.
func (c Change) Number() string { return fmt.Sprintf("CR-%d", c.ID) }

// State is the state of the change's newest request, or Drafted.
func (c Change) State() approval.State {
	switch {
	case c.Approval != nil:
		return c.Request.State
	case c.Closed():
		return approval.Withdrawn
	}
	return Drafted
}

// People is the number of people whom the change takes. Another person reviews a stop.
func (c Change) People() int {
	if d, _ := Define(c.Key); c.Kind == Planned && d.Risk == Sensitive {
		return 2
	}
	return max(1, c.Request.People)
}

// Open reports whether the change may still come into force.
func (c Change) Open() bool { return c.AppliedAt == nil && c.ClosedAt == nil }

// Closed reports whether the change was refused, was withdrawn or failed.
func (c Change) Closed() bool { return c.ClosedAt != nil }

// fields are what a request proposes, by the change's columns.
func (c *Change) fields() approval.Fields {
	return approval.Fields{"id": &c.ID, "kind": &c.Kind, "base_version": &c.BaseVersion, "was": (*json.RawMessage)(&c.Was), "becomes": (*json.RawMessage)(&c.Becomes)}
}

// requested is the change as it was requested; its time is the approval's.
func requested(a approval.Approval) (Change, error) {
	c := Change{Key: a.Subject, Reason: a.Note}
	err := a.Read(c.fields())
	return c, err
}

// before is what the change replaces, by the name of its field, as JSON for the audit entry.
func (c Change) before() string { return `{"becomes":` + string(c.Was) + `}` }

// Before is the setting in force when the change was drafted.
func (c Change) Before() Setting { return readSetting(c.Was) }

// After is the setting after the change.
func (c Change) After() Setting { return readSetting(c.Becomes) }

// Unreviewed reports whether the change is a stop without a review.
func (c Change) Unreviewed() bool { return c.Kind == Stopped && c.Verdict == nil }

func readReason(text string) (string, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < minReason || n > maxReason || !db.IsText(text) {
		return "", errs.Field("reason", "field.length")
	}
	return text, nil
}

// read normalises a request and compares it with the setting in force. Refusals: fields, ErrLocked, ErrNothing, ErrPast.
func (d Definition) read(w ChangeInput, now Setting, clock time.Time) (ChangeInput, error) {
	if d.Risk == Locked {
		return w, ErrLocked
	}
	var err error
	if w.Value, err = d.Read(w.Value); err != nil {
		return w, err
	}
	if w.Rules, err = d.ReadRules(w.Rules); err != nil {
		return w, err
	}
	if w.Reason, err = readReason(w.Reason); err != nil {
		return w, err
	}
	if _, err := time.LoadLocation(w.Zone); err != nil || len(w.Zone) > 64 {
		return w, errs.Field("zone", "field.choice")
	}
	switch {
	case now.Same(Setting{Value: w.Value, Rules: w.Rules}):
		return w, ErrNothing
	case w.At.IsZero():
		return w, nil
	case !w.At.After(clock):
		return w, ErrPast
	case w.At.After(clock.Add(maxAhead)):
		return w, errs.Field("at", "field.far")
	}
	return w, nil
}

// Same reports whether both settings give every viewer the same value by the same rule; versions are ignored.
func (s Setting) Same(other Setting) bool {
	return s.Value == other.Value && slices.EqualFunc(s.Rules, other.Rules, func(x, y Rule) bool {
		return x.Value == y.Value && slices.Equal(x.Countries, y.Countries) && slices.Equal(x.Languages, y.Languages) && slices.Equal(x.Platforms, y.Platforms)
	})
}

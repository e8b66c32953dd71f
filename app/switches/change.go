package switches

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// State is a change's state.
type State string

// The states of changes.
const (
	Drafted   State = "draft"
	InReview  State = "in_review" // awaits the second person
	Approved  State = "approved"  // transient within one transaction, before scheduled or applied
	Scheduled State = "scheduled"
	Applied   State = "applied"
	Failed    State = "failed" // at its scheduled time it no longer fitted
	Cancelled State = "cancelled"
	Rejected  State = "rejected"
)

// moves are the allowed transitions.
var moves = map[State][]State{
	Drafted:   {InReview, Approved, Cancelled},
	InReview:  {InReview, Approved, Rejected, Cancelled},
	Approved:  {Scheduled, Applied, Failed},
	Scheduled: {InReview, Scheduled, Applied, Failed, Cancelled},
}

// States lists every state.
var States = []State{Drafted, InReview, Approved, Scheduled, Applied, Failed, Cancelled, Rejected}

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

// Refusals of changes.
var (
	ErrChange   = errs.New(errs.NotFound, "switch.change_unknown")
	ErrState    = errs.New(errs.Conflict, "switch.state")        // no longer in a state that allows the act
	ErrChanged  = errs.New(errs.Conflict, "switch.changed")      // another version of the change than the one shown
	ErrOpen     = errs.New(errs.Conflict, "switch.other_open")   // another change of this key is open
	ErrOutdated = errs.New(errs.Conflict, "switch.outdated")     // the key's value has changed since the change was drafted
	ErrNothing  = errs.New(errs.Refused, "switch.nothing")       // the value is already in force
	ErrLocked   = errs.New(errs.Forbidden, "switch.locked")      // can't be changed here
	ErrSelf     = errs.New(errs.Forbidden, "switch.same_person") // the second person must be another one
	ErrNotOwn   = errs.New(errs.Forbidden, "switch.not_own")     // only the author withdraws it
	ErrOrder    = errs.New(errs.Refused, "switch.order")         // Args other: the key whose value contradicts it
	ErrNoStop   = errs.New(errs.Forbidden, "switch.no_stop")     // the key or the role does not allow an immediate stop
	ErrKey      = errs.Field("key", "field.key_typed")           // the typed key is wrong
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

// Change is a change request for a key.
type Change struct {
	ID          int64
	Key         string
	Kind        Kind
	State       State
	Sensitive   bool
	BaseVersion int    // the key's, when it was drafted
	Was         []byte // a Setting
	Becomes     []byte
	Reason      string
	ApplyAt     *time.Time
	Zone        string
	AuthorID    int64 // the latest author
	CreatedAt   time.Time
	DeciderID   *int64
	DecidedAt   *time.Time
	Refusal     string // of a rejection: the reason; of a failure: the refusal's key
	AppliedAt   *time.Time
	ToVersion   *int // the key's, once applied
	RevertOf    *int // the key's version that it restores
	ReviewDue   *time.Time
	ReviewerID  *int64
	ReviewedAt  *time.Time
	Verdict     *Verdict
	ReviewNote  string
	ClosedAt    *time.Time // when it was rejected, cancelled or failed
	CloserID    *int64     // who rejected or cancelled it; nil for a failure
	Version     int
	AuthorName  string `gorm:"->"`
	DeciderName string `gorm:"->"`
	CloserName  string `gorm:"->"`
}

// Number is the change's number as staff see it.
func (c Change) Number() string { return fmt.Sprintf("CR-%d", c.ID) }

// May reports whether a transition is allowed.
func (c Change) May(next State) bool { return slices.Contains(moves[c.State], next) }

// Open reports whether the change may still come into force.
func (c Change) Open() bool { return len(moves[c.State]) > 0 }

// Closed reports whether the change was rejected, was cancelled or failed.
func (c Change) Closed() bool { return c.ClosedAt != nil }

// close ends a change without applying it; by is nil when it failed.
func (c *Change) close(state State, by *int64, now time.Time) {
	c.State, c.CloserID, c.ClosedAt = state, by, &now
}

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

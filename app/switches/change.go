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

// State is how far a change is.
type State string

// The states of changes.
const (
	Drafted   State = "draft"
	InReview  State = "in_review" // waits for its second person
	Approved  State = "approved"  // on its way to be scheduled or applied, within one transaction
	Scheduled State = "scheduled"
	Applied   State = "applied"
	Failed    State = "failed" // its moment came, and it did not fit any more
	Cancelled State = "cancelled"
	Rejected  State = "rejected"
)

// moves are the states that each state may turn into.
var moves = map[State][]State{
	Drafted:   {InReview, Approved, Cancelled},
	InReview:  {InReview, Approved, Rejected, Cancelled},
	Approved:  {Scheduled, Applied, Failed},
	Scheduled: {InReview, Scheduled, Applied, Failed, Cancelled},
}

// States lists every state.
var States = []State{Drafted, InReview, Approved, Scheduled, Applied, Failed, Cancelled, Rejected}

// Kind tells changes that people plan from those that stop something at once.
type Kind string

// The kinds of changes.
const (
	Planned Kind = "planned"
	Stopped Kind = "stop" // a key was set to its safe value by one person; another one looks at it within ReviewWithin
)

// ReviewWithin is how soon another person looks at a stop.
const ReviewWithin = 24 * time.Hour

// Verdict is what the other person says of a stop.
type Verdict string

// The verdicts on a stop.
const (
	Right Verdict = "right"
	Wrong Verdict = "wrong" // what follows is a change of its own, by two
)

// Refusals of changes.
var (
	ErrChange   = errs.New(errs.NotFound, "switch.change_unknown")
	ErrState    = errs.New(errs.Conflict, "switch.state")        // no longer in a state that allows the act
	ErrChanged  = errs.New(errs.Conflict, "switch.changed")      // another version of the change than the one shown
	ErrOpen     = errs.New(errs.Conflict, "switch.other_open")   // another change of this key is under way
	ErrOutdated = errs.New(errs.Conflict, "switch.outdated")     // the key has another value meanwhile than the one it was asked against
	ErrNothing  = errs.New(errs.Refused, "switch.nothing")       // the value is in force already
	ErrLocked   = errs.New(errs.Forbidden, "switch.locked")      // nobody changes it here
	ErrSelf     = errs.New(errs.Forbidden, "switch.same_person") // the second person is another one
	ErrNotOwn   = errs.New(errs.Forbidden, "switch.not_own")     // only whoever wrote it takes it back
	ErrOrder    = errs.New(errs.Refused, "switch.order")         // Args other: the key whose value contradicts it
	ErrNoStop   = errs.New(errs.Forbidden, "switch.no_stop")     // not a key, or not a role, that stops at once
	ErrKey      = errs.Field("key", "field.key_typed")           // the key was not typed as it is
	ErrPast     = errs.Field("at", "field.past")
)

// Bounds of a reason, in characters.
const (
	leastReason = 10
	mostReason  = 500
)

// furthest is how far ahead a change may be scheduled.
const furthest = 366 * 24 * time.Hour

// Wish is what somebody wants of a key.
type Wish struct {
	Value  string
	Rules  []Rule
	Reason string
	At     time.Time // zero for at once
	Zone   string    // the time zone in which the moment was chosen, as the IANA names it
}

// Change is one that was written down.
type Change struct {
	ID          int64
	Key         string
	Kind        Kind
	State       State
	Sensitive   bool
	BaseVersion int    // of the key, when it was written
	Was         []byte // a Setting
	Becomes     []byte
	Reason      string
	ApplyAt     *time.Time
	Zone        string
	AuthorID    int64 // who wrote its newest form
	CreatedAt   time.Time
	DeciderID   *int64
	DecidedAt   *time.Time
	Refusal     string // of a rejection: the reason; of a failure: the refusal's key
	AppliedAt   *time.Time
	ToVersion   *int // of the key, once applied
	RevertOf    *int // the version of the key that it goes back to
	ReviewDue   *time.Time
	ReviewerID  *int64
	ReviewedAt  *time.Time
	Verdict     *Verdict
	ReviewNote  string
	ClosedAt    *time.Time // when it came to nothing
	CloserID    *int64     // who saw to that; nil where its moment did
	Version     int
	AuthorName  string `gorm:"->"`
	DeciderName string `gorm:"->"`
	CloserName  string `gorm:"->"`
}

// Number is what people call the change.
func (c Change) Number() string { return fmt.Sprintf("CR-%d", c.ID) }

// May tells whether the change may turn into another state.
func (c Change) May(next State) bool { return slices.Contains(moves[c.State], next) }

// Open tells whether the change may still come into force.
func (c Change) Open() bool { return len(moves[c.State]) > 0 }

// Closed tells whether the change came to nothing.
func (c Change) Closed() bool { return c.ClosedAt != nil }

// close ends a change that does not come into force; by is nil where nobody decided it.
func (c *Change) close(state State, by *int64, now time.Time) {
	c.State, c.CloserID, c.ClosedAt = state, by, &now
}

// Before is what was in force when the change was written.
func (c Change) Before() Setting { return readSetting(c.Was) }

// After is what the change makes of it.
func (c Change) After() Setting { return readSetting(c.Becomes) }

// Unreviewed tells whether the change is a stop at which nobody has looked.
func (c Change) Unreviewed() bool { return c.Kind == Stopped && c.Verdict == nil }

func readReason(text string) (string, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < leastReason || n > mostReason || !db.IsText(text) {
		return "", errs.Field("reason", "field.length")
	}
	return text, nil
}

// read brings a wish into its one form and holds it against what is in force. Refusals: fields, ErrLocked, ErrNothing, ErrPast.
func (d Definition) read(w Wish, now Setting, clock time.Time) (Wish, error) {
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
	case w.At.After(clock.Add(furthest)):
		return w, errs.Field("at", "field.far")
	}
	return w, nil
}

// Same tells whether both give every viewer the same value for the same reason; the versions don't matter.
func (s Setting) Same(other Setting) bool {
	return s.Value == other.Value && slices.EqualFunc(s.Rules, other.Rules, func(x, y Rule) bool {
		return x.Value == y.Value && slices.Equal(x.Countries, y.Countries) && slices.Equal(x.Languages, y.Languages) && slices.Equal(x.Platforms, y.Platforms)
	})
}

// Package approval is how two or three members of staff decide together: one requests, others approve what they were shown, and then it takes effect, at once
// or at its time. Each use declares what is different about it (Use); requests, decisions, conflicts of interest, schedules, expiry and audit are the same for all.
package approval

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"candor/app/platform/errs"
)

// State is an approval's state.
type State string

// The states of approvals.
const (
	Requested State = "requested" // awaits the second person
	Confirmed State = "confirmed" // by the second person; awaits the third
	Scheduled State = "scheduled" // by everybody; takes effect at its time
	Applied   State = "applied"   // in effect
	Refused   State = "refused"
	Withdrawn State = "withdrawn" // by its requester
	Expired   State = "expired"   // nobody decided in time
	Failed    State = "failed"    // at its time it no longer fitted
)

// States lists every state.
var States = []State{Requested, Confirmed, Scheduled, Applied, Refused, Withdrawn, Expired, Failed}

// Refusals of requests and decisions.
var (
	ErrUnknown      = errs.New(errs.NotFound, "approval.unknown")
	ErrState        = errs.New(errs.Conflict, "approval.state")          // no longer in a state that allows the act
	ErrChanged      = errs.New(errs.Conflict, "approval.changed")        // another version or other facts than those shown
	ErrOpen         = errs.New(errs.Conflict, "approval.other_open")     // another request about the same subject is undecided
	ErrLate         = errs.New(errs.Conflict, "approval.late")           // the time for a decision is over
	ErrSamePerson   = errs.New(errs.Forbidden, "approval.same_person")   // who requested or approved it can't decide it again
	ErrNotRequester = errs.New(errs.Forbidden, "approval.not_requester") // only the requester may withdraw it
	ErrNote         = errs.Field("note", "field.length")
)

// Approval is a request that other people decide. Its content never changes; a changed request is a new one.
type Approval struct {
	ID          int64
	Use         string
	Subject     string // the id of what it is about, as the audit log has it
	TraderID    *int64 // whom it is about, if anybody
	Proposal    []byte // JSON; what takes effect, in the use's own form
	Note        string // the requester's, for staff
	Facts       []byte // the hash of what the requester saw; every approval is bound to it
	People      int    // who must take part, the requester included: 1, 2 or 3
	Key         *string
	State       State
	RequestedBy int64
	RequestedAt time.Time
	SecondBy    *int64
	SecondAt    *time.Time
	ThirdBy     *int64
	ThirdAt     *time.Time
	EffectiveAt *time.Time // none: when the last person approves
	ExpiresAt   *time.Time // an undecided request expires then
	ClosedBy    *int64     // who refused or withdrew it
	ClosedAt    *time.Time // when it was refused, was withdrawn, expired or failed
	Refusal     string     // why it was refused, for its requester; of a failure the refusal's key
	AppliedAt   *time.Time
	Version     int
}

// TableName is GORM's name of the table.
func (Approval) TableName() string { return "approvals" }

// Undecided reports whether it awaits a person.
func (a Approval) Undecided() bool { return a.State == Requested || a.State == Confirmed }

// Decided reports whether a member of staff has requested or approved it.
func (a Approval) Decided(staffID int64) bool {
	return slices.Contains(a.Approvers(), staffID)
}

// Approvers lists the requester and everybody who has approved it, in that order.
func (a Approval) Approvers() []int64 {
	people := []int64{a.RequestedBy}
	for _, id := range []*int64{a.SecondBy, a.ThirdBy} {
		if id != nil {
			people = append(people, *id)
		}
	}
	return people
}

// Everybody lists all members of staff that the approval names.
func (a Approval) Everybody() []int64 {
	people := a.Approvers()
	if a.ClosedBy != nil {
		people = append(people, *a.ClosedBy)
	}
	return people
}

// RefusedBy is who refused it; nil unless somebody did.
func (a Approval) RefusedBy() *int64 {
	if a.State != Refused {
		return nil
	}
	return a.ClosedBy
}

// DecidedAt is when its last person decided it; nil while it awaits one.
func (a Approval) DecidedAt() *time.Time {
	switch {
	case a.Undecided():
		return nil
	case a.ClosedAt != nil:
		return a.ClosedAt
	case a.ThirdAt != nil:
		return a.ThirdAt
	case a.SecondAt != nil:
		return a.SecondAt
	}
	return &a.RequestedAt
}

// complete schedules an approval that everybody has given, or applies it when its time has come.
func (a *Approval) complete(now time.Time) {
	a.State = Scheduled
	if a.EffectiveAt == nil || !a.EffectiveAt.After(now) {
		a.State, a.AppliedAt = Applied, &now
	}
}

// Fields are the parts of a proposal by the name of the column that each becomes; every value points to a variable. The same fields make a proposal and read it.
type Fields map[string]any

// Read decodes the proposal into the variables of fields; every one of them must be there.
func (a Approval) Read(fields Fields) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(a.Proposal, &values); err != nil {
		return fmt.Errorf("read the proposal of approval %d: %w", a.ID, err)
	}
	for name, into := range fields {
		reflect.ValueOf(into).Elem().SetZero() // a pointer in it may be shared with another copy
		if err := json.Unmarshal(values[name], into); err != nil {
			return fmt.Errorf("read %s of the proposal of approval %d: %w", name, a.ID, err)
		}
	}
	return nil
}

// facts are the approval's facts for an audit entry, with those of its proposal among them.
func (a Approval) facts() (map[string]any, error) {
	facts := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(a.Proposal))
	decoder.UseNumber()
	if err := decoder.Decode(&facts); err != nil {
		return nil, fmt.Errorf("read the proposal of approval %d: %w", a.ID, err)
	}
	facts["approval"], facts["state"], facts["requester"] = a.ID, a.State, a.RequestedBy
	if a.TraderID != nil {
		facts["trader"] = *a.TraderID
	}
	if a.SecondBy != nil {
		facts["second"] = *a.SecondBy
	}
	if a.ThirdBy != nil {
		facts["third"] = *a.ThirdBy
	}
	if a.Note != "" {
		facts["note"] = a.Note
	}
	if a.Refusal != "" {
		facts["refusal"] = a.Refusal
	}
	if a.EffectiveAt != nil {
		facts["effective_at"] = a.EffectiveAt.UTC()
	}
	return facts, nil
}

// hash is the hash of the request's own content: the facts of a use that has no others.
func (a Approval) hash() ([]byte, error) {
	proposal, err := canonical(a.Proposal)
	if err != nil {
		return nil, fmt.Errorf("read the proposal of approval %d: %w", a.ID, err)
	}
	var trader, effective int64
	if a.TraderID != nil {
		trader = *a.TraderID
	}
	if a.EffectiveAt != nil {
		effective = a.EffectiveAt.UnixMicro()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%q|%d|%s|%q|%d|%d", a.Use, a.Subject, trader, proposal, a.Note, effective, a.RequestedBy))
	return sum[:], nil
}

// sameJSON reports whether two texts are the same JSON.
func sameJSON(one, other []byte) bool {
	x, err := canonical(one)
	y, failed := canonical(other)
	return err == nil && failed == nil && bytes.Equal(x, y)
}

// canonical is JSON with the names of each object in order and without blanks, so that it is the same before it is stored and after.
func canonical(text []byte) ([]byte, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

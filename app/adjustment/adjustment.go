// Package adjustment corrects an account's cash by hand: a maker asks, a checker confirms, the ledger posts. Above a limit the finance lead confirms too. The
// trader's statement shows the posting with its reason.
package adjustment

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// State is the state of an adjustment.
type State string

// The states of an adjustment.
const (
	Requested State = "asked"     // waits for a checker
	Confirmed State = "confirmed" // by the checker; the finance lead must confirm too
	Posted    State = "posted"
	Refused   State = "refused"
	Withdrawn State = "withdrawn" // by its maker
)

// Target is the time in which staff aim to decide.
const Target = 24 * time.Hour

// Refusals; only staff read them.
var (
	ErrUnknown   = errs.New(errs.NotFound, "adjustment.unknown")
	ErrState     = errs.New(errs.Conflict, "adjustment.state")   // no longer in a state that allows the act
	ErrChanged   = errs.New(errs.Conflict, "adjustment.changed") // another version or other facts than those shown
	ErrSelf      = errs.New(errs.Forbidden, "adjustment.same_person")
	ErrNotYours  = errs.New(errs.Forbidden, "adjustment.not_yours") // only the maker may withdraw it
	ErrOwn       = errs.New(errs.Forbidden, "adjustment.own")       // the member's own account, or that of a trader they introduced
	ErrNoAccount = errs.New(errs.Refused, "adjustment.no_account")  // no real account
	ErrMaximum   = errs.New(errs.Refused, "adjustment.maximum")
	ErrFunds     = errs.New(errs.Refused, "adjustment.funds")    // more than the withdrawable amount
	ErrTooMany   = errs.New(errs.Refused, "adjustment.too_many") // undecided ones of the trader
	ErrAmount    = errs.Field("amount", "field.amount")
	ErrReason    = errs.Field("reason", "field.choice")
	ErrReference = errs.Field("reference", "field.length")
	ErrNote      = errs.Field("note", "field.length")
)

// Reasons are the coded reasons; the trader sees their translation beside the entry.
var Reasons = []string{"missed_credit", "duplicate_credit", "fee_refund", "goodwill", "system_fault", "chargeback"}

const (
	maxOpen      = 5   // undecided adjustments of one trader
	maxReference = 64  // bytes
	maxNote      = 500 // characters
	minNote      = 5
)

// Adjustment is one request for a correction.
type Adjustment struct {
	ID            int64
	TraderID      int64
	AccountID     int64
	Currency      string
	Amount        int64 // 10^-6; negative debits the account
	Reason        string
	Reference     string // of the related case
	StaffNote     string
	RequestKey    string
	State         State
	MakerID       int64
	CheckerID     *int64
	LeadID        *int64
	RefusedBy     *int64
	Refusal       string
	ShownHash     []byte
	TransactionID *int64
	Version       int
	CreatedAt     time.Time
	DecidedAt     *time.Time
}

// TableName is GORM's name of the table.
func (Adjustment) TableName() string { return "adjustments" }

// Number is the display number of the adjustment.
func (a Adjustment) Number() string { return fmt.Sprintf("AD-%d", a.ID) }

// Size is the amount without its sign.
func (a Adjustment) Size() int64 { return max(a.Amount, -a.Amount) }

// Decided reports whether a member of staff is its maker, checker or lead.
func (a Adjustment) Decided(staffID int64) bool {
	return a.MakerID == staffID || a.CheckerID != nil && *a.CheckerID == staffID || a.LeadID != nil && *a.LeadID == staffID
}

// Facts is the hash of the facts that a confirmation covers.
func (a Adjustment) Facts() []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d|%d|%d|%s|%d|%s|%q|%q|%d", a.ID, a.TraderID, a.AccountID, a.Currency, a.Amount, a.Reason, a.Reference, a.StaffNote, a.MakerID))
	return sum[:]
}

// moves are the allowed state transitions. All others are refused.
var moves = map[State][]State{
	Requested: {Confirmed, Posted, Refused, Withdrawn},
	Confirmed: {Posted, Refused, Withdrawn},
}

// May reports whether an adjustment may turn from one state into another.
func (s State) May(next State) bool { return slices.Contains(moves[s], next) }

// Request is a maker's request.
type Request struct {
	TraderID  int64
	Amount    int64
	Reason    string
	Reference string
	Note      string
	Key       string // of the form; a repeated key returns the first request
}

func (r Request) check() error {
	switch {
	case r.Amount == 0:
		return ErrAmount
	case !slices.Contains(Reasons, r.Reason):
		return ErrReason
	case r.Reference == "" || len(r.Reference) > maxReference || !db.IsText(r.Reference):
		return ErrReference
	case !isNote(r.Note):
		return ErrNote
	}
	return nil
}

// isNote reports whether a note has an allowed length and text.
func isNote(text string) bool {
	n := utf8.RuneCountInString(text)
	return n >= minNote && n <= maxNote && db.IsText(text)
}

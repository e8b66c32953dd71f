// Package adjustment corrects an account's cash by hand: one person requests, a second one approves, above a limit a third one too, and the ledger posts. The
// trader's statement shows the posting with its reason.
package adjustment

import (
	"fmt"
	"slices"
	"time"

	"candor/app/approval"
	"candor/app/platform/errs"
)

// Target is the time in which staff aim to decide.
const Target = 24 * time.Hour

// Refusals; only staff read them.
var (
	ErrNoAccount = errs.New(errs.Refused, "adjustment.no_account") // no real account
	ErrMaximum   = errs.New(errs.Refused, "adjustment.maximum")
	ErrFunds     = errs.New(errs.Refused, "adjustment.funds")    // more than the withdrawable amount
	ErrTooMany   = errs.New(errs.Refused, "adjustment.too_many") // undecided ones of the trader
	ErrAmount    = errs.Field("amount", "field.amount")
	ErrReason    = errs.Field("reason", "field.choice")
)

// Reasons are the coded reasons; the trader sees their translation beside the entry.
var Reasons = []string{"missed_credit", "duplicate_credit", "fee_refund", "goodwill", "system_fault", "chargeback"}

// maxOpen is the number of undecided adjustments of one trader.
const maxOpen = 5

// Adjustment is a correction of one account's cash and the approval that it takes.
type Adjustment struct {
	approval.Approval
	Correction
	TraderID      int64
	TransactionID *int64 // of the posting
}

// Correction is what is approved, by the columns of the posted row.
type Correction struct {
	AccountID int64
	Currency  string
	Amount    int64 // 10^-6; negative debits the account
	Reason    string
	Case
}

// postedAdjustment is the row of an adjustment that has taken effect.
type postedAdjustment struct {
	ID, TraderID int64
	Correction
	TransactionID int64
	CreatedAt     time.Time
}

// TableName is GORM's name of the table.
func (postedAdjustment) TableName() string { return "adjustments" }

func (c *Correction) fields() approval.Fields {
	return approval.Fields{"account_id": &c.AccountID, "currency": &c.Currency, "amount": &c.Amount, "reason": &c.Reason, "case_kind": &c.CaseKind, "case_id": &c.CaseID}
}

// of reads the adjustment of an approval.
func of(approved approval.Approval) (a Adjustment, err error) {
	a.Approval = approved
	if approved.TraderID != nil {
		a.TraderID = *approved.TraderID
	}
	return a, approved.Read(a.fields())
}

// Number is the display number of an adjustment.
func Number(id int64) string { return fmt.Sprintf("AD-%d", id) }

// Number is the display number of the adjustment.
func (a Adjustment) Number() string { return Number(a.ID) }

// Size is the amount without its sign.
func (c Correction) Size() int64 { return max(c.Amount, -c.Amount) }

// Request is a member's request.
type Request struct {
	TraderID int64
	Amount   int64
	Reason   string
	Case
	Note string
	Key  string // of the form; a repeated key returns the first request
}

func (r Request) check() error {
	switch {
	case r.Amount == 0:
		return ErrAmount
	case !slices.Contains(Reasons, r.Reason):
		return ErrReason
	}
	return approval.CheckNote(r.Note)
}

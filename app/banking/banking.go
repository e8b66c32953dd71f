// Package banking keeps the broker's bank accounts and their statements. Each line of a statement is matched with a deposit or a withdrawal, or staff explain
// it; what the bank holds is compared with the books.
package banking

import (
	"fmt"
	"time"

	"candor/app/platform/errs"
)

// Account is a bank account of the broker.
type Account struct {
	ID        int
	Name      string // for staff
	Bank      string
	Holder    string
	IBAN      string `gorm:"column:iban"` // in capitals, without spaces; an account number where there is no IBAN
	BIC       string `gorm:"column:bic"`
	Currency  string
	Client    bool // holds the money of traders, not the broker's own
	Open      bool
	Mapping   []byte // JSON of a bankfile.Mapping for its CSV statements; empty without one
	Approval  *int64 // its newest; nil while it is a draft
	Version   int
	CreatedAt time.Time
}

// TableName is GORM's name of the table.
func (Account) TableName() string { return "bank_accounts" }

// Number is the display number of the account.
func (a Account) Number() string { return fmt.Sprintf("BA-%d", a.ID) }

// Draft reports whether the account was never open.
func (a Account) Draft() bool { return a.Approval == nil && !a.Open }

// Statement is an imported bank statement. Amounts are in 10^-6 of the account's currency.
type Statement struct {
	ID         int64
	AccountID  int
	SHA256     []byte `gorm:"column:sha256"` // of the file
	Format     string
	Number     string // the bank's
	FirstDay   time.Time
	LastDay    time.Time
	Opening    *int64 // nil for a file without balances
	Closing    *int64
	Gap        bool // it does not begin with the balance that the one before ended with
	ImportedBy int64
	ImportedAt time.Time
}

// TableName is GORM's name of the table.
func (Statement) TableName() string { return "bank_statements" }

// State is what became of a line.
type State string

// The states of a line.
const (
	Unmatched State = "unmatched"
	Matched   State = "matched"   // with a deposit or a withdrawal
	Explained State = "explained" // neither, for a cause that two people agree on
)

// Cause is what an explained line is.
type Cause string

// The causes, in the order of the choice.
const (
	BankFee     Cause = "bank_fee"
	Interest    Cause = "interest"
	OwnTransfer Cause = "own_transfer" // between accounts of the broker
	Returned    Cause = "returned"     // a credit sent back to its sender, or its debit
	Other       Cause = "other"
)

// Causes lists the causes.
var Causes = []Cause{BankFee, Interest, OwnTransfer, Returned, Other}

// Line is a line of a statement: a credit or a debit.
type Line struct {
	ID            int64
	StatementID   int64
	AccountID     int
	Key           string // by the bank's reference, or by the content where there is none
	ContentKey    string // the same for all lines that say the same besides the bank's reference
	BookedOn      time.Time
	ValueOn       time.Time
	Amount        int64  // 10^-6 of the account's currency; a credit is positive
	Reference     string // of a deposit, found in the payer's words; empty if there is none
	BankReference string
	DetailKey     []byte `json:"-"` // key of the sealed detail; Service.Detail opens it
	DetailSealed  []byte `json:"-"`
	State         State
	SuggestedID   *int64 // a deposit for a credit, a withdrawal for a debit
	Score         int    // of the suggestion: 0 to 100
	DepositID     *int64
	WithdrawalID  *int64
	Cause         *Cause
	Approval      *int64 // of its explanation
	DecidedBy     *int64
	DecidedAt     *time.Time
	Version       int
}

// TableName is GORM's name of the table.
func (Line) TableName() string { return "bank_lines" }

// Detail is what a line says of people. It is sealed.
type Detail struct {
	Counterparty string
	Account      string // of the counterparty
	Text         string // of the payment
}

// Credit reports whether the line brings money in.
func (l Line) Credit() bool { return l.Amount > 0 }

// Suggested reports whether a case is suggested for the line.
func (l Line) Suggested() bool { return l.State == Unmatched && l.SuggestedID != nil }

// Number is the display number of a line.
func Number(id int64) string { return fmt.Sprintf("BL-%d", id) }

// Number is the display number of the line.
func (l Line) Number() string { return Number(l.ID) }

// DisplayNumber is our number of the statement.
func (s Statement) DisplayNumber() string { return fmt.Sprintf("BS-%d", s.ID) }

// Target is the time in which staff aim to find out what a line is.
const Target = 24 * time.Hour

// Refusals.
var (
	ErrUnknown  = errs.New(errs.NotFound, "banking.unknown")
	ErrState    = errs.New(errs.Conflict, "banking.state")        // no longer in a state that allows the act
	ErrChanged  = errs.New(errs.Conflict, "banking.changed")      // another version than the one shown
	ErrTwice    = errs.New(errs.Conflict, "banking.twice")        // the file was imported already
	ErrAccount  = errs.New(errs.Refused, "banking.account")       // the file is of no open account of ours
	ErrCurrency = errs.New(errs.Refused, "banking.currency")      // the file's currency is not the account's
	ErrFuture   = errs.New(errs.Refused, "banking.future")        // a statement of days that have not come
	ErrUsed     = errs.New(errs.Conflict, "banking.used")         // another line is matched with the case
	ErrOther    = errs.New(errs.Refused, "banking.other_account") // the case belongs to another bank account or currency
	ErrAmount   = errs.New(errs.Refused, "banking.amount")        // a payout's line must have its amount
	ErrNothing  = errs.New(errs.Refused, "banking.same")          // the request changes nothing
	ErrCause    = errs.Field("cause", "field.choice")
	ErrRepeated = errs.Field("iban", "banking.repeated") // an account with the number exists
	ErrTyped    = errs.Field("iban", "banking.typed")    // not the number that was requested
)

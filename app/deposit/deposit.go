// Package deposit brings money in: a trader announces a bank transfer and proves it, staff compare it with the bank, and the account is credited once.
package deposit

import (
	"crypto/sha256"
	"fmt"
	"time"

	"candor/app/platform/errs"
	"candor/app/staff"
)

// State is where a deposit stands.
type State string

// The states of a bank deposit.
const (
	AwaitingTransfer State = "awaiting_transfer"
	ProofSubmitted   State = "proof_submitted"
	InReview         State = "in_review" // claimed by a member of staff
	MoreInfo         State = "more_info" // the trader is asked for another proof
	Approved         State = "approved"  // by one person; a second one is needed
	Credited         State = "credited"
	Rejected         State = "rejected"
	Expired          State = "expired"
	Cancelled        State = "cancelled"
)

// Times of the desk.
const (
	TransferLife = 72 * time.Hour // how long a request waits for its proof
	Target       = 2 * time.Hour  // within which the desk means to decide
	maxOpen      = 5              // undecided deposits of one trader
)

// Refusals.
var (
	ErrUnknown    = errs.New(errs.NotFound, "deposit.unknown")
	ErrState      = errs.New(errs.Conflict, "deposit.state")       // no longer in a state that allows the act
	ErrChanged    = errs.New(errs.Conflict, "deposit.changed")     // another version than the one shown
	ErrAmount     = errs.New(errs.Refused, "deposit.amount")       // outside the channel's limits
	ErrUnverified = errs.New(errs.Refused, "deposit.unverified")   // above the total before verification
	ErrTooMany    = errs.New(errs.Refused, "deposit.too_many")     // too many undecided ones
	ErrMock       = errs.New(errs.Forbidden, "account.mock")       // mock accounts take no real money
	ErrChannel    = errs.Field("channelId", "field.unknown")       // no such channel, or switched off
	ErrFile       = errs.Field("file", "field.unknown")            // not a picture of this trader
	ErrClaimed    = errs.New(errs.Conflict, "deposit.claimed")     // somebody else is at it
	ErrNotClaimed = errs.New(errs.Conflict, "deposit.not_claimed") // claim it first
	ErrReference  = errs.New(errs.Refused, "deposit.reference")    // that bank reference has credited a deposit already
	ErrSelf       = errs.New(errs.Forbidden, "deposit.same_person")
	ErrReason     = errs.Field("reason", "field.choice")
)

// Reasons are the coded reasons of a rejection or a question; the trader reads their translation.
var Reasons = []string{"not_received", "wrong_reference", "sender_differs", "amount_differs", "proof_unreadable", "duplicate"}

// Deposit is one request.
type Deposit struct {
	ID        int64
	TraderID  int64
	AccountID int64
	ChannelID int
	Kind      string
	Currency  string
	Amount    int64
	Reference string
	State     State
	FileID    *int64
	staff.Claim
	Received      *int64
	BankReference *string
	MakerID       *int64
	CheckerID     *int64
	ShownHash     []byte
	Reason        *string
	StaffNote     string
	TransactionID *int64
	Version       int
	CreatedAt     time.Time
	ProofAt       *time.Time
	DecidedAt     *time.Time
	ExpiresAt     time.Time
}

// TableName is GORM's name of the table.
func (Deposit) TableName() string { return "deposits" }

// Number is what people call the deposit.
func (d Deposit) Number() string { return fmt.Sprintf("DP-%d", d.ID) }

// Undecided tells whether the desk, or a second person, still has to act.
func (d Deposit) Undecided() bool {
	return d.State == ProofSubmitted || d.State == InReview || d.State == Approved
}

// facts is the hash of what an approval is about; any change of it voids the approval.
func (d Deposit) facts(received int64, bankReference string) []byte {
	text := fmt.Sprintf("%d|%d|%d|%s|%d|%s|%d|%d|%s", d.ID, d.TraderID, d.AccountID, d.Currency, d.Amount, d.Reference, deref(d.FileID), received, bankReference)
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

func deref(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// Channel is a bank account of the house that takes transfers.
type Channel struct {
	ID       int
	Kind     string
	Name     string
	Currency string
	Minimum  int64
	Maximum  int64
	Bank     string
	Holder   string
	IBAN     string `gorm:"column:iban"`
	BIC      string `gorm:"column:bic"`
	Sort     int
	Enabled  bool
}

// TableName is GORM's name of the table.
func (Channel) TableName() string { return "pay_channels" }

// File is a stored picture.
type File struct {
	ID        int64
	Name      string
	TraderID  int64
	Purpose   string
	Type      string
	Size      int
	Width     int
	Height    int
	SHA256    []byte `gorm:"column:sha256"`
	CreatedAt time.Time
}

// TableName is GORM's name of the table.
func (File) TableName() string { return "files" }

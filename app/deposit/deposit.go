// Package deposit brings money in: a trader pays, staff or a provider confirm the payment, the ledger credits the account once.
package deposit

import (
	"crypto/sha256"
	"fmt"
	"time"

	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/staff"
)

// State is the state of a deposit.
type State string

// The states of a deposit, by kind. The first group is for bank transfers; the other kinds share its review and final states.
const (
	AwaitingTransfer State = "awaiting_transfer"
	ProofSubmitted   State = "proof_submitted"
	InReview         State = "in_review" // claimed by a member of staff
	MoreInfo         State = "more_info" // the trader must submit another proof
	Approved         State = "approved"  // by one person; a second one must confirm
	Credited         State = "credited"
	Rejected         State = "rejected"
	Expired          State = "expired"
	Cancelled        State = "cancelled"

	Created         State = "created"          // the payment order is not answered yet
	Redirected      State = "redirected"       // the trader was sent to the provider's page
	ProviderPending State = "provider_pending" // the trader reports the payment
	ProviderUnknown State = "provider_unknown" // the provider's answer is missing or does not match
	Failed          State = "failed"
	ChargedBack     State = "charged_back" // credited, then taken back by the payer

	AwaitingPayment State = "awaiting_payment" // over the counter
	MarkedPaid      State = "marked_paid"
	Appealed        State = "appeal"

	Detected   State = "detected" // seen on the chain, not confirmed yet
	Confirmed  State = "confirmed"
	AMLReview  State = "aml_hold"
	BelowMin   State = "below_min"
	WrongAsset State = "wrong_asset"
	Dropped    State = "dropped" // its block is no longer in the chain
	Refunding  State = "refunding"
	Refunded   State = "refunded"
	Reversed   State = "reversed" // credited, then reversed because its block left the chain
)

// Kind is the payment method of a deposit.
type Kind = string

// The kinds of deposits.
const (
	ByBank     Kind = "bank"
	ThirdParty Kind = "third_party"
	OTC        Kind = "otc"
	Crypto     Kind = "standard"
)

// Times and limits of deposits.
const (
	TransferLife = 72 * time.Hour // time to submit the proof of a transfer
	Target       = 2 * time.Hour  // time in which staff aim to decide
	maxOpen      = 5              // undecided deposits of one trader
	maxPictures  = 30             // stored pictures of one trader in 24 hours
)

// Refusals.
var (
	ErrUnknown    = errs.New(errs.NotFound, "deposit.unknown")
	ErrState      = errs.New(errs.Conflict, "deposit.state")       // no longer in a state that allows the act
	ErrChanged    = errs.New(errs.Conflict, "deposit.changed")     // another version than the one shown
	ErrAmount     = errs.New(errs.Refused, "deposit.amount")       // outside the channel's limits
	ErrUnverified = errs.New(errs.Refused, "deposit.unverified")   // above the total before verification
	ErrTooMany    = errs.New(errs.Refused, "deposit.too_many")     // too many undecided ones
	ErrPictures   = errs.New(errs.Refused, "upload.too_many")      // maxPictures stored in 24 hours
	ErrMock       = errs.New(errs.Forbidden, "account.mock")       // mock accounts take no real money
	ErrChannel    = errs.Field("channelId", "field.unknown")       // no such channel, or switched off
	ErrFile       = errs.Field("file", "field.unknown")            // not a picture of this trader
	ErrClaimed    = errs.New(errs.Conflict, "deposit.claimed")     // claimed by another member of staff
	ErrNotClaimed = errs.New(errs.Conflict, "deposit.not_claimed") // claim it first
	ErrReference  = errs.New(errs.Refused, "deposit.reference")    // the bank reference has credited a deposit already
	ErrSelf       = errs.New(errs.Forbidden, "deposit.same_person")
	ErrReason     = errs.Field("reason", "field.choice")
)

// Reasons are the coded reasons of a rejection or a question; the trader reads their translation.
var Reasons = []string{"not_received", "wrong_reference", "sender_differs", "amount_differs", "proof_unreadable", "duplicate"}

// The coded reasons that only the system sets.
const (
	reasonRefused = "provider_refused" // before anything was paid
	reasonFailed  = "payment_failed"
)

// ProviderReasons lists the coded reasons of payments that a provider refused or that failed.
var ProviderReasons = []string{reasonRefused, reasonFailed}

// Deposit is one deposit of any kind.
type Deposit struct {
	ID        int64
	TraderID  int64
	AccountID int64
	ChannelID int
	Kind      string
	Currency  string
	Amount    int64
	FeeRate   int64 // percent in 10^-6, fixed when the deposit begins
	Fee       int64 // on the credited amount
	Reference string
	State     State
	FileID    *int64
	staff.Claim
	Received      *int64
	BankReference *string
	MakerID       *int64
	CheckerID     *int64
	Mismatches    int // readings of the bank's reference that were not what the maker entered
	ShownHash     []byte
	Reason        *string
	StaffNote     string
	TransactionID *int64
	Version       int
	CreatedAt     time.Time
	ProofAt       *time.Time
	DecidedAt     *time.Time
	ExpiresAt     *time.Time // nil for crypto deposits

	Provider        string
	PayURL          string `gorm:"column:pay_url"`
	Merchant        string
	MerchantBank    string
	MerchantAccount string
	Offer
	AgreedAt         *time.Time // when the trader agreed to the offer
	Appeal           string
	AddressID        *int64
	Transfer         *string
	TxHash           string `gorm:"column:tx_hash"`
	Confirmations    int
	Required         int
	AskedAt          *time.Time
	ReversalID       *int64
	ReversalApproval *int64 // the open or given approval of the reversal
	MovedAt          *time.Time
	SaidState        string // the provider's last answer
	SaidAmount       string // as the provider wrote it
	SaidCurrency     string

	Coin   string // the coin that arrived
	Chain  string
	Dust   string     // the part too small to be credited: a decimal string, empty for none
	GoneAt *time.Time // since when the provider reports the credited money as missing or charged back

	SenderNameKey    []byte     `json:"-"` // key of the sealed sender name, as on the bank statement; Service.SenderName opens it
	SenderNameSealed []byte     // empty until a name is entered
	SenderSame       *bool      // whether the sender is the trader; nil until a name is entered
	ValueDate        *time.Time // of a transfer that staff matched from the bank statement without a proof
}

// TableName is GORM's name of the table.
func (Deposit) TableName() string { return "deposits" }

// Number is the display number of the deposit.
func (d Deposit) Number() string { return fmt.Sprintf("DP-%d", d.ID) }

// Unclaimed reports whether no proof was submitted yet; staff may match it from the bank statement.
func (d Deposit) Unclaimed() bool {
	return d.Kind == ByBank && (d.State == AwaitingTransfer || d.State == Expired)
}

// MatchedFromStatement reports whether staff matched the deposit from the bank statement, without a proof.
func (d Deposit) MatchedFromStatement() bool { return d.ValueDate != nil }

// Undecided reports whether a first or a second member of staff must still decide.
func (d Deposit) Undecided() bool {
	switch d.State {
	case ProofSubmitted, InReview, Approved, ProviderUnknown, Appealed:
		return true
	}
	return false
}

// FeeOf is the fee on a received amount: its share at the fee rate, rounded up. It fails with money.ErrOverflow.
func (d Deposit) FeeOf(received int64) (int64, error) {
	return money.MulDiv(received, d.FeeRate, 100*money.Unit, money.Up)
}

// Net is the credited part of a received amount, after the fee.
func (d Deposit) Net(received int64) int64 {
	fee, err := d.FeeOf(received)
	if err != nil { // such an amount can't be credited either
		return 0
	}
	return received - fee
}

// facts is the hash of the facts that an approval covers; a different hash voids the approval. It includes the sealed sender name: a hash of the clear name
// would confirm a guess.
func (d Deposit) facts(received int64, bankReference string) []byte {
	text := fmt.Sprintf("%d|%d|%d|%s|%d|%s|%d|%d|%s", d.ID, d.TraderID, d.AccountID, d.Currency, d.Amount, d.Reference, deref(d.FileID), received, bankReference)
	if len(d.SenderNameSealed) > 0 {
		text += "|" + string(d.SenderNameSealed)
	}
	if d.ValueDate != nil {
		text += "|" + d.ValueDate.Format(time.DateOnly)
	}
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// deref is the value of a pointer; zero for nil.
func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Channel is a way to pay in: a bank account of the house, or a provider.
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
	Provider string
	Coin     string
	Chain    string

	Countries    string // of residence where it is offered: ISO 3166-1 alpha-2 codes separated by commas; empty is everywhere
	OwnFee       *int64 `gorm:"column:fee_rate"` // percent in 10^-6; nil is the platform's
	Instructions Texts  // what a trader reads before paying

	Confirmations int  // that the custodian requires; 0 when unknown
	BankAccountID *int // of a bank channel: the account that it pays into; nil while nobody has named it

	Approval *int64 // its newest; nil while it is a draft
	Version  int    `gorm:"default:1"`
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
	Pages     int    // of the PDF whose first pages it shows; 0 for a picture
	SHA256    []byte `gorm:"column:sha256"`
	CreatedAt time.Time
}

// TableName is GORM's name of the table.
func (File) TableName() string { return "files" }

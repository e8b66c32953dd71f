// Package deposit brings money in: a trader announces a bank transfer and proves it, and staff compare it with the bank; or a provider takes the payment and says,
// signed, what came. The account is credited once.
package deposit

import (
	"crypto/sha256"
	"fmt"
	"time"

	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/staff"
)

// State is where a deposit stands.
type State string

// The states of a deposit, by the way it comes. The first are those of a bank transfer, of which a desk may need the middle ones for every way.
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

	Created         State = "created"          // the provider is being asked
	Redirected      State = "redirected"       // the trader is at the provider's page
	ProviderPending State = "provider_pending" // the trader says to have paid
	ProviderUnknown State = "provider_unknown" // what the provider says does not fit, or is not to be had
	Failed          State = "failed"
	ChargedBack     State = "charged_back" // credited, and taken back by who paid

	AwaitingPayment State = "awaiting_payment" // over the counter
	MarkedPaid      State = "marked_paid"
	Appealed        State = "appeal"

	Detected   State = "detected" // coins on their way
	Confirmed  State = "confirmed"
	AMLHold    State = "aml_hold"
	BelowMin   State = "below_min"
	WrongAsset State = "wrong_asset"
	Dropped    State = "dropped" // its block is no longer in the chain
	Refunding  State = "refunding"
	Refunded   State = "refunded"
	Reversed   State = "reversed" // credited, and its block is no longer in the chain
)

// Kind is the way a deposit comes.
type Kind = string

// The kinds of deposits.
const (
	ByBank     Kind = "bank"
	ThirdParty Kind = "third_party"
	OTC        Kind = "otc"
	OnChain    Kind = "standard"
)

// Times of the desk.
const (
	TransferLife = 72 * time.Hour // how long a request waits for its proof
	Target       = 2 * time.Hour  // within which the desk means to decide
	maxOpen      = 5              // undecided deposits of one trader
	maxPictures  = 30             // that a trader keeps in 24 hours
)

// Refusals.
var (
	ErrUnknown    = errs.New(errs.NotFound, "deposit.unknown")
	ErrState      = errs.New(errs.Conflict, "deposit.state")       // no longer in a state that allows the act
	ErrChanged    = errs.New(errs.Conflict, "deposit.changed")     // another version than the one shown
	ErrAmount     = errs.New(errs.Refused, "deposit.amount")       // outside the channel's limits
	ErrUnverified = errs.New(errs.Refused, "deposit.unverified")   // above the total before verification
	ErrTooMany    = errs.New(errs.Refused, "deposit.too_many")     // too many undecided ones
	ErrPictures   = errs.New(errs.Refused, "upload.too_many")      // all pictures of the day are there
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

// The coded reasons that no person chooses.
const (
	reasonRefused = "provider_refused" // before anything was paid
	reasonFailed  = "payment_failed"
)

// Told lists the coded reasons of a payment that a provider has refused or let fail.
var Told = []string{reasonRefused, reasonFailed}

// Deposit is one request.
type Deposit struct {
	ID        int64
	TraderID  int64
	AccountID int64
	ChannelID int
	Kind      string
	Currency  string
	Amount    int64
	FeeRate   int64 // percent in 10^-6, as it was when the deposit began
	Fee       int64 // of what was credited
	Reference string
	State     State
	FileID    *int64
	staff.Claim
	Received      *int64
	BankReference *string
	EarlierTwin   bool // has the reference of an earlier one, from before references were compared without their marks
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
	ExpiresAt     *time.Time // nil for coins

	Provider        string
	PayURL          string `gorm:"column:pay_url"`
	Merchant        string
	MerchantBank    string
	MerchantAccount string
	Offer
	AgreedAt      *time.Time // when the trader agreed to the offer
	Appeal        string
	AddressID     *int64
	Transfer      *string
	TxHash        string `gorm:"column:tx_hash"`
	Confirmations int
	Required      int
	AskedAt       *time.Time
	ReversalID    *int64
	ReversedBy    *int64
	MovedAt       *time.Time
	SaidState     string // what the provider said last
	SaidAmount    string // in its own words
	SaidCurrency  string

	Coin            string // what arrived, and on which chain
	Chain           string
	Dust            string     // what of it is too small to be credited: a decimal string, empty for none
	GoneAt          *time.Time // since when the provider says that what was credited is not there, or was taken back by who paid
	ReversalReason  string
	ReversalChecker *int64 // who agreed to what ReversedBy asked for

	SenderNameKey    []byte     `json:"-"` // of the sealed name of whoever sent it, as the bank's statement names them: Service.SenderName opens it
	SenderNameSealed []byte     // empty where nobody has typed it
	SenderSame       *bool      // whether that was the trader; nil where nobody has typed it
	ValueDate        *time.Time // of a transfer that the desk took up from the statement, without a proof
}

// TableName is GORM's name of the table.
func (Deposit) TableName() string { return "deposits" }

// Number is what people call the deposit.
func (d Deposit) Number() string { return fmt.Sprintf("DP-%d", d.ID) }

// Unclaimed tells whether the deposit waits for a transfer that nobody has told of, so that the desk may take it up from the bank's statement.
func (d Deposit) Unclaimed() bool {
	return d.Kind == ByBank && (d.State == AwaitingTransfer || d.State == Expired)
}

// TakenUp tells whether the desk took the deposit up from the bank's statement, without a proof of the trader's.
func (d Deposit) TakenUp() bool { return d.ValueDate != nil }

// Undecided tells whether the desk, or a second person, still has to act.
func (d Deposit) Undecided() bool {
	switch d.State {
	case ProofSubmitted, InReview, Approved, ProviderUnknown, Appealed:
		return true
	}
	return false
}

// FeeOf is the fee of a sum that arrives: its rate's share, rounded up. It fails with money.ErrOverflow.
func (d Deposit) FeeOf(received int64) (int64, error) {
	return money.MulDiv(received, d.FeeRate, 100*money.Unit, money.Up)
}

// Net is what reaches the account of a sum that arrives.
func (d Deposit) Net(received int64) int64 {
	fee, err := d.FeeOf(received)
	if err != nil { // and can't be credited either
		return 0
	}
	return received - fee
}

// facts is the hash of what an approval is about; any change of it voids the approval. It takes the sender's name as it is sealed: a hash of the name itself would
// tell it to whoever guesses.
func (d Deposit) facts(received int64, bankReference string) []byte {
	return d.factsOf(received, bankReference, string(d.SenderNameSealed))
}

func (d Deposit) factsOf(received int64, bankReference, sender string) []byte {
	text := fmt.Sprintf("%d|%d|%d|%s|%d|%s|%d|%d|%s", d.ID, d.TraderID, d.AccountID, d.Currency, d.Amount, d.Reference, deref(d.FileID), received, bankReference)
	if sender != "" { // older approvals know none
		text += "|" + sender
	}
	if d.ValueDate != nil {
		text += "|" + d.ValueDate.Format(time.DateOnly)
	}
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

func deref(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
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

	Confirmations int // that the custodian waits for; 0 where that is not known
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

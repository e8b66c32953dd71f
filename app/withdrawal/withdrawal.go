// Package withdrawal brings money out: a trader asks and proves to be one, the amount leaves the account at once, staff approve what they were shown, and
// it is paid or comes back, once.
package withdrawal

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/staff"
)

// Kind is how the money goes.
type Kind string

// The kinds of withdrawals.
const (
	ByBank  Kind = "bank"
	ByAgent Kind = "daifu"    // an agent pays it to a bank account
	OnChain Kind = "standard" // to an address
)

// State is where a withdrawal stands.
type State string

// The states of a withdrawal.
const (
	Review         State = "review"     // waits for a maker
	MoreInfo       State = "more_info"  // the trader is asked something
	Approved1      State = "approved_1" // by a maker
	Approved2      State = "approved_2" // by a checker; the lead is needed too
	Queued         State = "queued"     // approved by all who must
	Processing     State = "processing" // somebody is sending it
	Sent           State = "sent"       // the bank has it
	Completed      State = "completed"
	Cancelled      State = "cancelled"
	Rejected       State = "rejected"
	Failed         State = "failed"          // it was proved that it was not paid
	Returned       State = "returned"        // the bank gave it back
	Frozen         State = "frozen"          // by compliance
	OutcomeUnknown State = "outcome_unknown" // it may have been paid; two people find out
)

// Kinds are the kinds of withdrawals, and Ends the states that one ends in.
var (
	Kinds = []Kind{ByBank, ByAgent, OnChain}
	Ends  = []State{Completed, Cancelled, Rejected, Failed, Returned}
)

// Times of the desk.
const (
	Target   = 4 * time.Hour  // within which the desk means to have decided
	Transfer = 24 * time.Hour // within which it means to have sent what is approved
	maxOpen  = 5              // unended withdrawals of one trader
)

// Arrival is the time within which what was sent is with the payee.
func (k Kind) Arrival() time.Duration {
	if k == OnChain {
		return time.Hour
	}
	return 72 * time.Hour
}

// settles is when what was sent counts as having arrived, because nothing was heard to the contrary.
func (k Kind) settles() time.Duration {
	if k == OnChain {
		return 24 * time.Hour
	}
	return 5 * 24 * time.Hour
}

// Refusals.
var (
	ErrUnknown    = errs.New(errs.NotFound, "withdrawal.unknown")
	ErrState      = errs.New(errs.Conflict, "withdrawal.state")   // no longer in a state that allows the act
	ErrChanged    = errs.New(errs.Conflict, "withdrawal.changed") // another version than the one shown
	ErrMock       = errs.New(errs.Forbidden, "account.mock")
	ErrUnstaffed  = errs.New(errs.Refused, "withdrawal.unstaffed")    // nobody works here yet who could approve it
	ErrHolder     = errs.New(errs.Refused, "withdrawal.holder")       // the account is in another name than the trader's
	ErrUnverified = errs.New(errs.Refused, "withdrawal.unverified")   // the identity is not verified
	ErrGone       = errs.New(errs.Refused, "withdrawal.deposit_gone") // a deposit of the trader is not there any more, and not taken back yet
	ErrHeld       = errs.New(errs.Refused, "withdrawal.held")         // after a security change, with the moment it ends
	ErrAmount     = errs.New(errs.Refused, "withdrawal.amount")       // outside the limits of one request
	ErrFee        = errs.New(errs.Refused, "withdrawal.fee")          // nothing is left after the fee
	ErrDay        = errs.New(errs.Refused, "withdrawal.day_limit")
	ErrMonth      = errs.New(errs.Refused, "withdrawal.month_limit")
	ErrFunds      = errs.New(errs.Refused, "withdrawal.funds")    // more than may leave
	ErrTooMany    = errs.New(errs.Refused, "withdrawal.too_many") // too many under way
	ErrClaimed    = errs.New(errs.Conflict, "withdrawal.claimed") // somebody else is at it
	ErrNotClaimed = errs.New(errs.Conflict, "withdrawal.not_claimed")
	ErrSelf       = errs.New(errs.Forbidden, "withdrawal.same_person")
	ErrPayment    = errs.New(errs.Conflict, "withdrawal.payment")   // the bank's reference names another withdrawal
	ErrCoin       = errs.New(errs.Refused, "withdrawal.coin")       // an address of another coin than the account's
	ErrBounce     = errs.New(errs.Conflict, "withdrawal.no_bounce") // no chain gives money back
	ErrProvider   = errs.New(errs.Conflict, "withdrawal.provider")  // a provider sends it, and says what became of it
	ErrKind       = errs.New(errs.Refused, "withdrawal.kind")       // money does not go that way now
	ErrReason     = errs.Field("reason", "field.choice")
	ErrAnswer     = errs.Field("answer", "field.length")
)

// Reasons are the coded reasons of a question, a rejection, a freeze and a failure; the trader reads their translation.
var Reasons = []string{"holder_differs", "account_closed", "source_of_funds", "details_wrong", "not_paid", "under_examination", "other"}

// Withdrawal is one request.
type Withdrawal struct {
	ID        int64
	TraderID  int64
	AccountID int64
	PayeeID   int64
	Kind      Kind
	Currency  string
	Amount    int64
	Fee       int64

	HolderKey    []byte `json:"-"` // of the sealed name that a bank account is in: Service.Holder opens it
	HolderSealed []byte

	Bank        string
	IBAN        string `gorm:"column:iban"`
	BIC         string `gorm:"column:bic"`
	Chain       string
	Address     string
	Memo        string
	Risk        int    // 0 to 100
	RiskReasons string // coded, separated by commas
	State       State
	FrozenFrom  *State
	staff.Claim
	MakerID     *int64
	CheckerID   *int64
	LeadID      *int64
	ShownHash   []byte
	OutcomePaid *bool
	OutcomeBy   *int64
	Payment     *string
	Reason      *string
	Answer      string
	StaffNote   string
	TakenID     int64
	SentID      *int64
	BackID      *int64
	Version     int
	CreatedAt   time.Time
	MovedAt     time.Time
	QueuedAt    *time.Time
	SentAt      *time.Time
	EndedAt     *time.Time

	Provider      string // who sends it; nobody: staff do
	ProviderState string // what it last said
	Confirmations int
	Required      int
	AskedAt       *time.Time
}

// TableName is GORM's name of the table.
func (Withdrawal) TableName() string { return "withdrawals" }

// Number is what people call the withdrawal.
func (w Withdrawal) Number() string { return fmt.Sprintf("WD-%d", w.ID) }

// Net is what the payee gets.
func (w Withdrawal) Net() int64 { return w.Amount - w.Fee }

// Destination is the account number or the address that it goes to.
func (w Withdrawal) Destination() string {
	if w.Kind == OnChain {
		return w.Address
	}
	return w.IBAN
}

// Ended tells whether nothing happens to it any more.
func (w Withdrawal) Ended() bool { return w.EndedAt != nil }

// moves are the states that each state may turn into. Nothing else is possible, whoever asks.
var moves = map[State][]State{
	Review:         {MoreInfo, Approved1, Rejected, Cancelled, Frozen},
	MoreInfo:       {Review, Rejected, Cancelled, Frozen},
	Approved1:      {Approved2, Queued, Review, Rejected, Cancelled, Frozen},
	Approved2:      {Queued, Review, Rejected, Cancelled, Frozen},
	Queued:         {Processing, Frozen},
	Processing:     {Sent, Failed, OutcomeUnknown},
	OutcomeUnknown: {Processing, Sent, Failed},
	Sent:           {Completed, Returned},
	Completed:      {Returned}, // a bank's money may come back long after it counts as arrived
	Frozen:         {Review, MoreInfo, Approved1, Approved2, Queued, Rejected},
}

// Promised is when the stage that the withdrawal is in should be over: the desk's decision, the transfer, its arrival.
func (w Withdrawal) Promised() time.Time {
	switch w.State {
	case Queued, Processing, OutcomeUnknown:
		return w.MovedAt.Add(Transfer)
	case Sent:
		return w.MovedAt.Add(w.Kind.Arrival())
	}
	if w.EndedAt != nil {
		return *w.EndedAt
	}
	return w.MovedAt.Add(Target)
}

// May tells whether a withdrawal in one state may turn into another.
func (s State) May(next State) bool { return slices.Contains(moves[s], next) }

// mayMove tells whether anything may still happen to it. No chain gives money back.
func (w Withdrawal) mayMove() bool {
	return len(moves[w.State]) > 0 && (w.State != Completed || w.Kind != OnChain)
}

// Cancellable tells whether its trader may still take the request back.
func (s State) Cancellable() bool { return s.May(Cancelled) }

// Facts is the hash of what an approval is about. It takes the name as it is sealed: a hash of the name itself would tell it to whoever guesses.
func (w Withdrawal) Facts() []byte { return w.facts(string(w.HolderSealed)) }

func (w Withdrawal) facts(holder string) []byte {
	text := fmt.Sprintf("%d|%d|%d|%d|%s|%s|%d|%d|%q|%q|%s|%s|%s|%s|%q",
		w.ID, w.TraderID, w.AccountID, w.PayeeID, w.Kind, w.Currency, w.Amount, w.Fee, holder, w.Bank, w.IBAN, w.BIC, w.Chain, w.Address, w.Memo)
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// Decided tells whether a member of staff has approved it already, in whatever place.
func (w Withdrawal) Decided(staffID int64) bool {
	for _, id := range []*int64{w.MakerID, w.CheckerID, w.LeadID} {
		if id != nil && *id == staffID {
			return true
		}
	}
	return false
}

// fee is what a withdrawal costs: a share of the amount in percent, rounded up, and a sum. Rates and sums are in 10^-6.
func fee(amount, ratePercent, sum int64) (int64, error) {
	share, err := money.MulDiv(amount, ratePercent, 100*money.Unit, money.Up)
	if err != nil {
		return 0, err
	}
	return share + sum, nil
}

// Limits are how much may leave: with one request, and what is left of the day's and the month's.
type Limits struct {
	Least, Most      int64
	Day, DayLeft     int64
	Month, MonthLeft int64
}

// check refuses an amount outside the limits.
func (l Limits) check(amount int64) error {
	text := func(value int64) string { return money.Trim(value, money.Scale) }
	switch {
	case amount < l.Least || amount > l.Most:
		return ErrAmount.With("min", text(l.Least)).With("max", text(l.Most))
	case amount > l.DayLeft:
		return ErrDay.With("limit", text(l.Day)).With("left", text(max(0, l.DayLeft)))
	case amount > l.MonthLeft:
		return ErrMonth.With("limit", text(l.Month)).With("left", text(max(0, l.MonthLeft)))
	}
	return nil
}

// hashes are what a transaction's hash looks like on each chain.
var hashes = map[string]*regexp.Regexp{
	"ethereum": regexp.MustCompile(`^0x[0-9a-f]{64}$`),
	"tron":     regexp.MustCompile(`^[0-9a-f]{64}$`),
}

// ReadPayment reads what proves that a withdrawal was sent, in one form: a bank's reference, or the hash of a transaction on its chain.
func (w Withdrawal) ReadPayment(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	if w.Kind == OnChain {
		text = strings.ToLower(text)
		if form := hashes[w.Chain]; form == nil || !form.MatchString(text) {
			return "", errs.Field("payment", "field.transaction_hash")
		}
		return text, nil
	}
	text = strings.ToUpper(text)
	if len(ledger.ReferenceKey(text)) < 4 || len(text) > 64 || !db.IsText(text) {
		return "", errs.Field("payment", "field.length")
	}
	return text, nil
}

// Package withdrawal pays money out: a trader asks, staff decide, the ledger moves. The amount leaves the account with the request, and is paid out or comes
// back, once.
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

// Kind is the payout method.
type Kind string

// The kinds of withdrawals.
const (
	ByBank  Kind = "bank"
	ByAgent Kind = "daifu"    // an agent pays it to a bank account
	Crypto  Kind = "standard" // to an address
)

// State is the state of a withdrawal.
type State string

// The states of a withdrawal.
const (
	Review         State = "review"     // waits for a maker
	MoreInfo       State = "more_info"  // the trader must answer a question
	Approved1      State = "approved_1" // by the maker
	Approved2      State = "approved_2" // by the checker; the finance lead must approve too
	Queued         State = "queued"     // all required approvals given
	Processing     State = "processing" // being sent by staff or a provider
	Sent           State = "sent"       // handed to the bank or the chain
	Completed      State = "completed"
	Cancelled      State = "cancelled"
	Rejected       State = "rejected"
	Failed         State = "failed"          // proved unpaid
	Returned       State = "returned"        // returned by the bank
	Frozen         State = "frozen"          // by compliance
	OutcomeUnknown State = "outcome_unknown" // it may have been paid; two people decide
)

// Kinds lists the kinds of withdrawals, and Ends the states in which one has ended.
var (
	Kinds       = []Kind{ByBank, ByAgent, Crypto}
	EndedStates = []State{Completed, Cancelled, Rejected, Failed, Returned}
)

// Times and limits of the desk.
const (
	Target   = 4 * time.Hour  // time in which staff aim to decide
	Transfer = 24 * time.Hour // time in which staff aim to send an approved withdrawal
	maxOpen  = 5              // open withdrawals of one trader
)

// Arrival is the time in which a sent withdrawal reaches the payee.
func (k Kind) Arrival() time.Duration {
	if k == Crypto {
		return time.Hour
	}
	return 72 * time.Hour
}

// presumedArrival is the time after which a sent withdrawal without news counts as arrived.
func (k Kind) presumedArrival() time.Duration {
	if k == Crypto {
		return 24 * time.Hour
	}
	return 5 * 24 * time.Hour
}

// Refusals.
var (
	ErrUnknown        = errs.New(errs.NotFound, "withdrawal.unknown")
	ErrState          = errs.New(errs.Conflict, "withdrawal.state")   // no longer in a state that allows the act
	ErrChanged        = errs.New(errs.Conflict, "withdrawal.changed") // another version than the one shown
	ErrMock           = errs.New(errs.Forbidden, "account.mock")
	ErrUnstaffed      = errs.New(errs.Refused, "withdrawal.unstaffed")    // staff can't give the two approvals
	ErrHolder         = errs.New(errs.Refused, "withdrawal.holder")       // the account holder is not the trader
	ErrUnverified     = errs.New(errs.Refused, "withdrawal.unverified")   // the identity is not verified
	ErrMissingDeposit = errs.New(errs.Refused, "withdrawal.deposit_gone") // a credited deposit of the trader is gone and not reversed yet
	ErrLocked         = errs.New(errs.Refused, "withdrawal.held")         // withdrawal lock, with its end
	ErrAmount         = errs.New(errs.Refused, "withdrawal.amount")       // outside the limits of one request
	ErrFee            = errs.New(errs.Refused, "withdrawal.fee")          // nothing is left after the fee
	ErrDay            = errs.New(errs.Refused, "withdrawal.day_limit")
	ErrMonth          = errs.New(errs.Refused, "withdrawal.month_limit")
	ErrFunds          = errs.New(errs.Refused, "withdrawal.funds")    // more than the withdrawable amount
	ErrTooMany        = errs.New(errs.Refused, "withdrawal.too_many") // maxOpen withdrawals are open
	ErrClaimed        = errs.New(errs.Conflict, "withdrawal.claimed") // claimed by another member of staff
	ErrNotClaimed     = errs.New(errs.Conflict, "withdrawal.not_claimed")
	ErrPayment        = errs.New(errs.Conflict, "withdrawal.payment")   // the bank reference belongs to another withdrawal
	ErrCoin           = errs.New(errs.Refused, "withdrawal.coin")       // the address is of another coin than the account
	ErrReturn         = errs.New(errs.Conflict, "withdrawal.no_bounce") // a crypto withdrawal can't be returned
	ErrProvider       = errs.New(errs.Conflict, "withdrawal.provider")  // a provider sends the withdrawal and reports its outcome
	ErrKind           = errs.New(errs.Refused, "withdrawal.kind")       // the kind is not available now
	ErrReason         = errs.Field("reason", "field.choice")
	ErrAnswer         = errs.Field("answer", "field.length")
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

	HolderKey    []byte `json:"-"` // key of the sealed holder name of a bank account; Service.Holder opens it
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
	Approval        *int64 // of the payout; none before the first person approves it
	OutcomeApproval *int64 // of what was found out about an unknown outcome
	Payment         *string
	Reason          *string
	Answer          string
	StaffNote       string
	TakenID         int64
	SentID          *int64
	BackID          *int64
	Version         int
	CreatedAt       time.Time
	MovedAt         time.Time
	QueuedAt        *time.Time
	SentAt          *time.Time
	EndedAt         *time.Time

	Provider      string // sends the withdrawal; empty when staff send it
	ProviderState string // the provider's last answer
	Confirmations int
	Required      int
	AskedAt       *time.Time

	BankAccountID *int   // of a transfer by staff: the broker's account that it is paid from
	BatchID       *int64 // the batch that it is paid by
	SentBy        *int64 // who recorded what the bank said
	ConfirmedBy   *int64 // who read the same at the bank
	Mismatches    int    // confirmations that were not what was sent
}

// TableName is GORM's name of the table.
func (Withdrawal) TableName() string { return "withdrawals" }

// Number is the display number of the withdrawal.
func (w Withdrawal) Number() string { return fmt.Sprintf("WD-%d", w.ID) }

// Net is the amount that the payee receives.
func (w Withdrawal) Net() int64 { return w.Amount - w.Fee }

// Destination is the payee's account number or address.
func (w Withdrawal) Destination() string {
	if w.Kind == Crypto {
		return w.Address
	}
	return w.IBAN
}

// Reference is what the payee reads on their statement, and what the broker's own statement names the transfer by.
func (w Withdrawal) Reference() string { return fmt.Sprintf("CANDOR WD%d", w.ID) }

// ByHand reports whether staff send the withdrawal.
func (w Withdrawal) ByHand() bool { return w.Provider == "" }

// Ended reports whether the withdrawal has ended.
func (w Withdrawal) Ended() bool { return w.EndedAt != nil }

// moves are the allowed state transitions. All others are refused.
var moves = map[State][]State{
	Review:         {MoreInfo, Approved1, Rejected, Cancelled, Frozen},
	MoreInfo:       {Review, Rejected, Cancelled, Frozen},
	Approved1:      {Approved2, Queued, Review, Rejected, Cancelled, Frozen},
	Approved2:      {Queued, Review, Rejected, Cancelled, Frozen},
	Queued:         {Processing, Frozen},
	Processing:     {Sent, Failed, OutcomeUnknown},
	OutcomeUnknown: {Processing, Sent, Failed},
	Sent:           {Completed, Returned},
	Completed:      {Returned}, // a bank may return money long after it counts as arrived
	Frozen:         {Review, MoreInfo, Approved1, Approved2, Queued, Rejected},
}

// DueAt is the time by which the current stage should end: the decision, the transfer, or the arrival.
func (w Withdrawal) DueAt() time.Time {
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

// May reports whether a withdrawal may turn from one state into another.
func (s State) May(next State) bool { return slices.Contains(moves[s], next) }

// mayMove reports whether the withdrawal may still change. A crypto withdrawal can't be returned.
func (w Withdrawal) mayMove() bool {
	return len(moves[w.State]) > 0 && (w.State != Completed || w.Kind != Crypto)
}

// Cancellable reports whether the trader may still cancel the request.
func (s State) Cancellable() bool { return s.May(Cancelled) }

// Facts is the hash of the facts that an approval covers. It includes the sealed holder name: a hash of the clear name would confirm a guess.
func (w Withdrawal) Facts() []byte {
	text := fmt.Sprintf("%d|%d|%d|%d|%s|%s|%d|%d|%q|%q|%s|%s|%s|%s|%q",
		w.ID, w.TraderID, w.AccountID, w.PayeeID, w.Kind, w.Currency, w.Amount, w.Fee, w.HolderSealed, w.Bank, w.IBAN, w.BIC, w.Chain, w.Address, w.Memo)
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// cent is the smallest part of a dollar that a bank transfers, in 10^-6.
const cent = money.Unit / 100

// feeOf is the fee of a withdrawal of a kind. A bank transfers whole cents, so there the fee takes what is below one.
func feeOf(kind Kind, amount, ratePercent, sum int64) (int64, error) {
	charged, err := fee(amount, ratePercent, sum)
	if err != nil || kind == Crypto || charged >= amount {
		return charged, err
	}
	return charged + (amount-charged)%cent, nil
}

// fee is a share of the amount in percent, rounded up, plus a flat sum. Rates and sums are in 10^-6.
func fee(amount, ratePercent, sum int64) (int64, error) {
	share, err := money.MulDiv(amount, ratePercent, 100*money.Unit, money.Up)
	if err != nil {
		return 0, err
	}
	return share + sum, nil
}

// Limits are the limits of withdrawals: per request, and per day and month with the remainder.
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

// hashes are the formats of transaction hashes by chain.
var hashes = map[string]*regexp.Regexp{
	"ethereum": regexp.MustCompile(`^0x[0-9a-f]{64}$`),
	"tron":     regexp.MustCompile(`^[0-9a-f]{64}$`),
}

// ReadPayment normalizes the proof that a withdrawal was sent: a bank reference, or a transaction hash of its chain. It returns a field error for an invalid
// one.
func (w Withdrawal) ReadPayment(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	if w.Kind == Crypto {
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

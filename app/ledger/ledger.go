// Package ledger keeps the money: accounts and append-only balanced postings. Amounts are in units of their account's
// currency: 10^-6 USDT on every trading account.
package ledger

import (
	"fmt"
	"slices"
	"time"

	"candor/app/platform/errs"
)

// Currency is the currency of every trading account. USD counts as USDT.
const Currency = "USDT"

// Kind is the purpose of an account.
type Kind string

// The kinds of traders' accounts.
const (
	Contract Kind = "contract" // for trading, in USDT
	Funding  Kind = "funding"  // money in one currency that is never margin; real money only
)

// Book separates real and mock money; no transaction crosses it.
type Book string

// The books.
const (
	Real Book = "real"
	Mock Book = "mock"
)

// Bucket is a part of an account.
type Bucket string

// The buckets. A house account has only the last one.
const (
	Cash    Bucket = "cash"
	Bonus   Bucket = "bonus"   // promotional credit: margin and losses, never withdrawn
	Deficit Bucket = "deficit" // debt beyond the cash; zero or negative
	Owed    Bucket = "owed"    // debt from reversed deposits: never written off; zero or negative
	house   Bucket = "house"
)

// House accounts, by book. Their balance is the sum of their postings.
const (
	houseBank       = 1 // real money received by bank, negative
	houseTrading    = 2 // the other side of traders' profit and loss
	houseFees       = 3
	houseBonus      = 4 // the other side of bonuses; of the real book alone
	houseWrittenOff = 5 // negative-balance protection
	houseSwaps      = 6
	houseDividend   = 7
	housePayouts    = 8  // money that has left traders' accounts but not yet the house
	houseAdjusted   = 9  // the other side of manual corrections
	houseRebates    = 10 // set aside for those who invited; of the real book alone
	mockOffset      = 10
	houseIssue      = 1 // mock money issued; the mock book's bank
)

// Refusals of the ledger.
var (
	ErrPosted  = errs.New(errs.Conflict, "ledger.already_posted") // the key has been used
	ErrNoCash  = errs.New(errs.Refused, "ledger.no_cash")         // less free cash than requested
	ErrAccount = errs.New(errs.NotFound, "account.unknown")
)

// Account is a trader's account: one currency, one book, one row to lock.
type Account struct {
	ID        int64
	TraderID  int64
	Kind      Kind
	Book      Book
	Type      int // the spec's account type: 1, 2, 4 real; 5, 8 mock
	Currency  string
	Cash      int64
	Bonus     int64
	Deficit   int64
	Owed      int64 // not included in the deficit
	Netting   bool  // one position per product; otherwise one per fill
	Version   int64
	CreatedAt time.Time

	Number          int    // among the trader's accounts of its book; 1 is the main account
	Name            string // what the trader calls it; empty for none
	LeverageCeiling int    // the highest leverage of an order; 0 for none
}

// TableName is GORM's name of the table.
func (Account) TableName() string { return "accounts" }

// Main reports whether the account is the first of its book, where money comes in and goes out.
func (a Account) Main() bool { return a.Number == 1 }

// Mock reports whether the account is a practice account.
func (a Account) Mock() bool { return a.Book == Mock }

// Debt is the whole debt, including the part that is never written off; zero or negative.
func (a Account) Debt() int64 { return a.Deficit + a.Owed }

// Worth is the account's value without its open positions: cash, bonus and (negative) debt.
func (a Account) Worth() int64 { return a.Cash + a.Bonus + a.Debt() }

// Entry moves an amount into (positive) or out of (negative) a bucket.
type Entry struct {
	AccountID int64
	Bucket    Bucket
	Amount    int64
}

// Transaction is a set of entries that sum to zero in each currency. Key makes it idempotent; Cause names its reason, such as "deposit:50001".
type Transaction struct {
	Kind       string
	Key        string
	Cause      string
	Book       Book
	At         time.Time
	Entries    []Entry
	Currencies map[int64]string // by account, for entries in another currency than USDT
}

// currency is the currency of an entry.
func (t Transaction) currency(e Entry) string {
	if other, ok := t.Currencies[e.AccountID]; ok {
		return other
	}
	return Currency
}

func (b Book) house(id int64) int64 {
	if b == Mock {
		return id + mockOffset
	}
	return id
}

// into adds entries that credit the account: debt is paid first, starting with the part that is never written off.
func (a Account) into(amount int64) []Entry {
	owed := min(amount, -a.Owed)
	deficit := min(amount-owed, -a.Deficit)
	return compact(Entry{a.ID, Owed, owed}, Entry{a.ID, Deficit, deficit}, Entry{a.ID, Cash, amount - owed - deficit})
}

// outOf adds entries that take a loss from the account: free cash first, then the bonus; the rest becomes its deficit.
func (a Account) outOf(loss int64) []Entry {
	cash := min(loss, a.Cash)
	bonus := min(loss-cash, a.Bonus)
	return compact(Entry{a.ID, Cash, -cash}, Entry{a.ID, Bonus, -bonus}, Entry{a.ID, Deficit, -(loss - cash - bonus)})
}

func compact(entries ...Entry) []Entry {
	kept := entries[:0]
	for _, e := range entries {
		if e.Amount != 0 {
			kept = append(kept, e)
		}
	}
	return kept
}

// Result is the transaction of a closed deal: profit (or a loss, negative) and commission of one account, against the house.
// It has no entries when both are zero.
func (a Account) Result(profit, commission int64) []Entry {
	var entries []Entry
	switch net := profit - commission; {
	case net > 0:
		entries = a.into(net)
	case net < 0:
		entries = a.outOf(-net)
	}
	return append(entries, compact(
		Entry{a.Book.house(houseTrading), house, -profit},
		Entry{a.Book.house(houseFees), house, commission},
	)...)
}

// Swap is the transaction of a position's swap, received (positive) or paid.
func (a Account) Swap(amount int64) []Entry { return a.carry(houseSwaps, amount) }

// Dividend is the transaction of a dividend that a position received (positive) or paid.
func (a Account) Dividend(amount int64) []Entry { return a.carry(houseDividend, amount) }

func (a Account) carry(with, amount int64) []Entry {
	entries := a.into(max(amount, 0))
	if amount < 0 {
		entries = a.outOf(-amount)
	}
	return append(entries, compact(Entry{a.Book.house(with), house, -amount})...)
}

// Receive is the transaction of money received by bank, or of mock money issued.
func (a Account) Receive(amount int64) []Entry {
	from := int64(houseBank)
	if a.Mock() {
		from = houseIssue
	}
	return append(a.into(amount), Entry{a.Book.house(from), house, -amount})
}

// DebitToPayouts is the transaction of money on its way out: it no longer backs positions. Free cash must cover it.
func (a Account) DebitToPayouts(amount int64) []Entry {
	return []Entry{{a.ID, Cash, -amount}, {a.Book.house(housePayouts), house, amount}}
}

// Refund is the transaction of an outgoing payment that was never sent.
func (a Account) Refund(amount int64) []Entry {
	return append(a.into(amount), Entry{a.Book.house(housePayouts), house, -amount})
}

// Send is the transaction of a payment to a payee: the net amount and the fee.
func (b Book) Send(net, fee int64) []Entry {
	return compact(Entry{b.house(housePayouts), house, -net - fee}, Entry{b.house(houseBank), house, net}, Entry{b.house(houseFees), house, fee})
}

// PayoutReturn is the transaction of a payment that came back after it was sent; its fee comes back too.
func (a Account) PayoutReturn(net, fee int64) []Entry {
	return append(a.into(net+fee), compact(Entry{a.Book.house(houseBank), house, -net}, Entry{a.Book.house(houseFees), house, -fee})...)
}

// Adjust is the transaction of a manual correction: a credit (debt is paid first) or a debit (negative). Free cash must cover
// a debit.
func (a Account) Adjust(amount int64) []Entry {
	entries := []Entry{{a.ID, Cash, amount}}
	if amount > 0 {
		entries = a.into(amount)
	}
	return append(compact(entries...), Entry{a.Book.house(houseAdjusted), house, -amount})
}

// Deposit is the transaction of a deposit: the account gets the amount less the fee.
func (a Account) Deposit(received, fee int64) []Entry {
	return append(a.into(received-fee), compact(Entry{a.Book.house(houseBank), house, -received}, Entry{a.Book.house(houseFees), house, fee})...)
}

// Reverse is the transaction of a reversed deposit and its fee: free cash goes first, the rest is owed. The bonus stays: it was no deposit.
func (a Account) Reverse(received, fee int64) []Entry {
	net := received - fee
	cash := min(net, a.Cash)
	return compact(
		Entry{a.ID, Cash, -cash}, Entry{a.ID, Owed, cash - net},
		Entry{a.Book.house(houseBank), house, received}, Entry{a.Book.house(houseFees), house, -fee},
	)
}

// WriteOff is the transaction that clears a trading deficit once the account is flat. Debt from reversed deposits stays.
func (a Account) WriteOff() []Entry {
	return compact(Entry{a.ID, Deficit, -a.Deficit}, Entry{a.Book.house(houseWrittenOff), house, a.Deficit})
}

// SetAsideRebate is the transaction of a rebate that a fill has earned: out of the fees, until it is paid. A negative amount takes it back before that.
func SetAsideRebate(amount int64) []Entry {
	return []Entry{{houseFees, house, -amount}, {houseRebates, house, amount}}
}

// Rebate is the transaction of rebates that are paid.
func (a Account) Rebate(amount int64) []Entry {
	return append(a.into(amount), Entry{houseRebates, house, -amount})
}

// TakeBackRebate is the transaction of a paid rebate whose fill was refunded: free cash goes first, the rest is owed.
func (a Account) TakeBackRebate(amount int64) []Entry {
	cash := min(amount, a.Cash)
	return compact(Entry{a.ID, Cash, -cash}, Entry{a.ID, Owed, cash - amount}, Entry{houseFees, house, amount})
}

// GrantBonus is the transaction of a bonus: it pays no debt.
func (a Account) GrantBonus(amount int64) []Entry {
	return []Entry{{a.ID, Bonus, amount}, {houseBonus, house, -amount}}
}

// EndBonus is the transaction of what is left of a bonus when it ends.
func (a Account) EndBonus(amount int64) []Entry {
	return []Entry{{a.ID, Bonus, -amount}, {houseBonus, house, amount}}
}

// TakeLosses takes what losses have used from the remaining amounts of an account's bonuses, which are in the order in which they expire, so that together they are
// what the account holds: the first to expire is used first. It fails when the account holds more than they are.
func TakeLosses(remaining []int64, held int64) ([]int64, error) {
	lost := -held
	for _, one := range remaining {
		lost += one
	}
	if lost < 0 {
		return nil, fmt.Errorf("an account holds %d more than its bonuses", -lost)
	}
	left := slices.Clone(remaining)
	for i := range left {
		taken := min(lost, left[i])
		left[i] -= taken
		lost -= taken
	}
	return left, nil
}

// Apply is the account after the entries; entries of other accounts are ignored.
func (a Account) Apply(entries []Entry) Account {
	for _, e := range entries {
		if e.AccountID != a.ID {
			continue
		}
		switch e.Bucket {
		case Cash:
			a.Cash += e.Amount
		case Bonus:
			a.Bonus += e.Amount
		case Deficit:
			a.Deficit += e.Amount
		case Owed:
			a.Owed += e.Amount
		}
	}
	return a
}

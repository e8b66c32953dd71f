package ledger

import (
	"candor/app/platform/money"
)

// Denomination is a currency with the decimals that its amounts are counted in: one unit is 10^-Scale.
type Denomination struct {
	Code  string
	Scale int
}

// Denominations are the currencies that a trader may keep, in the order to show.
var Denominations = []Denomination{{Currency, money.Scale}, {"USD", money.Scale}, {"BTC", 8}, {"ETH", 8}}

// Dollar tells whether a currency counts as a US dollar.
func (d Denomination) Dollar() bool { return d.Code == Currency || d.Code == "USD" }

// DenominationOf finds a currency by its code.
func DenominationOf(code string) (d Denomination, ok bool) {
	for _, d := range Denominations {
		if d.Code == code {
			return d, true
		}
	}
	return d, false
}

// ScaleOf is the decimals of an account's amounts.
func (a Account) ScaleOf() int {
	d, ok := DenominationOf(a.Currency)
	if !ok {
		return money.Scale
	}
	return d.Scale
}

// houseExchange are the house accounts that stand between the currencies of an exchange; real money only.
var houseExchange = map[string]int64{Currency: 50, "USD": 150, "BTC": 250, "ETH": 350}

// MoveTo is the transaction of money that goes from this account to another of the same trader, book and currency: what that one owes is paid first. There must
// be as much free cash.
func (a Account) MoveTo(to Account, amount int64) []Entry {
	return append([]Entry{{a.ID, Cash, -amount}}, to.into(amount)...)
}

// ExchangeInto is the transaction of money that is given in this account's currency and got in another's, the house between them in both; its currencies are
// those of Transaction.Currencies. There must be as much free cash.
func (a Account) ExchangeInto(to Account, debit, credit int64) (entries []Entry, currencies map[int64]string) {
	given, got := houseExchange[a.Currency], houseExchange[to.Currency]
	entries = append([]Entry{{a.ID, Cash, -debit}, {given, house, debit}, {got, house, -credit}}, to.into(credit)...)
	return entries, map[int64]string{a.ID: a.Currency, given: a.Currency, to.ID: to.Currency, got: to.Currency}
}

package ledger

import (
	"candor/app/platform/money"
)

// Denomination is a currency with the decimals of its amounts: one unit is 10^-Scale.
type Denomination struct {
	Code  string
	Scale int
}

// Denominations are the currencies that a trader may keep, in display order.
var Denominations = []Denomination{{Currency, money.Scale}, {"USD", money.Scale}, {"BTC", 8}, {"ETH", 8}}

// Dollar reports whether a currency counts as a US dollar.
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

// SummedIn is the denomination in which amounts of a currency are added up: US dollars as USDT, any other currency as itself.
func SummedIn(code string) Denomination {
	d, ok := DenominationOf(code)
	switch {
	case !ok:
		return Denomination{code, money.Scale}
	case d.Dollar():
		return Denominations[0]
	}
	return d
}

// ScaleOf is the number of decimals of an account's amounts.
func (a Account) ScaleOf() int {
	d, ok := DenominationOf(a.Currency)
	if !ok {
		return money.Scale
	}
	return d.Scale
}

// houseExchange are the house accounts between the currencies of an exchange; real money only.
var houseExchange = map[string]int64{Currency: 50, "USD": 150, "BTC": 250, "ETH": 350}

// MoveTo is the transaction of a transfer to another account of the same trader, book and currency: that account's debt is paid first. Free cash
// must cover the amount.
func (a Account) MoveTo(to Account, amount int64) []Entry {
	return append([]Entry{{a.ID, Cash, -amount}}, to.into(amount)...)
}

// ExchangeInto is the transaction of an exchange: it debits this account in its currency and credits the other in its own, with the house between them
// in both. Its currencies are those of Transaction.Currencies. Free cash must cover the debit.
func (a Account) ExchangeInto(to Account, debit, credit int64) (entries []Entry, currencies map[int64]string) {
	given, got := houseExchange[a.Currency], houseExchange[to.Currency]
	entries = append([]Entry{{a.ID, Cash, -debit}, {given, house, debit}, {got, house, -credit}}, to.into(credit)...)
	return entries, map[int64]string{a.ID: a.Currency, given: a.Currency, to.ID: to.Currency, got: to.Currency}
}

package trading

import (
	"fmt"
	"slices"
	"strconv"

	"candor/app/ledger"
	"candor/app/market"
)

// leg is one fill of an order, with the position after it. An order that reverses a netted position has two legs.
type leg struct {
	draft
	position Position
	was      int // the position's version before; 0 for a new position
}

// draft is a fill before it is written, with the quotes it names.
type draft struct {
	*Fill
	quotes []market.Quote
}

// write writes an order with its legs: fills, postings and positions. A deficit is written off when the account ends flat.
func (rules *Rules) write(j Journal, f Portfolio, o Order, legs ...leg) (Outcome, error) {
	var err error
	for i := range legs {
		if legs[i].was == 0 {
			if legs[i].position.ID, err = j.InsertPosition(legs[i].position); err != nil {
				return Outcome{}, err
			}
		}
	}
	last, rested := legs[len(legs)-1], o.ID != 0
	if o, err = rules.fillOrder(j, o, last.position.ID, last.draft); err != nil {
		return Outcome{}, err
	}
	out := Outcome{Portfolio: f.WithoutOrder(o.ID), fill: last.Fill, Position: last.position}
	for i := range legs {
		if out.Portfolio, err = rules.writeLeg(j, out.Portfolio, o.ID, i, legs[i]); err != nil {
			return Outcome{}, err
		}
		if len(legs) > 1 {
			out.fills = append(out.fills, *legs[i].Fill)
		}
	}
	if rested {
		out.order = &o
	}
	return out, nil
}

func (rules *Rules) writeLeg(j Journal, f Portfolio, orderID int64, number int, l leg) (Portfolio, error) {
	account, err := rules.record(j, f.Account, orderID, number, l)
	if err != nil {
		return f, err
	}
	if l.was > 0 {
		if err := j.UpdatePosition(l.position, l.was); err != nil {
			return f, err
		}
	}
	f.Account = account
	if f = f.With(l.position); len(f.Positions) > 0 {
		return f, nil
	}
	return rules.settleFlat(j, f, l.draft)
}

// fillOrder marks an order as filled: a pending one ends, a market order is inserted.
func (rules *Rules) fillOrder(j Journal, o Order, positionID int64, fill draft) (Order, error) {
	o.Status, o.PositionID, o.EndedAt = Filled, &positionID, &fill.CreatedAt
	if o.ID != 0 {
		return o, j.UpdateOrder(o, o.Revision)
	}
	var err error
	o.ID, err = j.InsertOrder(o)
	return o, err
}

// record writes one fill with its quotes and its posting, and returns the account after it.
func (rules *Rules) record(j Journal, account ledger.Account, orderID int64, number int, l leg) (ledger.Account, error) {
	l.OrderID, l.PositionID = orderID, l.position.ID
	if err := j.Record(l.quotes...); err != nil {
		return account, err
	}
	entries := account.Result(l.Profit, l.Fill.Commission)
	if len(entries) > 0 {
		id, err := j.Post(ledger.Transaction{
			Kind: "trade_" + l.Entry, Key: fillKey(orderID, number), Cause: orderCause(orderID), Book: account.Book, At: l.CreatedAt, Entries: entries,
		})
		if err != nil {
			return account, err
		}
		l.TransactionID = &id
	}
	var err error
	if account, err = applyEntries(j, account, entries); err != nil {
		return account, err
	}
	if l.Fill.ID, err = j.InsertFill(*l.Fill); err != nil {
		return account, fmt.Errorf("write the fill of order %d: %w", orderID, err)
	}
	return account, nil
}

// applyEntries is the account after posted entries. Its version rises even when only house accounts moved.
func applyEntries(j Journal, account ledger.Account, entries []ledger.Entry) (ledger.Account, error) {
	after := account.Apply(entries)
	if slices.ContainsFunc(entries, func(e ledger.Entry) bool { return e.AccountID == account.ID }) {
		after.Version++
		return after, nil
	}
	var err error
	after.Version, err = j.Touch(account.ID)
	return after, err
}

// settleFlat ends the margin call and writes off the deficit of an account without positions: negative balance protection.
func (rules *Rules) settleFlat(j Journal, f Portfolio, fill draft) (Portfolio, error) {
	if f.Call != nil {
		if err := j.EndCall(f.Account.ID, fill.CreatedAt); err != nil {
			return f, err
		}
		f.Call = nil
	}
	if f.Account.Deficit == 0 {
		return f, nil
	}
	entries := f.Account.WriteOff()
	_, err := j.Post(ledger.Transaction{
		Kind: "negative_balance_protection", Key: "forgive:" + orderCause(fill.OrderID), Cause: orderCause(fill.OrderID),
		Book: f.Account.Book, At: fill.CreatedAt, Entries: entries,
	})
	if err != nil {
		return f, err
	}
	f.Account, err = applyEntries(j, f.Account, entries)
	return f, err
}

// namedQuotes are the distinct quotes that a fill names.
func namedQuotes(q market.Quote, others ...Converted) []market.Quote {
	quotes := []market.Quote{q}
	for _, c := range others {
		if c.Quote != nil {
			quotes = append(quotes, *c.Quote)
		}
	}
	return distinct(quotes)
}

// distinct removes repeated quotes.
func distinct(list []market.Quote) (quotes []market.Quote) {
	for _, q := range list {
		if !slices.ContainsFunc(quotes, q.Is) {
			quotes = append(quotes, q)
		}
	}
	return quotes
}

// The states of positions and the sources of orders.
const (
	StateOpen    = "open"
	StateClosed  = "closed"
	sourceUser   = "user"
	sourceSystem = "system"
)

func orderCause(id int64) string { return "order:" + strconv.FormatInt(id, 10) }

// fillKey is the idempotency key of the posting of an order's first or second fill.
func fillKey(orderID int64, number int) string {
	if number == 0 {
		return orderCause(orderID)
	}
	return orderCause(orderID) + ":" + strconv.Itoa(number+1)
}

// opens sets the leg's position after its opening fill, with the protection of the order.
func (l *leg) opens(held Position, o opening) error {
	p, err := held.Opened(*l.Fill)
	if err != nil {
		return err
	}
	if held.ID == 0 {
		p.OpenedAt, p.OpenedBy = l.CreatedAt, l.Rule
	}
	if held.ID == 0 || o.stopLoss != nil || o.takeProfit != nil {
		p.StopLoss, p.TakeProfit, p.SinceSeq = o.stopLoss, o.takeProfit, l.QuoteSeq
	}
	l.position, l.was = p, held.Version
	return nil
}

// closes sets the leg's position after its closing fill.
func (l *leg) closes(held Position) {
	l.position, l.was = held.Reduced(*l.Fill), held.Version
}

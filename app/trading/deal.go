package trading

import (
	"fmt"
	"slices"
	"strconv"

	"candor/app/ledger"
	"candor/app/market"
)

// leg is one fill that an order comes to, with the position after it. An order that turns a netted position round has two.
type leg struct {
	draft
	position Position
	was      int // the version of the position before; 0 for a new one
}

// draft is a fill before it is written, with every quote that it names.
type draft struct {
	*Fill
	quotes []market.Quote
}

// write writes an order's legs, their money and their positions. When that leaves the account flat, a deficit is forgiven.
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
	if o, err = rules.fulfil(j, o, last.position.ID, last.draft); err != nil {
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
	return rules.flat(j, f, l.draft)
}

// fulfil writes that an order is filled: a resting one ends, any other is written at once.
func (rules *Rules) fulfil(j Journal, o Order, positionID int64, fill draft) (Order, error) {
	o.Status, o.PositionID, o.EndedAt = Filled, &positionID, &fill.CreatedAt
	if o.ID != 0 {
		return o, j.UpdateOrder(o, o.Revision)
	}
	var err error
	o.ID, err = j.InsertOrder(o)
	return o, err
}

// record writes what every fill has: its quotes, its money and itself. It returns the account after it.
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
	if account, err = moved(j, account, entries); err != nil {
		return account, err
	}
	if l.Fill.ID, err = j.InsertFill(*l.Fill); err != nil {
		return account, fmt.Errorf("write the fill of order %d: %w", orderID, err)
	}
	return account, nil
}

// moved is the account after entries that were posted. Its version rises even where they moved the house alone.
func moved(j Journal, account ledger.Account, entries []ledger.Entry) (ledger.Account, error) {
	after := account.Apply(entries)
	if slices.ContainsFunc(entries, func(e ledger.Entry) bool { return e.AccountID == account.ID }) {
		after.Version++
		return after, nil
	}
	var err error
	after.Version, err = j.Touch(account.ID)
	return after, err
}

// flat ends what only open positions can cause: a margin call, and a deficit. Nobody owes the house for a gap.
func (rules *Rules) flat(j Journal, f Portfolio, fill draft) (Portfolio, error) {
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
	f.Account, err = moved(j, f.Account, entries)
	return f, err
}

// naming collects the quotes a fill names, each once.
func naming(q market.Quote, others ...converted) []market.Quote {
	quotes := []market.Quote{q}
	for _, c := range others {
		if c.Quote != nil {
			quotes = append(quotes, *c.Quote)
		}
	}
	return distinct(quotes)
}

// distinct is every quote of a list once.
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

// fillKey is the key under which the money of an order's fill is posted: the first fill's, or the second's.
func fillKey(orderID int64, number int) string {
	if number == 0 {
		return orderCause(orderID)
	}
	return orderCause(orderID) + ":" + strconv.Itoa(number+1)
}

// opens gives the leg the position that its opening fill makes or joins, with the protection that was asked for.
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

// closes gives the leg the position that its closing fill leaves.
func (l *leg) closes(held Position) {
	l.position, l.was = held.Reduced(*l.Fill), held.Version
}

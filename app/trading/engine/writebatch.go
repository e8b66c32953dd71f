package engine

import (
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
)

// writeBatch is a journal that collects writes until they are stored at once. Each command writes to a batch of its own, which is merged into the transaction's
// batch when the command succeeds and dropped when it is refused. A row that changed twice is stored in its last state.
type writeBatch struct {
	numbers          *numbers
	below            *writeBatch // the writes of the commands before
	read             func(accountID, id int64) (trading.Order, error)
	accounts         []ledger.Change
	newOrders        []trading.Order
	amended          []revision
	changedOrders    []changed[trading.Order]
	newPositions     []trading.Position
	changedPositions []changed[trading.Position]
	fills            []trading.Fill
	charges          []trading.Charge
	calls            []trading.MarginCall
	recoveredCalls   []recovery
	quotes           []market.Quote
	postings         []ledger.Posted
	auditEntries     []audit.Entry
}

// changed is a row's new state, and its version when it was read.
type changed[T any] struct {
	id  int64
	was int
	row T
}

type revision struct {
	trading.Order
	at time.Time
}

// recovery ends the open margin call of an account.
type recovery struct {
	accountID int64
	at        time.Time
}

// clear empties the batch for the next command.
func (wb *writeBatch) clear() {
	*wb = writeBatch{
		numbers: wb.numbers, below: wb.below, read: wb.read, accounts: wb.accounts[:0], newOrders: wb.newOrders[:0], amended: wb.amended[:0], changedOrders: wb.changedOrders[:0], newPositions: wb.newPositions[:0],
		changedPositions: wb.changedPositions[:0], fills: wb.fills[:0], charges: wb.charges[:0], calls: wb.calls[:0], recoveredCalls: wb.recoveredCalls[:0], quotes: wb.quotes[:0], postings: wb.postings[:0],
		auditEntries: wb.auditEntries[:0],
	}
}

// merge adds a command's writes to those of the commands before it.
func (wb *writeBatch) merge(next *writeBatch) {
	for _, c := range next.accounts {
		wb.move(c)
	}
	wb.newOrders, wb.amended = append(wb.newOrders, next.newOrders...), append(wb.amended, next.amended...)
	for _, c := range next.changedOrders {
		wb.changedOrders = put(wb.changedOrders, c)
	}
	wb.newPositions = append(wb.newPositions, next.newPositions...)
	for _, c := range next.changedPositions {
		wb.changedPositions = put(wb.changedPositions, c)
	}
	wb.fills, wb.charges = append(wb.fills, next.fills...), append(wb.charges, next.charges...)
	for _, r := range next.recoveredCalls {
		wb.recover(r)
	}
	wb.calls = append(wb.calls, next.calls...)
	_ = wb.Record(next.quotes...)
	wb.postings, wb.auditEntries = append(wb.postings, next.postings...), append(wb.auditEntries, next.auditEntries...)
}

// put adds a changed row. A row that is already in the list keeps the version at which it was read. The newest rows are last.
func put[T any](list []changed[T], c changed[T]) []changed[T] {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].id == c.id {
			list[i].row = c.row
			return list
		}
	}
	return append(list, c)
}

// move records an account's new version and position mode.
func (wb *writeBatch) move(c ledger.Change) {
	for i := len(wb.accounts) - 1; i >= 0; i-- {
		if known := &wb.accounts[i]; known.AccountID == c.AccountID {
			known.Now = c.Now
			if c.Netting != nil {
				known.Netting = c.Netting
			}
			return
		}
	}
	wb.accounts = append(wb.accounts, c)
}

// begin records the version of a command's account.
func (wb *writeBatch) begin(a ledger.Account) {
	wb.accounts = append(wb.accounts, ledger.Change{AccountID: a.ID, Was: a.Version, Now: a.Version})
}

func (wb *writeBatch) InsertOrder(o trading.Order) (id int64, err error) {
	if o.ID, err = wb.numbers.next(ofOrders); err != nil {
		return 0, err
	}
	wb.newOrders = append(wb.newOrders, o)
	return o.ID, nil
}

func (wb *writeBatch) UpdateOrder(o trading.Order, revision int) error {
	wb.changedOrders = put(wb.changedOrders, changed[trading.Order]{o.ID, revision, o})
	return nil
}

// ReadOrder finds an order that is no longer pending; the end of one that has just ended may not be stored yet.
func (wb *writeBatch) ReadOrder(accountID, id int64) (trading.Order, error) {
	for _, list := range [][]changed[trading.Order]{wb.changedOrders, wb.below.changedOrders} {
		for _, c := range list {
			if c.id == id && c.row.AccountID == accountID {
				return c.row, nil
			}
		}
	}
	return wb.read(accountID, id)
}

func (wb *writeBatch) InsertRevision(o trading.Order, at time.Time) error {
	wb.amended = append(wb.amended, revision{o, at})
	return nil
}

func (wb *writeBatch) InsertPosition(p trading.Position) (id int64, err error) {
	if p.ID, err = wb.numbers.next(ofPositions); err != nil {
		return 0, err
	}
	wb.newPositions = append(wb.newPositions, p)
	return p.ID, nil
}

func (wb *writeBatch) UpdatePosition(p trading.Position, version int) error {
	wb.changedPositions = put(wb.changedPositions, changed[trading.Position]{p.ID, version, p})
	return nil
}

func (wb *writeBatch) InsertFill(f trading.Fill) (id int64, err error) {
	if f.ID, err = wb.numbers.next(ofFills); err != nil {
		return 0, err
	}
	wb.fills = append(wb.fills, f)
	return f.ID, nil
}

func (wb *writeBatch) InsertCharge(c trading.Charge) error {
	wb.charges = append(wb.charges, c)
	return nil
}

func (wb *writeBatch) InsertCall(c trading.MarginCall) (id int64, err error) {
	if c.ID, err = wb.numbers.next(ofCalls); err != nil {
		return 0, err
	}
	wb.calls = append(wb.calls, c)
	return c.ID, nil
}

func (wb *writeBatch) EndCall(accountID int64, at time.Time) error {
	wb.recover(recovery{accountID, at})
	return nil
}

// recover ends the margin call of an account: one of this batch, or the stored one.
func (wb *writeBatch) recover(r recovery) {
	for i := range wb.calls {
		if c := &wb.calls[i]; c.AccountID == r.accountID && c.RecoveredAt == nil {
			c.RecoveredAt = &r.at
			return
		}
	}
	wb.recoveredCalls = append(wb.recoveredCalls, r)
}

func (wb *writeBatch) Record(quotes ...market.Quote) error {
	for _, q := range quotes {
		if !slices.ContainsFunc(wb.quotes, q.Is) {
			wb.quotes = append(wb.quotes, q)
		}
	}
	return nil
}

// Post adds a transaction and raises the version of every trader's account in it.
func (wb *writeBatch) Post(t ledger.Transaction) (id int64, err error) {
	if id, err = wb.numbers.next(ofTransactions); err != nil {
		return 0, err
	}
	wb.postings = append(wb.postings, ledger.Posted{ID: id, Transaction: t})
	for i := range wb.accounts {
		if c := &wb.accounts[i]; slices.ContainsFunc(t.Entries, func(e ledger.Entry) bool { return e.AccountID == c.AccountID }) {
			c.Now++
		}
	}
	return id, nil
}

func (wb *writeBatch) Touch(accountID int64) (version int64, err error) {
	for i := range wb.accounts {
		if c := &wb.accounts[i]; c.AccountID == accountID {
			c.Now++
			return c.Now, nil
		}
	}
	return 0, ledger.ErrAccount
}

func (wb *writeBatch) SetPositionMode(accountID int64, netting bool, e audit.Entry) error {
	_, err := wb.Touch(accountID)
	for i := range wb.accounts {
		if c := &wb.accounts[i]; c.AccountID == accountID {
			c.Netting = &netting
		}
	}
	wb.auditEntries = append(wb.auditEntries, e)
	return err
}

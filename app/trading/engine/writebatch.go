package engine

import (
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
)

// writeBatch is a journal that keeps what commands decide until all of it is stored at once. A command writes into a batch of its own, which is merged into
// the one of its batch when the command holds, and thrown away when it is refused. Rows that are changed twice are stored as they are at last.
type writeBatch struct {
	numbers   *numbers
	below     *writeBatch // what the commands before wrote
	read      func(accountID, id int64) (trading.Order, error)
	accounts  []ledger.Change
	orders    []trading.Order
	reworded  []revision
	waiting   []changed[trading.Order]
	positions []trading.Position
	held      []changed[trading.Position]
	fills     []trading.Fill
	charges   []trading.Charge
	calls     []trading.MarginCall
	recovered []recovery
	quotes    []market.Quote
	posts     []ledger.Posted
	audited   []audit.Entry
}

// changed is a row as it is to be, and its version when it was read.
type changed[T any] struct {
	id  int64
	was int
	row T
}

type revision struct {
	trading.Order
	at time.Time
}

// recovery is the end of the margin call that an account has.
type recovery struct {
	accountID int64
	at        time.Time
}

// clear empties the batch for the next command.
func (wb *writeBatch) clear() {
	*wb = writeBatch{
		numbers: wb.numbers, below: wb.below, read: wb.read, accounts: wb.accounts[:0], orders: wb.orders[:0], reworded: wb.reworded[:0], waiting: wb.waiting[:0], positions: wb.positions[:0],
		held: wb.held[:0], fills: wb.fills[:0], charges: wb.charges[:0], calls: wb.calls[:0], recovered: wb.recovered[:0], quotes: wb.quotes[:0], posts: wb.posts[:0],
		audited: wb.audited[:0],
	}
}

// merge adds what a command wrote to what those before it wrote.
func (wb *writeBatch) merge(next *writeBatch) {
	for _, c := range next.accounts {
		wb.move(c)
	}
	wb.orders, wb.reworded = append(wb.orders, next.orders...), append(wb.reworded, next.reworded...)
	for _, c := range next.waiting {
		wb.waiting = put(wb.waiting, c)
	}
	wb.positions = append(wb.positions, next.positions...)
	for _, c := range next.held {
		wb.held = put(wb.held, c)
	}
	wb.fills, wb.charges = append(wb.fills, next.fills...), append(wb.charges, next.charges...)
	for _, r := range next.recovered {
		wb.recover(r)
	}
	wb.calls = append(wb.calls, next.calls...)
	_ = wb.Record(next.quotes...)
	wb.posts, wb.audited = append(wb.posts, next.posts...), append(wb.audited, next.audited...)
}

// put adds a changed row; one that was changed before keeps the version at which it was read. The newest stand last.
func put[T any](list []changed[T], c changed[T]) []changed[T] {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].id == c.id {
			list[i].row = c.row
			return list
		}
	}
	return append(list, c)
}

// move notes what becomes of an account.
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

// begin sets the version of the account that a command is for.
func (wb *writeBatch) begin(a ledger.Account) {
	wb.accounts = append(wb.accounts, ledger.Change{AccountID: a.ID, Was: a.Version, Now: a.Version})
}

func (wb *writeBatch) InsertOrder(o trading.Order) (id int64, err error) {
	if o.ID, err = wb.numbers.next(ofOrders); err != nil {
		return 0, err
	}
	wb.orders = append(wb.orders, o)
	return o.ID, nil
}

func (wb *writeBatch) UpdateOrder(o trading.Order, revision int) error {
	wb.waiting = put(wb.waiting, changed[trading.Order]{o.ID, revision, o})
	return nil
}

// ReadOrder finds an order that does not rest any more; what has just ended it may not be stored yet.
func (wb *writeBatch) ReadOrder(accountID, id int64) (trading.Order, error) {
	for _, list := range [][]changed[trading.Order]{wb.waiting, wb.below.waiting} {
		for _, c := range list {
			if c.id == id && c.row.AccountID == accountID {
				return c.row, nil
			}
		}
	}
	return wb.read(accountID, id)
}

func (wb *writeBatch) InsertRevision(o trading.Order, at time.Time) error {
	wb.reworded = append(wb.reworded, revision{o, at})
	return nil
}

func (wb *writeBatch) InsertPosition(p trading.Position) (id int64, err error) {
	if p.ID, err = wb.numbers.next(ofPositions); err != nil {
		return 0, err
	}
	wb.positions = append(wb.positions, p)
	return p.ID, nil
}

func (wb *writeBatch) UpdatePosition(p trading.Position, version int) error {
	wb.held = put(wb.held, changed[trading.Position]{p.ID, version, p})
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
	wb.recovered = append(wb.recovered, r)
}

func (wb *writeBatch) Record(quotes ...market.Quote) error {
	for _, q := range quotes {
		if !slices.ContainsFunc(wb.quotes, q.Is) {
			wb.quotes = append(wb.quotes, q)
		}
	}
	return nil
}

// Post notes a transaction; every account of a trader in it is one version further.
func (wb *writeBatch) Post(t ledger.Transaction) (id int64, err error) {
	if id, err = wb.numbers.next(ofTransactions); err != nil {
		return 0, err
	}
	wb.posts = append(wb.posts, ledger.Posted{ID: id, Transaction: t})
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
	wb.audited = append(wb.audited, e)
	return err
}

package trading

import (
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
)

// writeBatch is a journal that keeps what commands decide until all of it is stored at once. A command writes into a batch of its own, which is merged into
// the one of its batch when the command holds, and thrown away when it is refused. Rows that are changed twice are stored as they are at last.
type writeBatch struct {
	numbers   *numbers
	below     *writeBatch // what the commands before wrote
	read      func(accountID, id int64) (Order, error)
	accounts  []ledger.Change
	orders    []Order
	reworded  []revision
	waiting   []changed[Order]
	positions []Position
	held      []changed[Position]
	fills     []Fill
	charges   []Charge
	calls     []MarginCall
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
	Order
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
	_ = wb.record(next.quotes...)
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

func (wb *writeBatch) insertOrder(o Order) (id int64, err error) {
	if o.ID, err = wb.numbers.next(ofOrders); err != nil {
		return 0, err
	}
	wb.orders = append(wb.orders, o)
	return o.ID, nil
}

func (wb *writeBatch) updateOrder(o Order, revision int) error {
	wb.waiting = put(wb.waiting, changed[Order]{o.ID, revision, o})
	return nil
}

// readOrder finds an order that does not rest any more; what has just ended it may not be stored yet.
func (wb *writeBatch) readOrder(accountID, id int64) (Order, error) {
	for _, list := range [][]changed[Order]{wb.waiting, wb.below.waiting} {
		for _, c := range list {
			if c.id == id && c.row.AccountID == accountID {
				return c.row, nil
			}
		}
	}
	return wb.read(accountID, id)
}

func (wb *writeBatch) insertRevision(o Order, at time.Time) error {
	wb.reworded = append(wb.reworded, revision{o, at})
	return nil
}

func (wb *writeBatch) insertPosition(p Position) (id int64, err error) {
	if p.ID, err = wb.numbers.next(ofPositions); err != nil {
		return 0, err
	}
	wb.positions = append(wb.positions, p)
	return p.ID, nil
}

func (wb *writeBatch) updatePosition(p Position, version int) error {
	wb.held = put(wb.held, changed[Position]{p.ID, version, p})
	return nil
}

func (wb *writeBatch) insertFill(f Fill) (id int64, err error) {
	if f.ID, err = wb.numbers.next(ofFills); err != nil {
		return 0, err
	}
	wb.fills = append(wb.fills, f)
	return f.ID, nil
}

func (wb *writeBatch) insertCharge(c Charge) error {
	wb.charges = append(wb.charges, c)
	return nil
}

func (wb *writeBatch) insertCall(c MarginCall) (id int64, err error) {
	if c.ID, err = wb.numbers.next(ofCalls); err != nil {
		return 0, err
	}
	wb.calls = append(wb.calls, c)
	return c.ID, nil
}

func (wb *writeBatch) endCall(accountID int64, at time.Time) error {
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

func (wb *writeBatch) record(quotes ...market.Quote) error {
	for _, q := range quotes {
		if !slices.ContainsFunc(wb.quotes, q.Is) {
			wb.quotes = append(wb.quotes, q)
		}
	}
	return nil
}

// post notes a transaction; every account of a trader in it is one version further.
func (wb *writeBatch) post(t ledger.Transaction) (id int64, err error) {
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

func (wb *writeBatch) touch(accountID int64) (version int64, err error) {
	for i := range wb.accounts {
		if c := &wb.accounts[i]; c.AccountID == accountID {
			c.Now++
			return c.Now, nil
		}
	}
	return 0, ledger.ErrAccount
}

func (wb *writeBatch) setPositionMode(accountID int64, netting bool, e audit.Entry) error {
	_, err := wb.touch(accountID)
	for i := range wb.accounts {
		if c := &wb.accounts[i]; c.AccountID == accountID {
			c.Netting = &netting
		}
	}
	wb.audited = append(wb.audited, e)
	return err
}

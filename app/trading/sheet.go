package trading

import (
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
)

// sheet is a journal that keeps what commands decide until all of it is stored at once. A command writes onto a sheet of its own, which is laid onto
// the one of its batch when the command holds, and thrown away when it is refused. Rows that are changed twice are stored as they are at last.
type sheet struct {
	numbers   *numbers
	below     *sheet // what the commands before wrote
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

// clear makes the sheet empty, for the next command.
func (s *sheet) clear() {
	*s = sheet{
		numbers: s.numbers, below: s.below, read: s.read, accounts: s.accounts[:0], orders: s.orders[:0], reworded: s.reworded[:0], waiting: s.waiting[:0], positions: s.positions[:0],
		held: s.held[:0], fills: s.fills[:0], charges: s.charges[:0], calls: s.calls[:0], recovered: s.recovered[:0], quotes: s.quotes[:0], posts: s.posts[:0],
		audited: s.audited[:0],
	}
}

// lay adds what a command wrote to what those before it wrote.
func (s *sheet) lay(next *sheet) {
	for _, c := range next.accounts {
		s.move(c)
	}
	s.orders, s.reworded = append(s.orders, next.orders...), append(s.reworded, next.reworded...)
	for _, c := range next.waiting {
		s.waiting = put(s.waiting, c)
	}
	s.positions = append(s.positions, next.positions...)
	for _, c := range next.held {
		s.held = put(s.held, c)
	}
	s.fills, s.charges = append(s.fills, next.fills...), append(s.charges, next.charges...)
	for _, r := range next.recovered {
		s.recover(r)
	}
	s.calls = append(s.calls, next.calls...)
	_ = s.record(next.quotes...)
	s.posts, s.audited = append(s.posts, next.posts...), append(s.audited, next.audited...)
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
func (s *sheet) move(c ledger.Change) {
	for i := len(s.accounts) - 1; i >= 0; i-- {
		if known := &s.accounts[i]; known.AccountID == c.AccountID {
			known.Now = c.Now
			if c.Netting != nil {
				known.Netting = c.Netting
			}
			return
		}
	}
	s.accounts = append(s.accounts, c)
}

// begin tells the sheet the version of the account that a command is for.
func (s *sheet) begin(a ledger.Account) {
	s.accounts = append(s.accounts, ledger.Change{AccountID: a.ID, Was: a.Version, Now: a.Version})
}

func (s *sheet) insertOrder(o Order) (id int64, err error) {
	if o.ID, err = s.numbers.next(ofOrders); err != nil {
		return 0, err
	}
	s.orders = append(s.orders, o)
	return o.ID, nil
}

func (s *sheet) updateOrder(o Order, revision int) error {
	s.waiting = put(s.waiting, changed[Order]{o.ID, revision, o})
	return nil
}

// readOrder finds an order that does not rest any more; what has just ended it may not be stored yet.
func (s *sheet) readOrder(accountID, id int64) (Order, error) {
	for _, list := range [][]changed[Order]{s.waiting, s.below.waiting} {
		for _, c := range list {
			if c.id == id && c.row.AccountID == accountID {
				return c.row, nil
			}
		}
	}
	return s.read(accountID, id)
}

func (s *sheet) insertRevision(o Order, at time.Time) error {
	s.reworded = append(s.reworded, revision{o, at})
	return nil
}

func (s *sheet) insertPosition(p Position) (id int64, err error) {
	if p.ID, err = s.numbers.next(ofPositions); err != nil {
		return 0, err
	}
	s.positions = append(s.positions, p)
	return p.ID, nil
}

func (s *sheet) updatePosition(p Position, version int) error {
	s.held = put(s.held, changed[Position]{p.ID, version, p})
	return nil
}

func (s *sheet) insertFill(f Fill) (id int64, err error) {
	if f.ID, err = s.numbers.next(ofFills); err != nil {
		return 0, err
	}
	s.fills = append(s.fills, f)
	return f.ID, nil
}

func (s *sheet) insertCharge(c Charge) error {
	s.charges = append(s.charges, c)
	return nil
}

func (s *sheet) insertCall(c MarginCall) (id int64, err error) {
	if c.ID, err = s.numbers.next(ofCalls); err != nil {
		return 0, err
	}
	s.calls = append(s.calls, c)
	return c.ID, nil
}

func (s *sheet) endCall(accountID int64, at time.Time) error {
	s.recover(recovery{accountID, at})
	return nil
}

// recover ends the margin call of an account: the one that the sheet makes, or the one that is stored.
func (s *sheet) recover(r recovery) {
	for i := range s.calls {
		if c := &s.calls[i]; c.AccountID == r.accountID && c.RecoveredAt == nil {
			c.RecoveredAt = &r.at
			return
		}
	}
	s.recovered = append(s.recovered, r)
}

func (s *sheet) record(quotes ...market.Quote) error {
	for _, q := range quotes {
		if !slices.ContainsFunc(s.quotes, q.Is) {
			s.quotes = append(s.quotes, q)
		}
	}
	return nil
}

// post notes a transaction; every account of a trader in it is one version further.
func (s *sheet) post(t ledger.Transaction) (id int64, err error) {
	if id, err = s.numbers.next(ofTransactions); err != nil {
		return 0, err
	}
	s.posts = append(s.posts, ledger.Posted{ID: id, Transaction: t})
	for i := range s.accounts {
		if c := &s.accounts[i]; slices.ContainsFunc(t.Entries, func(e ledger.Entry) bool { return e.AccountID == c.AccountID }) {
			c.Now++
		}
	}
	return id, nil
}

func (s *sheet) touch(accountID int64) (version int64, err error) {
	for i := range s.accounts {
		if c := &s.accounts[i]; c.AccountID == accountID {
			c.Now++
			return c.Now, nil
		}
	}
	return 0, ledger.ErrAccount
}

func (s *sheet) keep(accountID int64, netting bool, e audit.Entry) error {
	_, err := s.touch(accountID)
	for i := range s.accounts {
		if c := &s.accounts[i]; c.AccountID == accountID {
			c.Netting = &netting
		}
	}
	s.audited = append(s.audited, e)
	return err
}

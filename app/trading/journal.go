package trading

import (
	"context"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
)

// journal is where a decision's changes go, in order. The engine decides on a portfolio and prices alone; what it decides is written here: into
// rows of the database, or into memory where decisions are compared with a model.
type journal interface {
	insertOrder(o Order) (id int64, err error)
	updateOrder(o Order, revision int) error // that was read
	insertRevision(o Order, at time.Time) error
	readOrder(accountID, id int64) (Order, error)
	insertPosition(p Position) (id int64, err error)
	updatePosition(p Position, version int) error // that was read
	insertFill(f Fill) (id int64, err error)
	insertCharge(c Charge) (id int64, err error)
	insertCall(c MarginCall) (id int64, err error)
	endCall(accountID int64, at time.Time) error
	record(quotes ...market.Quote) error
	post(t ledger.Transaction) (id int64, err error)
	touch(accountID int64) (version int64, err error)
	keep(accountID int64, netting bool, e audit.Entry) error
}

// rows writes into the database, inside one transaction.
type rows struct {
	ctx context.Context
	tx  *db.Tx
}

func (r rows) insertOrder(o Order) (int64, error) { return insertOrder(r.ctx, r.tx.Conn, o) }

func (r rows) updateOrder(o Order, revision int) error {
	return updateOrder(r.ctx, r.tx.Conn, o, revision)
}

func (r rows) insertRevision(o Order, at time.Time) error {
	return insertRevision(r.ctx, r.tx.Conn, o, at)
}

func (r rows) readOrder(accountID, id int64) (Order, error) {
	return readOrder(r.ctx, r.tx.Conn, accountID, id)
}

func (r rows) insertPosition(p Position) (int64, error) {
	return insertPosition(r.ctx, r.tx.Conn, p)
}

func (r rows) updatePosition(p Position, version int) error {
	return updatePosition(r.ctx, r.tx.Conn, p, version)
}

func (r rows) insertFill(f Fill) (int64, error) { return insertFill(r.ctx, r.tx.Conn, f) }

func (r rows) insertCharge(c Charge) (int64, error) { return insertCharge(r.ctx, r.tx.Conn, c) }

func (r rows) insertCall(c MarginCall) (int64, error) { return insertCall(r.ctx, r.tx.Conn, c) }

func (r rows) endCall(accountID int64, at time.Time) error {
	return endCall(r.ctx, r.tx.Conn, accountID, at)
}

func (r rows) record(quotes ...market.Quote) error { return market.RecordTx(r.ctx, r.tx, quotes...) }

func (r rows) post(t ledger.Transaction) (int64, error) { return ledger.PostTx(r.ctx, r.tx, t) }

func (r rows) touch(accountID int64) (int64, error) { return touch(r.ctx, r.tx.Conn, accountID) }

func (r rows) keep(accountID int64, netting bool, e audit.Entry) error {
	if err := ledger.KeepTx(r.ctx, r.tx, accountID, netting); err != nil {
		return err
	}
	return audit.RecordTx(r.ctx, r.tx, e)
}

package trading

import (
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
)

// journal is where a decision's changes go, in order. The engine decides on a portfolio and prices alone; what it decides is written here: onto a
// write batch that is stored in one go, or into memory where decisions are compared with a model.
type journal interface {
	insertOrder(o Order) (id int64, err error)
	updateOrder(o Order, revision int) error // that was read
	insertRevision(o Order, at time.Time) error
	readOrder(accountID, id int64) (Order, error)
	insertPosition(p Position) (id int64, err error)
	updatePosition(p Position, version int) error // that was read
	insertFill(f Fill) (id int64, err error)
	insertCharge(c Charge) error
	insertCall(c MarginCall) (id int64, err error)
	endCall(accountID int64, at time.Time) error
	record(quotes ...market.Quote) error
	post(t ledger.Transaction) (id int64, err error)
	touch(accountID int64) (version int64, err error)
	setPositionMode(accountID int64, netting bool, e audit.Entry) error
}

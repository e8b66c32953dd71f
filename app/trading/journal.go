package trading

import (
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
)

// Journal is where a decision's changes go, in order. The engine decides on a portfolio and prices alone; what it decides is written here: onto a
// write batch that is stored in one go, or into memory where decisions are compared with a model.
type Journal interface {
	InsertOrder(o Order) (id int64, err error)
	UpdateOrder(o Order, revision int) error // that was read
	InsertRevision(o Order, at time.Time) error
	ReadOrder(accountID, id int64) (Order, error)
	InsertPosition(p Position) (id int64, err error)
	UpdatePosition(p Position, version int) error // that was read
	InsertFill(f Fill) (id int64, err error)
	InsertCharge(c Charge) error
	InsertCall(c MarginCall) (id int64, err error)
	EndCall(accountID int64, at time.Time) error
	Record(quotes ...market.Quote) error
	Post(t ledger.Transaction) (id int64, err error)
	Touch(accountID int64) (version int64, err error)
	SetPositionMode(accountID int64, netting bool, e audit.Entry) error
}

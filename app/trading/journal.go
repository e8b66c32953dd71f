package trading

import (
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
)

// Journal receives the writes of a decision, in order. The engine's write batch stores them in one round trip; tests keep them in memory.
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

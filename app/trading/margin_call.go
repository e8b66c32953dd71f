package trading

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// MarginCall is a warning: an account's level had come down to 100 percent. There is no other before it has recovered by some points.
type MarginCall struct {
	ID          int64
	AccountID   int64
	Equity      int64
	UsedMargin  int64
	CreatedAt   time.Time
	AtMS        int64 // market time
	RecoveredAt *time.Time
}

const callColumns = `id, account_id, equity, used_margin, created_at, at_ms, recovered_at`

// warns tells whether a trader must be warned who was not, or not since the level recovered.
func (v Valuation) warns(call *MarginCall) bool { return call == nil && v.atOrBelow(marginCallPercent) }

// recovered tells whether a warned account has come up again far enough.
func (v Valuation) recovered(call *MarginCall) bool {
	return call != nil && !v.atOrBelow(marginCallPercent+marginCallRecovery)
}

// warn notes a margin call, or that the account has recovered from one, by what it is worth; call is the new one.
func (s *Service) warn(j journal, f portfolio, v Valuation) (_ portfolio, call int64, err error) {
	switch {
	case v.warns(f.call):
		f.call = &MarginCall{AccountID: f.account.ID, Equity: v.Equity, UsedMargin: v.Used, CreatedAt: s.clock.Now(), AtMS: f.now.UnixMilli()}
		call, err = j.insertCall(*f.call)
		f.call.ID = call
	case v.recovered(f.call):
		f.call = nil
		err = j.endCall(f.account.ID, s.clock.Now())
	default:
		return f, 0, nil
	}
	if err != nil {
		return f, 0, err
	}
	f.account.Version, err = j.touch(f.account.ID)
	return f, call, err
}

// MarginCalls lists an account's margin calls, newest first, before the given id (0 for the newest).
func (s *Service) MarginCalls(ctx context.Context, accountID, before int64, limit int) (list []MarginCall, next int64, err error) {
	l := db.List{Columns: callColumns, Table: "margin_calls", Order: "id DESC", Limit: limit}
	l.Rows("account_id = ?", accountID)
	l.RowsIf(before != 0, "id < ?", before)
	return db.Read(ctx, s.db.Pool, l, pgx.RowToStructByPos[MarginCall], func(c MarginCall) int64 { return c.ID })
}

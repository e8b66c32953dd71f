package trading

import (
	"time"
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
func (rules *Rules) warn(j journal, f portfolio, v Valuation) (_ portfolio, call int64, err error) {
	switch {
	case v.warns(f.call):
		f.call = &MarginCall{AccountID: f.account.ID, Equity: v.Equity, UsedMargin: v.Used, CreatedAt: rules.clock.Now(), AtMS: f.now.UnixMilli()}
		call, err = j.insertCall(*f.call)
		f.call.ID = call
	case v.recovered(f.call):
		f.call = nil
		err = j.endCall(f.account.ID, rules.clock.Now())
	default:
		return f, 0, nil
	}
	if err != nil {
		return f, 0, err
	}
	f.account.Version, err = j.touch(f.account.ID)
	return f, call, err
}

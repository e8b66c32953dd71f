package trading

import "time"

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

const CallColumns = `id, account_id, equity, used_margin, created_at, at_ms, recovered_at`

// Warns tells whether a trader must be warned who was not, or not since the level recovered.
func (v Valuation) Warns(call *MarginCall) bool { return call == nil && v.AtOrBelow(MarginCallPercent) }

// Recovered tells whether a warned account has come up again far enough.
func (v Valuation) Recovered(call *MarginCall) bool {
	return call != nil && !v.AtOrBelow(MarginCallPercent+MarginCallRecovery)
}

// warn notes a margin call, or that the account has recovered from one, by what it is worth; call is the new one.
func (rules *Rules) warn(j Journal, f Portfolio, v Valuation) (_ Portfolio, call int64, err error) {
	switch {
	case v.Warns(f.Call):
		f.Call = &MarginCall{AccountID: f.Account.ID, Equity: v.Equity, UsedMargin: v.Used, CreatedAt: rules.clock.Now(), AtMS: f.Now.UnixMilli()}
		call, err = j.InsertCall(*f.Call)
		f.Call.ID = call
	case v.Recovered(f.Call):
		f.Call = nil
		err = j.EndCall(f.Account.ID, rules.clock.Now())
	default:
		return f, 0, nil
	}
	if err != nil {
		return f, 0, err
	}
	f.Account.Version, err = j.Touch(f.Account.ID)
	return f, call, err
}

package trading

import "time"

// MarginCall warns a trader that the margin level fell to 100 percent. The next one comes only after the level has recovered by MarginCallRecovery points.
type MarginCall struct {
	ID          int64
	AccountID   int64
	Equity      int64
	UsedMargin  int64
	CreatedAt   time.Time
	AtMS        int64 // market time
	RecoveredAt *time.Time
}

// CallColumns are the columns of margin calls in the order of MarginCall.
const CallColumns = `id, account_id, equity, used_margin, created_at, at_ms, recovered_at`

// NeedsCall reports whether the level is at or below the margin call and the trader has no open margin call.
func (v Valuation) NeedsCall(call *MarginCall) bool {
	return call == nil && v.AtOrBelow(MarginCallPercent)
}

// Recovered reports whether the level is high enough to end an open margin call.
func (v Valuation) Recovered(call *MarginCall) bool {
	return call != nil && !v.AtOrBelow(MarginCallPercent+MarginCallRecovery)
}

// warn opens or ends a margin call according to a valuation; call is the id of a new one, 0 otherwise.
func (rules *Rules) warn(j Journal, f Portfolio, v Valuation) (_ Portfolio, call int64, err error) {
	switch {
	case v.NeedsCall(f.Call):
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

package trigger

import (
	"cmp"
	"slices"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
)

// Rehearsal is the trigger monitor over accounts in memory, for measurements: it takes quotes and reports what they would trigger. It has no database and
// writes nothing.
type Rehearsal struct {
	monitor *Monitor
}

// Act is a sweep's decision about an account: a margin call, a recovery, or the stop-out of a position with its profit.
type Act struct {
	AccountID  int64
	PositionID int64 // of a stop-out
	Warned     bool  // whether a margin call is open after the act
	Profit     int64
}

// Rehearse makes a rehearsal without accounts, on the caller's market.
func Rehearse(m trading.Market) *Rehearsal { return &Rehearsal{New(m, trading.NewRules(m, m))} }

// Hold adds an account.
func (r *Rehearsal) Hold(account ledger.Account, positions []trading.Position, orders []trading.Order) {
	r.monitor.put(trading.Portfolio{Account: account, Positions: positions, Orders: orders})
}

// Quote takes a tradable quote and returns the number of orders and protections that it triggers. They are not filled and don't trigger again.
func (r *Rehearsal) Quote(q *market.Quote) (fired int) { return len(r.monitor.triggered(q)) }

// Sweep values the accounts whose bands were left, and acts on them.
func (r *Rehearsal) Sweep() (valued int, acts []Act) {
	valued = r.monitor.Sweep(nil)
	for t, ok := r.monitor.tasks.take(); ok; t, ok = r.monitor.tasks.take() {
		if a := r.monitor.accounts[t.Account]; a != nil && t.Subject == (Subject{Account: t.Account}) {
			acts = r.tend(acts, a.Portfolio)
		}
		r.monitor.done(t)
	}
	return valued, sorted(acts)
}

// Scan values all accounts and acts on them; Sweep is compared with it.
func (r *Rehearsal) Scan() (valued int, acts []Act) {
	for _, a := range r.monitor.accounts {
		acts = r.tend(acts, a.Portfolio)
		valued++
	}
	return valued, sorted(acts)
}

func sorted(acts []Act) []Act {
	slices.SortStableFunc(acts, func(a, b Act) int { return cmp.Compare(a.AccountID, b.AccountID) })
	return acts
}

// tend opens or ends an account's margin call and stops the account out, in memory.
func (r *Rehearsal) tend(acts []Act, f trading.Portfolio) []Act {
	v, err := r.monitor.rules.Value(f)
	before := len(acts)
	switch {
	case err != nil:
		return acts
	case v.NeedsCall(f.Call):
		f.Call = &trading.MarginCall{AccountID: f.Account.ID}
		acts = append(acts, Act{AccountID: f.Account.ID, Warned: true})
	case v.Recovered(f.Call):
		f.Call = nil
		acts = append(acts, Act{AccountID: f.Account.ID})
	}
	for err == nil && v.AtOrBelow(trading.StopOutPercent) {
		i := slices.IndexFunc(v.Positions, func(p trading.Valued) bool {
			return !slices.ContainsFunc(v.Positions, func(o trading.Valued) bool { return o.Snapshot().ClosesBefore(p.Snapshot()) })
		})
		victim := v.Positions[i]
		acts = append(acts, Act{f.Account.ID, victim.ID, true, victim.Profit})
		victim.State = trading.StateClosed
		f = f.With(victim.Position)
		f.Account.Cash += victim.Profit
		v, err = r.monitor.rules.Value(f)
	}
	if len(acts) > before {
		f.Account.Version++
		r.monitor.put(f)
	}
	return acts
}

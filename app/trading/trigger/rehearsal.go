package trigger

import (
	"cmp"
	"slices"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
)

// Rehearsal is the engine's trigger monitor over accounts in memory, for measurements: prices are told to it, and it says what they would set off. It knows no
// database and writes nothing.
type Rehearsal struct {
	monitor *Monitor
}

// Act is what a sweep decided about an account: a warning, a recovery, or a stop-out of a position with what it brought.
type Act struct {
	AccountID  int64
	PositionID int64 // of a stop-out
	Warned     bool  // after the act
	Profit     int64
}

// Rehearse watches nobody yet, on a market of the caller's own.
func Rehearse(m trading.Market) *Rehearsal { return &Rehearsal{New(m, trading.NewRules(m, m))} }

// Hold watches an account.
func (r *Rehearsal) Hold(account ledger.Account, positions []trading.Position, orders []trading.Order) {
	r.monitor.put(trading.Portfolio{Account: account, Positions: positions, Orders: orders})
}

// Quote tells a quote that may be traded on, and answers with how many orders and protections it set off; they are not filled and wait no more.
func (r *Rehearsal) Quote(q *market.Quote) (fired int) { return len(r.monitor.triggered(q)) }

// Sweep values the accounts whose bands were left, and acts.
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

// Scan values all accounts, and acts: what Sweep is held against.
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

// tend warns an account and stops it out, in memory.
func (r *Rehearsal) tend(acts []Act, f trading.Portfolio) []Act {
	v, err := r.monitor.rules.Value(f)
	before := len(acts)
	switch {
	case err != nil:
		return acts
	case v.Warns(f.Call):
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

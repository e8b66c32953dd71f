package trigger

import (
	"maps"
	"slices"
	"time"

	"candor/app/market"
	"candor/app/trading"
)

// scan is the monitor as a full scan: every quote checks every account, and every sweep values them all. The books must give the same tasks.
type scan struct {
	accounts map[int64]trading.Portfolio
	observed map[int64]bool
	firing   map[Subject]bool
	best     map[int64]Extreme
	recent   map[int][]market.Quote
}

func newScan() *scan {
	return &scan{accounts: map[int64]trading.Portfolio{}, observed: map[int64]bool{}, firing: map[Subject]bool{}, best: map[int64]Extreme{}, recent: map[int][]market.Quote{}}
}

func (s *scan) put(f trading.Portfolio) (tasks []Task) {
	known, ok := s.accounts[f.Account.ID]
	if ok && known.Account.Version > f.Account.Version {
		return nil
	}
	for _, p := range known.Positions {
		if now, open := f.FindPosition(p.ID); !open || now.Trail == nil || now.TrailSince != s.best[p.ID].Since {
			delete(s.best, p.ID)
		}
	}
	if len(f.Positions)+len(f.Orders) == 0 && !s.observed[f.Account.ID] {
		delete(s.accounts, f.Account.ID)
		return nil
	}
	s.accounts[f.Account.ID] = f
	for _, product := range slices.Sorted(maps.Keys(s.recent)) {
		for _, q := range s.recent[product] {
			tasks = s.collect(tasks, f, q)
			s.followBest(f, q)
		}
	}
	return tasks
}

func (s *scan) triggered(q market.Quote) (tasks []Task) {
	s.recent[q.ProductID] = append(s.recent[q.ProductID], q)
	if kept := s.recent[q.ProductID]; len(kept) > recentQuotes {
		s.recent[q.ProductID] = kept[1:]
	}
	for _, f := range s.accounts {
		tasks = s.collect(tasks, f, q)
		s.followBest(f, q)
	}
	return tasks
}

func (s *scan) seen(q market.Quote) {
	for _, f := range s.accounts {
		s.followBest(f, q)
	}
}

func (s *scan) collect(tasks []Task, f trading.Portfolio, q market.Quote) []Task {
	for _, p := range f.Positions {
		from := s.best[p.ID].Quote
		if rule, _ := trading.Fires(p, q, from); rule != "" {
			tasks = s.claim(tasks, Task{Subject{Account: f.Account.ID, Position: p.ID}, q, from})
		}
	}
	for _, o := range f.Orders {
		if o.Triggers(q) {
			tasks = s.claim(tasks, Task{Subject: Subject{Account: f.Account.ID, Order: o.ID}, Quote: q})
		}
	}
	return tasks
}

func (s *scan) claim(tasks []Task, t Task) []Task {
	if s.firing[t.Subject] {
		return tasks
	}
	s.firing[t.Subject] = true
	return append(tasks, t)
}

func (s *scan) followBest(f trading.Portfolio, q market.Quote) {
	for _, p := range f.Positions {
		b, known := s.best[p.ID]
		if p.Trail == nil || p.ProductID != q.ProductID || !known || q.Seq <= b.Last {
			continue
		}
		if b.Last = q.Seq; trading.Better(p.Side, q, b.Quote) {
			b.Quote = q
		}
		s.best[p.ID] = b
	}
}

func (s *scan) learn(id int64, b Extreme) {
	if known, ok := s.best[id]; ok && known.Since == b.Since {
		if b.Last = max(b.Last, known.Last); !trading.Better(b.Side, b.Quote, known.Quote) {
			b.Quote = known.Quote
		}
	}
	s.best[id] = b
}

func (s *scan) done(t Task) (tasks []Task) {
	delete(s.firing, t.Subject)
	for _, q := range s.recent[t.Quote.ProductID] {
		tasks = s.collect(tasks, s.accounts[t.Account], q)
	}
	return tasks
}

// sweep lists the tasks that the clock and the margin levels require in all accounts.
func (s *scan) sweep(rules *trading.Rules, now time.Time) (tasks []Task) {
	last := market.LastRollover(now)
	for id, f := range s.accounts {
		for _, o := range f.Orders {
			if o.Overdue(now) {
				tasks = s.claim(tasks, Task{Subject: Subject{Account: id, Order: o.ID}})
			}
		}
		v, err := rules.Value(f)
		if f.Due(last) || err == nil && (v.AtOrBelow(trading.StopOutPercent) || v.NeedsCall(f.Call) || v.Recovered(f.Call)) {
			tasks = s.claim(tasks, Task{Subject: Subject{Account: id}})
		}
	}
	return tasks
}

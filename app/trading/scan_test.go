package trading

import (
	"maps"
	"slices"
	"time"

	"candor/app/market"
)

// scan is the monitor as a full scan: every quote looks at every account, every sweep values them all. The books must say the same.
type scan struct {
	accounts map[int64]portfolio
	observed map[int64]bool
	firing   map[subject]bool
	best     map[int64]trailingExtreme
	recent   map[int][]market.Quote
}

func newScan() *scan {
	return &scan{accounts: map[int64]portfolio{}, observed: map[int64]bool{}, firing: map[subject]bool{}, best: map[int64]trailingExtreme{}, recent: map[int][]market.Quote{}}
}

func (s *scan) put(f portfolio) (tasks []task) {
	known, ok := s.accounts[f.account.ID]
	if ok && known.account.Version > f.account.Version {
		return nil
	}
	for _, p := range known.positions {
		if now, open := f.find(p.ID); !open || now.Trail == nil || now.TrailSince != s.best[p.ID].since {
			delete(s.best, p.ID)
		}
	}
	if len(f.positions)+len(f.orders) == 0 && !s.observed[f.account.ID] {
		delete(s.accounts, f.account.ID)
		return nil
	}
	s.accounts[f.account.ID] = f
	for _, product := range slices.Sorted(maps.Keys(s.recent)) {
		for _, q := range s.recent[product] {
			tasks = s.collect(tasks, f, q)
			s.followBest(f, q)
		}
	}
	return tasks
}

func (s *scan) triggered(q market.Quote) (tasks []task) {
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

func (s *scan) collect(tasks []task, f portfolio, q market.Quote) []task {
	for _, p := range f.positions {
		from := s.best[p.ID].quote
		if rule, _ := fires(p, q, from); rule != "" {
			tasks = s.claim(tasks, task{subject{account: f.account.ID, position: p.ID}, q, from})
		}
	}
	for _, o := range f.orders {
		if o.triggers(q) {
			tasks = s.claim(tasks, task{subject: subject{account: f.account.ID, order: o.ID}, quote: q})
		}
	}
	return tasks
}

func (s *scan) claim(tasks []task, t task) []task {
	if s.firing[t.subject] {
		return tasks
	}
	s.firing[t.subject] = true
	return append(tasks, t)
}

func (s *scan) followBest(f portfolio, q market.Quote) {
	for _, p := range f.positions {
		b, known := s.best[p.ID]
		if p.Trail == nil || p.ProductID != q.ProductID || !known || q.Seq <= b.last {
			continue
		}
		if b.last = q.Seq; better(p.Side, q, b.quote) {
			b.quote = q
		}
		s.best[p.ID] = b
	}
}

func (s *scan) learn(id int64, b trailingExtreme) {
	if known, ok := s.best[id]; ok && known.since == b.since {
		if b.last = max(b.last, known.last); !better(b.side, b.quote, known.quote) {
			b.quote = known.quote
		}
	}
	s.best[id] = b
}

func (s *scan) done(t task) (tasks []task) {
	delete(s.firing, t.subject)
	for _, q := range s.recent[t.quote.ProductID] {
		tasks = s.collect(tasks, s.accounts[t.account], q)
	}
	return tasks
}

// sweep lists what the clock and the margin levels demand of all accounts.
func (s *scan) sweep(rules *Rules, now time.Time) (tasks []task) {
	last := market.LastRollover(now)
	for id, f := range s.accounts {
		for _, o := range f.orders {
			if o.over(now) {
				tasks = s.claim(tasks, task{subject: subject{account: id, order: o.ID}})
			}
		}
		v, err := rules.Value(f)
		if f.due(last) || err == nil && (v.atOrBelow(stopOutPercent) || v.warns(f.call) || v.recovered(f.call)) {
			tasks = s.claim(tasks, task{subject: subject{account: id}})
		}
	}
	return tasks
}

package market

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm/clause"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/platform/seal"
)

const (
	flushEvery = time.Second     // interval at which the tape is stored and sealed
	aheadLimit = 2 * time.Second // limit by which a quote's market time may be ahead of the clock; clocks differ a little
)

// Service holds the products and their newest quotes, guards the feed's quotes and writes the tape.
type Service struct {
	db    *db.DB
	feed  Feed
	tape  *tape
	hours *Hours

	products []Product
	bySymbol map[string]*instrument
	byID     map[int]*instrument

	caps     Caps
	schedule atomic.Pointer[Schedule]
	reading  sync.Mutex // orders reads of the terms: a later read is stored later

	leadership *Leadership // nil on a single server
	bus        *events.Bus
	leading    atomic.Bool
	term       int64        // this server's term
	heard      atomic.Int64 // the newest term of another leader

	listeners     []func(Quote)
	haltListeners []func(productID int)
	counted       sync.Mutex
	rejected      map[Rejection]int64
}

// instrument is one product at runtime. The feed's goroutine writes; any goroutine may read newest, confirmed, halted and window (under its lock).
type instrument struct {
	fixed     Product // without terms
	guard     guard
	seq       int64
	newest    atomic.Pointer[Quote]
	confirmed atomic.Pointer[Quote] // the newest quote received while not halted
	crossed   atomic.Pointer[crossing]
	recalled  sync.Map // past quotes by moment in milliseconds: a Quote, or nil when there was none
	halted    atomic.Bool

	mu     sync.Mutex
	window dayWindow
}

// Config is the service's dependencies.
type Config struct {
	DB          *db.DB
	Feed        Feed        // its clock is market time
	Clock       clock.Clock // real time, for sealing the tape
	Key         ed25519.PrivateKey
	Checkpoints *seal.CheckpointStore
	Leadership  *Leadership // elects the one server that runs the feed; nil on a single server
	Bus         *events.Bus // carries the leader's quotes to the other servers; nil without others
}

// New makes the service for one feed.
func New(c Config) *Service {
	return &Service{
		db: c.DB, feed: c.Feed, tape: newTape(c.DB, c.Clock, c.Key, c.Checkpoints), leadership: c.Leadership, bus: c.Bus,
		bySymbol: map[string]*instrument{}, byID: map[int]*instrument{}, rejected: map[Rejection]int64{},
	}
}

// Seed adds the catalogue's missing products, hours, holidays and terms to the database.
func Seed(ctx context.Context, d *db.DB) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		absent := clause.OnConflict{DoNothing: true}
		for _, rows := range []any{Catalogue(), DefaultSessions(), DefaultHolidays()} {
			if err := tx.Rows.Clauses(absent).CreateInBatches(rows, 200).Error; err != nil {
				return fmt.Errorf("seed the market: %w", err)
			}
		}
		return seedTerms(ctx, tx)
	})
}

// OnQuote registers a listener for every accepted quote; the feed's goroutine calls it in order. Register before Run.
func (s *Service) OnQuote(f func(Quote)) { s.listeners = append(s.listeners, f) }

// OnHalt registers a listener for the start and the end of a product's halt; the feed's goroutine calls it. Register before Run.
func (s *Service) OnHalt(f func(productID int)) { s.haltListeners = append(s.haltListeners, f) }

// Load reads products and hours, seals quotes that a crash left unsealed, and loads every product's newest stored quote.
func (s *Service) Load(ctx context.Context) error {
	if err := s.MakeMonths(ctx); err != nil {
		slog.Error("the coming months of the tape were not made: they will be at the next try", "error", err)
	}
	if err := s.db.Rows(ctx).Order("sort, id").Find(&s.products).Error; err != nil {
		return fmt.Errorf("read the products: %w", err)
	}
	schedule, err := ReadSchedule(ctx, s.db.Pool)
	if err != nil {
		return err
	}
	for _, p := range s.products {
		if len(schedule.versions[p.ID]) == 0 {
			return fmt.Errorf("product %s has no terms", p.Symbol)
		}
	}
	s.hours = schedule.hours
	s.schedule.Store(schedule)
	if s.caps, err = ReadCaps(ctx, s.db.Pool); err != nil {
		return err
	}
	for n, p := range s.products {
		i := &instrument{fixed: p}
		s.products[n] = s.product(i, s.Now())
		s.bySymbol[p.Symbol], s.byID[p.ID] = i, i
	}
	if s.leadership == nil {
		return s.lead(ctx, 0)
	}
	term, leads, err := s.leadership.try(ctx)
	if err != nil {
		return err
	}
	if leads {
		return s.lead(ctx, term)
	}
	return s.loadInstruments(ctx)
}

// IsLeader reports whether this server runs the feed.
func (s *Service) IsLeader() bool { return s.leading.Load() }

// loadInstruments finds the end of each product's tape.
func (s *Service) loadInstruments(ctx context.Context) error {
	for _, i := range s.byID {
		i.guard = guard{product: s.product(i, s.Now())} // history is loading: no price grows stale
		if err := s.loadInstrument(ctx, i); err != nil {
			return err
		}
	}
	return s.checkSource()
}

// product is an instrument's product with the terms in force at a moment of market time.
func (s *Service) product(i *instrument, at time.Time) Product {
	p := i.fixed
	p.Terms = s.schedule.Load().TermsAt(p.ID, at)
	return p
}

// ReloadTerms reads terms and dividends again, so that approved changes are in memory before they take effect.
func (s *Service) ReloadTerms(ctx context.Context) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	schedule, err := ReadSchedule(ctx, s.db.Pool)
	if err != nil {
		return err
	}
	s.schedule.Store(schedule)
	return nil
}

// Terms lists all versions of a product's terms, oldest first.
func (s *Service) Terms(productID int) (Versions, error) {
	if s.byID[productID] == nil {
		return nil, ErrProduct
	}
	return s.schedule.Load().versions[productID], nil
}

// Version is one version of a product's terms; terms that are not in memory are read again.
func (s *Service) Version(productID, version int) (Terms, bool) {
	if t, ok := s.schedule.Load().Terms(productID, version); ok {
		return t, true
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushEvery*5)
	defer cancel()
	if err := s.ReloadTerms(ctx); err != nil {
		return Terms{}, false
	}
	return s.schedule.Load().Terms(productID, version)
}

// tryToLead removes the products that the feed does not price.
func (s *Service) tryToLead() {
	feed, ok := s.feed.(Selective)
	if !ok {
		return
	}
	s.products = slices.DeleteFunc(s.products, func(p Product) bool {
		if feed.Covers(p) {
			return false
		}
		delete(s.bySymbol, p.Symbol)
		delete(s.byID, p.ID)
		return true
	})
}

// checkSource refuses to mix prices of two feeds on one tape.
func (s *Service) checkSource() error {
	for _, i := range s.byID {
		if q := i.newest.Load(); q != nil && q.Source != s.feed.Name() {
			return fmt.Errorf("this database holds prices of the %s feed: give the %s feed a data folder of its own (CANDOR_DATA_DIR) or another database", q.Source, s.feed.Name())
		}
	}
	return nil
}

// loadInstrument finds the end of a product's tape: sequences continue above it, and the guard compares the next price with its last ones.
func (s *Service) loadInstrument(ctx context.Context, i *instrument) error {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+quoteColumns+` FROM tape_quotes WHERE product_id = $1 ORDER BY seq DESC LIMIT $2`, i.fixed.ID, medianWindow)
	if err != nil {
		return err
	}
	last, err := pgx.CollectRows(rows, scanQuote)
	if err != nil {
		return fmt.Errorf("read the newest quotes of %s: %w", i.fixed.Symbol, err)
	}
	if len(last) == 0 {
		return nil
	}
	for _, q := range slices.Backward(last) {
		if s.sessionBreak(i, q.At()) {
			i.guard.reopened()
		}
		i.guard.remember(q)
	}
	q := last[0]
	i.seq = q.Seq
	i.newest.Store(&q)
	i.confirmed.Store(&q)
	return s.loadWindow(ctx, i, q.AtMS)
}

// loadWindow reads the candles of the 24 hours before a product's newest quote.
func (s *Service) loadWindow(ctx context.Context, i *instrument, newestMS int64) error {
	candles, err := s.readCandles(ctx, i.fixed.ID, windowPeriod, newestMS+1, windowCandles)
	if err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.window.candles = candles
	i.window.cut(newestMS)
	return nil
}

func (s *Service) lastQuotes() map[string]Last {
	out := map[string]Last{}
	for symbol, i := range s.bySymbol {
		if q := i.newest.Load(); q != nil {
			out[symbol] = Last{Bid: i.fixed.FormatPrice(q.Bid), Ask: i.fixed.FormatPrice(q.Ask), At: q.At()}
		}
	}
	return out
}

// Backfill lets the feed fill the time that the tape lacks, and stores it before returning. A server that does not lead returns at once: its leader has
// done it.
func (s *Service) Backfill(ctx context.Context) error {
	if !s.IsLeader() {
		return nil
	}
	var stored error
	ended := s.tapeEnds()
	candles, err := s.feed.History(ctx, func(raw Raw) {
		s.ingest(raw, true)
		if s.tape.crowded() {
			stored = errors.Join(stored, s.tape.flush(ctx))
		}
	})
	if err = errors.Join(err, stored); err != nil {
		return fmt.Errorf("backfill: %w", err)
	}
	s.tape.addHistory(placeHistory(candles, ended, s.tapeEnds()))
	if err := s.tape.flush(ctx); err != nil {
		return err
	}
	return s.continueFrom(ctx, candles)
}

// tapeEnds is the time of each product's newest quote.
func (s *Service) tapeEnds() map[int]int64 {
	out := map[int]int64{}
	for id, i := range s.byID {
		if q := i.newest.Load(); q != nil {
			out[id] = q.AtMS
		}
	}
	return out
}

// continueFrom makes the products that got a history continue as after a break: three good quotes must come before they are traded.
func (s *Service) continueFrom(ctx context.Context, history []Candle) error {
	drawn := map[int]bool{}
	for _, c := range history {
		drawn[c.ProductID] = true
	}
	for id := range drawn {
		i := s.byID[id]
		q := i.newest.Load()
		if q == nil {
			continue
		}
		i.guard.reopened()
		i.guard.remember(*q)
		open, _ := s.hours.State(i.fixed.Calendar, s.Now())
		i.halted.Store(open)
		if err := s.loadWindow(ctx, i, q.AtMS); err != nil {
			return err
		}
	}
	return nil
}

// Resign releases the lead that Load took when Run will never start: its connection would keep the database from closing.
func (s *Service) Resign() {
	if s.leadership != nil {
		s.leadership.release()
	}
}

// Run takes quotes from the feed and stores the tape until ctx ends; then it stores the rest. While another server leads, it receives that server's
// quotes, and takes the lead when that server is gone.
func (s *Service) Run(ctx context.Context) error {
	if s.bus != nil {
		stop, err := s.bus.Subscribe(quoteSubject, func(_ string, data []byte) { s.receiveQuote(data) })
		if err != nil {
			return err
		}
		defer stop()
	}
	for ctx.Err() == nil {
		if !s.IsLeader() {
			leads, err := s.follow(ctx)
			if err != nil {
				slog.Error("this server can't lead", "error", err)
				s.stepDown()
			}
			if err != nil || !leads {
				continue
			}
			slog.Info("this server runs the feed now", "feed", s.feed.Name(), "term", s.term)
			if err := s.Backfill(ctx); err != nil {
				slog.Error("the history was not written", "error", err)
			}
		}
		if ended, err := s.runFeed(ctx); ended {
			return err
		}
	}
	return nil
}

// runFeed runs the feed until the feed or ctx ends or the lead is lost; ended is false only when the lead is lost.
func (s *Service) runFeed(ctx context.Context) (ended bool, err error) {
	leading, stop := s.untilLost(ctx)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.flushLoop(leading)
	}()
	err = s.feed.Run(leading, func(raw Raw) { s.ingest(raw, false) })
	if err == nil && leading.Err() == nil {
		slog.Info("the feed has no more quotes", "feed", s.feed.Name())
	}
	<-done
	if ctx.Err() == nil && leading.Err() != nil {
		slog.Error("this server has lost the feed: another one may lead now", "term", s.term)
		s.stepDown()
		return false, nil
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := s.tape.flush(last); err != nil {
		slog.Error("the end of the tape was not stored", "error", err)
	}
	s.stepDown()
	return true, err
}

// stepDown gives up the lead. Unstored quotes are lost: the next leader continues where the tape ends.
func (s *Service) stepDown() {
	if s.leadership != nil {
		s.leading.Store(false)
		s.leadership.release()
	}
}

func (s *Service) flushLoop(ctx context.Context) {
	ticker := time.NewTicker(flushEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := s.tape.flush(ctx); err != nil && ctx.Err() == nil {
				slog.Error("the tape waits for the database", "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// ingest guards one raw quote, numbers it, puts it on the tape and notifies the listeners. A quote of history is only parsed, and no listener
// receives it.
func (s *Service) ingest(raw Raw, history bool) {
	i := s.bySymbol[raw.Symbol]
	if i == nil {
		return
	}
	i.guard.product = s.product(i, s.Now())
	q, rejected := s.guarded(i, raw, history)
	if rejected != "" {
		s.count(rejected)
		if halted := i.guard.halted(); s.halt(i, halted) {
			s.publishQuote(Quote{ProductID: i.fixed.ID, Term: s.term}, halted)
		}
		return
	}
	q.Seq, q.Source, q.Term, q.StoredOn = i.seq+1, s.feed.Name(), s.term, s.today(i)
	q, stored := s.tape.add(q)
	if !stored {
		s.count("database_away")
		return
	}
	i.seq = q.Seq
	if history {
		i.guard.remember(q)
		i.store(q, false)
		return
	}
	i.guard.accept(q)
	s.publishQuote(q, i.guard.halted())
	s.accept(i, q, i.guard.halted())
}

// today is the day of the wall clock, in days since 1970. It never goes back within a product, not even to the day of a new leader whose clock is behind.
func (s *Service) today(i *instrument) int {
	day := int(s.tape.clock.Now().Unix() / (24 * 60 * 60))
	if last := i.newest.Load(); last != nil {
		day = max(day, last.StoredOn)
	}
	return day
}

// MakeMonths makes the tables of the tape for this month and the next two; the server calls it daily. What it can't lock in a second waits for the next call.
func (s *Service) MakeMonths(ctx context.Context) error {
	if _, err := s.db.Pool.Exec(ctx, `SELECT make_quote_months()`); err != nil {
		return fmt.Errorf("make the coming months of the tape: %w", err)
	}
	return nil
}

// guarded passes a raw quote to its product's guard.
func (s *Service) guarded(i *instrument, raw Raw, history bool) (Quote, Rejection) {
	switch {
	case history && s.tooFarAhead(raw):
		return Quote{}, rejectedAhead
	case history:
		return i.guard.read(raw)
	case s.tooFarAhead(raw):
		i.guard.halt()
		return Quote{}, rejectedAhead
	case s.sessionBreak(i, raw.At):
		i.guard.reopened()
	}
	return i.guard.check(raw)
}

// tooFarAhead reports whether a quote is later than market time.
func (s *Service) tooFarAhead(raw Raw) bool { return raw.At.Sub(s.Now()) > aheadLimit }

// halt stores whether a product is halted, and notifies the listeners of a change.
func (s *Service) halt(i *instrument, halted bool) (changed bool) {
	if i.halted.Swap(halted) == halted {
		return false
	}
	for _, tell := range s.haltListeners {
		tell(i.fixed.ID)
	}
	return true
}

// sessionBreak reports whether the market was closed at some moment between the feed's last quote and at.
func (s *Service) sessionBreak(i *instrument, at time.Time) bool {
	heard := time.UnixMilli(i.guard.heardMS)
	if i.guard.heardMS == 0 || at.Sub(heard) < time.Minute {
		return false
	}
	return s.closedSince(i, heard, at)
}

// closedSince reports whether a product's market was closed at some moment between two times.
func (s *Service) closedSince(i *instrument, from, until time.Time) bool {
	open, end := s.hours.State(i.fixed.Calendar, from)
	return !open || (!end.IsZero() && end.Before(until))
}

func (s *Service) count(r Rejection) {
	s.counted.Lock()
	s.rejected[r]++
	s.counted.Unlock()
}

// Rejections counts the rejected raw quotes since the start, by reason.
func (s *Service) Rejections() map[Rejection]int64 {
	s.counted.Lock()
	defer s.counted.Unlock()
	return maps.Clone(s.rejected)
}

// Now is market time.
func (s *Service) Now() time.Time { return s.feed.Clock().Now() }

// FeedName is the source of the prices, "simulated" or "replay": it is shown wherever prices are.
func (s *Service) FeedName() string { return s.feed.Name() }

// Products lists the traded products in display order.
func (s *Service) Products() []Product {
	out, now := make([]Product, len(s.products)), s.Now()
	for n, p := range s.products {
		out[n] = s.product(s.byID[p.ID], now)
	}
	return out
}

// Commissions are the highest commissions of a class's products now: basis points of the notional, and 10^-6 USDT a lot.
func (s *Service) Commissions(class Class) (bps int, perLot int64) {
	for _, p := range s.Products() {
		if p.Class == class {
			bps, perLot = max(bps, p.CommissionBps), max(perLot, p.CommissionPerLot)
		}
	}
	return bps, perLot
}

// Product finds a product by its id.
func (s *Service) Product(id int) (Product, error) {
	if i := s.byID[id]; i != nil {
		return s.product(i, s.Now()), nil
	}
	return Product{}, ErrProduct
}

// ProductBySymbol finds a product by its symbol.
func (s *Service) ProductBySymbol(symbol string) (Product, error) {
	if i := s.bySymbol[symbol]; i != nil {
		return s.product(i, s.Now()), nil
	}
	return Product{}, ErrProduct
}

// Newest is a product's last accepted quote, of any age; false when there is none.
func (s *Service) Newest(productID int) (Quote, bool) {
	i := s.byID[productID]
	if i == nil {
		return Quote{}, false
	}
	q := i.newest.Load()
	if q == nil {
		return Quote{}, false
	}
	return *q, true
}

// Confirmed is a product's newest quote for stop-outs: while the product is halted, the last one before the halt.
func (s *Service) Confirmed(productID int) (Quote, bool) {
	i := s.byID[productID]
	if i == nil {
		return Quote{}, false
	}
	q := i.confirmed.Load()
	if q == nil {
		return Quote{}, false
	}
	return *q, true
}

// Tradable is the quote that a fill may use now. It returns ErrProduct, ErrNoPrice, ErrClosed, ErrHalted or ErrStale otherwise. A price from before the
// session is stale at any age.
func (s *Service) Tradable(productID int) (Quote, error) {
	i := s.byID[productID]
	if i == nil {
		return Quote{}, ErrProduct
	}
	q := i.newest.Load()
	now := s.Now()
	open, next := s.hours.State(i.fixed.Calendar, now)
	switch {
	case !open:
		return Quote{}, ErrClosed.With("until", next.UnixMilli())
	case q == nil:
		return Quote{}, ErrNoPrice
	case i.halted.Load():
		return *q, ErrHalted
	case s.isStale(i, q, now) || s.closedSince(i, q.At(), now):
		return *q, ErrStale
	}
	return *q, nil
}

// isStale reports whether a quote is older than its product allows.
func (s *Service) isStale(i *instrument, q *Quote, now time.Time) bool {
	return now.Sub(q.At()) > s.feed.StaleLimit(s.product(i, now))
}

// Status is the present state of a product's market.
type Status struct {
	Open   bool
	Until  time.Time // next change of Open; zero when never
	Halted bool
	Stale  bool
	AgeMS  int64 // age of the newest quote
}

// Status returns whether a product is open, until when, and the age of its price.
func (s *Service) Status(productID int) (Status, error) {
	i := s.byID[productID]
	if i == nil {
		return Status{}, ErrProduct
	}
	now := s.Now()
	out := Status{Halted: i.halted.Load(), Stale: true}
	out.Open, out.Until = s.hours.State(i.fixed.Calendar, now)
	if q := i.newest.Load(); q != nil {
		out.AgeMS = max(0, now.Sub(q.At()).Milliseconds())
		out.Stale = s.isStale(i, q, now) || out.Open && s.closedSince(i, q.At(), now)
	}
	return out, nil
}

// DayEnd is the expiry of a day order: the end of the product's session, or 17:00 New York when the session continues beyond it. On a closed market
// it is the end of the next trading day.
func (s *Service) DayEnd(p Product) time.Time {
	at := s.Now()
	open, until := s.hours.State(p.Calendar, at)
	if !open && !until.IsZero() {
		at = until
		_, until = s.hours.State(p.Calendar, at)
	}
	end := rollover(at)
	if !until.IsZero() && until.Before(end) {
		return until
	}
	return end
}

// StaleLimit is the maximum age of a product's tradable quote.
func (s *Service) StaleLimit(p Product) time.Duration { return s.feed.StaleLimit(p) }

// Week lists a product's open intervals in the seven days from now.
func (s *Service) Week(p Product) []Interval { return s.hours.Week(p.Calendar, s.Now()) }

// Figures are a product's figures of the last 24 hours; while its market is closed, of the 24 hours before its last quote.
func (s *Service) Figures(productID int) Figures {
	i := s.byID[productID]
	if i == nil {
		return Figures{}
	}
	end := s.Now()
	if open, _ := s.hours.State(i.fixed.Calendar, end); !open {
		if q := i.newest.Load(); q != nil {
			end = q.At()
		}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.window.figures(end)
}

// KlineLimit is the maximum number of candles per page.
const KlineLimit = 1_000

// Klines lists a product's candles of one period that start before the given moment (zero for the newest), oldest first, at most limit.
// Candles newer than the table, above all the running one, come from memory.
func (s *Service) Klines(ctx context.Context, productID, period int, before time.Time, limit int) ([]Candle, error) {
	if s.byID[productID] == nil {
		return nil, ErrProduct
	}
	beforeMS, limit := int64(1)<<62, min(limit, KlineLimit)
	if !before.IsZero() {
		beforeMS = before.UnixMilli()
	}
	return s.readCandles(ctx, productID, period, beforeMS, limit)
}

// readCandles reads the newest candles that start before a moment, from memory, the table and the history, oldest first.
func (s *Service) readCandles(ctx context.Context, productID, period int, beforeMS int64, limit int) ([]Candle, error) {
	fresh := s.tape.unsaved(productID, period, beforeMS) // read first: a candle stored meanwhile is then in both lists, never in neither
	rows, err := s.db.Pool.Query(ctx, `
		SELECT product_id, period, start_ms, open, high, low, close, ticks FROM candles
		WHERE product_id = $1 AND period = $2 AND start_ms < $3 ORDER BY start_ms DESC LIMIT $4`, productID, period, beforeMS, limit)
	if err != nil {
		return nil, fmt.Errorf("read candles: %w", err)
	}
	stored, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Candle])
	if err != nil {
		return nil, fmt.Errorf("read candles: %w", err)
	}
	slices.Reverse(stored)
	history, err := readHistory(ctx, s.db.Pool, productID, period, beforeMS, limit)
	if err != nil {
		return nil, err
	}
	candles := withHistory(merge(stored, fresh), history)
	return candles[max(0, len(candles)-limit):], nil
}

// TapeEnd is the last sealed batch of the tape, for the status line.
func (s *Service) TapeEnd() (batch int64, at time.Time) {
	if !s.IsLeader() {
		ctx, cancel := context.WithTimeout(context.Background(), flushEvery)
		defer cancel()
		if head, err := lastTapeHead(ctx, s.db); err == nil {
			return head.Batch, head.SealedAt
		}
		return 0, time.Time{}
	}
	s.tape.writing.Lock()
	defer s.tape.writing.Unlock()
	return s.tape.head.Batch, s.tape.head.SealedAt
}

// ReadQuote reads one quote of the tape and the signed head of its batch; sealed is false until the batch is sealed, about a second.
func (s *Service) ReadQuote(ctx context.Context, productID int, seq int64) (q Quote, head seal.Head, sealed bool, err error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+quoteColumns+` FROM tape_quotes WHERE product_id = $1 AND seq = $2`, productID, seq)
	if err != nil {
		return q, head, false, err
	}
	if q, err = pgx.CollectExactlyOneRow(rows, scanQuote); err != nil {
		return q, head, false, fmt.Errorf("read quote %d/%d: %w", productID, seq, err)
	}
	head, _, err = scanHead(s.db.Pool.QueryRow(ctx, `SELECT `+headColumns+` FROM tape_heads WHERE batch = $1`, q.Batch))
	if errors.Is(err, pgx.ErrNoRows) {
		return q, seal.Head{}, false, nil
	}
	return q, head, err == nil, err
}

// QuotesAround are the quotes of a product's tape up to reach before and after one of them, oldest first; none if the tape doesn't have that one.
func (s *Service) QuotesAround(ctx context.Context, productID int, seq, reach int64) ([]Quote, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT `+quoteColumns+` FROM tape_quotes WHERE product_id = $1 AND seq BETWEEN $3 AND $4
			AND EXISTS (SELECT FROM tape_quotes WHERE product_id = $1 AND seq = $2)
		ORDER BY seq`, productID, seq, seq-reach, seq+reach)
	if err != nil {
		return nil, fmt.Errorf("read the quotes around %d/%d: %w", productID, seq, err)
	}
	quotes, err := pgx.CollectRows(rows, scanQuote)
	if err != nil {
		return nil, fmt.Errorf("read the quotes around %d/%d: %w", productID, seq, err)
	}
	return quotes, nil
}

// Proof is the Merkle path of a sealed quote in its batch.
func (s *Service) Proof(ctx context.Context, q Quote) ([]seal.Step, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+quoteColumns+` FROM tape_quotes WHERE batch = $1 ORDER BY product_id, seq`, q.Batch)
	if err != nil {
		return nil, err
	}
	quotes, err := pgx.CollectRows(rows, scanQuote)
	if err != nil {
		return nil, fmt.Errorf("read tape batch %d: %w", q.Batch, err)
	}
	leaves, _ := leavesOf(quotes)
	at := slices.IndexFunc(quotes, func(o Quote) bool { return o.ProductID == q.ProductID && o.Seq == q.Seq })
	if at < 0 {
		return nil, fmt.Errorf("quote %d/%d is not in its batch", q.ProductID, q.Seq)
	}
	return seal.Path(leaves, at), nil
}

// Hot lists the most traded products by rank.
func (s *Service) Hot() []int {
	hot := slices.DeleteFunc(s.Products(), func(p Product) bool { return p.Hot == 0 })
	slices.SortFunc(hot, func(a, b Product) int { return a.Hot - b.Hot })
	ids := make([]int, len(hot))
	for i, p := range hot {
		ids[i] = p.ID
	}
	return ids
}

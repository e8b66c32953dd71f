package trading

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
)

// Market is what the engine needs of the market: prices, and its time.
type Market interface {
	Prices
	clock.Clock
	// Recall reads the price that a market.ForgottenError is about, so that Before knows it.
	Recall(ctx context.Context, e market.ForgottenError) error
}

// Service is the engine: it fills, keeps margin and watches for what a price triggers.
type Service struct {
	db        *db.DB
	market    Market
	clock     clock.Clock // real time
	bus       *events.Bus
	convert   converter
	watch     *triggerMonitor
	tasks     *queue
	id        int64 // tells the engines of one bus apart
	sequencer *sequencer
}

// New makes the engine. Run must be running for stops and stop-outs to happen.
func New(d *db.DB, m Market, real clock.Clock, bus *events.Bus) *Service {
	s := &Service{db: d, market: m, clock: real, bus: bus, convert: newConverter(m.Products()), id: rand.Int64()}
	s.watch, s.tasks, s.sequencer = newTriggerMonitor(m.Products()), newQueue(), newSequencer(s)
	return s
}

// Owner says whose account a command is for.
type Owner struct {
	TraderID, AccountID int64
	Country             string // of residence, which may cap the leverage
}

// Open is a market order: it opens a position at the current quote. Seen is the price that the trader saw, zero to accept any.
type Open struct {
	Owner
	ProductID   int
	Side        Side
	Lots        int64
	Leverage    int
	StopLoss    *int64
	TakeProfit  *int64
	Seen        int64
	SlippageBps int
}

// Close ends a position at the current quote, whole or in part. Lots of zero mean all of it.
type Close struct {
	Owner
	PositionID  int64
	Lots        int64
	Seen        int64
	SlippageBps int
}

// Protect sets or clears (nil) a position's stop loss, take profit and trailing stop. A trailing stop begins at the newest quote when its distance
// changes; where the same distance is saved again it stays where it stands.
type Protect struct {
	Owner
	PositionID int64
	StopLoss   *int64
	TakeProfit *int64
	Trail      *int64 // distance of a trailing stop, in the price's units
}

// Done is what a command did.
type Done struct {
	Fill      *Fill // nil unless something was filled
	Position  Position
	Order     *Order  // the resting order that it is about
	Orders    []Order // all of them, where there are two
	Cancelled []int64 // what CancelAll ended
	Fills     []Fill  // all of them, where there may be more than one
	Skipped   []Skip  // what CloseAll left open
	Valuation Valuation
}

// Open fills a market order, once per key, and returns the encoded Done. Refusals: ErrSide, ErrLots, ErrLeverage, ErrMargin, ErrSlippage,
// ErrStopLoss, ErrTakeProfit, ErrTooMany, ErrRestricted, and the market's.
func (s *Service) Open(ctx context.Context, cmd Open, r idempotency.Request) ([]byte, error) {
	return s.command(ctx, cmd.Owner, r, func(j journal, f portfolio) (outcome, error) { return s.open(j, f, cmd) })
}

// Close ends a position, once per key, and returns the encoded Done. Refusals: ErrPosition, ErrLots, ErrSlippage, and the market's.
func (s *Service) Close(ctx context.Context, cmd Close, r idempotency.Request) ([]byte, error) {
	return s.command(ctx, cmd.Owner, r, func(j journal, f portfolio) (outcome, error) { return s.closeByTrader(j, f, cmd) })
}

// Protect changes a position's stop loss and take profit, once per key, and returns the encoded Done. Refusals: ErrPosition, ErrStopLoss, ErrTakeProfit.
func (s *Service) Protect(ctx context.Context, cmd Protect, r idempotency.Request) ([]byte, error) {
	return s.command(ctx, cmd.Owner, r, func(j journal, f portfolio) (outcome, error) { return s.protect(j, f, cmd) })
}

// outcome is what a command left behind: the portfolio after it, and the fill and position it is about.
type outcome struct {
	portfolio portfolio
	fill      *Fill
	position  Position
	order     *Order
	orders    []Order // all of them, where there are two
	cancelled []int64
	fills     []Fill // all of them, where there may be more than one
	skipped   []Skip
	call      int64         // the margin call that was made; 0 is none
	trail     *market.Quote // at which a trailing stop began
}

// begun is the trailing stop that an outcome set, at the quote that it begins at.
func (out outcome) begun() map[int64]trailingExtreme {
	if out.trail == nil {
		return nil
	}
	return map[int64]trailingExtreme{out.position.ID: {side: out.position.Side, since: out.trail.Seq, quote: *out.trail, last: out.trail.Seq}}
}

// remember updates the trigger monitor with what an outcome left.
func (s *Service) remember(out outcome) {
	s.watch.learn(out.begun())
	s.tasks.push(s.watch.put(out.portfolio)...)
}

// changes are the events that an outcome gives: one a fill, or one at all.
func (out outcome) changes() (list []Change) {
	c := Change{AccountID: out.portfolio.account.ID}
	if out.order != nil {
		c.OrderID = out.order.ID
	}
	for _, fill := range out.allFills() {
		c.FillID = fill.ID
		list = append(list, c)
	}
	if out.call != 0 {
		list = append(list, Change{AccountID: c.AccountID, CallID: out.call})
	}
	if len(list) == 0 {
		list = []Change{c}
	}
	for _, other := range out.orders[min(1, len(out.orders)):] {
		list = append(list, Change{AccountID: c.AccountID, OrderID: other.ID})
	}
	return list
}

// command has one act of a trader decided, once per key, and returns the encoded Done. It returns ErrBusy when too many wait.
func (s *Service) command(ctx context.Context, owner Owner, r idempotency.Request, act func(journal, portfolio) (outcome, error)) ([]byte, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	c := command{ctx: ctx, accountID: owner.AccountID, traderID: owner.TraderID, request: &r, act: func(j journal, f portfolio) (*outcome, error) {
		out, err := act(j, f)
		return &out, err
	}}
	if err := s.sequencer.do(&c); err != nil {
		return nil, err
	}
	return c.answer, nil
}

// done is the outcome as its trader hears of it.
func (out outcome) done(v Valuation) Done {
	return Done{
		Fill: out.fill, Position: out.position, Order: out.order, Orders: out.orders, Cancelled: out.cancelled, Fills: out.fills, Skipped: out.skipped, Valuation: v,
	}
}

// tooLarge turns an overflow of the sums into a refusal.
func tooLarge(err error) error {
	if errors.Is(err, money.ErrOverflow) {
		return ErrTooLarge
	}
	return err
}

// announce tells the trigger monitor and every server, after the commit, that an account changed.
func (s *Service) announce(out outcome) {
	s.remember(out)
	for _, c := range out.changes() {
		c.From = s.id
		_ = s.bus.Publish(c.Message())
	}
}

const (
	changedSubject = "account.changed."
	// AnyChanged is the subject of every account's changes.
	AnyChanged = changedSubject + "*"
)

// Change is the event that an account changed: by a fill, by what became of a resting order, by both, by a margin call, or otherwise (zeros). Whoever
// hears it reads the truth from the database. From is the engine that decided it; 0 is somebody else.
type Change struct{ AccountID, FillID, OrderID, CallID, From int64 }

// Message is the change as it goes over the bus.
func (c Change) Message() (subject string, data []byte) {
	return changedSubject + strconv.FormatInt(c.AccountID, 10), fmt.Append(nil, c.FillID, c.OrderID, c.CallID, c.From)
}

// ReadChange reads a message of the bus.
func ReadChange(subject string, data []byte) (c Change, err error) {
	if c.AccountID, err = strconv.ParseInt(subject[min(len(changedSubject), len(subject)):], 10, 64); err != nil {
		return c, fmt.Errorf("event %q: %w", subject, err)
	}
	parts := strings.Fields(string(data))
	if len(parts) != 4 {
		return c, fmt.Errorf("event %q: %d parts", subject, len(parts))
	}
	for i, into := range []*int64{&c.FillID, &c.OrderID, &c.CallID, &c.From} {
		if *into, err = strconv.ParseInt(parts[i], 10, 64); err != nil {
			return c, fmt.Errorf("event %q: %w", subject, err)
		}
	}
	return c, nil
}

// slipped tells whether price is worse for side than the one seen, by more than the tolerance.
func slipped(side Side, price, seen int64, bps int) bool {
	if seen == 0 {
		return false
	}
	worse := price - seen
	if side == Sell {
		worse = -worse
	}
	limit, err := money.MulDiv(seen, int64(bps), 10_000, money.Down)
	return err != nil || worse > limit
}

func checkSlippage(p market.Product, side Side, price, seen int64, bps int) error {
	if bps < 0 || bps > maxSlippageBps {
		return errs.Field("slippageBps", "field.range")
	}
	if slipped(side, price, seen, bps) {
		return ErrSlippage.With("price", p.FormatPrice(price))
	}
	return nil
}

package api

import (
	"candor/app/wire"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// FindProductList returns every product with its latest price.
func (srv *Server) FindProductList(c *echo.Context) error {
	out := []wire.Product{}
	for _, p := range srv.Market.Products() {
		out = append(out, srv.toProduct(p))
	}
	return srv.reply(c, out)
}

func (srv *Server) toProduct(p market.Product) wire.Product {
	out := wire.Product{
		ProductId: p.ID, ProductNo: p.Symbol, ProductName: p.Name, Type: wire.ProductType(p.Class), Base: p.Base, Quote: p.Quote, Point: p.Point,
		Multiple: p.Multiple, ContractSize: p.ContractSize, LotMin: wire.Lots(p.LotMin), LotStep: wire.Lots(p.LotStep), LotMax: wire.Lots(p.LotMax),
		MarginModel: wire.ProductMarginModel(p.MarginModel), HedgedRatio: money.Trim(int64(p.HedgedRatioBps), 4),
		CommissionPerLot: wire.USDT(p.CommissionPerLot), CommissionBps: p.CommissionBps, CommissionMin: wire.USDT(p.CommissionMin), StopLevel: p.StopLevel,
		StaleMs: srv.Market.StaleLimit(p).Milliseconds(),
	}
	out.Mode, out.Tiers, out.SpreadMarkup, out.TripleDay = wire.ProductMode(p.Mode), tiersOf(p.Terms), p.SpreadMarkup, p.TripleDay
	out.SwapModel, out.SwapLong, out.SwapShort = wire.ProductSwapModel(p.SwapModel), wire.Lots(p.SwapLong), wire.Lots(p.SwapShort)
	out.Upcoming = srv.upcoming(p)
	out.Conversion, out.MarginConversion = srv.conversions(p)
	q, ok := srv.Market.Newest(p.ID)
	if !ok {
		return out
	}
	f := srv.Market.Figures(p.ID)
	text := func(v int64) *string { s := p.FormatPrice(v); return &s }
	out.LastPrice, out.SellPrice, out.BuyPrice, out.Spread = text(q.Bid), text(q.Bid), text(q.Ask), text(q.Ask-q.Bid)
	out.Open24Hours, out.Close24Hours, out.High24Hours, out.Low24Hours = text(f.Open), text(f.Close), text(f.High), text(f.Low)
	return out
}

func tiersOf(t market.Terms) []wire.MarginTier {
	out := []wire.MarginTier{}
	for _, tier := range t.MarginTiers() {
		one := wire.MarginTier{Leverage: tier.Leverage}
		if tier.UpTo != math.MaxInt64 {
			upTo := wire.Lots(tier.UpTo)
			one.UpTo = &upTo
		}
		out = append(out, one)
	}
	return out
}

// upcoming returns the scheduled terms of a product and their effective time.
func (srv *Server) upcoming(p market.Product) *wire.UpcomingTerms {
	versions, err := srv.Market.Terms(p.ID)
	if err != nil {
		return nil
	}
	next, ok := versions.Upcoming(srv.Market.Now())
	if !ok {
		return nil
	}
	out := wire.UpcomingTerms{EffectiveAt: next.EffectiveAt.UnixMilli(), Changes: []wire.TermChange{}}
	for _, change := range p.Terms.Changes(next) {
		out.Changes = append(out.Changes, wire.TermChange{Term: wire.TermChangeTerm(change.Name), Before: change.Before, After: change.After})
	}
	return &out
}

// conversions lets the app estimate a product's amounts; only the engine's are binding.
func (srv *Server) conversions(p market.Product) (profit, margin wire.Conversion) {
	profit = srv.toConversion(p.Quote)
	if p.MarginModel == market.ForexMargin {
		return profit, srv.toConversion(p.Base)
	}
	return profit, profit
}

func (srv *Server) toConversion(currency string) wire.Conversion {
	p, inverse, ok := srv.Trading.Conversion(currency)
	if !ok {
		return wire.Conversion{}
	}
	return wire.Conversion{ProductId: p.ID, Inverse: inverse, Point: p.Point}
}

// lots and usdt format units of 10^-6.

// GetPreheatedProductList returns the most traded products.
func (srv *Server) GetPreheatedProductList(c *echo.Context) error {
	return srv.reply(c, srv.preheated())
}

func (srv *Server) preheated() []int { return srv.Market.Hot() }

const maxDayLines = 100

// Fp24hp returns 24-hour lines.
func (srv *Server) Fp24hp(c *echo.Context, params wire.Fp24hpParams) error {
	parts := strings.Split(params.ProductNolist, ",")
	if len(parts) > maxDayLines {
		return errs.Field("productNolist", "field.range")
	}
	out := []wire.DayLine{}
	for _, part := range parts {
		id, err := strconv.Atoi(part)
		if err != nil {
			return errs.Field("productNolist", "field.number")
		}
		p, err := srv.Market.Product(id)
		if err != nil {
			return err
		}
		f := srv.Market.Figures(id)
		line := make([]string, len(f.Line))
		for i, v := range f.Line {
			line[i] = p.FormatPrice(v)
		}
		out = append(out, wire.DayLine{
			ProductId: id, Open: p.FormatPrice(f.Open), High: p.FormatPrice(f.High), Low: p.FormatPrice(f.Low), Close: p.FormatPrice(f.Close), Line: line,
		})
	}
	return srv.reply(c, out)
}

var periods = map[wire.FindKlineParamsPeriod]int{"1m": 60, "5m": 300, "15m": 900, "30m": 1_800, "1h": 3_600, "4h": 14_400, "1d": 86_400, "1w": 604_800}

// FindKline returns a page of candles.
func (srv *Server) FindKline(c *echo.Context, params wire.FindKlineParams) error {
	period, ok := periods[params.Period]
	if !ok {
		return errs.Field("period", "field.choice")
	}
	size := 300
	if params.Size != nil {
		size = *params.Size
	}
	if size < 1 || size > market.KlineLimit {
		return errs.Field("size", "field.range")
	}
	var before time.Time
	if params.EndTime != nil {
		before = time.UnixMilli(*params.EndTime)
	}
	p, err := srv.Market.Product(params.ProductId)
	if err != nil {
		return err
	}
	candles, err := srv.Market.Klines(c.Request().Context(), p.ID, period, before, size)
	if err != nil {
		return err
	}
	out := make([]wire.Kline, len(candles))
	for i, k := range candles {
		out[i] = wire.Kline{
			Time: k.StartMS, Open: p.FormatPrice(k.Open), High: p.FormatPrice(k.High), Low: p.FormatPrice(k.Low), Close: p.FormatPrice(k.Close), Volume: k.Ticks,
		}
	}
	return srv.reply(c, out)
}

// GetMarketStatus returns market time, the feed and every product's state.
func (srv *Server) GetMarketStatus(c *echo.Context) error {
	batch, sealed := srv.Market.TapeEnd()
	out := wire.MarketStatus{
		ServerTime: srv.now().UnixMilli(), MarketTime: srv.Market.Now().UnixMilli(), Feed: wire.MarketStatusFeed(srv.Market.FeedName()),
		TapeBatch: batch, TapeSealedAt: sealed.UnixMilli(), Products: []wire.ProductStatus{},
	}
	for _, p := range srv.Market.Products() {
		s, err := srv.Market.Status(p.ID)
		if err != nil {
			return err
		}
		out.Products = append(out.Products, wire.ProductStatus{ProductId: p.ID, Open: s.Open, Until: wire.Milliseconds(s.Until), Halted: s.Halted, Stale: s.Stale})
	}
	return srv.reply(c, out)
}

// FindTimeTrade returns a product's trading hours.
func (srv *Server) FindTimeTrade(c *echo.Context, params wire.FindTimeTradeParams) error {
	p, err := srv.Market.Product(params.ProductId)
	if err != nil {
		return err
	}
	s, err := srv.Market.Status(p.ID)
	if err != nil {
		return err
	}
	out := wire.TradingTimes{ProductId: p.ID, Open: s.Open, Until: wire.Milliseconds(s.Until), Intervals: []wire.Interval{}}
	for _, i := range srv.Market.Week(p) {
		out.Intervals = append(out.Intervals, wire.Interval{Open: i.From.UnixMilli(), Close: i.Until.UnixMilli()})
	}
	return srv.reply(c, out)
}

// milliseconds converts a time to the wire; nil for the zero time.

package api

import (
	"candor/app/wire"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/platform/seal"
	"candor/app/trading"
	"candor/app/trading/proof"
)

// FindReceipt returns the proof of a fill.
func (srv *Server) FindReceipt(c *echo.Context, params wire.FindReceiptParams) error {
	r, err := srv.Proofs.Receipt(c.Request().Context(), principal(c).AccountID, params.FillId)
	if err != nil {
		return err
	}
	return srv.reply(c, receiptOf(r, hex.EncodeToString(srv.config.PublicKey)))
}

// FindChargeReceipt returns the proof of a swap or dividend.
func (srv *Server) FindChargeReceipt(c *echo.Context, params wire.FindChargeReceiptParams) error {
	r, err := srv.Proofs.ChargeReceipt(c.Request().Context(), principal(c).AccountID, params.ChargeId)
	if err != nil {
		return err
	}
	return srv.reply(c, chargeReceiptOf(r, hex.EncodeToString(srv.config.PublicKey)))
}

// quoteReach is how many quotes a receipt draws before and after its own.
const quoteReach = 20

// FindQuoteList returns the quotes of the tape around one of them.
func (srv *Server) FindQuoteList(c *echo.Context, params wire.FindQuoteListParams) error {
	p, err := srv.Market.Product(params.ProductId)
	if err != nil {
		return err
	}
	quotes, err := srv.Market.QuotesAround(c.Request().Context(), p.ID, params.Seq, quoteReach)
	if err != nil {
		return err
	}
	out := make([]wire.TapeQuote, len(quotes))
	for i, q := range quotes {
		out[i] = wire.TapeQuote{Seq: q.Seq, Time: q.AtMS, Bid: p.FormatPrice(q.Bid), Ask: p.FormatPrice(q.Ask)}
	}
	return srv.reply(c, out)
}

func chargeReceiptOf(r proof.ChargeReceipt, publicKey string) wire.ChargeReceipt {
	out := wire.ChargeReceipt{
		Format: wire.CandorChargeReceipt1, PublicKey: publicKey, Charge: sealedChargeOf(r.Charge), Fills: make([]wire.SealedFill, len(r.Fills)),
		Quote: maybeProved(r.Quote), Conversion: maybeProved(r.Conversion),
	}
	for i, f := range r.Fills {
		out.Fills[i] = sealedOf(f)
	}
	return out
}

func sealedChargeOf(c proof.ProvedCharge) wire.SealedCharge {
	p := c.Product
	out := wire.SealedCharge{
		ChargeId: c.ID, Kind: wire.SealedChargeKind(c.Kind), PositionId: c.PositionID, AccountId: c.AccountID, Rate: money.Trim(c.Rate, money.Scale), Unit: c.Unit(),
		Day: c.Day.Format(time.DateOnly), Nights: c.Nights, Side: wire.SealedChargeSide(c.Side), Lots: wire.Lots(c.Lots), Price: priceIn(p, c.Price), QuoteSeq: c.QuoteSeq,
		Conversion: conversionOf(c.Converter, c.ConversionSeq, c.ConversionInverse), Amount: wire.USDT(c.Amount), TransactionId: c.TransactionID,
		Time: c.CreatedAt.UnixMilli(), MarketTime: c.AtMS, Salt: hex.EncodeToString(c.Salt[:]),
		Product: wire.ChargedProduct{
			ProductId: p.ID, ProductNo: p.Symbol, Base: p.Base, Quote: p.Quote, Point: p.Point, ContractSize: p.ContractSize, Terms: p.Version,
		},
	}
	if c.Kind == trading.SwapCharge {
		model := wire.ChargedProductSwapModel(p.SwapModel)
		out.Product.SwapModel = &model
	}
	out.Head, out.Path = proofPosition(c.Proof)
	return out
}

// priceIn formats a price with its product's decimals; nil without one.
func priceIn(p market.Product, v *int64) *string {
	if v == nil {
		return nil
	}
	text := p.FormatPrice(*v)
	return &text
}

func receiptOf(r proof.Receipt, publicKey string) wire.Receipt {
	out := wire.Receipt{
		Format: wire.CandorReceipt1, PublicKey: publicKey, Fill: sealedOf(r.Fill), Earlier: make([]wire.SealedFill, len(r.Earlier)), Quote: provedOf(r.Quote),
		Best: maybeProved(r.Best), Conversion: maybeProved(r.Conversion), MarginConversion: maybeProved(r.Margin),
	}
	for i, f := range r.Earlier {
		out.Earlier[i] = sealedOf(f)
	}
	if r.By != nil {
		by := sealedOf(*r.By)
		out.ByFill = &by
	}
	if r.Held != nil {
		held := make([]wire.ProvedQuote, len(r.Held))
		for i, q := range r.Held {
			held[i] = provedOf(q)
		}
		out.Held = &held
	}
	return out
}

// snapshotOf is the account at a stop-out; nil for any other fill.
func snapshotOf(f proof.SealedFill) *wire.Standing {
	snap := f.Snapshot
	if snap == nil {
		return nil
	}
	out := wire.Standing{
		Worth: wire.USDT(snap.Worth), Positions: make([]wire.StoodPosition, len(snap.Positions)),
		Call: wire.StandingCall{MarginCallId: snap.Call.ID, Equity: wire.USDT(snap.Call.Equity), UsedMargin: wire.USDT(snap.Call.UsedMargin), Time: snap.Call.TimeMS, MarketTime: snap.Call.AtMS},
	}
	for i, h := range snap.Positions {
		p := f.Held[i].Product
		out.Positions[i] = wire.StoodPosition{
			PositionId: h.PositionID, Side: wire.StoodPositionSide(h.Side), Lots: wire.Lots(h.Lots), OpenValue: money.Trim(h.OpenValue, money.Scale+p.Point), Leverage: h.Leverage,
			Margin: wire.USDT(h.Margin), Price: p.FormatPrice(h.Price), QuoteSeq: h.QuoteSeq, Profit: wire.USDT(h.Profit), Skipped: h.Skipped,
			Conversion: conversionOf(f.Held[i].Converter, h.ConversionSeq, h.ConversionInverse),
			Product: wire.StoodProduct{
				ProductId: p.ID, ProductNo: p.Symbol, Base: p.Base, Quote: p.Quote, Point: p.Point, ContractSize: p.ContractSize, Terms: p.Version,
				HedgedRatioBps: p.HedgedRatioBps,
			},
		}
		if p.Tiers != "" {
			out.Positions[i].Product.Tiers = &p.Tiers
		}
	}
	return &out
}

func sealedOf(f proof.ProvedFill) wire.SealedFill {
	p := f.Product
	out := wire.SealedFill{
		FillId: f.ID, OrderId: f.OrderID, PositionId: f.PositionID, AccountId: f.AccountID, Side: wire.SealedFillSide(f.Side), Entry: wire.SealedFillEntry(f.Entry),
		Rule: wire.SealedFillRule(f.Rule), Lots: wire.Lots(f.Lots), Price: p.FormatPrice(f.Price), QuoteSeq: f.QuoteSeq, BestSeq: f.BestSeq, TrailSinceSeq: f.TrailSince, OpenPrice: priceIn(p, f.OpenPrice),
		LimitPrice: priceIn(p, f.LimitPrice), ByPositionId: f.ByPosition, Leverage: f.Leverage, Margin: wire.USDT(f.Fill.Margin), Commission: wire.USDT(f.Commission),
		Profit: wire.USDT(f.Profit), TransactionId: f.TransactionID, EquityBefore: wire.USDT(f.Equity), UsedBefore: wire.USDT(f.UsedMargin), Standing: snapshotOf(f.SealedFill),
		Time: f.CreatedAt.UnixMilli(), MarketTime: f.AtMS, Salt: hex.EncodeToString(f.Salt[:]),
		Product: wire.ReceiptProduct{
			ProductId: p.ID, ProductNo: p.Symbol, Base: p.Base, Quote: p.Quote, Point: p.Point, ContractSize: p.ContractSize,
			MarginModel: wire.ReceiptProductMarginModel(p.MarginModel), Terms: p.Version, CommissionPerLot: wire.USDT(p.CommissionPerLot), CommissionBps: p.CommissionBps, CommissionMin: wire.USDT(p.CommissionMin),
		},
		Conversion:       conversionOf(f.Converter, f.ConversionSeq, f.ConversionInverse),
		MarginConversion: conversionOf(f.MarginConversion, f.MarginSeq, f.MarginInverse),
	}
	if f.OpenValue != nil {
		value := money.Trim(*f.OpenValue, money.Scale+p.Point)
		out.OpenValue = &value
	}
	out.Head, out.Path = proofPosition(f.Proof)
	return out
}

func conversionOf(p *market.Product, seq *int64, inverse bool) *wire.ReceiptConversion {
	if p == nil {
		return nil
	}
	return &wire.ReceiptConversion{ProductId: p.ID, ProductNo: p.Symbol, Base: p.Base, Quote: p.Quote, Point: p.Point, Seq: *seq, Inverse: inverse}
}

func maybeProved(q *proof.ProvedQuote) *wire.ProvedQuote {
	if q == nil {
		return nil
	}
	out := provedOf(*q)
	return &out
}

func provedOf(q proof.ProvedQuote) wire.ProvedQuote {
	out := wire.ProvedQuote{
		ProductId: q.Quote.ProductID, ProductNo: q.Product.Symbol, Point: q.Product.Point, Seq: q.Quote.Seq, Bid: q.Product.FormatPrice(q.Quote.Bid),
		Ask: q.Product.FormatPrice(q.Quote.Ask), Time: q.Quote.AtMS, SourceTime: q.Quote.SourceMS, Source: q.Quote.Source,
	}
	out.Head, out.Path = proofPosition(q.Proof)
	return out
}

// proofPosition is a position in a chain: the head and the path; both are nil until the leaf is sealed.
func proofPosition(p *audit.Proof) (*wire.SealedHead, *[]wire.PathStep) {
	if p == nil {
		return nil, nil
	}
	head, path := headOf(p.Head), make([]wire.PathStep, len(p.Path))
	for i, step := range p.Path {
		path[i] = wire.PathStep{Left: step.Left, Hash: hex.EncodeToString(step.Hash[:])}
	}
	return &head, &path
}

func headOf(h seal.Head) wire.SealedHead {
	return wire.SealedHead{
		Batch: h.Batch, Previous: hex.EncodeToString(h.Previous[:]), Root: hex.EncodeToString(h.Root[:]), Count: h.Count, SealedAt: h.SealedAt.UnixMilli(),
		Hash: hex.EncodeToString(h.Hash[:]), Signature: hex.EncodeToString(h.Signature),
	}
}

// chains are the head tables of the public chains.
var chains = map[wire.FindHeadPageParamsChain]string{wire.FindHeadPageParamsChainTape: market.TapeHeads, wire.FindHeadPageParamsChainFills: proof.FillHeads, wire.FindHeadPageParamsChainCharges: proof.ChargeHeads, wire.FindHeadPageParamsChainTerms: market.TermsHeads}

const (
	headPage     = 20
	newestMaxAge = 1      // seconds: the interval at which the tape is sealed
	olderMaxAge  = 86_400 // heads before a given batch never change
)

// FindHeadPage returns the signed heads of a chain.
func (srv *Server) FindHeadPage(c *echo.Context, params wire.FindHeadPageParams) error {
	table, ok := chains[params.Chain]
	if !ok {
		return errs.Field("chain", "field.choice")
	}
	size, before, maxAge := headPage, int64(0), newestMaxAge
	if params.Size != nil {
		size = *params.Size
	}
	if size < 1 || size > 100 {
		return errs.Field("size", "field.range")
	}
	if params.Next != nil {
		if before, maxAge = *params.Next, olderMaxAge; before < 1 {
			return errs.Field("next", "field.range")
		}
	}
	heads, err := audit.Heads(c.Request().Context(), srv.Ledger, table, before, size)
	if err != nil {
		return err
	}
	out := wire.HeadPage{PublicKey: hex.EncodeToString(srv.config.PublicKey), List: make([]wire.SealedHead, len(heads))}
	for i, head := range heads {
		out.List[i] = headOf(head)
	}
	if len(heads) == size {
		out.Next = &heads[size-1].Batch
	}
	c.Response().Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", maxAge))
	return srv.reply(c, out)
}

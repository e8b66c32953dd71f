package api

import (
	"encoding/hex"
	"fmt"

	"github.com/labstack/echo/v5"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/platform/seal"
	"candor/app/trading"
)

// FindReceipt answers the proof of a fill.
func (d *Door) FindReceipt(c *echo.Context, params FindReceiptParams) error {
	r, err := d.Trading.Receipt(c.Request().Context(), d.Market, principal(c).AccountID, params.FillId)
	if err != nil {
		return err
	}
	return d.reply(c, receiptOf(r, hex.EncodeToString(d.config.PublicKey)))
}

func receiptOf(r trading.Receipt, publicKey string) Receipt {
	out := Receipt{
		Format: CandorReceipt1, PublicKey: publicKey, Fill: sealedOf(r.Fill), Earlier: make([]SealedFill, len(r.Earlier)), Quote: provedOf(r.Quote),
		Best: maybeProved(r.Best), Conversion: maybeProved(r.Conversion), MarginConversion: maybeProved(r.Margin),
	}
	for i, f := range r.Earlier {
		out.Earlier[i] = sealedOf(f)
	}
	if r.By != nil {
		by := sealedOf(*r.By)
		out.ByFill = &by
	}
	return out
}

func sealedOf(f trading.ProvedFill) SealedFill {
	p := f.Product
	price := func(v *int64) *string {
		if v == nil {
			return nil
		}
		text := p.FormatPrice(*v)
		return &text
	}
	out := SealedFill{
		FillId: f.ID, OrderId: f.OrderID, PositionId: f.PositionID, AccountId: f.AccountID, Side: SealedFillSide(f.Side), Entry: SealedFillEntry(f.Entry),
		Rule: SealedFillRule(f.Rule), Lots: lots(f.Lots), Price: p.FormatPrice(f.Price), QuoteSeq: f.QuoteSeq, BestSeq: f.BestSeq, TrailSinceSeq: f.TrailSince, OpenPrice: price(f.OpenPrice),
		LimitPrice: price(f.LimitPrice), ByPositionId: f.ByPosition, Leverage: f.Leverage, Margin: usdt(f.Fill.Margin), Commission: usdt(f.Commission),
		Profit: usdt(f.Profit), TransactionId: f.TransactionID, EquityBefore: usdt(f.Equity), UsedBefore: usdt(f.UsedMargin),
		Time: f.CreatedAt.UnixMilli(), MarketTime: f.AtMS, Salt: hex.EncodeToString(f.Salt[:]),
		Product: ReceiptProduct{
			ProductId: p.ID, ProductNo: p.Symbol, Base: p.Base, Quote: p.Quote, Point: p.Point, ContractSize: p.ContractSize,
			MarginModel: ReceiptProductMarginModel(p.MarginModel), Terms: p.Version, CommissionPerLot: usdt(p.CommissionPerLot), CommissionBps: p.CommissionBps, CommissionMin: usdt(p.CommissionMin),
		},
		Conversion:       conversionOf(f.Converter, f.ConversionSeq, f.ConversionInverse),
		MarginConversion: conversionOf(f.MarginConversion, f.MarginSeq, f.MarginInverse),
	}
	if f.OpenValue != nil {
		value := money.Trim(*f.OpenValue, money.Scale+p.Point)
		out.OpenValue = &value
	}
	out.Head, out.Path = placeOfProof(f.Proof)
	return out
}

func conversionOf(p *market.Product, seq *int64, inverse bool) *ReceiptConversion {
	if p == nil {
		return nil
	}
	return &ReceiptConversion{ProductId: p.ID, ProductNo: p.Symbol, Base: p.Base, Quote: p.Quote, Point: p.Point, Seq: *seq, Inverse: inverse}
}

func maybeProved(q *trading.ProvedQuote) *ProvedQuote {
	if q == nil {
		return nil
	}
	out := provedOf(*q)
	return &out
}

func provedOf(q trading.ProvedQuote) ProvedQuote {
	out := ProvedQuote{
		ProductId: q.Quote.ProductID, ProductNo: q.Product.Symbol, Point: q.Product.Point, Seq: q.Quote.Seq, Bid: q.Product.FormatPrice(q.Quote.Bid),
		Ask: q.Product.FormatPrice(q.Quote.Ask), Time: q.Quote.AtMS, SourceTime: q.Quote.SourceMS, Source: q.Quote.Source,
	}
	out.Head, out.Path = placeOfProof(q.Proof)
	return out
}

// placeOfProof is a place in a chain; both parts are absent before there is one.
func placeOfProof(p *audit.Proof) (*SealedHead, *[]PathStep) {
	if p == nil {
		return nil, nil
	}
	head, path := headOf(p.Head), make([]PathStep, len(p.Path))
	for i, step := range p.Path {
		path[i] = PathStep{Left: step.Left, Hash: hex.EncodeToString(step.Hash[:])}
	}
	return &head, &path
}

func headOf(h seal.Head) SealedHead {
	return SealedHead{
		Batch: h.Batch, Previous: hex.EncodeToString(h.Previous[:]), Root: hex.EncodeToString(h.Root[:]), Count: h.Count, SealedAt: h.SealedAt.UnixMilli(),
		Hash: hex.EncodeToString(h.Hash[:]), Signature: hex.EncodeToString(h.Signature),
	}
}

// chains are the tables of the public chains' heads.
var chains = map[FindHeadPageParamsChain]string{Tape: market.TapeHeads, Fills: trading.FillHeads}

const (
	headPage     = 20
	newestMaxAge = 1      // seconds: how often the tape is sealed
	olderMaxAge  = 86_400 // heads before a given batch stay what they are
)

// FindHeadPage answers the signed heads of a chain.
func (d *Door) FindHeadPage(c *echo.Context, params FindHeadPageParams) error {
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
	heads, err := audit.Heads(c.Request().Context(), d.Ledger, table, before, size)
	if err != nil {
		return err
	}
	out := HeadPage{PublicKey: hex.EncodeToString(d.config.PublicKey), List: make([]SealedHead, len(heads))}
	for i, head := range heads {
		out.List[i] = headOf(head)
	}
	if len(heads) == size {
		out.Next = &heads[size-1].Batch
	}
	c.Response().Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", maxAge))
	return d.reply(c, out)
}

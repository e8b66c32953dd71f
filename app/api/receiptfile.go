package api

import (
	"bytes"
	"candor/app/wire"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/platform/seal"
	"candor/app/trading"
	"candor/app/trading/proof"
)

// maxPoint is the highest number of decimals of a price.
const maxPoint = 10

// Checkable is a receipt of either kind, which recomputes itself.
type Checkable interface {
	Check(key ed25519.PublicKey) []proof.Finding
}

// ReadReceipt reads a receipt file of either kind. It returns the receipt, its subject, and the key that it names as its seal's. The error states in plain
// words why the file is not a receipt; Check verifies the content.
func ReadReceipt(raw []byte) (receipt Checkable, about string, key ed25519.PublicKey, err error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	var kind struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(raw, &kind); err != nil {
		return nil, "", nil, invalidReceipt(err)
	}
	switch kind.Format {
	case string(wire.CandorReceipt1):
		r, key, err := ReadFillReceipt(raw)
		return r, fmt.Sprint("fill ", r.Fill.ID), key, err
	case string(wire.CandorChargeReceipt1):
		r, key, err := ReadChargeReceipt(raw)
		return r, fmt.Sprint("charge ", r.Charge.ID), key, err
	}
	return nil, "", nil, fmt.Errorf("its format is %q; this program reads %q and %q", kind.Format, wire.CandorReceipt1, wire.CandorChargeReceipt1)
}

func invalidReceipt(err error) error { return fmt.Errorf("it is not the JSON of a receipt: %w", err) }

// ReadFillReceipt reads the receipt of a fill, as ReadReceipt does.
func ReadFillReceipt(raw []byte) (proof.Receipt, ed25519.PublicKey, error) {
	var in wire.Receipt
	if err := json.Unmarshal(raw, &in, json.RejectUnknownMembers(true)); err != nil {
		return proof.Receipt{}, nil, invalidReceipt(err)
	}
	var r receiptReader
	if !in.Format.Valid() {
		r.fail("format", "not that of a fill's receipt")
	}
	key := r.bytes("publicKey", in.PublicKey, ed25519.PublicKeySize)
	return r.receipt(in), key, r.err
}

// ReadChargeReceipt reads the receipt of a swap or dividend, as ReadReceipt does.
func ReadChargeReceipt(raw []byte) (proof.ChargeReceipt, ed25519.PublicKey, error) {
	var in wire.ChargeReceipt
	if err := json.Unmarshal(raw, &in, json.RejectUnknownMembers(true)); err != nil {
		return proof.ChargeReceipt{}, nil, invalidReceipt(err)
	}
	var r receiptReader
	if !in.Format.Valid() {
		r.fail("format", "not that of a charge's receipt")
	}
	key := r.bytes("publicKey", in.PublicKey, ed25519.PublicKeySize)
	return r.chargeReceipt(in), key, r.err
}

// receiptReader parses the file's values and records the first error.
type receiptReader struct{ err error }

func (r *receiptReader) fail(name, what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s is %s", name, what)
	}
}

func (r *receiptReader) bytes(name, text string, size int) []byte {
	out, err := hex.DecodeString(text)
	if err != nil || len(out) != size || hex.EncodeToString(out) != text {
		r.fail(name, fmt.Sprintf("not %d bytes in hex", size))
		return make([]byte, size)
	}
	return out
}

func (r *receiptReader) decimal(name, text string, scale int) int64 {
	v, err := money.Parse(text, scale)
	if err != nil {
		r.fail(name, fmt.Sprintf("not a decimal number with up to %d decimals: %q", scale, text))
	}
	return v
}

func (r *receiptReader) price(name, text string, point int) int64 {
	v := r.decimal(name, text, point)
	if v <= 0 && r.err == nil {
		r.fail(name, "not above zero")
	}
	return v
}

func (r *receiptReader) maybePrice(name string, text *string, point int) *int64 {
	if text == nil {
		return nil
	}
	v := r.price(name, *text, point)
	return &v
}

func (r *receiptReader) point(name string, v int) int {
	if v < 0 || v > maxPoint {
		r.fail(name, fmt.Sprintf("not between 0 and %d", maxPoint))
		return 0
	}
	return v
}

func (r *receiptReader) receipt(in wire.Receipt) (out proof.Receipt) {
	if in.Earlier == nil {
		r.fail("earlier", "missing")
	}
	out.Fill = r.fill("fill", in.Fill)
	for i, f := range in.Earlier {
		out.Earlier = append(out.Earlier, r.fill(fmt.Sprintf("earlier[%d]", i), f))
	}
	if in.ByFill != nil {
		by := r.fill("byFill", *in.ByFill)
		out.By = &by
	}
	out.Quote = *r.quote("quote", &in.Quote)
	out.Best, out.Conversion, out.Margin = r.quote("best", in.Best), r.quote("conversion", in.Conversion), r.quote("marginConversion", in.MarginConversion)
	if in.Held != nil {
		for i, q := range *in.Held {
			out.Held = append(out.Held, *r.quote(fmt.Sprintf("held[%d]", i), &q))
		}
	}
	if (in.Held == nil) != (in.Fill.Standing == nil) {
		r.fail("held", "not of how the account stood")
	}
	return out
}

func (r *receiptReader) chargeReceipt(in wire.ChargeReceipt) (out proof.ChargeReceipt) {
	if in.Fills == nil {
		r.fail("fills", "missing")
	}
	out.Charge = r.charge("charge", in.Charge)
	for i, f := range in.Fills {
		out.Fills = append(out.Fills, r.fill(fmt.Sprintf("fills[%d]", i), f))
	}
	out.Quote, out.Conversion = r.quote("quote", in.Quote), r.quote("conversion", in.Conversion)
	return out
}

func (r *receiptReader) charge(name string, in wire.SealedCharge) (c proof.ProvedCharge) {
	p := in.Product
	c.Product = market.Product{
		ID: p.ProductId, Symbol: p.ProductNo, Base: p.Base, Quote: p.Quote, Point: r.point(name+".product.point", p.Point), ContractSize: p.ContractSize,
		Terms: market.Terms{Version: p.Terms},
	}
	swap := in.Kind == wire.SealedChargeKindSwap
	if !in.Kind.Valid() || !in.Side.Valid() || p.ContractSize < 1 || swap != (p.SwapModel != nil) || swap && !p.SwapModel.Valid() {
		r.fail(name, "without a kind, side, contract size or swap model that there is")
	} else if swap {
		c.Product.SwapModel = market.SwapModel(*p.SwapModel)
	}
	day, err := time.Parse(time.DateOnly, in.Day)
	if err != nil {
		r.fail(name+".day", "not a date")
	}
	c.Charge = trading.Charge{
		ID: in.ChargeId, Kind: trading.ChargeKind(in.Kind), PositionID: in.PositionId, AccountID: in.AccountId, ProductID: p.ProductId, Terms: p.Terms, Day: day,
		Nights: in.Nights, Side: trading.Side(in.Side), Lots: r.price(name+".lots", in.Lots, money.Scale), Rate: r.decimal(name+".rate", in.Rate, money.Scale),
		Price: r.maybePrice(name+".price", in.Price, c.Product.Point), QuoteSeq: in.QuoteSeq, Amount: r.decimal(name+".amount", in.Amount, money.Scale),
		TransactionID: in.TransactionId, CreatedAt: time.UnixMilli(in.Time).UTC(), AtMS: in.MarketTime,
	}
	if c.Unit() != in.Unit {
		r.fail(name+".unit", "not that of its rate")
	}
	copy(c.Salt[:], r.bytes(name+".salt", in.Salt, len(c.Salt)))
	if by := in.Conversion; by != nil {
		c.Converter, c.ConversionProduct, c.ConversionSeq, c.ConversionInverse = r.converter(name+".conversion", *by), &by.ProductId, &by.Seq, by.Inverse
	}
	c.Proof = r.proof(name, in.Head, in.Path)
	return c
}

// snapshot reads the account at a stop-out.
func (r *receiptReader) snapshot(name string, in wire.Standing, f *proof.SealedFill) {
	snap := &trading.StopOutSnapshot{Worth: r.decimal(name+".worth", in.Worth, money.Scale), Call: trading.Warned{
		ID: in.Call.MarginCallId, Equity: r.decimal(name+".call.equity", in.Call.Equity, money.Scale),
		UsedMargin: r.decimal(name+".call.usedMargin", in.Call.UsedMargin, money.Scale), TimeMS: in.Call.Time, AtMS: in.Call.MarketTime,
	}}
	if in.Positions == nil {
		r.fail(name+".positions", "missing")
	}
	for i, h := range in.Positions {
		name, p := fmt.Sprintf("%s.positions[%d]", name, i), h.Product
		if !h.Side.Valid() || h.Leverage < 1 || p.ContractSize < 1 {
			r.fail(name, "without a side, leverage or contract size that there is")
		}
		of := proof.HeldProduct{Product: market.Product{
			ID: p.ProductId, Symbol: p.ProductNo, Base: p.Base, Quote: p.Quote, Point: r.point(name+".product.point", p.Point), ContractSize: p.ContractSize,
			Terms: market.Terms{Version: p.Terms, Tiers: valueOrZero(p.Tiers), HedgedRatioBps: p.HedgedRatioBps},
		}}
		stood := trading.SnapshotPosition{
			PositionID: h.PositionId, ProductID: p.ProductId, Terms: p.Terms, Side: trading.Side(h.Side), Lots: r.price(name+".lots", h.Lots, money.Scale),
			OpenValue: r.price(name+".openValue", h.OpenValue, money.Scale+of.Product.Point), Leverage: h.Leverage, Margin: r.decimal(name+".margin", h.Margin, money.Scale),
			Price: r.price(name+".price", h.Price, of.Product.Point), QuoteSeq: h.QuoteSeq, Profit: r.decimal(name+".profit", h.Profit, money.Scale), Skipped: h.Skipped,
		}
		if c := h.Conversion; c != nil {
			of.Converter, stood.ConversionProduct, stood.ConversionSeq, stood.ConversionInverse = r.converter(name+".conversion", *c), &c.ProductId, &c.Seq, c.Inverse
		}
		snap.Positions, f.Held = append(snap.Positions, stood), append(f.Held, of)
	}
	f.Snapshot = snap
}

func (r *receiptReader) fill(name string, in wire.SealedFill) (f proof.ProvedFill) {
	f.Product = r.product(name+".product", in.Product)
	point := f.Product.Point
	if !in.Side.Valid() || !in.Entry.Valid() || !in.Rule.Valid() || in.Leverage < 1 {
		r.fail(name, "without a side, entry, rule or leverage that there is")
	}
	f.Fill = trading.Fill{
		ID: in.FillId, OrderID: in.OrderId, PositionID: in.PositionId, AccountID: in.AccountId, ProductID: in.Product.ProductId, Side: trading.Side(in.Side),
		Entry: string(in.Entry), Rule: trading.Rule(in.Rule), Lots: r.price(name+".lots", in.Lots, money.Scale), Price: r.price(name+".price", in.Price, point),
		QuoteSeq: in.QuoteSeq, OpenPrice: r.maybePrice(name+".openPrice", in.OpenPrice, point), LimitPrice: r.maybePrice(name+".limitPrice", in.LimitPrice, point),
		ByPosition: in.ByPositionId, BestSeq: in.BestSeq, TrailSince: in.TrailSinceSeq, Leverage: in.Leverage, Margin: r.decimal(name+".margin", in.Margin, money.Scale),
		Commission: r.decimal(name+".commission", in.Commission, money.Scale), Profit: r.decimal(name+".profit", in.Profit, money.Scale),
		TransactionID: in.TransactionId, Equity: r.decimal(name+".equityBefore", in.EquityBefore, money.Scale),
		UsedMargin: r.decimal(name+".usedBefore", in.UsedBefore, money.Scale), CreatedAt: time.UnixMilli(in.Time).UTC(), AtMS: in.MarketTime,
	}
	f.Fill.Terms = f.Product.Version
	if in.OpenValue != nil {
		value := r.decimal(name+".openValue", *in.OpenValue, money.Scale+point)
		f.OpenValue = &value
	}
	if in.Standing != nil {
		r.snapshot(name+".standing", *in.Standing, &f.SealedFill)
	}
	copy(f.Salt[:], r.bytes(name+".salt", in.Salt, len(f.Salt)))
	if c := in.Conversion; c != nil {
		f.Converter, f.ConversionProduct, f.ConversionSeq, f.ConversionInverse = r.converter(name+".conversion", *c), &c.ProductId, &c.Seq, c.Inverse
	}
	if c := in.MarginConversion; c != nil {
		f.MarginConversion, f.MarginProduct, f.MarginSeq, f.MarginInverse = r.converter(name+".marginConversion", *c), &c.ProductId, &c.Seq, c.Inverse
	}
	f.Proof = r.proof(name, in.Head, in.Path)
	return f
}

func (r *receiptReader) product(name string, in wire.ReceiptProduct) market.Product {
	if !in.MarginModel.Valid() || in.ContractSize < 1 || in.CommissionBps < 0 {
		r.fail(name, "without a margin model, contract size or commission that there is")
	}
	return market.Product{
		ID: in.ProductId, Symbol: in.ProductNo, Base: in.Base, Quote: in.Quote, Point: r.point(name+".point", in.Point), ContractSize: in.ContractSize,
		MarginModel: market.MarginModel(in.MarginModel),
		Terms: market.Terms{
			Version: in.Terms, CommissionPerLot: r.decimal(name+".commissionPerLot", in.CommissionPerLot, money.Scale),
			CommissionBps: in.CommissionBps, CommissionMin: r.decimal(name+".commissionMin", in.CommissionMin, money.Scale),
		},
	}
}

func (r *receiptReader) converter(name string, in wire.ReceiptConversion) *market.Product {
	return &market.Product{ID: in.ProductId, Symbol: in.ProductNo, Base: in.Base, Quote: in.Quote, Point: r.point(name+".point", in.Point)}
}

func (r *receiptReader) quote(name string, in *wire.ProvedQuote) *proof.ProvedQuote {
	if in == nil {
		return nil
	}
	point := r.point(name+".point", in.Point)
	return &proof.ProvedQuote{
		Product: market.Product{ID: in.ProductId, Symbol: in.ProductNo, Point: point},
		Quote: market.Quote{
			ProductID: in.ProductId, Seq: in.Seq, Bid: r.price(name+".bid", in.Bid, point), Ask: r.price(name+".ask", in.Ask, point),
			AtMS: in.Time, SourceMS: in.SourceTime, Source: in.Source,
		},
		Proof: r.proof(name, in.Head, in.Path),
	}
}

func (r *receiptReader) proof(name string, head *wire.SealedHead, path *[]wire.PathStep) *audit.Proof {
	if head == nil || path == nil {
		return nil
	}
	proof := &audit.Proof{Head: seal.Head{
		Batch: head.Batch, Previous: r.hash(name+".head.previous", head.Previous), Root: r.hash(name+".head.root", head.Root), Count: head.Count,
		SealedAt: time.UnixMilli(head.SealedAt).UTC(), Hash: r.hash(name+".head.hash", head.Hash),
		Signature: r.bytes(name+".head.signature", head.Signature, ed25519.SignatureSize),
	}}
	for i, step := range *path {
		proof.Path = append(proof.Path, seal.Step{Left: step.Left, Hash: r.hash(fmt.Sprintf("%s.path[%d]", name, i), step.Hash)})
	}
	return proof
}

func (r *receiptReader) hash(name, text string) seal.Hash {
	return seal.Hash(r.bytes(name, text, seal.HashSize))
}

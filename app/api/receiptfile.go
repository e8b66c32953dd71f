package api

import (
	"bytes"
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
)

// maxPoint is the most decimals that a price may have.
const maxPoint = 10

// ReadReceipt reads a receipt file and the key that it says it was sealed with. The error says in plain words what is no receipt about it; whether the
// receipt is true is for its Check.
func ReadReceipt(raw []byte) (trading.Receipt, ed25519.PublicKey, error) {
	var in Receipt
	if err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), &in, json.RejectUnknownMembers(true)); err != nil {
		return trading.Receipt{}, nil, fmt.Errorf("it is not the JSON of a receipt: %w", err)
	}
	if !in.Format.Valid() {
		return trading.Receipt{}, nil, fmt.Errorf("its format is %q; this program reads %q", in.Format, CandorReceipt1)
	}
	var r reading
	key := r.bytes("publicKey", in.PublicKey, ed25519.PublicKeySize)
	return r.receipt(in), key, r.err
}

// reading turns the file's words into numbers, and remembers the first that can't be.
type reading struct{ err error }

func (r *reading) wrong(name, what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s is %s", name, what)
	}
}

func (r *reading) bytes(name, text string, size int) []byte {
	out, err := hex.DecodeString(text)
	if err != nil || len(out) != size || hex.EncodeToString(out) != text {
		r.wrong(name, fmt.Sprintf("not %d bytes in hex", size))
		return make([]byte, size)
	}
	return out
}

func (r *reading) decimal(name, text string, scale int) int64 {
	v, err := money.Parse(text, scale)
	if err != nil {
		r.wrong(name, fmt.Sprintf("not a decimal number with up to %d decimals: %q", scale, text))
	}
	return v
}

func (r *reading) price(name, text string, point int) int64 {
	v := r.decimal(name, text, point)
	if v <= 0 && r.err == nil {
		r.wrong(name, "not above zero")
	}
	return v
}

func (r *reading) maybePrice(name string, text *string, point int) *int64 {
	if text == nil {
		return nil
	}
	v := r.price(name, *text, point)
	return &v
}

func (r *reading) point(name string, v int) int {
	if v < 0 || v > maxPoint {
		r.wrong(name, fmt.Sprintf("not between 0 and %d", maxPoint))
		return 0
	}
	return v
}

func (r *reading) receipt(in Receipt) (out trading.Receipt) {
	if in.Earlier == nil {
		r.wrong("earlier", "missing")
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
	return out
}

func (r *reading) fill(name string, in SealedFill) (f trading.ProvedFill) {
	f.Product = r.product(name+".product", in.Product)
	point := f.Product.Point
	if !in.Side.Valid() || !in.Entry.Valid() || !in.Rule.Valid() || in.Leverage < 1 {
		r.wrong(name, "without a side, entry, rule or leverage that there is")
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

func (r *reading) product(name string, in ReceiptProduct) market.Product {
	if !in.MarginModel.Valid() || in.ContractSize < 1 || in.CommissionBps < 0 {
		r.wrong(name, "without a margin model, contract size or commission that there is")
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

func (r *reading) converter(name string, in ReceiptConversion) *market.Product {
	return &market.Product{ID: in.ProductId, Symbol: in.ProductNo, Base: in.Base, Quote: in.Quote, Point: r.point(name+".point", in.Point)}
}

func (r *reading) quote(name string, in *ProvedQuote) *trading.ProvedQuote {
	if in == nil {
		return nil
	}
	point := r.point(name+".point", in.Point)
	return &trading.ProvedQuote{
		Product: market.Product{ID: in.ProductId, Symbol: in.ProductNo, Point: point},
		Quote: market.Quote{
			ProductID: in.ProductId, Seq: in.Seq, Bid: r.price(name+".bid", in.Bid, point), Ask: r.price(name+".ask", in.Ask, point),
			AtMS: in.Time, SourceMS: in.SourceTime, Source: in.Source,
		},
		Proof: r.proof(name, in.Head, in.Path),
	}
}

func (r *reading) proof(name string, head *SealedHead, path *[]PathStep) *audit.Proof {
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

func (r *reading) hash(name, text string) seal.Hash {
	return seal.Hash(r.bytes(name, text, seal.HashSize))
}

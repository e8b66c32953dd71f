package proof

import (
	"context"
	"slices"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/seal"
	"candor/app/trading"
)

// Receipt is the proof of a fill: the fill, the fills that its sums depend on, every quote that it names, and the seals of all of them.
type Receipt struct {
	Fill       ProvedFill
	Earlier    []ProvedFill // of its position, oldest first
	By         *ProvedFill  // the opening fill of the opposite position in a close-by
	Quote      ProvedQuote
	Conversion *ProvedQuote  // the mid that converted profit and commission
	Best       *ProvedQuote  // the best quote that a trailing stop followed
	Margin     *ProvedQuote  // the price that converted the margin
	Held       []ProvedQuote // the quotes of the stop-out snapshot, each once, in the fill's order
}

// ChargeReceipt is the proof of a swap or dividend: the charge, the fills that its lots depend on, the quotes that it names, and the seals of all of them.
type ChargeReceipt struct {
	Charge     ProvedCharge
	Fills      []ProvedFill // of its position before the rollover, oldest first
	Quote      *ProvedQuote // the quote whose price a percentage was taken of
	Conversion *ProvedQuote // the mid that converted the amount
}

// ProvedCharge is a charge with its place in the chain of charges; Proof is nil for the seconds before it is sealed.
type ProvedCharge struct {
	SealedCharge
	Proof *audit.Proof
}

// ProvedFill is a fill with its place in the chain of fills; Proof is nil for the seconds before it is sealed.
type ProvedFill struct {
	SealedFill
	Proof *audit.Proof
}

// ProvedQuote is a quote with its place in the sealed tape; Proof is nil for the second before its batch is sealed.
type ProvedQuote struct {
	Quote   market.Quote
	Product market.Product
	Proof   *audit.Proof
}

// Tape is the part of the market that receipts need.
type Tape interface {
	Products() []market.Product
	Product(id int) (market.Product, error)
	Version(productID, version int) (market.Terms, bool)
	ReadQuote(ctx context.Context, productID int, seq int64) (market.Quote, seal.Head, bool, error)
	Proof(ctx context.Context, q market.Quote) ([]seal.Step, error)
}

// Reader reads receipts from the database and the tape.
type Reader struct {
	pool *db.Pool
	tape Tape
}

// NewReader makes a reader on a pool and the market's tape.
func NewReader(pool *db.Pool, tape Tape) *Reader { return &Reader{pool, tape} }

// Receipt reads the proof of an account's fill. It returns ErrFill for an unknown fill and for another account's.
func (reader *Reader) Receipt(ctx context.Context, accountID, fillID int64) (r Receipt, err error) {
	fills, err := reader.provedFills(ctx, `account_id = $1 AND id <= $2 AND position_id = (SELECT position_id FROM fills WHERE id = $2 AND account_id = $1)`, accountID, fillID)
	if err != nil {
		return r, err
	}
	if len(fills) == 0 {
		return r, trading.ErrFill
	}
	r.Fill, r.Earlier = fills[len(fills)-1], fills[:len(fills)-1]
	if r.Fill.ByPosition != nil {
		by, err := reader.provedFills(ctx, `account_id = $1 AND position_id = $2 AND entry = 'open'`, accountID, *r.Fill.ByPosition)
		if err != nil {
			return r, err
		}
		r.By = &by[0]
	}
	return r, r.proveQuotes(ctx, reader.tape)
}

// ChargeReceipt reads the proof of an account's charge. It returns ErrCharge for an unknown charge and for another account's.
func (reader *Reader) ChargeReceipt(ctx context.Context, accountID, chargeID int64) (r ChargeReceipt, err error) {
	charges, proofs, err := sealedCharges.read(ctx, reader.pool, reader.catalogue(), `account_id = $1 AND id = $2`, accountID, chargeID)
	if err != nil {
		return r, err
	}
	if len(charges) == 0 {
		return r, trading.ErrCharge
	}
	c := charges[0]
	r.Charge = ProvedCharge{c, proofs[0]}
	if r.Fills, err = reader.provedFills(ctx, `account_id = $1 AND position_id = $2 AND at_ms < $3`, accountID, c.PositionID, c.AtMS); err != nil {
		return r, err
	}
	if r.Quote, err = proveQuote(ctx, reader.tape, &c.ProductID, c.QuoteSeq); err != nil {
		return r, err
	}
	r.Conversion, err = proveQuote(ctx, reader.tape, c.ConversionProduct, c.ConversionSeq)
	return r, err
}

func (reader *Reader) catalogue() catalogue {
	return newCatalogue(reader.tape.Products(), reader.tape.Version)
}

// provedFills reads fills with their places in the chain, oldest first.
func (reader *Reader) provedFills(ctx context.Context, where string, args ...any) ([]ProvedFill, error) {
	fills, proofs, err := sealedFills.read(ctx, reader.pool, reader.catalogue(), where, args...)
	if err != nil {
		return nil, err
	}
	out := make([]ProvedFill, len(fills))
	for i, f := range fills {
		out[i] = ProvedFill{f, proofs[i]}
	}
	return out, nil
}

// namedQuote is the sequence of a quote on the tape, and its product as it was sealed.
type namedQuote struct {
	product *market.Product
	seq     int64
}

// snapshotQuotes are the quotes that a stop-out snapshot names, each once.
func snapshotQuotes(f SealedFill) (out []namedQuote) {
	add := func(p *market.Product, seq *int64) {
		if p != nil && seq != nil && !slices.ContainsFunc(out, func(q namedQuote) bool { return q.product.ID == p.ID && q.seq == *seq }) {
			out = append(out, namedQuote{p, *seq})
		}
	}
	for i, of := range f.Held {
		s := f.Snapshot.Positions[i]
		add(&of.Product, &s.QuoteSeq)
		add(of.Converter, s.ConversionSeq)
	}
	return out
}

func (r *Receipt) proveQuotes(ctx context.Context, tape Tape) error {
	f := r.Fill
	quote, err := proveQuote(ctx, tape, &f.ProductID, &f.QuoteSeq)
	if err != nil {
		return err
	}
	r.Quote = *quote
	if r.Conversion, err = proveQuote(ctx, tape, f.ConversionProduct, f.ConversionSeq); err != nil {
		return err
	}
	if r.Best, err = proveQuote(ctx, tape, &f.ProductID, f.BestSeq); err != nil {
		return err
	}
	if r.Margin, err = proveQuote(ctx, tape, f.MarginProduct, f.MarginSeq); err != nil {
		return err
	}
	for _, named := range snapshotQuotes(f.SealedFill) {
		quote, err := proveQuote(ctx, tape, &named.product.ID, &named.seq)
		if err != nil {
			return err
		}
		r.Held = append(r.Held, *quote)
	}
	return nil
}

func proveQuote(ctx context.Context, tape Tape, productID *int, seq *int64) (*ProvedQuote, error) {
	if productID == nil || seq == nil {
		return nil, nil
	}
	var p ProvedQuote
	var err error
	if p.Product, err = tape.Product(*productID); err != nil {
		return nil, err
	}
	var head seal.Head
	var sealed bool
	if p.Quote, head, sealed, err = tape.ReadQuote(ctx, *productID, *seq); err != nil || !sealed {
		return &p, err
	}
	path, err := tape.Proof(ctx, p.Quote)
	p.Proof = &audit.Proof{Head: head, Path: path}
	return &p, err
}

package trading

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/seal"
)

// Receipt is the proof of a fill: the fill, the fills that its sums go back to, every quote that it names, and where all of them are sealed.
type Receipt struct {
	Fill       ProvedFill
	Earlier    []ProvedFill // of its position, oldest first
	By         *ProvedFill  // the opening fill of the position that it was settled against
	Quote      ProvedQuote
	Conversion *ProvedQuote  // the mid that converted profit and commission
	Best       *ProvedQuote  // from which a trailing stop was measured
	Margin     *ProvedQuote  // the price that converted the margin
	Held       []ProvedQuote // that a stop-out valued its account by, each once, as the fill names them
}

// ChargeReceipt is the proof of a swap or dividend: the charge, the fills that its lots go back to, the quotes that it names, and where all of them are
// sealed.
type ChargeReceipt struct {
	Charge     ProvedCharge
	Fills      []ProvedFill // of its position before the rollover, oldest first
	Quote      *ProvedQuote // of whose price a percentage was taken
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

// Tape is what a receipt needs of the market's tape.
type Tape interface {
	Product(id int) (market.Product, error)
	ReadQuote(ctx context.Context, productID int, seq int64) (market.Quote, seal.Head, bool, error)
	Proof(ctx context.Context, q market.Quote) ([]seal.Step, error)
}

// Receipt reads the proof of an account's fill; somebody else's is ErrFill.
func (s *Service) Receipt(ctx context.Context, tape Tape, accountID, fillID int64) (r Receipt, err error) {
	fills, err := s.provedFills(ctx, `account_id = $1 AND id <= $2 AND position_id = (SELECT position_id FROM fills WHERE id = $2 AND account_id = $1)`, accountID, fillID)
	if err != nil {
		return r, err
	}
	if len(fills) == 0 {
		return r, ErrFill
	}
	r.Fill, r.Earlier = fills[len(fills)-1], fills[:len(fills)-1]
	if r.Fill.ByPosition != nil {
		by, err := s.provedFills(ctx, `account_id = $1 AND position_id = $2 AND entry = 'open'`, accountID, *r.Fill.ByPosition)
		if err != nil {
			return r, err
		}
		r.By = &by[0]
	}
	return r, r.proveQuotes(ctx, tape)
}

// ChargeReceipt reads the proof of an account's charge; somebody else's is ErrCharge.
func (s *Service) ChargeReceipt(ctx context.Context, tape Tape, accountID, chargeID int64) (r ChargeReceipt, err error) {
	charges, proofs, err := sealedCharges.read(ctx, s.db.Pool, s.catalogue(), `account_id = $1 AND id = $2`, accountID, chargeID)
	if err != nil {
		return r, err
	}
	if len(charges) == 0 {
		return r, ErrCharge
	}
	c := charges[0]
	r.Charge = ProvedCharge{c, proofs[0]}
	if r.Fills, err = s.provedFills(ctx, `account_id = $1 AND position_id = $2 AND at_ms < $3`, accountID, c.PositionID, c.AtMS); err != nil {
		return r, err
	}
	if r.Quote, err = proveQuote(ctx, tape, &c.ProductID, c.QuoteSeq); err != nil {
		return r, err
	}
	r.Conversion, err = proveQuote(ctx, tape, c.ConversionProduct, c.ConversionSeq)
	return r, err
}

func (s *Service) catalogue() catalogue {
	return newCatalogue(s.market.Products(), s.market.Version)
}

// provedFills reads fills with their places in the chain, oldest first.
func (s *Service) provedFills(ctx context.Context, where string, args ...any) ([]ProvedFill, error) {
	fills, proofs, err := sealedFills.read(ctx, s.db.Pool, s.catalogue(), where, args...)
	if err != nil {
		return nil, err
	}
	out := make([]ProvedFill, len(fills))
	for i, f := range fills {
		out[i] = ProvedFill{f, proofs[i]}
	}
	return out, nil
}

// namedQuote is a quote of the tape by its number, and the product as it was sealed with it.
type namedQuote struct {
	product *market.Product
	seq     int64
}

// snapshotQuotes are the quotes that a stop-out valued its account by, each once.
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

// FillWithPosition reads one fill of an account and its position; somebody else's is ErrFill.
func (s *Service) FillWithPosition(ctx context.Context, accountID, fillID int64) (Fill, Position, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+fillColumns+` FROM fills WHERE id = $1 AND account_id = $2`, fillID, accountID)
	if err != nil {
		return Fill{}, Position{}, err
	}
	fill, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Fill])
	if errors.Is(err, pgx.ErrNoRows) {
		return fill, Position{}, ErrFill
	}
	if err != nil {
		return fill, Position{}, fmt.Errorf("read fill %d: %w", fillID, err)
	}
	position, err := s.Position(ctx, accountID, fill.PositionID)
	return fill, position, err
}

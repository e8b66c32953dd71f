package trading

import (
	"context"
	"errors"
	"fmt"

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
	Conversion *ProvedQuote // the mid that converted profit and commission
	Best       *ProvedQuote // from which a trailing stop was measured
	Margin     *ProvedQuote // the price that converted the margin
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

// provedFills reads fills with their places in the chain, oldest first.
func (s *Service) provedFills(ctx context.Context, where string, args ...any) ([]ProvedFill, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+sealedColumns+` FROM fills WHERE `+where+` ORDER BY id`, args...)
	if err != nil {
		return nil, fmt.Errorf("read fills: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[sealedRow])
	if err != nil {
		return nil, fmt.Errorf("read fills: %w", err)
	}
	products := s.market.Products()
	byID := productsByID(products)
	ids, out := make([]int64, len(list)), make([]ProvedFill, len(list))
	for i, row := range list {
		ids[i] = row.ID
		if out[i].SealedFill, err = row.with(byID, s.market.Version); err != nil {
			return nil, err
		}
	}
	proofs, err := Sealed(products, s.market.Version).Proofs(ctx, s.db.Pool, ids)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if proof, ok := proofs[id]; ok {
			out[i].Proof = &proof
		}
	}
	return out, nil
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
	r.Margin, err = proveQuote(ctx, tape, f.MarginProduct, f.MarginSeq)
	return err
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

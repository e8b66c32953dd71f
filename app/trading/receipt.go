package trading

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/market"
	"candor/app/platform/seal"
)

// Receipt is the proof of a fill: the fill, every quote that it names, and where the tape has sealed them.
type Receipt struct {
	Fill       Fill
	Position   Position
	Product    market.Product
	Quote      ProvedQuote
	Conversion *ProvedQuote // the mid that converted profit and commission
	Best       *ProvedQuote // from which a trailing stop was measured
	By         *Fill        // the opening fill of the position that it was settled against
	Margin     *ProvedQuote // the price that converted the margin
}

// ProvedQuote is a quote with its place in the sealed tape. Path and Head are empty for the second before its batch is sealed.
type ProvedQuote struct {
	Quote   market.Quote
	Product market.Product
	Sealed  bool
	Head    seal.Head
	Path    []seal.Step
}

// Receipt reads the proof of an account's fill; somebody else's is ErrFill.
func (s *Service) Receipt(ctx context.Context, tape Tape, accountID, fillID int64) (Receipt, error) {
	fill, position, err := s.FillWithPosition(ctx, accountID, fillID)
	if err != nil {
		return Receipt{}, err
	}
	return s.prove(ctx, tape, fill, position)
}

// Tape is what a receipt needs of the market's tape.
type Tape interface {
	Product(id int) (market.Product, error)
	ReadQuote(ctx context.Context, productID int, seq int64) (market.Quote, seal.Head, bool, error)
	Proof(ctx context.Context, q market.Quote) ([]seal.Step, error)
}

func (s *Service) prove(ctx context.Context, tape Tape, fill Fill, position Position) (r Receipt, err error) {
	r.Fill, r.Position = fill, position
	if r.Product, err = tape.Product(fill.ProductID); err != nil {
		return r, err
	}
	quote, err := proveQuote(ctx, tape, &fill.ProductID, &fill.QuoteSeq)
	if err != nil {
		return r, err
	}
	r.Quote = *quote
	if r.Conversion, err = proveQuote(ctx, tape, fill.ConversionProduct, fill.ConversionSeq); err != nil {
		return r, err
	}
	if r.Best, err = proveQuote(ctx, tape, &fill.ProductID, fill.BestSeq); err != nil {
		return r, err
	}
	if r.Margin, err = proveQuote(ctx, tape, fill.MarginProduct, fill.MarginSeq); err != nil || fill.ByPosition == nil {
		return r, err
	}
	r.By, err = s.openingFill(ctx, fill.AccountID, *fill.ByPosition)
	return r, err
}

// openingFill is the fill that opened a position.
func (s *Service) openingFill(ctx context.Context, accountID, positionID int64) (*Fill, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+fillColumns+` FROM fills WHERE position_id = $1 AND account_id = $2 AND entry = 'open'`, positionID, accountID)
	if err != nil {
		return nil, err
	}
	fill, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Fill])
	return &fill, err
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
	if p.Quote, p.Head, p.Sealed, err = tape.ReadQuote(ctx, *productID, *seq); err != nil || !p.Sealed {
		return &p, err
	}
	p.Path, err = tape.Proof(ctx, p.Quote)
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

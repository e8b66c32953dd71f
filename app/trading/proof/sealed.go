package proof

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/seal"
	"candor/app/trading"
)

// SealedFill is a fill with everything that its seal covers.
type SealedFill struct {
	trading.Fill
	Salt             [16]byte        // known only to its owner, so that no one can guess a fill from its hash in another trader's proof
	Product          market.Product  // the parameters of its sums
	Converter        *market.Product // the product that converted profit and commission
	MarginConversion *market.Product
	Held             []HeldProduct // of each position of the stop-out snapshot, in its order
}

// SealedCharge is a swap or dividend with everything that its seal covers.
type SealedCharge struct {
	trading.Charge
	Salt      [16]byte
	Product   market.Product
	Converter *market.Product
}

// The tables with the heads of the chains of fills and of charges.
const (
	FillHeads   = "fill_heads"
	ChargeHeads = "charge_heads"
)

// TermsOf finds a version of a product's terms.
type TermsOf func(productID, version int) (market.Terms, bool)

// FillSource is the source of the chain of fills.
func FillSource(products []market.Product, terms TermsOf) audit.Source {
	return sealedFills.source(newCatalogue(products, terms))
}

// ChargeSource is the source of the chain of swaps and dividends.
func ChargeSource(products []market.Product, terms TermsOf) audit.Source {
	return sealedCharges.source(newCatalogue(products, terms))
}

// stored is a row as in its table; with adds the rest that its seal covers.
type stored[S sealable] interface {
	place() (id int64, xid uint64)
	with(c catalogue) (S, error)
}

// sealable is a row that is sealed as text.
type sealable interface{ Text() string }

// sealed describes how the rows of a table are sealed: R is a stored row, S is the row with everything that its seal covers.
type sealed[R stored[S], S sealable] struct{ table, heads, columns string }

var (
	sealedFills   = sealed[storedFill, SealedFill]{"fills", FillHeads, trading.FillColumns + `, salt, xid`}
	sealedCharges = sealed[storedCharge, SealedCharge]{"charges", ChargeHeads, trading.ChargeColumns + `, salt, xid`}
)

func (t sealed[R, S]) source(c catalogue) audit.Source {
	return audit.Source{Table: t.table, Heads: t.heads, Columns: t.columns, Scan: func(row pgx.CollectableRow) (audit.Row, error) {
		r, err := pgx.RowToStructByPos[R](row)
		if err != nil {
			return audit.Row{}, err
		}
		s, err := r.with(c)
		id, xid := r.place()
		return audit.Row{ID: id, XID: xid, Leaf: leafOf(s)}, err
	}}
}

// read reads rows with their proofs, oldest first; a proof is nil for the seconds before its row is sealed.
func (t sealed[R, S]) read(ctx context.Context, q ledger.Querier, c catalogue, where string, args ...any) ([]S, []*audit.Proof, error) {
	rows, err := q.Query(ctx, `SELECT `+t.columns+` FROM `+t.table+` WHERE `+where+` ORDER BY id`, args...)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", t.table, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[R])
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", t.table, err)
	}
	ids, out, places := make([]int64, len(list)), make([]S, len(list)), make([]*audit.Proof, len(list))
	for i, r := range list {
		ids[i], _ = r.place()
		if out[i], err = r.with(c); err != nil {
			return nil, nil, err
		}
	}
	proofs, err := t.source(c).Proofs(ctx, q, ids)
	if err != nil {
		return nil, nil, err
	}
	for i, id := range ids {
		if proof, ok := proofs[id]; ok {
			places[i] = &proof
		}
	}
	return out, places, nil
}

func leafOf(s sealable) seal.Hash { return seal.Leaf([]byte(s.Text())) }

// catalogue finds the products that a stored row names, with the terms that its sums used.
type catalogue struct {
	byID  map[int]market.Product
	terms TermsOf
}

func newCatalogue(products []market.Product, terms TermsOf) catalogue {
	return catalogue{ProductsByID(products), terms}
}

// ProductsByID indexes products by id.
func ProductsByID(products []market.Product) map[int]market.Product {
	byID := make(map[int]market.Product, len(products))
	for _, p := range products {
		byID[p.ID] = p
	}
	return byID
}

func (c catalogue) product(id, version int) (market.Product, error) {
	p, ok := c.byID[id]
	if ok {
		p.Terms, ok = c.terms(id, version)
	}
	if !ok {
		return p, fmt.Errorf("product %d with version %d of its terms is unknown", id, version)
	}
	return p, nil
}

// converter finds a product that converted a currency; nil for a nil id.
func (c catalogue) converter(id *int) (*market.Product, error) {
	if id == nil {
		return nil, nil
	}
	p, ok := c.byID[*id]
	if !ok {
		return nil, fmt.Errorf("product %d is unknown", *id)
	}
	return &p, nil
}

type storedFill struct {
	trading.Fill
	Salt [16]byte
	XID  uint64
}

func (r storedFill) place() (int64, uint64) { return r.ID, r.XID }

func (r storedFill) with(c catalogue) (f SealedFill, err error) {
	f.Fill, f.Salt = r.Fill, r.Salt
	var wrong [4]error
	f.Product, wrong[0] = c.product(r.ProductID, r.Fill.Terms)
	f.Converter, wrong[1] = c.converter(r.ConversionProduct)
	f.MarginConversion, wrong[2] = c.converter(r.MarginProduct)
	f.Held, wrong[3] = c.held(r.Snapshot)
	if err := errors.Join(wrong[:]...); err != nil {
		return f, fmt.Errorf("fill %d: %w", r.ID, err)
	}
	return f, nil
}

type storedCharge struct {
	trading.Charge
	Salt [16]byte
	XID  uint64
}

func (r storedCharge) place() (int64, uint64) { return r.ID, r.XID }

func (r storedCharge) with(c catalogue) (s SealedCharge, err error) {
	s.Charge, s.Salt = r.Charge, r.Salt
	var wrong [2]error
	s.Product, wrong[0] = c.product(r.ProductID, r.Charge.Terms)
	s.Converter, wrong[1] = c.converter(r.ConversionProduct)
	if err := errors.Join(wrong[:]...); err != nil {
		return s, fmt.Errorf("charge %d: %w", r.ID, err)
	}
	return s, nil
}

// Leaf is the fill's place in the Merkle tree: the hash of its text.
func (f SealedFill) Leaf() seal.Hash { return leafOf(f) }

// Text is the fill as it is sealed: a line for each fact, with its name, a space and its value; an absent fact has no line. Prices are integers of their
// product's decimals, lots and money of 10^-6, times in ms. Later versions may only add facts, so that older fills keep their text.
func (f SealedFill) Text() string {
	var t facts
	t.number("fill", f.ID)
	t.number("order", f.OrderID)
	t.number("position", f.PositionID)
	t.number("account", f.AccountID)
	t.product("product", f.Product)
	t.number("contract", f.Product.ContractSize)
	t.text("model", string(f.Product.MarginModel))
	t.number("terms", int64(f.Terms))
	t.number("lot-fee", f.Product.CommissionPerLot)
	t.number("fee-bps", int64(f.Product.CommissionBps))
	t.number("least-fee", f.Product.CommissionMin)
	t.text("side", string(f.Side))
	t.text("entry", f.Entry)
	t.text("rule", string(f.Rule))
	t.number("lots", f.Lots)
	t.number("price", f.Price)
	t.number("quote", f.QuoteSeq)
	t.maybe("best", f.BestSeq)
	t.maybe("trail-since", f.TrailSince)
	t.maybe("open-price", f.OpenPrice)
	t.maybe("open-value", f.OpenValue)
	t.maybe("limit-price", f.LimitPrice)
	t.maybe("by-position", f.ByPosition)
	t.number("leverage", int64(f.Leverage))
	t.number("margin", f.Margin)
	t.number("commission", f.Commission)
	t.number("profit", f.Profit)
	t.conversion("conversion", f.Converter, f.ConversionSeq, f.ConversionInverse)
	t.conversion("margin-conversion", f.MarginConversion, f.MarginSeq, f.MarginInverse)
	t.maybe("transaction", f.TransactionID)
	t.number("equity", f.Equity)
	t.number("used-margin", f.UsedMargin)
	t.snapshot(f.Snapshot, f.Held)
	t.number("time", f.CreatedAt.UnixMilli())
	t.number("market-time", f.AtMS)
	t.text("salt", hex.EncodeToString(f.Salt[:]))
	return t.String()
}

// Leaf is the charge's place in the Merkle tree: the hash of its text.
func (c SealedCharge) Leaf() seal.Hash { return leafOf(c) }

// Text is the charge as it is sealed, in the format of a fill's text.
func (c SealedCharge) Text() string {
	var t facts
	t.number("charge", c.ID)
	t.text("kind", string(c.Kind))
	t.number("position", c.PositionID)
	t.number("account", c.AccountID)
	t.product("product", c.Product)
	t.number("contract", c.Product.ContractSize)
	t.number("terms", int64(c.Charge.Terms))
	if c.Kind == trading.SwapCharge {
		t.text("swap", string(c.Product.SwapModel))
	}
	t.number("rate", c.Rate)
	t.text("unit", c.Unit())
	t.text("day", c.Day.Format(time.DateOnly))
	t.number("nights", int64(c.Nights))
	t.text("side", string(c.Side))
	t.number("lots", c.Lots)
	t.maybe("price", c.Price)
	t.maybe("quote", c.QuoteSeq)
	t.conversion("conversion", c.Converter, c.ConversionSeq, c.ConversionInverse)
	t.number("amount", c.Amount)
	t.maybe("transaction", c.TransactionID)
	t.number("time", c.CreatedAt.UnixMilli())
	t.number("market-time", c.AtMS)
	t.text("salt", hex.EncodeToString(c.Salt[:]))
	return t.String()
}

// Unit is the unit of the rate: points of the price, a currency, or percent of the worth per year.
func (c SealedCharge) Unit() string {
	switch {
	case c.Kind == trading.DividendCharge:
		return c.Product.Quote
	case c.Product.SwapModel == market.MoneySwap:
		return ledger.Currency
	}
	return string(c.Product.SwapModel)
}

// facts writes a line for each name and value.
type facts struct{ strings.Builder }

func (t *facts) text(name, value string) { fmt.Fprintf(t, "%s %s\n", name, value) }

func (t *facts) number(name string, value int64) { t.text(name, strconv.FormatInt(value, 10)) }

func (t *facts) maybe(name string, value *int64) {
	if value != nil {
		t.number(name, *value)
	}
}

func (t *facts) product(name string, p market.Product) {
	t.number(name, int64(p.ID))
	t.text(name+"-symbol", p.Symbol)
	t.text(name+"-base", p.Base)
	t.text(name+"-quote", p.Quote)
	t.number(name+"-point", int64(p.Point))
}

func (t *facts) conversion(name string, p *market.Product, seq *int64, inverse bool) {
	if p == nil {
		return
	}
	t.product(name, *p)
	t.maybe(name+"-seq", seq)
	t.text(name+"-inverse", strconv.FormatBool(inverse))
}

package trading

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/seal"
)

// SealedFill is a fill with all that its seal covers.
type SealedFill struct {
	Fill
	Salt             [16]byte        // known to its owner alone: nobody can guess the fill behind a hash in another trader's proof
	Product          market.Product  // the parameters that its sums used
	Converter        *market.Product // that converted profit and commission
	MarginConversion *market.Product
}

// FillHeads is the table of the heads of the chain of fills.
const FillHeads = "fill_heads"

// TermsOf finds a version of a product's terms.
type TermsOf func(productID, version int) (market.Terms, bool)

// Sealed is the source of the chain of fills.
func Sealed(products []market.Product, terms TermsOf) audit.Source {
	byID := productsByID(products)
	return audit.Source{Table: "fills", Heads: FillHeads, Columns: sealedColumns, Scan: func(row pgx.CollectableRow) (audit.Row, error) {
		r, err := pgx.RowToStructByPos[sealedRow](row)
		if err != nil {
			return audit.Row{}, err
		}
		f, err := r.with(byID, terms)
		return audit.Row{ID: r.ID, XID: r.XID, Leaf: f.Leaf()}, err
	}}
}

func productsByID(products []market.Product) map[int]market.Product {
	byID := make(map[int]market.Product, len(products))
	for _, p := range products {
		byID[p.ID] = p
	}
	return byID
}

const sealedColumns = fillColumns + `, salt, xid`

type sealedRow struct {
	Fill
	Salt [16]byte
	XID  uint64
}

// with adds the parameters of the products that the fill names.
func (r sealedRow) with(byID map[int]market.Product, terms TermsOf) (f SealedFill, err error) {
	f.Fill, f.Salt = r.Fill, r.Salt
	find := func(id int) *market.Product {
		p, ok := byID[id]
		if !ok {
			err = fmt.Errorf("fill %d names product %d, which is unknown", r.ID, id)
		}
		return &p
	}
	f.Product = *find(r.ProductID)
	var ok bool
	if f.Product.Terms, ok = terms(r.ProductID, r.Terms); !ok {
		err = fmt.Errorf("fill %d names version %d of the terms of product %d, which is unknown", r.ID, r.Terms, r.ProductID)
	}
	if r.ConversionProduct != nil {
		f.Converter = find(*r.ConversionProduct)
	}
	if r.MarginProduct != nil {
		f.MarginConversion = find(*r.MarginProduct)
	}
	return f, err
}

// Leaf is the fill's place in the Merkle tree: the hash of its text.
func (f SealedFill) Leaf() seal.Hash { return seal.Leaf([]byte(f.Text())) }

// Text is the fill as it is sealed: a line for each fact, the name, a space, the value; a fact that the fill does not have has no line. Prices are
// integers of their product's decimals, lots and money of 10^-6, times in ms. Facts may be added in later versions, so that older fills keep their text.
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
	t.number("time", f.CreatedAt.UnixMilli())
	t.number("market-time", f.AtMS)
	t.text("salt", hex.EncodeToString(f.Salt[:]))
	return t.String()
}

// facts writes lines of names and values.
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

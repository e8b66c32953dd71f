package controldesk

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/market"
	"candor/app/platform/sheet"
	"candor/templates/ui"
)

const longestProductSearch = 80

// The tabs beside the one of all products.
const (
	attention = "attention" // open markets whose prices can't be traded on
	changing  = "changing"  // products with an open request
)

// The orders beside that of the classes.
const (
	byAge    = "age"
	bySymbol = "symbol"
)

var classes = []market.Class{market.Forex, market.Metal, market.Index, market.Crypto, market.USStock, market.Contract}

var productStates = []state{fresh, closed, off, stale, halted, priceOut}

// listedProduct is a product as the list shows it: its newest quote, and the requests that await a decision.
type listedProduct struct {
	market.Product
	status market.Status
	quote  market.Quote
	priced bool
	is     state
	open   []market.Change
}

func (p listedProduct) age() time.Duration { return time.Duration(p.status.AgeMS) * time.Millisecond }

// productList declares the list of products. The page reads its prices again every two seconds.
func (s Services) productList() caseengine.List[listedProduct] {
	return caseengine.List[listedProduct]{
		Name: "products", Letters: "product-", Target: "product", Texts: "product.list", Icon: ui.IconChart, View: access.ProductView, Audit: s.Audit, Again: ui.Each2s,
		Tabs:   []caseengine.Tab{{Label: "product.tab.all"}, {Name: attention, Label: "product.tab.attention"}, {Name: changing, Label: "product.tab.changing"}},
		Counts: s.productCounts, Chips: func(r *desk.Request) ([]ui.ChipView, error) { return []ui.ChipView{s.feedChip(r)}, nil },
		Figure: func(r *desk.Request) (label, value string, err error) {
			return word(r, "product.rejected"), s.rejections(r), nil
		},
		Filters: []caseengine.Filter{
			caseengine.Search(longestProductSearch, cleaned(longestProductSearch)),
			caseengine.OneOf("class", classes, className),
			caseengine.OneOf("state", productStates, func(r *desk.Request, is state) string { return word(r, "product.state."+string(is)) }),
			caseengine.OneOf("sort", []string{byAge, bySymbol}, func(r *desk.Request, by string) string { return word(r, "product.sort."+by) }),
		},
		Columns: []caseengine.Column{
			{Label: "product.name"}, {Label: "product.class"}, {Label: "product.bid", Numeric: true}, {Label: "product.ask", Numeric: true}, {Label: "product.spread", Numeric: true},
			{Label: "product.age", Numeric: true}, {Label: "product.limit", Numeric: true}, {Label: "product.state"}, {Label: "product.until"}, {Label: "product.version"},
		},
		Find: s.findProducts, Rows: s.productRows, ID: func(p listedProduct) int64 { return int64(p.ID) },
		File: caseengine.File[listedProduct]{Permission: access.ProductView, Columns: productColumns(), Cells: s.productCells},
	}
}

// listedProducts reads every product. Their number is fixed.
func (s Services) listedProducts(ctx context.Context) ([]listedProduct, error) {
	changes, err := s.Changes.List(ctx, 0, true, changesLimit)
	if err != nil {
		return nil, err
	}
	var out []listedProduct
	for _, p := range s.Market.Products() {
		one := listedProduct{Product: p, is: priceOut}
		if one.status, err = s.Market.Status(p.ID); err == nil {
			one.quote, one.priced = s.Market.Newest(p.ID)
			one.is = condition(p, one.status, one.priced)
		}
		for _, change := range changes {
			if change.ProductID == p.ID {
				one.open = append(one.open, change)
			}
		}
		out = append(out, one)
	}
	return out, nil
}

func (s Services) productCounts(ctx context.Context) (map[string]int64, error) {
	list, err := s.listedProducts(ctx)
	counts := map[string]int64{}
	for _, p := range list {
		for _, tab := range []string{attention, changing} {
			if p.in(tab) {
				counts[tab]++
			}
		}
	}
	return counts, err
}

func (p listedProduct) in(tab string) bool {
	switch tab {
	case attention:
		return p.is.bad()
	case changing:
		return len(p.open) > 0
	}
	return true
}

func (p listedProduct) fits(sel caseengine.Selection) bool {
	is := func(name, value string) bool { return sel.Value(name) == "" || sel.Value(name) == value }
	words := strings.ToLower(sel.Value("q"))
	return p.in(sel.Tab()) && is("class", string(p.Class)) && is("state", string(p.is)) && strings.Contains(strings.ToLower(p.Symbol+" "+p.Name), words)
}

// findProducts selects and sorts the products, and pages through them by their ids.
func (s Services) findProducts(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []listedProduct, next caseengine.Cursor, err error) {
	all, err := s.listedProducts(ctxOf(r))
	if err != nil {
		return nil, next, err
	}
	all = slices.DeleteFunc(all, func(p listedProduct) bool { return !p.fits(sel) })
	switch sel.Value("sort") {
	case byAge:
		slices.SortStableFunc(all, func(a, b listedProduct) int { return cmp.Compare(b.status.AgeMS, a.status.AgeMS) })
	case bySymbol:
		slices.SortStableFunc(all, func(a, b listedProduct) int { return cmp.Compare(a.Symbol, b.Symbol) })
	}
	from := slices.IndexFunc(all, func(p listedProduct) bool { return int64(p.ID) == after.ID }) + 1
	if list = all[from:]; len(list) > limit {
		list = list[:limit]
		next.ID = int64(list[limit-1].ID)
	}
	return list, next, nil
}

func (s Services) productRows(r *desk.Request, list []listedProduct) ([]caseengine.Row, error) {
	out := make([]caseengine.Row, len(list))
	for i, p := range list {
		bid, ask, spread, old := "–", "–", "", "–"
		if p.priced {
			bid, ask = ui.Decimal(p.FormatPrice(p.quote.Bid)), ui.Decimal(p.FormatPrice(p.quote.Ask))
			spread, old = ui.Decimal(strconv.FormatInt(p.quote.Ask-p.quote.Bid, 10)), age(p.age())
		}
		terms := ui.Cell{Text: strconv.Itoa(p.Version)}
		if len(p.open) > 0 {
			chip := changeLooks[p.open[0].State]
			chip.Label = word(r, "product.change.state."+string(p.open[0].State))
			terms.Chips = []ui.ChipView{chip}
		}
		out[i] = caseengine.Row{Cells: []ui.Cell{
			{Text: p.Symbol, Note: p.Name}, {Text: className(r, p.Class), Muted: true}, {Text: bid}, {Text: ask}, {Text: spread, Muted: true}, {Text: old, Strong: true},
			{Text: word(r, "product.unit.seconds", "n", seconds(s.Market.StaleLimit(p.Product))), Muted: true}, {Chips: []ui.ChipView{stateChip(r, p.is)}}, {Text: until(r, p.status), Muted: true}, terms,
		}}
	}
	return out, nil
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// productColumns are the columns of the file, which never change their names: the product and its price, then its terms in the units of the form.
func productColumns() []string {
	return append([]string{
		"symbol", "name", "class", "base", "quote", "contract_size", "price_decimals", "state", "bid", "ask", "quoted_at", "version", "in_force_from", "open_requests",
	}, termColumns...)
}

func (s Services) productCells(_ *desk.Request, list []listedProduct) ([][]string, error) {
	out := make([][]string, len(list))
	for i, p := range list {
		bid, ask, quoted, from := "", "", "", ""
		if p.priced {
			quotedAt := p.quote.At()
			bid, ask, quoted = p.FormatPrice(p.quote.Bid), p.FormatPrice(p.quote.Ask), sheet.Moment(&quotedAt)
		}
		if p.Version > 1 { // the first version has no beginning
			from = sheet.Moment(&p.EffectiveAt)
		}
		out[i] = append([]string{
			p.Symbol, p.Name, string(p.Class), p.Base, p.Quote, strconv.FormatInt(p.ContractSize, 10), strconv.Itoa(p.Point), string(p.is), bid, ask, quoted, strconv.Itoa(p.Version), from,
			strconv.Itoa(len(p.open)),
		}, termCells(p.Terms)...)
	}
	return out, nil
}

package reportdesk

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"candor/app/ledger"
	"candor/app/platform/i18n"
	"candor/app/platform/money"
	"candor/app/report"
	"candor/templates/ui"
)

// writer writes the figures of a report in one language.
type writer struct {
	ctx  context.Context
	kind kind
}

func (w writer) word(key string, pairs ...any) string { return i18n.T(w.ctx, key, pairs...) }

func (w writer) title() string { return w.word("report." + w.kind.name) }

func (w writer) head(c report.Column) string { return w.word("report.column." + c.Name) }

// place is what a row names besides its day.
func (w writer) place(row report.Row) string {
	if row.Key != "" && row.Name == "" {
		return w.word(w.kind.keys + row.Key)
	}
	return cmp.Or(row.Name, "–")
}

// currency is the currency of a row's money.
func currency(row report.Row) string { return cmp.Or(row.Currency, ledger.Currency) }

func scale(row report.Row) int {
	if d, ok := ledger.DenominationOf(currency(row)); ok {
		return d.Scale
	}
	return money.Scale
}

// figure is a figure as a page shows it.
func (w writer) figure(c report.Column, row report.Row, f report.Figure) string {
	if f.None {
		return "–"
	}
	switch c.Unit {
	case report.Money:
		return ui.Coins(f.Value, scale(row))
	case report.Result:
		return ui.SignedCoins(f.Value, scale(row))
	case report.Lots:
		return ui.Amount(f.Value)
	case report.Share:
		return ui.Percent(money.Format(f.Value, 2))
	case report.Rating:
		return ui.Decimal(money.Format(f.Value, 2))
	case report.Seconds:
		return w.duration(f.Value)
	case report.Count:
	}
	return ui.Decimal(strconv.FormatInt(f.Value, 10))
}

// duration is a length in seconds as people say it.
func (w writer) duration(seconds int64) string {
	if seconds < 60 {
		return w.word("report.seconds", "count", seconds)
	}
	return ui.Age(w.ctx, time.Duration(seconds)*time.Second)
}

// cell is a figure as a file has it: a plain number.
func cell(c report.Column, row report.Row, f report.Figure) string {
	if f.None {
		return ""
	}
	switch c.Unit {
	case report.Money, report.Result:
		return money.Format(f.Value, scale(row))
	case report.Lots:
		return money.Format(f.Value, money.Scale)
	case report.Share, report.Rating:
		return money.Format(f.Value, 2)
	case report.Count, report.Seconds:
	}
	return strconv.FormatInt(f.Value, 10)
}

// valued reports whether a table has money, so that its rows name their currency.
func valued(t report.Table) bool {
	for _, c := range t.Columns {
		if c.Unit == report.Money || c.Unit == report.Result {
			return true
		}
	}
	return false
}

package controldesk

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/templates/ui"
)

// termUnit is how a numeric term is typed: in the unit in which its page shows it.
type termUnit struct {
	suffix string // the key of the unit's text, or a sign; empty where another term names the unit
	shift  int    // decimals of the typed number that the stored whole number counts: percent for basis points, seconds for milliseconds
	money  bool   // an amount of money: the form shows at least its cents
}

// termUnits are the units of the numeric terms by their names. The others are words and lists.
var termUnits = map[string]termUnit{
	"lot_min": {suffix: "product.unit.typed.lots"}, "lot_step": {suffix: "product.unit.typed.lots"}, "lot_max": {suffix: "product.unit.typed.lots"},
	"spread_markup": {suffix: "product.unit.typed.points"}, "stop_level": {suffix: "product.unit.typed.points"},
	"hedged_ratio_bps": {suffix: "%", shift: 2}, "commission_bps": {suffix: "%", shift: 2}, "spike_bps": {suffix: "%", shift: 2},
	"stale_ms":           {suffix: "product.unit.typed.seconds", shift: 3},
	"commission_per_lot": {suffix: "product.unit.typed.usdt", money: true}, "commission_min": {suffix: "product.unit.typed.usdt", money: true},
	"swap_long": {}, "swap_short": {},
}

// plain is a stored number in the typed unit, without separators.
func (u termUnit) plain(stored string) string {
	n, err := strconv.ParseInt(stored, 10, 64)
	if err != nil || u.shift == 0 {
		return stored
	}
	return money.Trim(n, u.shift)
}

// typed is a stored number as the form shows it, with the reader's separators.
func (u termUnit) typed(stored string) string {
	text := ui.Decimal(u.plain(stored))
	if n, err := money.Parse(stored, money.Scale); u.money && err == nil {
		text = ui.Amount(n)
	}
	return strings.ReplaceAll(text, "−", "-")
}

// stored is a typed number as it is stored; empty, which no number is, for text that is no exact number of its unit.
func (u termUnit) stored(typed string) string {
	text := desk.Decimal(typed)
	if u.shift == 0 {
		return text
	}
	n, err := money.Parse(text, u.shift)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// tierRow is a margin tier as it is typed: the volume from which it applies, and its leverage.
type tierRow struct{ from, leverage string }

// typedTerms are terms as they are typed: the scalar ones by name, and the rows of the lists.
type typedTerms struct {
	values    map[string]string
	leverages []string
	tiers     []tierRow
}

// typedOf are stored terms as the form shows them.
func typedOf(t market.Terms) typedTerms {
	out := typedTerms{values: values(t)}
	for name, unit := range termUnits {
		out.values[name] = unit.typed(out.values[name])
	}
	out.leverages, out.tiers = split(out.values["multiple"]), tierRows(out.values["tiers"])
	delete(out.values, "multiple")
	delete(out.values, "tiers")
	return out
}

// stored are typed terms as they are stored. Base are the terms that they follow.
func (t typedTerms) stored(base market.Terms) map[string]string {
	out := maps.Clone(t.values)
	for name, unit := range termUnits {
		out[name] = unit.stored(out[name])
	}
	var leverages []string
	for _, row := range t.leverages {
		if row = desk.Decimal(row); row != "" {
			leverages = append(leverages, row)
		}
	}
	out["multiple"], out["tiers"] = strings.Join(leverages, ","), storedTiers(t.tiers, base.Tiers)
	return out
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// tierRows are the rows of stored tiers, which name the volume up to which they apply: a tier applies from the end of the one before.
func tierRows(stored string) (out []tierRow) {
	from := "0"
	for _, tier := range split(stored) {
		upTo, leverage, _ := strings.Cut(tier, ":")
		out = append(out, tierRow{ui.Decimal(from), leverage})
		from = upTo
	}
	return out
}

// storedTiers are the tiers of rows; empty rows are none. The end of the last tier is stored too, though nothing follows it: that of the terms before if it still
// fits.
func storedTiers(rows []tierRow, before string) string {
	rows = slices.DeleteFunc(slices.Clone(rows), func(row tierRow) bool {
		return desk.Decimal(row.leverage) == "" && (desk.Decimal(row.from) == "" || desk.Decimal(row.from) == "0")
	})
	out, from := make([]string, len(rows)), "0"
	for i, row := range rows {
		end := lastEnd(from, before)
		if i+1 < len(rows) {
			end = desk.Decimal(rows[i+1].from)
		}
		out[i], from = end+":"+desk.Decimal(row.leverage), end
	}
	return strings.Join(out, ",")
}

// lastEnd is the end of a last tier that applies from a volume; empty when the volume is no number of lots.
func lastEnd(from, before string) string {
	n, err := strconv.ParseInt(from, 10, 32)
	if err != nil {
		return ""
	}
	last := before[strings.LastIndexByte(before, ',')+1:]
	end, _, _ := strings.Cut(last, ":")
	if old, err := strconv.ParseInt(end, 10, 64); err == nil && old > n {
		return end
	}
	return strconv.FormatInt(n+1, 10)
}

// marginOf is the margin of a leverage in percent of the notional, to three decimals; empty for text that is no leverage.
func marginOf(leverage string) string {
	n, err := strconv.ParseInt(desk.Decimal(leverage), 10, 32)
	if err != nil || n < 1 {
		return ""
	}
	share, err := money.MulDiv(100_000, 1, n, money.HalfAway)
	if err != nil {
		return ""
	}
	return ui.Percent(money.Trim(share, 3))
}

// termColumns are the terms in the file of products, in the units in which they are typed. They never change their names.
var termColumns = []string{
	"mode", "lot_min_lots", "lot_step_lots", "lot_max_lots", "stop_level_points", "leverages", "margin_tiers", "hedged_margin_percent", "spread_markup_points",
	"commission_per_lot_usdt", "commission_percent", "commission_min_usdt", "swap_unit", "swap_long", "swap_short", "triple_swap_day", "max_quote_age_seconds", "spike_limit_percent",
}

// termCells are the terms under termColumns, which follow the groups. A tier is the volume from which it applies, with its leverage.
func termCells(t market.Terms) (out []string) {
	stored := values(t)
	stored["multiple"] = strings.ReplaceAll(stored["multiple"], ",", " ")
	var tiers []string
	for _, row := range tierRows(stored["tiers"]) {
		tiers = append(tiers, desk.Decimal(row.from)+":"+row.leverage)
	}
	stored["tiers"] = strings.Join(tiers, " ")
	for _, group := range termGroups {
		for _, name := range group.terms {
			out = append(out, termUnits[name].plain(stored[name]))
		}
	}
	return out
}

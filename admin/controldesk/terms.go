package controldesk

import (
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/templates/ui"
)

// termGroup is a group of terms that are shown together.
type termGroup struct {
	name  string // in the keys of its texts
	terms []string
}

// termGroups contain every term once.
var termGroups = []termGroup{
	{"trading", []string{"mode", "lot_min", "lot_step", "lot_max", "stop_level"}},
	{"margin", []string{"multiple", "tiers", "hedged_ratio_bps"}},
	{"costs", []string{"spread_markup", "commission_per_lot", "commission_bps", "commission_min"}},
	{"swaps", []string{"swap_model", "swap_long", "swap_short", "triple_day"}},
	{"prices", []string{"stale_ms", "spike_bps"}},
}

func termLabel(r *desk.Request, name string) string { return word(r, "product.term."+name) }

// values are the terms by name, as plain decimals and words.
func values(t market.Terms) map[string]string {
	out := map[string]string{}
	for _, term := range t.List() {
		out[term.Name] = term.Value
	}
	return out
}

// termWords writes a term with its unit.
func termWords(r *desk.Request, t market.Terms, name string) string {
	value := values(t)[name]
	switch name {
	case "mode":
		return word(r, "product.mode."+value)
	case "spread_markup":
		return points(r, t.SpreadMarkup)
	case "stop_level":
		return points(r, t.StopLevel)
	case "lot_min", "lot_step", "lot_max":
		return lots(r, value)
	case "multiple":
		return leverages(r, t.Leverages())
	case "tiers":
		return tiers(r, t.MarginTiers())
	case "hedged_ratio_bps":
		return percent(t.HedgedRatioBps)
	case "spike_bps":
		return percent(t.SpikeBps)
	case "commission_bps":
		return orNone(r, t.CommissionBps == 0, word(r, "product.unit.of_worth", "percent", percent(t.CommissionBps)))
	case "commission_per_lot":
		return orNone(r, t.CommissionPerLot == 0, word(r, "product.unit.a_lot", "amount", ui.Amount(t.CommissionPerLot)))
	case "commission_min":
		return orNone(r, t.CommissionMin == 0, word(r, "product.unit.a_fill", "amount", ui.Amount(t.CommissionMin)))
	case "stale_ms":
		return word(r, "product.unit.seconds", "n", ui.Decimal(money.Trim(int64(t.StaleMS), 3)))
	case "swap_model":
		return word(r, "product.swap."+value)
	case "swap_long", "swap_short":
		return swap(r, t.SwapModel, value)
	default: // triple_day
		return dayName(r, value)
	}
}

func orNone(r *desk.Request, none bool, words string) string {
	if none {
		return word(r, "product.none")
	}
	return words
}

func points(r *desk.Request, n int) string {
	return word(r, "product.unit.points", "count", n, "n", ui.Decimal(strconv.Itoa(n)))
}

func lots(r *desk.Request, n string) string {
	if n == "1" {
		return word(r, "product.unit.lot")
	}
	return word(r, "product.unit.lots", "n", ui.Decimal(n))
}

// percent writes basis points.
func percent(bps int) string { return ui.Percent(money.Trim(int64(bps), 2)) }

func leverages(r *desk.Request, list []int) string {
	out := make([]string, len(list))
	for i, leverage := range list {
		out[i] = "1:" + strconv.Itoa(leverage)
	}
	out[0] = word(r, "product.leverages", "first", out[0])
	return strings.Join(out, ", ")
}

func tiers(r *desk.Request, list []market.Tier) string {
	if len(list) == 0 {
		return word(r, "product.tiers.none")
	}
	out := make([]string, len(list))
	for i, tier := range list {
		out[i] = word(r, "product.tiers.up_to", "lots", ui.Decimal(money.Trim(tier.UpTo, money.Scale)), "leverage", tier.Leverage)
		if i == len(list)-1 {
			out[i] = word(r, "product.tiers.beyond", "leverage", tier.Leverage)
		}
	}
	return strings.Join(out, ", ")
}

// swap writes a rate with the unit of its model; a plus marks a received one.
func swap(r *desk.Request, model market.SwapModel, rate string) string {
	if model == market.NoSwap {
		return word(r, "product.none")
	}
	number := ui.Decimal(rate)
	if rate != "0" && !strings.HasPrefix(rate, "-") {
		number = "+" + number
	}
	return word(r, "product.swap.unit."+string(model), "n", number)
}

func dayName(r *desk.Request, day string) string {
	if day == "" {
		return word(r, "product.day.none")
	}
	return word(r, "product.day."+day)
}

// utc writes a time in UTC, the same for every reader.
func utc(r *desk.Request, moment time.Time) string {
	return ui.Full(ctxOf(r), moment, time.UTC) + " UTC"
}

// difference lists the terms that differ.
func difference(r *desk.Request, before, after market.Terms) (out []ui.FieldDiff) {
	was, then := values(before), values(after)
	for _, group := range termGroups {
		for _, name := range group.terms {
			change := ui.FieldDiff{Field: termLabel(r, name), Before: termWords(r, before, name), After: termWords(r, after, name)}
			if change.Before != change.After || was[name] != then[name] { // a rate also differs when its unit does
				out = append(out, change)
			}
		}
	}
	return out
}

package market

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/platform/seal"
)

// Mode is a product's trading mode.
type Mode string

// The modes.
const (
	FullTrading Mode = "full"
	CloseOnly   Mode = "close_only" // positions may only be closed
)

// SwapModel is the unit of a product's swaps.
type SwapModel string

// The swap models.
const (
	NoSwap      SwapModel = "none"
	PointSwap   SwapModel = "points"  // of the price, per lot and night
	MoneySwap   SwapModel = "money"   // in the account's currency, per lot and night
	PercentSwap SwapModel = "percent" // of the notional, per year of 360 days
)

// Terms are a product's costs and limits, in one version. They are the same for every trader; a version never changes.
type Terms struct {
	Version          int
	EffectiveAt      time.Time // market time
	Mode             Mode
	SpreadMarkup     int // points added to the feed's spread
	LotMin           int64
	LotStep          int64
	LotMax           int64
	Multiple         string // leverages, comma separated, the default first
	Tiers            string // "10:100,50:50": the highest leverage for the lots up to a volume
	HedgedRatioBps   int
	CommissionPerLot int64 // 10^-6 USDT
	CommissionBps    int
	CommissionMin    int64 // 10^-6 USDT
	StopLevel        int   // points
	StaleMS          int
	SpikeBps         int
	SwapModel        SwapModel
	SwapLong         int64 // 10^-6 of the model's unit; positive is received
	SwapShort        int64
	TripleDay        *int // weekday of three nights; nil charges each day by itself
}

// Leverages is the leverage list, the default first.
func (t Terms) Leverages() []int {
	var out []int
	for part := range strings.SplitSeq(t.Multiple, ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(part)); err == nil && n > 0 {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return []int{DefaultLeverage}
	}
	return out
}

// Tier is the highest leverage for the lots up to a volume. The last tier of a list has no end.
type Tier struct {
	UpTo     int64 // 10^-6 lots
	Leverage int
}

// MarginTiers lists the tiers, the smallest volume first; empty when volume does not matter. The last tier covers all larger volumes.
func (t Terms) MarginTiers() []Tier {
	var out []Tier
	for part := range strings.SplitSeq(t.Tiers, ",") {
		volume, leverage, ok := strings.Cut(strings.TrimSpace(part), ":")
		lots, errLots := strconv.ParseInt(volume, 10, 64)
		n, errLeverage := strconv.Atoi(leverage)
		if ok && errLots == nil && errLeverage == nil && lots > 0 && lots <= math.MaxInt64/lot && n > 0 {
			out = append(out, Tier{lots * lot, n})
		}
	}
	if len(out) > 0 {
		out[len(out)-1].UpTo = math.MaxInt64
	}
	return out
}

// Swap is the rate for a long or a short position.
func (t Terms) Swap(long bool) int64 {
	if long {
		return t.SwapLong
	}
	return t.SwapShort
}

// check refuses contradictory terms, with a field for each invalid term.
func (t Terms) check() error {
	bad := map[string]string{}
	for name, fits := range map[string]bool{
		"mode":               t.Mode == FullTrading || t.Mode == CloseOnly,
		"spread_markup":      t.SpreadMarkup >= 0 && t.SpreadMarkup <= 10_000,
		"lot_step":           t.LotStep > 0,
		"lot_min":            t.LotStep > 0 && t.LotMin >= t.LotStep && t.LotMin%t.LotStep == 0,
		"lot_max":            t.LotStep > 0 && t.LotMax >= t.LotMin && t.LotMax%t.LotStep == 0,
		"multiple":           numbers(t.Multiple),
		"tiers":              rising(t.Tiers, t.MarginTiers()),
		"hedged_ratio_bps":   t.HedgedRatioBps >= 0 && t.HedgedRatioBps <= 10_000,
		"commission_per_lot": t.CommissionPerLot >= 0,
		"commission_bps":     t.CommissionBps >= 0 && t.CommissionBps <= 1_000,
		"commission_min":     t.CommissionMin >= 0,
		"stop_level":         t.StopLevel >= 0 && t.StopLevel <= 1_000_000,
		"stale_ms":           t.StaleMS >= 1_000 && t.StaleMS <= 600_000,
		"spike_bps":          t.SpikeBps >= 1 && t.SpikeBps <= 5_000,
		"swap_model":         slices.Contains([]SwapModel{NoSwap, PointSwap, MoneySwap, PercentSwap}, t.SwapModel),
		"swap_long":          t.SwapModel != NoSwap || t.SwapLong == 0,
		"swap_short":         t.SwapModel != NoSwap || t.SwapShort == 0,
		"triple_day":         t.TripleDay == nil || *t.TripleDay >= 1 && *t.TripleDay <= 5,
	} {
		if !fits {
			bad[name] = "field.range"
		}
	}
	return refusedFields(bad)
}

// refusedFields is the refusal of invalid fields; nil when there are none.
func refusedFields(fields map[string]string) error {
	if len(fields) == 0 {
		return nil
	}
	return &errs.Error{Kind: errs.Invalid, Key: "invalid_input", Fields: fields}
}

// numbers reports whether a list holds only leverages.
func numbers(list string) bool {
	return list == "" || !slices.ContainsFunc(strings.Split(list, ","), func(part string) bool {
		n, err := strconv.Atoi(part)
		return err != nil || n < 1 || n > 2_000
	})
}

// rising reports whether every tier of a list was parsed and each tier requires more margin than the one before.
func rising(list string, tiers []Tier) bool {
	if list != "" && len(tiers) != strings.Count(list, ",")+1 {
		return false
	}
	for i := 1; i < len(tiers); i++ {
		if tiers[i].UpTo <= tiers[i-1].UpTo || tiers[i].Leverage >= tiers[i-1].Leverage {
			return false
		}
	}
	return true
}

const termsColumns = `version, effective_at, mode, spread_markup, lot_min, lot_step, lot_max, multiple, tiers, hedged_ratio_bps, commission_per_lot,
	commission_bps, commission_min, stop_level, stale_ms, spike_bps, swap_model, swap_long, swap_short, triple_day`

// Versions lists every version of a product's terms, oldest first.
type Versions []Terms

// At is the version in force at a moment of market time.
func (v Versions) At(at time.Time) Terms {
	for _, terms := range slices.Backward(v) {
		if !at.Before(terms.EffectiveAt) {
			return terms
		}
	}
	return v[0]
}

// Upcoming is the next version after a moment, if there is one.
func (v Versions) Upcoming(at time.Time) (Terms, bool) {
	for _, terms := range v {
		if at.Before(terms.EffectiveAt) {
			return terms, true
		}
	}
	return Terms{}, false
}

// Number finds a version by its number.
func (v Versions) Number(version int) (Terms, bool) {
	if version < 1 || version > len(v) {
		return Terms{}, false
	}
	return v[version-1], true
}

// querier reads rows.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// ReadVersions reads every version of all products' terms.
func ReadVersions(ctx context.Context, q querier) (map[int]Versions, error) {
	rows, err := q.Query(ctx, `SELECT product_id, `+termsColumns+` FROM product_terms ORDER BY product_id, version`)
	if err != nil {
		return nil, fmt.Errorf("read the terms: %w", err)
	}
	out := map[int]Versions{}
	_, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (t Terms, err error) {
		var id int
		t, err = scanTerms(row, &id)
		out[id] = append(out[id], t)
		return t, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the terms: %w", err)
	}
	return out, nil
}

// scanTerms reads termsColumns, after others.
func scanTerms(row pgx.CollectableRow, others ...any) (t Terms, err error) {
	err = row.Scan(append(others, &t.Version, &t.EffectiveAt, &t.Mode, &t.SpreadMarkup, &t.LotMin, &t.LotStep, &t.LotMax, &t.Multiple, &t.Tiers, &t.HedgedRatioBps,
		&t.CommissionPerLot, &t.CommissionBps, &t.CommissionMin, &t.StopLevel, &t.StaleMS, &t.SpikeBps, &t.SwapModel, &t.SwapLong, &t.SwapShort, &t.TripleDay)...)
	t.EffectiveAt = t.EffectiveAt.UTC()
	return t, err
}

// TermsHeads is the table of signed heads of the terms' chain.
const TermsHeads = "terms_heads"

// SealedTerms is the source of the terms' chain: every version of every product's terms, from its approval on.
var SealedTerms = audit.Source{
	Table: "product_terms", Heads: TermsHeads, Columns: `id, xid, product_id, ` + termsColumns,
	Scan: func(row pgx.CollectableRow) (r audit.Row, err error) {
		var productID int
		t, err := scanTerms(row, &r.ID, &r.XID, &productID)
		r.Leaf = seal.Leaf([]byte(t.text(productID)))
		return r, err
	},
}

// text is the sealed form of a version: one line per term with its name, a space and its value.
func (t Terms) text(productID int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "terms %d\nversion %d\neffective %d\n", productID, t.Version, t.EffectiveAt.UnixMilli())
	for _, term := range t.List() {
		fmt.Fprintf(&b, "%s %s\n", term.Name, term.Value)
	}
	return b.String()
}

// seedTerms writes the first version of the catalogue's terms where the database lacks it.
func seedTerms(ctx context.Context, tx *db.Tx) error {
	for _, p := range Catalogue() {
		if err := insertTerms(ctx, tx, p.ID, p.Terms, nil); err != nil {
			return fmt.Errorf("seed the terms of %s: %w", p.Symbol, err)
		}
	}
	return nil
}

// insertTerms writes a version unless it exists; the database compares it with its approval.
func insertTerms(ctx context.Context, tx *db.Tx, productID int, t Terms, approvalID *int64) error {
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO product_terms (product_id, approval_id, `+termsColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) ON CONFLICT (product_id, version) DO NOTHING`,
		productID, approvalID, t.Version, t.EffectiveAt, t.Mode, t.SpreadMarkup, t.LotMin, t.LotStep, t.LotMax, t.Multiple, t.Tiers, t.HedgedRatioBps,
		t.CommissionPerLot, t.CommissionBps, t.CommissionMin, t.StopLevel, t.StaleMS, t.SpikeBps, t.SwapModel, t.SwapLong, t.SwapShort, t.TripleDay)
	return err
}

// Term is one term by name; the value is a plain decimal or word.
type Term struct{ Name, Value string }

// List is every term in display order.
func (t Terms) List() []Term {
	units := func(v int64) string { return money.Trim(v, money.Scale) }
	triple := ""
	if t.TripleDay != nil {
		triple = strconv.Itoa(*t.TripleDay)
	}
	return []Term{
		{"mode", string(t.Mode)}, {"spread_markup", strconv.Itoa(t.SpreadMarkup)},
		{"lot_min", units(t.LotMin)}, {"lot_step", units(t.LotStep)}, {"lot_max", units(t.LotMax)},
		{"multiple", t.Multiple}, {"tiers", t.Tiers}, {"hedged_ratio_bps", strconv.Itoa(t.HedgedRatioBps)},
		{"commission_per_lot", units(t.CommissionPerLot)}, {"commission_bps", strconv.Itoa(t.CommissionBps)}, {"commission_min", units(t.CommissionMin)},
		{"stop_level", strconv.Itoa(t.StopLevel)}, {"stale_ms", strconv.Itoa(t.StaleMS)}, {"spike_bps", strconv.Itoa(t.SpikeBps)},
		{"swap_model", string(t.SwapModel)}, {"swap_long", units(t.SwapLong)}, {"swap_short", units(t.SwapShort)}, {"triple_day", triple},
	}
}

// TermChange is a term before and after.
type TermChange struct{ Name, Before, After string }

// Changes lists the terms that differ in after.
func (t Terms) Changes(after Terms) (out []TermChange) {
	now := t.List()
	for i, term := range after.List() {
		if term.Value != now[i].Value {
			out = append(out, TermChange{term.Name, now[i].Value, term.Value})
		}
	}
	return out
}

// With is the terms with some replaced by name; an unknown name or invalid value is refused as a field of that name.
func (t Terms) With(said map[string]string) (Terms, error) {
	number := func(into *int) func(string) error {
		return func(text string) (err error) { *into, err = strconv.Atoi(text); return err }
	}
	units := func(into *int64) func(string) error {
		return func(text string) (err error) { *into, err = money.Parse(text, money.Scale); return err }
	}
	triple := func(text string) error {
		t.TripleDay = nil
		if text == "" {
			return nil
		}
		day, err := strconv.Atoi(text)
		t.TripleDay = &day
		return err
	}
	read := map[string]func(string) error{
		"mode": func(text string) error { t.Mode = Mode(text); return nil }, "spread_markup": number(&t.SpreadMarkup),
		"lot_min": units(&t.LotMin), "lot_step": units(&t.LotStep), "lot_max": units(&t.LotMax),
		"multiple": func(text string) error { t.Multiple = text; return nil }, "tiers": func(text string) error { t.Tiers = text; return nil },
		"hedged_ratio_bps": number(&t.HedgedRatioBps), "commission_per_lot": units(&t.CommissionPerLot), "commission_bps": number(&t.CommissionBps),
		"commission_min": units(&t.CommissionMin), "stop_level": number(&t.StopLevel), "stale_ms": number(&t.StaleMS), "spike_bps": number(&t.SpikeBps),
		"swap_model": func(text string) error { t.SwapModel = SwapModel(text); return nil }, "swap_long": units(&t.SwapLong), "swap_short": units(&t.SwapShort),
		"triple_day": triple,
	}
	bad := map[string]string{}
	for name, text := range said {
		if set, known := read[name]; !known {
			bad[name] = "field.unknown"
		} else if err := set(strings.TrimSpace(text)); err != nil {
			bad[name] = "field.number"
		}
	}
	if len(bad) > 0 {
		return t, refusedFields(bad)
	}
	return t, t.check()
}

package controldesk

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/market"
)

// TestTermsComeBackAsTheyWereStored takes the terms of every product through the form and back.
func TestTermsComeBackAsTheyWereStored(t *testing.T) {
	t.Parallel()
	for _, p := range market.Catalogue() {
		same, err := p.With(typedOf(p.Terms).stored(p.Terms))
		require.NoError(t, err, p.Symbol)
		require.Equal(t, p.Terms, same, p.Symbol)
		require.Len(t, termCells(p.Terms), len(termColumns))
	}
}

func TestNumbersAreTypedInTheirUnits(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ name, stored, shown string }{
		{"hedged_ratio_bps", "5000", "50"}, {"spike_bps", "1", "0.01"}, {"commission_bps", "125", "1.25"}, {"stale_ms", "2500", "2.5"}, {"stale_ms", "600000", "600"},
		{"commission_per_lot", "3.5", "3.50"}, {"commission_min", "1250", "1,250.00"}, {"commission_min", "0.1234", "0.1234"}, {"stop_level", "1000000", "1,000,000"},
		{"swap_long", "-8.9", "-8.9"}, {"lot_max", "1500", "1,500"},
	} {
		unit := termUnits[one.name]
		require.Equal(t, one.shown, unit.typed(one.stored), one.name)
		got, err := market.Catalogue()[0].With(map[string]string{one.name: unit.stored(one.shown)})
		require.NoError(t, err, one.name)
		require.Equal(t, one.stored, values(got)[one.name], one.name)
	}
	for typed, stored := range map[string]string{"12.5": "1250", "12.50": "1250", " 12.5 ": "1250", "0": "0", "12.345": "", "12,5": "", "1,2.5": "", "5000 bp": "", "50 %": "", "": "", "1e3": "", "+5": ""} {
		require.Equal(t, stored, termUnits["hedged_ratio_bps"].stored(typed), typed)
	}
	for typed, stored := range map[string]string{"1,250.5": "1250.5", "1 250.5": "1250.5", "−8.9": "-8.9", "1250,5": "1250,5"} {
		require.Equal(t, stored, termUnits["swap_long"].stored(typed), typed)
	}
}

func TestTiersAreTypedFromAVolume(t *testing.T) {
	t.Parallel()
	rows := tierRows("20:500,1000:200,100000:100")
	require.Equal(t, []tierRow{{"0", "500"}, {"20", "200"}, {"1,000", "100"}}, rows)
	before := "20:500,1000:200,100000:100"
	require.Equal(t, before, storedTiers(rows, before))
	require.Empty(t, tierRows(""))
	require.Empty(t, storedTiers([]tierRow{{"", ""}, {"0", " "}}, before))
	for _, one := range []struct {
		stored string
		rows   []tierRow
	}{
		{"5:500,100000:100", []tierRow{{"0", "500"}, {"5", "100"}}},
		{"100000:50", []tierRow{{"7", "50"}}}, // the first one applies from the first lot
		{"200000:500,200001:100", []tierRow{{"0", "500"}, {"200,000", "100"}}},
	} {
		require.Equal(t, one.stored, storedTiers(one.rows, before))
	}
	for _, wrong := range [][]tierRow{{{"0", "500"}, {"x", "100"}}, {{"0", "500"}, {"", "100"}}, {{"0", "500"}, {"1.5", "100"}}, {{"0", "500"}, {"9", ""}}, {{"0", "100"}, {"9", "100"}}, {{"0", "500"}, {"9", "200"}, {"8", "100"}}} {
		_, err := market.Catalogue()[0].With(map[string]string{"tiers": storedTiers(wrong, before)})
		require.Error(t, err, wrong)
	}
}

func TestALeverageNeedsItsMargin(t *testing.T) {
	t.Parallel()
	for leverage, want := range map[string]string{"1": "100%", "3": "33.333%", "100": "1%", "500": "0.2%", "2,000": "0.05%", "0": "", "-5": "", "": "", "x": ""} {
		require.Equal(t, want, marginOf(leverage), leverage)
	}
}

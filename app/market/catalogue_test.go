package market

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	products := Catalogue()
	t.Run("IDsAndSymbolsAreUnique", func(t *testing.T) {
		ids, symbols := map[int]bool{}, map[string]bool{}
		for _, p := range products {
			require.False(t, ids[p.ID] || symbols[p.Symbol], p.Symbol)
			ids[p.ID], symbols[p.Symbol] = true, true
		}
	})
	t.Run("EachClassHasItsRangeOfIDs", func(t *testing.T) {
		starts := map[Class]int{Forex: 0, Metal: 100, Crypto: 200, USStock: 300, Index: 400}
		for _, p := range products {
			start, known := starts[p.Class]
			require.True(t, known, p.Symbol)
			require.Greater(t, p.ID, start, p.Symbol)
			require.Less(t, p.ID, start+100, p.Symbol)
		}
	})
	t.Run("EveryRowSatisfiesTheTable", func(t *testing.T) {
		for _, p := range products {
			require.True(t, p.LotMin > 0 && p.LotStep > 0 && p.LotMax >= p.LotMin && p.LotMin%p.LotStep == 0, p.Symbol)
			require.True(t, p.ContractSize > 0 && p.StaleMS > 0 && p.SpikeBps > 0 && p.StopLevel >= 0 && p.Point <= 10, p.Symbol)
			require.True(t, p.Mode == FullTrading && p.Version == 1 && p.HedgedRatioBps == 5000 && p.Sort > 0, p.Symbol)
			require.NotEmpty(t, p.Name, p.Symbol)
			require.Equal(t, p.Class == Forex, p.MarginModel == ForexMargin, p.Symbol)
			require.Greater(t, len(p.Leverages()), 2, p.Symbol)
		}
	})
	t.Run("EveryCalendarHasSessions", func(t *testing.T) {
		for _, p := range products {
			found := slices.ContainsFunc(DefaultSessions(), func(s Session) bool { return s.Calendar == p.Calendar })
			require.True(t, found, p.Symbol)
		}
	})
	t.Run("EveryProductIsSimulated", func(t *testing.T) {
		for _, p := range products {
			require.Contains(t, shapes, p.Symbol)
		}
	})
	t.Run("EveryQuoteCurrencyConvertsToUSD", func(t *testing.T) {
		for _, p := range products {
			found := p.Quote == "USD" || slices.ContainsFunc(products, func(c Product) bool {
				return c.Symbol == p.Quote+"USD" || c.Symbol == "USD"+p.Quote
			})
			require.True(t, found, p.Symbol)
		}
	})
	t.Run("PlacesOfTheHotListAreTakenOnce", func(t *testing.T) {
		places := map[int]bool{}
		for _, p := range products {
			require.False(t, p.Hot > 0 && places[p.Hot], p.Symbol)
			places[p.Hot] = true
		}
	})
}

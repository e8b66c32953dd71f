package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/seal"
	"candor/app/trading"
	"candor/app/trading/proof"
)

func TestReceipt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	done := b.opens(trading.Open{Owner: o, ProductID: eurgbp, Side: trading.Buy, Lots: 10 * cent})
	b.closes(o, done.Position.ID, 0)
	plain := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent})
	b.stop()

	r, err := b.reader().Receipt(t.Context(), o.AccountID, done.Fill.ID)
	require.NoError(t, err)
	same(t, done.Fill, r.Fill.Fill)
	require.Equal(t, "EURGBP", r.Fill.Product.Symbol)
	require.Empty(t, r.Earlier)
	for name, proved := range map[string]*proof.ProvedQuote{"EURGBP": &r.Quote, "GBPUSD": r.Conversion, "EURUSD": r.Margin} {
		require.Equal(t, name, proved.Product.Symbol)
		require.Equal(t, proved.Proof.Head.Root, seal.Climb(proved.Quote.Leaf(), proved.Proof.Path), name)
	}
	require.Equal(t, r.Fill.Price, r.Quote.Quote.Ask)

	r, err = b.reader().Receipt(t.Context(), o.AccountID, plain.Fill.ID)
	require.NoError(t, err)
	require.True(t, r.Conversion == nil && r.Margin == nil, "nothing was converted")
	_, err = b.reader().Receipt(t.Context(), o.AccountID, 999)
	require.ErrorIs(t, err, trading.ErrFill)
}

func TestConversionNamesItsProduct(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p, inverse, ok := b.engine.Conversion("JPY")
	require.True(t, ok && inverse)
	require.Equal(t, "USDJPY", p.Symbol)
	p, inverse, ok = b.engine.Conversion("GBP")
	require.True(t, ok && !inverse)
	require.Equal(t, "GBPUSD", p.Symbol)
	for _, currency := range []string{"USD", "USDT", "SEK"} {
		_, _, ok = b.engine.Conversion(currency)
		require.False(t, ok, currency)
	}
}

func TestWithoutAConversionPriceNothingIsTraded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote(eurgbp, "0.88000", "0.88010")
	b.quote(eurusd, "1.10000", "1.10010")
	o := b.fund(10_000 * unit)
	order := trading.Open{Owner: o, ProductID: eurgbp, Side: trading.Buy, Lots: 10 * cent}
	_, err := b.try(order)
	require.ErrorIs(t, err, trading.ErrConversion)
	b.quote(2, "1.25000", "1.25020")
	b.opens(order)
}

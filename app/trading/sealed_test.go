package trading

import (
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/seal"
)

// TestTextOfASealedFill keeps the words that every published hash of a fill was made from: they may be added to, never changed.
func TestTextOfASealedFill(t *testing.T) {
	t.Parallel()
	products := productsByID(market.Catalogue())
	f := SealedFill{
		Fill: Fill{
			ID: 12, OrderID: 11, PositionID: 7, AccountID: 1000, ProductID: eurgbp, Terms: 3, Side: Sell, Entry: entryClose, Rule: MarketRule, Lots: 10 * cent,
			Price: 88_010, QuoteSeq: 4711, OpenPrice: ptr[int64](88_000), OpenValue: ptr[int64](8_800_000_000), Leverage: 100, Margin: 110_005_000, Commission: 0, Profit: -1_250_100,
			ConversionProduct: ptr(2), ConversionSeq: ptr[int64](99), TransactionID: ptr[int64](31), Equity: 10_000 * unit, UsedMargin: 110_005_000,
			CreatedAt: time.UnixMilli(1_800_000_000_123), AtMS: 1_800_000_000_100,
		},
		Salt: [16]byte{0x0f, 15: 0xf0}, Product: products[eurgbp], Converter: ptr(products[2]),
	}
	require.Equal(t, `fill 12
order 11
position 7
account 1000
product 8
product-symbol EURGBP
product-base EUR
product-quote GBP
product-point 5
contract 100000
model forex
terms 3
lot-fee 0
fee-bps 0
least-fee 0
side sell
entry close
rule market
lots 100000
price 88010
quote 4711
open-price 88000
open-value 8800000000
leverage 100
margin 110005000
commission 0
profit -1250100
conversion 2
conversion-symbol GBPUSD
conversion-base GBP
conversion-quote USD
conversion-point 5
conversion-seq 99
conversion-inverse false
transaction 31
equity 10000000000
used-margin 110005000
time 1800000000123
market-time 1800000000100
salt 0f0000000000000000000000000000f0
`, f.Text())
	require.Equal(t, seal.Leaf([]byte(f.Text())), f.Leaf())
	salted := f
	salted.Salt[3]++
	require.NotEqual(t, f.Leaf(), salted.Leaf(), "the same fill with another salt has another hash")
	f.BestSeq = ptr[int64](4700)
	require.Contains(t, f.Text(), "quote 4711\nbest 4700\nopen-price 88000\n", "a trailing stop's of before its beginning was sealed keeps its text")
	f.TrailSince = ptr[int64](4690)
	require.Contains(t, f.Text(), "quote 4711\nbest 4700\ntrail-since 4690\nopen-price 88000\n")
}

// TestFillsAreSealed seals a history and finds what is changed behind it, even what no sum depends on.
func TestFillsAreSealed(t *testing.T) {
	t.Parallel()
	b := trade(t)
	r, err := b.engine.Receipt(t.Context(), b.market, b.fillsOwner(1), 1)
	require.NoError(t, err)
	require.Nil(t, r.Fill.Proof)
	require.Equal(t, Finding{"fill 1", "it is not sealed yet"}, r.Check(b.key.Public().(ed25519.PublicKey))[0])

	chain := audit.NewChain(Sealed(b.market.Products(), b.market.Version), b.db, b.real, b.key, seal.NewOutside(t.TempDir(), "fills"))
	fills, sealed := int(b.number(`SELECT count(*) FROM fills`)), 0
	require.Eventually(t, func() bool { // transactions of tests beside this one hold back what is final
		more, err := chain.Seal(t.Context())
		require.NoError(t, err)
		sealed += more
		return sealed == fills
	}, time.Minute, 5*time.Millisecond)
	r, err = b.engine.Receipt(t.Context(), b.market, b.fillsOwner(1), 1)
	require.NoError(t, err)
	require.NotNil(t, r.Fill.Proof)
	require.EqualValues(t, fills, b.number(`SELECT count(DISTINCT salt) FROM fills`))

	problem := func() *audit.Problem {
		problem, _, err := chain.Verify(t.Context())
		require.NoError(t, err)
		return problem
	}
	require.Nil(t, problem())
	for _, change := range []string{"equity = equity + 1", "used_margin = used_margin - 1", "created_at = created_at + interval '1 second'", "at_ms = at_ms + 1", "salt = gen_random_uuid()"} {
		_, err := b.super.Exec(t.Context(), `CREATE TABLE kept AS TABLE fills; UPDATE fills SET `+change+` WHERE id = 3`)
		require.NoError(t, err)
		require.Equal(t, &audit.Problem{Table: "fills", Row: "id 3", What: "was altered after it was sealed"}, problem(), change)
		_, err = b.super.Exec(t.Context(), `UPDATE fills SET equity = k.equity, used_margin = k.used_margin, created_at = k.created_at, at_ms = k.at_ms, salt = k.salt
			FROM kept k WHERE k.id = fills.id; DROP TABLE kept`)
		require.NoError(t, err)
		require.Nil(t, problem())
	}
}

// fillsOwner is the account of a fill.
func (b *bundle) fillsOwner(id int64) int64 {
	b.t.Helper()
	return b.number(`SELECT account_id FROM fills WHERE id = $1`, id)
}

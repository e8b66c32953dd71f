package engine

import (
	"crypto/ed25519"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/seal"
	"candor/app/trading"
	"candor/app/trading/proof"
)

// TestTextOfASealedFill pins the text behind every published hash of a fill: lines may be added, never changed.
func TestTextOfASealedFill(t *testing.T) {
	t.Parallel()
	products := proof.ProductsByID(market.Catalogue())
	f := proof.SealedFill{
		Fill: trading.Fill{
			ID: 12, OrderID: 11, PositionID: 7, AccountID: 1000, ProductID: eurgbp, Terms: 3, Side: trading.Sell, Entry: trading.EntryClose, Rule: trading.MarketRule, Lots: 10 * cent,
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

// TestFillsAreSealed seals a history and finds every later alteration, even of a value that no sum depends on.
func TestFillsAreSealed(t *testing.T) {
	t.Parallel()
	b := trade(t)
	r, err := b.reader().Receipt(t.Context(), b.fillsOwner(1), 1)
	require.NoError(t, err)
	require.Nil(t, r.Fill.Proof)
	require.Equal(t, proof.Finding{What: "fill 1", Wrong: "it is not sealed yet"}, r.Check(b.key.Public().(ed25519.PublicKey))[0])

	chain := b.seals(proof.FillSource(b.market.Products(), b.market.Version))
	r, err = b.reader().Receipt(t.Context(), b.fillsOwner(1), 1)
	require.NoError(t, err)
	require.NotNil(t, r.Fill.Proof)
	require.EqualValues(t, b.number(`SELECT count(*) FROM fills`), b.number(`SELECT count(DISTINCT salt) FROM fills`))

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

// TestTextOfASealedCharge pins the text behind every published hash of a charge.
func TestTextOfASealedCharge(t *testing.T) {
	t.Parallel()
	products := proof.ProductsByID(market.Catalogue())
	cross, apple := products[eurgbp], products[aapl]
	cross.Terms.SwapModel = market.PercentSwap
	c := proof.SealedCharge{
		Charge: trading.Charge{
			ID: 5, Kind: trading.SwapCharge, PositionID: 7, AccountID: 1000, ProductID: eurgbp, Terms: 2, Day: time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC), Nights: 3, Side: trading.Buy,
			Lots: 10 * cent, Rate: -6_100_000, Price: ptr[int64](88_010), QuoteSeq: ptr[int64](4711), ConversionProduct: ptr(2), ConversionSeq: ptr[int64](99),
			Amount: -229_000, TransactionID: ptr[int64](31), CreatedAt: time.UnixMilli(1_800_000_000_123), AtMS: 1_800_000_000_000,
		},
		Salt: [16]byte{0x0f, 15: 0xf0}, Product: cross, Converter: ptr(products[2]),
	}
	require.Equal(t, `charge 5
kind swap
position 7
account 1000
product 8
product-symbol EURGBP
product-base EUR
product-quote GBP
product-point 5
contract 100000
terms 2
swap percent
rate -6100000
unit percent
day 2026-11-25
nights 3
side buy
lots 100000
price 88010
quote 4711
conversion 2
conversion-symbol GBPUSD
conversion-base GBP
conversion-quote USD
conversion-point 5
conversion-seq 99
conversion-inverse false
amount -229000
transaction 31
time 1800000000123
market-time 1800000000000
salt 0f0000000000000000000000000000f0
`, c.Text())
	require.Equal(t, seal.Leaf([]byte(c.Text())), c.Leaf())
	dividend := proof.SealedCharge{Charge: trading.Charge{Kind: trading.DividendCharge}, Product: apple}
	require.Contains(t, dividend.Text(), "rate 0\nunit USD\n")
	require.NotContains(t, dividend.Text(), "\nswap ", "it has no model")
}

// TestTextOfASealedStopOut pins the additional lines in the fill of a stop-out.
func TestTextOfASealedStopOut(t *testing.T) {
	t.Parallel()
	products := proof.ProductsByID(market.Catalogue())
	cross := products[eurgbp]
	cross.Tiers, cross.HedgedRatioBps = "10:100,50:50", 5_000
	f := proof.SealedFill{
		Fill: trading.Fill{Equity: 1, UsedMargin: 3, Snapshot: &trading.StopOutSnapshot{
			Worth: 900 * unit, Call: trading.Warned{ID: 4, Equity: 99 * unit, UsedMargin: 100 * unit, TimeMS: 1_800_000_000_000, AtMS: 1_800_000_000_001},
			Positions: []trading.SnapshotPosition{
				{
					PositionID: 7, ProductID: eurgbp, Terms: 3, Side: trading.Sell, Lots: cent, OpenValue: 880_000_000, Leverage: 100, Margin: 11 * unit, Price: 88_010, QuoteSeq: 4711,
					ConversionProduct: ptr(2), ConversionSeq: ptr[int64](99), Profit: -125_000, Skipped: true,
				},
				{PositionID: 8, ProductID: btcusd, Terms: 1, Side: trading.Buy, Lots: cent, OpenValue: 50_000_000_000, Leverage: 20, Margin: 25 * unit, Price: 50_000_00, QuoteSeq: 5, Profit: 0},
			},
		}},
		Held: []proof.HeldProduct{{Product: cross, Converter: ptr(products[2])}, {Product: products[btcusd]}},
	}
	require.Contains(t, f.Text(), `used-margin 3
worth 900000000
call 4
call-equity 99000000
call-used-margin 100000000
call-time 1800000000000
call-market-time 1800000000001
held 7
held-product 8
held-product-symbol EURGBP
held-product-base EUR
held-product-quote GBP
held-product-point 5
held-contract 100000
held-terms 3
held-tiers 10:100,50:50
held-hedged-bps 5000
held-side sell
held-lots 10000
held-open-value 880000000
held-leverage 100
held-margin 11000000
held-price 88010
held-quote 4711
held-conversion 2
held-conversion-symbol GBPUSD
held-conversion-base GBP
held-conversion-quote USD
held-conversion-point 5
held-conversion-seq 99
held-conversion-inverse false
held-profit -125000
held-skipped true
held 8
held-product 201
`)
	require.Contains(t, f.Text(), "held-profit 0\nheld-skipped false\ntime ")
}

// seals seals all rows of a source; a transaction of a parallel test can delay it.
func (b *bundle) seals(source audit.Source) *audit.Chain {
	b.t.Helper()
	chain := audit.NewChain(source, b.db, b.real, b.key, seal.NewCheckpointStore(b.t.TempDir(), source.Table))
	b.sealsMore(chain, source)
	return chain
}

func (b *bundle) sealsMore(chain *audit.Chain, source audit.Source) {
	b.t.Helper()
	rows := b.number(`SELECT count(*) FROM ` + source.Table)
	require.Eventually(b.t, func() bool {
		_, err := chain.Seal(b.t.Context())
		require.NoError(b.t, err)
		return b.number(`SELECT coalesce(sum(count), 0) FROM `+source.Heads) == rows
	}, time.Minute, 5*time.Millisecond)
}

// evenings has a rollover with a swap of each model, for positions of which one was partly closed before; the next rollover also pays a dividend.
func evenings(t *testing.T) (*bundle, ledger.Owner) {
	t.Helper()
	b := swapping(t)
	b.prices()
	o := b.fund(100_000 * unit)
	cross := b.opens(trading.Open{Owner: o, ProductID: eurgbp, Side: trading.Buy, Lots: unit}).Position.ID
	b.closes(o, cross, 30*cent)
	b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Sell, Lots: unit / 10})
	b.opens(trading.Open{Owner: o, ProductID: aapl, Side: trading.Sell, Lots: 3 * unit})
	b.dividend(aapl, "2026-11-27", 260_000)
	b.time.Set(evening(24, 17, 0))
	b.sweep()
	return b, o
}

// TestChargesAreSealed seals charges, and finds what is altered, removed or cut off afterwards.
func TestChargesAreSealed(t *testing.T) {
	t.Parallel()
	b, o := evenings(t)
	r, err := b.reader().ChargeReceipt(t.Context(), o.AccountID, 1)
	require.NoError(t, err)
	require.Nil(t, r.Charge.Proof)
	require.Equal(t, proof.Finding{What: "charge 1", Wrong: "it is not sealed yet"}, r.Check(b.key.Public().(ed25519.PublicKey))[0])
	source := proof.ChargeSource(b.market.Products(), b.market.Version)
	chain := b.seals(source)
	b.time.Set(evening(25, 17, 0))
	b.sweep()
	b.sealsMore(chain, source)
	require.EqualValues(t, 7, b.number(`SELECT count(DISTINCT salt) FROM charges`))
	for name, test := range map[string]struct {
		sql  string
		want audit.Problem
	}{
		"AnAmount":     {`UPDATE charges SET amount = amount + 1 WHERE id = 3`, audit.Problem{Table: "charges", Row: "id 3", What: "was altered after it was sealed"}},
		"ANight":       {`UPDATE charges SET nights = 2 WHERE id = 3`, audit.Problem{Table: "charges", Row: "id 3", What: "was altered after it was sealed"}},
		"AMoment":      {`UPDATE charges SET created_at = created_at + interval '1 second' WHERE id = 3`, audit.Problem{Table: "charges", Row: "id 3", What: "was altered after it was sealed"}},
		"ASalt":        {`UPDATE charges SET salt = gen_random_uuid() WHERE id = 3`, audit.Problem{Table: "charges", Row: "id 3", What: "was altered after it was sealed"}},
		"ATermsSwap":   {`UPDATE product_terms SET swap_model = 'none' WHERE product_id = 201`, audit.Problem{Table: "charges", Row: "id 2", What: "was altered after it was sealed"}},
		"Removed":      {`DELETE FROM charges WHERE id = 2`, audit.Problem{Table: "charges", Row: "id 2", What: "is missing"}},
		"AddedBehind":  {`INSERT INTO charges OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(c, '{"id": 99, "day": "2026-11-20"}')).* FROM charges c WHERE id = 1`, audit.Problem{Table: "charges", Row: "id 99", What: "was added behind the sealed ones"}},
		"TheTailIsCut": {`DELETE FROM charges WHERE xid > (SELECT until_xid FROM charge_heads WHERE batch = 1); DELETE FROM charge_heads WHERE batch > 1`, audit.Problem{Table: "charge_heads", Row: "batch 2", What: "is missing: the heads kept outside go on to batch 2"}},
		"AHead":        {`UPDATE charge_heads SET root = hash WHERE batch = 1`, audit.Problem{Table: "charge_heads", Row: "batch 1", What: "its hash or signature does not fit"}},
	} {
		_, err := b.super.Exec(t.Context(), `SET session_replication_role = replica; CREATE TABLE kept AS TABLE charges; CREATE TABLE kept_heads AS TABLE charge_heads;
			CREATE TABLE kept_terms AS TABLE product_terms; `+test.sql)
		require.NoError(t, err, name)
		require.NoError(t, b.market.ReloadTerms(t.Context()))
		problem, _, err := chain.Verify(t.Context())
		require.NoError(t, err)
		require.Equal(t, &test.want, problem, name)
		_, err = b.super.Exec(t.Context(), `TRUNCATE charges, charge_heads; DELETE FROM product_terms; INSERT INTO charges OVERRIDING SYSTEM VALUE TABLE kept;
			INSERT INTO charge_heads TABLE kept_heads; INSERT INTO product_terms OVERRIDING SYSTEM VALUE TABLE kept_terms; DROP TABLE kept, kept_heads, kept_terms`)
		require.NoError(t, err)
		require.NoError(t, b.market.ReloadTerms(t.Context()))
		problem, proved, err := chain.Verify(t.Context())
		require.NoError(t, err)
		require.Nil(t, problem)
		require.EqualValues(t, 7, proved)
	}
}

// provedAnew signs any content of a receipt with the key, so that only the sums can reveal a fault.
func provedAnew(key ed25519.PrivateKey, leaf seal.Hash) *audit.Proof {
	return &audit.Proof{Head: seal.Next(seal.Head{}, 1, []seal.Hash{leaf}, time.UnixMilli(1), key)}
}

func resealed(r proof.Receipt, key ed25519.PrivateKey) proof.Receipt {
	r.Fill.Proof, r.Quote.Proof = provedAnew(key, r.Fill.Leaf()), provedAnew(key, r.Quote.Quote.Leaf())
	for i := range r.Earlier {
		r.Earlier[i].Proof = provedAnew(key, r.Earlier[i].Leaf())
	}
	for i := range r.Held {
		r.Held[i].Proof = provedAnew(key, r.Held[i].Quote.Leaf())
	}
	return r
}

func chargeResealed(r proof.ChargeReceipt, key ed25519.PrivateKey) proof.ChargeReceipt {
	r.Charge.Proof = provedAnew(key, r.Charge.Leaf())
	for i := range r.Fills {
		r.Fills[i].Proof = provedAnew(key, r.Fills[i].Leaf())
	}
	for _, q := range []*proof.ProvedQuote{r.Quote, r.Conversion} {
		if q != nil {
			q.Proof = provedAnew(key, q.Quote.Leaf())
		}
	}
	return r
}

func firstWrong(findings []proof.Finding) string {
	for _, f := range findings {
		if f.Wrong != "" {
			return f.What + ": " + f.Wrong
		}
	}
	return ""
}

// TestChargeReceipts checks the receipts of each kind of charge from their content alone, and finds false values in signed ones.
func TestChargeReceipts(t *testing.T) {
	t.Parallel()
	b, o := evenings(t)
	b.time.Set(evening(25, 17, 0))
	b.sweep()
	charges := map[string]int64{}
	for _, c := range b.charges(o) {
		charges[fmt.Sprint(c.Kind, " ", c.ProductID)] = c.ID
	}
	b.stop()
	b.seals(proof.ChargeSource(b.market.Products(), b.market.Version))
	b.seals(proof.FillSource(b.market.Products(), b.market.Version))
	public := b.key.Public().(ed25519.PublicKey)
	read := func(name string) proof.ChargeReceipt {
		t.Helper()
		require.Contains(t, charges, name)
		r, err := b.reader().ChargeReceipt(t.Context(), o.AccountID, charges[name])
		require.NoError(t, err)
		return r
	}
	for name := range charges {
		require.Empty(t, firstWrong(read(name).Check(public)), name)
	}
	require.Len(t, read("swap 8").Fills, 2, "the opening, and what was closed of it")
	require.True(t, read("swap 201").Quote == nil && read("swap 201").Conversion == nil, "of money alone")
	stranger := b.fund(0)
	for _, id := range []int64{charges["swap 8"], 999} {
		account := stranger.AccountID
		if id == 999 {
			account = o.AccountID
		}
		_, err := b.reader().ChargeReceipt(t.Context(), account, id)
		require.ErrorIs(t, err, trading.ErrCharge)
	}
	for _, c := range []struct {
		name, charge string
		lie          func(r *proof.ChargeReceipt)
		wrong        string
	}{
		{"AnAmount", "swap 8", func(r *proof.ChargeReceipt) { r.Charge.Amount++ }, "its amount is not what its sums give"},
		{"ARate", "swap 201", func(r *proof.ChargeReceipt) { r.Charge.Rate += 100 }, "its amount is not what its sums give"},
		{"Nights", "swap 201", func(r *proof.ChargeReceipt) { r.Charge.Nights++ }, "its amount is not what its sums give"},
		{"NoNight", "swap 201", func(r *proof.ChargeReceipt) { r.Charge.Nights = 0 }, "its moment is none of that day"},
		{"AModel", "swap 8", func(r *proof.ChargeReceipt) { r.Charge.Product.SwapModel = market.PercentSwap }, "the price that it is taken of is not its quote's"},
		{"AContract", "swap 8", func(r *proof.ChargeReceipt) { r.Charge.Product.ContractSize++ }, "its amount is not what its sums give"},
		{"AnotherDay", "swap 8", func(r *proof.ChargeReceipt) { r.Charge.Day = r.Charge.Day.AddDate(0, 0, 1) }, "its moment is none of that day"},
		{"AnotherMoment", "swap 8", func(r *proof.ChargeReceipt) { r.Charge.AtMS-- }, "its moment is none of that day"},
		{"Lots", "swap 201", func(r *proof.ChargeReceipt) { r.Charge.Lots++ }, "it counts other lots than were open"},
		{"ASide", "swap 201", func(r *proof.ChargeReceipt) { r.Charge.Side = trading.Buy }, "it counts other lots than were open"},
		{"AFillLeftOut", "swap 8", func(r *proof.ChargeReceipt) { r.Fills = r.Fills[:1] }, "it counts other lots than were open"},
		{"NoFill", "swap 8", func(r *proof.ChargeReceipt) { r.Fills = nil }, "it counts other lots than were open"},
		{"AFillTwice", "swap 8", func(r *proof.ChargeReceipt) { r.Fills = append(r.Fills, r.Fills[1]) }, "not in order"},
		{"AnotherPositionsFill", "swap 8", func(r *proof.ChargeReceipt) { r.Fills[0].PositionID++ }, "not of the same position"},
		{"AFillOfAfterwards", "swap 8", func(r *proof.ChargeReceipt) { r.Fills[1].AtMS = r.Charge.AtMS }, "came after the rollover"},
		{"ARateOfExchange", "swap 8", func(r *proof.ChargeReceipt) { r.Conversion.Quote.Bid -= 500 }, "its amount is not what its sums give"},
		{"AnotherRateOfExchange", "swap 8", func(r *proof.ChargeReceipt) { r.Conversion.Quote.Seq++ }, "the quote that converted it is another one"},
		{"NoRateOfExchange", "swap 8", func(r *proof.ChargeReceipt) { r.Conversion = nil }, "the quote that converted it is another one"},
		{"UpsideDown", "swap 8", func(r *proof.ChargeReceipt) { r.Charge.ConversionInverse = true }, "not converted as its currency demands"},
		{"ALaterRateOfExchange", "swap 8", func(r *proof.ChargeReceipt) { r.Conversion.Quote.AtMS = r.Charge.AtMS - 999 }, "came too late"},
		{"APrice", "swap 301", func(r *proof.ChargeReceipt) { *r.Charge.Price++ }, "the price that it is taken of is not its quote's"},
		{"AQuote", "swap 301", func(r *proof.ChargeReceipt) { r.Quote.Quote.Ask++ }, "the price that it is taken of is not its quote's"},
		{"ALaterQuote", "swap 301", func(r *proof.ChargeReceipt) { r.Quote.Quote.AtMS = r.Charge.AtMS - 999 }, "came too late"},
		{"NoQuote", "swap 301", func(r *proof.ChargeReceipt) { r.Quote = nil }, "its quote is another one"},
		{"NeitherQuoteNorPrice", "swap 301", func(r *proof.ChargeReceipt) { r.Quote, r.Charge.QuoteSeq, r.Charge.Price = nil, nil, nil }, "the price that it is taken of is not its quote's"},
		{"ADividend", "dividend 301", func(r *proof.ChargeReceipt) { r.Charge.Amount = -r.Charge.Amount }, "its amount is not what its sums give"},
		{"AKind", "dividend 301", func(r *proof.ChargeReceipt) { r.Charge.Kind = trading.SwapCharge }, "the price that it is taken of is not its quote's"},
	} {
		lying := read(c.charge)
		c.lie(&lying)
		require.NotEmpty(t, firstWrong(lying.Check(public)), c.name)
		require.Contains(t, firstWrong(chargeResealed(lying, b.key).Check(public)), c.wrong, c.name)
	}
}

// TestStopOutReceipts checks that the receipt of a stop-out proves its level and its choice, with a larger loss skipped, and finds false values.
func TestStopOutReceipts(t *testing.T) {
	t.Parallel()
	b := setupOn(t, `swap_model = 'none', swap_long = 0, swap_short = 0, tiers = CASE product_id WHEN 201 THEN '1:20,50:10' ELSE '' END, hedged_ratio_bps = 2500`)
	b.time.Set(time.Date(2026, 11, 27, 21, 59, 0, 0, time.UTC))
	b.prices()
	o := b.fund(305 * unit)
	b.credit(o, 50*unit)
	euro := b.opens(trading.Open{Owner: o, ProductID: eurgbp, Side: trading.Buy, Lots: 10 * cent}).Position.ID
	small := b.opens(trading.Open{Owner: o, ProductID: ethusd, Side: trading.Buy, Lots: 10 * cent}).Position.ID
	coin := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: 2 * cent}).Position.ID
	hedge := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Sell, Lots: cent}).Position.ID
	b.jump(eurgbp, "0.86500", "0.86510") // -188.75: the largest loss
	b.time.Set(saturday)
	b.jump(btcusd, "42000.00", "42010.00") // equity 85.8 of 160
	b.sweep()
	require.Empty(t, b.stopped(o))
	calls, _, err := b.engine.MarginCalls(t.Context(), o.AccountID, 0, 10)
	require.NoError(t, err)
	b.jump(btcusd, "41000.00", "41010.00") // equity 75.8
	b.sweep()
	require.Equal(t, []int64{coin}, b.stopped(o), "the euro has lost more, but its market is closed")
	b.stop()
	b.seals(proof.FillSource(b.market.Products(), b.market.Version))
	public := b.key.Public().(ed25519.PublicKey)
	var id int64
	for _, f := range b.fills(o) {
		if f.PositionID == coin {
			id = f.ID
		}
	}
	read := func() proof.Receipt {
		t.Helper()
		r, err := b.reader().Receipt(t.Context(), o.AccountID, id)
		require.NoError(t, err)
		return r
	}
	r := read()
	require.Empty(t, firstWrong(r.Check(public)))
	snap := r.Fill.Snapshot
	require.Len(t, snap.Positions, 4)
	skipped := map[int64]bool{}
	for _, p := range snap.Positions {
		skipped[p.PositionID] = p.Skipped
	}
	require.Equal(t, map[int64]bool{euro: true, small: false, coin: false, hedge: false}, skipped)
	require.Len(t, calls, 1, "warned at 85.8 of 160")
	require.Equal(t, []int64{calls[0].ID, calls[0].Equity, calls[0].AtMS}, []int64{snap.Call.ID, snap.Call.Equity, snap.Call.AtMS})
	at := func(r *proof.Receipt, id int64) *trading.SnapshotPosition { return r.Fill.Snapshot.FindPosition(id) }
	for _, c := range []struct {
		name  string
		lie   func(r *proof.Receipt)
		wrong string
	}{
		{"ALevelAbove", func(r *proof.Receipt) { r.Fill.Equity = r.Fill.UsedMargin/2 + 1 }, "had not fallen to the stop-out"},
		{"AnEquity", func(r *proof.Receipt) { r.Fill.Equity-- }, "its equity is not what its positions give"},
		{"AUsedMargin", func(r *proof.Receipt) { r.Fill.UsedMargin++ }, "its used margin is not what its positions give"},
		{"OtherMoney", func(r *proof.Receipt) { r.Fill.Snapshot.Worth++ }, "its equity is not what its positions give"},
		{"NoStanding", func(r *proof.Receipt) { r.Fill.Snapshot, r.Fill.Held, r.Held = nil, nil, nil }, "does not say how the account stood"},
		{"AStandingOfNoStopOut", func(r *proof.Receipt) { r.Fill.Rule = trading.MarketRule }, "it is no stop-out"},
		{"AProfit", func(r *proof.Receipt) { at(r, small).Profit++ }, "its profit is not what its sums give"},
		{"AHeldPrice", func(r *proof.Receipt) { at(r, small).Price++ }, "its price is not its quote's"},
		{"AHeldSide", func(r *proof.Receipt) { at(r, small).Side = trading.Sell }, "its price is not its quote's"},
		{"AHeldOpening", func(r *proof.Receipt) { at(r, euro).OpenValue -= 1_000_000_000 }, "its profit is not what its sums give"},
		{"AMargin", func(r *proof.Receipt) { at(r, hedge).Margin++ }, "its used margin is not what its positions give"},
		{"ALeverage", func(r *proof.Receipt) { at(r, hedge).Leverage = 40 }, "its used margin is not what its positions give"},
		{"Tiers", func(r *proof.Receipt) { r.Fill.Held[2].Product.Tiers, r.Fill.Held[3].Product.Tiers = "1:5", "1:5" }, "its used margin is not what its positions give"},
		{"AHedgedRatioOfOneAlone", func(r *proof.Receipt) { r.Fill.Held[2].Product.HedgedRatioBps = 0 }, "its positions were counted by different terms"},
		{"AHedgedRatio", func(r *proof.Receipt) {
			r.Fill.Held[3].Product.HedgedRatioBps = 0
			r.Fill.Held[2].Product.HedgedRatioBps = 0
		}, "its used margin is not what its positions give"},
		{"AContract", func(r *proof.Receipt) { r.Fill.Held[0].Product.ContractSize-- }, "its profit is not what its sums give"},
		{"AConversion", func(r *proof.Receipt) { r.Fill.Held[0].Converter = nil }, "the quotes that valued its account are others"},
		{"AConversionUpsideDown", func(r *proof.Receipt) { at(r, euro).ConversionInverse = true }, "it was not converted as its currency demands"},
		{"APositionLeftOut", func(r *proof.Receipt) {
			r.Fill.Snapshot.Positions, r.Fill.Held, r.Held = r.Fill.Snapshot.Positions[1:], r.Fill.Held[1:], r.Held[2:]
		}, "its equity is not what its positions give"},
		{"AQuoteLeftOut", func(r *proof.Receipt) { r.Held = r.Held[1:] }, "the quotes that valued its account are others"},
		{"AQuoteTooMany", func(r *proof.Receipt) { r.Held = append(r.Held, r.Held[0]) }, "the quotes that valued its account are others"},
		{"AnotherQuote", func(r *proof.Receipt) { r.Held[0].Quote.Seq++ }, "the quotes that valued its account are others"},
		{"AQuotesPrice", func(r *proof.Receipt) { r.Held[0].Quote.Bid++ }, "its price is not its quote's"},
		{"ALargerLossThatCouldBeClosed", func(r *proof.Receipt) { at(r, euro).Skipped = false }, "another position had lost more"},
		{"ASmallerLossPassedOver", func(r *proof.Receipt) { at(r, small).Skipped = true }, "another position had lost more"},
		{"TheClosedOnePassedOver", func(r *proof.Receipt) { at(r, coin).Skipped = true }, "the position that it closed stood otherwise"},
		{"OtherLotsThanClosed", func(r *proof.Receipt) { at(r, coin).OpenValue++ }, "position"},
		{"AnotherPosition", func(r *proof.Receipt) {
			at(r, hedge).PositionID, r.Fill.PositionID = 99, 99
			r.Earlier[0].PositionID = 99
		}, "the position that it closed stood otherwise"},
		{"OutOfOrder", func(r *proof.Receipt) { at(r, coin).PositionID = small }, "not in order"},
		{"ACallAboveItsLevel", func(r *proof.Receipt) { r.Fill.Snapshot.Call.Equity = r.Fill.Snapshot.Call.UsedMargin + 1 }, "no margin call came before it"},
		{"ACallOfAfterwards", func(r *proof.Receipt) { r.Fill.Snapshot.Call.AtMS = r.Fill.AtMS + 1 }, "no margin call came before it"},
		{"ACallWrittenAfterwards", func(r *proof.Receipt) { r.Fill.Snapshot.Call.TimeMS = r.Fill.CreatedAt.UnixMilli() + 1 }, "no margin call came before it"},
	} {
		lying := read()
		c.lie(&lying)
		require.NotEmpty(t, firstWrong(lying.Check(public)), c.name)
		require.Contains(t, firstWrong(resealed(lying, b.key).Check(public)), c.wrong, c.name)
	}
	b.proves()

	for name, test := range map[string]struct{ sql, what string }{
		"TheMoney":        {`UPDATE fills SET equity = equity + 1, snapshot = jsonb_set(snapshot, '{Worth}', to_jsonb((snapshot ->> 'Worth')::bigint + 1))`, "its account had other money"},
		"AnEquity":        {`UPDATE fills SET equity = equity + 1`, "its equity is not what its positions give"},
		"ACallThatWasNot": {`UPDATE fills SET snapshot = jsonb_set(snapshot, '{Call,Equity}', '1')`, "no margin call came before it"},
		"ACallRemoved":    {`DELETE FROM margin_calls WHERE true`, "no margin call came before it"},
		"APositionsMargin": {`UPDATE fills SET used_margin = used_margin + 1,
			snapshot = jsonb_set(snapshot, '{Positions,1,Margin}', to_jsonb((snapshot #>> '{Positions,1,Margin}')::bigint + 1))`, "its account held other positions"},
		"APositionNobodyOpened": {`UPDATE fills SET snapshot = jsonb_set(snapshot, '{Positions,3,PositionID}', '99')`, "its account held other positions"},
		"AQuote":                {`UPDATE tape_quotes SET bid = bid - 1 WHERE product_id = 202`, "its price is"},
		"ItsTerms":              {`UPDATE fills SET snapshot = jsonb_set(snapshot, '{Positions,1,Terms}', '9')`, "it names terms that are unknown"},
		"NoStanding":            {`UPDATE fills SET snapshot = NULL`, "it does not say how the account stood"},
	} {
		tx, err := b.super.Begin(t.Context())
		require.NoError(t, err)
		sql := test.sql
		if strings.HasPrefix(sql, "UPDATE fills") {
			sql += fmt.Sprint(" WHERE id = ", id)
		}
		_, err = tx.Exec(t.Context(), `SET LOCAL session_replication_role = replica; ALTER TABLE fills DROP CONSTRAINT fills_snapshot; `+sql)
		require.NoError(t, err, name)
		problem, _ := b.verify(tx)
		require.NotNil(t, problem, name)
		require.Equal(t, "fills", problem.Table, name)
		require.Contains(t, problem.What, test.what, name)
		require.NoError(t, tx.Rollback(t.Context()))
	}
}

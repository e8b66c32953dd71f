package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/switches"
	"candor/app/wallet"
)

func TestQuote(t *testing.T) {
	t.Parallel()

	t.Run("NamesItsPriceOnTheTape", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		q := b.quote(o, "USDT", "BTC", wallet.PaidSide, 9_001*usdt)
		require.Equal(t, []int64{9_001 * usdt, 9_950_000, 50_000}, []int64{q.FromAmount, q.ToAmount, q.Fee}, "a tenth of a bitcoin at the ask, less half a percent")
		require.Equal(t, []any{bitcoin, int64(7), int64(9_001_000)}, []any{*q.BuyProduct, *q.BuySeq, *q.BuyPrice})
		require.Nil(t, q.SellProduct)
		require.Equal(t, start.Add(15*time.Second), q.ExpiresAt)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM tape_quotes WHERE product_id = 201 AND seq = 7 AND ask = 9001000`), "it is on the tape from now on")
		back := b.quote(o, "BTC", "USDT", wallet.PaidSide, coin/10)
		require.EqualValues(t, 8_955*usdt, back.ToAmount)
		require.EqualValues(t, 9_000_000, *back.SellPrice, "the bid")
		require.Zero(t, b.count(`SELECT count(*) FROM postings`)+b.count(`SELECT count(*) FROM accounts WHERE kind = 'funding'`), "a quote moves nothing")
	})
	t.Run("TellsWhatAnAmountToGetCosts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.set(switches.ExchangeSpreadKey, "0")
		q := b.quote(b.owner(0), "USDT", "ETH", wallet.ReceivedSide, coin)
		require.Equal(t, []int64{3_001 * usdt, coin}, []int64{q.FromAmount, q.ToAmount})
	})
	t.Run("OfACoinForACoinNamesBothPrices", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		q := b.quote(b.owner(0), "BTC", "ETH", wallet.PaidSide, coin)
		require.Equal(t, []any{bitcoin, ether, int64(9_000_000), int64(300_100)}, []any{*q.SellProduct, *q.BuyProduct, *q.SellPrice, *q.BuyPrice})
	})
	t.Run("WhatTheMarketRefusesToAnOrder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		for _, refusal := range []error{market.ErrStale, market.ErrHalted, market.ErrNoPrice, market.ErrClosed} {
			b.refusal[bitcoin] = refusal
			for _, way := range [][2]string{{"BTC", "USDT"}, {"USD", "BTC"}, {"ETH", "BTC"}} {
				_, err := b.wallet.Quote(t.Context(), o, way[0], way[1], wallet.PaidSide, coin)
				require.ErrorIs(t, err, refusal)
			}
			b.quote(o, "ETH", "USDT", wallet.PaidSide, coin)
		}
		delete(b.quotes, bitcoin)
		_, err := b.wallet.Quote(t.Context(), o, "BTC", "USDT", wallet.PaidSide, coin)
		require.ErrorIs(t, err, wallet.ErrNoPrice, "a feed that does not tell it")
		b.quote(o, "USD", "USDT", wallet.PaidSide, 5*usdt)
	})
	t.Run("SwitchesAndAmounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		refused := func(want error, from, to string, amount int64) *errs.Error {
			t.Helper()
			_, err := b.wallet.Quote(t.Context(), o, from, to, wallet.PaidSide, amount)
			require.ErrorIs(t, err, want)
			return errs.As(err)
		}
		require.Contains(t, refused(wallet.ErrSame, "USD", "USD", usdt).Fields, "to")
		require.Contains(t, refused(wallet.ErrSame, "USD", "EUR", usdt).Fields, "to")
		require.Contains(t, refused(wallet.ErrSame, "EUR", "USD", usdt).Fields, "from")
		for _, amount := range []int64{0, -1, 1 << 62} {
			require.Contains(t, refused(wallet.ErrAmount, "BTC", "USD", amount).Fields, "amount")
		}
		require.Equal(t, "1", refused(wallet.ErrTooSmall, "USD", "USDT", usdt-1).Args["min"])
		b.quote(o, "USD", "USDT", wallet.PaidSide, usdt)
		refused(wallet.ErrTooSmall, "BTC", "USDT", 1_111)
		b.quote(o, "BTC", "USDT", wallet.PaidSide, 1_112)
		b.set(switches.ExchangeMinKey, "0")
		refused(wallet.ErrTooSmall, "USDT", "BTC", 900)
		b.set(switches.ExchangeKey, "false")
		refused(wallet.ErrOff, "USD", "USDT", usdt)
		b.set(switches.ExchangeKey, "true")
		b.set(switches.ExchangeSpreadKey, "100")
		refused(wallet.ErrOff, "USD", "USDT", usdt)
	})
	t.Run("NotForAMockAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		o.AccountID = b.account(o.TraderID, ledger.Mock, 5).ID
		_, err := b.wallet.Quote(t.Context(), o, "USD", "USDT", wallet.PaidSide, usdt)
		require.ErrorIs(t, err, wallet.ErrMock)
		require.Zero(t, b.count(`SELECT count(*) FROM exchange_quotes`))
	})
	t.Run("SoManyAtATime", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		for range 40 {
			b.quote(o, "USD", "USDT", wallet.PaidSide, usdt)
		}
		_, err := b.wallet.Quote(t.Context(), o, "USD", "USDT", wallet.PaidSide, usdt)
		require.ErrorIs(t, err, wallet.ErrTooMany)
		b.quote(b.owner(0), "USD", "USDT", wallet.PaidSide, usdt)
		b.clock.Advance(wallet.QuoteLife)
		b.quote(o, "USD", "USDT", wallet.PaidSide, usdt)
	})
}

func TestExchange(t *testing.T) {
	t.Parallel()

	t.Run("MovesWhatItsQuoteSays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		b.fundUSDT(o, 10_000*usdt)
		q := b.quote(o, "USDT", "BTC", wallet.PaidSide, 9_001*usdt)
		b.price(bitcoin, 8, 1_000_000, 1_001_000) // later price moves are the house's risk
		e, err := b.exchange(o, q.ID)
		require.NoError(t, err)
		require.Equal(t, []int64{999 * usdt, 9_950_000}, []int64{b.fundingBalance(o, "USDT"), b.fundingBalance(o, "BTC")})
		require.Equal(t, q.ToAmount, e.Quote.ToAmount)
		for account, amount := range map[int64]int64{e.FromAccount: -9_001 * usdt, e.ToAccount: 9_950_000} {
			lines, _, err := ledger.Statement(t.Context(), b.db.Pool, account, ledger.StatementFilter{Limit: 1})
			require.NoError(t, err)
			require.Equal(t, []any{"exchange", "exchange:70001", amount}, []any{lines[0].Kind, lines[0].Cause, lines[0].Amount})
		}
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'wallet.exchange' AND target_id = '70001'`))
		b.requireProved()
	})
	t.Run("WorksOnceWithWhateverKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		b.fundUSDT(o, 100*usdt)
		q := b.quote(o, "USDT", "USD", wallet.PaidSide, 10*usdt)
		r := b.keyed(o)
		first, err := b.wallet.Exchange(t.Context(), o, q.ID, r)
		require.NoError(t, err)
		again, err := b.wallet.Exchange(t.Context(), o, q.ID, r)
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		_, err = b.exchange(o, q.ID)
		require.ErrorIs(t, err, wallet.ErrQuoteUsed)
		require.EqualValues(t, 90*usdt, b.fundingBalance(o, "USDT"))
	})
	t.Run("ExpiresAtItsMoment", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		b.fundUSDT(o, 100*usdt)
		early, late := b.quote(o, "USDT", "USD", wallet.PaidSide, usdt), b.quote(o, "USDT", "USD", wallet.PaidSide, usdt)
		b.clock.Advance(wallet.QuoteLife - time.Millisecond)
		_, err := b.exchange(o, early.ID)
		require.NoError(t, err)
		b.clock.Advance(time.Millisecond)
		_, err = b.exchange(o, late.ID)
		require.ErrorIs(t, err, wallet.ErrQuoteExpired)
		require.EqualValues(t, 99*usdt, b.fundingBalance(o, "USDT"))
	})
	t.Run("SomebodyElsesQuoteIsUnknown", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.owner(0), b.owner(0)
		b.fundUSDT(o, 100*usdt)
		q := b.quote(other, "USDT", "USD", wallet.PaidSide, usdt)
		for _, id := range []int64{q.ID, 999_999, 0, -1} {
			_, err := b.exchange(o, id)
			require.ErrorIs(t, err, wallet.ErrQuote)
		}
		o.AccountID = b.account(o.TraderID, ledger.Mock, 5).ID
		_, err := b.exchange(o, q.ID)
		require.ErrorIs(t, err, wallet.ErrMock)
	})
	t.Run("NeedsTheMoney", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1_000 * usdt)
		q := b.quote(o, "USDT", "USD", wallet.PaidSide, 10*usdt)
		_, err := b.exchange(o, q.ID)
		require.ErrorIs(t, err, wallet.ErrFunds, "money to trade with is moved first")
		b.fundUSDT(o, 10*usdt)
		_, err = b.exchange(o, q.ID)
		require.NoError(t, err, "a refusal uses nothing up")
		require.EqualValues(t, 1_000*usdt, b.cash(o.AccountID))
		b.requireProved()
	})
	t.Run("NotWhileItIsSwitchedOff", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		b.fundUSDT(o, 10*usdt)
		q := b.quote(o, "USDT", "USD", wallet.PaidSide, usdt)
		b.set(switches.ExchangeKey, "false")
		_, err := b.exchange(o, q.ID)
		require.ErrorIs(t, err, wallet.ErrOff)
	})
	t.Run("EightAtOnceUseItOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		b.fundUSDT(o, 100*usdt)
		q := b.quote(o, "USDT", "BTC", wallet.PaidSide, 10*usdt)
		require.EqualValues(t, 1, b.atOnce(func() error {
			_, err := b.exchange(o, q.ID)
			return err
		}, wallet.ErrQuoteUsed))
		require.Equal(t, []int64{90 * usdt, q.ToAmount}, []int64{b.fundingBalance(o, "USDT"), b.fundingBalance(o, "BTC")})
		b.requireProved()
	})
	t.Run("EightQuotesAtOnceSpendTheMoneyOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		b.fundUSDT(o, 20*usdt)
		ids := make(chan int64, 8)
		for range 8 {
			ids <- b.quote(o, "USDT", "BTC", wallet.PaidSide, 10*usdt).ID
		}
		require.EqualValues(t, 2, b.atOnce(func() error {
			_, err := b.exchange(o, <-ids)
			return err
		}, wallet.ErrFunds))
		require.Zero(t, b.fundingBalance(o, "USDT"))
		b.requireProved()
	})
	t.Run("RoundAndRoundNeverGains", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.set(switches.ExchangeSpreadKey, "0")
		o := b.owner(0)
		b.fundUSDT(o, 50*usdt)
		circle := []string{"USDT", "BTC", "ETH", "USD"}
		for step := range 24 {
			from, to := circle[step%4], circle[(step+1)%4]
			_, err := b.exchange(o, b.quote(o, from, to, wallet.PaidSide, b.fundingBalance(o, from)).ID)
			require.NoError(t, err)
			b.clock.Advance(time.Second)
		}
		require.Less(t, b.fundingBalance(o, "USDT"), int64(50*usdt))
		b.requireProved()
	})
}

func TestList(t *testing.T) {
	t.Parallel()

	t.Run("EveryCurrencyAndItsWorth", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		b.needed, b.profit = 40*usdt, -5*usdt
		b.fund(o, "BTC", coin/2)
		b.fund(o, "USD", 7*usdt)
		v, err := b.wallet.List(t.Context(), o)
		require.NoError(t, err)
		require.True(t, v.Complete)
		var got []any
		for _, h := range v.Holdings {
			got = append(got, []any{h.Kind, h.Currency, h.Cash, h.Available, *h.Worth, h.ID != 0})
		}
		require.Equal(t, []any{
			[]any{ledger.Contract, "USDT", int64(100 * usdt), int64(60 * usdt), int64(95 * usdt), true},
			[]any{ledger.Funding, "USDT", int64(0), int64(0), int64(0), false},
			[]any{ledger.Funding, "USD", int64(7 * usdt), int64(7 * usdt), int64(7 * usdt), true},
			[]any{ledger.Funding, "BTC", coin / 2, coin / 2, int64(45_000 * usdt), true},
			[]any{ledger.Funding, "ETH", int64(0), int64(0), int64(0), false},
		}, got)
		require.EqualValues(t, (95+7+45_000)*usdt, v.Total)
		got = nil
		for _, total := range v.Totals {
			got = append(got, total.Code, total.Amount)
		}
		require.Equal(t, []any{"USD", int64(45_102 * usdt), "BTC", int64(50_107_765), "ETH", int64(1_502_899_033)}, got)
	})
	t.Run("WhatHasNoPriceCountsInNoTotal", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		b.fund(o, "BTC", coin)
		delete(b.quotes, bitcoin)
		v, err := b.wallet.List(t.Context(), o)
		require.NoError(t, err)
		require.False(t, v.Complete)
		require.Nil(t, v.Holdings[3].Worth)
		require.Len(t, v.Totals, 2, "nor can a total be told in it")
		require.EqualValues(t, 100*usdt, v.Total)
	})
	t.Run("AMockSessionSeesItsMockAccountAlone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		b.fundUSDT(o, 50*usdt)
		mock := b.account(o.TraderID, ledger.Mock, 5)
		b.receive(mock.ID, 7*usdt)
		o.AccountID = mock.ID
		v, err := b.wallet.List(t.Context(), o)
		require.NoError(t, err)
		require.Len(t, v.Holdings, 1)
		require.EqualValues(t, 7*usdt, v.Total)
	})
	t.Run("SomebodyElsesAccountIsUnknown", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.owner(0), b.owner(0)
		o.AccountID = other.AccountID
		_, err := b.wallet.List(t.Context(), o)
		require.ErrorIs(t, err, ledger.ErrAccount)
	})
}

func TestFindTransferAndExchange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(100*usdt), b.owner(0)
	moved, err := b.transfer(o, ledger.Contract, ledger.Funding, 50*usdt)
	require.NoError(t, err)
	done, err := b.exchange(o, b.quote(o, "USDT", "BTC", wallet.PaidSide, 50*usdt).ID)
	require.NoError(t, err)
	found, err := b.wallet.FindTransfer(t.Context(), o.TraderID, moved.ID)
	require.NoError(t, err)
	require.Equal(t, []any{ledger.Contract, ledger.Funding, int64(50 * usdt)}, []any{found.From, found.To, found.Amount})
	exchange, err := b.wallet.FindExchange(t.Context(), o.TraderID, done.ID)
	require.NoError(t, err)
	require.Equal(t, done.Quote.ToAmount, exchange.Quote.ToAmount)
	_, err = b.wallet.FindTransfer(t.Context(), other.TraderID, moved.ID)
	require.ErrorIs(t, err, wallet.ErrUnknown)
	_, err = b.wallet.FindExchange(t.Context(), other.TraderID, done.ID)
	require.ErrorIs(t, err, wallet.ErrUnknown)
}

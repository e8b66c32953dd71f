package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/trading"
	"candor/app/trading/proof"
)

// trade makes a valid history: every kind of fill, on products with conversion and with commission.
func trade(t *testing.T) *bundle {
	b := setup(t)
	b.prices()
	o, poor := b.fund(10_000*unit), b.fund(26*unit)
	open := func(o ledger.Owner, id int, side trading.Side, lots int64) int64 {
		return b.opens(trading.Open{Owner: o, ProductID: id, Side: side, Lots: lots, Leverage: 20}).Position.ID
	}
	gold, yen := open(o, xauusd, trading.Buy, cent), open(o, usdjpy, trading.Sell, 5*cent)
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 5 * cent, Leverage: 100, StopLoss: ptr[int64](109_800)})
	open(poor, btcusd, trading.Buy, cent)
	open(o, eurgbp, trading.Buy, 2*cent)
	b.quote(xauusd, "2010.00", "2010.50")
	b.quote(usdjpy, "149.500", "149.520")
	b.quote(eurusd, "1.09700", "1.09710")
	b.quote(btcusd, "48600.00", "48610.00")
	b.sweep()
	b.closes(o, gold, 0)
	b.closes(o, yen, 2*cent)
	open(o, xauusd, trading.Buy, cent) // it posts the same amounts as the first one
	b.stop()
	return b
}

func TestVerifyProvesAnHonestHistory(t *testing.T) {
	t.Parallel()
	b := trade(t)
	require.EqualValues(t, 10, b.number(`SELECT count(*) FROM fills`))
	require.EqualValues(t, 4, b.number(`SELECT count(DISTINCT (rule, entry)) FROM fills`), "market both ways, stop loss, stop-out")
	b.proves()
}

// TestVerifyLetsTradingGoOn verifies repeatedly while positions open and close: valid data is never reported.
func TestVerifyLetsTradingGoOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	order := trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, Leverage: 20}
	done := make(chan error, 1)
	go func() {
		for n := range 100 {
			opened, err := b.engine.Open(t.Context(), order, parallel(o, fmt.Sprint("open", n)))
			if err == nil {
				_, err = b.engine.Close(t.Context(), trading.Close{Owner: o, PositionID: opened.Value.Position.ID}, parallel(o, fmt.Sprint("close", n)))
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		problem, _, err := proof.Verify(t.Context(), b.db.Pool, b.market.Products())
		require.NoError(t, err)
		require.Nil(t, problem)
		select {
		case err := <-done:
			require.NoError(t, err)
			b.proves()
			return
		default:
		}
	}
}

// TestVerifyNamesWhatDoesNotFit alters one thing at a time, as only the superuser can, and reverts it.
func TestVerifyNamesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	b := trade(t)
	const (
		goldOpened  = ` WHERE id = 1`
		partClosed  = ` WHERE position_id = 2 AND entry = 'close'`
		goldClosed  = ` WHERE position_id = 1 AND entry = 'close'`
		stopClosed  = ` WHERE rule = 'sl'`
		crossOpened = ` WHERE product_id = 8`
	)
	tests := []struct {
		name        string
		sql         []string
		table, what string
	}{
		{"AFillsPrice", []string{`UPDATE fills SET price = price - 1` + goldOpened}, "fills", "its price is 2000.49 but its quote says 2000.50"},
		{"AFillsSide", []string{`UPDATE fills SET side = 'sell'` + goldOpened}, "fills", "not what its order asked for"},
		{"AFillsLots", []string{`UPDATE fills SET lots = 2 * lots` + goldOpened}, "fills", "not what its order asked for"},
		{"AFillsAndItsOrdersLots", []string{`UPDATE fills SET lots = 2 * lots` + goldOpened, `UPDATE orders SET lots = 2 * lots WHERE id = 1`}, "fills", "its commission is not what its sums give"},
		{"ACommission", []string{`UPDATE fills SET commission = 0` + goldOpened}, "fills", "its commission is not what its sums give"},
		{"AMargin", []string{`UPDATE fills SET margin = margin - 1` + goldOpened}, "fills", "its margin is not what its sums give"},
		{"ALeverage", []string{`UPDATE fills SET leverage = 10` + goldOpened}, "fills", "its margin is not what its sums give"},
		{"AProfitOfAnOpening", []string{`UPDATE fills SET profit = 1` + goldOpened}, "fills", "its margin is not what its sums give"},
		{"AReleasedMargin", []string{`UPDATE fills SET margin = margin + 1` + partClosed}, "fills", "the margin it released is not what its sums give"},
		{"AProfit", []string{`UPDATE fills SET profit = profit + 1` + goldClosed}, "fills", "its profit is not what its sums give"},
		{"AProfitWithItsPostings", []string{
			`UPDATE fills SET profit = profit + 1` + goldClosed,
			`UPDATE postings SET amount = amount - 1 WHERE account_id = 2 AND transaction_id = (SELECT transaction_id FROM fills` + goldClosed + `)`,
			`UPDATE postings SET amount = amount + 1 WHERE bucket = 'cash' AND transaction_id = (SELECT transaction_id FROM fills` + goldClosed + `)`,
			`UPDATE accounts SET cash = cash + 1 WHERE id = 1000`,
		}, "fills", "its profit is not what its sums give"},
		{"AnOpenPrice", []string{`UPDATE fills SET open_price = open_price - 1` + goldClosed}, "fills", "its open price is not the position's"},
		{"AnotherQuote", []string{`UPDATE fills SET quote_seq = 2` + goldOpened}, "fills", "its price is 2000.50 but its quote says 2010.50"},
		{"AQuoteUnderAFill", []string{`UPDATE tape_quotes SET ask = ask + 1 WHERE product_id = 101 AND seq = 1`}, "fills", "its price is 2000.50 but its quote says 2000.51"},
		{"AQuoteUnderAFillRemoved", []string{`DELETE FROM tape_quotes WHERE product_id = 101 AND seq = 1`}, "fills", "its quote is not on the tape"},
		{"AConversionQuote", []string{`UPDATE tape_quotes SET bid = bid - 20 WHERE product_id = 2`}, "", ""},
		{"AConversionQuoteRemoved", []string{`DELETE FROM tape_quotes WHERE product_id = 2`}, "fills", "the quote that converted it is not on the tape"},
		{"AMarginQuote", []string{`UPDATE tape_quotes SET bid = bid - 200 WHERE product_id = 1 AND seq = 1`}, "fills", "its margin is not what its sums give"},
		{"ANoLongerConvertedProfit", []string{
			`UPDATE fills SET conversion_product = NULL, conversion_seq = NULL, conversion_inverse = false, profit = 960000000` + partClosed,
			`UPDATE postings SET amount = sign(amount) * 960000000 WHERE transaction_id = (SELECT transaction_id FROM fills` + partClosed + `)`,
			`UPDATE accounts SET cash = (SELECT sum(amount) FROM postings WHERE account_id = 1000) WHERE id = 1000`,
			`UPDATE positions SET realised = 960000000 WHERE id = 2`,
		}, "fills", "it was not converted as its currency demands"},
		{"AConversionUpsideDown", []string{`UPDATE fills SET conversion_inverse = false` + partClosed}, "fills", "it was not converted as its currency demands"},
		{"AMarginConvertedByAnother", []string{`UPDATE fills SET margin_product = 2, margin_seq = 1` + crossOpened}, "fills", "its margin was not converted as its currency demands"},
		{"AMarginNoLongerConverted", []string{`UPDATE fills SET margin_product = NULL, margin_seq = NULL, margin = 100000000` + crossOpened, `UPDATE positions SET margin = 100000000 WHERE product_id = 8`}, "fills", "its margin was not converted as its currency demands"},
		{"AStopLossThatWasNotReached", []string{`UPDATE fills SET limit_price = price - 1` + stopClosed}, "fills", "the price had not reached what should have fired"},
		{"AStopLossWithoutAPrice", []string{`UPDATE fills SET limit_price = NULL` + stopClosed}, "fills", "the price that should have fired is missing"},
		{"AFillOfAnotherAccount", []string{`UPDATE fills SET account_id = 1001` + goldClosed}, "fills", "it closes what no earlier fill opened"},
		{"AFillOfAnotherPosition", []string{`UPDATE fills SET position_id = 2` + goldClosed}, "fills", "it closes what no earlier fill opened"},
		{"AnOpeningRemoved", []string{`DELETE FROM fills` + goldOpened}, "fills", "it closes what no earlier fill opened"},
		{"AClosingRemoved", []string{`DELETE FROM fills` + goldClosed}, "positions", "is not what its fills and charges make of it"},
		{"AClosingRemovedAndItsPositionReopened", []string{
			`DELETE FROM fills` + goldClosed, `UPDATE positions SET state = 'open', lots = lots_opened, open_value = lots_opened * open_price, margin = 100025000, realised = 0, commission = 35000, close_reason = NULL, close_price = NULL, closed_at = NULL, version = 1 WHERE id = 1`,
		}, "ledger_transactions", "is said to be of a fill or charge, and there is none"},
		{"ATradeRemovedWithoutATrace", []string{
			`DELETE FROM fills WHERE position_id = 1`, `DELETE FROM positions WHERE id = 1`, `DELETE FROM orders WHERE position_id = 1`,
		}, "ledger_transactions", "is said to be of a fill or charge, and there is none"},
		{"ASwapThatNoChargeNames", []string{
			`INSERT INTO ledger_transactions (kind, key, cause, book, created_at) VALUES ('swap', 'swap:1:2026-11-24', 'position:1', 'real', now())`,
		}, "ledger_transactions", "is said to be of a fill or charge, and there is none"},
		{"AnOrderRemoved", []string{`DELETE FROM orders WHERE id = 1`}, "fills", "not what its order asked for"},
		{"AnOrdersSide", []string{`UPDATE orders SET side = 'sell' WHERE id = 1`}, "fills", "not what its order asked for"},
		{"AnOrdersIntent", []string{`UPDATE orders SET intent = 'close' WHERE id = 1`}, "fills", "not what its order asked for"},
		{"APostingOfAFill", []string{`UPDATE postings SET amount = amount + 1 WHERE account_id = 3 AND transaction_id = (SELECT transaction_id FROM fills` + goldOpened + `)`}, "fills", "the ledger posted something else"},
		{"APostingOfAFillRemoved", []string{`DELETE FROM postings WHERE account_id = 3 AND transaction_id = (SELECT transaction_id FROM fills` + goldOpened + `)`}, "fills", "the ledger posted something else"},
		{"APostingSentToAnotherAccount", []string{
			`UPDATE postings SET account_id = 1001 WHERE bucket = 'cash' AND transaction_id = (SELECT transaction_id FROM fills` + goldClosed + `)`,
		}, "fills", "the ledger posted something else"},
		{"AFillWithoutItsTransaction", []string{`UPDATE fills SET transaction_id = NULL` + goldOpened}, "fills", "the ledger posted something else"},
		{"ATransactionOfAnotherFill", []string{`UPDATE fills SET transaction_id = (SELECT transaction_id FROM fills` + stopClosed + `)` + goldOpened}, "fills", "the ledger posted something else"},
		{"ATransactionOfAFillThatPostedTheSame", []string{`UPDATE fills SET transaction_id = (SELECT transaction_id FROM fills WHERE position_id = 6)` + goldOpened}, "fills", "the ledger posted something else"},
		{"APositionsLots", []string{`UPDATE positions SET lots = lots + 10000 WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsOpenLots", []string{`UPDATE positions SET lots_opened = lots_opened + 1 WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsOpenPrice", []string{`UPDATE positions SET open_price = open_price + 1 WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsOpenValue", []string{`UPDATE positions SET open_value = open_value + 1 WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"AnOpenValue", []string{`UPDATE fills SET open_value = open_value + 1` + goldClosed}, "fills", "what it released of the opening is not what its sums give"},
		{"APositionsSwap", []string{`UPDATE positions SET swap = 1 WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsMargin", []string{`UPDATE positions SET margin = 0 WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsLeverage", []string{`UPDATE positions SET leverage = 500 WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsSide", []string{`UPDATE positions SET side = 'buy' WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsResult", []string{`UPDATE positions SET realised = realised + 1 WHERE id = 1`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsCommission", []string{`UPDATE positions SET commission = 0 WHERE id = 1`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsOwner", []string{`UPDATE positions SET account_id = 1001 WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsClosePrice", []string{`UPDATE positions SET close_price = close_price + 1 WHERE id = 1`}, "positions", "is not what its fills and charges make of it"},
		{"APositionsReason", []string{`UPDATE positions SET close_reason = 'manual' WHERE id = 3`}, "positions", "is not what its fills and charges make of it"},
		{"WhatOpenedAPosition", []string{`UPDATE positions SET opened_by = 'limit' WHERE id = 2`}, "positions", "is not what its fills and charges make of it"},
		{"WhatOpenedAPositionThatIsClosed", []string{`UPDATE positions SET opened_by = 'stop' WHERE id = 1`}, "positions", "is not what its fills and charges make of it"},
		{"APositionThatIsClosedReopened", []string{`UPDATE positions SET state = 'open', lots = 1, closed_at = NULL WHERE id = 1`}, "positions", "is not what its fills and charges make of it"},
		{"APositionRemoved", []string{`DELETE FROM positions WHERE id = 2`}, "positions", "is missing, but fills name it"},
		{"APositionWithoutFills", []string{`INSERT INTO positions (account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, state, opened_at, rolled_day, opened_by) VALUES (1000, 1, 'buy', 1, 1, 1, 1, 1, 0, 'open', now(), now(), 'market')`}, "positions", "is not what its fills and charges make of it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tx, err := b.super.Begin(t.Context())
			require.NoError(t, err)
			defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
			alter(t, tx, test.sql...)
			problem, _ := b.verify(tx)
			if test.table == "" {
				require.Nil(t, problem, "GBPUSD converted nothing but a commission of zero")
				return
			}
			require.NotNil(t, problem)
			require.Equal(t, test.table, problem.Table, problem.What)
			require.Contains(t, problem.What, test.what)
		})
	}
	b.proves()
}

// alter runs statements that only the superuser can, without triggers and foreign keys.
func alter(t *testing.T, tx pgx.Tx, statements ...string) {
	t.Helper()
	_, err := tx.Exec(t.Context(), `SET LOCAL session_replication_role = replica`)
	require.NoError(t, err)
	for _, sql := range statements {
		tag, err := tx.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
		require.Positive(t, tag.RowsAffected(), sql)
	}
}

func TestVerifyNamesTheRow(t *testing.T) {
	t.Parallel()
	b := trade(t)
	tx, err := b.super.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	alter(t, tx, `UPDATE fills SET price = price + 1 WHERE id = 4`, `UPDATE fills SET price = price + 1 WHERE id = 6`)
	problem, proved := b.verify(tx)
	require.Equal(t, "id 4", problem.Row, "the first of two")
	require.EqualValues(t, 3, proved)
}

// TestVerifyFindsEveryRandomTamper changes one number of one fill at random, many times.
func TestVerifyFindsEveryRandomTamper(t *testing.T) {
	t.Parallel()
	b := trade(t)
	random := rand.New(rand.NewPCG(11, 12))
	columns := []string{"price", "lots", "margin", "commission", "profit", "quote_seq"}
	tx, err := b.super.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	for range 200 {
		column, id, by := columns[random.IntN(len(columns))], 1+random.Int64N(10), 1+random.Int64N(1_000)
		inner, err := tx.Begin(t.Context())
		require.NoError(t, err)
		alter(t, inner, fmt.Sprintf(`UPDATE fills SET %s = %s + %d WHERE id = %d`, column, column, by, id))
		problem, _ := b.verify(inner)
		require.NotNil(t, problem, "%s of fill %d", column, id)
		require.NoError(t, inner.Rollback(t.Context()))
	}
	problem, _ := b.verify(tx)
	require.Nil(t, problem)
}

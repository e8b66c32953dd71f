package activity

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault/vaulttest"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)

// bundle is a journal whose rows the tests write, with the triggers off that check them against a market.
type bundle struct {
	*testing.T
	test    *dbtest.DB
	db      *db.DB
	box     *notice.Service
	outbox  *mail.Outbox
	service *Service
	number  int64
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t, test: dbtest.New(t)}
	var err error
	b.db, err = db.Open(t.Context(), b.test.URL)
	require.NoError(t, err)
	t.Cleanup(b.db.Close)
	require.NoError(t, market.Seed(t.Context(), b.db))
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	queue, err := jobs.New(b.db.Pool)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	c := clock.NewFixed(start)
	b.outbox = mail.New(mail.Config{DB: b.db, Clock: c, Queue: queue, Vault: vaulttest.New(t), KeepUnsent: true})
	b.box = notice.New(b.db, c, nil, bus, nil, nil)
	b.service = New(b.db, bus, trader.NewMessenger(c, b.outbox, texts, b.box))
	return b
}

// begin sets the cursor.
func (b *bundle) begin() *bundle {
	b.Helper()
	behind, err := b.service.WriteBatch(b.Context())
	require.NoError(b, err)
	require.False(b, behind)
	return b
}

func (b *bundle) next() int64 {
	b.number++
	return b.number
}

// owner makes a trader with an account.
func (b *bundle) owner(book ledger.Book) (o ledger.Owner) {
	b.Helper()
	n := b.next()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'T', '', 'DE', $2, now()) RETURNING id`,
		fmt.Sprintf("t%d@example.com", n), fmt.Sprint("I", n)).Scan(&o.TraderID))
	kind := map[ledger.Book]int{ledger.Real: 1, ledger.Mock: 5}[book]
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error {
		account, err := ledger.OpenTx(b.Context(), tx, o.TraderID, book, kind, start)
		o.AccountID = account.ID
		return err
	}))
	return o
}

// fillSQL is a fill of EURUSD with its order and its position.
func (b *bundle) fillSQL(o ledger.Owner, kind, entry, rule string, profit, realised int64) string {
	n := b.next()
	return fmt.Sprintf(`
		INSERT INTO orders (id, account_id, product_id, type, intent, side, lots, leverage, slippage_bps, source, status, position_id, created_at, ended_at, price)
			OVERRIDING SYSTEM VALUE VALUES (%[1]d, %[2]d, 1, '%[3]s', '%[4]s', 'buy', 100000, 20, 50, 'user', 'filled', %[1]d, now(), now(), CASE WHEN '%[3]s' <> 'market' THEN 116012 END);
		INSERT INTO positions (id, account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, realised, state, opened_at, closed_at, rolled_day, opened_by)
			OVERRIDING SYSTEM VALUE VALUES (%[1]d, %[2]d, 1, 'buy', 0, 100000, 116000, 0, 20, 0, %[7]d, 'closed', now(), now(), now(), 'market');
		INSERT INTO fills (id, order_id, position_id, account_id, product_id, side, entry, rule, lots, price, quote_seq, leverage, margin, commission, profit, equity, used_margin,
			created_at, at_ms, terms, open_value, best_seq, by_position, snapshot)
			OVERRIDING SYSTEM VALUE VALUES (%[1]d, %[1]d, %[1]d, %[2]d, 1, 'buy', '%[4]s', '%[5]s', 100000, 116012, 1, 20, 0, 0, %[6]d, 0, 0, now(), 1, 1,
			CASE WHEN '%[4]s' = 'close' THEN 1 END, CASE WHEN '%[5]s' = 'trailing' THEN 1 END, CASE WHEN '%[5]s' = 'close_by' THEN 1 END,
			CASE WHEN '%[5]s' = 'stop_out' THEN '{}'::jsonb END);`, n, o.AccountID, kind, entry, rule, profit, realised)
}

// pendingSQL is a pending order of EURUSD.
func (b *bundle) pendingSQL(o ledger.Owner, id int64) string {
	return fmt.Sprintf(`INSERT INTO orders (id, account_id, product_id, type, intent, side, lots, leverage, slippage_bps, source, status, created_at, price)
		OVERRIDING SYSTEM VALUE VALUES (%d, %d, 1, 'stop', 'open', 'sell', 250000, 20, 50, 'user', 'untriggered', now(), 115000);`, id, o.AccountID)
}

// end ends a pending order as the engine does, with the table's triggers.
func (b *bundle) end(id int64, status, reason string) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), `UPDATE orders SET status = $2, reason = $3, ended_at = now() WHERE id = $1`, id, status, reason)
	require.NoError(b, err)
}

func (b *bundle) chargeSQL(o ledger.Owner, kind, day string, amount int64) string {
	return fmt.Sprintf(`INSERT INTO charges (kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, amount, created_at, at_ms)
		VALUES ('%s', %d, %d, 1, 1, '%s', 1, 'buy', 1, 1, %d, now(), 1);`, kind, b.next(), o.AccountID, day, amount)
}

func (b *bundle) callSQL(o ledger.Owner) string {
	return fmt.Sprintf(`INSERT INTO margin_calls (account_id, equity, used_margin, created_at, at_ms) VALUES (%d, 99429999, 100000000, now(), 1);`, o.AccountID)
}

// write commits rows in one transaction.
func (b *bundle) write(statements ...string) {
	b.Helper()
	b.test.Tamper(b, strings.Join(statements, " "))
}

// patience bounds the wait for transactions of other tests.
const patience = time.Minute

// final waits until no transaction is older than what was written: the server's transaction numbers are shared with other tests.
func (b *bundle) final() {
	b.Helper()
	var now uint64
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT pg_current_xact_id()`).Scan(&now))
	require.Eventually(b, func() (final bool) {
		require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT $1 < pg_snapshot_xmin(pg_current_snapshot())`, now).Scan(&final))
		return final
	}, patience, 5*time.Millisecond)
}

// follow writes batches until nothing is left.
func (b *bundle) follow() {
	b.Helper()
	b.final()
	for range 100 {
		behind, err := b.service.WriteBatch(b.Context())
		require.NoError(b, err)
		if !behind {
			return
		}
	}
	b.Fatal("the journal does not end")
}

// told are a trader's messages in English, oldest first.
func (b *bundle) told(o ledger.Owner) (out []string) {
	b.Helper()
	texts, err := i18n.Load(locales.Customer())
	require.NoError(b, err)
	list, _, err := b.box.Messages(b.Context(), o.TraderID, nil, 0, 0, 100)
	require.NoError(b, err)
	for i := len(list) - 1; i >= 0; i-- {
		args := map[string]any{}
		for name, value := range list[i].Args {
			for from := strings.Index(value, "{{"); from >= 0; from = strings.Index(value, "{{") {
				key, rest, _ := strings.Cut(value[from+2:], "}}")
				value = value[:from] + texts.T("en", key, nil) + rest
			}
			args[name] = value
		}
		out = append(out, texts.T("en", list[i].Key+".subject", args)+" | "+texts.T("en", list[i].Key+".body", args))
	}
	return out
}

// mailed are the subjects of the mails to a trader, oldest first.
func (b *bundle) mailed(o ledger.Owner) (out []string) {
	b.Helper()
	var address string
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT email FROM traders WHERE id = $1`, o.TraderID).Scan(&address))
	list, err := b.outbox.List(b.Context(), address, 100)
	require.NoError(b, err)
	for i := len(list) - 1; i >= 0; i-- {
		require.NotContains(b, list[i].Body, "{{")
		out = append(out, list[i].Subject)
	}
	return out
}

const unit = 1_000_000

// TestKinds writes each kind of row and expects its message, and none for what the trader did.
func TestKinds(t *testing.T) {
	t.Parallel()
	b := setup(t).begin()
	one := func(t *testing.T, o ledger.Owner, text string, mails ...string) {
		t.Helper()
		b.follow()
		require.Equal(t, []string{text}, b.told(o))
		require.Equal(t, mails, b.mailed(o))
	}
	t.Run("APendingOrderFilled", func(t *testing.T) {
		o := b.owner(ledger.Real)
		b.write(b.fillSQL(o, "limit", "open", "limit", 0, 0))
		one(t, o, "Buy limit EURUSD filled at 1.16012 | Buy limit, 0.1 lots of EURUSD: filled at 1.16012. Account: Real account.")
	})
	t.Run("APendingOrderThatClosedAndOpened", func(t *testing.T) {
		o := b.owner(ledger.Real)
		closing := b.fillSQL(o, "stop", "close", "stop", -7*unit, -9*unit)
		order := b.number
		opening := b.fillSQL(o, "stop", "open", "stop", 0, 0)
		b.write(closing, opening, fmt.Sprintf(`UPDATE fills SET order_id = %d WHERE id = %d`, order, b.number))
		one(t, o, "Buy stop EURUSD filled at 1.16012: -7.00 USDT | Buy stop, 0.2 lots of EURUSD: filled at 1.16012. It closed all or part of a position. Result: -7.00 USDT. Account: Real account.")
	})
	for rule, name := range map[string]string{"sl": "Stop loss", "tp": "Take profit", "trailing": "Trailing stop"} {
		t.Run("ClosedBy"+name, func(t *testing.T) {
			o := b.owner(ledger.Real)
			b.write(b.fillSQL(o, "market", "close", rule, 100*unit, 124_500_000))
			subject := name + " closed EURUSD: +124.50 USDT"
			one(t, o, subject+" | Your "+strings.ToLower(name)+" closed a position: Buy 0.1 lots of EURUSD, at 1.16012. Result: +124.50 USDT. Account: Real account.", subject)
		})
	}
	t.Run("AStopOutOfThreePositions", func(t *testing.T) {
		o := b.owner(ledger.Real)
		fill := func() string { return b.fillSQL(o, "market", "close", "stop_out", -10*unit, -10_000_100) }
		b.write(fill(), fill(), fill())
		const subject = "Stop-out: positions closed, -30.0003 USDT"
		one(t, o, subject+" | Your margin level fell to 50% or less, so we closed positions, largest loss first. Positions closed: 3. Result: -30.0003 USDT. Account: Real account.", subject)
	})
	t.Run("AMarginCallRoundedDown", func(t *testing.T) {
		o := b.owner(ledger.Real)
		b.write(b.callSQL(o))
		const subject = "Margin call: your margin level is 99.42%"
		one(t, o, subject+" | Your margin level has fallen to 99.42%. We warn you at 100%. At 50% we start to close positions, largest loss first. Deposit money or close positions to raise it. Account: Real account.", subject)
	})
	for reason, text := range map[string]string{
		"expired":   "Order expired: Sell stop EURUSD | Sell stop, 0.25 lots of EURUSD at 1.15000: expired before the price was reached. Account: Real account.",
		"no_margin": "Order cancelled: Sell stop EURUSD | Sell stop, 0.25 lots of EURUSD at 1.15000: cancelled. Reason: Not enough free margin. Account: Real account.",
	} {
		t.Run("AnOrderThatEndedBy"+reason, func(t *testing.T) {
			o, id := b.owner(ledger.Real), b.next()
			b.write(b.pendingSQL(o, id))
			b.end(id, map[string]string{"expired": "expired", "no_margin": "cancelled"}[reason], reason)
			one(t, o, text)
		})
	}
	t.Run("OneNightOfCharges", func(t *testing.T) {
		o := b.owner(ledger.Real)
		b.write(b.chargeSQL(o, "swap", "2026-11-23", -1_500_000), b.chargeSQL(o, "dividend", "2026-11-23", 250_000))
		one(t, o, "Overnight charges: -1.25 USDT | Swaps and dividends for the night of 2026-11-23: -1.25 USDT in total. Open positions: 2. Account: Real account.")
	})
	t.Run("ADemoAccountByNameAndNeverByMail", func(t *testing.T) {
		o := b.owner(ledger.Mock)
		b.write(b.fillSQL(o, "market", "close", "sl", -unit, -unit))
		one(t, o, "Demo · Stop loss closed EURUSD: -1.00 USDT | Your stop loss closed a position: Buy 0.1 lots of EURUSD, at 1.16012. Result: -1.00 USDT. Account: Demo account.")
	})
	t.Run("AnotherAccountByItsNumberOrItsName", func(t *testing.T) {
		o := b.owner(ledger.Real)
		for _, name := range []string{"", "Swing"} {
			require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
				account, err := ledger.OpenAnotherTx(t.Context(), tx, ledger.Another{TraderID: o.TraderID, Book: ledger.Real, Type: 1, Name: name}, start)
				o.AccountID = account.ID
				return err
			}))
			b.write(b.fillSQL(o, "market", "close", "sl", -unit, -unit))
		}
		const text = "Stop loss closed EURUSD: -1.00 USDT | Your stop loss closed a position: Buy 0.1 lots of EURUSD, at 1.16012. Result: -1.00 USDT. Account: "
		b.follow()
		require.ElementsMatch(t, []string{text + "Real account 2.", text + "Swing."}, b.told(o))
	})
	t.Run("NothingTheTraderDid", func(t *testing.T) {
		o, cancelled, paired := b.owner(ledger.Real), b.next(), b.next()
		b.write(b.fillSQL(o, "market", "open", "market", 0, 0), b.fillSQL(o, "market", "close", "close_by", 0, 0), b.pendingSQL(o, cancelled), b.pendingSQL(o, paired),
			b.chargeSQL(o, "swap", "2026-11-23", 0))
		b.end(cancelled, "cancelled", "trader")
		b.end(paired, "cancelled", "oco")
		b.follow()
		require.Empty(t, b.told(o))
		require.Empty(t, b.mailed(o))
	})
	t.Run("NothingASettingSwitchedOff", func(t *testing.T) {
		o, other := b.owner(ledger.Real), b.owner(ledger.Real)
		_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO notification_settings (trader_id, category, in_app, mail) VALUES ($1, 'protection', false, false)`, o.TraderID)
		require.NoError(t, err)
		b.write(b.fillSQL(o, "market", "close", "sl", -unit, -unit), b.fillSQL(other, "market", "close", "sl", -unit, -unit))
		b.follow()
		require.Empty(t, b.told(o))
		require.Empty(t, b.mailed(o))
		require.Len(t, b.told(other), 1, "another trader's setting is untouched")
		require.Len(t, b.mailed(other), 1)
	})
}

// TestTheCursor moves it through commits, replays and failures.
func TestTheCursor(t *testing.T) {
	t.Parallel()
	stopLoss := func(b *bundle, o ledger.Owner) string { return b.fillSQL(o, "market", "close", "sl", -unit, -unit) }

	t.Run("BeginsAtThePresent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(ledger.Real)
		b.write(stopLoss(b, o), b.callSQL(o))
		b.final()
		b.begin().follow()
		require.Empty(t, b.told(o), "what happened before is not told")
		b.write(stopLoss(b, o))
		b.follow()
		require.Len(t, b.told(o), 1)
	})
	t.Run("AReplayTellsNothingTwice", func(t *testing.T) {
		t.Parallel()
		b := setup(t).begin()
		o, other, id := b.owner(ledger.Real), b.owner(ledger.Real), b.next()
		b.write(stopLoss(b, o), b.callSQL(o), b.chargeSQL(o, "swap", "2026-11-23", -1), b.fillSQL(o, "limit", "open", "limit", 0, 0),
			b.fillSQL(o, "market", "close", "stop_out", -1, -1), b.pendingSQL(o, id))
		b.end(id, "expired", "expired")
		b.follow()
		told, mailed := b.told(o), b.mailed(o)
		require.Len(t, told, 6)
		require.Len(t, mailed, 3)
		b.test.Tamper(t, `UPDATE activity_cursor SET xid = '1'`)
		b.follow()
		require.Equal(t, told, b.told(o))
		require.Equal(t, mailed, b.mailed(o))
		require.Empty(t, b.told(other), "nothing goes to another trader")
		require.Empty(t, b.mailed(other))
	})
	t.Run("SmallBatchesTellAll", func(t *testing.T) {
		t.Parallel()
		b := setup(t).begin()
		b.service.batch = 1
		o := b.owner(ledger.Real)
		b.write(stopLoss(b, o), stopLoss(b, o), stopLoss(b, o))
		b.write(stopLoss(b, o))
		b.final()
		behind, err := b.service.WriteBatch(t.Context())
		require.NoError(t, err)
		require.True(t, behind)
		require.Len(t, b.told(o), 3, "a transaction is never cut")
		b.follow()
		require.Len(t, b.told(o), 4)
	})
	t.Run("WaitsForATransactionThatIsStillRunning", func(t *testing.T) {
		t.Parallel()
		b := setup(t).begin()
		o := b.owner(ledger.Real)
		slow, err := pgx.Connect(t.Context(), b.test.SuperURL)
		require.NoError(t, err)
		defer func() { require.NoError(t, slow.Close(t.Context())) }()
		_, err = slow.Exec(t.Context(), `SET session_replication_role = replica; BEGIN; `+stopLoss(b, o))
		require.NoError(t, err)
		b.write(stopLoss(b, o))
		behind, err := b.service.WriteBatch(t.Context())
		require.NoError(t, err)
		require.True(t, behind, "a later transaction has committed, an earlier one has not")
		require.Empty(t, b.told(o))
		_, err = slow.Exec(t.Context(), `COMMIT`)
		require.NoError(t, err)
		b.follow()
		require.Len(t, b.told(o), 2)
	})
	t.Run("AFailedBatchIsWrittenLater", func(t *testing.T) {
		t.Parallel()
		b := setup(t).begin()
		o := b.owner(ledger.Real)
		b.write(stopLoss(b, o))
		b.final()
		allow := b.test.FailCommits(t, "user_messages")
		_, err := b.service.WriteBatch(t.Context())
		require.Error(t, err)
		require.Empty(t, b.told(o))
		require.Empty(t, b.mailed(o))
		allow()
		b.follow()
		require.Len(t, b.told(o), 1)
		require.Len(t, b.mailed(o), 1)
	})
	t.Run("TwoFollowersWriteOneMessage", func(t *testing.T) {
		t.Parallel()
		b := setup(t).begin()
		o := b.owner(ledger.Real)
		for range 20 {
			b.write(stopLoss(b, o))
		}
		b.final()
		done := make(chan error)
		for range 2 {
			go func() {
				_, err := b.service.WriteBatch(t.Context())
				done <- err
			}()
		}
		require.NoError(t, <-done)
		require.NoError(t, <-done)
		b.follow()
		require.Len(t, b.told(o), 20)
		require.Len(t, b.mailed(o), 20)
	})
}

package reconciliation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/approval/approvaltest"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/reconciliation"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const usdt = money.Unit

// bundle has a trader with money, a credited deposit, and withdrawals at each stage of their money.
type bundle struct {
	*testing.T
	db      *db.DB
	super   *pgx.Conn
	clock   *clock.Fixed
	books   *reconciliation.Service
	account ledger.Account
	by      audit.Actor
}

func setup(t *testing.T) *bundle {
	t.Helper()
	database := dbtest.New(t)
	d, err := db.Open(t.Context(), database.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	super, err := pgx.Connect(t.Context(), database.SuperURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = super.Close(t.Context()) })
	b := &bundle{T: t, db: d, super: super, clock: clock.NewFixed(start)}
	b.books = reconciliation.New(d, b.clock)
	var trader int64
	require.NoError(t, d.Pool.QueryRow(t.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, level)
		VALUES ('t@example.com', 'T', '', 'DE', 'I1', now(), 1) RETURNING id`).Scan(&trader))
	require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		b.account, err = ledger.OpenTx(t.Context(), tx, trader, ledger.Real, 1, start)
		return err
	}))
	var staff int64
	require.NoError(t, d.Pool.QueryRow(t.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES ('s@example.com', 'S', 'invited', now()) RETURNING id`).Scan(&staff))
	b.by = audit.Actor{Kind: audit.Staff, ID: staff, Name: "S"}
	b.exec(`INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, bank, holder, iban, bic, sort, enabled) VALUES (7, 'bank', 'SEPA', 'USDT', 1, 2, 'B', 'C', 'D', 'X', 1, true)`)
	in := b.postKind("deposit", "deposit:1", b.account.Receive(1_000*usdt), nil)
	b.exec(`INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, received, transaction_id, created_at, decided_at, expires_at)
		VALUES ($1, $2, 7, 'bank', 'USDT', $3, 'R', 'credited', $3, $4, $5, $5, $5)`, trader, b.account.ID, int64(1_000*usdt), in, start)
	b.exec(`INSERT INTO payees (trader_id, kind, label, holder_key, holder_sealed, bank, iban, bic, usable_from, created_at) VALUES ($1, 'bank', 'M', '\x01', '\x01', 'B', 'DE1', 'X', $2::timestamptz + interval '1 day', $2)`, trader, start)
	for i, state := range []string{"review", "cancelled", "sent"} {
		taken := b.post(fmt.Sprint("out:", i), b.account.DebitToPayouts(100*usdt))
		var sent, back, approved *int64
		var payment *string
		var ended *time.Time
		switch state {
		case "cancelled":
			id := b.post(fmt.Sprint("back:", i), b.account.Refund(100*usdt))
			back, ended = &id, &start
		case "sent":
			id, given, reference := b.post(fmt.Sprint("sent:", i), ledger.Real.Send(99*usdt, usdt)), approvaltest.Applied(b.T, b.db.Pool, "withdrawal", int64(i), trader, staff, b.second()), "PAY"
			sent, approved, payment = &id, &given, &reference
		}
		b.exec(`INSERT INTO withdrawals (id, trader_id, account_id, payee_id, kind, currency, amount, fee, holder_key, holder_sealed, bank, iban, bic, chain, address, memo, risk, risk_reasons, state, approval,
				payment, taken_id, sent_id, back_id, created_at, moved_at, ended_at)
			SELECT $1, $2, $3, id, 'bank', 'USDT', $4, $5, '\x01', '\x01', 'B', 'DE1', 'X', '', '', '', 0, '', $6, $7, $8, $9, $10, $11, $12, $12, $13 FROM payees`,
			i, trader, b.account.ID, int64(100*usdt), int64(usdt), state, approved, payment, taken, sent, back, start, ended)
	}
	b.wallet(trader)
	return b
}

// wallet transfers and exchanges a part of the money, at a rate of one to one.
func (b *bundle) wallet(trader int64) {
	b.Helper()
	var kept, dollars, second ledger.Account
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		if kept, err = ledger.OpenFundingTx(b.Context(), tx, trader, 1, ledger.Currency, start); err == nil {
			dollars, err = ledger.OpenFundingTx(b.Context(), tx, trader, 1, "USD", start)
		}
		if err == nil {
			second, err = ledger.OpenAnotherTx(b.Context(), tx, ledger.Another{TraderID: trader, Book: ledger.Real, Type: 1}, start)
		}
		return err
	}))
	b.exec(`INSERT INTO transfers (trader_id, from_account, to_account, currency, amount, transaction_id, created_at) VALUES ($1, $2, $3, 'USDT', $4, $5, $6)`,
		trader, b.account.ID, kept.ID, int64(50*usdt), b.postKind("transfer", "transfer:1", b.account.MoveTo(kept, 50*usdt), nil), start)
	b.exec(`INSERT INTO transfers (trader_id, from_account, to_account, currency, amount, transaction_id, created_at) VALUES ($1, $2, $3, 'USDT', $4, $5, $6)`,
		trader, b.account.ID, second.ID, int64(3*usdt), b.postKind("transfer", "transfer:2", b.account.MoveTo(second, 3*usdt), nil), start)
	b.exec(`INSERT INTO exchange_quotes (trader_id, from_currency, to_currency, given, from_amount, to_amount, fee, spread, rate, created_at, expires_at)
		VALUES ($1, 'USDT', 'USD', 'from', $2, $2, 0, 0, 1000000000000, $3, $3::timestamptz + interval '15 seconds')`, trader, int64(20*usdt), start)
	entries, currencies := kept.ExchangeInto(dollars, 20*usdt, 20*usdt)
	id := b.postKind("exchange", "exchange:1", entries, currencies)
	b.exec(`INSERT INTO exchanges (quote_id, trader_id, from_account, to_account, transaction_id, created_at) SELECT id, $1, $2, $3, $4, $5 FROM exchange_quotes`,
		trader, kept.ID, dollars.ID, id, start)
}

func (b *bundle) second() (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES (md5(random()::text) || '@example.com', 'C', 'invited', now()) RETURNING id`).Scan(&id))
	return id
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) post(key string, entries []ledger.Entry) (id int64) {
	b.Helper()
	return b.postKind("test", key, entries, nil)
}

func (b *bundle) postKind(kind, key string, entries []ledger.Entry, currencies map[int64]string) (id int64) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		id, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: kind, Key: key, Cause: key, Book: ledger.Real, At: start, Entries: entries, Currencies: currencies})
		return err
	}))
	return id
}

// plant changes a row without triggers, as only a superuser can.
func (b *bundle) plant(sql string) {
	b.Helper()
	_, err := b.super.Exec(b.Context(), `SET session_replication_role = replica`)
	require.NoError(b, err)
	tag, err := b.super.Exec(b.Context(), sql)
	require.NoError(b, err)
	require.EqualValues(b, 1, tag.RowsAffected())
}

func (b *bundle) stopped() error {
	b.Helper()
	return b.db.InTx(b.Context(), func(tx *db.Tx) error { return b.books.HaltedTx(tx) })
}

func TestTheBooksAgree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r, err := b.books.Run(t.Context())
	require.NoError(t, err)
	require.Nil(t, r.Wrong)
	require.Positive(t, r.Proved)
	require.NoError(t, b.stopped())
	_, ok, err := b.books.Living(t.Context())
	require.NoError(t, err)
	require.False(t, ok)
}

// TestOneUnitTooManyStopsMoneyOut plants one wrong row or unit in each table that counts money.
func TestOneUnitTooManyStopsMoneyOut(t *testing.T) {
	t.Parallel()
	for table, plants := range map[string][]string{
		"accounts": {`UPDATE accounts SET cash = cash + 1 WHERE kind = 'contract' AND number = 1`},
		"postings": {`UPDATE postings SET amount = amount + 1 WHERE id = (SELECT min(id) FROM postings)`},
		"withdrawals": {
			`UPDATE withdrawals SET amount = amount + 1 WHERE state = 'review'`, `UPDATE withdrawals SET amount = amount - 1 WHERE state = 'sent'`,
			`DELETE FROM withdrawals WHERE state = 'review'`, `UPDATE withdrawals SET back_id = NULL, state = 'review', ended_at = NULL WHERE state = 'cancelled'`,
		},
		"deposits": {`UPDATE deposits SET received = received + 1`, `DELETE FROM deposits`},
		"transfers": {
			`UPDATE transfers SET amount = amount + 1 WHERE id = 90001`, `UPDATE transfers SET to_account = 1 WHERE id = 90001`, `DELETE FROM transfers WHERE id = 90001`,
			`DELETE FROM transfers WHERE id = 90002`,
		},
		"exchanges": {`UPDATE exchange_quotes SET to_amount = to_amount - 1`, `UPDATE exchanges SET from_account = 1`, `DELETE FROM exchanges`},
	} {
		for _, sql := range plants {
			t.Run(sql, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				b.plant(sql)
				r, err := b.books.Run(t.Context())
				require.NoError(t, err)
				require.NotNil(t, r.Wrong)
				require.Equal(t, table, r.Wrong.Table)
				require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped)
			})
		}
	}
}

// TestMoneyWithoutADepositStopsMoneyOut books balanced postings of a deposit or a reversed deposit that has no row of its own.
func TestMoneyWithoutADepositStopsMoneyOut(t *testing.T) {
	t.Parallel()
	for kind, wrong := range map[string]bool{"deposit": true, "deposit_reversed": true, "mock_top_up": false} {
		for name, entries := range map[string]func(*bundle) []ledger.Entry{
			"In":   func(b *bundle) []ledger.Entry { return b.now().Receive(5 * usdt) },
			"Back": func(b *bundle) []ledger.Entry { return b.now().Reverse(5*usdt, 0) },
		} {
			t.Run(kind+name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				require.Nil(t, b.run().Wrong)
				b.postKind(kind, "deposit:2", entries(b), nil)
				found := b.run().Wrong
				if !wrong {
					require.Nil(t, found)
					require.NoError(t, b.stopped())
					return
				}
				require.Equal(t, []string{"deposits", "in all"}, []string{found.Table, found.Row})
				require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped)
			})
		}
	}
}

// TestADepositThatWasTakenBackBringsNothing books a reversal that agrees with its deposit.
func TestADepositThatWasTakenBackBringsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	back := b.postKind("deposit_reversed", "deposit_reversed:1", b.now().Reverse(1_000*usdt, 0), nil)
	b.plant(fmt.Sprintf(`UPDATE deposits SET kind = 'third_party', provider = 'p', state = 'charged_back', reversal_id = %d, reversal_approval = 1, moved_at = now()`, back))
	require.Nil(t, b.run().Wrong)
	b.plant(`UPDATE deposits SET reversal_id = NULL, state = 'credited'`)
	require.Equal(t, "deposits", b.run().Wrong.Table)
}

// now reads the trader's account again.
func (b *bundle) now() ledger.Account {
	b.Helper()
	a, err := ledger.Load(b.Context(), b.db.Pool, b.account.ID)
	require.NoError(b, err)
	return a
}

// stop makes a reconciliation fail, then repairs the books.
func (b *bundle) stop() reconciliation.Stop {
	b.Helper()
	b.plant(`UPDATE accounts SET cash = cash + 1 WHERE kind = 'contract' AND number = 1`)
	b.run()
	stop, ok, err := b.books.Living(b.Context())
	require.NoError(b, err)
	require.True(b, ok)
	return stop
}

func (b *bundle) repair() {
	b.Helper()
	b.plant(`UPDATE accounts SET cash = cash - 1 WHERE kind = 'contract' AND number = 1`)
}

func (b *bundle) run() reconciliation.Result {
	b.Helper()
	r, err := b.books.Run(b.Context())
	require.NoError(b, err)
	return r
}

// staff returns another member of staff.
func (b *bundle) staff() audit.Actor {
	b.Helper()
	return audit.Actor{Kind: audit.Staff, ID: b.second(), Name: "C"}
}

func (b *bundle) recorded(action string) (n int) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT count(*) FROM audit_entries WHERE action = $1`, action).Scan(&n))
	return n
}

func TestAStopIsLiftedWhenAllIsRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, other := t.Context(), b.staff()
	stop := b.stop()
	b.run()
	b.run()
	require.Equal(t, "accounts", stop.Wrong.Table)
	require.Equal(t, 1, b.recorded("money_out.stop"), "it is stopped once")
	require.ErrorIs(t, b.books.AskEnd(ctx, b.by, stop.ID), reconciliation.ErrWrong)
	b.repair()
	require.ErrorIs(t, b.books.AskEnd(ctx, b.by, stop.ID), reconciliation.ErrWrong, "nobody has looked yet")
	b.run()
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped, "it does not lift itself")
	require.ErrorIs(t, b.books.AskEnd(ctx, b.by, stop.ID+1), reconciliation.ErrUnknown)
	require.NoError(t, b.books.AskEnd(ctx, b.by, stop.ID))
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped, "asking is not enough")
	require.ErrorIs(t, b.books.Lift(ctx, other, stop.ID+1), reconciliation.ErrUnknown)
	require.NoError(t, b.books.Lift(ctx, other, stop.ID))
	require.NoError(t, b.stopped())
	require.ErrorIs(t, b.books.AskEnd(ctx, b.by, stop.ID), reconciliation.ErrUnknown)
	require.ErrorIs(t, b.books.Lift(ctx, other, stop.ID), reconciliation.ErrUnknown)
	require.Equal(t, []int{1, 1}, []int{b.recorded("money_out.ask"), b.recorded("money_out.lift")})
	list, err := b.books.List(ctx, 0, 10)
	require.NoError(t, err)
	require.Len(t, list, 4)
	require.Nil(t, list[0].Wrong)
	require.NotNil(t, list[3].Wrong)
	older, err := b.books.List(ctx, list[1].ID, 10)
	require.NoError(t, err)
	require.Equal(t, list[2:], older)
	ended, err := b.books.Stops(ctx, 10)
	require.NoError(t, err)
	require.Len(t, ended, 1)
	require.Equal(t, []int64{b.by.ID, other.ID}, []int64{*ended[0].AskedBy, *ended[0].EndedBy})
}

func TestAStopEndsByTwoPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, other := t.Context(), b.staff()
	stop := b.stop()
	b.repair()
	b.run()
	require.ErrorIs(t, b.books.Lift(ctx, b.by, stop.ID), reconciliation.ErrUnasked)
	require.NoError(t, b.books.AskEnd(ctx, b.by, stop.ID))
	require.ErrorIs(t, b.books.AskEnd(ctx, b.by, stop.ID), reconciliation.ErrAsked)
	require.ErrorIs(t, b.books.Lift(ctx, b.by, stop.ID), reconciliation.ErrSelf)
	_, err := b.db.Pool.Exec(ctx, `UPDATE withdrawal_halts SET ended_by = asked_by, ended_at = now()`)
	require.ErrorContains(t, err, "check constraint", "the database refuses one person too")
	_, err = b.db.Pool.Exec(ctx, `UPDATE withdrawal_halts SET asked_by = NULL, asked_at = NULL, ended_by = $1, ended_at = now()`, other.ID)
	require.ErrorContains(t, err, "withdrawal_halts_two")
	require.NoError(t, b.books.AskEnd(ctx, other, stop.ID), "somebody else takes the first place")
	require.ErrorIs(t, b.books.Lift(ctx, other, stop.ID), reconciliation.ErrSelf)
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped)
	require.NoError(t, b.books.Lift(ctx, b.by, stop.ID))
	require.NoError(t, b.stopped())
}

func TestWhatWasAskedIsVoidWhenItIsWrongAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, other := t.Context(), b.staff()
	stop := b.stop()
	b.repair()
	b.run()
	require.NoError(t, b.books.AskEnd(ctx, b.by, stop.ID))
	b.plant(`UPDATE accounts SET cash = cash + 1 WHERE kind = 'contract' AND number = 1`)
	b.run()
	require.Equal(t, 1, b.recorded("money_out.unask"))
	require.ErrorIs(t, b.books.Lift(ctx, other, stop.ID), reconciliation.ErrWrong)
	b.repair()
	b.run()
	require.ErrorIs(t, b.books.Lift(ctx, other, stop.ID), reconciliation.ErrUnasked)
	require.NoError(t, b.books.AskEnd(ctx, b.by, stop.ID))
	require.NoError(t, b.books.Lift(ctx, other, stop.ID))
}

func TestStaffProveWithoutWaiting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r, err := b.books.RunFor(t.Context(), b.by)
	require.NoError(t, err)
	require.Nil(t, r.Wrong)
	require.Equal(t, 1, b.recorded("reconciliation.run"))
	b.plant(`UPDATE accounts SET cash = cash + 1 WHERE kind = 'contract' AND number = 1`)
	r, err = b.books.RunFor(t.Context(), b.by)
	require.NoError(t, err)
	require.NotNil(t, r.Wrong)
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped)
}

// TestAPersonStopsMoneyOut: one person stops withdrawals for a time; two people end the stop early.
func TestAPersonStopsMoneyOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, other := t.Context(), b.staff()
	for _, wrong := range []struct {
		reason string
		life   time.Duration
	}{{"too short", time.Hour}, {strings.Repeat("x", reconciliation.LongestReason+1), time.Hour}, {"an incident at the bank", 0}, {"an incident at the bank", 2 * time.Hour}} {
		require.Equal(t, "invalid_input", errs.As(b.books.Stop(ctx, b.by, wrong.reason, wrong.life)).Key)
	}
	require.NoError(t, b.stopped())
	require.NoError(t, b.books.Stop(ctx, b.by, "an incident at the bank", time.Hour))
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped)
	require.ErrorIs(t, b.books.Stop(ctx, other, "an incident at the bank", time.Hour), reconciliation.ErrAlready)
	stop, living, err := b.books.Living(ctx)
	require.NoError(t, err)
	require.True(t, living)
	require.Equal(t, b.by.ID, *stop.StoppedBy)
	require.Nil(t, stop.FoundID)

	require.NoError(t, b.books.AskEnd(ctx, b.by, stop.ID))
	require.ErrorIs(t, b.books.Lift(ctx, b.by, stop.ID), reconciliation.ErrSelf)
	b.stop()
	b.repair()
	b.run()
	require.NoError(t, b.books.Lift(ctx, other, stop.ID), "what was asked for is not taken back by the books")
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped, "their own stop goes on")
	books, _, err := b.books.Living(ctx)
	require.NoError(t, err)
	require.NotNil(t, books.FoundID)
	require.NoError(t, b.books.AskEnd(ctx, b.by, books.ID))
	require.NoError(t, b.books.Lift(ctx, other, books.ID))
	require.NoError(t, b.stopped())

	require.NoError(t, b.books.Stop(ctx, b.by, "an incident at the bank", time.Hour))
	b.clock.Advance(time.Hour - time.Second)
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped)
	b.clock.Advance(time.Second)
	require.NoError(t, b.stopped(), "its time is over")
	over, err := b.books.Stops(ctx, 1)
	require.NoError(t, err)
	require.False(t, over[0].Lives(b.clock.Now()))
	require.ErrorIs(t, b.books.AskEnd(ctx, b.by, over[0].ID), reconciliation.ErrUnknown)
	require.NoError(t, b.books.Stop(ctx, other, "another incident", 72*time.Hour))
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped)
	require.Equal(t, 4, b.recorded("money_out.stop"))
}

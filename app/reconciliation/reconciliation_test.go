package reconciliation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/money"
	"candor/app/reconciliation"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const usdt = money.Unit

// bundle is a house with a trader who has money, a credited deposit, and withdrawals in each place that money can be.
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
	in := b.post("deposit:1", b.account.Receive(1_000*usdt))
	b.exec(`INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, received, transaction_id, created_at, decided_at, expires_at)
		VALUES ($1, $2, 7, 'bank', 'USDT', $3, 'R', 'credited', $3, $4, $5, $5, $5)`, trader, b.account.ID, int64(1_000*usdt), in, start)
	b.exec(`INSERT INTO payees (trader_id, kind, label, holder, bank, iban, bic, usable_from, created_at) VALUES ($1, 'bank', 'M', 'H', 'B', 'DE1', 'X', $2::timestamptz + interval '1 day', $2)`, trader, start)
	for i, state := range []string{"review", "cancelled", "sent"} {
		taken := b.post(fmt.Sprint("out:", i), b.account.Leave(100*usdt))
		var sent, back, maker, checker *int64
		var payment *string
		var ended *time.Time
		switch state {
		case "cancelled":
			id := b.post(fmt.Sprint("back:", i), b.account.Return(100*usdt))
			back, ended = &id, &start
		case "sent":
			id, second, reference := b.post(fmt.Sprint("sent:", i), ledger.Real.Send(99*usdt, usdt)), b.second(), "PAY"
			sent, maker, checker, payment = &id, &staff, &second, &reference
		}
		b.exec(`INSERT INTO withdrawals (trader_id, account_id, payee_id, kind, currency, amount, fee, holder, bank, iban, bic, chain, address, memo, risk, risk_reasons, state, maker_id, checker_id,
				payment, taken_id, sent_id, back_id, created_at, moved_at, ended_at)
			SELECT $1, $2, id, 'bank', 'USDT', $3, $4, 'H', 'B', 'DE1', 'X', '', '', '', 0, '', $5, $6, $7, $8, $9, $10, $11, $12, $12, $13 FROM payees`,
			trader, b.account.ID, int64(100*usdt), int64(usdt), state, maker, checker, payment, taken, sent, back, start, ended)
	}
	return b
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
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		id, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "test", Key: key, Cause: key, Book: ledger.Real, At: start, Entries: entries})
		return err
	}))
	return id
}

// plant changes a row behind everybody's back, as only a superuser can.
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
	return b.db.InTx(b.Context(), func(tx *db.Tx) error { return b.books.StoppedTx(b.Context(), tx) })
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

// TestOneUnitTooManyStopsMoneyOut plants one unit in each place that money is counted.
func TestOneUnitTooManyStopsMoneyOut(t *testing.T) {
	t.Parallel()
	for table, plants := range map[string][]string{
		"accounts": {`UPDATE accounts SET cash = cash + 1 WHERE kind = 'contract'`},
		"postings": {`UPDATE postings SET amount = amount + 1 WHERE id = (SELECT min(id) FROM postings)`},
		"withdrawals": {
			`UPDATE withdrawals SET amount = amount + 1 WHERE state = 'review'`, `UPDATE withdrawals SET amount = amount - 1 WHERE state = 'sent'`,
			`DELETE FROM withdrawals WHERE state = 'review'`, `UPDATE withdrawals SET back_id = NULL, state = 'review', ended_at = NULL WHERE state = 'cancelled'`,
		},
		"deposits": {`UPDATE deposits SET received = received + 1`},
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

func TestAStopIsLiftedWhenAllIsRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.plant(`UPDATE accounts SET cash = cash + 1 WHERE kind = 'contract'`)
	for range 3 {
		_, err := b.books.Run(t.Context())
		require.NoError(t, err)
	}
	stop, ok, err := b.books.Living(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "accounts", stop.Wrong.Table)
	var entries int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'money_out.stop'`).Scan(&entries))
	require.Equal(t, 1, entries, "it is stopped once")
	require.ErrorIs(t, b.books.Lift(t.Context(), b.by, stop.ID), reconciliation.ErrWrong)
	b.plant(`UPDATE accounts SET cash = cash - 1 WHERE kind = 'contract'`)
	require.ErrorIs(t, b.books.Lift(t.Context(), b.by, stop.ID), reconciliation.ErrWrong, "nobody has looked yet")
	_, err = b.books.Run(t.Context())
	require.NoError(t, err)
	require.ErrorIs(t, b.stopped(), reconciliation.ErrStopped, "it does not lift itself")
	require.ErrorIs(t, b.books.Lift(t.Context(), b.by, stop.ID+1), reconciliation.ErrUnknown)
	require.NoError(t, b.books.Lift(t.Context(), b.by, stop.ID))
	require.NoError(t, b.stopped())
	require.ErrorIs(t, b.books.Lift(t.Context(), b.by, stop.ID), reconciliation.ErrUnknown)
	list, err := b.books.List(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, list, 4)
	require.Nil(t, list[0].Wrong)
	require.NotNil(t, list[3].Wrong)
}

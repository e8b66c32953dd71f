package report_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/money"
	"candor/app/report"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	dbtest.New(t).RequireLabels(t, "report_rhythm", ".", "Rhythm")
}

// bundle is a database with a world made by hand.
type bundle struct {
	*testing.T
	db      *db.DB
	clock   *clock.Fixed
	reports *report.Service
	test    *dbtest.DB
	zone    *time.Location
	traders int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	zone, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	b := &bundle{T: t, db: d, test: test, zone: zone, clock: clock.NewFixed(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))}
	b.reports = report.New(d, b.clock)
	b.exec(`INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, iban, sort, enabled) VALUES (900, 'bank', 'Bank A', 'USD', 1, 1000000000000, 'DE1', 1, true)`)
	b.exec(`INSERT INTO products (id, symbol, name, class, base, quote, point, contract_size, margin_model, calendar, sort) VALUES (1, 'EURUSD', 'Euro', 'forex', 'EUR', 'USD', 5, 1, 'forex', 'x', 1)`)
	return b
}

// exec changes rows past every trigger: a world that only the reports read.
func (b *bundle) exec(sql string) {
	b.Helper()
	b.test.Tamper(b.T, sql)
}

func (b *bundle) span(first, last string) report.Span {
	b.Helper()
	from, err := time.Parse(time.DateOnly, first)
	require.NoError(b, err)
	to, err := time.Parse(time.DateOnly, last)
	require.NoError(b, err)
	s, err := report.NewSpan(from, to, b.zone)
	require.NoError(b, err)
	return s
}

// at is a moment of the zone, as SQL writes it.
func (b *bundle) at(text string) string {
	b.Helper()
	moment, err := time.ParseInLocation("2006-01-02 15:04", text, b.zone)
	require.NoError(b, err)
	return "'" + moment.UTC().Format(time.RFC3339) + "'::timestamptz"
}

// moment is a moment of the zone.
func (b *bundle) moment(text string) time.Time {
	b.Helper()
	moment, err := time.ParseInLocation("2006-01-02 15:04", text, b.zone)
	require.NoError(b, err)
	return moment
}

// trader registers a trader with an account of a book.
func (b *bundle) trader(registered string, book ledger.Book) ledger.Account {
	b.Helper()
	b.traders++
	var id int64
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, created_at)
		VALUES ('t' || $1::text || '@trader.example', 'T', '', 'DE', 'I' || $1::text, now(), $2) RETURNING id`, fmt.Sprint(b.traders), b.moment(registered)).Scan(&id))
	var account ledger.Account
	kind := 1
	if book == ledger.Mock {
		kind = 5
	}
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		account, err = ledger.OpenTx(b.Context(), tx, id, book, kind, b.clock.Now())
		return err
	}))
	return account
}

// unit is a sum in whole units.
func unit(n int64) int64 { return n * money.Unit }

// sums are the figures of a row, with -1 for none.
func sums(row report.Row) (out []int64) {
	for _, f := range row.Figures {
		if f.None {
			f.Value = -1
		}
		out = append(out, f.Value)
	}
	return out
}

// byName finds a column.
func byName(t *testing.T, table report.Table, row report.Row, name string) int64 {
	t.Helper()
	for i, c := range table.Columns {
		if c.Name == name {
			return row.Figures[i].Value
		}
	}
	t.Fatalf("no column %s", name)
	return 0
}

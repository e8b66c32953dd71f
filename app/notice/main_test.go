package notice_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/notice"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/switches"
	"candor/app/trader"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// bundle is a database with the content of a new installation.
type bundle struct {
	*testing.T
	db      *db.DB
	clock   *clock.Fixed
	values  *switches.Service
	bus     *events.Bus
	service *notice.Service
	engine  *approval.Engine
	test    *dbtest.DB
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(context.Background(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	require.NoError(t, notice.Seed(t.Context(), d, start))
	b := &bundle{T: t, db: d, clock: clock.NewFixed(start.Add(time.Minute)), values: values, bus: bus, test: test}
	b.engine = approval.New(d, b.clock, trader.TakeDutyTx)
	b.service = notice.New(d, b.clock, values, bus, trader.Readers{DB: d}, b.engine)
	return b
}

// trader registers an English reader, optionally verified.
func (b *bundle) trader(name string, verified bool) (v notice.Viewer) {
	b.Helper()
	status := -1
	if verified {
		status = 3
	}
	v = reader("en")
	v.SessionID = 7
	err := b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, language, type, auth_status, level, invite_code, accepted_at, created_at)
		VALUES ($1, $2, 'x', 'DE', 'en', 1, $3, 0, $2, now(), $4) RETURNING id`, name+"@trader.example", name, status, start).Scan(&v.TraderID)
	require.NoError(b, err)
	return v
}

// reader is a visitor with a language.
func reader(language string) notice.Viewer {
	return notice.Viewer{Viewer: switches.Viewer{Language: language, Platform: "1"}, Device: "0123456789abcdef0123456789abcdef"}
}

func titles(list []notice.Published) (out []string) {
	for _, p := range list {
		out = append(out, p.Title)
	}
	return out
}

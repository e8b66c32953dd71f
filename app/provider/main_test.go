package provider_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/jobs"
	"candor/app/provider"
	"candor/app/provider/sandbox"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var (
	secret  = strings.Repeat("s3cret", 6)
	evening = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
)

// bundle is a fixture with one provider, the sandbox, and its handled events.
type bundle struct {
	*testing.T
	db       *db.DB
	clock    *clock.Fixed
	sandbox  *sandbox.Sandbox
	server   *httptest.Server
	provider provider.Provider
	gateway  provider.Gateway
	service  *provider.Service
	notify   string
	handled  []provider.Event
	fail     error
}

func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	b := &bundle{T: t, db: d, clock: clock.NewFixed(evening)}
	b.sandbox = sandbox.New(secret, b.clock, 0)
	b.server = httptest.NewServer(b.sandbox.Handler())
	t.Cleanup(b.server.Close)
	b.provider = provider.Provider{ID: "sandbox", Name: "Sandbox", URL: b.server.URL, Secret: secret, Sandbox: true}
	b.gateway = provider.NewClient(b.provider, b.clock)
	b.service = provider.New(d, b.clock, queue, "http://house", []provider.Provider{b.provider})
	b.service.HandleEvents(provider.AboutPayment, b.handleEvent)
	endpoint := httptest.NewServer(http.HandlerFunc(b.receiveEvent))
	t.Cleanup(endpoint.Close)
	b.notify = endpoint.URL + provider.EventPath("sandbox")
	return b
}

// handleEvent handles an event like a deposit or a withdrawal.
func (b *bundle) handleEvent(ctx context.Context, e provider.Event) error {
	if b.fail != nil {
		return b.fail
	}
	return b.db.InTx(ctx, func(tx *db.Tx) error {
		b.handled = append(b.handled, e)
		return b.service.DoneTx(ctx, tx, e, "heard")
	})
}

// count is the number of events in a state.
func (b *bundle) count(state string) (n int) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT count(*) FROM provider_events WHERE state = $1`, state).Scan(&n))
	return n
}

// actOnAll runs the jobs of the events.
func (b *bundle) actOnAll() {
	b.Helper()
	rows, err := b.db.Pool.Query(b.Context(), `SELECT id FROM provider_events ORDER BY id`)
	require.NoError(b, err)
	var ids []int64
	for rows.Next() {
		var id int64
		require.NoError(b, rows.Scan(&id))
		ids = append(ids, id)
	}
	require.NoError(b, rows.Err())
	for _, id := range ids {
		require.NoError(b, b.service.Act(b.Context(), id))
	}
}

package systemtest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/provider"
	"candor/app/server"
)

// TestProviderEvents posts provider events: a signed event is stored once, everything else is refused with a bare status.
func TestProviderEvents(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	secret := strings.Repeat("s3cret", 6)
	d, err := db.Open(ctx, dbtest.New(t).URL)
	require.NoError(t, err)
	folder := t.TempDir()
	file := filepath.Join(folder, "providers.json")
	require.NoError(t, os.WriteFile(file, []byte(`[{"id":"acme","name":"Acme","url":"http://127.0.0.1:1","secret":"`+secret+`","sandbox":true}]`), 0o600))
	config, database := server.Config{DataDir: folder, Mode: server.Development, Feed: "simulated", FeedSpeed: 1, NewsignKey: "candor-web", Providers: file}, &server.Database{DB: d}
	require.NoError(t, server.Seed(ctx, config, database))
	p, err := server.Build(ctx, config, database)
	require.NoError(t, err)
	var group sync.WaitGroup
	p.Start(ctx, &group)
	t.Cleanup(func() {
		p.StopSockets()
		_ = p.Jobs.Stop(context.Background())
		cancel()
		group.Wait()
		p.Bus.Close()
		d.Close()
	})
	body := `{"event":"EV-1","kind":"payment","reference":"CD-AAAA-BBBB","state":"paid","amount":"100","currency":"USDT"}`
	path := provider.EventPath("acme")
	knock := func(method, path, body string, at time.Time, secret string) int {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		stamp := strconv.FormatInt(at.Unix(), 10)
		r.Header.Set(provider.TimeHeader, stamp)
		r.Header.Set(provider.SignatureHeader, provider.Sign(secret, stamp, http.MethodPost, path, []byte(body)))
		answer := httptest.NewRecorder()
		p.Handler.ServeHTTP(answer, r)
		if method == http.MethodPost {
			require.Empty(t, answer.Body.String(), "no words")
		}
		return answer.Code
	}
	now := time.Now()
	for name, try := range map[string]struct {
		method, path, body, secret string
		at                         time.Time
		want                       int
	}{
		"AnotherSecret":     {http.MethodPost, path, body, strings.Repeat("x", 40), now, http.StatusForbidden},
		"NoSecret":          {http.MethodPost, path, body, "", now, http.StatusForbidden},
		"TooOld":            {http.MethodPost, path, body, secret, now.Add(-2 * provider.Window), http.StatusForbidden},
		"FromTheFuture":     {http.MethodPost, path, body, secret, now.Add(2 * provider.Window), http.StatusForbidden},
		"AnUnknownProvider": {http.MethodPost, provider.EventPath("other"), body, secret, now, http.StatusForbidden},
		"NoJSON":            {http.MethodPost, path, "paid", secret, now, http.StatusBadRequest},
		"NoReference":       {http.MethodPost, path, `{"event":"EV-2","kind":"payment"}`, secret, now, http.StatusBadRequest},
		"TooLarge":          {http.MethodPost, path, strings.Repeat(" ", 1<<21), secret, now, http.StatusRequestEntityTooLarge},
		"AnotherMethod":     {http.MethodGet, path, body, secret, now, http.StatusNotFound},
	} {
		require.Equal(t, try.want, knock(try.method, try.path, try.body, try.at, try.secret), name)
	}
	kept := func() (n int) {
		require.NoError(t, d.Pool.QueryRow(ctx, `SELECT count(*) FROM provider_events`).Scan(&n))
		return n
	}
	require.Zero(t, kept())
	for range 3 {
		require.Equal(t, http.StatusOK, knock(http.MethodPost, path, body, now, secret))
	}
	require.Equal(t, 1, kept())
	require.Equal(t, http.StatusConflict, knock(http.MethodPost, path, strings.Replace(body, "100", "900", 1), now, secret), "the same event with another content")
}

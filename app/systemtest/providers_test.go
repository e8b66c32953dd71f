package systemtest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/provider"
	"candor/app/server"
)

// providerSecret is a unique text.
var providerSecret = strings.Repeat("Canary-secret.", 3)

// writeProviders writes a file with one provider; more are further JSON fields.
func writeProviders(t *testing.T, folder, more string) (file string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(folder, 0o700))
	file = filepath.Join(folder, "providers.json")
	require.NoError(t, os.WriteFile(file, []byte(`[{"id":"acme","name":"Acme Pay","url":"https://pay.example"`+more+`}]`), 0o600))
	return file
}

// postEvent sends an event of acme signed with a secret, and returns the status.
func postEvent(t *testing.T, url, secret string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+provider.EventPath("acme"), strings.NewReader(eventBody))
	require.NoError(t, err)
	signEvent(request, secret)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode
}

const eventBody = `{"event":"EV-1","kind":"payment","reference":"CD-AAAA-BBBB","state":"paid","amount":"100","currency":"USDT"}`

func signEvent(r *http.Request, secret string) {
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set(provider.TimeHeader, stamp)
	r.Header.Set(provider.SignatureHeader, provider.Sign(secret, stamp, http.MethodPost, provider.EventPath("acme"), []byte(eventBody)))
}

// TestProvidersCommand seals a provider's secret with the program's own command; the server then accepts events signed with it.
func TestProvidersCommand(t *testing.T) {
	t.Parallel()
	url := dbtest.New(t).URL
	p := newProgram(t, "DATABASE_URL="+url)
	writeProviders(t, p.dataDir, "")
	run := func(want int, says, input string, args ...string) string {
		t.Helper()
		code, stdout, stderr := p.runWith(t, input, args...)
		require.Equal(t, want, code, "%s%s", stdout, stderr)
		require.Contains(t, stdout+stderr, says)
		require.NotContains(t, stdout+stderr, "Canary")
		return stdout
	}
	run(0, "acme  Acme Pay  https://pay.example  secret: none\n", "", "providers")
	run(1, "provider acme has no secret: run candor providers secret acme\n", "", "serve")
	run(1, "say what to do", "", "providers", "secret")
	run(1, "say what to do", "", "providers", "secret", "acme", providerSecret)
	run(1, "say what to do", "", "providers", "melt")
	run(1, `there is no provider "other"`, providerSecret, "providers", "secret", "other")
	run(1, "the secret has less than 32 characters", "Canary\n", "providers", "secret", "acme")
	run(1, "the secret has more than 4096 bytes", strings.Repeat("Canary", 1_000), "providers", "secret", "acme")
	run(0, "secret: none", "", "providers")
	run(0, "the secret of acme is sealed", strings.Repeat("an earlier one ", 3), "providers", "secret", "acme")
	run(0, "the secret of acme is sealed", providerSecret+"\n", "providers", "secret", "acme")
	run(0, "secret: sealed\n", "", "providers")
	var list []server.NamedProvider
	require.NoError(t, json.Unmarshal([]byte(run(0, `"sealed":true`, "", "providers", "--json")), &list))
	require.Len(t, list, 1)
	require.WithinDuration(t, time.Now(), time.UnixMilli(list[0].SetAt), time.Hour)
	list[0].SetAt = 0
	require.Equal(t, server.NamedProvider{ID: "acme", Name: "Acme Pay", URL: "https://pay.example", Sealed: true}, list[0])
	run(0, "rewrapped: 1", "", "keys", "rotate")
	run(0, "the older keys are gone", "", "keys", "retire")

	p.start(t)
	require.Equal(t, http.StatusForbidden, postEvent(t, p.url, strings.Repeat("an earlier one ", 3)))
	require.Equal(t, http.StatusOK, postEvent(t, p.url, providerSecret))
	require.NoError(t, p.interrupt(t))
	require.NotContains(t, p.output.String(), "Canary")

	d, err := db.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	var entries int
	require.NoError(t, d.Pool.QueryRow(t.Context(), `
		SELECT count(*) FROM audit_entries WHERE action = 'provider.secret' AND target_id = 'acme' AND actor_kind = 'system' AND actor_name = 'operator'`).Scan(&entries))
	require.Equal(t, 2, entries)

	writeProviders(t, p.dataDir, `,"secret":"`+strings.Repeat("of the file ", 3)+`"`)
	run(0, "secret: sealed, and another in clear in the file, which counts\n", "", "providers")
	p.start(t)
	require.Equal(t, http.StatusForbidden, postEvent(t, p.url, providerSecret), "development takes the one in the file")
	require.NoError(t, p.interrupt(t))
}

// TestProductionWantsSealedSecrets refuses a clear secret in the file, and starts with a sealed one.
func TestProductionWantsSealedSecrets(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	folder := t.TempDir()
	config := server.Config{DataDir: folder, Mode: server.Production, Feed: "simulated", FeedSpeed: 1, NewsignKey: "candor-web"}
	about := func() (reasons []string) {
		for _, reason := range config.ProductionProblems() {
			if strings.HasPrefix(reason, "CANDOR_PROVIDERS") {
				reasons = append(reasons, reason)
			}
		}
		return reasons
	}
	config.Providers = writeProviders(t, folder, `,"secret":"`+providerSecret+`"`)
	require.Equal(t, []string{"CANDOR_PROVIDERS: acme: its secret stands in clear in the file: run candor providers secret acme and remove it from the file"}, about())
	config.Mode = server.Development
	require.Empty(t, config.ProductionProblems())
	config.Mode = server.Production
	writeProviders(t, folder, "")
	require.Empty(t, about())

	d, err := db.Open(ctx, dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	database := &server.Database{DB: d}
	require.NoError(t, server.Seed(ctx, config, database))
	p, err := server.Build(ctx, config, database)
	require.EqualError(t, err, "provider acme has no secret: run candor providers secret acme")
	p.Release()
	keys, err := server.OpenVault(ctx, config, d)
	require.NoError(t, err)
	require.NoError(t, provider.NewSecrets(d, clock.Real{}, keys).Set(ctx, "acme", providerSecret))
	p, err = server.Build(context.WithoutCancel(ctx), config, database)
	require.NoError(t, err)
	t.Cleanup(p.Bus.Close)
	t.Cleanup(p.StopSockets)
	status := func(secret string) int {
		request := httptest.NewRequest(http.MethodPost, provider.EventPath("acme"), strings.NewReader(eventBody))
		request.RemoteAddr = "127.0.0.1:4711" // production answers this machine without TLS
		signEvent(request, secret)
		answer := httptest.NewRecorder()
		p.Handler.ServeHTTP(answer, request)
		return answer.Code
	}
	require.Equal(t, http.StatusForbidden, status(strings.Repeat("x", 40)))
	require.Equal(t, http.StatusOK, status(providerSecret))
}

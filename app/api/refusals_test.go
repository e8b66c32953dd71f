package api

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/admission"
	"candor/app/platform/clock"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
)

// TestAFloodOfRefusalsIsAFewLines: an attack is visible in the log and does not fill it. It is not parallel, because the log is shared by the process.
func TestAFloodOfRefusalsIsAFewLines(t *testing.T) { //nolint:paralleltest // see above
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	srv := New(Services{}, Config{}, clock.NewFixed(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)))
	refuse := func(refusal *errs.Error, times int) []string {
		logged.Reset()
		for range times {
			srv.logRefusal(echo.New().NewContext(httptest.NewRequest(http.MethodPost, "/client/user/login", nil), httptest.NewRecorder()), refusal)
		}
		return strings.Split(strings.TrimSpace(logged.String()), "\n")
	}
	for _, refusal := range []*errs.Error{session.ErrThrottle, session.ErrCodeFirst, trader.ErrPaymentPasswordLocked, trader.ErrPaymentPassword, admission.ErrBusy} {
		lines := refuse(refusal, 1_000)
		require.Len(t, lines, 4)
		require.Contains(t, lines[0], "reason="+refusal.Key+" source=192.0.2.1 this_minute=1")
	}
	require.Equal(t, []string{""}, refuse(trader.ErrPaymentPasswordUnset, 1), "nobody guesses")
}

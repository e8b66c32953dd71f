package api

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/admission"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/provider"
	"candor/app/switches"
	"candor/locales"
)

// TestEveryCallTakesAPlace: while strangers' slots are occupied, no call that is open to them reaches its handler.
func TestEveryCallTakesAPlace(t *testing.T) {
	t.Parallel()
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	srv := New(Services{Switches: values}, Config{NewsignKey: "key", Texts: texts}, clock.Real{})
	for _, limiter := range []**admission.Limiter{&srv.limiters.strangers, &srv.limiters.passwords, &srv.limiters.events, &srv.limiters.strangersFiles} {
		*limiter = admission.New(admission.Limits{Running: 1, Total: 1})
		_, err := (*limiter).Enter(t.Context(), "192.0.2.1")
		require.NoError(t, err)
	}
	e := echo.New()
	srv.Mount(e)
	asked := 0
	for _, route := range e.Router().Routes() {
		if !publicCalls[route.Path] && route.Path != picturesPath+":name" && route.Path != provider.EventPath(":provider") {
			continue
		}
		asked++
		r := httptest.NewRequest(route.Method, route.Path, http.NoBody) // from 192.0.2.1
		now := strconv.FormatInt(time.Now().UnixMilli(), 10)
		r.Header.Set("localtimes", now)
		r.Header.Set("newsign", Sign(now, "key"))
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, r)
		require.Equal(t, http.StatusServiceUnavailable, answer.Code, "%s: %s", route.Path, answer.Body)
	}
	require.Greater(t, asked, len(publicCalls)/2)
}

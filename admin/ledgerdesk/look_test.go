package ledgerdesk_test

import (
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/templates/assets"
)

// TestLook serves the desk with withdrawals stopped, for viewing, until the test is stopped. Sign in by POST /admin/test/<id>: 100 (checker), 101 (lead).
//
//	CANDOR_LOOK=127.0.0.1:8099 go test ./admin/ledgerdesk -run TestLook -v -timeout 0
func TestLook(t *testing.T) {
	address := os.Getenv("CANDOR_LOOK")
	if address == "" {
		t.Skip("CANDOR_LOOK is not set")
	}
	dist := "../../customer-web/dist"
	require.NoError(t, assets.Load(os.DirFS(dist)))
	b := setup(t)
	b.Clock.Set(time.Now().UTC().Add(-12 * time.Minute))
	checker := b.seat("Finance checker 01", access.FinanceChecker)
	b.seat("Finance lead 01", access.FinanceLead)
	for range 6 {
		b.prove()
	}
	stop := b.stop()
	b.prove()
	require.Equal(t, http.StatusOK, checker.Send(path(stop, "request"), nil).Code)
	serve := http.NewServeMux()
	serve.Handle("/assets/", http.FileServer(http.Dir(dist)))
	serve.Handle("/", b.Echo)
	t.Log("http://" + address + "/admin/reconciliation")
	require.NoError(t, http.ListenAndServe(address, serve)) //nolint:gosec // a test's server on a private address
}

package adjustdesk_test

import (
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/templates/assets"
)

// TestLook serves the desk with example adjustments, for viewing, until the test is stopped. Sign in by POST /admin/test/<id>: 100 (maker), 101 (checker),
// 102 (lead).
//
//	CANDOR_LOOK=127.0.0.1:8099 go test ./admin/adjustdesk -run TestLook -v -timeout 0
func TestLook(t *testing.T) {
	address := os.Getenv("CANDOR_LOOK")
	if address == "" {
		t.Skip("CANDOR_LOOK is not set")
	}
	dist := "../../customer-web/dist"
	require.NoError(t, assets.Load(os.DirFS(dist)))
	b := setup(t)
	b.Clock.Set(time.Now().UTC().Add(-3 * time.Hour))
	b.maker, b.checker = b.SignInAs(t, b.maker.Person), b.SignInAs(t, b.checker.Person)
	b.ask("in", "25.50")
	large := b.ask("in", "6000")
	require.Equal(t, http.StatusOK, b.decide(b.checker, large, "confirmation").Code)
	require.Equal(t, http.StatusOK, b.decide(b.checker, b.ask("out", "40"), "confirmation").Code)
	b.ask("out", "12")
	b.Clock.Set(time.Now().UTC())
	serve := http.NewServeMux()
	serve.Handle("/assets/", http.FileServer(http.Dir(dist)))
	serve.Handle("/", b.Echo)
	t.Log("http://" + address + "/admin/adjustments")
	require.NoError(t, http.ListenAndServe(address, serve)) //nolint:gosec // a test's server on a private address
}

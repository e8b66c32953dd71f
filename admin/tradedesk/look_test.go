package tradedesk_test

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/templates/assets"
)

// TestLook serves the desk with example traders, for viewing, until the test is stopped. Sign in by POST /admin/test/100 (support) or 101 (finance).
//
//	CANDOR_LOOK=127.0.0.1:8099 go test ./admin/tradedesk -run TestLook -v -timeout 0
func TestLook(t *testing.T) {
	address := os.Getenv("CANDOR_LOOK")
	if address == "" {
		t.Skip("CANDOR_LOOK is not set")
	}
	dist := os.Getenv("CANDOR_LOOK_DIST")
	if dist == "" {
		dist = "../../customer-web/dist"
	}
	require.NoError(t, assets.Load(os.DirFS(dist)))
	b := setup(t)
	b.example()
	b.Hire(t, "Support agent 03", access.SupportAgent)
	b.Hire(t, "Finance maker 02", access.FinanceMaker)
	serve := http.NewServeMux()
	serve.Handle("/assets/", http.FileServer(http.Dir(dist)))
	serve.Handle("/", b.Echo)
	t.Log("http://" + address + "/admin/traders")
	require.NoError(t, http.ListenAndServe(address, serve)) //nolint:gosec // a test's server on a private address
}

// example fills the list, and gives one trader everything that a page can show.
func (b *bundle) example() {
	for i := range 14 {
		b.register(fmt.Sprintf("trader%02d@example.com", i), "", 0)
	}
	b.quote("EURUSD", "1.07930", "1.07942")
	b.quote("XAUUSD", "2668.20", "2668.55")
	b.quote("BTCUSD", "94660.50", "94668.50")
	marta := b.register("marta@example.com", "+34600123418", 26_905)
	_, err := b.DB.Pool.Exec(b.Context(), `UPDATE traders SET auth_status = 3, level = 2, invited_by = $1 - 3 WHERE id = $1`, marta.TraderID)
	require.NoError(b, err)
	b.login(marta, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36", "83.44.12.9")
	b.buy(marta, eurusd, 100, 100)
	b.buy(marta, 101, 10, 100)
	for range 4 {
		b.close(marta, b.buy(marta, eurusd, 20, 100))
	}
	b.Clock.Advance(3 * time.Hour)
	b.quote("EURUSD", "1.08214", "1.08226")
	b.login(marta, "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1", "83.44.12.80")
	b.quote("XAUUSD", "2661.40", "2661.75")
	b.quote("BTCUSD", "94660.50", "94668.50")
	for range 3 {
		b.close(marta, b.buy(marta, eurusd, 50, 100))
	}
	b.buy(marta, btcusd, 5, 20)
	b.quote("BTCUSD", "94120.50", "94128.50")
}

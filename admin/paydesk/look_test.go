package paydesk_test

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/withdrawal"
	"candor/templates/assets"
)

// TestLook serves the desk with example withdrawals, for viewing, until the test is stopped. Sign in by POST /admin/test/<id>; the people are 100 (maker),
// 101 (checker), 102 (lead) and 103 (compliance).
//
//	CANDOR_LOOK=127.0.0.1:8099 go test ./admin/paydesk -run TestLook -v -timeout 0
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
	b.Clock.Set(time.Now().UTC())
	b.example()
	serve := http.NewServeMux()
	serve.Handle("/assets/", http.FileServer(http.Dir(dist)))
	serve.Handle("/", b.Echo)
	t.Log("http://" + address + "/admin/withdrawals")
	require.NoError(t, http.ListenAndServe(address, serve)) //nolint:gosec // a test's server on a private address
}

// example fills the queue with a withdrawal of every kind.
func (b *bundle) example() {
	p := b.team()
	start := b.Clock.Now()
	states := []withdrawal.State{
		withdrawal.Approved2, withdrawal.OutcomeUnknown, withdrawal.Approved1, withdrawal.Review, withdrawal.Review, withdrawal.MoreInfo, withdrawal.Frozen, withdrawal.Queued,
		withdrawal.Processing, withdrawal.Sent, withdrawal.Review, withdrawal.Approved1,
	}
	var made []withdrawal.Withdrawal
	for i, state := range states {
		dollars := []int64{40_000, 4_000, 12_400, 1_850, 9_800, 1_200, 2_000, 6_250, 1_010, 7_900, 1_500, 30_000}[i]
		made = append(made, b.in(p, state, dollars))
	}
	o := b.owner("Otto Example", "Anna Other")
	for _, dollars := range []int64{3_000, 2_900} {
		p.maker.did(b.ask(o, dollars), "rejection")
	}
	made = append(made, b.ask(o, 5_100), b.coins(750))
	for i, w := range made {
		ago := time.Duration(260-i*19) * time.Minute
		b.database.Tamper(b.T, fmt.Sprintf(`UPDATE withdrawals SET created_at = '%[2]s', moved_at = '%[2]s', risk = %[3]d, risk_reasons = '%[4]s' WHERE id = %[1]d`,
			w.ID, start.Add(-ago).Format(time.RFC3339), []int{71, 58, 46, 12, 0}[i%5], []string{"first,new_payee,quick_turn", "new_payee,most_of_it", "first,no_deals", "near_limit", ""}[i%5]))
	}
	require.Equal(b, http.StatusOK, p.checker.claim(made[2]).Code)
	require.Equal(b, http.StatusOK, p.maker.claim(made[3]).Code)
}

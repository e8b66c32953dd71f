package cashdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/deposit"
	"candor/templates/assets"
)

// TestLook serves the desk with example deposits, for viewing, until the test is stopped. Sign in by POST /admin/test/<id>; the people are 100 (maker),
// 101 (checker) and so on, as the log says.
//
//	CANDOR_LOOK=127.0.0.1:8099 go test ./admin/cashdesk -run TestLook -v -timeout 0
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
	b.Clock.Set(time.Now().UTC().Add(-5 * hour))
	b.example()
	serve := http.NewServeMux()
	serve.Handle("/assets/", http.FileServer(http.Dir(dist)))
	serve.Handle("/", b.Echo)
	t.Log("http://" + address + "/admin/deposits")
	require.NoError(t, http.ListenAndServe(address, serve)) //nolint:gosec // a test's server on a private address
}

// example fills the queue with a deposit of every kind.
func (b *bundle) example() {
	first := b.SignInAs(b.T, b.Hire(b.T, "Finance maker 02", access.FinanceMaker))
	other := seat{b.SignInAs(b.T, b.Hire(b.T, "Finance maker 03", access.FinanceMaker)), b}
	b.Hire(b.T, "Finance checker 01", access.FinanceChecker)
	b.Hire(b.T, "Auditor 01", access.Auditor)
	maker := seat{first, b}

	owner := b.trader("lena@example.com")
	for _, dollars := range []int64{2_500, 5_000} {
		d := b.prove(owner, b.ask(owner, dollars), uint8(dollars/100))
		require.Equal(b, http.StatusOK, maker.claim(d).Code)
		require.Equal(b, http.StatusOK, maker.approve(d, b.now(d.ID).Version, fmt.Sprint(dollars), fmt.Sprint("SPB-2026-", dollars)).Code)
	}
	b.Clock.Set(time.Now().UTC().Add(-184 * time.Minute))
	open := b.prove(owner, b.ask(owner, 4_000), 120)
	b.Clock.Set(time.Now().UTC().Add(-101 * time.Minute))
	b.waiting(450)
	b.Clock.Set(time.Now().UTC().Add(-58 * time.Minute))
	other = seat{b.SignInAs(b.T, other.Person), b}
	b.approved(other)
	b.waiting(200)
	again := b.trader("again@example.com")
	b.prove(again, b.ask(again, 75), 50)
	asked := b.waiting(1_500)
	require.Equal(b, http.StatusOK, other.claim(asked).Code)
	require.Equal(b, http.StatusOK, other.Send(path(asked, "question"), url.Values{"version": {fmt.Sprint(b.now(asked.ID).Version)}, "reason": {"proof_unreadable"}}).Code)
	b.Clock.Set(time.Now().UTC().Add(-2 * time.Minute))
	b.waiting(12_000)
	taken := b.waiting(3_250)
	other = seat{b.SignInAs(b.T, other.Person), b}
	require.Equal(b, http.StatusOK, other.claim(taken).Code)
	b.held(deposit.AMLHold, 820)
	maker = seat{b.SignInAs(b.T, first.Person), b}
	require.Equal(b, http.StatusOK, maker.claim(open).Code)
	b.Clock.Set(time.Now().UTC())
}

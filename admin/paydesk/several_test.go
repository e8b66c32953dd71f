package paydesk_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/desk/desktest"
	"candor/app/platform/money"
	"candor/app/staff"
	"candor/app/withdrawal"
)

// known is a trader who was paid before: once the payee is old, a small withdrawal raises no question.
func (b *bundle) known(p team) owner {
	b.Helper()
	o := b.owner("Marta Specimen", "Marta Specimen")
	first := b.ask(o, 100)
	for _, step := range []struct {
		who  seat
		noun string
	}{{p.maker, "approval"}, {p.checker, "confirmation"}, {p.maker, "sending"}, {p.maker, "payment"}, {p.checker, "bank-check"}} {
		step.who.did(first, step.noun)
	}
	require.Equal(b, withdrawal.Completed, b.now(first.ID).State)
	return o
}

// chosen is a withdrawal as the dialog posts it.
func (b *bundle) chosen(w withdrawal.Withdrawal) string {
	w = b.now(w.ID)
	return fmt.Sprintf("%d:%d:%x", w.ID, w.Version, w.Facts())
}

func TestSmallOnesAreApprovedTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Frame.SmallStep = func() staff.SmallStep { return staff.SmallStep{Amount: 500 * money.Unit} }
	p := b.team()
	o := b.known(p)
	b.Clock.Advance(8 * 24 * time.Hour)
	maker, checker := seat{b.SignInAs(t, p.maker.Person), b}, seat{b.SignInAs(t, p.checker.Person), b}
	one, two, large, risky := b.ask(o, 100), b.ask(o, 200), b.ask(o, 501), b.waiting(100)
	list := []withdrawal.Withdrawal{one, two, large, risky}
	send := func(s seat, list ...withdrawal.Withdrawal) (status int, body string) {
		form := url.Values{"code": {s.Code(t)}}
		for _, w := range list {
			form.Add("case", b.chosen(w))
		}
		answer := s.Send("/admin/withdrawals/together", form)
		return answer.Code, answer.Body.String() + answer.Header().Get("HX-Redirect")
	}

	require.NotContains(t, maker.Part("/admin/withdrawals/together").Body.String(), one.Number(), "not claimed")
	answer := maker.Send("/admin/withdrawals/claims/next", nil)
	require.Equal(t, "/admin/withdrawals?claimed=4", answer.Header().Get("HX-Redirect"))
	require.Contains(t, maker.Get("/admin/withdrawals?claimed=4").Body.String(), "You claimed 4 cases.")
	require.Equal(t, "/admin/withdrawals?claimed=0", checker.Send("/admin/withdrawals/claims/next", nil).Header().Get("HX-Redirect"), "all are claimed")

	dialog := maker.Part("/admin/withdrawals/together").Body.String()
	require.Contains(t, dialog, one.Number())
	require.Contains(t, dialog, "To Marta Specimen, account ending "+one.IBAN[len(one.IBAN)-4:])
	require.Contains(t, dialog, two.Number())
	require.NotContains(t, dialog, large.Number())
	require.NotContains(t, dialog, risky.Number(), "the trader’s first")

	status, body := send(maker)
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, body, "Select at least one")
	stale := b.chosen(two)
	require.Equal(t, http.StatusOK, maker.release(two).Code)
	require.Equal(t, http.StatusOK, maker.claim(two).Code)
	answer = maker.Send("/admin/withdrawals/together", url.Values{"case": {stale}, "code": {maker.Code(t)}})
	require.Equal(t, http.StatusConflict, answer.Code)
	require.Equal(t, withdrawal.Review, b.now(two.ID).State, "another version than the one shown")
	answer = maker.Send("/admin/withdrawals/together", url.Values{"case": {b.chosen(one)}})
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code, "without a code")

	status, body = send(maker, list...)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, body, "2 approved. 2 were not:")
	require.Contains(t, body, large.Number()+":")
	for _, w := range list {
		want := withdrawal.Review
		if w.ID == one.ID || w.ID == two.ID {
			want = withdrawal.Approved1
		}
		require.Equal(t, want, b.now(w.ID).State)
	}

	key := b.Passkey(t, checker.Person)
	status, _ = send(maker, one)
	require.Equal(t, http.StatusConflict, status, "never the same person twice")
	require.Equal(t, http.StatusOK, checker.claim(one).Code)
	require.Equal(t, http.StatusOK, checker.claim(two).Code)
	touch := func(page string, cases ...string) *httptest.ResponseRecorder {
		listed := html.UnescapeString(regexp.MustCompile(`name="listed" value="([^"]*)"`).FindStringSubmatch(page)[1])
		return checker.Send("/admin/withdrawals/together", url.Values{"listed": {listed}, "case": cases, "passkey": {desktest.Touch(t, key, page)}})
	}
	dialog = checker.Part("/admin/withdrawals/together").Body.String()
	refused := touch(dialog, b.chosen(one), b.chosen(large))
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code, "one that the dialog did not list")
	require.Contains(t, refused.Body.String(), "The passkey was not accepted.")
	done := touch(refused.Body.String(), b.chosen(one), b.chosen(two))
	require.Equal(t, http.StatusNoContent, done.Code, done.Body.String())
	require.Equal(t, "/admin/withdrawals?decided=2", done.Header().Get("HX-Redirect"))
	require.Equal(t, withdrawal.Queued, b.now(two.ID).State)
}

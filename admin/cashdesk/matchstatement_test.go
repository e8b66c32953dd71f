package cashdesk_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/deposit"
)

func (s seat) matchStatement(d deposit.Deposit, sender, day string) *httptest.ResponseRecorder {
	return s.Send(path(d, "statement"), url.Values{
		"version": {strconv.Itoa(s.b.now(d.ID).Version)}, "received": {"450.00"}, "bankReference": {"bank-" + d.Number()}, "sender": {sender}, "valueDate": {day},
	})
}

func TestWhatIsOnTheStatementAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, checker, auditor := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker), b.seat("Auditor 01", access.Auditor)
	today := b.Clock.Now().Format("2006-01-02")

	t.Run("IsFoundTakenUpAndCreditedByTwo", func(t *testing.T) {
		d := b.ask(b.trader("late@example.com"), 450)
		require.Contains(t, maker.Part(path(d)).Body.String(), "Match from statement…")
		require.Contains(t, maker.Part(path(d, "statement")).Body.String(), `name="valueDate"`)
		answer := maker.matchStatement(d, verifiedName, today)
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		require.Contains(t, answer.Body.String(), "is claimed for your review")
		require.Equal(t, deposit.InReview, b.now(d.ID).State)
		require.Contains(t, maker.Get("/admin/deposits").Body.String(), "Matched from statement")
		dialog := maker.Part(path(d, "approval")).Body.String()
		for _, want := range []string{`value="450"`, `value="BANK-` + d.Number() + `"`, `value="` + verifiedName + `"`, "The trader sent no proof, so two people must approve it."} {
			require.Contains(t, dialog, want)
		}
		require.Equal(t, http.StatusOK, maker.approve(d, b.now(d.ID).Version, "450.00", "bank-"+d.Number()).Code)
		require.Zero(t, b.cash(d.AccountID))
		require.Equal(t, http.StatusOK, checker.claim(d).Code)
		number := d.Number()
		require.Equal(t, http.StatusOK, checker.confirm(d, b.now(d.ID).Version, number[len(number)-4:]).Code)
		require.EqualValues(t, 450_000_000, b.cash(d.AccountID))
		require.Equal(t, []string{"confirm", "claim", "approve", "take_up", "request"}, b.actions(d.ID))
		require.Contains(t, maker.Part(path(d)).Body.String(), "matched it from the bank statement")
	})
	t.Run("IsChecked", func(t *testing.T) {
		d := b.ask(b.trader("checked@example.com"), 450)
		require.Contains(t, b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.matchStatement(d, "", today) }), `id="sender-error"`)
		for _, day := range []string{"", "soon", "2020-01-01"} {
			require.Contains(t, b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.matchStatement(d, verifiedName, day) }), `id="valueDate-error"`, day)
		}
	})
	t.Run("IsForMakers", func(*testing.T) {
		d := b.ask(b.trader("makers@example.com"), 450)
		for _, other := range []seat{checker, auditor} {
			b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return other.matchStatement(d, verifiedName, today) })
		}
	})
	t.Run("WithAProofItIsLookedAtAsEver", func(t *testing.T) {
		d := b.waiting(450)
		require.NotContains(t, maker.Part(path(d)).Body.String(), "Match from statement…")
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.matchStatement(d, verifiedName, today) })
	})
}

func TestWhoSentIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, auditor := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Auditor 01", access.Auditor)
	d := b.waiting(450)
	require.Equal(t, http.StatusOK, maker.claim(d).Code)
	form := maker.approval(b.now(d.ID).Version, "450.00", "bank-3001")
	form.Set("sender", "Somebody Else")
	answer := maker.Send(path(d, "approval"), form)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Contains(t, answer.Body.String(), "1 of 2", "another sender takes two people")
	require.Zero(t, b.cash(d.AccountID))
	body := maker.Part(path(d)).Body.String()
	for _, want := range []string{verifiedName, "Somebody Else", "Different from the trader"} {
		require.Contains(t, body, want)
	}
	body = auditor.Part(path(d)).Body.String()
	require.Contains(t, body, "Different from the trader")
	for _, whole := range []string{verifiedName, "Somebody Else"} {
		require.NotContains(t, body, whole, "who only looks reads masked names")
	}
	same := b.waiting(450)
	require.Equal(t, http.StatusOK, maker.claim(same).Code)
	require.Equal(t, http.StatusOK, maker.approve(same, b.now(same.ID).Version, "450.00", "bank-3002").Code)
	require.Contains(t, maker.Part(path(same)).Body.String(), "Same as the trader")
}

func TestACreditTakesAFreshCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, checker := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker)
	d := b.waiting(450)
	require.Equal(t, http.StatusOK, maker.claim(d).Code)
	form := maker.approval(b.now(d.ID).Version, "450.00", "bank-4001")
	for _, wrong := range []string{"", "000000"} {
		form.Set("code", wrong)
		body := b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.Send(path(d, "approval"), form) })
		require.Contains(t, body, `id="code-error"`)
	}
	form.Set("code", maker.Code(t))
	require.Equal(t, http.StatusOK, maker.Send(path(d, "approval"), form).Code)
	require.EqualValues(t, 450_000_000, b.cash(d.AccountID))

	next := b.waiting(450)
	require.Equal(t, http.StatusOK, maker.claim(next).Code)
	used := form.Get("code")
	form = maker.approval(b.now(next.ID).Version, "450.00", "bank-4002")
	_, err := b.DB.Pool.Exec(t.Context(), `UPDATE staff SET totp_step = $2 WHERE id = $1`, maker.Person.ID, b.Clock.Now().Unix()/30)
	require.NoError(t, err)
	form.Set("code", used)
	b.unchanged(next, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.Send(path(next, "approval"), form) })

	large := b.approved(maker)
	require.Equal(t, http.StatusOK, checker.claim(large).Code)
	reference := *large.BankReference
	b.unchanged(large, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder {
		return checker.Send(path(large, "confirmation"), url.Values{"version": {strconv.Itoa(b.now(large.ID).Version)}, "proof": {reference[len(reference)-4:]}})
	})
	require.Equal(t, http.StatusOK, checker.confirm(large, b.now(large.ID).Version, reference[len(reference)-4:]).Code)

	waiting := b.waitingCrypto(deposit.AMLReview, 50)
	b.unchanged(waiting, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.act(waiting, "credit", "code", "") })
	require.Equal(t, http.StatusOK, maker.act(waiting, "credit").Code)
	b.unchanged(waiting, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return checker.act(waiting, "agreement", "code", "") })
	require.Equal(t, http.StatusOK, checker.act(waiting, "agreement").Code)
}

func TestTheDialogFollowsWhatIsTyped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, checker := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker)
	d := b.waiting(750)
	reckon := func(by seat, received, sender string) *httptest.ResponseRecorder {
		return by.Send(path(d, "reckoning"), url.Values{"received": {received}, "sender": {sender}})
	}
	require.Equal(t, http.StatusConflict, reckon(maker, "700", "").Code, "not claimed")
	require.Equal(t, http.StatusOK, maker.claim(d).Code)
	require.Equal(t, http.StatusForbidden, reckon(checker, "700", "").Code)
	opened := maker.Part(path(d, "approval")).Body.String()
	for _, want := range []string{`id="decision-act"`, `id="decision-facts"`, `hx-params="received,sender"`, "You can approve up to"} {
		require.Contains(t, opened, want)
	}
	body := reckon(maker, "700", "").Body.String()
	for _, want := range []string{
		`<span data-label>Approve 700.00 USD</span>`, `hx-swap-oob="innerHTML:#decision-act"`, "700.00 USDT", `name="shown" value="700.000000"`, "The received amount differs from the announced amount.",
		"You approve first, then a second approver.",
	} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, body, "You can approve up to")
	require.NotContains(t, body, `name="received"`, "the fields stay as they are")
	body = reckon(maker, "750", "Somebody Else").Body.String()
	require.Contains(t, body, "The sender could not be confirmed as the trader.")
	require.Contains(t, body, "Approve 750.00 USD")
	for typed, button := range map[string]string{"750.00": "Approve 750.00 USD", "": ">Approve<"} {
		body = reckon(maker, typed, verifiedName).Body.String()
		require.Contains(t, body, button, typed)
		require.Contains(t, body, "You can approve up to", typed)
		require.Contains(t, body, "Same as the trader")
	}
	body = reckon(maker, "7x", verifiedName).Body.String()
	require.Contains(t, body, "Correct the amount", "the button names no amount that nobody typed")
	require.NotContains(t, body, "Approve 750.00 USD")
	require.Contains(t, reckon(maker, "1,750", verifiedName).Body.String(), "Approve 1,750.00 USD")
	require.Equal(t, deposit.InReview, b.now(d.ID).State)
}

package adjustdesk_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/approval"
)

func TestTwoPeopleAdjust(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := b.maker.Part(b.formPath())
	require.Equal(t, http.StatusOK, form.Code, form.Body.String())
	require.Contains(t, form.Body.String(), "Type USDT")
	a := b.ask("in", "25.50")
	require.EqualValues(t, 25_500_000, a.Amount)
	body := b.checker.Get("/admin/adjustments").Body.String()
	require.Contains(t, body, a.Number())
	require.Contains(t, body, "+25.50 USDT")
	dialog := b.checker.Part(path(a, "confirmation")).Body.String()
	for _, shown := range []string{"+25.50", "Missed credit", fmt.Sprint("Deposit DP-", b.account.TraderID), "The bank line was there", "Finance maker 02", "1,000.00 USDT", "1,025.50 USDT"} {
		require.Contains(t, dialog, shown)
	}
	answer := b.decide(b.checker, a, "confirmation")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Contains(t, answer.Body.String(), a.Number()+" posted: +25.50 USDT.")
	require.EqualValues(t, 1_025_500_000, b.cash())
	require.Equal(t, http.StatusConflict, b.decide(b.checker, a, "confirmation").Code, "once")

	out := b.ask("out", "1025.50")
	require.Equal(t, http.StatusOK, b.decide(b.checker, out, "confirmation").Code)
	require.Zero(t, b.cash())
	posted := b.checker.Get("/admin/adjustments?tab=applied").Body.String()
	require.Contains(t, posted, out.Number())
	require.Contains(t, posted, "−1,025.50 USDT")
	require.Contains(t, b.maker.Get(fmt.Sprint("/admin/adjustments/", out.ID)).Body.String(), "approved "+out.Number())
}

func TestWhatIsTypedMustAgree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for field, value := range map[string]string{
		"direction": "up", "amount": "25,50", "again": "25.51", "unit": "USD", "reason": "because", "case_kind": "rumour", "case_id": "DP-x", "note": "no",
	} {
		form := b.form("in", "25.50")
		form.Set(field, value)
		answer := b.maker.Send(b.formPath(), form)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, field)
		require.Contains(t, answer.Body.String(), `id="`+field+`-error"`)
		require.Contains(t, answer.Body.String(), `name="key" value="`+form.Get("key")+`"`, "the same form")
	}
	for _, amount := range []string{"0", "-5", "0.001", "1e3", ""} {
		require.Equal(t, http.StatusUnprocessableEntity, b.maker.Send(b.formPath(), b.form("in", amount)).Code, amount)
	}
	for amount, words := range map[string]string{"1000.01": "At most 1000 USDT can be debited", "50000.01": "At most 50000 USDT per adjustment"} {
		answer := b.maker.Send(b.formPath(), b.form("out", amount))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		require.Contains(t, answer.Body.String(), words)
	}
	form := b.form("in", "5")
	require.Equal(t, b.maker.Send(b.formPath(), form).Header().Get("HX-Redirect"), b.maker.Send(b.formPath(), form).Header().Get("HX-Redirect"), "sent twice, asked once")
	require.Equal(t, http.StatusNotFound, b.maker.Part("/admin/traders/1/adjustment").Code)
	require.Equal(t, http.StatusSeeOther, b.maker.Get(b.formPath()).Code, "without the script the trader's funds are shown")
}

func TestAboveTheLimitTheLeadIsNext(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "6000")
	require.Contains(t, b.checker.Get(fmt.Sprint("/admin/adjustments/", a.ID)).Body.String(), "3 approvals")
	require.Equal(t, http.StatusForbidden, b.decide(b.led, a, "confirmation").Code)
	require.Contains(t, b.decide(b.checker, a, "confirmation").Body.String(), "2 of 3. The finance lead is next.")
	require.Equal(t, approval.Confirmed, b.now(a.ID).State)
	require.Equal(t, http.StatusForbidden, b.decide(b.checker, a, "third-confirmation").Code)
	require.EqualValues(t, 1_000*usdt, b.cash())
	require.Equal(t, http.StatusOK, b.led.Part(path(a, "third-confirmation")).Code)
	require.Equal(t, http.StatusOK, b.decide(b.led, a, "third-confirmation").Code)
	require.EqualValues(t, 7_000*usdt, b.cash())
}

// TestARaisedLimitSavesNobody: a request that was made for three people takes three, and its page says so.
func TestARaisedLimitSavesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "6000")
	_, err := b.DB.Pool.Exec(t.Context(), `INSERT INTO switches (key, value) VALUES ('adjustment.lead_above', '10000')`)
	require.NoError(t, err)
	require.NoError(t, b.values.Reload(t.Context()))
	require.Contains(t, b.checker.Get(fmt.Sprint("/admin/adjustments/", a.ID)).Body.String(), "3 approvals")
	require.Equal(t, http.StatusOK, b.decide(b.checker, a, "confirmation").Code)
	require.Equal(t, approval.Confirmed, b.now(a.ID).State)
}

func TestNobodyDecidesAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	both := b.seat("Both 01", access.FinanceMaker, access.FinanceChecker, access.FinanceLead) // no grant allows it; the desk must still refuse
	answer := both.Send(b.formPath(), b.form("in", "6000"))
	var id int64
	_, err := fmt.Sscanf(answer.Header().Get("HX-Redirect"), "/admin/adjustments/%d", &id)
	require.NoError(t, err)
	own := b.now(id)
	for _, noun := range []string{"confirmation", "refusal"} {
		refused := b.decide(both, own, noun)
		require.Equal(t, http.StatusForbidden, refused.Code)
		require.Contains(t, refused.Body.String(), "You already took part in this")
	}
	require.Equal(t, http.StatusOK, b.decide(b.checker, own, "confirmation").Code)
	require.Equal(t, http.StatusForbidden, b.decide(both, own, "third-confirmation").Code)
	require.Equal(t, http.StatusForbidden, b.decide(b.maker, own, "withdrawal").Code, "another maker's")
	require.Equal(t, approval.Confirmed, b.now(id).State)
	require.EqualValues(t, 1_000*usdt, b.cash())
}

func TestItIsRefusedOrTakenBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "5")
	short := b.checker.Send(path(a, "refusal"), url.Values{"version": {"1"}, "note": {"no"}})
	require.Equal(t, http.StatusUnprocessableEntity, short.Code)
	require.Contains(t, short.Body.String(), `id="note-error"`)
	require.Equal(t, http.StatusOK, b.decide(b.checker, a, "refusal").Code)
	require.Contains(t, b.maker.Get(fmt.Sprint("/admin/adjustments/", a.ID)).Body.String(), "Not this one")
	require.Equal(t, http.StatusConflict, b.checker.Part(path(a, "confirmation")).Code)
	second := b.ask("in", "5")
	require.Equal(t, http.StatusOK, b.maker.Part(path(second, "withdrawal")).Code)
	require.Equal(t, http.StatusOK, b.decide(b.maker, second, "withdrawal").Code)
	require.Equal(t, approval.Withdrawn, b.now(second.ID).State)
	require.EqualValues(t, 1_000*usdt, b.cash())
}

func TestOnlyWhatWasShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "5")
	for _, facts := range []string{"", "zz", "00"} {
		answer := b.checker.Send(path(a, "confirmation"), url.Values{"version": {"1"}, "facts": {facts}})
		require.Equal(t, http.StatusConflict, answer.Code)
	}
	form := url.Values{"version": {strconv.Itoa(a.Version + 1)}, "facts": {hex.EncodeToString(a.Facts)}}
	require.Equal(t, http.StatusConflict, b.checker.Send(path(a, "confirmation"), form).Code)
	require.Equal(t, http.StatusUnprocessableEntity, b.checker.Send(path(a, "confirmation"), nil).Code, "no version")
	require.EqualValues(t, 1_000*usdt, b.cash())
}

func TestTheQueueIsFilteredByTheAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "5")
	page := func(query string) string { return b.checker.Get("/admin/adjustments" + query).Body.String() }
	require.Contains(t, page(fmt.Sprint("?trader=", a.TraderID, "&reason=missed_credit")), a.Number())
	require.NotContains(t, page("?trader=1"), a.Number())
	require.NotContains(t, page("?reason=goodwill"), a.Number())
	require.NotContains(t, page("?tab=refused"), a.Number())
	require.Contains(t, page("?tab=asked&reason=x&trader=y&after=z"), a.Number(), "words that make no sense narrow nothing")
	require.NotContains(t, page(fmt.Sprint("?after=0.", a.ID)), a.Number())
	require.Equal(t, http.StatusOK, b.checker.Part("/admin/adjustments/filter").Code)
}

func TestWhoOnlyLooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "5")
	looker := b.seat("Auditor 01", access.Auditor)
	require.Contains(t, looker.Get(fmt.Sprint("/admin/adjustments/", a.ID)).Body.String(), "Only a finance checker can approve this.")
	for _, noun := range []string{"confirmation", "third-confirmation", "refusal", "withdrawal"} {
		require.Equal(t, http.StatusForbidden, b.decide(looker, a, noun).Code, noun)
	}
	require.Equal(t, http.StatusForbidden, looker.Send(b.formPath(), b.form("in", "5")).Code)
	require.Equal(t, http.StatusForbidden, b.checker.Send(b.formPath(), b.form("in", "5")).Code, "a checker does not ask")
	for _, role := range []access.Role{access.SuperAdmin, access.SupportLead, access.ConfigAdmin, access.ComplianceLead} {
		require.Equal(t, http.StatusForbidden, b.seat("Other", role).Get("/admin/adjustments").Code, role)
	}
	require.Equal(t, http.StatusNotFound, b.checker.Get("/admin/adjustments/1").Code)
}

func TestAConfirmationTakesAFreshCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "6000")
	send := func(who *desktest.Browser, noun, code string) *httptest.ResponseRecorder {
		now := b.now(a.ID)
		return who.Send(path(a, noun), url.Values{"version": {strconv.Itoa(now.Version)}, "facts": {hex.EncodeToString(now.Facts)}, "code": {code}})
	}
	require.Contains(t, b.checker.Part(path(a, "confirmation")).Body.String(), "Authenticator code")
	require.NotContains(t, b.checker.Part(path(a, "refusal")).Body.String(), "Authenticator code", "a refusal moves nothing")
	for _, wrong := range []string{"", "000000", "abc"} {
		answer := send(b.checker, "confirmation", wrong)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, answer.Body.String())
		require.Contains(t, answer.Body.String(), `id="code-error"`)
	}
	require.Equal(t, approval.Requested, b.now(a.ID).State)

	code := b.checker.Code(t)
	stale := b.checker.Send(path(a, "confirmation"), url.Values{"version": {"7"}, "facts": {hex.EncodeToString(a.Facts)}, "code": {code}})
	require.Equal(t, http.StatusConflict, stale.Code, "what is refused anyway uses no code up")
	require.Equal(t, http.StatusOK, send(b.checker, "confirmation", code).Code)
	require.Equal(t, approval.Confirmed, b.now(a.ID).State)

	require.Equal(t, http.StatusUnprocessableEntity, send(b.led, "third-confirmation", "").Code)
	require.EqualValues(t, 1_000*usdt, b.cash(), "no money moved")
	require.Equal(t, http.StatusOK, send(b.led, "third-confirmation", b.led.Code(t)).Code)
	require.EqualValues(t, 7_000*usdt, b.cash())

	second := b.ask("in", "5")
	a = second
	require.Equal(t, http.StatusUnprocessableEntity, send(b.checker, "confirmation", code).Code, "a code works once")
	require.Equal(t, approval.Requested, b.now(second.ID).State)
}

// TestTheDeskSaysWhoHasAConflict: an adjustment is locked, with the reason, for the member who verified the trader; for others it is open.
func TestTheDeskSaysWhoHasAConflict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "25")
	verified, other := b.seat("Finance checker 07", access.FinanceChecker), b.seat("Finance checker 08", access.FinanceChecker)
	_, err := b.DB.Pool.Exec(t.Context(), `SELECT take_duty($1, $2, 'person')`, verified.Person.ID, a.TraderID)
	require.NoError(t, err)
	page := fmt.Sprint("/admin/adjustments/", a.ID)
	require.Contains(t, verified.Get(page).Body.String(), "You verified this trader")
	require.NotContains(t, other.Get(page).Body.String(), "You verified this trader")
	require.Equal(t, http.StatusForbidden, b.decide(verified, a, "confirmation").Code)
	require.Equal(t, http.StatusOK, b.decide(other, a, "confirmation").Code)
}

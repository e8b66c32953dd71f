package cashdesk_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/deposit"
	"candor/app/platform/money"
	"candor/app/staff"
)

func TestOneCodeForSmallDecisions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Frame.SmallStep = func() staff.SmallStep { return staff.SmallStep{Amount: 500 * money.Unit, Decisions: 1} }
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	claimed := func(amount int64) (deposit.Deposit, string) {
		d := b.waiting(amount)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		return b.now(d.ID), maker.Part(path(d, "approval")).Body.String()
	}
	approve := func(d deposit.Deposit, received, reference, code string) int {
		form := maker.approval(d.Version, received, reference)
		form.Set("code", code)
		return maker.Send(path(d, "approval"), form).Code
	}

	first, dialog := claimed(450)
	require.Contains(t, dialog, `name="code"`)
	require.Contains(t, dialog, "This also covers your next decision up to 500.00 USDT, for 5 minutes.")
	require.Equal(t, http.StatusUnprocessableEntity, approve(first, "450", "SP-1001", ""))
	require.Equal(t, http.StatusOK, approve(first, "450", "SP-1001", maker.Code(t)))

	large, dialog := claimed(600)
	require.Contains(t, dialog, `name="code"`, "no code covers a large one")
	require.NotContains(t, dialog, "also covers")
	require.Equal(t, http.StatusUnprocessableEntity, approve(large, "600", "SP-1002", ""))

	small, dialog := claimed(450)
	require.NotContains(t, dialog, `name="code"`)
	require.Contains(t, dialog, "Not needed: your last confirmation covers this until")
	require.Equal(t, http.StatusUnprocessableEntity, approve(small, "600", "SP-1003", ""), "the bank received a large amount")
	require.Equal(t, http.StatusOK, approve(small, "450", "SP-1003", ""))

	last, dialog := claimed(450)
	require.Contains(t, dialog, `name="code"`, "the cover is used up")
	require.Equal(t, http.StatusUnprocessableEntity, approve(last, "450", "SP-1004", ""))
}

// TestOneTouchForSmallDecisions: a passkey confirms the deposit that its dialog was about, and covers small ones as a code does.
func TestOneTouchForSmallDecisions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Frame.SmallStep = func() staff.SmallStep { return staff.SmallStep{Amount: 500 * money.Unit, Decisions: 1} }
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	key := b.Passkey(t, maker.Person)
	claimed := func() (deposit.Deposit, string) {
		d := b.waiting(450)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		return b.now(d.ID), maker.Part(path(d, "approval")).Body.String()
	}
	approve := func(d deposit.Deposit, reference, answer string) *httptest.ResponseRecorder {
		form := maker.approval(d.Version, "450", reference)
		form.Del("code")
		form.Set("passkey", answer)
		return maker.Send(path(d, "approval"), form)
	}
	first, dialog := claimed()
	other, elsewhere := claimed()
	require.Contains(t, dialog, "Use passkey")
	require.Contains(t, dialog, `name="code"`, "the code works beside it")
	refused := approve(first, "SP-1001", desktest.Touch(t, key, elsewhere))
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code, "a touch for another deposit")
	require.Contains(t, refused.Body.String(), "The passkey was not accepted.")
	require.Contains(t, refused.Body.String(), `value="SP-1001"`, "what was typed stays")
	require.Equal(t, first.State, b.now(first.ID).State)
	require.Equal(t, http.StatusOK, maker.Get("/admin/deposits").Code, "and nobody is signed out")
	answer := desktest.Touch(t, key, refused.Body.String())
	require.Equal(t, http.StatusOK, approve(first, "SP-1001", answer).Code)
	require.Equal(t, http.StatusUnprocessableEntity, approve(other, "SP-1002", answer).Code, "an answer counts once")
	require.Contains(t, maker.Part(path(other, "approval")).Body.String(), "your last confirmation covers this until")
	form := maker.approval(other.Version, "450", "SP-1002")
	form.Del("code")
	require.Equal(t, http.StatusOK, maker.Send(path(other, "approval"), form).Code)
}

package cashdesk_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
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
	require.Contains(t, dialog, "Also covers your next decision up to 500.00 USDT, for 5 minutes.")
	require.Equal(t, http.StatusUnprocessableEntity, approve(first, "450", "SP-1001", ""))
	require.Equal(t, http.StatusOK, approve(first, "450", "SP-1001", maker.Code(t)))

	large, dialog := claimed(600)
	require.Contains(t, dialog, `name="code"`, "no code covers a large one")
	require.NotContains(t, dialog, "Also covers")
	require.Equal(t, http.StatusUnprocessableEntity, approve(large, "600", "SP-1002", ""))

	small, dialog := claimed(450)
	require.NotContains(t, dialog, `name="code"`)
	require.Contains(t, dialog, "Not needed: your last code covers this until")
	require.Equal(t, http.StatusUnprocessableEntity, approve(small, "600", "SP-1003", ""), "the bank received a large amount")
	require.Equal(t, http.StatusOK, approve(small, "450", "SP-1003", ""))

	last, dialog := claimed(450)
	require.Contains(t, dialog, `name="code"`, "the cover is used up")
	require.Equal(t, http.StatusUnprocessableEntity, approve(last, "450", "SP-1004", ""))
}

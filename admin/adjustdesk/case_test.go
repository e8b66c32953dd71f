package adjustdesk_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/task"
)

// TestTheCaseIsOfTheSameTrader refuses another trader's case with its reason, and keeps what was entered.
func TestTheCaseIsOfTheSameTrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.trader("other@example.com", 5)
	for id, words := range map[int64]string{other.TraderID: "This case belongs to another trader. Nothing was requested.", noCase: "There is no such case."} {
		form := b.form("in", "5")
		form.Set("case_id", fmt.Sprint(id))
		answer := b.maker.Send(b.formPath(), form)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		require.Contains(t, answer.Body.String(), words)
		require.Contains(t, answer.Body.String(), `id="case_id-error"`)
		require.Contains(t, answer.Body.String(), fmt.Sprintf(`value="%d"`, id), "what was entered is kept")
	}
	form := b.form("in", "5")
	form.Set("case_kind", "withdrawal") // the number of a deposit
	require.Equal(t, http.StatusUnprocessableEntity, b.maker.Send(b.formPath(), form).Code)
	require.NotContains(t, b.checker.Get("/admin/adjustments").Body.String(), "AD-")
}

// TestTheCaseIsALink links the case in the list and on its page, for members who may open it.
func TestTheCaseIsALink(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.account.TraderID
	ask := func(kind adjustment.CaseKind, id int64) adjustment.Adjustment {
		form := b.form("in", "5")
		form.Set("case_kind", string(kind))
		form.Set("case_id", fmt.Sprint(id))
		return b.asked(form)
	}
	shown := func(who *desktest.Browser, a adjustment.Adjustment, name, href string, links bool) {
		t.Helper()
		for _, page := range []string{"/admin/adjustments", fmt.Sprint("/admin/adjustments/", a.ID)} {
			body := who.Get(page).Body.String()
			require.Contains(t, body, name)
			require.Equal(t, links, strings.Contains(body, `href="`+href+`"`), "%s of %s", href, page)
		}
	}
	deposit, conversation, order := ask(adjustment.Deposit, trader), ask(adjustment.Conversation, trader), ask(adjustment.Order, trader)
	shown(b.checker, deposit, fmt.Sprint("Deposit DP-", trader), fmt.Sprint("/admin/deposits/", trader), true)
	shown(b.checker, order, fmt.Sprint("Order ", trader), fmt.Sprintf("/admin/traders/%d/order/%d", trader, trader), true)
	shown(b.checker, conversation, fmt.Sprint("Conversation ", trader), fmt.Sprint("/admin/chat/", trader), false)
	shown(b.seat("Auditor 01", access.Auditor), conversation, fmt.Sprint("Conversation ", trader), fmt.Sprint("/admin/chat/", trader), true)

	made, err := b.tasks.Ask(t.Context(), audit.Actor{Kind: audit.Staff, ID: b.maker.Person.ID, Name: b.maker.Person.Name, Roles: string(access.FinanceMaker)}, task.Request{
		Title: "Look at the bank line", Subject: task.Subject{SubjectKind: task.Trader, SubjectID: trader, TraderID: &trader}, Team: task.Support, Priority: task.Normal,
		DueAt: b.Clock.Now().Add(time.Hour), Key: "a-key-of-the-form-01",
	})
	require.NoError(t, err)
	about := ask(adjustment.Task, made.ID)
	shown(b.maker, about, "Task "+made.Number(), fmt.Sprint("/admin/tasks/", made.ID), true)
	shown(b.checker, about, "Task "+made.Number(), fmt.Sprint("/admin/tasks/", made.ID), false)
}

package chatdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/support"
)

const macrosPath = "/admin/chat/macros"

// macroForm is a macro that says goodbye.
func macroForm() url.Values {
	return url.Values{"name": {"Goodbye"}, "key": {"1"}, "reply": {"bye"}, "priority": {"high"}, "label": {"account", "deposit"}, "ending": {"resolve"}, "version": {"0"}}
}

func (b *bundle) oneMacro() support.Macro {
	b.Helper()
	list, err := b.chat.Macros(b.Context())
	require.NoError(b, err)
	require.Len(b, list, 1)
	return list[0]
}

// goodbye is a desk with a prepared answer and the macro of macroForm.
func (b *bundle) goodbye() support.Macro {
	b.Helper()
	for language, body := range map[string]string{"en": "Bye from {{agent}}", "zh_CN": "再见"} {
		require.NoError(b, b.chat.SaveReply(b.Context(), actor(b.lead), support.Reply{Slug: "bye", Language: language, Category: "account", Body: body}))
	}
	require.Equal(b, http.StatusOK, b.lead.Send(macrosPath, macroForm()).Code)
	return b.oneMacro()
}

func TestMacrosAreSetByTheLead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.goodbye()
	require.Equal(t, []any{"Goodbye", 1, "bye", support.High, "deposit,account", support.EndResolve}, []any{m.Name, *m.Key, m.Reply, *m.Priority, m.Labels, m.Ending})
	for field, value := range map[string]string{
		"name": "", "key": "x", "reply": "nothing", "priority": "dire", "label": "gossip", "ending": "explode",
	} {
		form := macroForm()
		form.Set("name", "Another")
		form.Set("key", "2")
		form.Set(field, value)
		answer := b.lead.Send(macrosPath, form)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, field)
	}
	for _, ending := range []string{"snooze.never", "transfer", "transfer.x", "transfer.-1", "transfer.99999999"} {
		form := macroForm()
		form.Set("name", "Another")
		form.Set("key", "2")
		form.Set("ending", ending)
		require.Equal(t, http.StatusUnprocessableEntity, b.lead.Send(macrosPath, form).Code, ending)
	}
	twice := b.lead.Send(macrosPath, macroForm())
	require.Equal(t, http.StatusUnprocessableEntity, twice.Code)
	require.Contains(t, twice.Body.String(), "no other macro has")
	address := fmt.Sprint(macrosPath, "/", m.ID)
	require.Contains(t, b.lead.Part(address).Body.String(), `value="Goodbye"`)

	form := macroForm()
	form.Set("version", strconv.Itoa(m.Version))
	form.Set("ending", fmt.Sprint("transfer.", b.lee.Person.ID))
	form.Del("label")
	form.Set("priority", "")
	require.Equal(t, http.StatusOK, b.lead.Send(address, form).Code)
	m = b.oneMacro()
	require.Equal(t, []any{"", (*support.Priority)(nil), b.lee.Person.ID}, []any{m.Labels, m.Priority, *m.TransferTo})
	require.Equal(t, http.StatusConflict, b.lead.Send(address, form).Code, "on a page of before")
	page := b.kim.Get(macrosPath).Body.String()
	require.Contains(t, page, "Send /bye → Transfer to Lee Lang")
	require.NotContains(t, page, "Add macro", "agents read them")
	require.Equal(t, http.StatusForbidden, b.kim.Send(address, form).Code)
	require.Equal(t, http.StatusOK, b.lead.Part(address+"/removal").Code)
	require.Equal(t, http.StatusOK, b.lead.Send(address+"/removal", url.Values{"version": {strconv.Itoa(m.Version)}}).Code)
	require.Zero(t, b.count(`SELECT count(*) FROM chat_macros WHERE removed_at IS NULL`))
	require.Equal(t, http.StatusNotFound, b.lead.Part(address).Code)
}

func TestAnAgentRunsAMacro(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.goodbye()
	c := b.claimed(b.kim, b.ann)
	dialog := b.kim.Part(path(c.ID, "macros")).Body.String()
	require.Contains(t, dialog, "Bye from Kim Keller", "what would be sent")
	require.Contains(t, dialog, `data-digit="1"`)
	form := url.Values{"macro": {fmt.Sprint(m.ID, ".", m.Version)}, "version": version(c), "seen": {fmt.Sprint(c.LastMessageID)}}
	for name, value := range map[string]string{"macro": "77.1", "version": strconv.Itoa(c.Version - 1), "seen": "x"} {
		wrong := url.Values{"macro": form["macro"], "version": form["version"], "seen": form["seen"]}
		wrong.Set(name, value)
		require.GreaterOrEqual(t, b.kim.Send(path(c.ID, "macros"), wrong).Code, 400, name)
	}
	require.Equal(t, http.StatusConflict, b.lee.Send(path(c.ID, "macros"), form).Code, "it is kim's")
	require.Equal(t, http.StatusForbidden, b.seat("Auditor 01", access.Auditor).Send(path(c.ID, "macros"), form).Code)
	require.Equal(t, support.Open, b.now(c.ID).State)
	answer := b.kim.Send(path(c.ID, "macros"), form)
	require.Equal(t, http.StatusOK, answer.Code)
	require.Contains(t, answer.Body.String(), "you ran “Goodbye”")
	c = b.now(c.ID)
	require.Equal(t, []any{support.Resolved, support.High, "deposit,account"}, []any{c.State, c.Priority, c.Labels})
	require.Contains(t, b.whole(c.ID), "Bye from Kim Keller")
}

// TestAKeyRunsAMacro: in the trader's language, and nothing where no macro has the key.
func TestAKeyRunsAMacro(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.goodbye()
	bao := b.trader("Bao")
	bao.Language = "zh_CN"
	c := b.claimed(b.kim, bao)
	require.Contains(t, b.kim.Get(path(c.ID)).Body.String(), fmt.Sprintf(`data-version="%d"`, c.Version))
	form := url.Values{"key": {"2"}, "version": version(c), "seen": {fmt.Sprint(c.LastMessageID)}}
	require.Equal(t, http.StatusUnprocessableEntity, b.kim.Send(path(c.ID, "macros"), form).Code)
	form.Set("key", "1")
	require.Equal(t, http.StatusOK, b.kim.Send(path(c.ID, "macros"), form).Code)
	require.Contains(t, b.whole(c.ID), "再见")
	require.Equal(t, http.StatusConflict, b.kim.Send(path(c.ID, "macros"), form).Code, "once")
}

// TestAMacroWithoutItsAnswerDoesNothing: the dialog says why, and so does a run.
func TestAMacroWithoutItsAnswerDoesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.goodbye()
	c := b.claimed(b.kim, b.ann)
	form := url.Values{"macro": {fmt.Sprint(m.ID, ".", m.Version)}, "version": version(c), "seen": {fmt.Sprint(c.LastMessageID)}}
	b.exec(`UPDATE chat_replies SET body = 'Your {{withdrawal.number}}'`)
	require.Contains(t, b.kim.Part(path(c.ID, "macros")).Body.String(), "has no value for this trader")
	require.Equal(t, http.StatusUnprocessableEntity, b.kim.Send(path(c.ID, "macros"), form).Code)
	b.exec(`UPDATE chat_replies SET removed_at = now()`)
	require.Contains(t, b.kim.Part(path(c.ID, "macros")).Body.String(), "exists neither")
	require.Equal(t, http.StatusUnprocessableEntity, b.kim.Send(path(c.ID, "macros"), form).Code)
	require.Equal(t, []any{support.Open, support.Normal}, []any{b.now(c.ID).State, b.now(c.ID).Priority})
}

// TestAnAmountIsKeptFromAnAgent: the refusal says that the role is the reason, to the agent alone.
func TestAnAmountIsKeptFromAnAgent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.chat.SaveReply(t.Context(), actor(b.lead), support.Reply{Slug: "bye", Language: "en", Category: "account", Body: "You get {{withdrawal.amount}}"}))
	require.Equal(t, http.StatusOK, b.lead.Send(macrosPath, macroForm()).Code)
	c := b.claimed(b.kim, b.ann)
	form := url.Values{"key": {"1"}, "version": version(c), "seen": {fmt.Sprint(c.LastMessageID)}}
	answer := b.kim.Send(path(c.ID, "macros"), form)
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.Contains(t, answer.Body.String(), "an amount, which your role can’t see")
	require.Contains(t, b.kim.Part(path(c.ID, "macros")).Body.String(), "an amount, which your role can’t see")
	require.NotContains(t, b.whole(c.ID), "You get")
}

package chatdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/score"
)

const flagsPath = "/admin/chat/flags"

func flagForm() url.Values {
	return url.Values{"reason": {"threats"}, "note": {"Said: I know where you live."}}
}

// appealed is a flag of kim's that Ann has appealed against.
func (b *bundle) appealed() score.Flag {
	b.Helper()
	c := b.claimed(b.kim, b.ann)
	require.Equal(b, http.StatusOK, b.kim.Send(path(c.ID, "flag"), flagForm()).Code)
	list, err := b.scores.Flags(b.Context(), b.ann.TraderID)
	require.NoError(b, err)
	require.Len(b, list, 1)
	require.NoError(b, b.scores.Appeal(b.Context(), audit.Actor{Kind: audit.Trader, ID: b.ann.TraderID}, list[0].ID, "That was <b>a joke</b> among friends."))
	return list[0]
}

func TestAnAgentFlagsConduct(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	page := b.kim.Get(path(c.ID)).Body.String()
	require.Contains(t, page, `id="chat-flag"`)
	require.NotContains(t, b.lee.Get(path(c.ID)).Body.String(), `id="chat-flag"`, "it is kim's")
	dialog := b.kim.Part(path(c.ID, "flag")).Body.String()
	require.Contains(t, dialog, "may appeal")
	require.Contains(t, dialog, `value="false_evidence"`)

	for field, value := range map[string]string{"reason": "rude", "note": "short"} {
		form := flagForm()
		form.Set(field, value)
		answer := b.kim.Send(path(c.ID, "flag"), form)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, field)
	}
	require.Equal(t, http.StatusForbidden, b.lee.Send(path(c.ID, "flag"), flagForm()).Code, "it is kim's")
	require.Equal(t, http.StatusForbidden, b.seat("Auditor 01", access.Auditor).Send(path(c.ID, "flag"), flagForm()).Code)
	require.Zero(t, b.count(`SELECT count(*) FROM conduct_flags`))

	answer := b.kim.Send(path(c.ID, "flag"), flagForm())
	require.Equal(t, http.StatusOK, answer.Code)
	require.Contains(t, answer.Body.String(), "The trader was told")
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM conduct_flags WHERE trader_id = $1 AND made_by = $2 AND reason = 'threats'`, b.ann.TraderID, b.kim.Person.ID))
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'conduct.flag' AND actor_id = $1`, b.kim.Person.ID))
	require.Equal(t, http.StatusConflict, b.kim.Send(path(c.ID, "flag"), flagForm()).Code, "once a day")
}

func TestALeadDecidesAnAppeal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Contains(t, b.lead.Get(flagsPath).Body.String(), "No appeals.")
	f := b.appealed()
	address := fmt.Sprint(flagsPath, "/", f.ID)
	for _, who := range []access.Role{access.SupportAgent, access.Auditor, access.ComplianceLead} {
		other := b.seat("Other "+string(who), who)
		require.Equal(t, http.StatusForbidden, other.Get(flagsPath).Code, who)
		require.Equal(t, http.StatusForbidden, other.Send(address, url.Values{"outcome": {"removed"}}).Code, who)
	}
	require.NotContains(t, b.kim.Get("/admin/chat/answers").Body.String(), flagsPath)
	require.Contains(t, b.lead.Get("/admin/chat/answers").Body.String(), flagsPath)
	page := b.lead.Get(flagsPath).Body.String()
	require.Contains(t, page, "Kim Keller")
	require.Contains(t, page, address, "the button")
	dialog := b.lead.Part(address).Body.String()
	require.Contains(t, dialog, "That was &lt;b&gt;a joke&lt;/b&gt; among friends.")
	require.Contains(t, dialog, "I know where you live")
	require.Contains(t, dialog, path(f.ConversationID))

	require.Equal(t, http.StatusUnprocessableEntity, b.lead.Send(address, url.Values{"outcome": {""}}).Code)
	require.Equal(t, http.StatusNotFound, b.lead.Part(flagsPath+"/4711").Code)
	answer := b.lead.Send(address, url.Values{"outcome": {"removed"}})
	require.Equal(t, http.StatusOK, answer.Code)
	require.Contains(t, answer.Body.String(), "Flag removed. The trader was told.")
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM conduct_flags WHERE outcome = 'removed' AND decided_by = $1`, b.lead.Person.ID))
	require.Equal(t, http.StatusConflict, b.lead.Send(address, url.Values{"outcome": {"upheld"}}).Code, "once")
	require.Equal(t, http.StatusConflict, b.lead.Part(address).Code)
	require.Contains(t, b.lead.Get(flagsPath).Body.String(), "Lena Lead", "who decided")
}

// TestALeadDoesNotDecideTheOwnFlag: the page says so, and the request is refused.
func TestALeadDoesNotDecideTheOwnFlag(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.kim = b.lead
	f := b.appealed()
	page := b.lead.Get(flagsPath).Body.String()
	require.Contains(t, page, "Another person decides")
	require.NotContains(t, page, fmt.Sprint(flagsPath, "/", f.ID))
	require.Equal(t, http.StatusForbidden, b.lead.Send(fmt.Sprint(flagsPath, "/", f.ID), url.Values{"outcome": {"upheld"}}).Code)
	require.Zero(t, b.count(`SELECT count(*) FROM conduct_flags WHERE outcome IS NOT NULL`))
}

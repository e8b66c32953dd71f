package tradedesk_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/trader"
)

// TestTagsOfATrader puts tags on and takes them off by what the form showed, and filters the list by one.
func TestTagsOfATrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena := b.register("marta@example.com", "", 0), b.register("lena@example.com", "", 0)
	lead := b.Hire(t, "Support lead 01", access.SupportLead)
	listed := func(name string) trader.Tag {
		tag, err := b.traders.MakeTag(t.Context(), audit.Actor{Kind: audit.Staff, ID: lead.ID, Name: lead.Name}, trader.TagDraft{Name: name, Colour: trader.TagGreen})
		require.NoError(t, err)
		return tag
	}
	agent := b.agent()
	require.Contains(t, agent.Part(path(marta, "tags")).Body.String(), "There are no tags yet")
	vip, calm := listed("Key client"), listed("Calm")
	set := func(was, ticked []trader.Tag) {
		t.Helper()
		form := url.Values{}
		for _, tag := range was {
			form.Add("was", number(tag.ID))
		}
		for _, tag := range ticked {
			form.Add("tag", number(tag.ID))
		}
		answer := agent.Send(path(marta, "tags"), form)
		require.Equal(t, http.StatusNoContent, answer.Code, answer.Body.String())
	}
	set(nil, []trader.Tag{vip})
	set(nil, []trader.Tag{calm}) // the form was opened before the first one
	page := b.page(agent, path(marta))
	for _, want := range []string{"Key client", "Calm", "mark-green", "put the tag Calm on"} {
		require.Contains(t, page, want)
	}
	form := agent.Part(path(marta, "tags")).Body.String()
	require.Contains(t, form, `name="was" value="`+number(vip.ID)+`"`)
	set([]trader.Tag{vip, calm}, []trader.Tag{vip})
	require.Contains(t, b.page(agent, path(marta)), "took the tag Calm off")

	list := func(tag trader.Tag) string { return b.page(agent, "/admin/traders?tag="+number(tag.ID)) }
	require.Contains(t, list(vip), number(marta.TraderID))
	require.NotContains(t, list(vip), number(lena.TraderID))
	require.NotContains(t, list(calm), number(marta.TraderID))
	require.Contains(t, text(list(vip)), "Tag Key client", "the filter is named")
	rows := b.file(b.auditor(), "/admin/traders/file?tag="+number(vip.ID))
	require.Len(t, rows, 2)
	require.Equal(t, "Key client", rows[1][len(rows[1])-1])
}

// TestWhoMayTag keeps others from tags, and guests from having any.
func TestWhoMayTag(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, guest := b.register("marta@example.com", "", 0), b.guest()
	for _, role := range []access.Role{access.Auditor, access.ContentEditor, access.ConfigAdmin} {
		who := b.SignIn(t, role)
		require.Equal(t, http.StatusForbidden, who.Send(path(marta, "tags"), url.Values{"tag": {"1"}}).Code, role)
		require.NotContains(t, who.Get(path(marta)).Body.String(), `hx-get="`+path(marta, "tags")+`"`, role)
	}
	agent := b.agent()
	require.NotContains(t, b.page(agent, path(guest)), path(guest, "tags"))
	require.NotEqual(t, http.StatusNoContent, agent.Send(path(guest, "tags"), url.Values{"tag": {"1"}}).Code)
	require.Equal(t, http.StatusNotFound, agent.Send(path(marta, "tags"), url.Values{"tag": {strconv.Itoa(999)}}).Code)
}

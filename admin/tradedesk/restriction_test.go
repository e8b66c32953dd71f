package tradedesk_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/session"
	"candor/app/trader"
)

// newest is the id of a trader's newest restriction.
func newest(b *bundle, who someone) string {
	b.Helper()
	list, err := b.traders.RestrictionHistory(b.Context(), who.TraderID, 1)
	require.NoError(b, err)
	require.Len(b, list, 1)
	return strconv.FormatInt(list[0].ID, 10)
}

// activeRestrictions are the kinds of a trader's current restrictions.
func activeRestrictions(b *bundle, who someone) (kinds []trader.RestrictionKind) {
	b.Helper()
	list, err := b.traders.Restrictions(b.Context(), who.TraderID)
	require.NoError(b, err)
	for _, r := range list {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}

func (b *bundle) hired(role access.Role, name string) *desktest.Browser {
	b.Helper()
	return b.SignInAs(b.T, b.Hire(b.T, name, role))
}

func orders(hours string) url.Values {
	return url.Values{"kind": {"trade"}, "reason": {"payment_dispute"}, "life": {hours}, "note": {"Case 4711"}}
}

func TestRestricting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta := b.register("marta@example.com", "", 0)
	risk, lead := b.hired(access.Risk, "Risk 01"), b.hired(access.FinanceLead, "Finance lead 01")

	t.Run("OneSetsItAndAnotherLiftsIt", func(t *testing.T) {
		body := risk.Get(path(marta)).Body.String()
		require.Contains(t, body, `hx-get="`+path(marta, "restriction")+`"`)
		require.NotContains(t, body, "In force")
		body = risk.Part(path(marta, "restriction")).Body.String()
		for _, want := range []string{"New orders; closing stays possible", "Disputed payment", "Until lifted", "Note (staff only)"} {
			require.Contains(t, body, want)
		}
		answer := risk.Send(path(marta, "restrictions"), orders("24"))
		require.Equal(t, http.StatusNoContent, answer.Code, answer.Body.String())
		require.Equal(t, path(marta), answer.Header().Get("HX-Redirect"))
		require.Equal(t, []trader.RestrictionKind{trader.RestrictTrade}, activeRestrictions(b, marta))
		body = risk.Get(path(marta)).Body.String()
		for _, want := range []string{"Orders restricted to", "In force", "Case 4711", "Risk 01", "You set it, so someone else must lift it."} {
			require.Contains(t, body, want)
		}
		end := path(marta, "restrictions", newest(b, marta), "end")
		require.NotContains(t, body, end, "who set it is not offered to lift it")
		require.Equal(t, http.StatusForbidden, risk.Send(end, url.Values{"version": {"1"}, "note": {"Cleared"}}).Code)
		require.Len(t, activeRestrictions(b, marta), 1)

		require.Contains(t, lead.Get(path(marta)).Body.String(), `hx-get="`+end+`"`)
		body = lead.Part(end).Body.String()
		for _, want := range []string{"Case 4711", "Risk 01", `name="version" value="1"`} {
			require.Contains(t, body, want)
		}
		require.Equal(t, http.StatusUnprocessableEntity, lead.Send(end, url.Values{"version": {"1"}, "note": {"  "}}).Code)
		require.Equal(t, http.StatusUnprocessableEntity, lead.Send(end, url.Values{"note": {"Cleared"}}).Code, "without what was seen")
		require.Equal(t, http.StatusConflict, lead.Send(end, url.Values{"version": {"2"}, "note": {"Cleared"}}).Code)
		require.Len(t, activeRestrictions(b, marta), 1)
		require.Equal(t, http.StatusNoContent, lead.Send(end, url.Values{"version": {"1"}, "note": {"Cleared"}}).Code)
		require.Empty(t, activeRestrictions(b, marta))
		require.Equal(t, http.StatusConflict, lead.Send(end, url.Values{"version": {"2"}, "note": {"Cleared"}}).Code)
		body = lead.Get(path(marta)).Body.String()
		require.Contains(t, body, "Lifted by Finance lead 01")
		require.NotContains(t, body, "In force")
	})
	t.Run("AskedAgainWithWhatWasTyped", func(t *testing.T) {
		form := orders("24")
		form.Set("note", "")
		answer := risk.Send(path(marta, "restrictions"), form)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		require.Equal(t, "#dialog", answer.Header().Get("HX-Retarget"))
		require.Contains(t, answer.Body.String(), "Required.")
		require.Contains(t, answer.Body.String(), `value="payment_dispute" selected`)
		for field, value := range map[string]string{"kind": "deposit", "reason": "because", "life": "ever"} {
			form := orders("24")
			form.Set(field, value)
			require.Equal(t, http.StatusUnprocessableEntity, risk.Send(path(marta, "restrictions"), form).Code, field)
		}
		require.Empty(t, activeRestrictions(b, marta))
		require.Equal(t, http.StatusNoContent, risk.Send(path(marta, "restrictions"), orders("0")).Code)
		answer = lead.Send(path(marta, "restrictions"), orders("24"))
		require.Equal(t, http.StatusConflict, answer.Code)
		require.Contains(t, answer.Body.String(), "A restriction of this kind is already in force.")
		require.Contains(t, risk.Get(path(marta)).Body.String(), "Until lifted")
	})
	t.Run("NotAnothersNorNobodys", func(t *testing.T) {
		lena := b.register("lena@example.com", "", 0)
		require.Equal(t, http.StatusNotFound, lead.Part(path(lena, "restrictions", newest(b, marta), "end")).Code)
		require.Equal(t, http.StatusNotFound, lead.Send(path(lena, "restrictions", newest(b, marta), "end"), url.Values{"version": {"1"}, "note": {"x"}}).Code)
		require.Equal(t, http.StatusNotFound, risk.Send("/admin/traders/424242/restrictions", orders("24")).Code)
		guest := b.guest()
		require.NotContains(t, risk.Get(path(guest)).Body.String(), path(guest, "restriction")+`"`)
		require.NotEqual(t, http.StatusOK, risk.Part(path(guest, "restriction")).Code)
		require.NotEqual(t, http.StatusNoContent, risk.Send(path(guest, "restrictions"), orders("24")).Code)
	})
	t.Run("LoggingInEndsEverySession", func(t *testing.T) {
		nora := b.register("nora@example.com", "", 0)
		b.login(nora, "Mozilla/5.0 Chrome/126.0", "83.44.12.9")
		form := orders("1")
		form.Set("kind", "login")
		require.Equal(t, http.StatusNoContent, risk.Send(path(nora, "restrictions"), form).Code)
		require.Contains(t, risk.Get(path(nora, "devices")).Body.String(), "No active sessions.")
		b.Clock.Advance(time.Hour)
		require.Contains(t, b.hired(access.Risk, "Risk 02").Get(path(nora)).Body.String(), "Ended")
	})
}

func TestEndingSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena := b.register("marta@example.com", "", 0), b.register("lena@example.com", "", 0)
	for _, agent := range []string{"Mozilla/5.0 Chrome/126.0", "Mozilla/5.0 Firefox/126.0", "Mozilla/5.0 Safari/604.1"} {
		b.login(marta, agent, "83.44.12.9")
	}
	b.login(lena, "Mozilla/5.0 Chrome/126.0", "83.44.12.9")
	lead := b.hired(access.SupportLead, "Support lead 01")
	living := func(who someone) (ids []string) {
		list, err := b.sessions.Sessions(t.Context(), who.TraderID, 10)
		require.NoError(t, err)
		for _, l := range list {
			ids = append(ids, strconv.FormatInt(l.ID, 10))
		}
		return ids
	}
	ids := living(marta)
	require.Len(t, ids, 3)
	one := path(marta, "sessions", ids[0], "end")
	require.Contains(t, lead.Get(path(marta, "devices")).Body.String(), `hx-get="`+one+`"`)
	require.Contains(t, lead.Part(one).Body.String(), `hx-post="`+one+`"`)
	require.Len(t, living(marta), 3, "asking ends nothing")
	require.Equal(t, http.StatusNotFound, lead.Send(path(marta, "sessions", living(lena)[0], "end"), nil).Code, "somebody else's")
	require.Equal(t, http.StatusNoContent, lead.Send(one, nil).Code)
	require.Equal(t, http.StatusNotFound, lead.Send(one, nil).Code, "twice")
	require.Equal(t, ids[1:], living(marta))
	require.Contains(t, lead.Part(path(marta, "sessions", "end")).Body.String(), "End all sessions")
	require.Equal(t, http.StatusNoContent, lead.Send(path(marta, "sessions", "end"), nil).Code)
	require.Empty(t, living(marta))
	require.Len(t, living(lena), 1)
	entries, _, err := b.log.List(t.Context(), audit.Filter{TargetKind: "trader", Action: "trader.end_sessions"})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, []any{lead.Person.ID, `{"sessions":2}`}, []any{entries[0].ActorID, entries[0].After})
}

// TestSendingAPasswordReset sends one with a reason: the trader gets the code, and no page of the desk shows it.
func TestSendingAPasswordReset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta := b.register("marta@example.com", "", 0)
	lead := b.hired(access.SupportLead, "Support lead 01")
	address := path(marta, "password-reset")
	mails := func() (n int) {
		require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE recipient = 'marta@example.com'`).Scan(&n))
		return n
	}
	before := mails()
	require.Contains(t, lead.Part(address).Body.String(), `hx-post="`+address+`"`)
	require.Equal(t, before, mails(), "asking sends nothing")
	bare := lead.Send(address, url.Values{"reason": {"  "}})
	require.Equal(t, http.StatusUnprocessableEntity, bare.Code, "a reason is needed")
	require.Equal(t, before, mails())

	sent := lead.Send(address, url.Values{"reason": {"Asked by phone <b>"}})
	require.Equal(t, http.StatusNoContent, sent.Code, sent.Body.String())
	require.Equal(t, before+1, mails())
	list, err := b.Outbox.List(t.Context(), "", 1)
	require.NoError(t, err)
	require.Equal(t, "message.password_code.body", list[0].Body)
	require.Contains(t, lead.Get(path(marta, "audit")).Body.String(), "Password reset sent by staff")
	require.Equal(t, http.StatusTooManyRequests, lead.Send(address, url.Values{"reason": {"again"}}).Code, "a code was sent a moment ago")
	for range 2 {
		b.Clock.Advance(session.ResendAfter)
		require.Equal(t, http.StatusNoContent, lead.Send(address, url.Values{"reason": {"again"}}).Code)
	}
	b.Clock.Advance(session.ResendAfter)
	fourth := lead.Send(address, url.Values{"reason": {"again"}})
	require.Equal(t, http.StatusTooManyRequests, fourth.Code)
	require.Contains(t, fourth.Body.String(), "Three resets")
	require.Equal(t, before+3, mails())
}

func TestNotes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta := b.register("marta@example.com", "", 0)
	agent := b.agent()
	require.Contains(t, agent.Get(path(marta, "notes")).Body.String(), "No notes yet.")
	for i := range 51 {
		answer := agent.Post(path(marta, "notes"), url.Values{"note": {"Note number " + strconv.Itoa(i)}})
		require.Equal(t, http.StatusSeeOther, answer.Code)
		require.Equal(t, path(marta, "notes"), answer.Header().Get("Location"))
	}
	body := agent.Get(path(marta, "notes")).Body.String()
	require.Contains(t, body, "Note number 50")
	require.Contains(t, body, "Support agent 03")
	require.NotContains(t, body, "Note number 0<")
	require.Contains(t, body, "?before=")
	answer := agent.Post(path(marta, "notes"), url.Values{"note": {"   "}})
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.Contains(t, answer.Body.String(), "Required.")
	long := strings.Repeat("x", 2001)
	answer = agent.Post(path(marta, "notes"), url.Values{"note": {long}})
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.Contains(t, answer.Body.String(), long, "nothing typed is lost")
	require.Contains(t, agent.Get(path(marta, "audit")).Body.String(), "Note added")
}

// TestWhoMayWhat tries every power of the desk with every role.
func TestWhoMayWhat(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta := b.register("marta@example.com", "", 0)
	setter := b.Hire(t, "Risk 00", access.Risk)
	_, err := b.traders.Restrict(t.Context(), audit.Actor{Kind: audit.Staff, ID: setter.ID, Name: setter.Name},
		trader.RestrictionRequest{TraderID: marta.TraderID, Kind: trader.RestrictWithdraw, Reason: "other", Note: "x"})
	require.NoError(t, err)
	end := path(marta, "restrictions", newest(b, marta), "end")
	restricts := []access.Role{access.Risk, access.ComplianceLead, access.FinanceLead}
	ends := []access.Role{access.Risk, access.ComplianceLead, access.SupportLead}
	notes := []access.Role{
		access.Risk, access.ComplianceReviewer, access.ComplianceLead, access.FinanceMaker, access.FinanceChecker, access.FinanceLead, access.SupportAgent, access.SupportLead,
	}
	for _, role := range []access.Role{
		access.SuperAdmin, access.ConfigAdmin, access.ConfigApprover, access.ComplianceReviewer, access.ComplianceLead, access.FinanceMaker, access.FinanceChecker,
		access.FinanceLead, access.SupportAgent, access.SupportLead, access.ContentEditor, access.ContentPublisher, access.Risk, access.Auditor,
	} {
		someone := b.hired(role, "Somebody "+string(role))
		has := func(roles []access.Role) bool { return slices.Contains(roles, role) }
		for _, ask := range []struct {
			path, post string
			may        bool
		}{
			{path(marta, "restriction"), path(marta, "restrictions"), has(restricts)}, {end, end, has(restricts)},
			{path(marta, "sessions", "end"), path(marta, "sessions", "end"), has(ends)}, {path(marta, "sessions", "1", "end"), path(marta, "sessions", "1", "end"), has(ends)},
			{path(marta, "password-reset"), path(marta, "password-reset"), has(ends)},
			{path(marta, "notes"), path(marta, "notes"), has(notes)},
		} {
			require.Equal(t, ask.may, someone.Part(ask.path).Code == http.StatusOK, "%s %s", role, ask.path)
			if !ask.may {
				require.Equal(t, http.StatusForbidden, someone.Send(ask.post, orders("24")).Code, "%s %s", role, ask.post)
			}
		}
		page := someone.Get(path(marta))
		if page.Code != http.StatusOK {
			continue
		}
		require.Equal(t, has(restricts), strings.Contains(page.Body.String(), path(marta, "restriction")+`"`), role)
		require.Equal(t, has(restricts), strings.Contains(page.Body.String(), end), role)
		require.Equal(t, has(ends), strings.Contains(page.Body.String(), path(marta, "sessions", "end")), role)
		require.Equal(t, has(ends), strings.Contains(page.Body.String(), path(marta, "password-reset")), role)
		require.Equal(t, has(notes), strings.Contains(page.Body.String(), path(marta, "notes")+`"`), role)
	}
	require.Equal(t, []trader.RestrictionKind{trader.RestrictWithdraw}, activeRestrictions(b, marta))
}

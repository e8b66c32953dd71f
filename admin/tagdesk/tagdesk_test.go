package tagdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/tagdesk"
	"candor/app/audit"
	"candor/app/platform/dbtest"
	"candor/app/trader"
)

func setup(t *testing.T) *desktest.Office {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	o.Mount(tagdesk.Routes(tagdesk.Services{Traders: trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Changed: func(int64) {}}), Staff: o.Staff, Audit: audit.NewLog(o.DB)}))
	return o
}

func tag(name, colour string) url.Values {
	return url.Values{"name": {name}, "colour": {colour}}
}

// TestLeadsKeepTheList makes, changes, retires and restores a tag, and refuses what is not allowed.
func TestLeadsKeepTheList(t *testing.T) {
	t.Parallel()
	o := setup(t)
	lead := o.SignInAs(t, o.Hire(t, "Support lead 01", access.SupportLead))
	require.Contains(t, lead.Get("/admin/tags").Body.String(), "No tags yet")
	made := lead.Send("/admin/tags", tag("Key client", "violet"))
	require.Equal(t, http.StatusNoContent, made.Code, made.Body.String())
	page := made.Header().Get("HX-Redirect")
	require.Regexp(t, `^/admin/tags/\d+$`, page)
	for _, want := range []string{"Key client", "mark-violet", "Traders with this tag", "Support lead 01", "added the tag Key client", "Traders never see tags"} {
		require.Contains(t, lead.Get(page).Body.String(), want)
	}
	for problem, form := range map[string]url.Values{"Another tag has this name": tag("key client", "red"), "colour-error": tag("Other", "pink"), "name-error": tag(" ", "red")} {
		answer := lead.Send("/admin/tags", form)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		require.Contains(t, answer.Body.String(), problem)
	}
	send := func(noun string, version int, form url.Values) int {
		form.Set("version", fmt.Sprint(version))
		return lead.Send(page+"/"+noun, form).Code
	}
	require.Contains(t, lead.Part(page+"/change").Body.String(), `value="Key client"`)
	require.Equal(t, http.StatusOK, send("change", 1, tag(desktest.Payloads[0][:min(len(desktest.Payloads[0]), trader.LongestTag)], "red")))
	require.Equal(t, http.StatusOK, send("change", 2, tag("Partner", "blue")))
	require.Equal(t, http.StatusConflict, send("change", 2, tag("Late", "blue")), "another version than the one shown")
	require.Equal(t, http.StatusConflict, send("restoration", 3, url.Values{}), "it is in use")
	require.Equal(t, http.StatusOK, send("retirement", 3, url.Values{}))
	require.NotContains(t, lead.Get("/admin/tags").Body.String(), ">Partner<")
	require.Contains(t, lead.Get("/admin/tags?tab=retired").Body.String(), "Partner")
	require.Equal(t, http.StatusConflict, send("change", 4, tag("Old", "blue")), "it is retired")
	require.Equal(t, http.StatusOK, send("restoration", 4, url.Values{}))
	require.Equal(t, http.StatusNotFound, lead.Get("/admin/tags/999").Code)
}

// TestOnlyAdminsAndLeads keeps everybody else from the list.
func TestOnlyAdminsAndLeads(t *testing.T) {
	t.Parallel()
	o := setup(t)
	for _, role := range []access.Role{access.SuperAdmin, access.ComplianceLead, access.FinanceLead, access.SupportLead} {
		require.Equal(t, http.StatusOK, o.SignIn(t, role).Get("/admin/tags").Code, role)
	}
	for _, role := range []access.Role{access.SupportAgent, access.FinanceMaker, access.ComplianceReviewer, access.Risk, access.Auditor, access.ContentEditor} {
		who := o.SignIn(t, role)
		require.Equal(t, http.StatusForbidden, who.Get("/admin/tags").Code, role)
		require.Equal(t, http.StatusForbidden, who.Send("/admin/tags", tag("Mine", "red")).Code, role)
	}
}

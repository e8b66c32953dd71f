package controldesk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/staff"
)

func version(p staff.Person) url.Values { return url.Values{"version": {fmt.Sprint(p.Version)}} }

func (h *office) read(t *testing.T, id int64) staff.Person {
	t.Helper()
	p, err := h.Staff.Person(t.Context(), id)
	require.NoError(t, err)
	return p
}

func (h *office) denials(t *testing.T) int {
	t.Helper()
	list, _, err := h.log.List(t.Context(), audit.Filter{Result: audit.Denied})
	require.NoError(t, err)
	return len(list)
}

func TestInvite(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	wrong := root.Prove(t, "/admin/staff/invitation", url.Values{"name": {"New person"}, "email": {"no address"}})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Equal(t, "#dialog", wrong.Header().Get("HX-Retarget"), "the dialog comes again, with what was typed")
	require.Contains(t, wrong.Body.String(), `value="New person"`)
	require.Contains(t, wrong.Body.String(), "Enter a valid email address.")

	done := root.Prove(t, "/admin/staff/invitation", url.Values{"name": {"New person"}, "email": {"New@Example.com"}})
	require.Equal(t, http.StatusNoContent, done.Code)
	page := root.Get(done.Header().Get("HX-Redirect")).Body.String()
	for _, want := range []string{"No sender is configured. The invitation to new@example.com is in the outbox.", "Withdraw invitation"} {
		require.Contains(t, page, want)
	}
	list, err := h.Outbox.List(t.Context(), "new@example.com", 5)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Contains(t, list[0].Body, "http://desk.test/admin/invitation/")
	twice := root.Prove(t, "/admin/staff/invitation", url.Values{"name": {"New person"}, "email": {"new@example.com"}})
	require.Equal(t, http.StatusUnprocessableEntity, twice.Code)
	require.Contains(t, twice.Body.String(), "A person with this address already exists.")
}

// TestALinkIsReportedAsItIs distinguishes a link that is queued from one that no sender takes.
func TestALinkIsReportedAsItIs(t *testing.T) {
	t.Parallel()
	for production, words := range map[bool][3]string{
		true:  {"Invitation to new@example.com queued.", "New link queued.", "Authenticator reset. The link is queued."},
		false: {"The invitation to new@example.com is in the outbox.", "The new link is in the outbox.", "so the link is in the outbox."},
	} {
		t.Run(strconv.FormatBool(production), func(t *testing.T) {
			t.Parallel()
			h := openIn(t, production)
			root := h.SignIn(t, access.SuperAdmin)
			invited := root.Prove(t, "/admin/staff/invitation", url.Values{"name": {"New person"}, "email": {"new@example.com"}}).Header().Get("HX-Redirect")
			require.Contains(t, root.Get(invited).Body.String(), words[0])
			id, err := strconv.ParseInt(regexp.MustCompile(`^/admin/staff/(\d+)\?invited=1$`).FindStringSubmatch(invited)[1], 10, 64)
			require.NoError(t, err)
			require.Contains(t, root.Prove(t, fmt.Sprintf("/admin/staff/%d/invitation", id), version(h.read(t, id))).Body.String(), words[1])
			p := h.Hire(t, "Support agent 07", access.SupportAgent)
			require.Contains(t, root.Prove(t, fmt.Sprintf("/admin/staff/%d/authenticator", p.ID), version(p)).Body.String(), words[2])
		})
	}
}

func TestActsOnAPerson(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	p := h.Hire(t, "Support agent 07", access.SupportAgent)
	path := fmt.Sprintf("/admin/staff/%d", p.ID)

	stale := root.Prove(t, path+"/disabling", url.Values{"version": {"9"}})
	require.Equal(t, http.StatusConflict, stale.Code)
	require.Equal(t, "true", stale.Header().Get("Desk-Refusal"), "it goes beside what was pressed")
	for from, want := range map[string]bool{"http://desk.test" + path: true, "http://evil.example" + path + "/../../x": false, "javascript:alert(1)": false, "": false} {
		r := httptest.NewRequest(http.MethodPost, path+"/disabling", strings.NewReader("version=9&code="+root.Code(t)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("HX-Request", "true")
		r.Header.Set("HX-Current-URL", from)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		require.Equal(t, want, strings.Contains(root.Do(r).Body.String(), `href="`+path+`"`), "the page as it is now, from %q", from)
	}
	require.Equal(t, http.StatusUnprocessableEntity, root.Prove(t, path+"/disabling", nil).Code, "the version seen comes along")
	require.Equal(t, staff.Active, h.read(t, p.ID).State)

	done := root.Prove(t, path+"/disabling", version(p))
	require.Equal(t, http.StatusOK, done.Code)
	for _, want := range []string{"Disabled. All sessions have ended.", `id="count-staff"`, `hx-swap-oob="innerHTML:#flash"`, "Enable…"} {
		require.Contains(t, done.Body.String(), want)
	}
	require.Equal(t, staff.Disabled, h.read(t, p.ID).State)
	require.Equal(t, http.StatusOK, root.Prove(t, path+"/enabling", version(h.read(t, p.ID))).Code)
	require.Equal(t, http.StatusOK, root.Prove(t, path+"/authenticator", version(h.read(t, p.ID))).Code)
	require.False(t, h.read(t, p.ID).HasAuthenticator())
	require.Equal(t, http.StatusOK, root.Prove(t, path+"/fresh-start", version(h.read(t, p.ID))).Code)
	require.Empty(t, h.read(t, p.ID).Roles)
	require.Equal(t, http.StatusOK, root.Prove(t, path+"/invitation", version(h.read(t, p.ID))).Code)
	require.Equal(t, http.StatusConflict, root.Prove(t, path+"/enabling", version(h.read(t, p.ID))).Code, "not from this state")
	require.Equal(t, http.StatusNotFound, root.Prove(t, "/admin/staff/99999/disabling", version(p)).Code)
	require.Equal(t, http.StatusNotFound, root.Get("/admin/staff/x").Code)
}

// TestTheCookieOfASuperAdminIsNotEnough: each act that gives or takes power needs a fresh code, and works once with it.
func TestTheCookieOfASuperAdminIsNotEnough(t *testing.T) {
	t.Parallel()
	h := open(t)
	first, second := h.SignIn(t, access.SuperAdmin), h.SignIn(t, access.SuperAdmin)
	p, off := h.Hire(t, "Support agent 07", access.SupportAgent), h.Hire(t, "Disabled person")
	require.NoError(t, h.Staff.Disable(t.Context(), first.Person.Acting(audit.Actor{IP: "192.0.2.1"}), off.ID, off.Version))
	_, err := h.Staff.AskRole(t.Context(), first.Person.Acting(audit.Actor{IP: "192.0.2.1"}), p.ID, staff.Risk)
	require.NoError(t, err)
	person := fmt.Sprintf("/admin/staff/%d", p.ID)
	count := func() int64 { return newest(t, h, `SELECT count(*) FROM audit_entries`) }
	for path, form := range map[string]url.Values{
		"/admin/staff/invitation": {"name": {"Sam"}, "email": {"sam@evil.example"}}, person + "/role": {"role": {"support_lead"}},
		newestRequest(t, h): nil, person + "/roles/support_agent/revocation": version(p), person + "/disabling": version(p), person + "/authenticator": version(p),
		person + "/fresh-start": version(p), person + "/phone": {"version": {"1"}, "phone": {"+41 79 123 45 67"}}, fmt.Sprintf("/admin/staff/%d/enabling", off.ID): version(h.read(t, off.ID)),
	} {
		before := count()
		got := second.Send(path, form)
		require.Equal(t, http.StatusUnprocessableEntity, got.Code, path)
		require.Contains(t, got.Body.String(), `name="code"`, path)
		require.Equal(t, before, count(), path)
	}
	wrong := version(p)
	wrong.Set("code", "000000")
	require.Equal(t, http.StatusUnprocessableEntity, second.Send(person+"/disabling", wrong).Code)
	require.Equal(t, p.Version, h.read(t, p.ID).Version)
}

// TestARefusedFieldUsesUpNoCode: what is wrong with a form is said before its code is checked.
func TestARefusedFieldUsesUpNoCode(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	p := h.Hire(t, "Finance maker 07", access.FinanceMaker)
	person := fmt.Sprintf("/admin/staff/%d", p.ID)
	for path, forms := range map[string][2]url.Values{
		"/admin/staff/invitation": {{"name": {"Sam"}, "email": {"sam"}}, {"name": {"Sam"}, "email": {"sam@desk.example"}}},
		person + "/phone":         {{"version": {"1"}, "phone": {"12"}}, {"version": {fmt.Sprint(p.Version)}, "phone": {"+41 79 123 45 67"}}},
		person + "/role":          {{"role": {string(access.FinanceChecker)}}, {"role": {string(access.SupportAgent)}}},
	} {
		code := root.Code(t)
		wrong, right := forms[0], forms[1]
		wrong.Set("code", code)
		right.Set("code", code)
		require.Equal(t, http.StatusUnprocessableEntity, root.Send(path, wrong).Code, path)
		done := root.Send(path, right)
		require.NotEqual(t, http.StatusUnprocessableEntity, done.Code, path+done.Body.String())
		h.Clock.Advance(time.Minute)
	}
}

func TestPhone(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	p := h.Hire(t, "Support agent 07", access.SupportAgent)
	path := fmt.Sprintf("/admin/staff/%d", p.ID)
	send := func(number string) *httptest.ResponseRecorder {
		form := version(h.read(t, p.ID))
		form.Set("phone", number)
		return root.Prove(t, path+"/phone", form)
	}
	require.Contains(t, root.Get(path).Body.String(), "Not set")
	wrong := send("0170 1234567")
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Contains(t, wrong.Body.String(), `value="0170 1234567"`)
	require.Contains(t, wrong.Body.String(), "Enter a complete phone number with its country code.")
	done := send("+49 170 1234567")
	require.Equal(t, http.StatusOK, done.Code)
	for _, want := range []string{"Phone number saved.", "+49***67", "changed the phone number of Support agent 07"} {
		require.Contains(t, done.Body.String(), want)
	}
	require.NotContains(t, done.Body.String(), "1234567")
	require.Equal(t, "+491701234567", *h.read(t, p.ID).Phone)
	require.Contains(t, root.Part(path+"/phone").Body.String(), `value="+491701234567"`, "the dialog shows the number to whoever may change it")
	require.Equal(t, http.StatusOK, send("").Code)
	require.Nil(t, h.read(t, p.ID).Phone)
	auditor := h.SignIn(t, access.Auditor)
	require.Equal(t, http.StatusForbidden, auditor.Prove(t, path+"/phone", version(h.read(t, p.ID))).Code)
	require.Equal(t, http.StatusForbidden, auditor.Part(path+"/phone").Code)
}

func TestNobodyActsOnTheirOwnAccount(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	h.Hire(t, "Another", access.SuperAdmin)
	own := fmt.Sprintf("/admin/staff/%d", root.Person.ID)
	page := root.Get(own).Body.String()
	require.Contains(t, page, "You can’t change your own account", "the buttons are locked and say why")
	require.NotContains(t, page, own+"/disabling")
	for i, try := range []string{"/disabling", "/authenticator", "/fresh-start", "/roles/super_admin/revocation", "/role", "/phone"} {
		form := version(root.Person)
		form.Set("role", "auditor")
		got := root.Prove(t, own+try, form)
		require.Equal(t, http.StatusForbidden, got.Code, try)
		require.Equal(t, i+1, h.denials(t), "and each try is recorded")
	}
	require.Equal(t, root.Person.Version, h.read(t, root.Person.ID).Version)
}

func TestRoles(t *testing.T) {
	t.Parallel()
	h := open(t)
	first, second := h.SignIn(t, access.SuperAdmin), h.SignIn(t, access.SuperAdmin)
	p := h.Hire(t, "New person")
	path := fmt.Sprintf("/admin/staff/%d", p.ID)

	require.Equal(t, http.StatusUnprocessableEntity, first.Prove(t, path+"/role", url.Values{"role": {"owner"}}).Code)
	given := first.Prove(t, path+"/role", url.Values{"role": {"support_agent"}})
	require.Contains(t, given.Body.String(), "New person is now Support agent.")
	asked := first.Prove(t, path+"/role", url.Values{"role": {"finance_maker"}})
	require.Contains(t, asked.Body.String(), "Finance maker requested. Another super admin decides.")
	require.Equal(t, []staff.Role{staff.SupportAgent}, h.read(t, p.ID).Roles)
	clash := first.Prove(t, path+"/role", url.Values{"role": {"finance_checker"}})
	require.Equal(t, http.StatusUnprocessableEntity, clash.Code)
	require.Contains(t, clash.Body.String(), "together with Finance maker", "an open request counts")
	require.Contains(t, clash.Body.String(), `value="finance_checker" selected`)

	request := newestRequest(t, h)
	mine := first.Get(path).Body.String()
	require.Contains(t, mine, "You already took part in this. Another person must decide.")
	require.NotContains(t, mine, request, "no button for who asked")
	require.Contains(t, second.Get(path).Body.String(), request)
	require.Equal(t, http.StatusForbidden, first.Prove(t, request, nil).Code)
	require.Contains(t, second.Get("/admin").Body.String(), "Finance maker for New person")

	granted := second.Prove(t, request, nil)
	require.Equal(t, http.StatusOK, granted.Code, granted.Body.String())
	require.Contains(t, granted.Body.String(), "New person is now Finance maker.")
	require.True(t, h.read(t, p.ID).Has(staff.FinanceMaker))
	require.Equal(t, http.StatusConflict, second.Prove(t, request, nil).Code, "once only")
	require.Equal(t, http.StatusConflict, second.Part(request).Code, "the dialog knows too")

	revoked := second.Prove(t, path+"/roles/finance_maker/revocation", version(p))
	require.Contains(t, revoked.Body.String(), "Finance maker revoked.")
	require.Equal(t, http.StatusConflict, second.Prove(t, path+"/roles/finance_maker/revocation", version(p)).Code)
	require.Equal(t, http.StatusConflict, second.Part(path+"/roles/finance_maker/revocation").Code)
}

func TestARequestIsRefusedOrTakenBack(t *testing.T) {
	t.Parallel()
	h := open(t)
	first, second := h.SignIn(t, access.SuperAdmin), h.SignIn(t, access.SuperAdmin)
	p := h.Hire(t, "New person")
	ask := func() string {
		require.Equal(t, http.StatusOK, first.Prove(t, fmt.Sprintf("/admin/staff/%d/role", p.ID), url.Values{"role": {"risk"}}).Code)
		return fmt.Sprintf("/admin/role-requests/%d", newest(t, h, `SELECT max(id) FROM approvals WHERE use = 'staff_role'`))
	}
	request := ask()
	require.Equal(t, http.StatusForbidden, first.Prove(t, request+"/refusal", nil).Code)
	require.Contains(t, second.Prove(t, request+"/refusal", nil).Body.String(), "Request to assign Risk to New person rejected.")
	request = ask()
	require.Equal(t, http.StatusForbidden, second.Prove(t, request+"/withdrawal", nil).Code)
	require.Contains(t, first.Prove(t, request+"/withdrawal", nil).Body.String(), "Request to assign Risk to New person withdrawn.")
	require.Equal(t, http.StatusNotFound, second.Prove(t, "/admin/role-requests/99999/approval", nil).Code)
	require.Empty(t, h.read(t, p.ID).Roles)
}

func TestWhoOnlyLooksSeesLockedButtons(t *testing.T) {
	t.Parallel()
	h := open(t)
	p := h.Hire(t, "Support agent 07", access.SupportAgent)
	page := h.SignIn(t, access.Auditor).Get(fmt.Sprintf("/admin/staff/%d", p.ID)).Body.String()
	require.Contains(t, page, "Only a super admin can manage staff.")
	require.NotContains(t, page, "/disabling")
	require.NotContains(t, page, `hx-get="/admin/staff/invitation"`)
}

func TestPartsAndPages(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	p := h.Hire(t, "Support agent 07", access.SupportAgent)
	path := fmt.Sprintf("/admin/staff/%d", p.ID)
	require.NotContains(t, root.Part(path).Body.String(), "</html>")
	whole := root.Get(path).Body.String()
	require.Contains(t, whole, "</html>")
	require.Contains(t, whole, `id="detail"`, "where the answers of its acts go")
}

func TestStaffPagesByKey(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	_, err := h.DB.Pool.Exec(t.Context(), `
		INSERT INTO staff (email, name, password_hash, state, created_at) SELECT 'p' || n || '@desk.test', 'Person ' || n, 'x', 'active', now() FROM generate_series(1, 120) n`)
	require.NoError(t, err)
	next := regexp.MustCompile(`href="(/admin/staff\?after=[0-9.]+)"`)
	seen, path := 0, "/admin/staff"
	for range 4 {
		page := root.Get(path).Body.String()
		seen += strings.Count(page, ">Person ")
		found := next.FindStringSubmatch(page)
		if found == nil {
			break
		}
		path = found[1]
	}
	require.Equal(t, 120, seen, "each person once")
}

func TestStaffIsSearchedAndFiltered(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	h.Hire(t, "Ada Able", access.SupportAgent)
	h.Hire(t, "Bo Baker", access.Auditor)
	off := h.Hire(t, "Cy Cook", access.Auditor)
	require.Equal(t, http.StatusOK, root.Prove(t, fmt.Sprintf("/admin/staff/%d/disabling", off.ID), version(off)).Code)
	for query, want := range map[string][]string{
		"?q=able": {"Ada Able"}, "?q=BAKER": {"Bo Baker"}, "?q=bo.20baker": {"Bo Baker"}, "?role=auditor": {"Bo Baker", "Cy Cook"}, "?role=auditor&state=active": {"Bo Baker"},
		"?state=disabled": {"Cy Cook"}, "?q=nobody": {}, "?q=%25": {}, "?role=owner&state=x": {"Ada Able", "Bo Baker", "Cy Cook"},
	} {
		page := root.Get("/admin/staff" + query).Body.String()
		for _, name := range []string{"Ada Able", "Bo Baker", "Cy Cook"} {
			require.Equal(t, slices.Contains(want, name), strings.Contains(page, name), "%s: %s", query, name)
		}
	}
	require.Contains(t, root.Get("/admin/staff?q=nobody").Body.String(), "No staff match these filters.")
}

// TestARoleSaysWhatItMayDo checks the dialog before a role is granted.
func TestARoleSaysWhatItMayDo(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	p := h.Hire(t, "Fin", access.FinanceMaker)
	path := fmt.Sprintf("/admin/staff/%d/role", p.ID)
	require.Contains(t, root.Part(path).Body.String(), path+"/powers")
	require.NotContains(t, root.Part(path).Body.String(), "What this role may do", "no role is chosen yet")
	agent := root.Part(path + "/powers?role=support_agent").Body.String()
	for _, want := range []string{"Answer traders", "One super admin assigns it", "Can’t be combined with", "Auditor"} {
		require.Contains(t, agent, want)
	}
	require.NotContains(t, agent, "Lead the chat")
	checker := root.Part(path + "/powers?role=finance_checker").Body.String()
	for _, want := range []string{"Approve deposits as second approver", "Needs a second super admin", "Finance maker", "Fin already holds Finance maker. One person can’t hold both."} {
		require.Contains(t, checker, want)
	}
	require.Empty(t, strings.TrimSpace(root.Part(path+"/powers?role=owner").Body.String()))
	refused := root.Prove(t, path, url.Values{"role": {"finance_checker"}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Contains(t, refused.Body.String(), "Approve deposits as second approver", "the refused choice is still described")
	require.Equal(t, http.StatusForbidden, h.SignIn(t, access.Auditor).Part(path+"/powers?role=risk").Code)
}

// TestTheMatrixIsThePolicy compares the table of roles with the policy.
func TestTheMatrixIsThePolicy(t *testing.T) {
	t.Parallel()
	h := open(t)
	page := h.SignIn(t, access.Auditor).Get("/admin/staff/roles").Body.String()
	granted, all := 0, map[access.Permission]bool{}
	for _, role := range staff.Roles {
		for _, p := range access.PermissionsOf(role) {
			if p != access.Home {
				granted++
				all[p] = true
			}
		}
	}
	require.Equal(t, len(all), strings.Count(page, `<th scope="row">`), "every permission has its area")
	require.Equal(t, granted, strings.Count(page, `<span class="sr">Yes</span>`))
	require.Equal(t, len(all)*len(staff.Roles)-granted, strings.Count(page, `<span class="sr">No</span>`))
	require.Equal(t, http.StatusForbidden, h.SignIn(t, access.SupportAgent).Get("/admin/staff/roles").Code)
}

func TestASessionIsEndedFromTheList(t *testing.T) {
	t.Parallel()
	h := open(t)
	root := h.SignIn(t, access.SuperAdmin)
	p := h.Hire(t, "Support agent 07", access.SupportAgent)
	path := fmt.Sprintf("/admin/staff/%d", p.ID)
	require.Contains(t, root.Get(path).Body.String(), "Not signed in anywhere.")
	first, second := h.SignInAs(t, p), h.SignInAs(t, p)
	end := regexp.MustCompile(path+`/sessions/\d+/end`).FindAllString(root.Get(path).Body.String(), -1)
	require.Len(t, end, 2)
	dialog := root.Part(end[0])
	require.Contains(t, dialog.Body.String(), "This browser is signed out at once.")
	require.Equal(t, http.StatusForbidden, h.SignIn(t, access.Auditor).Prove(t, end[0], version(p)).Code)
	require.Equal(t, http.StatusConflict, root.Prove(t, fmt.Sprintf("/admin/staff/%d/sessions/99999/end", p.ID), version(p)).Code)

	done := root.Prove(t, end[0], version(p))
	require.Equal(t, http.StatusOK, done.Code, done.Body.String())
	require.Contains(t, done.Body.String(), "Session ended.")
	require.Contains(t, done.Body.String(), "ended a session of Support agent 07", "it is in the audit log")
	require.NotEqual(t, first.Get("/admin").Code == http.StatusOK, second.Get("/admin").Code == http.StatusOK, "one of the two is signed out")
	require.Equal(t, http.StatusConflict, root.Prove(t, end[0], version(p)).Code, "once only")
	require.Equal(t, http.StatusConflict, root.Part(end[0]).Code)

	own := regexp.MustCompile(`/sessions/\d+/end`)
	require.NotRegexp(t, own, root.Get(fmt.Sprintf("/admin/staff/%d", root.Person.ID)).Body.String(), "one signs out of one's own")
}

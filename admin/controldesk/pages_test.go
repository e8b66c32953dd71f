package controldesk_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/mail"
	"candor/app/staff"
	"candor/templates/assets"
)

// pages are the addresses of pages to view, by name; those of people are formatted with an id.
func pages(p map[string]staff.Person) map[string]string {
	id := func(path, name string) string { return fmt.Sprintf(path, p[name].ID) }
	return map[string]string{
		"home": "/admin", "staff": "/admin/staff", "staff-filtered": "/admin/staff?role=auditor&q=a", "roles": "/admin/staff/roles", "person": id("/admin/staff/%d", "Support agent 07"), "myself": id("/admin/staff/%d", "Super admin 01"),
		"invited": "/admin/staff/108", "disabled": id("/admin/staff/%d", "Content editor 02"), "audit": "/admin/audit", "audit-filtered": "/admin/audit?result=denied&from=2026-11-19&to=2026-11-20&person=supp",
		"audit-empty": "/admin/audit?area=outbox", "entry": "/admin/audit/9", "outbox": "/admin/outbox", "outbox-empty": "/admin/outbox?q=nobody", "products": "/admin/products", "product": "/admin/products/1",
		"product-stock": "/admin/products/301", "product-plain": "/admin/products/102", "nothing": "/admin/nothing",
	}
}

func dialogs(p map[string]staff.Person) []string {
	person := fmt.Sprintf("/admin/staff/%d", p["Support agent 07"].ID)
	return []string{
		"/admin/staff/invitation", person + "/disabling", person + "/authenticator", person + "/fresh-start", person + "/role", "/admin/staff/filter", person + "/roles/support_agent/revocation",
		fmt.Sprintf("/admin/staff/%d/enabling", p["Content editor 02"].ID), "/admin/staff/108/invitation", "/admin/staff/108/disabling",
		"/admin/role-requests/90002/approval", "/admin/role-requests/90002/refusal", "/admin/role-requests/90001/withdrawal", "/admin/outbox/1/reveal", "/admin/outbox/1/sending", "/admin/audit/filter",
	}
}

// TestPages renders every page and dialog. With KIT_OUT it also writes the pages there, for viewing.
func TestPages(t *testing.T) {
	t.Parallel()
	h := open(t)
	p := h.example(t)
	out := os.Getenv("KIT_OUT")
	if out != "" {
		require.NoError(t, assets.LoadAt(os.DirFS("../../customer-web/dist"), "."))
		copyAssets(t, out)
	}
	for _, name := range []string{"Super admin 01", "Config admin 01", "Config approver 01", "Auditor 01", "Compliance reviewer 04", "Content editor 02", "Finance maker 02"} {
		browser := h.SignInAs(t, p[name])
		for page, path := range pages(p) {
			got := browser.Get(path)
			require.Contains(t, []int{http.StatusOK, http.StatusForbidden, http.StatusNotFound, http.StatusSeeOther}, got.Code, "%s as %s", path, name)
			checkWords(t, path, got.Body.String())
			if name == "Super admin 01" && out != "" {
				write(t, filepath.Join(out, "control-"+page+".html"), got.Body.Bytes())
			}
		}
	}
	root := h.SignInAs(t, p["Super admin 01"])
	for _, path := range dialogs(p) {
		checkDialog(t, root, path)
	}
	rows := root.Part("/admin/products/rows")
	require.Equal(t, http.StatusOK, rows.Code)
	checkWords(t, "prices", rows.Body.String())
	for name, paths := range map[string][]string{
		"Config admin 01":    {"/admin/products/101/terms", "/admin/products/302/dividend", "/admin/product-changes/90006/withdrawal"},
		"Config approver 01": {"/admin/product-changes/90006/approval", "/admin/product-changes/90006/refusal", "/admin/product-changes/90007/approval"},
	} {
		for _, path := range paths {
			checkDialog(t, h.SignInAs(t, p[name]), path)
		}
	}
}

func checkDialog(t *testing.T, browser *desktest.Browser, path string) {
	t.Helper()
	got := browser.Part(path)
	require.Equal(t, http.StatusOK, got.Code, "%s: %s", path, got.Body)
	checkWords(t, path, got.Body.String())
	require.Equal(t, "#dialog", got.Header().Get("HX-Retarget"), path)
	require.Contains(t, got.Body.String(), "<dialog", path)
	inPlace := httptest.NewRequest(http.MethodGet, path, nil)
	inPlace.Header.Set("HX-Request", "true")
	inPlace.Header.Set("HX-Target", "dialog")
	require.Empty(t, browser.Do(inPlace).Header().Get("HX-Retarget"), "%s: whoever asks for it there needs no other place", path)
	require.Equal(t, http.StatusSeeOther, browser.Get(path).Code, "%s typed into the address bar leads to its page", path)
}

var (
	rawKey   = regexp.MustCompile(`[>"]\s*(ui|layout|nav|role|problem|error|field|staff|audit|home|product|outbox|permission|signin|time|act|keys)\.[a-z_]+[a-z_.]*\s*[<"]`)
	noWords  = regexp.MustCompile(`\{\{[a-z]+\}\}`)
	scriptOf = regexp.MustCompile(`(?s)<template id="words".*?</template>`)
)

// checkWords requires that a page shows no text key and no unfilled argument.
func checkWords(t *testing.T, path, body string) {
	t.Helper()
	body = scriptOf.ReplaceAllString(body, "")
	require.NotRegexp(t, rawKey, body, path)
	require.NotRegexp(t, noWords, body, path)
}

// TestPayloads puts each payload into every text that people can set: pages must contain only our own markup.
func TestPayloads(t *testing.T) {
	t.Parallel()
	h := open(t)
	plain := h.SignIn(t, access.SuperAdmin)
	second := h.Hire(t, "Second", access.SuperAdmin)
	approver, admin := h.SignIn(t, access.ConfigApprover), h.SignIn(t, access.ConfigAdmin)
	for words := range slices.Chunk(desktest.Payloads, 6) {
		p := h.Hire(t, words[0], access.SupportAgent)
		change := fmt.Sprintf("/admin/product-changes/%d", h.askTerms(t, p, eurusd, 48, map[string]string{"stop_level": "30"}, words[1]))
		_, err := h.Staff.AskRole(t.Context(), actor(second), p.ID, staff.Risk)
		require.NoError(t, err)
		for _, payload := range words {
			h.tell(t, p, payload)
			for _, path := range []string{newestReveal(t, h), newestEntry(t, h)} {
				desktest.Harmless(t, path, plain.Part(path).Body.String(), payload)
			}
			query := url.QueryEscape(payload)
			for _, path := range []string{"/admin/audit?person=" + query + "&target=" + query + "&from=" + query + "&area=" + query + "&kind=" + query, "/admin/outbox?q=" + query} {
				got := plain.Get(path)
				require.Equal(t, http.StatusOK, got.Code, path)
				desktest.Harmless(t, path, got.Body.String(), payload)
			}
		}
		desktest.Harmless(t, "home", h.SignInAs(t, p).Get("/admin").Body.String(), words[0])
		for path, shown := range map[string][]string{
			"/admin": nil, "/admin/staff": {words[0]}, fmt.Sprintf("/admin/staff/%d", p.ID): {words[0]}, "/admin/audit": words, "/admin/outbox": words,
		} {
			got := plain.Get(path)
			require.Equal(t, http.StatusOK, got.Code, path)
			desktest.Harmless(t, path, got.Body.String(), shown...)
		}
		for _, path := range []string{fmt.Sprintf("/admin/staff/%d/disabling", p.ID), fmt.Sprintf("/admin/staff/%d/role", p.ID), newestRequest(t, h)} {
			got := plain.Part(path)
			require.Equal(t, http.StatusOK, got.Code, path)
			desktest.Harmless(t, path, got.Body.String(), words[0])
		}
		letter := plain.Send(newestReveal(t, h), url.Values{"reason": {"because: " + words[2]}})
		desktest.Harmless(t, "letter", letter.Body.String(), words[5])
		desktest.Harmless(t, "product", approver.Get("/admin/products/1").Body.String(), words[0], words[1])
		desktest.Harmless(t, "approval", approver.Part(change+"/approval").Body.String(), words[0], words[1])
		desktest.Harmless(t, "home", approver.Get("/admin").Body.String())
		require.Equal(t, http.StatusOK, approver.Send(change+"/refusal", nil).Code)
		for i, again := range []string{"", "1"} {
			form := draft(1, map[string]string{"stop_level": words[i], "tiers": words[i]}, "2026-11-25T00:00", words[i])
			form.Set("again", again)
			desktest.Harmless(t, "terms", admin.Send("/admin/products/1/terms/review", form).Body.String(), words[i])
		}
		form := draft(1, map[string]string{"stop_level": "30"}, "2026-11-25T00:00", "because: "+words[5])
		desktest.Harmless(t, "review", admin.Send("/admin/products/1/terms/review", form).Body.String(), words[5])
		form = url.Values{"ex_date": {words[0]}, "amount": {words[1]}, "reason": {words[2]}}
		desktest.Harmless(t, "dividend", admin.Send("/admin/products/301/dividend/review", form).Body.String(), words[:3]...)
		again := plain.Prove(t, "/admin/staff/invitation", url.Values{"name": {words[3]}, "email": {words[4]}})
		require.Equal(t, http.StatusUnprocessableEntity, again.Code)
		desktest.Harmless(t, "invitation", again.Body.String(), words[3], words[4])
	}
}

// tell writes two audit entries and a message that consist of a payload.
func (h *office) tell(t *testing.T, p staff.Person, payload string) {
	t.Helper()
	entry := audit.By(audit.Actor{Kind: audit.Staff, ID: p.ID, Name: payload, Roles: payload, IP: payload, Agent: payload, TraceID: payload}, h.Clock.Now(), "outbox.reveal", "message", payload)
	after, err := json.Marshal(map[string]string{"reason": payload, "recipient": payload, payload: "y"})
	require.NoError(t, err)
	entry.Before, entry.After = `{"state":"x"}`, string(after)
	h.act(t, entry)
	entry.Action, entry.After = payload, payload
	h.act(t, entry)
	require.NoError(t, h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return h.Outbox.SendTx(t.Context(), tx, mail.Message{Kind: "register_code", Channel: mail.Mail, Recipient: payload, Subject: payload, Body: payload, CreatedAt: h.Clock.Now()})
	}))
}

func newest(t *testing.T, h *office, query string) (id int64) {
	t.Helper()
	require.NoError(t, h.DB.Pool.QueryRow(t.Context(), query).Scan(&id))
	return id
}

func newestReveal(t *testing.T, h *office) string {
	return fmt.Sprintf("/admin/outbox/%d/reveal", newest(t, h, `SELECT max(id) FROM outbox`))
}

func newestRequest(t *testing.T, h *office) string {
	return fmt.Sprintf("/admin/role-requests/%d/approval", newest(t, h, `SELECT max(id) FROM approvals WHERE use = 'staff_role'`))
}

func newestEntry(t *testing.T, h *office) string {
	return fmt.Sprintf("/admin/audit/%d", newest(t, h, `SELECT max(id) FROM audit_entries`))
}

func copyAssets(t *testing.T, out string) {
	t.Helper()
	from := os.DirFS("../../customer-web/dist")
	files, err := fs.Glob(from, "assets/*")
	require.NoError(t, err)
	for _, name := range files {
		raw, err := fs.ReadFile(from, name)
		require.NoError(t, err)
		write(t, filepath.Join(out, name), raw)
	}
}

func write(t *testing.T, name string, raw []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, raw, 0o644))
}

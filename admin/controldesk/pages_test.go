package controldesk_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/mail"
	"candor/app/staff"
	"candor/templates/assets"
)

// pages are the addresses to look at, by name; a person's page and its dialogs take an id.
func pages(p map[string]staff.Person) map[string]string {
	id := func(path, name string) string { return fmt.Sprintf(path, p[name].ID) }
	return map[string]string{
		"home": "/admin", "staff": "/admin/staff", "person": id("/admin/staff/%d", "Support agent 07"), "myself": id("/admin/staff/%d", "Super admin 01"),
		"invited": "/admin/staff/108", "disabled": id("/admin/staff/%d", "Content editor 02"), "audit": "/admin/audit", "audit-filtered": "/admin/audit?result=denied&from=2026-11-19&to=2026-11-20&person=supp",
		"audit-empty": "/admin/audit?area=outbox", "entry": "/admin/audit/9", "outbox": "/admin/outbox", "outbox-empty": "/admin/outbox?to=nobody", "products": "/admin/products", "product": "/admin/products/1",
		"product-stock": "/admin/products/301", "product-plain": "/admin/products/102", "nothing": "/admin/nothing",
	}
}

func dialogs(p map[string]staff.Person) []string {
	person := fmt.Sprintf("/admin/staff/%d", p["Support agent 07"].ID)
	return []string{
		"/admin/staff/invitation", person + "/disabling", person + "/authenticator", person + "/fresh-start", person + "/role", person + "/roles/support_agent/revocation",
		fmt.Sprintf("/admin/staff/%d/enabling", p["Content editor 02"].ID), "/admin/staff/108/invitation", "/admin/staff/108/disabling",
		"/admin/role-requests/2/approval", "/admin/role-requests/2/refusal", "/admin/role-requests/1/withdrawal", "/admin/outbox/1/reveal", "/admin/audit/filter",
	}
}

// TestPages renders every page and dialog. With KIT_OUT it writes the pages there, to be looked at.
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
	rows := root.Part("/admin/products/prices")
	require.Equal(t, http.StatusOK, rows.Code)
	checkWords(t, "prices", rows.Body.String())
	for name, paths := range map[string][]string{
		"Config admin 01":    {"/admin/products/101/terms", "/admin/products/302/dividend", "/admin/product-changes/4/withdrawal"},
		"Config approver 01": {"/admin/product-changes/4/approval", "/admin/product-changes/4/refusal", "/admin/product-changes/5/approval"},
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
	require.Equal(t, http.StatusSeeOther, browser.Get(path).Code, "%s typed into the address bar leads to its page", path)
}

var (
	rawKey   = regexp.MustCompile(`[>"]\s*(ui|layout|nav|role|problem|error|field|staff|audit|home|product|outbox|permission|signin|time|act|keys)\.[a-z_]+[a-z_.]*\s*[<"]`)
	noWords  = regexp.MustCompile(`\{\{[a-z]+\}\}`)
	scriptOf = regexp.MustCompile(`(?s)<template id="words".*?</template>`)
)

// checkWords finds keys without words and arguments without values.
func checkWords(t *testing.T, path, body string) {
	t.Helper()
	body = scriptOf.ReplaceAllString(body, "")
	require.NotRegexp(t, rawKey, body, path)
	require.NotRegexp(t, noWords, body, path)
}

// payloads are what somebody may call themselves.
var payloads = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'"><svg/onload=alert(1)>`, `javascript:alert(1)`, `</title><script>alert(1)</script>`,
	`<a href="javascript:alert(1)">x</a>`, `{{constructor.constructor('alert(1)')()}}`, `<iframe srcdoc="<script>alert(1)</script>">`, `" hx-get="/admin/staff" hx-trigger="load`,
	`<div hx-on:load="alert(1)">`, `<input autofocus onfocus=alert(1)>`, `<style>*{background:url(//evil.example)}</style>`, "\u202egnp.exe", `<!--`, `]]>`, `&lt;script&gt;`, `<form action=//evil.example>`,
	`<math><mtext></p><img src onerror=alert(1)>`, `<template><script>alert(1)</script></template>`, `<base href=//evil.example>`,
}

// TestPayloads puts each payload wherever a person's words show, and wants pages that hold nothing but our own markup.
func TestPayloads(t *testing.T) {
	t.Parallel()
	h := open(t)
	plain := h.SignIn(t, access.SuperAdmin)
	second := h.Hire(t, "Second", access.SuperAdmin)
	approver, admin := h.SignIn(t, access.ConfigApprover), h.SignIn(t, access.ConfigAdmin)
	for _, payload := range payloads {
		p := h.Hire(t, payload, access.SupportAgent)
		change := fmt.Sprintf("/admin/product-changes/%d", h.askTerms(t, p, eurusd, 48, map[string]string{"stop_level": "30"}, payload))
		_, err := h.Staff.AskRole(t.Context(), actor(second), p.ID, staff.Risk)
		require.NoError(t, err)
		entry := audit.By(audit.Actor{Kind: audit.Staff, ID: p.ID, Name: payload, Roles: payload, IP: payload, Agent: payload, TraceID: payload}, h.Clock.Now(), "outbox.reveal", "message", payload)
		entry.Before, entry.After = `{"state":"x"}`, fmt.Sprintf(`{"reason":%q,"recipient":%q,%q:"y"}`, payload, payload, payload)
		h.act(t, entry)
		entry.Action, entry.After = payload, payload
		h.act(t, entry)
		require.NoError(t, h.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return h.Outbox.SendTx(t.Context(), tx, mail.Message{Channel: mail.Mail, Recipient: payload, Subject: payload, Body: payload, CreatedAt: h.Clock.Now()})
		}))
		evil := h.SignInAs(t, p)
		own := clean(t, evil.Get("/admin").Body.String())
		require.Contains(t, own, payload, "the name is shown, as words")

		query := url.QueryEscape(payload)
		for _, path := range []string{
			"/admin", "/admin/staff", fmt.Sprintf("/admin/staff/%d", p.ID), "/admin/audit", "/admin/outbox", "/admin/audit?person=" + query + "&target=" + query + "&from=" + query, "/admin/outbox?to=" + query,
			"/admin/audit?area=" + query + "&kind=" + query,
		} {
			got := plain.Get(path)
			require.Equal(t, http.StatusOK, got.Code, path)
			clean(t, got.Body.String())
		}
		for _, path := range []string{fmt.Sprintf("/admin/staff/%d/disabling", p.ID), fmt.Sprintf("/admin/staff/%d/role", p.ID), newestReveal(t, h), newestRequest(t, h), newestEntry(t, h)} {
			got := plain.Part(path)
			require.Equal(t, http.StatusOK, got.Code, path)
			require.Contains(t, clean(t, got.Body.String()), payload)
		}
		letter := plain.Send(newestReveal(t, h), url.Values{"reason": {"because: " + payload}})
		require.Contains(t, clean(t, letter.Body.String()), payload)
		require.Contains(t, clean(t, approver.Get("/admin/products/1").Body.String()), payload)
		require.Contains(t, clean(t, approver.Part(change+"/approval").Body.String()), payload)
		clean(t, approver.Get("/admin").Body.String())
		require.Equal(t, http.StatusOK, approver.Send(change+"/refusal", nil).Code)
		form := draft(1, map[string]string{"stop_level": payload, "tiers": payload}, "2026-11-25T00:00", payload)
		for _, again := range []string{"", "1"} {
			form.Set("again", again)
			require.Contains(t, clean(t, admin.Send("/admin/products/1/terms/review", form).Body.String()), payload)
		}
		form = draft(1, map[string]string{"stop_level": "30"}, "2026-11-25T00:00", "because: "+payload)
		require.Contains(t, clean(t, admin.Send("/admin/products/1/terms/review", form).Body.String()), payload)
		form = url.Values{"ex_date": {payload}, "amount": {payload}, "reason": {payload}}
		require.Contains(t, clean(t, admin.Send("/admin/products/301/dividend/review", form).Body.String()), payload)
		again := plain.Send("/admin/staff/invitation", url.Values{"name": {payload}, "email": {payload}})
		require.Equal(t, http.StatusUnprocessableEntity, again.Code)
		clean(t, again.Body.String())
	}
}

func newest(t *testing.T, h *house, query string) (id int64) {
	t.Helper()
	require.NoError(t, h.DB.Pool.QueryRow(t.Context(), query).Scan(&id))
	return id
}

func newestReveal(t *testing.T, h *house) string {
	return fmt.Sprintf("/admin/outbox/%d/reveal", newest(t, h, `SELECT max(id) FROM outbox`))
}

func newestRequest(t *testing.T, h *house) string {
	return fmt.Sprintf("/admin/role-requests/%d/approval", newest(t, h, `SELECT max(id) FROM staff_role_requests`))
}

func newestEntry(t *testing.T, h *house) string {
	return fmt.Sprintf("/admin/audit/%d", newest(t, h, `SELECT max(id) FROM audit_entries`))
}

// clean parses a page as a browser does and refuses every element, attribute and address that is not ours; it returns the words.
func clean(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var words strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.TextNode:
			words.WriteString(n.Data)
		case html.ElementNode:
			checkElement(t, n, page)
			for _, a := range n.Attr {
				words.WriteString("\n" + a.Val)
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child)
		}
	}
	walk(root)
	return words.String()
}

var forbidden = map[string]bool{"script": true, "style": true, "iframe": true, "object": true, "embed": true, "base": true, "math": true, "img": true}

func checkElement(t *testing.T, n *html.Node, page string) {
	t.Helper()
	require.False(t, forbidden[n.Data], "a page holds <%s>:\n%s", n.Data, page)
	for _, a := range n.Attr {
		name := strings.ToLower(a.Key)
		require.False(t, strings.HasPrefix(name, "on") || name == "style" || name == "srcdoc" || name == "formaction", "an attribute %s=%q", a.Key, a.Val)
		switch {
		case name == "href" || name == "action" || name == "src":
			require.True(t, a.Val == "" || strings.HasPrefix(a.Val, "/admin") || strings.HasPrefix(a.Val, "#"), "an address %s=%q", a.Key, a.Val)
		case strings.HasPrefix(name, "hx-"):
			require.NotContains(t, a.Val, "alert", "%s=%q", a.Key, a.Val)
		}
	}
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

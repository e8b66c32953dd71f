package newsdesk_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/newsdesk"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/notice"
	"candor/app/notice/noticetest"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	uploads "candor/app/platform/upload"
	"candor/app/switches"
	"candor/app/trader"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// office is an office with the content desk, and the content of a new installation.
type office struct {
	*desktest.Office
	notices   *notice.Service
	approvals *approval.Engine
}

func open(t testing.TB) *office {
	t.Helper()
	h := &office{}
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	h.Office = desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) {
		values, err := switches.Load(t.Context(), c.DB, nil)
		require.NoError(t, err)
		require.NoError(t, notice.Seed(t.Context(), c.DB, c.Clock.Now()))
		h.approvals = approval.New(c.DB, c.Clock, nil)
		h.notices = notice.New(c.DB, c.Clock, values, bus, trader.Readers{DB: c.DB}, h.approvals)
		c.Health = desktest.Healthy
		c.Counts = map[string]func(context.Context) (desk.Waiting, error){"content": newsdesk.Waiting(h.notices)}
	})
	h.Mount(newsdesk.Routes(newsdesk.Services{Notices: h.notices, Uploads: uploads.New(uploads.DefaultLimits(), nil), Audit: audit.NewLog(h.DB), App: h.app()}))
	return h
}

// app is a trader app whose calls answer with what they were asked.
func (h *office) app() newsdesk.App {
	return newsdesk.App{
		Calls: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, "%s %s %q %q %q", r.Method, r.URL, r.Header.Get("Cookie"), r.Header.Get("apptoken"), r.Header.Get("language"))
		}),
		Policy: func(nonce string) string { return "frame-ancestors 'self'; style-src 'nonce-" + nonce + "'" }, SignKey: "a key",
	}
}

// previewed is what the preview of an item shows of a form.
type previewed struct {
	Language, Note string
	Draft          struct {
		Kind, Key, Locale, Title, Summary, Body, Link, Severity string
		MustAck                                                 bool
	}
}

func preview(t *testing.T, by *desktest.Browser, address string, form url.Values) (out previewed) {
	t.Helper()
	got := by.Send(address+"/preview", form)
	require.Equal(t, http.StatusOK, got.Code, got.Body)
	require.NoError(t, json.Unmarshal(got.Body.Bytes(), &out))
	return out
}

// begun creates an item of a kind, and returns its address.
func (h *office) begun(t *testing.T, by *desktest.Browser, kind notice.Kind) (id int64, address string) {
	t.Helper()
	answer := by.Send("/admin/content", url.Values{"kind": {string(kind)}})
	require.Equal(t, http.StatusNoContent, answer.Code, answer.Body)
	address = answer.Header().Get("HX-Redirect")
	_, err := fmt.Sscanf(address, "/admin/content/%d", &id)
	require.NoError(t, err)
	return id, address
}

func (h *office) get(t *testing.T, id int64) notice.ItemDetails {
	t.Helper()
	whole, err := h.notices.Get(t.Context(), id)
	require.NoError(t, err)
	return whole
}

// form is the form of an item's page, with some fields replaced.
func (h *office) form(t *testing.T, id int64, more ...string) url.Values {
	t.Helper()
	n := h.get(t, id)
	form := url.Values{
		"version": {fmt.Sprint(n.Item.Version)}, "locale": {"en"}, "title": {n.Text("en").Title}, "summary": {n.Text("en").Summary}, "body": {n.Text("en").Body}, "alt": {n.Text("en").Alt},
		"category": {n.Newest.Category}, "placement": {n.Newest.Placement}, "severity": {n.Newest.Severity}, "audience": {n.Newest.Audience}, "frequency": {n.Newest.Frequency},
	}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func (h *office) version(t *testing.T, id int64, more ...string) url.Values {
	t.Helper()
	form := url.Values{"version": {fmt.Sprint(h.get(t, id).Item.Version)}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// shown is the form of a dialog that publishes an item.
func (h *office) shown(t *testing.T, id int64) url.Values {
	t.Helper()
	form := h.version(t, id)
	if a := h.get(t, id).Newest.Approval; a != nil {
		form.Set("facts", hex.EncodeToString(a.Facts))
	}
	return form
}

// unsaid matches a text key that is shown instead of its text.
var unsaid = regexp.MustCompile(`[>"]\s*(content|field|nav)\.[a-z_]+[a-z_.]*\s*[<"]`)

func TestANoticeGoesFromDraftToLive(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor, publisher := h.SignIn(t, access.ContentEditor), h.SignIn(t, access.ContentPublisher)
	id, address := h.begun(t, editor, notice.Notice)
	page := editor.Get(address).Body.String()
	require.NotRegexp(t, unsaid, page)
	for _, want := range []string{"No title yet", "The English text is missing", "Save draft", "Submit for review…", "简体中文", "sandbox=\"allow-scripts allow-same-origin\""} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "Publish…", "no button for its author")

	for field, wrong := range map[string][2]string{"link": {"javascript:alert(1)", "full https address"}, "countries": {"Germany", "list"}, "ends": {"2020-01-01T00:00", "past"}} {
		answer := editor.Send(address+"/text", h.form(t, id, "title", "Pause on Sunday", "body", "<p>We update.</p>", field, wrong[0]))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, field)
		require.Contains(t, answer.Body.String(), `aria-invalid="true"`, field)
		require.Contains(t, answer.Body.String(), "Pause on Sunday", "what was typed is still there")
		require.Empty(t, h.get(t, id).Text("en").Title, "nothing of it is stored")
	}
	saved := editor.Send(address+"/text", h.form(t, id, "title", "Pause on Sunday", "summary", "We update.", "body", "<p>We <b onclick=x>update</b>.</p>", "placement", "strip"))
	require.Equal(t, http.StatusOK, saved.Code, saved.Body)
	require.Equal(t, "<p>We update.</p>", h.get(t, id).Text("en").Body)
	require.Equal(t, "strip", h.get(t, id).Newest.Placement)
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "locale", "zh_CN", "title", "周日暂停", "body", "<p>更新</p>")).Code)
	require.Contains(t, editor.Get(address+"?locale=zh_CN").Body.String(), "周日暂停")
	require.Contains(t, editor.Get(address+"?locale=ar").Body.String(), `dir="rtl"`)

	require.Equal(t, http.StatusForbidden, editor.Send(address+"/approval", h.version(t, id)).Code)
	require.Equal(t, http.StatusForbidden, publisher.Send(address+"/submission", h.version(t, id)).Code)
	require.Equal(t, http.StatusConflict, publisher.Send(address+"/approval", h.shown(t, id)).Code)
	require.Equal(t, http.StatusOK, editor.Part(address+"/submission").Code)
	require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id)).Code)
	list := publisher.Get("/admin/content?tab=requested").Body.String()
	require.Contains(t, list, "Pause on Sunday")
	require.Contains(t, list, "In review, not live")
	require.NotContains(t, list, "Practise first")

	back := publisher.Send(address+"/rejection", h.version(t, id, "reason", "no"))
	require.Equal(t, http.StatusUnprocessableEntity, back.Code)
	require.Equal(t, http.StatusOK, publisher.Send(address+"/rejection", h.version(t, id, "reason", "say until when")).Code)
	require.Contains(t, editor.Get(address).Body.String(), "say until when")
	require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id)).Code)
	ask := publisher.Part(address + "/approval").Body.String()
	require.Contains(t, ask, "周日暂停")
	require.NotRegexp(t, unsaid, ask)
	stale := h.shown(t, id)
	require.Contains(t, ask, stale.Get("facts"))
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", "Pause on Monday")).Code)
	require.Equal(t, http.StatusConflict, publisher.Send(address+"/approval", stale).Code, "another form than the one that was looked at")
	require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id)).Code)
	require.Equal(t, http.StatusOK, publisher.Send(address+"/approval", h.shown(t, id)).Code)
	require.NotNil(t, h.get(t, id).Item.LiveID)

	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", "Pause on Tuesday")).Code)
	require.Contains(t, editor.Get(address).Body.String(), "Revision 1 is live")
	compared := editor.Part(address + "/revisions/2").Body.String()
	require.Contains(t, compared, "Pause on Monday")
	require.Contains(t, compared, "Pause on Tuesday")
	require.Equal(t, http.StatusOK, publisher.Send(address+"/removal", h.version(t, id, "reason", "it was cancelled")).Code)
	require.Nil(t, h.get(t, id).Item.LiveID)
	require.Equal(t, http.StatusOK, publisher.Send(address+"/archiving", h.version(t, id)).Code)
	require.NotContains(t, publisher.Get("/admin/content").Body.String(), "Pause on")
	require.Contains(t, publisher.Get("/admin/content?tab=archived").Body.String(), "Pause on Tuesday")
}

// TestWhatIsOverAtItsStart: the desk shows when an item goes live, and why it did not.
func TestWhatIsOverAtItsStart(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor, publisher := h.SignIn(t, access.ContentEditor), h.SignIn(t, access.ContentPublisher)
	id, address := h.begun(t, editor, notice.Notice)
	starts, ends := h.Clock.Now().Add(24*time.Hour).Format("2006-01-02T15:04"), h.Clock.Now().Add(48*time.Hour).Format("2006-01-02T15:04")
	saved := editor.Send(address+"/text", h.form(t, id, "title", "Pause", "body", "<p>We update.</p>", "starts", starts, "ends", ends))
	require.Equal(t, http.StatusOK, saved.Code, saved.Body)
	require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id)).Code)
	require.Contains(t, publisher.Send(address+"/approval", h.shown(t, id)).Body.String(), "Scheduled, not live")
	require.Contains(t, editor.Get("/admin/content?tab=scheduled").Body.String(), "Pause")
	h.Clock.Advance(72 * time.Hour)
	n, err := h.approvals.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	editor = h.SignIn(t, access.ContentEditor) // the first session is over
	page := editor.Get(address).Body.String()
	require.Contains(t, page, "It did not go live as scheduled:")
	require.Contains(t, page, "The end date has passed.")
	require.Contains(t, editor.Get("/admin/content?tab=draft").Body.String(), "Pause")
}

func TestAnItemIsForAPlatform(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor := h.SignIn(t, access.ContentEditor)
	id, address := h.begun(t, editor, notice.Notice)
	require.Contains(t, editor.Get(address).Body.String(), `<option value="" selected>All platforms`)
	saved := editor.Send(address+"/text", h.form(t, id, "title", "Only here", "body", "<p>Here.</p>", "platforms", "1"))
	require.Equal(t, http.StatusOK, saved.Code, saved.Body)
	require.Contains(t, saved.Body.String(), `<option value="1" selected>Web app`)
	require.Equal(t, []string{"1"}, h.get(t, id).Newest.Platforms)
	require.Contains(t, editor.Part(address+"/revisions/1").Body.String(), "Web app")
	wrong := editor.Send(address+"/text", h.form(t, id, "platforms", "9"))
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Equal(t, []string{"1"}, h.get(t, id).Newest.Platforms)
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id)).Code)
	require.Empty(t, h.get(t, id).Newest.Platforms)
}

func TestGoingBackToARevision(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor, publisher := h.SignIn(t, access.ContentEditor), h.SignIn(t, access.ContentPublisher)
	id, address := h.begun(t, editor, notice.Notice)
	back := address + "/revisions/1/restoration"
	for _, title := range []string{"Pause on Sunday", "Pause on Monday"} {
		require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", title, "body", "<p>We update.</p>")).Code)
		open := editor.Send(back, h.version(t, id))
		require.Equal(t, http.StatusConflict, open.Code)
		require.Contains(t, open.Body.String(), "Another revision is already open.")
		require.NotContains(t, editor.Get(address).Body.String(), "/restoration")
		require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id)).Code)
		require.Equal(t, http.StatusOK, publisher.Send(address+"/approval", h.shown(t, id)).Code)
	}
	page := editor.Get(address).Body.String()
	require.Contains(t, page, back)
	require.NotContains(t, page, address+"/revisions/2/restoration", "it is the newest")
	require.NotContains(t, publisher.Get(address).Body.String(), "/restoration")
	require.Equal(t, http.StatusForbidden, publisher.Send(back, h.version(t, id)).Code)
	require.Equal(t, http.StatusNotFound, editor.Send(address+"/revisions/9/restoration", h.version(t, id)).Code)
	stale := h.version(t, id)

	done := editor.Send(back, h.version(t, id))
	require.Equal(t, http.StatusOK, done.Code, done.Body)
	require.Contains(t, done.Body.String(), "Draft created from revision 1.")
	require.NotRegexp(t, unsaid, done.Body.String())
	whole := h.get(t, id)
	require.Equal(t, []any{3, notice.Drafted, "Pause on Sunday"}, []any{whole.Newest.Number, whole.Newest.State, whole.Text("en").Title})
	require.Equal(t, 2, whole.Live().Number)
	require.Equal(t, http.StatusConflict, editor.Send(back, stale).Code)
}

// TestTellingEverybodyAgain: the author's checkbox is shown when an earlier revision may have been confirmed, and preset when confirmation is required.
func TestTellingEverybodyAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor, publisher := h.SignIn(t, access.ContentEditor), h.SignIn(t, access.ContentPublisher)
	for _, c := range []struct {
		kind          notice.Kind
		mustAck       string
		asked, ticked bool
	}{{notice.Popup, "on", true, true}, {notice.Popup, "", true, false}, {notice.Notice, "", true, false}, {notice.News, "", false, false}} {
		id, address := h.begun(t, editor, c.kind)
		write := func(title string) string {
			require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", title, "body", "We rest.", "must_ack", c.mustAck)).Code)
			return editor.Part(address + "/submission").Body.String()
		}
		publish := func(again string) (dialog string) {
			require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id, "again", again)).Code)
			dialog = publisher.Part(address + "/approval").Body.String()
			require.Equal(t, http.StatusOK, publisher.Send(address+"/approval", h.shown(t, id)).Code)
			return dialog
		}
		require.NotContains(t, write("New hours"), "Notify everyone again", "nobody has been told")
		require.NotContains(t, publish(""), "Notify everyone again")
		dialog := write("Other hours")
		require.Equal(t, c.asked, strings.Contains(dialog, "Notify everyone again"), c.kind)
		require.Equal(t, c.ticked, regexp.MustCompile(`name="again"[^>]* checked`).MatchString(dialog), c.kind)
		require.Contains(t, publish("on"), "Notify everyone again", "the publisher sees it")
		require.Equal(t, 2, h.get(t, id).Item.ToldFrom)
		if c.kind == notice.Popup {
			require.Contains(t, editor.Get(address).Body.String(), "Confirmed since revision 2")
		}
		write("Later hours")
		publish("")
		require.Equal(t, 2, h.get(t, id).Item.ToldFrom, "without the tick the marks stay")
	}
}

// TestWhoKnowsNoHTML: plain text becomes paragraphs, and is plain text again in the form.
func TestWhoKnowsNoHTML(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor := h.SignIn(t, access.ContentEditor)
	id, address := h.begun(t, editor, notice.Notice)
	const letter = "We rest on Sunday.\n\nFrom 10:00\nto 11:00"
	require.Equal(t, "<p>We rest on Sunday.</p>\n<p>From 10:00<br>to 11:00</p>", preview(t, editor, address, h.form(t, id, "title", "Pause", "body", letter)).Draft.Body)
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", "Pause", "body", strings.ReplaceAll(letter, "\n", "\r\n"))).Code)
	require.Equal(t, "<p>We rest on Sunday.</p>\n<p>From 10:00<br>to 11:00</p>", h.get(t, id).Text("en").Body)
	require.Contains(t, editor.Get(address).Body.String(), ">"+letter+"</textarea>")
	before := h.get(t, id).Text("en").ChangedAt
	h.Clock.Advance(time.Minute)
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "body", letter, "link", "/quotes")).Code)
	require.Equal(t, before, h.get(t, id).Text("en").ChangedAt, "what was not changed is not written")
}

func TestEveryItemHasAPage(t *testing.T) {
	t.Parallel()
	h := open(t)
	for _, member := range []*desktest.Browser{h.SignIn(t, access.Auditor), h.SignIn(t, access.ContentPublisher), h.SignIn(t, access.ContentEditor)} {
		list := member.Get("/admin/content").Body.String()
		require.NotRegexp(t, unsaid, list)
		addresses := regexp.MustCompile(`/admin/content/\d+"`).FindAllString(list, -1)
		require.NotEmpty(t, addresses)
		for _, address := range addresses {
			page := member.Get(strings.TrimSuffix(address, `"`))
			require.Equal(t, http.StatusOK, page.Code, address)
			require.NotRegexp(t, unsaid, page.Body.String())
		}
	}
	auditor := h.SignIn(t, access.Auditor)
	page := auditor.Get("/admin/content/2001").Body.String()
	for _, act := range []string{"Save draft", "Save as", "Upload", "Take down…", "Submit for review…"} {
		require.NotContains(t, page, act)
	}
	auditor = h.SignIn(t, access.ContentPublisher)
	for _, path := range []string{"/admin/content/1", "/admin/content/x", "/admin/content-order/notice", "/admin/content-order/gossip", "/admin/content-images/" + strings.Repeat("0", 64), "/admin/content-images/x"} {
		require.Equal(t, http.StatusNotFound, auditor.Get(path).Code, path)
	}
	require.Equal(t, http.StatusForbidden, h.SignIn(t, access.FinanceMaker).Get("/admin/content").Code)
}

// TestATranslatorSeesTheSource: the source is beside an empty form, another can be chosen, and the preview shows what readers see meanwhile.
func TestATranslatorSeesTheSource(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor := h.SignIn(t, access.ContentEditor)
	id, address := h.begun(t, editor, notice.Notice)
	require.NotContains(t, editor.Get(address+"?locale=ko").Body.String(), `id="source"`, "nothing is there to translate")
	require.Equal(t, "No text yet.", preview(t, editor, address, url.Values{"locale": {"ko"}}).Note)
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "locale", "zh_CN", "title", "周日暂停", "body", "更新")).Code)
	require.Equal(t, "周日暂停", preview(t, editor, address, url.Values{"locale": {"ko"}}).Draft.Title, "Chinese before English is there")
	require.Contains(t, editor.Get(address).Body.String(), `id="source"`, "the English text is missing")
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", "Pause", "body", "We rest.")).Code)
	require.NotContains(t, editor.Get(address).Body.String(), `id="source"`)

	page := editor.Get(address + "?locale=ko").Body.String()
	source := within(page, `id="source"`, "</section>")
	require.Contains(t, source, "We rest.")
	require.Contains(t, source, "简体中文")
	require.Contains(t, page, `title="No 한국어 text yet. Its readers see the English text."`)
	other := editor.Part(address + "/source?locale=ko&source=zh_CN").Body.String()
	require.Contains(t, other, "更新")
	require.NotContains(t, other, "We rest.")
	require.Equal(t, http.StatusNotFound, editor.Part("/admin/content/1/source?locale=ko").Code)
	look := preview(t, editor, address, url.Values{"locale": {"ko"}, "severity": {"danger"}})
	require.Equal(t, "No 한국어 text yet. Its readers see the English text.", look.Note)
	require.Equal(t, []string{"ko", "en", "Pause", "<p>We rest.</p>"}, []string{look.Language, look.Draft.Locale, look.Draft.Title, look.Draft.Body})
	require.Equal(t, "danger", look.Draft.Severity, "the settings are those of the form")
	look = preview(t, editor, address, url.Values{"locale": {"ko"}, "title": {"쉼"}, "body": {"쉽니다"}})
	require.Equal(t, []string{"", "ko", "쉼", "<p>쉽니다</p>"}, []string{look.Note, look.Draft.Locale, look.Draft.Title, look.Draft.Body})
}

// TestThePreviewFramesTheTraderApp: the page of an item may hold frames of ours and nothing else may, staff alone get the app in a frame, and its calls are those
// of a visitor.
func TestThePreviewFramesTheTraderApp(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor := h.SignIn(t, access.ContentEditor)
	_, address := h.begun(t, editor, notice.Notice)
	page := editor.Get(address)
	require.Contains(t, page.Body.String(), `src="/admin/content-preview?theme=light"`)
	policy := func(got *httptest.ResponseRecorder) string { return got.Header().Get("Content-Security-Policy") }
	require.Contains(t, policy(page), "frame-src 'self'")
	require.Contains(t, policy(page), "frame-ancestors 'none'")
	require.NotContains(t, policy(editor.Get("/admin/content")), "frame-src")

	frame := editor.Get("/admin/content-preview?theme=dark")
	require.Equal(t, http.StatusOK, frame.Code)
	require.Equal(t, "SAMEORIGIN", frame.Header().Get("X-Frame-Options"))
	require.Contains(t, policy(frame), "frame-ancestors 'self'")
	for _, want := range []string{`data-theme="dark"`, `content="a key"`} {
		require.Contains(t, frame.Body.String(), want)
	}
	_, nonce, _ := strings.Cut(policy(frame), "nonce-")
	require.Contains(t, frame.Body.String(), strings.TrimSuffix(nonce, "'"))
	call := httptest.NewRequest(http.MethodGet, "/admin/content-preview/client/api/findProductList?size=3", nil)
	call.Header.Set("language", "ko")
	call.Header.Set("apptoken", "of a trader")
	require.Equal(t, `GET /client/api/findProductList?size=3 "" "" "ko"`, editor.Do(call).Body.String())
	for _, path := range []string{"/admin/content-preview", "/admin/content-preview/client/api/findProductList"} {
		require.Equal(t, http.StatusForbidden, h.SignIn(t, access.FinanceMaker).Get(path).Code, path)
	}
	require.Equal(t, http.StatusNotFound, editor.Send("/admin/content-preview/client/api/findProductList", nil).Code, "it only reads")
}

// TestALanguageSwitchKeepsTheText: the switch saves the draft and goes on; a text that can't be saved stays in its form.
func TestALanguageSwitchKeepsTheText(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor := h.SignIn(t, access.ContentEditor)
	id, address := h.begun(t, editor, notice.Notice)
	next := editor.Send(address+"/text", h.form(t, id, "title", "Pause", "body", "We rest.", "next", "ar"))
	require.Equal(t, http.StatusOK, next.Code)
	require.Contains(t, next.Header().Get("HX-Push-Url"), "locale=ar")
	require.Contains(t, next.Body.String(), `name="locale" value="ar"`)
	require.Equal(t, "Pause", h.get(t, id).Text("en").Title)
	stays := editor.Send(address+"/text", h.form(t, id, "locale", "ar", "title", "عنوان", "body", "", "next", "de"))
	require.Equal(t, http.StatusUnprocessableEntity, stays.Code)
	require.Contains(t, stays.Body.String(), "عنوان")
	require.Contains(t, stays.Body.String(), `name="locale" value="ar"`)
	before := h.get(t, id).Item.Version
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "body", "We rest.", "next", "de")).Code)
	require.Equal(t, before, h.get(t, id).Item.Version, "nothing was typed")
	require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id)).Code)
	require.Contains(t, editor.Get(address).Body.String(), "It is in review. Save your changes")
}

// TestWhoSeesIt: an item that is not ready is not offered for review, and the dialogs say its whole audience.
func TestWhoSeesIt(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor, publisher := h.SignIn(t, access.ContentEditor), h.SignIn(t, access.ContentPublisher)
	id, address := h.begun(t, editor, notice.Banner)
	page := editor.Get(address).Body.String()
	require.NotContains(t, page, address+"/submission", "it is empty")
	require.Contains(t, page, "The English text is missing. It is required to publish.")
	wrong := editor.Send(address+"/text", h.form(t, id, "title", "Hours", "summary", "Closed on Friday.", "countries", "DE,Atlantis"))
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Contains(t, wrong.Body.String(), `data-code="DE"`)
	require.Contains(t, wrong.Body.String(), `value="Atlantis"`, "what was typed is not lost")
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", "Hours", "summary", "Closed on Friday.", "countries", "DE,AT", "languages", "ar", "audience", "verified")).Code)
	require.Contains(t, editor.Get(address).Body.String(), address+"/submission")
	for _, dialog := range []string{editor.Part(address + "/submission").Body.String(), func() string {
		require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id)).Code)
		return publisher.Part(address + "/approval").Body.String()
	}()} {
		for _, want := range []string{"Verified traders", "Germany, Austria", "العربية", "0 traders now"} {
			require.Contains(t, dialog, want)
		}
		require.NotContains(t, dialog, ">Everyone<")
	}
}

// TestTheListIsFiltered: each filter keeps what fits and leaves out the rest, and the file follows the filter.
func TestTheListIsFiltered(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor := h.SignIn(t, access.ContentEditor)
	id, address := h.begun(t, editor, notice.Notice)
	saved := editor.Send(address+"/text", h.form(t, id, "title", "Pause 50% longer", "body", "<p>We update servers.</p>", "countries", "DE,AT", "audience", "verified"))
	require.Equal(t, http.StatusOK, saved.Code, saved.Body)
	for query, found := range map[string]bool{
		"": true, "?kind=notice": true, "?kind=banner": false, "?tab=draft": true, "?tab=live": false, "?tab=archived": false, "?missing=de": true, "?missing=en": false,
		"?country=DE": true, "?country=FR": false, "?q=50%25": true, "?q=50_": false, "?q=UPDATE+servers": true, "?q=nothing+such": false, "?sort=oldest": true, "?kind=gossip": true,
	} {
		page := editor.Get("/admin/content" + query)
		require.Equal(t, http.StatusOK, page.Code, query)
		require.Equal(t, found, strings.Contains(page.Body.String(), "Pause 50% longer"), query)
		require.NotRegexp(t, unsaid, page.Body.String())
		file := editor.Get("/admin/content/file" + query).Body.String()
		require.Equal(t, found, strings.Contains(file, "Pause 50% longer"), query)
	}
	list := editor.Get("/admin/content?country=DE&tab=draft").Body.String()
	require.Contains(t, list, "Verified traders · Germany, Austria")
	require.Contains(t, list, "1 of 26")
	require.Equal(t, http.StatusForbidden, h.SignIn(t, access.FinanceMaker).Get("/admin/content/file").Code)
}

func TestOrderIsThePublishers(t *testing.T) {
	t.Parallel()
	h := open(t)
	publisher, editor := h.SignIn(t, access.ContentPublisher), h.SignIn(t, access.ContentEditor)
	require.Equal(t, http.StatusForbidden, editor.Get("/admin/content-order/banner").Code)
	require.NotContains(t, editor.Get("/admin/content").Body.String(), "content-order")
	require.Contains(t, publisher.Get("/admin/content").Body.String(), "content-order")
	require.Equal(t, http.StatusForbidden, editor.Send("/admin/content/2001/place", h.version(t, 2001, "sort", "2")).Code)
	order := func() (out []int64) {
		for _, match := range regexp.MustCompile(`id="content-(\d+)"`).FindAllStringSubmatch(publisher.Get("/admin/content-order/banner").Body.String(), -1) {
			var id int64
			_, err := fmt.Sscan(match[1], &id)
			require.NoError(t, err)
			out = append(out, id)
		}
		return out
	}
	was := order()
	require.Len(t, was, 2)
	placed := publisher.Send(fmt.Sprintf("/admin/content/%d/place", was[0]), h.version(t, was[0], "sort", "2"))
	require.Equal(t, http.StatusOK, placed.Code, placed.Body)
	require.Equal(t, []int64{was[1], was[0]}, order())
	page := publisher.Get("/admin/content-order/banner").Body.String()
	require.Equal(t, 1, len(regexp.MustCompile(`aria-label="Move [^"]* up"`).FindAllString(page, -1)), "the first goes no higher")
	require.Equal(t, 1, len(regexp.MustCompile(`aria-label="Move [^"]* down"`).FindAllString(page, -1)), "the last goes no lower")
	require.Equal(t, 2, strings.Count(page, "data-grip"))
	require.Equal(t, http.StatusUnprocessableEntity, publisher.Send("/admin/content/2001/place", h.version(t, 2001, "sort", "0")).Code)
	require.Equal(t, http.StatusUnprocessableEntity, publisher.Send("/admin/content/2001/place", h.version(t, 2001, "sort", "x")).Code)
}

// upload uploads a picture as the page does.
func upload(t *testing.T, b *desktest.Browser, address string, version int, raw []byte) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(t, form.WriteField("version", fmt.Sprint(version)))
	file, err := form.CreateFormFile("file", "x.jpg")
	require.NoError(t, err)
	_, err = file.Write(raw)
	require.NoError(t, err)
	require.NoError(t, form.Close())
	request := httptest.NewRequest(http.MethodPost, address+"/picture", &body)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("HX-Request", "true")
	return b.Do(request)
}

func TestPictures(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor := h.SignIn(t, access.ContentEditor)
	id, address := h.begun(t, editor, notice.Banner)
	var raw bytes.Buffer
	require.NoError(t, jpeg.Encode(&raw, image.NewRGBA(image.Rect(0, 0, 900, 900)), &jpeg.Options{Quality: 100}))
	answer := upload(t, editor, address, h.get(t, id).Item.Version, append(raw.Bytes(), bytes.Repeat([]byte{0}, 300<<10)...))
	require.Equal(t, http.StatusOK, answer.Code, "more than what is typed: %s", answer.Body)
	shown := regexp.MustCompile(`/admin/content-images/[0-9a-f]{64}`).FindString(answer.Body.String())
	require.NotEmpty(t, shown)
	served := editor.Get(shown)
	require.Equal(t, "image/jpeg", served.Header().Get("Content-Type"))
	size, err := jpeg.DecodeConfig(served.Body)
	require.NoError(t, err)
	require.Equal(t, size.Width, 2*size.Height)
	require.Equal(t, http.StatusUnprocessableEntity, upload(t, editor, address, h.get(t, id).Item.Version, []byte("<svg onload=alert(1)>")).Code)
	require.Equal(t, http.StatusForbidden, upload(t, h.SignIn(t, access.ContentPublisher), address, h.get(t, id).Item.Version, raw.Bytes()).Code)
	require.Equal(t, http.StatusOK, editor.Send(address+"/picture/removal", h.version(t, id)).Code)
	require.Empty(t, h.get(t, id).Newest.Image)
	before := h.get(t, id).Item.Version
	require.Equal(t, http.StatusUnprocessableEntity, editor.Send(address+"/text", h.form(t, id, "body", strings.Repeat("x", 300<<10))).Code, "a text is no picture")
	require.Equal(t, before, h.get(t, id).Item.Version)
}

// TestAPictureWaitsForABusyDatabase: an unknown picture is not found, but a busy database is reported as such.
func TestAPictureWaitsForABusyDatabase(t *testing.T) {
	t.Parallel()
	h := &office{Office: desktest.New(t, dbtest.New(t).URL)}
	services := newsdesk.Services{Notices: notice.New(h.DB, h.Clock, nil, nil, nil, nil)}
	routes := newsdesk.Routes(services)
	for _, route := range routes {
		if route.Path != "/content-images/:name" {
			continue
		}
		handle := route.Handle
		route.Path = "/busy-images/:name"
		route.Handle = func(r *desk.Request) error {
			busy, cancel := context.WithCancelCause(r.Context.Request().Context())
			cancel(db.ErrBusy)
			r.SetRequest(r.Request().WithContext(busy))
			return handle(r)
		}
		routes = append(routes, route)
		break
	}
	h.Mount(routes)
	editor, name := h.SignIn(t, access.ContentEditor), strings.Repeat("0", 64)
	require.Equal(t, http.StatusNotFound, editor.Get("/admin/content-images/"+name).Code)
	require.Equal(t, http.StatusServiceUnavailable, editor.Get("/admin/busy-images/"+name).Code)
}

// TestNothingThatIsWrittenRuns writes every payload into every field, and checks every page that shows it.
func TestNothingThatIsWrittenRuns(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor, auditor := h.SignIn(t, access.ContentEditor), h.SignIn(t, access.Auditor)
	id, address := h.begun(t, editor, notice.News)
	require.GreaterOrEqual(t, len(noticetest.Payloads), 60)
	for _, payload := range noticetest.Payloads {
		form := h.form(t, id, "title", clip(payload, notice.MaxTitle), "summary", payload, "alt", clip(payload, notice.MaxAlt), "body", "<p>Words "+payload+"</p>", "source", clip(payload, 60))
		look := editor.Send(address+"/preview", form)
		require.Empty(t, noticetest.Harm(preview(t, editor, address, form).Draft.Body), payload)
		saved := editor.Send(address+"/text", form)
		require.Equal(t, http.StatusOK, saved.Code, "%s: %s", payload, saved.Body)
		require.Empty(t, noticetest.Harm(h.get(t, id).Text("en").Body), payload)
		for _, page := range []string{saved.Body.String(), look.Body.String(), auditor.Get(address).Body.String(), auditor.Get("/admin/content?kind=news").Body.String(), auditor.Part(address + "/revisions/1").Body.String()} {
			for _, raw := range []string{payload, "onerror=alert(1)>", "<script>alert"} {
				if strings.ContainsAny(raw, "<>") {
					require.NotContains(t, page, raw, payload)
				}
			}
		}
	}
}

// within is the text between two others.
func within(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	inside, _, _ := strings.Cut(rest, to)
	return inside
}

func clip(text string, most int) string { return text[:min(len(text), most)] }

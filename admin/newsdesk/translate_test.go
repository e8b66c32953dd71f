package newsdesk_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/notice"
)

// send posts a translated file as the dialog does.
func send(t *testing.T, b *desktest.Browser, path, file, shown string) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(t, form.WriteField("shown", shown))
	part, err := form.CreateFormFile("file", "x.xlf")
	require.NoError(t, err)
	_, err = part.Write([]byte(file))
	require.NoError(t, err)
	require.NoError(t, form.Close())
	request := httptest.NewRequest(http.MethodPost, "/admin/content-translations"+path, &body)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("HX-Request", "true")
	return b.Do(request)
}

var shownField = regexp.MustCompile(`name="shown" value="([0-9a-f]{64})"`)

// TestTranslationsGoOutAndComeBack: the file of two languages is filled in, its differences are shown, and only then it is stored, as a draft.
func TestTranslationsGoOutAndComeBack(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor, publisher := h.SignIn(t, access.ContentEditor), h.SignIn(t, access.ContentPublisher)
	id, address := h.begun(t, editor, notice.Notice)
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", "Pause", "body", "We <strong>rest</strong>.")).Code)
	require.Equal(t, http.StatusOK, editor.Send(address+"/submission", h.version(t, id)).Code)
	require.Equal(t, http.StatusOK, publisher.Send(address+"/approval", h.shown(t, id)).Code)

	dialog := publisher.Part("/admin/content-translations/new").Body.String()
	require.Contains(t, dialog, notice.Number(id)+" Pause")
	require.NotRegexp(t, unsaid, dialog)
	for _, format := range []string{"xliff", "csv"} {
		file := publisher.Get(fmt.Sprintf("/admin/content-translations?item=%d&language=de&language=ar&source=en&format=%s&missing=on", id, format))
		require.Equal(t, http.StatusOK, file.Code)
		require.Contains(t, file.Header().Get("Content-Disposition"), "attachment")
		require.NotContains(t, file.Body.String(), "zh-Hans")
	}
	file := editor.Get(fmt.Sprintf("/admin/content-translations?item=%d&language=de&language=ar&source=en&format=xliff", id)).Body.String()
	german := regexp.MustCompile(`(?s)<file [^>]*target-language="de".*?</file>`)
	filled := german.ReplaceAllStringFunc(file, func(part string) string {
		return strings.Replace(strings.Replace(part, "<target></target>", "<target>Pause, deutsch</target>", 1), "<target></target>", "<target>&lt;p&gt;Wir &lt;strong&gt;ruhen&lt;/strong&gt;.&lt;/p&gt;</target>", 1)
	})
	require.NotEqual(t, file, filled)

	require.Contains(t, send(t, editor, "/check", file, "").Body.String(), "The file has no translated text.")
	checked := send(t, editor, "/check", filled, "")
	require.Equal(t, http.StatusOK, checked.Code)
	require.Contains(t, checked.Body.String(), "Pause, deutsch")
	require.Contains(t, checked.Body.String(), "Save 1 draft")
	require.Contains(t, checked.Body.String(), "beside the live version")
	require.Empty(t, h.get(t, id).Text("de").Title, "nothing is stored yet")
	shown := shownField.FindStringSubmatch(checked.Body.String())[1]

	require.Equal(t, http.StatusConflict, send(t, editor, "", strings.Replace(filled, "deutsch", "anders", 1), shown).Code, "another file than the one that was shown")
	require.Equal(t, http.StatusForbidden, send(t, publisher, "", filled, shown).Code)
	require.Equal(t, http.StatusOK, send(t, editor, "", filled, shown).Code)
	whole := h.get(t, id)
	require.Equal(t, []any{"Pause, deutsch", "", notice.Drafted}, []any{whole.Text("de").Title, whole.Text("ar").Title, whole.Newest.State})
	require.Equal(t, 1, whole.Live().Number, "the live revision is as it was")
	require.Equal(t, http.StatusConflict, send(t, editor, "", filled, shown).Code, "it was stored meanwhile")
	require.Contains(t, send(t, editor, "/check", filled, "").Body.String(), "1 text is unchanged.")
}

// TestWhichTranslationsAreRefused: each says why, and nothing of it is stored.
func TestWhichTranslationsAreRefused(t *testing.T) {
	t.Parallel()
	h := open(t)
	editor := h.SignIn(t, access.ContentEditor)
	id, address := h.begun(t, editor, notice.Notice)
	require.Equal(t, http.StatusOK, editor.Send(address+"/text", h.form(t, id, "title", "Pause {time}", "body", "We <strong>rest</strong>.")).Code)
	print := h.get(t, id).Text("en").Fingerprint()
	row := func(number, version, part, to, target string) string {
		return fmt.Sprintf("%s,%s,%s,en,%s,x,\"%s\"\n", number, version, part, to, target)
	}
	number := notice.Number(id)
	body := row(number, print, "body", "de", "<p>Wir <strong>ruhen</strong>.</p>")
	for name, c := range map[string]struct{ rows, want string }{
		"another version":  {row(number, "0011223344556677", "title", "de", "Pause {time}") + body, "has changed since this file was exported"},
		"no placeholder":   {row(number, print, "title", "de", "Pause") + body, "placeholders"},
		"other formatting": {row(number, print, "title", "de", "Pause {time}") + row(number, print, "body", "de", "<p>Wir ruhen.</p>"), "same formatting and links"},
		"no title":         {body, "Title:"},
		"unknown item":     {row("N-9", print, "title", "de", "Pause"), "Item not found"},
		"unknown language": {row(number, print, "title", "xx", "Pause"), "Language:"},
	} {
		answer := send(t, editor, "/check", "item,version,part,source_language,target_language,source,target\n"+c.rows, "")
		require.Equal(t, http.StatusOK, answer.Code, name)
		require.Contains(t, answer.Body.String(), "Not imported", name)
		require.Contains(t, answer.Body.String(), c.want, name)
		require.NotContains(t, answer.Body.String(), `name="shown"`, name)
		require.NotRegexp(t, unsaid, answer.Body.String())
	}
	for _, raw := range []string{"", "hello", `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><xliff version="1.2">&e;</xliff>`} {
		answer := send(t, editor, "/check", raw, "")
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		require.NotContains(t, answer.Body.String(), "root:")
	}
	require.Empty(t, h.get(t, id).Text("de").Title)
}

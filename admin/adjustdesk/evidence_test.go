package adjustdesk_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/adjustment"
)

// attach posts a file as the dialog does.
func attach(t *testing.T, who *desktest.Browser, a adjustment.Adjustment, raw []byte) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "line.png")
	require.NoError(t, err)
	_, err = file.Write(raw)
	require.NoError(t, err)
	require.NoError(t, form.Close())
	request := httptest.NewRequest(http.MethodPost, path(a, "evidence"), &body)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("HX-Request", "true")
	return who.Do(request)
}

// TestEvidence: the requester adds a picture, and who decides sees it, watermarked.
func TestEvidence(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.ask("in", "25.50")
	var raw bytes.Buffer
	require.NoError(t, png.Encode(&raw, image.NewGray(image.Rect(0, 0, 640, 400))))
	require.Contains(t, b.maker.Get(fmt.Sprint("/admin/adjustments/", a.ID)).Body.String(), "Add evidence…")
	require.NotContains(t, b.checker.Get(fmt.Sprint("/admin/adjustments/", a.ID)).Body.String(), "Add evidence…")
	require.Contains(t, b.maker.Part(path(a, "evidence")).Body.String(), "every view is logged")
	broken := attach(t, b.maker, a, []byte("no picture"))
	require.Equal(t, http.StatusUnprocessableEntity, broken.Code)
	require.Contains(t, broken.Body.String(), `id="file-error"`)
	done := attach(t, b.maker, a, raw.Bytes())
	require.Equal(t, http.StatusNoContent, done.Code, done.Body.String())

	page := b.checker.Get(fmt.Sprint("/admin/adjustments/", a.ID)).Body.String()
	require.Contains(t, page, "Evidence 1")
	found := regexp.MustCompile(`<img src="([^"]+/evidence/\d+)"`).FindStringSubmatch(page)
	require.NotNil(t, found)
	request := httptest.NewRequest(http.MethodGet, found[1], nil)
	request.Header.Set("Sec-Fetch-Dest", "image")
	shown := b.checker.Do(request)
	require.Equal(t, http.StatusOK, shown.Code)
	require.Equal(t, "image/jpeg", shown.Header().Get("Content-Type"))
	request.Header.Set("Sec-Fetch-Dest", "document")
	require.Equal(t, http.StatusForbidden, b.checker.Do(request).Code, "a picture is no page")
	require.Contains(t, b.maker.Get(fmt.Sprint("/admin/adjustments/", a.ID)).Body.String(), "viewed the evidence of "+a.Number())

	other := b.ask("in", "5")
	require.Equal(t, http.StatusNotFound, b.checker.Get(fmt.Sprint(path(other, "evidence"), "/1")).Code)
	second := b.seat("Finance maker 03", access.FinanceMaker)
	require.Equal(t, http.StatusForbidden, attach(t, second, a, raw.Bytes()).Code, "another maker's")
	require.Equal(t, http.StatusForbidden, attach(t, b.checker, a, raw.Bytes()).Code)
	require.Equal(t, http.StatusOK, b.decide(b.checker, a, "confirmation").Code)
	require.Equal(t, http.StatusConflict, attach(t, b.maker, a, raw.Bytes()).Code, "it is decided")
	require.Equal(t, http.StatusConflict, b.maker.Part(path(a, "evidence")).Code)
}

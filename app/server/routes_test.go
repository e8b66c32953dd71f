package server

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"
)

// TestFilesAreSentCompressed asks for a file that the build has compressed, and for one that it has not.
func TestFilesAreSentCompressed(t *testing.T) {
	t.Parallel()
	const script = "const one = 1"
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write([]byte(script))
	require.NoError(t, w.Close())
	e := echo.New()
	e.GET("/*", TraderApp(fstest.MapFS{
		"index.html":         {Data: []byte("<head></head>")},
		"assets/one.js":      {Data: []byte(script)},
		"assets/one.js.br":   {Data: []byte("brotli")},
		"assets/one.js.gz":   {Data: zipped.Bytes()},
		"assets/inter.woff2": {Data: []byte("font")},
		"boot.js":            {Data: []byte(script)},
	}, ""))
	ask := func(path, accepted, known string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodGet, path, nil)
		request.Header.Set("Accept-Encoding", accepted)
		request.Header.Set("If-None-Match", known)
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, request)
		return answer
	}
	for _, one := range []struct{ path, accepted, encoding, body, mime, kept string }{
		{"/assets/one.js", "gzip, deflate, br, zstd", "br", "brotli", "application/javascript", "public, max-age=31536000, immutable"},
		{"/assets/one.js", "gzip", "gzip", zipped.String(), "application/javascript", "public, max-age=31536000, immutable"},
		{"/assets/one.js", "", "", script, "application/javascript", "public, max-age=31536000, immutable"},
		{"/assets/inter.woff2", "gzip, br", "", "font", "font/woff2", "public, max-age=31536000, immutable"},
		{"/boot.js", "gzip, br", "", script, "application/javascript", "no-cache"},
	} {
		got := ask(one.path, one.accepted, "")
		about := one.path + " as " + one.accepted
		require.Equal(t, http.StatusOK, got.Code, about)
		require.Equal(t, one.encoding, got.Header().Get("Content-Encoding"), about)
		require.Equal(t, one.body, got.Body.String(), about)
		require.Equal(t, one.mime, got.Header().Get("Content-Type"), about)
		require.Equal(t, one.kept, got.Header().Get("Cache-Control"), about)
		require.Contains(t, got.Header().Values("Vary"), "Accept-Encoding", "a cache keeps them apart: "+about)
		require.Equal(t, http.StatusNotModified, ask(one.path, one.accepted, got.Header().Get("ETag")).Code, about)
	}
	require.Equal(t, http.StatusNotFound, ask("/assets/none.js", "br", "").Code)
	require.Equal(t, http.StatusNotFound, ask("/assets", "br", "").Code)
	require.Equal(t, http.StatusNotFound, ask("/.vite/manifest.json", "br", "").Code)
}

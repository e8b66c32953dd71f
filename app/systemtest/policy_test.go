package systemtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/app/server"
)

const policyHeader = echo.HeaderContentSecurityPolicy

// TestPoliciesAllowNothingInline checks every kind of answer of the API and the back office: pages, data, pictures, refusals and unknown paths.
func TestPoliciesAllowNothingInline(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	picture := "/pictures/" + strings.Repeat("0", 64) + ".jpg"
	for _, path := range []string{"/", "/index.html", "/admin", "/admin/signin", "/admin/nothing", "/client/common/platformRunningStatus", "/client/nothing", "/nothing", picture, "/ws"} {
		got := r.send(t, http.MethodGet, path, "", nil, nil)
		requireStrict(t, path, got.header.Get(policyHeader))
	}
	r.sendPicture(t, r.real, "front", drawing(t, 30))
	shown := r.send(t, http.MethodGet, "/client/userAuth/findImage?side=front", r.real, nil, nil)
	require.Equal(t, "image/jpeg", shown.header.Get("Content-Type"))
	require.Equal(t, server.DataPolicy, shown.header.Get(policyHeader))
}

// requireStrict requires a policy that lists its sources and allows neither inline code or styles without a nonce nor code evaluated from text.
func requireStrict(t *testing.T, of, policy string) {
	t.Helper()
	require.Contains(t, policy, "default-src 'none'", of)
	require.Contains(t, policy, "frame-ancestors 'none'", of)
	require.NotContains(t, policy, "unsafe", of)
	require.NotContains(t, policy, "*", of)
	require.NotContains(t, policy, "http", of)
	require.NotContains(t, policy, server.NoncePlaceholder, of)
}

// TestThePageHasANonceOfItsOwn checks that the trader app allows no style attributes, and style sheets only with the nonce of their answer.
func TestThePageHasANonceOfItsOwn(t *testing.T) {
	t.Parallel()
	dist := fstest.MapFS{
		"index.html":    {Data: []byte(`<head><meta property="csp-nonce" nonce="` + server.NoncePlaceholder + `"></head>`)},
		"mark.svg":      {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><style></style></svg>`)},
		"assets/one.js": {Data: []byte("1")},
	}
	e := (&server.Platform{}).NewEcho()
	e.GET("/*", server.TraderApp(dist, ""))
	ask := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		return answer
	}
	seen := map[string]bool{}
	for range 2 {
		got := ask("/")
		policy := got.Header().Get(policyHeader)
		_, nonce, _ := strings.Cut(policy, "'nonce-")
		nonce, _, _ = strings.Cut(nonce, "'")
		require.Len(t, nonce, 26)
		require.Contains(t, got.Body.String(), `nonce="`+nonce+`"`)
		require.Contains(t, policy, "style-src-attr 'none'")
		require.NotContains(t, got.Body.String(), " style=")
		require.False(t, seen[nonce], "a nonce serves once")
		seen[nonce] = true
	}
	for _, path := range []string{"/mark.svg", "/assets/one.js"} {
		require.Empty(t, ask(path).Header().Get(policyHeader), path)
	}
	require.Equal(t, server.DataPolicy, ask("/none.svg").Header().Get(policyHeader))
}

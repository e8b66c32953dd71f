package systemtest

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/server"
)

// rawRequest sends raw bytes and returns the status of the answer.
func rawRequest(t *testing.T, url, text string) int {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = conn.Write([]byte(text))
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// TestMalformedTextIsRefused puts zero bytes and invalid UTF-8 into every text of a request, at the API and at the back office.
func TestMalformedTextIsRefused(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	for _, bad := range []string{"%00", "a%00b", "%ff", "%c3%28", "%ed%a0%80"} {
		for _, o := range r.operations() {
			if o.method != http.MethodGet {
				continue
			}
			path := o.path + queries[o.path]
			joint := "?"
			if strings.Contains(path, "?") {
				joint = "&"
			}
			for _, target := range []string{path + joint + "more=" + bad, path + joint + bad + "=1"} {
				got := r.send(t, http.MethodGet, target, r.sessionFor(o.path), nil, nil)
				require.Equal(t, http.StatusBadRequest, got.status, "%s: %s", target, got.body)
			}
		}
		for _, path := range []string{"/client/" + bad, "/admin/" + bad, "/admin/signin?next=" + bad, "/ws?newsign=" + bad, "/" + bad, "/pictures/" + bad} {
			got := r.send(t, http.MethodGet, path, "", nil, nil)
			require.Equal(t, http.StatusBadRequest, got.status, "%s: %s", path, got.body)
		}
	}
	for _, header := range []string{"apptoken", "visitor", "language", "Idempotency-Key", "X-Whatever", "Cookie"} {
		status := rawRequest(t, r.url, "GET /client/common/platformRunningStatus HTTP/1.1\r\nHost: x\r\n"+header+": a\xff\r\n\r\n")
		require.Equal(t, http.StatusBadRequest, status, header)
	}
	text := []byte(`{"account":"a\u0000b@example.com","password":"correct horse battery","deviceId":"device-0000-0000-0001"}`)
	_, answer, raw := r.call(t, http.MethodPost, "/client/user/login", "", text, nil)
	require.Equal(t, "body_not_json", answer["code"], raw)
	harmless := []byte(`{"account":"a@example.com","password":"back \\u0000 slash","deviceId":"device-0000-0000-0001"}`)
	_, answer, raw = r.call(t, http.MethodPost, "/client/user/login", "", harmless, nil)
	require.Equal(t, "login.wrong", answer["code"], raw)
	status, answer, raw := r.call(t, http.MethodGet, "/client/common/platformRunningStatus?more="+url.QueryEscape("Ünïcödé 文字"), "", nil, nil)
	require.Equal(t, http.StatusOK, status, raw)
	require.Equal(t, "ok", answer["code"])
}

// TestRequestsThatHideAnotherAreRefused sends bodies with two lengths or none, and endless headers.
func TestRequestsThatHideAnotherAreRefused(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	const line = "POST /client/user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]struct {
		text   string
		status int
	}{
		"BothLengths":     {line + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET", http.StatusLengthRequired},
		"Chunked":         {line + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", http.StatusLengthRequired},
		"TwoLengths":      {line + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ", http.StatusBadRequest},
		"HeadersWithout":  {line + strings.Repeat("X-Filler: "+strings.Repeat("x", 1000)+"\r\n", 70) + "\r\n", http.StatusRequestHeaderFieldsTooLarge},
		"AnOrdinaryOne":   {line + "Content-Length: 2\r\n\r\n{}", http.StatusForbidden}, // unsigned
		"HeadersOf50Kilo": {line + strings.Repeat("X-Filler: "+strings.Repeat("x", 1000)+"\r\n", 50) + "Content-Length: 2\r\n\r\n{}", http.StatusForbidden},
	} {
		require.Equal(t, c.status, rawRequest(t, r.url, c.text), name)
	}
}

// TestFavouritesAtOnce replaces one trader's favourites in parallel.
func TestFavouritesAtOnce(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	var group sync.WaitGroup
	for n := range 40 {
		group.Go(func() {
			status, answer, raw := r.call(t, http.MethodPost, "/client/user/updateFavouriteList", r.token, fmt.Appendf(nil, `{"productIds":[%d,1,2]}`, 200+n%3), nil)
			if status != http.StatusOK || answer["code"] != "ok" {
				t.Error(status, raw)
			}
		})
	}
	group.Wait()
}

// TestUnknownFavouritesAreSkipped replaces a trader's favourites with a list that names products which do not exist.
func TestUnknownFavouritesAreSkipped(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	status, answer, raw := r.call(t, http.MethodPost, "/client/user/updateFavouriteList", r.token, []byte(`{"productIds":[2,424242,-1,1]}`), nil)
	require.Equal(t, http.StatusOK, status, raw)
	require.Equal(t, []any{2.0, 1.0}, answer["data"], raw)
}

// TestProductionAnswersByHTTPSAlone checks that requests must come by TLS, through a trusted proxy or from this machine, and that every answer sets HSTS.
func TestProductionAnswersByHTTPSAlone(t *testing.T) {
	t.Parallel()
	r := newAPIFixtureWith(t, func(c *server.Config) { loopbackProxy(c); c.TrustedProxies = nil; c.Mode = server.Production })
	handler := r.platform.Handler
	ask := func(remote string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/client/common/platformRunningStatus", nil)
		require.NoError(t, err)
		sign(request)
		request.RemoteAddr = remote
		answer := newRecorder()
		handler.ServeHTTP(answer, request)
		return answer.status, answer.Header().Get("Strict-Transport-Security")
	}
	status, hsts := ask("127.0.0.1:4711")
	require.Equal(t, []any{http.StatusOK, "max-age=31536000; includeSubDomains"}, []any{status, hsts})
	status, hsts = ask("198.51.100.1:4711")
	require.Equal(t, []any{http.StatusForbidden, "max-age=31536000; includeSubDomains"}, []any{status, hsts})
	development := newAPIFixture(t)
	require.Empty(t, development.send(t, http.MethodGet, "/client/common/platformRunningStatus", "", nil, nil).header.Get("Strict-Transport-Security"))
}

type recorder struct {
	header http.Header
	status int
}

func newRecorder() *recorder { return &recorder{header: http.Header{}, status: http.StatusOK} }

func (r *recorder) Header() http.Header            { return r.header }
func (r *recorder) Write(part []byte) (int, error) { return len(part), nil }
func (r *recorder) WriteHeader(status int)         { r.status = status }

// TestWhatLeavesRowsIsLimitedByTheMinute creates login codes until it is refused; another trader is not refused.
func TestWhatLeavesRowsIsLimitedByTheMinute(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	const path = "/client/user/createLoginCode"
	for n := range 25 {
		status, answer, raw := r.call(t, http.MethodPost, path, r.real, nil, nil)
		if answer["code"] == "too_often" {
			require.GreaterOrEqual(t, n, 20)
			require.Equal(t, http.StatusTooManyRequests, status, raw)
			_, other, raw := r.call(t, http.MethodPost, path, r.other, nil, nil)
			require.NotEqual(t, "too_often", other["code"], raw)
			return
		}
		require.Less(t, n, 24, "%d %s", status, raw)
	}
}

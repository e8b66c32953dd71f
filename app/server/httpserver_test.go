package server

import (
	"bytes"
	"log"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clientip"
	"candor/app/platform/clock"
	"candor/app/platform/refusals"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies, err := clientip.ParseProxies("10.0.0.0/8, 2001:db8:f::/48,192.0.2.7")
	require.NoError(t, err)
	for _, c := range []struct{ about, remote, forwarded, want string }{
		{"directly", "198.51.100.1:4711", "", "198.51.100.1"},
		{"directly, with a forged header", "198.51.100.1:4711", "203.0.113.9", "198.51.100.1"},
		{"behind a proxy", "10.1.2.3:4711", "203.0.113.9", "203.0.113.9"},
		{"behind two of ours", "10.1.2.3:4711", "203.0.113.9, 192.0.2.7", "203.0.113.9"},
		{"the client's own header is not believed", "10.1.2.3:4711", "127.0.0.1, 203.0.113.9", "203.0.113.9"},
		{"nor is loopback or a private network trusted by itself", "10.1.2.3:4711", "203.0.113.9, 192.168.0.1", "192.168.0.1"},
		{"IPv6", "[2001:db8:f::1]:4711", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"},
		{"nonsense", "10.1.2.3:4711", "203.0.113.9, what", "10.1.2.3"},
		{"nothing", "10.1.2.3:4711", "", "10.1.2.3"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		require.Equal(t, c.want, clientAddress(proxies)(r), c.about)
		if c.forwarded != "" {
			r.Header.Set("X-Real-Ip", "203.0.113.77")
			r.Header.Set("Forwarded", "for=203.0.113.78")
			direct := clientAddress(nil)(r)
			require.NotContains(t, direct, "203.0.113", "%s: without proxies no header counts", c.about)
		}
	}
}

// TestWhatNetHTTPSaysIsBounded logs messages about clients, from one source and from many, and then about the server.
func TestWhatNetHTTPSaysIsBounded(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := clock.NewFixed(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	server := log.New(&serverLog{log: slog.New(slog.NewJSONHandler(&out, nil)), clock: now}, "", 0)
	lines := func() []string {
		list := strings.Split(strings.TrimSpace(out.String()), "\n")
		out.Reset()
		return list
	}
	for port := range 1_000 {
		server.Printf("http: TLS handshake error from 192.0.2.1:%d: read tcp 10.0.0.1:443->192.0.2.1:%d: connection reset by peer", port, port)
	}
	got := lines()
	require.Len(t, got, 4, "the first, the tenth, the hundredth and the thousandth")
	for _, want := range []string{`"level":"WARN"`, `"msg":"http: TLS handshake error from 192.0.2.1:0: read`, `"source":"192.0.2.1"`, `"count":1}`} {
		require.Contains(t, got[0], want)
	}
	server.Print("http: TLS handshake error from 192.0.2.1:7: EOF")
	server.Print("http: TLS handshake error from 192.0.2.2:7: EOF")
	server.Print("http: URL query contains semicolon")
	require.Len(t, lines(), 3, "another reason, another source, and no source")
	for n := range 1_000 {
		server.Printf("http2: server: error reading preface from client [2001:db8::%x]:443: EOF", n)
	}
	require.Len(t, lines(), 4, "one customer's addresses are one source")
	for n := range 50_000 {
		server.Printf("http: TLS handshake error from 10.1.%d.%d:443: EOF", n/256, n%256)
	}
	require.LessOrEqual(t, len(lines()), refusals.Most+6)
	for n := range 3 {
		server.Printf("http: panic serving 10.2.0.%d:443: runtime error\ngoroutine %d [running]:", n, n)
	}
	server.Print("http: Accept error: accept tcp: too many open files; retrying in 5ms")
	got = lines()
	require.Len(t, got, 4, "a flood of clients hides none of our faults")
	require.Contains(t, got[2], "goroutine 2 [running]", "with its stack")
	now.Advance(time.Minute)
	server.Print("http: TLS handshake error from 10.1.200.1:443: EOF")
	require.Contains(t, lines()[0], `"source":"10.1.200.1","count":1`, "the next minute begins anew")
}

package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/app/server"
)

var benchAnswer = []byte(`{"status":1,"code":"ok","cnMsg":"","enMsg":"","data":{"running":true},"traceId":"bench-trace-0001"}`)

// echoServer is a call behind the common middleware: trace, headers, recovery.
func echoServer(t testing.TB) *httptest.Server {
	e := (&server.Platform{}).NewEcho()
	e.GET("/client/common/platformRunningStatus", func(c *echo.Context) error { return c.JSONBlob(http.StatusOK, benchAnswer) })
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return server
}

// plainServer returns the same bytes with the standard library alone.
func plainServer(t testing.TB) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /client/common/platformRunningStatus", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		for name, value := range map[string]string{
			"Content-Type": "application/json", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
			"Cross-Origin-Opener-Policy": "same-origin", "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()", "Content-Security-Policy": server.DataPolicy,
		} {
			h.Set(name, value)
		}
		_, _ = w.Write(benchAnswer)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// call makes one request over the open connection.
func call(t testing.TB, server *httptest.Server) (http.Header, string) {
	request, err := http.NewRequest(http.MethodGet, server.URL+"/client/common/platformRunningStatus", nil)
	require.NoError(t, err)
	request.Header.Set("traceId", "bench-trace-0001")
	response, err := server.Client().Do(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.Header, string(body)
}

func TestBothServersSayTheSame(t *testing.T) {
	t.Parallel()
	header, body := call(t, echoServer(t))
	plainHeader, plainBody := call(t, plainServer(t))
	header.Del("Date")
	plainHeader.Del("Date")
	require.Equal(t, plainHeader, header)
	require.Equal(t, plainBody, body)
}

// BenchmarkEcho prints the target P16: a call through our Echo against net/http, over loopback with keep-alive, alternating after a few calls.
func BenchmarkEcho(b *testing.B) {
	const rounds, turns, calls = 5, 300, 30
	ours, plain := echoServer(b), plainServer(b)
	for b.Loop() {
		var wall, cpu []float64
		for range rounds {
			var took, spent [2]time.Duration
			for turn := range 2 * turns {
				start, before := time.Now(), ownCPU()
				for range calls {
					call(b, []*httptest.Server{ours, plain}[turn%2])
				}
				took[turn%2] += time.Since(start)
				spent[turn%2] += ownCPU() - before
			}
			wall, cpu = append(wall, float64(took[0])/float64(took[1])), append(cpu, float64(spent[0])/float64(spent[1]))
		}
		slices.Sort(wall)
		slices.Sort(cpu)
		line, err := json.Marshal(target{"P16", wall[rounds/2], 1.05, "lower", rounds, map[string]any{"what": "Echo ÷ net/http", "all": wall, "processorTime": cpu[rounds/2]}})
		require.NoError(b, err)
		fmt.Println(string(line))
	}
}

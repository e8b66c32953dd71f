package netlimit

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// open is a listener whose accepted connections arrive in a channel.
func open(t *testing.T, c Config) (l *Listener, accepted <-chan net.Conn) {
	t.Helper()
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	l = New(tcp, c)
	t.Cleanup(func() { _ = l.Close() })
	all := make(chan net.Conn, 64)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all <- c
		}
	}()
	return l, all
}

// dial connects from an address of this machine.
func dial(t *testing.T, l *Listener, from string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
	c, err := d.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func next(t *testing.T, accepted <-chan net.Conn) net.Conn {
	t.Helper()
	select {
	case c := <-accepted:
		t.Cleanup(func() { _ = c.Close() })
		return c
	case <-time.After(10 * time.Second):
		require.Fail(t, "nothing was accepted")
		return nil
	}
}

// requireRefused requires that the other side closes without sending anything.
func requireRefused(t *testing.T, c net.Conn) {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
	n, err := c.Read(make([]byte, 1))
	require.Zero(t, n)
	require.Error(t, err)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "it was left open")
}

func TestTheExcessIsClosedAtOnceAndAPlaceIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	l, accepted := open(t, Config{Connections: 2, PerSource: 2})
	dial(t, l, "127.0.0.1")
	dial(t, l, "127.0.0.2")
	first, second := next(t, accepted), next(t, accepted)
	requireRefused(t, dial(t, l, "127.0.0.3"))
	require.Equal(t, []int64{2, 1}, []int64{int64(l.Held()), l.Refused()})
	_ = first.Close()
	_ = first.Close()
	require.Equal(t, 1, l.Held(), "closing twice gives one place back")
	dial(t, l, "127.0.0.3")
	third := next(t, accepted)
	requireRefused(t, dial(t, l, "127.0.0.3"))
	_, _ = second.Close(), third.Close()
	require.Zero(t, l.Held())
	require.Empty(t, l.sources, "sources without connections are forgotten")
}

func TestASourceHasABoundOfItsOwnUnlessItIsExempt(t *testing.T) {
	t.Parallel()
	proxy := netip.MustParseAddr("127.0.0.9")
	l, accepted := open(t, Config{Connections: 7, PerSource: 1, Exempt: func(a netip.Addr) bool { return a == proxy }})
	dial(t, l, "127.0.0.1")
	next(t, accepted)
	requireRefused(t, dial(t, l, "127.0.0.1"))
	dial(t, l, "127.0.0.2")
	next(t, accepted)
	for range 5 {
		dial(t, l, "127.0.0.9")
		next(t, accepted)
	}
	requireRefused(t, dial(t, l, "127.0.0.9"))
	require.Equal(t, 7, l.Held(), "the bound of all holds for everybody")
}

// TestIdleConnectionsMakeRoom: when all slots are taken, the source with the most idle connections loses half of them; those in use stay.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	l := New(tcp, Config{Connections: 12, PerSource: 6})
	began, finish := make(chan struct{}), make(chan struct{})
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/handled":
			began <- struct{}{}
			<-finish
		case "/waits":
			resume := Waiting(r.Context())
			<-finish
			resume()
		case "/socket":
			c, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
			}
		}
	})}
	Watch(server)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	ask := func(from, path string) net.Conn {
		c := dial(t, l, from)
		_, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: candor\r\n\r\n")
		require.NoError(t, err)
		return c
	}
	answered := func(c net.Conn, status string) {
		require.NoError(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
		line := make([]byte, len(status))
		_, err := io.ReadFull(c, line)
		require.NoError(t, err)
		require.Equal(t, status, string(line))
	}
	for range 6 { // a busy office
		answered(ask("127.0.0.1", "/socket"), "HTTP/1.1 101")
	}
	handled := ask("127.0.0.2", "/handled")
	<-began
	ask("127.0.0.2", "/waits")
	for range 4 {
		dial(t, l, "127.0.0.2")
	}
	require.Eventually(t, func() bool { return l.Held() == 12 }, 10*time.Second, time.Millisecond)
	answered(ask("127.0.0.3", "/"), "HTTP/1.1 200")
	require.Zero(t, l.Refused())
	require.Equal(t, 10, l.Held(), "three of the five that say nothing or wait were closed")
	require.Len(t, l.sources[Source(netip.MustParseAddr("127.0.0.1"))], 6)

	for l.Held() < 12 {
		answered(ask("127.0.0.3", "/"), "HTTP/1.1 200")
	}
	requireRefused(t, dial(t, l, "127.0.0.3")) // no source has more idle ones than the newcomer
	close(finish)
	answered(handled, "HTTP/1.1 200")
}

// TestANetworkOfManySourcesMakesRoom opens one connection in each of many /64 of one /48: no source has more than a newcomer, but the network does.
func TestANetworkOfManySourcesMakesRoom(t *testing.T) {
	t.Parallel()
	idle := func(l *Listener, format string) {
		for n := range 8 {
			c := &conn{listener: l, source: Source(netip.MustParseAddr(fmt.Sprintf(format, n))), counted: true}
			require.True(t, l.take(c))
		}
	}
	newcomer := Source(netip.MustParseAddr("192.0.2.1"))
	for format, want := range map[string]int{"2001:db8:1:%d::1": 8, "2001:db8:%d::1": 0, "198.51.100.%d": 0} {
		l := New(nil, Config{Connections: 8})
		idle(l, format)
		require.Len(t, l.mostIdle(newcomer), want, format)
	}
}

// TestWhoHasTheMostTakesNobodysScan: a scan runs only for newcomers it may help, and few run per second.
func TestWhoHasTheMostTakesNobodysScan(t *testing.T) {
	t.Parallel()
	l := New(nil, Config{Connections: 8})
	crowd := Source(netip.MustParseAddr("198.51.100.1"))
	var held []*conn
	for range 4 {
		held = append(held, &conn{listener: l, source: crowd, counted: true}, &conn{listener: l, source: Source(netip.MustParseAddr("203.0.113.1"))})
	}
	for _, c := range held {
		require.True(t, l.take(c))
	}
	for range 3 {
		require.Empty(t, l.mostIdle(crowd))
	}
	require.Len(t, l.mostIdle(Source(netip.MustParseAddr("192.0.2.1"))), 4)
	for _, c := range held {
		l.give(c)
	}
	require.Empty(t, l.sources)
	require.Empty(t, l.networks)
}

func TestSources(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7/32", "::ffff:192.0.2.7": "192.0.2.7/32",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2::9": "2001:db8:1:2::/64", "2001:db8:1:3::9": "2001:db8:1:3::/64", "fe80::1%eth0": "fe80::/64",
	} {
		require.Equal(t, want, Source(netip.MustParseAddr(address)).String(), address)
	}
	require.Equal(t, netip.Prefix{}, Source(netip.Addr{}))
}

func TestTheReserveIsKept(t *testing.T) {
	t.Parallel()
	for files, want := range map[uint64]int{0: 0, 64: 32, 1_024: 512, 20_000: 19_488, 1 << 40: 1<<20 - 512} {
		require.Equal(t, want, connections(files), "%d files", files)
	}
	require.Equal(t, 8_192, New(nil, Config{Connections: 19_488}).config.PerSource)
	require.Equal(t, 256, New(nil, Config{Connections: 512}).config.PerSource, "one source never takes more than half")
}

func TestTheLimitOfFilesIsRaisedAsFarAsItMayBe(t *testing.T) {
	t.Parallel()
	n, err := Connections()
	require.NoError(t, err)
	var files syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files))
	require.GreaterOrEqual(t, files.Cur+1, files.Max)
	require.Equal(t, connections(files.Cur), n)
}

func TestAServerBehindItAnswersWithinTheBounds(t *testing.T) {
	t.Parallel()
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	l := New(tcp, Config{Connections: 4, PerSource: 4})
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 10 {
		answer, err := client.Get("http://" + l.Addr().String())
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, "here", string(text))
	}
	idle := make([]net.Conn, 4)
	require.Eventually(t, func() bool { return l.Held() == 0 }, 10*time.Second, time.Millisecond)
	for i := range idle {
		idle[i] = dial(t, l, "127.0.0.1")
	}
	require.Eventually(t, func() bool { return l.Held() == 4 }, 10*time.Second, time.Millisecond)
	_, err = client.Get("http://" + l.Addr().String()) //nolint:bodyclose // there is no body
	require.Error(t, err, "connections that say nothing take places too")
	_ = idle[0].Close()
	require.Eventually(t, func() bool { return l.Held() == 3 }, 10*time.Second, time.Millisecond)
	answer, err := client.Get("http://" + l.Addr().String())
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
}

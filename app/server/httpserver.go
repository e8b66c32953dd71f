package server

import (
	"crypto/tls"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"

	"candor/app/api"
	"candor/app/platform/clientip"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/netlimit"
	"candor/app/platform/refusals"
)

// Limits of a connection. Files and streams set their own deadlines.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 60 * time.Second
	writeTimeout  = 60 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 60 << 10 // net/http adds 4 kB
)

// NewServer serves a handler with limits against slow clients.
func NewServer(handler http.Handler, transport *tls.Config) *http.Server {
	server := &http.Server{
		Handler: handler, TLSConfig: transport, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(&serverLog{log: slog.Default(), clock: clock.Real{}}, "", 0),
	}
	netlimit.Watch(server)
	return server
}

// serverLog writes net/http's messages to the log, a few lines per kind, source and minute, because any client can cause them. Server faults are counted
// separately, so that client messages can't hide them.
type serverLog struct {
	log             *slog.Logger
	clock           clock.Clock
	clients, faults refusals.Counter
}

var (
	// endpoint is an address with a port, as net/http writes it.
	endpoint = regexp.MustCompile(`(?:\d+\.\d+\.\d+\.\d+|\[[0-9A-Fa-f:.]+(?:%[^\]\s]+)?\]):\d+`)
	// fault matches messages about the server rather than a client.
	fault = regexp.MustCompile(`panic serving|Accept error|response\.Write`)
)

// Write takes one message.
func (l *serverLog) Write(message []byte) (int, error) {
	text := strings.TrimSpace(string(message))
	about, _, _ := strings.Cut(text, "\n") // a stack follows
	kind := refusals.Kind{Reason: endpoint.ReplaceAllString(about, "")}
	if from, err := netip.ParseAddrPort(endpoint.FindString(about)); err == nil {
		kind.Source = clientip.Source(from.Addr().String())
	}
	counter := &l.clients
	if fault.MatchString(about) {
		counter = &l.faults
	}
	if as, n, log := counter.Count(kind, l.clock.Now()); log {
		l.log.Warn(text, "source", as.Source, "count", n)
	}
	return len(message), nil
}

// serveOnListener uses TLS when the server has a certificate.
func serveOnListener(server *http.Server, listener net.Listener) error {
	if server.TLSConfig != nil {
		return server.ServeTLS(listener, "", "")
	}
	return server.Serve(listener)
}

// NewEcho is a router with the common middleware of the API and the back office.
func (p *Platform) NewEcho() *echo.Echo {
	e := echo.New()
	e.Logger = slog.Default()
	e.IPExtractor = clientAddress(p.Config.TrustedProxies)
	e.HTTPErrorHandler = notFound
	e.Use(api.Trace, p.headers, middleware.Recover(), p.refusePlainHTTP, refuseMalformed)
	return e
}

// DataPolicy is the policy of every response that is not a page: opened directly, it loads and runs nothing.
const DataPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

// headers sets the common headers of all responses; pages set their own policy.
func (p *Platform) headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set(echo.HeaderContentSecurityPolicy, DataPolicy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(self), geolocation=(), microphone=(), payment=(), usb=()")
		if p.Config.Mode == Production {
			h.Set(echo.HeaderStrictTransportSecurity, "max-age=31536000; includeSubDomains")
		}
		return next(c)
	}
}

// refusePlainHTTP refuses readable traffic in production: a request must come by TLS, through a trusted proxy, or from this machine.
func (p *Platform) refusePlainHTTP(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		r := c.Request()
		if p.Config.Mode != Production || r.TLS != nil || p.Config.isTrustedProxy(remoteAddress(r)) || remoteAddress(r).IsLoopback() {
			return next(c)
		}
		return echo.NewHTTPError(http.StatusForbidden, "https only")
	}
}

// remoteAddress is the other end of a request's connection; the zero value when it is no address.
func remoteAddress(r *http.Request) netip.Addr {
	address, _ := netip.ParseAddrPort(r.RemoteAddr)
	return address.Addr().Unmap()
}

// refuseMalformed refuses input that our clients never send and that programs may parse differently: text with zero bytes or invalid UTF-8 in the path, the
// query or a header, and bodies without a length, which allow request smuggling.
func refuseMalformed(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		r := c.Request()
		if len(r.TransferEncoding) > 0 {
			c.Response().Header().Set("Connection", "close")
			return echo.NewHTTPError(http.StatusLengthRequired, "a request needs a Content-Length")
		}
		if !db.IsText(r.URL.Path) || !areText(r.URL.Query()) || !areText(r.Header) {
			return echo.NewHTTPError(http.StatusBadRequest, "malformed text")
		}
		return next(c)
	}
}

func areText(values map[string][]string) bool {
	for name, list := range values {
		if !db.IsText(name) {
			return false
		}
		for _, value := range list {
			if !db.IsText(value) {
				return false
			}
		}
	}
	return true
}

// clientAddress finds the client's address. Behind trusted proxies it is the right-most address in X-Forwarded-For that is not a proxy; the header is ignored
// when the socket's other end is not trusted, or without proxies.
func clientAddress(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, proxy := range proxies {
		options = append(options, echo.TrustIPRange(&net.IPNet{
			IP: proxy.Addr().AsSlice(), Mask: net.CIDRMask(proxy.Bits(), proxy.Addr().BitLen()),
		}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// clientAddress is the client's address of a request before routing; the zero value when it is invalid.
func (p *Platform) clientAddress(r *http.Request) netip.Addr {
	address, _ := netip.ParseAddr(clientAddress(p.Config.TrustedProxies)(r))
	return address
}

// isTrustedProxy reports whether an address is a trusted proxy, which any number of clients share.
func (c Config) isTrustedProxy(address netip.Addr) bool {
	return slices.ContainsFunc(c.TrustedProxies, func(proxy netip.Prefix) bool { return proxy.Contains(address.Unmap()) })
}

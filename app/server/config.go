package server

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"candor/app/factor"
	"candor/app/platform/clientip"
	"candor/app/platform/netlimit"
	"candor/app/platform/passwords"
	"candor/app/platform/upload"
	"candor/app/provider"
	"candor/app/stream"
)

// Config is the configuration from the environment. Every setting is optional.
type Config struct {
	Addr       string        `env:"CANDOR_ADDR" envDefault:"127.0.0.1:8080"`
	AdminAddr  string        `env:"CANDOR_ADMIN_ADDR"`
	DataDir    string        `env:"CANDOR_DATA_DIR" envDefault:"./var"`
	Mode       string        `env:"CANDOR_MODE" envDefault:"development"`
	Database   string        `env:"DATABASE_URL"`
	Owner      string        `env:"CANDOR_OWNER_URL"`
	NATS       string        `env:"NATS_URL"`
	Feed       string        `env:"CANDOR_FEED" envDefault:"simulated"`
	FeedSpeed  float64       `env:"CANDOR_FEED_SPEED" envDefault:"1"`
	FeedStart  time.Duration `env:"CANDOR_FEED_START"`
	SMTP       string        `env:"SMTP_URL"`
	SMS        string        `env:"SMS_URL"`
	NewsignKey string        `env:"CANDOR_NEWSIGN_KEY" envDefault:"candor-web"`
	Public     string        `env:"CANDOR_PUBLIC_URL"`
	Providers  string        `env:"CANDOR_PROVIDERS"`
	Proxies    string        `env:"CANDOR_TRUSTED_PROXIES"`
	TLSCert    string        `env:"CANDOR_TLS_CERT"`
	TLSKey     string        `env:"CANDOR_TLS_KEY"`
	TLSDomains []string      `env:"CANDOR_TLS_DOMAINS"`

	Scanner    string `env:"CANDOR_SCANNER"`
	Places     string `env:"CANDOR_GEO_DB"`
	MaxSockets int    `env:"CANDOR_MAX_SOCKETS" envDefault:"20000"`

	TrustedProxies []netip.Prefix // parsed from Proxies

	argon2 passwords.Argon2 // hashes passwords; nil hashes in this process

	OneSource bool // for a benchmark, whose sockets all come from one address without a session
}

// Settings describes the environment variables for help and the README.
var Settings = []struct{ Name, Fallback, About string }{
	{"CANDOR_ADDR", "127.0.0.1:8080", "listening address"},
	{"CANDOR_ADMIN_ADDR", "", "a separate address for the back office; by default it is at /admin of CANDOR_ADDR"},
	{"CANDOR_DATA_DIR", "./var", "embedded PostgreSQL, uploads, keys, checkpoints of the chains"},
	{"CANDOR_MODE", "development", "production refuses to start with unsafe settings and names them"},
	{"DATABASE_URL", "embedded", "PostgreSQL 15 or newer, as the server's own role"},
	{"CANDOR_OWNER_URL", "embedded", "the same database as its owner; only migrate uses it"},
	{"NATS_URL", "in process", "a NATS cluster between several servers, which share DATABASE_URL and CANDOR_DATA_DIR"},
	{"CANDOR_FEED", "simulated", "simulated, or replay:DIR for recorded quotes"},
	{"CANDOR_FEED_SPEED", "1", "speed of a replay"},
	{"CANDOR_FEED_START", "0s", "time of the first day at which a replay starts, such as 13h30m; earlier quotes become history"},
	{"SMTP_URL", "none", "smtp://user:password@host:587?from=desk@example.com; without it, mail is kept (never in production): see candor outbox"},
	{"SMS_URL", "none", "twilio://SID:TOKEN@?from=+15550100, vonage://KEY:SECRET@?from=Candor or https://key:secret@host/path, a signed webhook; without it, telephones are not offered in production"},
	{"CANDOR_NEWSIGN_KEY", "candor-web", "the fixed string of newsign; it must be the app's"},
	{"CANDOR_PUBLIC_URL", "http://CANDOR_ADDR", "the public address, for links and providers"},
	{"CANDOR_TRUSTED_PROXIES", "none", "networks of trusted proxies, such as 10.0.0.0/8,192.0.2.7; X-Forwarded-For counts from them only"},
	{"CANDOR_TLS_CERT, CANDOR_TLS_KEY", "none", "files of a certificate and its key, reloaded when they change"},
	{"CANDOR_TLS_DOMAINS", "none", "comma-separated domains whose certificates come from ACME; CANDOR_ADDR must be their port 443"},
	{"CANDOR_PROVIDERS", "providers.json in CANDOR_DATA_DIR", "payment providers: docs/providers.md"},
	{"CANDOR_SCANNER", "none", "clamd://host:3310 or clamd:///run/clamav/clamd.ctl scans every upload; without its answer uploads are refused"},
	{"CANDOR_GEO_DB", "none", "a MaxMind DB file, such as GeoLite2-City.mmdb: the country and city of a log-in by its address; without it no place is shown"},
	{"CANDOR_MAX_SOCKETS", "20000", "maximum number of open sockets; the limit of open files (ulimit -n) may lower it"},
}

// The environments: production refuses what only a trial may do.
const (
	Development = "development"
	Production  = "production"
)

// ReadConfig reads and checks the environment.
func ReadConfig() (Config, error) {
	c, err := env.ParseAs[Config]()
	if err != nil {
		return c, fmt.Errorf("read the environment: %w", err)
	}
	switch {
	case c.Mode != Development && c.Mode != Production:
		return c, fmt.Errorf("CANDOR_MODE is %q: it is development or production", c.Mode)
	case !(c.FeedSpeed > 0) || math.IsInf(c.FeedSpeed, 0):
		return c, fmt.Errorf("CANDOR_FEED_SPEED is %g: it must be a number above 0", c.FeedSpeed)
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return c, errors.New("CANDOR_TLS_CERT and CANDOR_TLS_KEY belong together")
	case c.TLSCert != "" && len(c.TLSDomains) > 0:
		return c, errors.New("CANDOR_TLS_DOMAINS fetches certificates: leave CANDOR_TLS_CERT out")
	case c.MaxSockets <= 0:
		return c, fmt.Errorf("CANDOR_MAX_SOCKETS is %d: it must be a number above 0", c.MaxSockets)
	case c.Feed != "simulated" && !strings.HasPrefix(c.Feed, "replay:"):
		return c, fmt.Errorf("CANDOR_FEED is %q: it is simulated or replay:DIR", c.Feed)
	}
	if _, err := upload.OpenScanner(c.Scanner); err != nil {
		return c, fmt.Errorf("CANDOR_SCANNER: %w", err)
	}
	if c.Public = strings.TrimSuffix(c.Public, "/"); c.Public == "" {
		c.Public = "http://" + c.Addr
	}
	if c.TrustedProxies, err = clientip.ParseProxies(c.Proxies); err != nil {
		return c, fmt.Errorf("CANDOR_TRUSTED_PROXIES: %w", err)
	}
	c.DataDir, err = filepath.Abs(c.DataDir)
	if c.Providers == "" {
		c.Providers = filepath.Join(c.DataDir, "providers.json")
	}
	return c, err
}

// ProductionProblems lists the settings with which production does not start.
func (c Config) ProductionProblems() (reasons []string) {
	if c.Mode != Production {
		return nil
	}
	add := func(bad bool, reason string) {
		if bad {
			reasons = append(reasons, reason)
		}
	}
	add(c.Feed == "simulated" || strings.HasPrefix(c.Feed, "replay:"), "CANDOR_FEED: real accounts never trade on simulated or replayed prices")
	add(c.Database == "", "DATABASE_URL: the embedded database is for development")
	add(c.Owner != "", "CANDOR_OWNER_URL: the server must not know the owner's password; only migrate uses it")
	add(c.SMTP == "", "SMTP_URL: codes can't reach anybody without it")
	add(c.NewsignKey == "candor-web", "CANDOR_NEWSIGN_KEY: it is still the default")
	add(!strings.HasPrefix(c.Public, "https://"), "CANDOR_PUBLIC_URL: traders and providers reach production by https")
	plain := c.TLSCert == "" && len(c.TLSDomains) == 0 && len(c.TrustedProxies) == 0
	const hint = "plain HTTP is for a trusted proxy or this machine alone: set CANDOR_TLS_CERT, CANDOR_TLS_DOMAINS or CANDOR_TRUSTED_PROXIES"
	add(plain && !isLoopback(c.Addr), "CANDOR_ADDR: "+hint)
	add(plain && c.AdminAddr != "" && !isLoopback(c.AdminAddr), "CANDOR_ADMIN_ADDR: "+hint)
	providers, err := provider.Read(c.Providers)
	add(err != nil, fmt.Sprint("CANDOR_PROVIDERS: ", err))
	for _, p := range providers {
		reason := p.ProductionProblem()
		add(reason != "", "CANDOR_PROVIDERS: "+p.ID+": "+reason)
	}
	return reasons
}

// LocalURL is the URL of a listener, for this machine.
func (c Config) LocalURL(address string) string {
	scheme := "http://"
	if c.TLSCert != "" || len(c.TLSDomains) > 0 {
		scheme = "https://"
	}
	return scheme + address
}

// passkeySite is where passkeys of a front are used. They are bound to a domain, never to an IP address: on a loopback address they belong to localhost, and
// another IP address has none.
func passkeySite(address string) factor.Site {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return factor.Site{}
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		if !ip.IsLoopback() {
			return factor.Site{}
		}
		u.Host = net.JoinHostPort("localhost", u.Port())
	}
	return factor.Site{Domain: u.Hostname(), Origins: []string{u.Scheme + "://" + u.Host}}
}

// isLoopback reports whether a listening address is reachable from this machine only.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// socketLimits are the socket limits within the process's descriptor limit.
func (c Config) socketLimits() (stream.Limits, error) {
	connections, err := netlimit.Connections()
	if err != nil {
		return stream.Limits{}, err
	}
	limits := stream.LimitsFor(connections, c.MaxSockets)
	if c.OneSource {
		limits.Guests, limits.PerSource, limits.IdleTimeout = limits.Sockets, limits.Sockets, time.Hour
	}
	return limits, nil
}

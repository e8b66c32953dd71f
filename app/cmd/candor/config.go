package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"candor/app/provider"
)

// Config is what the environment says. Everything is optional.
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
	NewsignKey string        `env:"CANDOR_NEWSIGN_KEY" envDefault:"candor-web"`
	Public     string        `env:"CANDOR_PUBLIC_URL"`
	Providers  string        `env:"CANDOR_PROVIDERS"`
}

// configTable is what help and the README say of the environment.
var configTable = []struct{ name, fallback, about string }{
	{"CANDOR_ADDR", "127.0.0.1:8080", "where it listens"},
	{"CANDOR_ADMIN_ADDR", "", "an address of its own for the back office; without it, /admin of CANDOR_ADDR"},
	{"CANDOR_DATA_DIR", "./var", "embedded PostgreSQL, uploads, keys, heads of the chains"},
	{"CANDOR_MODE", "development", "production refuses to start with unsafe settings and says which"},
	{"DATABASE_URL", "embedded", "PostgreSQL 15 or newer, as the server's own role"},
	{"CANDOR_OWNER_URL", "embedded", "the same database as its owner; only migrate uses it"},
	{"NATS_URL", "in process", "a NATS cluster between several servers, which share DATABASE_URL and CANDOR_DATA_DIR"},
	{"CANDOR_FEED", "simulated", "simulated, or replay:DIR for recorded quotes"},
	{"CANDOR_FEED_SPEED", "1", "how fast a replay runs"},
	{"CANDOR_FEED_START", "0s", "time of the first day at which a replay starts, such as 13h30m; what was recorded before is history"},
	{"SMTP_URL", "none", "smtp://user:password@host:587?from=desk@example.com; without it mails are kept: candor outbox"},
	{"CANDOR_NEWSIGN_KEY", "candor-web", "the fixed string of newsign; the app must ship the same"},
	{"CANDOR_PUBLIC_URL", "http://CANDOR_ADDR", "the address that traders and providers reach it at"},
	{"CANDOR_PROVIDERS", "providers.json in CANDOR_DATA_DIR", "the firms that move money: docs/providers.md"},
}

const (
	development = "development"
	production  = "production"
)

// ReadConfig reads the environment and refuses what makes no sense.
func ReadConfig() (Config, error) {
	c, err := env.ParseAs[Config]()
	if err != nil {
		return c, fmt.Errorf("read the environment: %w", err)
	}
	switch {
	case c.Mode != development && c.Mode != production:
		return c, fmt.Errorf("CANDOR_MODE is %q: it is development or production", c.Mode)
	case !(c.FeedSpeed > 0) || math.IsInf(c.FeedSpeed, 0):
		return c, fmt.Errorf("CANDOR_FEED_SPEED is %g: it must be a number above 0", c.FeedSpeed)
	case c.Feed != "simulated" && !strings.HasPrefix(c.Feed, "replay:"):
		return c, fmt.Errorf("CANDOR_FEED is %q: it is simulated or replay:DIR", c.Feed)
	}
	if c.Public = strings.TrimSuffix(c.Public, "/"); c.Public == "" {
		c.Public = "http://" + c.Addr
	}
	c.DataDir, err = filepath.Abs(c.DataDir)
	if c.Providers == "" {
		c.Providers = filepath.Join(c.DataDir, "providers.json")
	}
	return c, err
}

// Unsafe lists what production does not start with.
func (c Config) Unsafe() (reasons []string) {
	if c.Mode != production {
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
	providers, err := provider.Read(c.Providers)
	add(err != nil, fmt.Sprint("CANDOR_PROVIDERS: ", err))
	for _, p := range providers {
		reason := p.Unsafe()
		add(reason != "", "CANDOR_PROVIDERS: "+p.ID+": "+reason)
	}
	return reasons
}

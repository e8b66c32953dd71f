package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v5"
	"golang.org/x/sync/singleflight"

	"candor/admin/desk"
	"candor/app/api"
	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/seal"
	"candor/app/platform/upload"
	"candor/app/stream"
	"candor/app/support"
	"candor/app/trading"
)

// platform is everything that serves, built from the inside out.
type platform struct {
	config   Config
	clock    clock.Clock
	database *database
	bus      *events.Bus
	jobs     *jobs.Queue
	market   *market.Service
	changes  *market.Changes
	trading  *trading.Service
	chains   chains
	services services
	hub      *stream.Hub
	handler  http.Handler
	frame    *desk.Frame

	mountBackOffice func(*echo.Echo)
	running         atomic.Bool
	pings           singleflight.Group // of the database

	sockets     context.Context
	stopSockets func()
}

// sealEvery is how often audit entries, fills, charges and terms are sealed, at most.
const sealEvery = 2 * time.Second

// build makes the platform; after an error it is what was made so far, to be abandoned.
func build(ctx context.Context, c Config, d *database) (p *platform, err error) {
	real := clock.Real{}
	p = &platform{config: c, clock: real, database: d}
	p.sockets, p.stopSockets = context.WithCancel(context.WithoutCancel(ctx))
	key, err := seal.LoadKey(c.DataDir)
	if err != nil {
		return p, err
	}
	if p.bus, err = events.Open(c.NATS); err != nil {
		return p, err
	}
	if p.jobs, err = jobs.New(d.Pool); err != nil {
		return p, err
	}
	feed, err := openFeed(c, real)
	if err != nil {
		return p, err
	}
	p.market = market.New(market.Config{
		DB: d.DB, Feed: feed, Clock: real, Key: key, Checkpoints: seal.NewCheckpointStore(c.DataDir, "tape"), Leadership: market.NewLeadership(d.DB), Bus: p.bus,
	})
	if err := p.market.Load(ctx); err != nil {
		return p, err
	}
	p.changes = market.NewChanges(d.DB, p.market, real, p.bus)
	p.trading = trading.New(d.DB, p.market, real, p.bus)
	if err := p.trading.Load(ctx); err != nil {
		return p, err
	}
	p.chains = openChains(c, d, real, key, p.market.Products(), p.market.Version)
	if p.services, err = p.buildServices(ctx); err != nil {
		return p, err
	}
	return p, p.buildDoors(ctx, key.Public().(ed25519.PublicKey))
}

// chains are those that are sealed by transaction; the tape seals itself.
type chains struct{ audit, fills, charges, terms *audit.Chain }

func openChains(c Config, d *database, real clock.Clock, key ed25519.PrivateKey, products []market.Product, terms trading.TermsOf) chains {
	chain := func(name string, source audit.Source) *audit.Chain {
		return audit.NewChain(source, d.DB, real, key, seal.NewCheckpointStore(c.DataDir, name))
	}
	return chains{
		audit: chain("audit", audit.Entries), fills: chain("fills", trading.FillSource(products, terms)), charges: chain("charges", trading.ChargeSource(products, terms)),
		terms: chain("terms", market.SealedTerms),
	}
}

// seal seals what is final of each.
func (c chains) seal(ctx context.Context) error {
	var failed error
	for _, chain := range []*audit.Chain{c.audit, c.fills, c.charges, c.terms} {
		_, err := chain.Seal(ctx)
		failed = errors.Join(failed, err)
	}
	return failed
}

func openFeed(c Config, real clock.Clock) (market.Feed, error) {
	if dir, ok := strings.CutPrefix(c.Feed, "replay:"); ok {
		return market.NewReplay(dir, c.FeedSpeed, c.FeedStart)
	}
	return market.NewSimulated(simulationSeed, real), nil
}

// simulationSeed makes the simulated market the same for everybody who starts one.
const simulationSeed = 20_261_120

func (p *platform) buildDoors(ctx context.Context, public ed25519.PublicKey) error {
	d, c, s := p.database.DB, p.config, p.services
	door := api.New(api.Services{
		Market: p.market, Trading: p.trading, Traders: s.traders, Sessions: s.sessions, Deposits: s.deposits, Payees: s.payees, Withdrawals: s.withdrawals, Adjustments: s.adjustments,
		Wallets: s.wallets, Identities: s.identities, Providers: s.providers,
		Notices: s.notices, Chat: s.chat, Switches: s.values, Ledger: d.Pool, Running: p.isRunning,
		Uploads: s.uploads,
	}, api.Config{NewsignKey: c.NewsignKey, PublicKey: public, Texts: s.texts, Languages: languages(s.texts)}, p.clock)
	limits, err := c.socketLimits()
	if err != nil {
		return err
	}
	p.hub = stream.New(p.market, p.trading, s.sessions, s.notices, p.bus, door, stream.Config{
		Chat: s.chat, Clock: p.clock, Limits: limits, ClientAddress: p.clientAddress,
		SignFits: func(localtimes, newsign string) bool {
			return api.SignFits(localtimes, newsign, c.NewsignKey, p.clock.Now())
		},
	})
	p.market.OnQuote(p.hub.OnQuote)
	p.market.OnHalt(p.hub.OnHalt)
	p.market.OnQuote(p.trading.OnQuote)
	if err := p.buildBackOffice(ctx); err != nil {
		return err
	}
	p.handler = p.routes(door)
	return nil
}

func (p *platform) newChat(c clock.Clock) *support.Service {
	return support.New(p.database.DB, c, p.bus, upload.NewStore(filepath.Join(p.config.DataDir, "chat")), func(ctx context.Context, kind string, traderID, id int64) (bool, error) {
		return ownsCard(ctx, p.database.DB, kind, traderID, id)
	})
}

// cards are the tables of what a trader may show in the chat.
var cards = map[string]string{
	"order":      `SELECT EXISTS (SELECT 1 FROM orders o JOIN accounts a ON a.id = o.account_id WHERE o.id = $1 AND a.trader_id = $2)`,
	"deposit":    `SELECT EXISTS (SELECT 1 FROM deposits WHERE id = $1 AND trader_id = $2)`,
	"withdrawal": `SELECT EXISTS (SELECT 1 FROM withdrawals WHERE id = $1 AND trader_id = $2)`,
}

func ownsCard(ctx context.Context, d *db.DB, kind string, traderID, id int64) (own bool, err error) {
	if question, known := cards[kind]; known && traderID != 0 {
		err = d.Pool.QueryRow(ctx, question, id, traderID).Scan(&own)
	}
	return own, err
}

// tendEvery is how often conversations are handed out and put off ones come back.
const tendEvery = time.Second

// tendChat hands conversations out again and again; whatever server comes first does it.
func (p *platform) tendChat(ctx context.Context) error {
	stop, err := p.services.chat.Follow()
	if err != nil {
		return err
	}
	defer stop()
	ticker := time.NewTicker(tendEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := p.services.chat.RouteQueue(ctx); err != nil && ctx.Err() == nil {
				slog.Error("conversations were not handed out", "error", err)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// isRunning tells whether the platform serves: it is not stopping, and the database answers. However many ask at once, one connection is asked, and none of the
// strangers', who may be a crowd.
func (p *platform) isRunning(ctx context.Context) bool {
	_, err, _ := p.pings.Do("database", func() (any, error) {
		ctx, cancel := context.WithTimeout(db.WithLane(context.WithoutCancel(ctx), db.Sessions), 2*time.Second)
		defer cancel()
		return nil, p.database.Pool.Ping(ctx)
	})
	return p.running.Load() && err == nil
}

// backfill lets the feed tell the past that the tape lacks, before anybody sees prices.
func (p *platform) backfill(ctx context.Context, out io.Writer) error {
	start := time.Now()
	if err := p.market.Backfill(ctx); err != nil {
		return err
	}
	if took := time.Since(start); took > time.Second {
		fmt.Fprintf(out, "wrote the price history in %.1f s\n", took.Seconds())
	}
	return nil
}

// start sets everything to work that runs beside the requests.
func (p *platform) start(ctx context.Context, group *sync.WaitGroup) {
	run := func(name string, work func(context.Context) error, ctx context.Context) {
		group.Go(func() {
			if err := work(ctx); err != nil && !errors.Is(err, context.Canceled) {
				slog.Error("a worker ended", "worker", name, "error", err)
			}
		})
	}
	run("engine", func(ctx context.Context) error { return p.trading.Run(ctx, p.hub) }, ctx)
	run("market", p.market.Run, ctx)
	run("product changes", p.changes.Follow, ctx)
	run("switches", p.services.switches.Follow, ctx)
	run("notices", p.services.notices.Follow, ctx)
	run("sockets", p.hub.Run, p.sockets)
	run("chat", p.tendChat, ctx)
	run("refusals", p.services.chat.KeepNotes, ctx)
	run("chains", p.sealChains, ctx)
	if err := p.jobs.Start(ctx, p.database.Pool, periodicJobs(p.services, p.frame)); err != nil {
		slog.Error("the jobs did not start", "error", err)
	}
}

// sealChains seals every chain again and again, and a last time at the end.
func (p *platform) sealChains(ctx context.Context) error {
	ticker := time.NewTicker(sealEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := p.chains.seal(ctx); err != nil && ctx.Err() == nil {
				slog.Error("entries, fills, charges or terms wait to be sealed", "error", err)
			}
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
			defer cancel()
			return p.chains.seal(last)
		}
	}
}

// languageIDs are the spec's ids.
var languageIDs = map[string]int{
	"en": 3, "zh_CN": 1, "zh_tw": 2, "ko": 4, "ja": 5, "de": 6, "ru": 7, "th": 8, "ar": 9, "pt": 10, "fr": 11, "es": 12, "tr": 13,
	"hi": 14, "kk": 15, "ms": 16, "id": 17, "ur": 18, "vn": 19, "mn": 20, "uz": 21, "cs": 22, "nl": 23, "it": 24, "pl": 25, "ka": 26,
}

// languages lists those that the app's texts exist in.
func languages(texts *i18n.Catalogue) (out []api.Language) {
	for _, code := range texts.Languages() {
		out = append(out, api.Language{Id: languageIDs[code], Code: code})
	}
	return out
}

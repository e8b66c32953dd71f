// Package server composes the product: one Config, the services, the servers and the periodic jobs.
package server

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
	"candor/admin/reportdesk"
	"candor/app/api"
	"candor/app/approval"
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
	"candor/app/trader"
	"candor/app/trading/engine"
	"candor/app/trading/proof"
	"candor/app/wire"
)

// Platform is the composition root's result: all services and servers.
type Platform struct {
	Config    Config
	Clock     clock.Clock
	Database  *Database
	Bus       *events.Bus
	Jobs      *jobs.Queue
	Market    *market.Service
	approvals *approval.Engine
	changes   *market.Changes
	Trading   *engine.Service
	Chains    chains
	Services  services
	Hub       *stream.Hub
	Handler   http.Handler
	Frame     *desk.Frame
	reports   reportdesk.Mailer

	mountBackOffice func(*echo.Echo)
	Running         atomic.Bool
	pings           singleflight.Group // of the database

	Sockets     context.Context
	StopSockets func()
}

// sealEvery is the interval at which audit entries, fills, charges and terms are sealed.
const sealEvery = 2 * time.Second

// Build makes the platform; after an error it returns the parts made so far, which the caller must abandon.
func Build(ctx context.Context, c Config, d *Database) (p *Platform, err error) {
	real := clock.Real{}
	p = &Platform{Config: c, Clock: real, Database: d}
	p.Sockets, p.StopSockets = context.WithCancel(context.WithoutCancel(ctx))
	key, err := seal.LoadKey(c.DataDir)
	if err != nil {
		return p, err
	}
	if p.Bus, err = events.Open(c.NATS); err != nil {
		return p, err
	}
	d.Publish = p.Bus.Publish
	if p.Jobs, err = jobs.New(d.Pool); err != nil {
		return p, err
	}
	feed, err := openFeed(c, real)
	if err != nil {
		return p, err
	}
	p.Market = market.New(market.Config{
		DB: d.DB, Feed: feed, Clock: real, Key: key, Checkpoints: seal.NewCheckpointStore(c.DataDir, "tape"), Leadership: market.NewLeadership(d.DB), Bus: p.Bus,
	})
	if err := p.Market.Load(ctx); err != nil {
		return p, err
	}
	p.approvals = approval.New(d.DB, real, trader.TakeDutyTx)
	p.changes = market.NewChanges(d.DB, p.Market, p.approvals, p.Bus)
	p.Trading = engine.New(d.DB, p.Market, real, p.Bus)
	if err := p.Trading.Load(ctx); err != nil {
		return p, err
	}
	p.Chains = openChains(c, d, real, key, p.Market.Products(), p.Market.Version)
	if p.Services, err = p.buildServices(ctx); err != nil {
		return p, err
	}
	return p, p.buildServers(key.Public().(ed25519.PublicKey))
}

// chains are the chains that are sealed by transaction; the tape seals itself.
type chains struct{ audit, fills, charges, terms *audit.Chain }

func openChains(c Config, d *Database, real clock.Clock, key ed25519.PrivateKey, products []market.Product, terms proof.TermsOf) chains {
	chain := func(name string, source audit.Source) *audit.Chain {
		return audit.NewChain(source, d.DB, real, key, seal.NewCheckpointStore(c.DataDir, name))
	}
	return chains{
		audit: chain("audit", audit.Entries), fills: chain("fills", proof.FillSource(products, terms)), charges: chain("charges", proof.ChargeSource(products, terms)),
		terms: chain("terms", market.SealedTerms),
	}
}

// Seal seals the final rows of each chain.
func (c chains) Seal(ctx context.Context) error {
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
	return market.NewSimulated(SimulationSeed, real), nil
}

// SimulationSeed makes the simulated market the same on every installation.
const SimulationSeed = 20_261_120

func (p *Platform) buildServers(public ed25519.PublicKey) error {
	d, c, s := p.Database.DB, p.Config, p.Services
	apiServer := api.New(api.Services{
		Market: p.Market, Trading: p.Trading, Proofs: proof.NewReader(d.Pool, p.Market), Traders: s.traders, Sessions: s.sessions, Deposits: s.deposits, Payees: s.payees, Withdrawals: s.withdrawals, Adjustments: s.adjustments,
		Wallets: s.wallets, Identities: s.identities, Providers: s.providers, Invitations: s.invitations, DataExports: s.exports, Preferences: s.preferences, Drawings: s.drawings, Scores: s.scores, Bonuses: s.Bonuses,
		Notices: s.notices, Chat: s.Chat, Switches: s.values, Ledger: d.Pool, Running: p.isRunning,
		Uploads: s.Uploads,
	}, api.Config{NewsignKey: c.NewsignKey, PublicKey: public, Texts: s.texts, Languages: languages(s.texts)}, p.Clock)
	p.declarePersonal(apiServer)
	limits, err := c.socketLimits()
	if err != nil {
		return err
	}
	p.Hub = stream.New(p.Market, p.Trading, s.sessions, s.notices, p.Bus, stream.Config{
		Chat: s.Chat, Clock: p.Clock, Limits: limits, ClientAddress: p.clientAddress,
		SignFits: func(localtimes, newsign string) bool {
			return api.SignFits(localtimes, newsign, c.NewsignKey, p.Clock.Now())
		},
	})
	p.Market.OnQuote(p.Hub.OnQuote)
	p.Market.OnHalt(p.Hub.OnHalt)
	p.Market.OnQuote(p.Trading.OnQuote)
	if err := p.buildBackOffice(public, apiServer); err != nil {
		return err
	}
	p.Handler = p.routes(apiServer)
	return nil
}

// NewChat makes the chat with a clock and a messenger.
func (p *Platform) NewChat(c clock.Clock, messenger *trader.Messenger) *support.Service {
	return support.New(p.Database.DB, c, p.Bus, upload.NewStore(filepath.Join(p.Config.DataDir, "chat")), p.ownsCard, messenger)
}

// ownsCard reports whether a record that a trader wants to show in the chat is the trader's own.
func (p *Platform) ownsCard(ctx context.Context, kind string, traderID, id int64) (bool, error) {
	if traderID == 0 {
		return false, nil
	}
	switch kind {
	case "order":
		return p.Trading.OwnsOrder(ctx, traderID, id)
	case "deposit":
		return p.Services.deposits.Owns(ctx, traderID, id)
	case "withdrawal":
		return p.Services.withdrawals.Owns(ctx, traderID, id)
	}
	return false, nil
}

// routeEvery is the interval at which conversations are routed and snoozed ones return.
const routeEvery = time.Second

// routeChat routes conversations at each interval; any server may do it.
func (p *Platform) routeChat(ctx context.Context) error {
	stop, err := p.Services.Chat.FollowActivities()
	if err != nil {
		return err
	}
	defer stop()
	ticker := time.NewTicker(routeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := p.Services.Chat.RouteQueue(ctx); err != nil && ctx.Err() == nil {
				slog.Error("conversations were not handed out", "error", err)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// isRunning reports whether the platform is in service: it is not stopping, and the database answers. Concurrent calls share one ping. It does not use the
// strangers' connections, which may all be busy.
func (p *Platform) isRunning(ctx context.Context) bool {
	_, err, _ := p.pings.Do("database", func() (any, error) {
		ctx, cancel := context.WithTimeout(db.WithLane(context.WithoutCancel(ctx), db.Sessions), 2*time.Second)
		defer cancel()
		return nil, p.Database.Pool.Ping(ctx)
	})
	return p.Running.Load() && err == nil
}

// backfill loads the past quotes that the tape lacks, before prices are served.
func (p *Platform) backfill(ctx context.Context, out io.Writer) error {
	start := time.Now()
	if err := p.Market.Backfill(ctx); err != nil {
		return err
	}
	if took := time.Since(start); took > time.Second {
		fmt.Fprintf(out, "wrote the price history in %.1f s\n", took.Seconds())
	}
	return nil
}

// Start starts all background work.
func (p *Platform) Start(ctx context.Context, group *sync.WaitGroup) {
	run := func(name string, work func(context.Context) error, ctx context.Context) {
		group.Go(func() {
			if err := work(ctx); err != nil && !errors.Is(err, context.Canceled) {
				slog.Error("a worker ended", "worker", name, "error", err)
			}
		})
	}
	run("engine", func(ctx context.Context) error { return p.Trading.Run(ctx, p.Hub) }, ctx)
	run("market", p.Market.Run, ctx)
	run("product changes", p.changes.Follow, ctx)
	run("switches", p.Services.Switches.Follow, ctx)
	run("notices", p.Services.notices.Follow, ctx)
	run("activity", p.Services.activity.Follow, ctx)
	run("rebates", p.Services.invitations.Follow, ctx)
	run("sockets", p.Hub.Run, p.Sockets)
	run("chat", p.routeChat, ctx)
	run("refusals", p.Services.Chat.StoreRefusals, ctx)
	run("chains", p.sealChains, ctx)
	if err := p.Jobs.Start(ctx, p.Database.Pool, p.PeriodicJobs()); err != nil {
		slog.Error("the jobs did not start", "error", err)
	}
}

// sealChains seals every chain at each interval, and once more at the end.
func (p *Platform) sealChains(ctx context.Context) error {
	ticker := time.NewTicker(sealEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := p.Chains.Seal(ctx); err != nil && ctx.Err() == nil {
				slog.Error("entries, fills, charges or terms wait to be sealed", "error", err)
			}
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
			defer cancel()
			return p.Chains.Seal(last)
		}
	}
}

// languageIDs are the spec's ids.
var languageIDs = map[string]int{
	"en": 3, "zh_CN": 1, "zh_tw": 2, "ko": 4, "ja": 5, "de": 6, "ru": 7, "th": 8, "ar": 9, "pt": 10, "fr": 11, "es": 12, "tr": 13,
	"hi": 14, "kk": 15, "ms": 16, "id": 17, "ur": 18, "vn": 19, "mn": 20, "uz": 21, "cs": 22, "nl": 23, "it": 24, "pl": 25, "ka": 26,
}

// languages lists the languages of the app's texts.
func languages(texts *i18n.Catalogue) (out []wire.Language) {
	for _, code := range texts.Languages() {
		out = append(out, wire.Language{Id: languageIDs[code], Code: code})
	}
	return out
}

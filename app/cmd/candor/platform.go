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
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v5"
	"golang.org/x/sync/singleflight"

	"candor/app/adjustment"
	"candor/app/api"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/keyring"
	"candor/app/kyc"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/payee"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/money"
	"candor/app/platform/seal"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/provider"
	"candor/app/reconciliation"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/stream"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/wallet"
	"candor/app/withdrawal"
	"candor/locales"
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
	switches *switches.Changes
	notices  *notice.Service
	trading  *trading.Service
	chains   chains
	hub      *stream.Hub
	chat     *support.Service
	uploads  *upload.Intake
	handler  http.Handler
	staff    *staff.Service

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
	p.market = market.New(d.DB, feed, real, key, seal.NewCheckpointStore(c.DataDir, "tape"))
	p.market.Share(market.NewLeadership(d.DB), p.bus)
	if err := p.market.Load(ctx); err != nil {
		return p, err
	}
	p.changes = market.NewChanges(d.DB, p.market, real, p.bus)
	p.trading = trading.New(d.DB, p.market, real, p.bus)
	if err := p.trading.Load(ctx); err != nil {
		return p, err
	}
	p.chains = openChains(c, d, real, key, p.market.Products(), p.market.Version)
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
	d, c := p.database.DB, p.config
	values, err := switches.Load(ctx, d)
	if err != nil {
		return err
	}
	values.Tell(switches.StockRateKey, func() string {
		bps, _ := p.market.Commissions(market.USStock)
		return money.Trim(int64(bps), 2) // percent
	})
	values.Tell(switches.ContractFeeKey, func() string {
		_, perLot := p.market.Commissions(market.Contract)
		return money.Trim(perLot, money.Scale)
	})
	p.switches = switches.NewChanges(d, values, p.clock, p.bus)
	texts, err := i18n.Load(locales.Customer())
	if err != nil {
		return err
	}
	senders, err := openSenders(c)
	if err != nil {
		return err
	}
	keys, err := openVault(ctx, c, d)
	if err != nil {
		return err
	}
	providers, err := provider.Read(c.Providers)
	if err != nil {
		return err
	}
	if providers, err = provider.NewSecrets(d, p.clock, keys).Unseal(ctx, providers); err != nil {
		return err
	}
	scanner, err := upload.OpenScanner(c.Scanner)
	if err != nil {
		return fmt.Errorf("CANDOR_SCANNER: %w", err)
	}
	p.uploads = upload.New(upload.DefaultLimits(), scanner)
	p.notices = notice.New(d, p.clock, values, p.bus)
	h := p.buildHouse(values, texts, senders, keys, providers)
	for _, seal := range []func(context.Context) (int, error){h.payees.SealNames, h.withdrawals.SealNames, h.deposits.SealNames} {
		if _, err := seal(ctx); err != nil {
			return err
		}
	}
	values.Tell(switches.PhoneKey, func() string { return strconv.FormatBool(h.outbox.Offers(mail.SMS)) })
	door := api.New(api.Services{
		Market: p.market, Trading: p.trading, Traders: h.traders, Sessions: h.sessions, Deposits: h.deposits, Payees: h.payees, Withdrawals: h.withdrawals, Adjustments: h.adjustments,
		Wallets: h.wallets, Identities: h.identities, Providers: h.providers,
		Notices: p.notices, Chat: h.chat, Switches: values, Ledger: d.Pool, Running: p.isRunning,
		Uploads: p.uploads,
	}, api.Config{NewsignKey: c.NewsignKey, PublicKey: public, Texts: texts, Languages: languages(texts)}, p.clock)
	p.chat = h.chat
	limits, err := c.socketLimits()
	if err != nil {
		return err
	}
	p.hub = stream.New(p.market, p.trading, h.sessions, p.notices, p.bus, door, stream.Config{
		Chat: h.chat, Clock: p.clock, Limits: limits, ClientAddress: p.clientAddress,
		SignFits: func(localtimes, newsign string) bool {
			return api.SignFits(localtimes, newsign, c.NewsignKey, p.clock.Now())
		},
	})
	p.market.OnQuote(p.hub.OnQuote)
	p.market.OnHalt(p.hub.OnHalt)
	p.market.OnQuote(p.trading.OnQuote)
	if err := p.backOffice(ctx, h); err != nil {
		return err
	}
	p.handler = p.routes(door)
	return nil
}

// sealedColumns are all columns of wrapped keys.
var sealedColumns = slices.Concat(kyc.SealedColumns, mail.SealedColumns, payee.SealedColumns, withdrawal.SealedColumns, deposit.SealedColumns,
	staff.SealedColumns, provider.SealedColumns)

// openVault reads the keys of what is sealed; missing ones are made only while nothing is.
func openVault(ctx context.Context, c Config, d *db.DB) (*vault.Vault, error) {
	holds, err := keyring.Holds(ctx, d, sealedColumns)
	if err != nil {
		return nil, err
	}
	return vault.Load(c.DataDir, holds)
}

// buildHouse makes the services of both doors.
func (p *platform) buildHouse(values *switches.Service, texts *i18n.Catalogue, senders map[mail.Channel]mail.Sender, keys *vault.Vault, providers []provider.Provider) house {
	d := p.database.DB
	changed := func(accountID int64) { _ = p.bus.Publish(trading.Change{AccountID: accountID}.Message()) }
	h := house{switches: values, sessions: session.New(d, p.clock), outbox: p.newOutbox(keys, senders), hasher: p.newHasher(), texts: texts, keys: keys}
	h.sessions.Share(p.bus)
	h.providers = provider.New(d, p.clock, p.jobs, p.config.Public, providers)
	h.traders = trader.New(d, p.clock, h.sessions, h.outbox, values, h.hasher, texts, changed)
	messenger := trader.NewMessenger(p.clock, h.outbox, texts).Into(p.notices)
	h.traders.TellBy(messenger)
	h.identities = kyc.New(d, p.clock, keys, vault.NewFolder(filepath.Join(p.config.DataDir, "kyc")), messenger)
	h.deposits = deposit.New(d, p.clock, values, upload.NewStore(filepath.Join(p.config.DataDir, "uploads")), messenger, h.identities, keys, changed)
	h.deposits.ThroughProviders(h.providers, p.jobs)
	h.deposits.ThroughCustodians(h.providers, payee.Normal)
	h.payees = payee.New(d, p.clock, values, h.outbox, keys, texts, h.traders)
	h.books = reconciliation.New(d, p.clock)
	h.adjustments = adjustment.New(d, p.clock, values, p.trading, changed)
	h.traders.KnowBirths(h.identities.BornOn)
	h.withdrawals = withdrawal.New(d, p.clock, values, h.traders, h.identities, h.payees, p.trading, h.books, messenger, keys, changed)
	h.withdrawals.PayThrough(h.providers, p.jobs)
	h.providers.On(provider.AboutPayout, h.withdrawals.Hear)
	jobs.Handle(p.jobs, func(ctx context.Context, _ askAboutPayouts) error {
		_, err := h.withdrawals.AskAll(ctx)
		return err
	})
	p.jobs.Every(time.Minute, askAboutPayouts{})
	h.wallets = wallet.New(d, p.clock, values, p.market, p.trading, changed)
	jobs.Handle(p.jobs, func(ctx context.Context, _ sweepQuotes) error {
		_, err := h.wallets.SweepQuotes(ctx)
		return err
	})
	p.jobs.Every(time.Hour, sweepQuotes{})
	jobs.Handle(p.jobs, func(ctx context.Context, _ expireDeposits) error {
		_, err := h.deposits.Expire(ctx)
		return err
	})
	p.jobs.Every(time.Minute, expireDeposits{})
	jobs.Handle(p.jobs, func(ctx context.Context, _ askProviders) error {
		_, err := h.deposits.AskOpen(ctx)
		return err
	})
	p.jobs.Every(time.Minute, askProviders{})
	jobs.Handle(p.jobs, func(ctx context.Context, _ askCustodians) error {
		_, err := h.deposits.AskCustodians(ctx)
		return err
	})
	p.jobs.Every(time.Minute, askCustodians{})
	jobs.Handle(p.jobs, func(ctx context.Context, _ completeWithdrawals) error {
		_, err := h.withdrawals.Complete(ctx)
		return err
	})
	p.jobs.Every(10*time.Minute, completeWithdrawals{})
	jobs.Handle(p.jobs, func(ctx context.Context, _ reconcile) error {
		_, err := h.books.Run(ctx)
		return err
	})
	p.jobs.Every(reconciliation.Every, reconcile{})
	jobs.Handle(p.jobs, func(ctx context.Context, _ expireIdentities) error {
		_, err := h.identities.Expire(ctx)
		return err
	})
	p.jobs.Every(time.Hour, expireIdentities{})
	jobs.Handle(p.jobs, func(ctx context.Context, _ sweepGuesses) error { return h.sessions.SweepGuesses(ctx) })
	p.jobs.Every(time.Hour, sweepGuesses{})
	h.chat = p.newChat(p.clock)
	jobs.Handle(p.jobs, func(ctx context.Context, _ forgetRefusals) error { return h.chat.ForgetNotes(ctx) })
	p.jobs.Every(time.Hour, forgetRefusals{})
	jobs.Handle(p.jobs, func(ctx context.Context, _ sweepChatPictures) error { return h.chat.SweepPictures(ctx) })
	p.jobs.Every(time.Hour, sweepChatPictures{})
	return h
}

func (p *platform) newHasher() *trader.Hasher {
	if p.config.argon2 == nil {
		return trader.NewHasher()
	}
	return trader.NewHasherWith(p.config.argon2)
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

// sweepGuesses is the job that forgets guesses and solved challenges that no limit looks at any more.
type sweepGuesses struct{}

// Kind names the job.
func (sweepGuesses) Kind() string { return "sweep_guesses" }

// sweepQuotes is the job that deletes the quotes of exchanges that nobody took.
type sweepQuotes struct{}

// Kind names the job.
func (sweepQuotes) Kind() string { return "sweep_quotes" }

// forgetRefusals is the job that drops what support no longer looks for.
type forgetRefusals struct{}

// Kind names the job.
func (forgetRefusals) Kind() string { return "forget_refusals" }

// sweepChatPictures is the job that deletes the pictures that nobody has sent.
type sweepChatPictures struct{}

// Kind names the job.
func (sweepChatPictures) Kind() string { return "sweep_chat_pictures" }

// tendEvery is how often conversations are handed out and put off ones come back.
const tendEvery = time.Second

// tendChat hands conversations out again and again; whatever server comes first does it.
func (p *platform) tendChat(ctx context.Context) error {
	stop, err := p.chat.Follow()
	if err != nil {
		return err
	}
	defer stop()
	ticker := time.NewTicker(tendEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := p.chat.RouteQueue(ctx); err != nil && ctx.Err() == nil {
				slog.Error("conversations were not handed out", "error", err)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// expireDeposits is the job that ends requests whose transfer did not come.
type expireDeposits struct{}

// Kind names the job.
func (expireDeposits) Kind() string { return "expire_deposits" }

// askProviders is the job that asks providers about the deposits that are under way.
type askProviders struct{}

// Kind names the job.
func (askProviders) Kind() string { return "ask_providers" }

// askCustodians is the job that asks what coins have arrived.
type askCustodians struct{}

// Kind names the job.
func (askCustodians) Kind() string { return "ask_custodians" }

// completeWithdrawals is the job that ends withdrawals which no bank has given back in time.
type completeWithdrawals struct{}

// Kind names the job.
func (completeWithdrawals) Kind() string { return "complete_withdrawals" }

// askAboutPayouts is the job that asks providers about what they send.
type askAboutPayouts struct{}

// Kind names the job.
func (askAboutPayouts) Kind() string { return "ask_about_payouts" }

// reconcile is the job that proves that the books agree.
type reconcile struct{}

// Kind names the job.
func (reconcile) Kind() string { return "reconcile" }

// expireIdentities is the job that follows the documents of verified traders to their end.
type expireIdentities struct{}

// Kind names the job.
func (expireIdentities) Kind() string { return "expire_identities" }

// newOutbox makes the outbox, which keeps messages in development only, and expires what nobody could send in time.
func (p *platform) newOutbox(keys *vault.Vault, senders map[mail.Channel]mail.Sender) *mail.Outbox {
	o := mail.New(p.database.DB, p.clock, p.jobs, keys, senders)
	if p.config.Mode == production {
		o.KeepNothing()
	}
	jobs.Handle(p.jobs, func(ctx context.Context, _ expireMessages) error {
		_, err := o.Expire(ctx)
		return err
	})
	p.jobs.Every(time.Minute, expireMessages{})
	return o
}

// expireMessages is the job that empties the messages whose life has ended.
type expireMessages struct{}

// Kind names the job.
func (expireMessages) Kind() string { return "expire_messages" }

func openSenders(c Config) (map[mail.Channel]mail.Sender, error) {
	if c.SMTP == "" {
		return nil, nil
	}
	smtp, err := mail.NewSMTP(c.SMTP)
	if err != nil {
		return nil, err
	}
	return map[mail.Channel]mail.Sender{mail.Mail: smtp}, nil
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
	run("switches", p.switches.Follow, ctx)
	run("notices", p.notices.Follow, ctx)
	run("sockets", p.hub.Run, p.sockets)
	run("chat", p.tendChat, ctx)
	run("refusals", p.chat.KeepNotes, ctx)
	run("chains", p.sealChains, ctx)
	if err := p.jobs.Start(ctx, p.database.Pool); err != nil {
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

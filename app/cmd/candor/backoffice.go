package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"candor/admin/access"
	"candor/admin/adjustdesk"
	"candor/admin/cashdesk"
	"candor/admin/chatdesk"
	"candor/admin/controldesk"
	"candor/admin/desk"
	"candor/admin/kycdesk"
	"candor/admin/ledgerdesk"
	"candor/admin/newsdesk"
	"candor/admin/paydesk"
	"candor/admin/signin"
	"candor/admin/switchdesk"
	"candor/admin/tradedesk"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/payee"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault"
	"candor/app/provider"
	"candor/app/reconciliation"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/wallet"
	"candor/app/withdrawal"
	customerweb "candor/customer-web"
	"candor/locales"
	"candor/templates/assets"
	"candor/templates/layout"
	"candor/templates/ui"
)

// house is what both doors share.
type house struct {
	sessions    *session.Service
	traders     *trader.Service
	deposits    *deposit.Service
	identities  *kyc.Service
	keys        *vault.Vault
	payees      *payee.Service
	providers   *provider.Service
	withdrawals *withdrawal.Service
	adjustments *adjustment.Service
	wallets     *wallet.Service
	books       *reconciliation.Service
	outbox      *mail.Outbox
	switches    *switches.Service
	chat        *support.Service
	hasher      *trader.Hasher
	texts       *i18n.Catalogue // of the trader app
}

// dropSessions is the job that forgets the back office's expired sessions.
type dropSessions struct{}

// Kind names the job.
func (dropSessions) Kind() string { return "drop_staff_sessions" }

// backOffice builds the staff's door.
func (p *platform) backOffice(ctx context.Context, h house) error {
	texts, err := i18n.Load(locales.Backoffice())
	if err != nil {
		return err
	}
	if err := assets.Load(customerweb.Dist); err != nil {
		slog.Warn("the back office has no styles and scripts yet: run make build", "error", err)
	}
	enforcer, err := access.New(ctx, p.database.DB)
	if err != nil {
		return err
	}
	p.staff = staff.New(p.database.DB, p.clock, h.hasher, h.sessions, h.outbox, h.keys, texts, p.adminURL())
	if _, err := p.staff.SealSecrets(ctx); err != nil {
		return err
	}
	h.identities.OnQuota(p.staff.AlarmTx)
	p.switches.TellBy(h.outbox, texts, p.adminURL())
	log := audit.NewLog(p.database.DB)
	frame := desk.New(desk.Config{
		DB: p.database.DB, Clock: p.clock, Staff: p.staff, Access: enforcer, Texts: texts, Production: p.config.Mode == production, Health: p.health(h.books),
		Counts: map[string]func(context.Context) (desk.Waiting, error){
			"chat": chatdesk.Waiting(h.chat),
			"deposits": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := h.deposits.Waiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: deposit.Target}, err
			},
			"identity": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := h.identities.Waiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: kyc.Target}, err
			},
			"withdrawals": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := h.withdrawals.Waiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: withdrawal.Target}, err
			},
			"adjustments": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := h.adjustments.Waiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: adjustment.Target}, err
			},
			"reconciliation": ledgerdesk.Stopped(h.books),

			"switches": switchdesk.Waiting(p.switches),
			"content":  newsdesk.Waiting(p.notices),
			"staff":    controldesk.WaitingRequests(p.staff),
			"products": controldesk.WaitingChanges(p.changes),
		},
	})
	jobs.Handle(p.jobs, func(ctx context.Context, _ dropSessions) error { return frame.DropExpired(ctx) })
	p.jobs.Every(10*time.Minute, dropSessions{})
	p.mountBackOffice = func(e *echo.Echo) {
		frame.MountPublic(e, signin.Routes(p.staff))
		frame.Mount(e,
			controldesk.Routes(controldesk.Services{
				Staff: p.staff, Audit: log, Outbox: h.outbox, Market: p.market, Changes: p.changes, Switches: p.switches, Notices: p.notices, Books: h.books,
				Kept: p.config.SMTP == "", Production: p.config.Mode == production, Deposits: h.deposits, Withdrawals: h.withdrawals, Adjustments: h.adjustments, Identities: h.identities, Chat: h.chat,
			}),
			cashdesk.Routes(cashdesk.Services{Deposits: h.deposits, Traders: h.traders, Staff: p.staff, Audit: log, Texts: h.texts}),
			kycdesk.Routes(kycdesk.Services{Identities: h.identities, Traders: h.traders, Staff: p.staff, Audit: log, Texts: h.texts, Tag: h.keys.Tag}),
			paydesk.Routes(paydesk.Services{Withdrawals: h.withdrawals, Traders: h.traders, Staff: p.staff, Audit: log, Texts: h.texts}),
			adjustdesk.Routes(adjustdesk.Services{Adjustments: h.adjustments, Traders: h.traders, Staff: p.staff, Audit: log, Ledger: p.database.Pool}),
			switchdesk.Routes(switchdesk.Services{Values: h.switches, Changes: p.switches, Traders: h.traders, Texts: h.texts, Online: p.hub.Online}),
			chatdesk.Routes(chatdesk.Services{
				Chat: h.chat, Traders: h.traders, Sessions: h.sessions, Identities: h.identities, Deposits: h.deposits, Withdrawals: h.withdrawals, Ledger: p.database.Pool,
				Texts: h.texts, Uploads: p.uploads, Ending: p.sockets.Done(),
			}),
			newsdesk.Routes(newsdesk.Services{Notices: p.notices, Uploads: p.uploads}),
			ledgerdesk.Routes(ledgerdesk.Services{Books: h.books, Staff: p.staff}),
			tradedesk.Routes(tradedesk.Services{
				Traders: h.traders, Sessions: h.sessions, Ledger: p.database.Pool, Trading: p.trading, Market: p.market, Deposits: h.deposits, Audit: log, Staff: p.staff,
				Withdrawals: h.withdrawals, Payees: h.payees, Identities: h.identities, Chat: h.chat,
				Finders: []tradedesk.Finder{h.payees.Owners, h.withdrawals.Owners, h.deposits.Owners},
			}),
		)
	}
	return nil
}

// adminURL is where links in messages lead; it comes from the configuration, never from a request.
func (p *platform) adminURL() string {
	address := p.config.Addr
	if p.config.AdminAddr != "" {
		address = p.config.AdminAddr
	}
	if p.config.Mode == production {
		return "https://" + address // staff come through a proxy that speaks TLS
	}
	return p.config.localURL(address)
}

// adminHandler is the back office on an address of its own.
func (p *platform) adminHandler(dist fs.FS) http.Handler {
	e := p.newEcho()
	p.mountBackOffice(e)
	e.GET("/assets/*", app(dist, ""))
	return e
}

// health is the state of the house in the foot of the back office's navigation.
func (p *platform) health(books *reconciliation.Service) func(context.Context, *time.Location) []layout.HealthLine {
	return func(ctx context.Context, zone *time.Location) []layout.HealthLine {
		return []layout.HealthLine{p.feedHealth(ctx), p.booksHealth(ctx, books, zone), p.tapeHealth(ctx, zone)}
	}
}

// booksHealth says when the books were last found right, or that no money goes out.
func (p *platform) booksHealth(ctx context.Context, books *reconciliation.Service, zone *time.Location) layout.HealthLine {
	line := layout.HealthLine{State: ui.DotWarn, Label: i18n.T(ctx, "health.books"), Value: i18n.T(ctx, "health.books_never")}
	_, stopped, err := books.Living(ctx)
	last, failed := books.List(ctx, 0, 1)
	switch {
	case err != nil || failed != nil:
		slog.WarnContext(ctx, "the state of the books could not be read", "error", errors.Join(err, failed))
	case stopped || len(last) > 0 && last[0].Wrong != nil:
		line.State, line.Value = ui.DotBad, i18n.T(ctx, "health.books_stopped")
	case len(last) > 0:
		line.Value = i18n.T(ctx, "health.books_right", "at", last[0].At.In(zone).Format("15:04"))
		if p.clock.Now().Sub(last[0].At) < 2*reconciliation.Every {
			line.State = ui.DotOK
		}
	}
	return line
}

func (p *platform) feedHealth(ctx context.Context) layout.HealthLine {
	late, open := 0, 0
	for _, product := range p.market.Products() {
		s, err := p.market.Status(product.ID)
		if err != nil || !s.Open {
			continue
		}
		open++
		if s.Stale || s.Halted {
			late++
		}
	}
	line := layout.HealthLine{State: ui.DotOK, Label: i18n.T(ctx, "health.prices"), Value: i18n.T(ctx, "health.prices_fresh", "open", open)}
	if late > 0 {
		line.State, line.Value = ui.DotWarn, i18n.T(ctx, "health.prices_late", "late", late, "open", open)
	}
	return line
}

// tapeLate is how old the end of the sealed tape may be while prices come.
const tapeLate = 10 * time.Second

func (p *platform) tapeHealth(ctx context.Context, zone *time.Location) layout.HealthLine {
	batch, at := p.market.TapeEnd()
	line := layout.HealthLine{State: ui.DotOK, Label: i18n.T(ctx, "health.tape"), Value: fmt.Sprintf("#%d %s", batch, at.In(zone).Format("15:04:05"))}
	if p.clock.Now().Sub(at) > tapeLate {
		line.State = ui.DotWarn
	}
	return line
}

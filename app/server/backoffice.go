package server

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"candor/admin/access"
	"candor/admin/accountdesk"
	"candor/admin/adjustdesk"
	"candor/admin/bankdesk"
	"candor/admin/bonusdesk"
	"candor/admin/cashdesk"
	"candor/admin/changedesk"
	"candor/admin/chatdesk"
	"candor/admin/complaintdesk"
	"candor/admin/controldesk"
	"candor/admin/desk"
	"candor/admin/finddesk"
	"candor/admin/kycdesk"
	"candor/admin/ledgerdesk"
	"candor/admin/newsdesk"
	"candor/admin/paydesk"
	"candor/admin/reportdesk"
	"candor/admin/signin"
	"candor/admin/switchdesk"
	"candor/admin/tagdesk"
	"candor/admin/taskdesk"
	"candor/admin/tradedesk"
	"candor/app/accountchange"
	"candor/app/adjustment"
	"candor/app/api"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/bonus"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/platform/i18n"
	"candor/app/reconciliation"
	"candor/app/score"
	"candor/app/staff"
	"candor/app/switches"
	"candor/app/trading/proof"
	"candor/app/withdrawal"
	customerweb "candor/customer-web"
	"candor/templates/assets"
	"candor/templates/layout"
	"candor/templates/ui"
)

// buildBackOffice builds the back office. Fills and quotes are sealed under the public key; the preview of content reads what visitors may read of the API.
func (p *Platform) buildBackOffice(public ed25519.PublicKey, apiServer *api.Server) error {
	if err := assets.Load(customerweb.Dist); err != nil {
		slog.Warn("the back office has no styles and scripts yet: run make build", "error", err)
	}
	enforcer, err := access.New()
	if err != nil {
		return err
	}
	s := p.Services
	log := audit.NewLog(p.Database.DB)
	p.Frame = desk.New(desk.Config{
		DB: p.Database.DB, Clock: p.Clock, Staff: s.Staff, Access: enforcer, Texts: s.deskTexts, Production: p.Config.Mode == Production, Health: p.health(s.books),
		SignedIn: s.Chat.SignedIn, Bus: p.Bus, Closed: s.traders.Closed, Tag: s.keys.Tag, Sources: []desk.Source{chatdesk.Source(s.Chat)}, Ending: p.Sockets.Done(),
		SmallStep: func() staff.SmallStep {
			return staff.SmallStep{Amount: s.values.Amount(switches.SmallAmountKey), Decisions: s.values.Count(switches.SmallDecisionsKey)}
		},
		Counts: map[string]func(context.Context) (desk.Waiting, error){
			"chat": chatdesk.Waiting(s.Chat, p.Clock.Now),
			"deposits": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.deposits.CountWaiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: deposit.Target}, err
			},
			"identity": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.identities.CountWaiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: kyc.Target}, err
			},
			"withdrawals": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.withdrawals.CountWaiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: withdrawal.Target}, err
			},
			"bonuses": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.Bonuses.CountWaiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: bonus.Target}, err
			},
			"appeals": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.scores.CountAppeals(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: score.Target}, err
			},
			"account-changes": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.Changes.CountWaiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: accountchange.Target}, err
			},
			"adjustments": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.adjustments.CountWaiting(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: adjustment.Target}, err
			},
			"reconciliation": ledgerdesk.Stopped(s.books),
			"channels": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.deposits.ChannelChanges().Count(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: banking.Target}, err
			},
			"bank-accounts": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.banking.AccountChanges().Count(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: banking.Target}, err
			},
			"payout-routes": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.withdrawals.RouteChanges().Count(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: banking.Target}, err
			},
			"payout-batches": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.withdrawals.CountBatches(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: withdrawal.Transfer}, err
			},
			"statements": func(ctx context.Context) (desk.Waiting, error) {
				n, oldest, err := s.banking.CountOpen(ctx)
				return desk.Waiting{Count: n, Oldest: oldest, Target: banking.Target}, err
			},

			"complaints": complaintdesk.Waiting(s.complaints),

			"switches": switchdesk.Waiting(s.Switches),
			"content":  newsdesk.Waiting(s.notices),
			"staff":    controldesk.WaitingRequests(s.Staff),
			"products": controldesk.WaitingChanges(p.changes),
		},
		OwnCounts: map[string]func(*desk.Request) (desk.Waiting, error){"tasks": taskdesk.Waiting(s.tasks)},
	})
	owners := s.taskOwners()
	p.reports = reportdesk.Mailer{Reports: s.reports, Staff: s.Staff, Access: enforcer, Outbox: s.outbox, Texts: s.deskTexts, Address: p.AdminURL()}
	calls := p.NewEcho()
	apiServer.Mount(calls)
	p.mountBackOffice = func(e *echo.Echo) {
		deposits := cashdesk.Services{Deposits: s.deposits, Traders: s.traders, Staff: s.Staff, Audit: log, Texts: s.texts, Payer: s.banking.PayerOf}
		identities := kycdesk.Services{Identities: s.identities, Traders: s.traders, Staff: s.Staff, Audit: log, Texts: s.texts, Tag: s.keys.Tag}
		withdrawals := paydesk.Services{Withdrawals: s.withdrawals, Traders: s.traders, Trading: p.Trading, Staff: s.Staff, Audit: log, Texts: s.texts}
		bank := bankdesk.Services{Banking: s.banking, Deposits: s.deposits, Withdrawals: s.withdrawals, Staff: s.Staff, Audit: log}
		adjustments := adjustdesk.Services{Adjustments: s.adjustments, Traders: s.traders, Staff: s.Staff, Audit: log, Ledger: p.Database.Pool, Tasks: s.tasks, Uploads: s.Uploads}
		bonuses := bonusdesk.Services{Bonuses: s.Bonuses, Traders: s.traders, Staff: s.Staff, Audit: log}
		changes := changedesk.Services{Changes: s.Changes, Identities: s.identities, Traders: s.traders, Staff: s.Staff, Audit: log}
		values := switchdesk.Services{Values: s.values, Changes: s.Switches, Traders: s.traders, Texts: s.texts, Online: p.Hub.Online, Audit: log}
		chats := chatdesk.Services{
			Chat: s.Chat, Traders: s.traders, Sessions: s.sessions, Identities: s.identities, Deposits: s.deposits, Withdrawals: s.withdrawals, Ledger: p.Database.Pool,
			Trading: p.Trading, Texts: s.texts, Uploads: s.Uploads, Tasks: s.tasks, Scores: s.scores,
		}
		news := newsdesk.Services{
			Notices: s.notices, Uploads: s.Uploads, Audit: log, App: newsdesk.App{Calls: calls, Policy: framedPolicy, SignKey: p.Config.NewsignKey},
		}
		traders := tradedesk.Services{
			Traders: s.traders, Sessions: s.sessions, Ledger: p.Database.Pool, Trading: p.Trading, Market: p.Market, Deposits: s.deposits, Audit: log, Staff: s.Staff,
			Withdrawals: s.withdrawals, Payees: s.payees, Identities: s.identities, Chat: s.Chat, Tasks: s.tasks, Complaints: s.complaints, Outbox: s.outbox, Scores: s.scores, Bonuses: s.Bonuses, Wallets: s.wallets, Notices: s.notices, Proofs: proof.NewReader(p.Database.Pool, p.Market), SealKey: public, Texts: s.texts,
			Owners: []tradedesk.Owners{s.payees.Owners, s.withdrawals.TradersByHash, s.deposits.TradersByAddressOrHash},
		}
		p.Frame.AddFinders(
			tradedesk.Finders(traders), cashdesk.Finders(deposits), paydesk.Finders(withdrawals), adjustdesk.Finders(adjustments), bonusdesk.Finders(bonuses), bankdesk.Finders(bank), kycdesk.Finders(identities), changedesk.Finders(changes),
			chatdesk.Finders(chats), newsdesk.Finders(news), switchdesk.Finders(values),
		)
		p.Frame.MountPublic(e, signin.Routes(s.Staff))
		p.Frame.Mount(e,
			controldesk.Routes(controldesk.Services{
				Staff: s.Staff, Audit: log, Outbox: s.outbox, Market: p.Market, Changes: p.changes, Switches: s.Switches, Notices: s.notices, Books: s.books,
				Kept: p.Config.SMTP == "", Production: p.Config.Mode == Production, Deposits: s.deposits, Withdrawals: s.withdrawals, Adjustments: s.adjustments, Identities: s.identities, Chat: s.Chat,
				Banking: s.banking, Reports: s.reports,
			}),
			cashdesk.Routes(deposits), kycdesk.Routes(identities), paydesk.Routes(withdrawals), bankdesk.Routes(bank), adjustdesk.Routes(adjustments), bonusdesk.Routes(bonuses), changedesk.Routes(changes),
			switchdesk.Routes(values), chatdesk.Routes(chats), newsdesk.Routes(news), ledgerdesk.Routes(ledgerdesk.Services{Books: s.books, Banking: s.banking, Staff: s.Staff}),
			tradedesk.Routes(traders), finddesk.Routes(), reportdesk.Routes(reportdesk.Services{Reports: s.reports, Audit: log}),
			accountdesk.Routes(accountdesk.Services{Staff: s.Staff}),
			tagdesk.Routes(tagdesk.Services{Traders: s.traders, Staff: s.Staff, Audit: log}),
			taskdesk.Routes(taskdesk.Services{Tasks: s.tasks, Staff: s.Staff, Audit: log, Owners: owners}),
			complaintdesk.Routes(complaintdesk.Services{Complaints: s.complaints, Traders: s.traders, Chat: s.Chat, Staff: s.Staff, Audit: log, Products: p.productCodes}),
		)
	}
	return nil
}

// AdminURL is the base of links in messages; it comes from the configuration, never from a request.
func (p *Platform) AdminURL() string {
	address := p.Config.Addr
	if p.Config.AdminAddr != "" {
		address = p.Config.AdminAddr
	}
	if p.Config.Mode == Production {
		return "https://" + address // staff connect through a TLS proxy
	}
	return p.Config.LocalURL(address)
}

// adminHandler is the back office on its own address.
func (p *Platform) adminHandler(dist fs.FS) http.Handler {
	e := p.NewEcho()
	p.mountBackOffice(e)
	e.GET("/assets/*", TraderApp(dist, ""))
	return e
}

// health is the platform's state in the footer of the back office's navigation.
func (p *Platform) health(books *reconciliation.Service) func(context.Context, *time.Location) []layout.HealthLine {
	return func(ctx context.Context, zone *time.Location) []layout.HealthLine {
		return []layout.HealthLine{p.feedHealth(ctx), p.booksHealth(ctx, books, zone), p.tapeHealth(ctx, zone)}
	}
}

// booksHealth is the time of the last successful reconciliation, or the withdrawal halt.
func (p *Platform) booksHealth(ctx context.Context, books *reconciliation.Service, zone *time.Location) layout.HealthLine {
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
		if p.Clock.Now().Sub(last[0].At) < 2*reconciliation.Every {
			line.State = ui.DotOK
		}
	}
	return line
}

func (p *Platform) feedHealth(ctx context.Context) layout.HealthLine {
	late, open := 0, 0
	for _, product := range p.Market.Products() {
		s, err := p.Market.Status(product.ID)
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

// tapeMaxAge is the greatest age of the sealed tape's end while prices arrive.
const tapeMaxAge = 10 * time.Second

func (p *Platform) tapeHealth(ctx context.Context, zone *time.Location) layout.HealthLine {
	batch, at := p.Market.TapeEnd()
	line := layout.HealthLine{State: ui.DotOK, Label: i18n.T(ctx, "health.tape"), Value: fmt.Sprintf("#%d %s", batch, at.In(zone).Format("15:04:05"))}
	if p.Clock.Now().Sub(at) > tapeMaxAge {
		line.State = ui.DotWarn
	}
	return line
}

// Package controldesk administers the broker: the start page, staff and roles, the audit log, the outbox, products with their terms and prices.
package controldesk

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/platform/i18n"
	"candor/app/platform/mail"
	"candor/app/reconciliation"
	"candor/app/report"
	"candor/app/staff"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/withdrawal"
)

// Market reads prices and products for the desk; the desk changes no price.
type Market interface {
	Products() []market.Product
	Product(id int) (market.Product, error)
	Terms(productID int) (market.Versions, error)
	Newest(productID int) (market.Quote, bool)
	Status(productID int) (market.Status, error)
	StaleLimit(p market.Product) time.Duration
	Rejections() map[market.Rejection]int64
	FeedName() string
	Now() time.Time
}

// Books reads the stop of withdrawals in force and the results of the reconciliation.
type Books interface {
	Living(ctx context.Context) (stop reconciliation.Stop, stopped bool, err error)
	List(ctx context.Context, before int64, limit int) ([]reconciliation.Result, error)
}

// Services holds the dependencies of the desk.
type Services struct {
	Staff    *staff.Service
	Audit    *audit.Log
	Outbox   *mail.Outbox
	Market   Market
	Changes  *market.Changes
	Switches *switches.Changes
	Notices  *notice.Service
	Books    Books
	Kept     bool // no sender of mail is configured, so messages stay in the outbox

	Production bool // no message body is revealed, and recipients are masked

	Deposits    *deposit.Service
	Withdrawals *withdrawal.Service
	Adjustments *adjustment.Service
	Identities  *kyc.Service
	Chat        *support.Service
	Banking     *banking.Service
	Reports     *report.Service

	keeper *keeper
}

// Routes lists the desk's routes.
func Routes(s Services) []desk.Route {
	s.keeper = &keeper{kept: map[string]*keptValue{}}
	return slices.Concat([]desk.Route{
		{Method: http.MethodGet, Path: "", Permission: access.Home, Handle: s.home},
		{Method: http.MethodGet, Path: "/home", Permission: access.Home, Quiet: true, Handle: s.homeNow},
	}, s.entries().Routes(), s.outboxRoutes(), s.productRoutes(), s.staffRoutes())
}

func (s Services) productRoutes() []desk.Route {
	return append(s.productList().Routes(), []desk.Route{
		{Method: http.MethodGet, Path: "/products/:id", Permission: access.ProductView, Handle: s.product},
		{Method: http.MethodGet, Path: "/products/:id/terms", Permission: access.ProductChange, Handle: s.askTerms},
		{Method: http.MethodPost, Path: "/products/:id/terms/review", Permission: access.ProductChange, Handle: s.reviewTerms},
		{Method: http.MethodPost, Path: "/products/:id/terms", Permission: access.ProductChange, Handle: s.changeTerms},
		{Method: http.MethodGet, Path: "/products/:id/dividend", Permission: access.ProductChange, Handle: s.askDividend},
		{Method: http.MethodPost, Path: "/products/:id/dividend/review", Permission: access.ProductChange, Handle: s.reviewDividend},
		{Method: http.MethodPost, Path: "/products/:id/dividend", Permission: access.ProductChange, Handle: s.addDividend},
		{Method: http.MethodGet, Path: "/product-changes/:id/approval", Permission: access.ProductApprove, Handle: s.askChangeDecision(approveChange)},
		{Method: http.MethodPost, Path: "/product-changes/:id/approval", Permission: access.ProductApprove, Handle: s.decideChange(approveChange)},
		{Method: http.MethodGet, Path: "/product-changes/:id/refusal", Permission: access.ProductApprove, Handle: s.askChangeDecision(refuseChange)},
		{Method: http.MethodPost, Path: "/product-changes/:id/refusal", Permission: access.ProductApprove, Handle: s.decideChange(refuseChange)},
		{Method: http.MethodGet, Path: "/product-changes/:id/withdrawal", Permission: access.ProductChange, Handle: s.askChangeDecision(withdrawChange)},
		{Method: http.MethodPost, Path: "/product-changes/:id/withdrawal", Permission: access.ProductChange, Handle: s.decideChange(withdrawChange)},
	}...)
}

func (s Services) staffRoutes() []desk.Route {
	return append(s.people().Routes(), []desk.Route{
		{Method: http.MethodGet, Path: "/staff/roles", Permission: access.StaffView, Handle: s.roles},
		{Method: http.MethodGet, Path: "/staff/:id", Permission: access.StaffView, Handle: s.person},
		{Method: http.MethodGet, Path: "/staff/invitation", Permission: access.StaffManage, Handle: s.askInvitation},
		{Method: http.MethodPost, Path: "/staff/invitation", Permission: access.StaffManage, Handle: s.invite},
		{Method: http.MethodGet, Path: "/staff/:id/invitation", Permission: access.StaffManage, Handle: s.ask(inviteAgain)},
		{Method: http.MethodPost, Path: "/staff/:id/invitation", Permission: access.StaffManage, Handle: s.act(inviteAgain)},
		{Method: http.MethodGet, Path: "/staff/:id/disabling", Permission: access.StaffManage, Handle: s.ask(disable)},
		{Method: http.MethodPost, Path: "/staff/:id/disabling", Permission: access.StaffManage, Handle: s.act(disable)},
		{Method: http.MethodGet, Path: "/staff/:id/enabling", Permission: access.StaffManage, Handle: s.ask(enable)},
		{Method: http.MethodPost, Path: "/staff/:id/enabling", Permission: access.StaffManage, Handle: s.act(enable)},
		{Method: http.MethodGet, Path: "/staff/:id/authenticator", Permission: access.StaffManage, Handle: s.ask(resetAuthenticator)},
		{Method: http.MethodPost, Path: "/staff/:id/authenticator", Permission: access.StaffManage, Handle: s.act(resetAuthenticator)},
		{Method: http.MethodGet, Path: "/staff/:id/fresh-start", Permission: access.StaffManage, Handle: s.ask(resetAccess)},
		{Method: http.MethodPost, Path: "/staff/:id/fresh-start", Permission: access.StaffManage, Handle: s.act(resetAccess)},
		{Method: http.MethodGet, Path: "/staff/:id/phone", Permission: access.StaffManage, Handle: s.askPhone},
		{Method: http.MethodPost, Path: "/staff/:id/phone", Permission: access.StaffManage, Handle: s.setPhone},
		{Method: http.MethodGet, Path: "/staff/:id/role", Permission: access.StaffManage, Handle: s.askRole},
		{Method: http.MethodGet, Path: "/staff/:id/role/powers", Permission: access.StaffManage, Handle: s.rolePowers},
		{Method: http.MethodPost, Path: "/staff/:id/role", Permission: access.StaffManage, Handle: s.giveRole},
		{Method: http.MethodGet, Path: "/staff/:id/roles/:role/revocation", Permission: access.StaffManage, Handle: s.askRevocation},
		{Method: http.MethodPost, Path: "/staff/:id/roles/:role/revocation", Permission: access.StaffManage, Handle: s.revoke},
		{Method: http.MethodGet, Path: "/role-requests/:id/approval", Permission: access.StaffApprove, Handle: s.askDecision(grant)},
		{Method: http.MethodPost, Path: "/role-requests/:id/approval", Permission: access.StaffApprove, Handle: s.decide(grant)},
		{Method: http.MethodGet, Path: "/role-requests/:id/refusal", Permission: access.StaffApprove, Handle: s.askDecision(refuse)},
		{Method: http.MethodPost, Path: "/role-requests/:id/refusal", Permission: access.StaffApprove, Handle: s.decide(refuse)},
		{Method: http.MethodGet, Path: "/role-requests/:id/withdrawal", Permission: access.StaffManage, Handle: s.askDecision(withdraw)},
		{Method: http.MethodPost, Path: "/role-requests/:id/withdrawal", Permission: access.StaffManage, Handle: s.decide(withdraw)},
		{Method: http.MethodGet, Path: "/staff/:id/sessions/:session/end", Permission: access.StaffManage, Handle: s.askEndSession},
		{Method: http.MethodPost, Path: "/staff/:id/sessions/:session/end", Permission: access.StaffManage, Handle: s.endSession},
	}...)
}

// RequestTarget is how long a role request or a change of a product may wait for its second person.
const RequestTarget = 24 * time.Hour

// WaitingRequests reads the queue of the staff item in the navigation; desk.Config.Counts takes it.
func WaitingRequests(s *staff.Service) func(context.Context) (desk.Waiting, error) {
	return func(ctx context.Context) (desk.Waiting, error) {
		n, oldest, err := s.CountOpenRequests(ctx)
		return desk.Waiting{Count: n, Oldest: oldest, Target: RequestTarget}, err
	}
}

// WaitingChanges reads the queue of the products item in the navigation; desk.Config.Counts takes it.
func WaitingChanges(c *market.Changes) func(context.Context) (desk.Waiting, error) {
	return func(ctx context.Context) (desk.Waiting, error) {
		n, oldest, err := c.CountOpen(ctx)
		return desk.Waiting{Count: n, Oldest: oldest, Target: RequestTarget}, err
	}
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

// word is one text in the language of the member.
func word(r *desk.Request, key string, pairs ...any) string { return i18n.T(ctxOf(r), key, pairs...) }

// cleaned reads a typed text of a filter, without what no text of ours has, and cut at a length.
func cleaned(longest int) func(text string) string {
	return func(text string) string {
		text = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
		if runes := []rune(text); len(runes) > longest {
			return string(runes[:longest])
		}
		return text
	}
}

func roleName(r *desk.Request, role staff.Role) string { return word(r, "role."+string(role)) }

func at(r *desk.Request, moment time.Time) string { return r.Moment(moment) }

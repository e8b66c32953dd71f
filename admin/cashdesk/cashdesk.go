// Package cashdesk is where staff compare deposits with the bank: a queue, one deposit beside its proof, and decisions that take one person or two.
package cashdesk

import (
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/platform/i18n"
	"candor/app/trader"
)

// Services are what the desk works with.
type Services struct {
	Deposits *deposit.Service
	Traders  *trader.Service
	Audit    *audit.Log
	Texts    *i18n.Catalogue // of the trader app: what a trader will read
}

// Routes are the powers of the desk. What takes a second person is checked again with the deposit in hand.
func Routes(s Services) []desk.Route {
	return []desk.Route{
		{Method: http.MethodGet, Path: "/deposits", Permission: access.DepositView, Handle: s.queue},
		{Method: http.MethodGet, Path: "/deposits/:id", Permission: access.DepositView, Handle: s.detail},
		{Method: http.MethodGet, Path: "/deposits/:id/proof", Permission: access.DepositView, Handle: s.proof},
		{Method: http.MethodPost, Path: "/deposits/:id/claim", Permission: access.DepositDecide, Handle: s.claim},
		{Method: http.MethodDelete, Path: "/deposits/:id/claim", Permission: access.DepositDecide, Handle: s.release},
		{Method: http.MethodGet, Path: "/deposits/:id/approval", Permission: access.DepositDecide, Handle: s.openApproval},
		{Method: http.MethodPost, Path: "/deposits/:id/approval", Permission: access.DepositDecide, Handle: s.approve},
		{Method: http.MethodGet, Path: "/deposits/:id/confirmation", Permission: access.DepositConfirm, Handle: s.openConfirmation},
		{Method: http.MethodPost, Path: "/deposits/:id/confirmation", Permission: access.DepositConfirm, Handle: s.confirm},
		{Method: http.MethodGet, Path: "/deposits/:id/rejection", Permission: access.DepositDecide, Handle: s.openDecline(rejection)},
		{Method: http.MethodPost, Path: "/deposits/:id/rejection", Permission: access.DepositDecide, Handle: s.decline(rejection)},
		{Method: http.MethodGet, Path: "/deposits/:id/question", Permission: access.DepositDecide, Handle: s.openDecline(question)},
		{Method: http.MethodPost, Path: "/deposits/:id/question", Permission: access.DepositDecide, Handle: s.decline(question)},
		{Method: http.MethodGet, Path: "/deposits/:id/wording", Permission: access.DepositDecide, Handle: s.wording},
	}
}

// place is the desk's item of the navigation.
const place = "deposits"

func by(r *desk.Request) deposit.Desk { return deposit.Desk{Actor: r.Actor()} }

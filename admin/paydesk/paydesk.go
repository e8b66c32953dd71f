// Package paydesk is where staff let money out: a queue, one withdrawal with what is around it, and decisions that take two people or three.
package paydesk

import (
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/app/trader"
	"candor/app/withdrawal"
)

// Services are what the desk works with.
type Services struct {
	Withdrawals *withdrawal.Service
	Traders     *trader.Service
	Staff       *staff.Service
	Audit       *audit.Log
	Texts       *i18n.Catalogue // of the trader app: what a trader will read
}

// Routes are the powers of the desk. Who may do what in which state is asked again with the withdrawal in hand.
func Routes(s Services) []desk.Route {
	routes := []desk.Route{
		{Method: http.MethodGet, Path: "/withdrawals", Permission: access.WithdrawalView, Handle: s.queue},
		{Method: http.MethodGet, Path: "/withdrawals/filter", Permission: access.WithdrawalView, Handle: s.askFilter},
		{Method: http.MethodGet, Path: "/withdrawals/file", Permission: access.WithdrawalView, Handle: s.file},
		{Method: http.MethodGet, Path: "/withdrawals/:id", Permission: access.WithdrawalView, Handle: s.detail},
		{Method: http.MethodGet, Path: "/withdrawals/:id/wording", Permission: access.WithdrawalView, Handle: s.wording},
		{Method: http.MethodPost, Path: "/withdrawals/:id/claim", Permission: access.WithdrawalWork, Handle: s.claim},
		{Method: http.MethodDelete, Path: "/withdrawals/:id/claim", Permission: access.WithdrawalWork, Handle: s.release},
	}
	for _, d := range decisions() {
		path := "/withdrawals/:id/" + d.noun
		routes = append(routes,
			desk.Route{Method: http.MethodGet, Path: path, Permission: d.permission, Handle: s.open(d)},
			desk.Route{Method: http.MethodPost, Path: path, Permission: d.permission, Handle: s.decide(d)},
		)
	}
	return routes
}

// place is the desk's item of the navigation.
const place = "withdrawals"

func by(r *desk.Request) withdrawal.Desk { return withdrawal.Desk{Actor: r.Actor()} }

// Package tradedesk is where staff look up traders: who they are, what they hold, and what was done. It changes nothing; no route of it could touch a price or a fill.
package tradedesk

import (
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/trading"
)

// Services are what the desk reads from.
type Services struct {
	Traders  *trader.Service
	Sessions *session.Service
	Ledger   ledger.Querier
	Trading  *trading.Service
	Market   *market.Service
	Deposits *deposit.Service
	Audit    *audit.Log
}

// Routes are the powers of the desk: to look, and to see a contact for a reason that is logged.
func Routes(s Services) []desk.Route {
	look := func(path string, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: http.MethodGet, Path: path, Permission: access.TraderView, Handle: handle}
	}
	again := look("/traders/:id/valuation", s.valuation)
	again.Quiet = true
	return []desk.Route{
		look("/traders", s.list),
		look("/traders/:id", s.overview),
		again,
		look("/traders/:id/orders", s.orders),
		look("/traders/:id/funds", s.funds),
		look("/traders/:id/devices", s.devices),
		look("/traders/:id/audit", s.log),
		look("/traders/:id/contact/:kind", s.askContact),
		{Method: http.MethodPost, Path: "/traders/:id/contact/:kind", Permission: access.TraderView, Handle: s.showContact},
	}
}

// place is the desk's item of the navigation.
const place = "traders"

const pageSize = 50

// Package adjustdesk corrects an account's cash: a maker asks from the trader's page, a checker confirms with a fresh code, and above a limit the lead too.
package adjustdesk

import (
	"net/http"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/staff"
	"candor/app/trader"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Adjustments *adjustment.Service
	Traders     *trader.Service
	Staff       *staff.Service
	Audit       *audit.Log
	Ledger      ledger.Querier
}

// Routes lists the desk's routes. The handlers check again who may act in the adjustment's current state.
func Routes(s Services) []desk.Route {
	routes := []desk.Route{
		{Method: http.MethodGet, Path: "/adjustments", Permission: access.AdjustmentView, Handle: s.queue},
		{Method: http.MethodGet, Path: "/adjustments/file", Permission: access.AdjustmentExport, Handle: s.file},
		{Method: http.MethodGet, Path: "/adjustments/filter", Permission: access.AdjustmentView, Handle: s.askFilter},
		{Method: http.MethodGet, Path: "/adjustments/:id", Permission: access.AdjustmentView, Handle: s.detail},
		{Method: http.MethodGet, Path: "/traders/:id/adjustment", Permission: access.AdjustmentAsk, Handle: s.openForm},
		{Method: http.MethodPost, Path: "/traders/:id/adjustment", Permission: access.AdjustmentAsk, Handle: s.ask},
	}
	for _, d := range decisions() {
		path := "/adjustments/:id/" + d.noun
		routes = append(routes,
			desk.Route{Method: http.MethodGet, Path: path, Permission: d.permission, Handle: s.open(d)},
			desk.Route{Method: http.MethodPost, Path: path, Permission: d.permission, Handle: s.decide(d)},
		)
	}
	return routes
}

const (
	// navItem is the desk's item of the navigation.
	navItem = "adjustments"
	home    = "/admin/adjustments"
)

func address(id int64) ui.Path { return ui.To(home+"/{}", id) }

// key is the id of an adjustment's row.
func key(id int64) string { return "ad-" + decimal(id) }

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// Package adjustdesk corrects an account's cash: a maker asks from the trader's page, a checker confirms with a fresh code, and above a limit the lead too.
package adjustdesk

import (
	"net/http"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/upload"
	"candor/app/staff"
	"candor/app/task"
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
	Tasks       *task.Service
	Uploads     *upload.Intake
}

// Routes lists the desk's routes. The handlers check again who may act in the adjustment's current state.
func Routes(s Services) []desk.Route {
	return append(s.desk().Routes(),
		desk.Route{Method: http.MethodGet, Path: "/traders/:id/adjustment", Permission: access.AdjustmentAsk, Handle: s.openForm},
		desk.Route{Method: http.MethodPost, Path: "/traders/:id/adjustment", Permission: access.AdjustmentAsk, Handle: s.ask},
		desk.Route{Method: http.MethodGet, Path: "/adjustments/:id/evidence", Permission: access.AdjustmentAsk, Handle: s.openEvidence},
		desk.Route{Method: http.MethodPost, Path: "/adjustments/:id/evidence", Permission: access.AdjustmentAsk, Uploads: true, Handle: s.addEvidence},
		desk.Route{Method: http.MethodGet, Path: "/adjustments/:id/evidence/:evidence", Permission: access.AdjustmentView, Handle: s.evidence},
	)
}

// home is the address of the list.
var home = ui.To("/admin/adjustments")

// desk declares the desk. Nobody claims an adjustment: whoever may confirm it does.
func (s Services) desk() caseengine.Desk[caseContext, adjustment.Adjustment] {
	return caseengine.Desk[caseContext, adjustment.Adjustment]{
		List: s.list(), Read: s.read, Item: func(cc caseContext) adjustment.Adjustment { return cc.Adjustment }, Show: show, History: caseContext.step, Actions: s.actions(), Extra: caseContext.extra, ReadOnly: isView,
		State: approval.ErrState, Changed: approval.ErrChanged,
	}
}

func address(id int64) ui.Path { return ui.To("/admin/adjustments/{}", id) }

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

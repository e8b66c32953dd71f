// Package changedesk is where two members of staff change a trader's account: a reviewer asks from the trader's page, a lead approves with a fresh code.
package changedesk

import (
	"net/http"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/accountchange"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/staff"
	"candor/app/trader"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Changes    *accountchange.Service
	Identities *kyc.Service
	Traders    *trader.Service
	Staff      *staff.Service
	Audit      *audit.Log
}

// Routes lists the desk's routes. The handlers check again who may act in the request's current state.
func Routes(s Services) []desk.Route {
	return append(desk.Withholding(s.desk().Routes(), s.whose),
		desk.Route{Method: http.MethodGet, Path: "/traders/:id/change", Permission: access.AccountChangeAsk, Handle: s.openForm},
		desk.Route{Method: http.MethodPost, Path: "/traders/:id/change", Permission: access.AccountChangeAsk, Handle: s.ask},
	)
}

// whose is the trader of the request.
func (s Services) whose(r *desk.Request, id int64) (int64, error) {
	c, err := s.Changes.Read(r.Context.Request().Context(), id)
	return c.TraderID, err
}

// home is the address of the list.
var home = ui.To("/admin/account-changes")

// desk declares the desk. Nobody claims a request: whoever may approve it does.
func (s Services) desk() caseengine.Desk[caseContext, accountchange.Change] {
	return caseengine.Desk[caseContext, accountchange.Change]{
		List: s.list(), Read: s.read, Item: func(cc caseContext) accountchange.Change { return cc.Change }, Show: show, History: caseContext.step, Actions: s.actions(),
		State: approval.ErrState, Changed: approval.ErrChanged,
	}
}

func address(id int64) ui.Path { return ui.To("/admin/account-changes/{}", id) }

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// Finders find requests by their number.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "account_change", Permission: access.AccountChangeView, Find: func(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
		id := desk.Number(words, "AC-")
		if id == 0 {
			return nil, nil
		}
		return desk.Found(s.Changes.Read(r.Context.Request().Context(), id))(func(c accountchange.Change) desk.Hit {
			chip := caseengine.ApprovalChip(r.Word, "account_change", c.State)
			return desk.Hit{Label: c.Number(), Note: r.Word("find.trader", "id", c.TraderID), Chip: &chip, Href: address(c.ID).String(), Exact: true}
		})
	}}}
}

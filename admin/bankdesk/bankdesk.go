// Package bankdesk works on the broker's bank accounts: their statements are imported, each line is matched with a deposit or a withdrawal or explained, and
// two people change an account.
package bankdesk

import (
	"net/http"
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/staff"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Banking     *banking.Service
	Deposits    *deposit.Service
	Withdrawals *withdrawal.Service
	Staff       *staff.Service
	Audit       *audit.Log
}

// Routes lists the desk's routes. The handlers check again who may act in the current state of a line or of a request.
func Routes(s Services) []desk.Route {
	settings := slices.Concat(s.settingRoutes(s.accounts()), s.settingRoutes(s.channels()), s.settingRoutes(s.routes()))
	return append(append(s.lines().Routes(), settings...),
		desk.Route{Method: http.MethodGet, Path: "/statements/import", Permission: access.StatementImport, Handle: s.openImport},
		desk.Route{Method: http.MethodPost, Path: "/statements/import", Permission: access.StatementImport, Uploads: true, Handle: s.importFile},
		desk.Route{Method: http.MethodPost, Path: "/statements/import/columns", Permission: access.StatementImport, Uploads: true, Handle: s.importMapped},
		desk.Route{Method: http.MethodGet, Path: "/statements/matches", Permission: access.StatementMatch, Handle: s.openMatches},
		desk.Route{Method: http.MethodPost, Path: "/statements/matches", Permission: access.StatementMatch, Handle: s.matchSure},
	)
}

// home is the address of the list of lines.
var home = ui.To("/admin/statements")

// lines declares the desk of statement lines. Nobody claims a line: an act on an older version is refused.
func (s Services) lines() caseengine.Desk[caseContext, banking.Line] {
	return caseengine.Desk[caseContext, banking.Line]{
		List: s.list(), Read: s.read, Item: func(cc caseContext) banking.Line { return cc.Line }, Show: show, History: caseContext.step, Actions: s.actions(),
		State: banking.ErrState, Changed: banking.ErrChanged,
		FieldErrors: map[string]error{"case": banking.ErrOther, "why": approval.ErrNote},
	}
}

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

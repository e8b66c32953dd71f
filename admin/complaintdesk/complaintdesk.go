// Package complaintdesk is the register of complaints: support registers them, compliance acknowledges, investigates and answers them, and the final answer takes
// a second person.
package complaintdesk

import (
	"context"
	"net/http"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/complaint"
	"candor/app/staff"
	"candor/app/support"
	"candor/app/trader"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Complaints *complaint.Service
	Traders    *trader.Service
	Chat       *support.Service
	Staff      *staff.Service
	Audit      *audit.Log
	Products   func() []string // the short codes of the products
}

// home is the address of the register.
var home = ui.To("/admin/complaints")

// Routes lists the desk's routes.
func Routes(s Services) []desk.Route {
	routes := desk.Withholding(s.desk().Routes(), s.whose)
	for path, where := range map[string]from{"/complaints/request": typed, "/chat/:id/complaint": ofConversation, "/traders/:id/complaint": ofTrader} {
		routes = append(routes,
			desk.Route{Method: http.MethodGet, Path: path, Permission: access.ComplaintRegister, Handle: s.openForm(where)},
			desk.Route{Method: http.MethodPost, Path: path, Permission: access.ComplaintRegister, Handle: s.register(where)},
		)
	}
	return routes
}

// whose is the trader of the complaint.
func (s Services) whose(r *desk.Request, id int64) (int64, error) {
	c, err := s.Complaints.Read(ctxOf(r), id)
	return c.TraderID, err
}

// desk declares the desk. Nobody claims a complaint: who investigates it is its handler.
func (s Services) desk() caseengine.Desk[caseContext, complaint.Complaint] {
	return caseengine.Desk[caseContext, complaint.Complaint]{
		List: s.list(), Read: s.read, Item: func(cc caseContext) complaint.Complaint { return cc.Complaint }, Show: show, History: caseContext.step, Actions: s.actions(),
		State: complaint.ErrState, Changed: approval.ErrChanged,
	}
}

// Waiting counts the complaints that await an answer; desk.Config.Counts takes it.
func Waiting(s *complaint.Service) func(context.Context) (desk.Waiting, error) {
	return func(ctx context.Context) (desk.Waiting, error) {
		n, overdue, err := s.Count(ctx)
		return desk.Waiting{Count: n, Late: overdue}, err
	}
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

func number(id int64) string { return strconv.FormatInt(id, 10) }

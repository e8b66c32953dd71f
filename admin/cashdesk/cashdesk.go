// Package cashdesk compares deposits with the bank: a queue, one deposit beside its proof, and decisions by one person or two.
package cashdesk

import (
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/app/trader"
)

// Services holds the dependencies of the desk.
type Services struct {
	Deposits *deposit.Service
	Traders  *trader.Service
	Staff    *staff.Service
	Audit    *audit.Log
	Texts    *i18n.Catalogue // of the trader app, for text that a trader will read
}

// Routes lists the desk's routes. The handlers check again which of them the deposit's current state allows, and to whom.
func Routes(s Services) []desk.Route {
	d := s.cases()
	routes := []desk.Route{
		{Method: http.MethodGet, Path: "/deposits", Permission: access.DepositView, Handle: s.queue},
		{Method: http.MethodGet, Path: "/deposits/filter", Permission: access.DepositView, Handle: s.askFilter},
		{Method: http.MethodGet, Path: "/deposits/file", Permission: access.DepositExport, Handle: s.file},
		{Method: http.MethodGet, Path: "/deposits/:id", Permission: access.DepositView, Handle: s.detail},
		{Method: http.MethodGet, Path: "/deposits/:id/proof", Permission: access.DepositView, Handle: s.proof},
		{Method: http.MethodPost, Path: "/deposits/:id/claim", Permission: access.DepositWork, Handle: d.ClaimCase},
		{Method: http.MethodDelete, Path: "/deposits/:id/claim", Permission: access.DepositWork, Handle: d.ReleaseCase},
		{Method: http.MethodGet, Path: "/deposits/:id/reason-preview", Permission: access.DepositRefuse, Handle: s.reasonPreview},
	}
	routes = append(routes,
		desk.Route{Method: http.MethodPost, Path: "/deposits/:id/provider", Permission: access.DepositWork, Handle: s.askProvider},
		desk.Route{Method: http.MethodPost, Path: "/deposits/:id/" + nounRecalculate, Permission: access.DepositDecide, Handle: s.recalculate},
	)
	for _, one := range []struct {
		caseengine.Decision[caseContext]
		permission access.Permission
	}{
		{s.approval(), access.DepositDecide}, {s.confirmation(), access.DepositConfirm}, {s.matchingStatement(), access.DepositDecide}, {s.rejection(), access.DepositRefuse}, {s.question(), access.DepositRefuse},
	} {
		path := "/deposits/:id/" + one.Noun
		routes = append(routes,
			desk.Route{Method: http.MethodGet, Path: path, Permission: one.permission, Handle: d.Open(one.Decision)},
			desk.Route{Method: http.MethodPost, Path: path, Permission: one.permission, Handle: d.Decide(one.Decision)},
		)
	}
	for _, one := range s.twoPersonDecisions() {
		path := "/deposits/:id/" + one.Noun
		routes = append(routes,
			desk.Route{Method: http.MethodGet, Path: path, Permission: one.permission, Handle: d.Open(one.Decision)},
			desk.Route{Method: http.MethodPost, Path: path, Permission: one.permission, Handle: d.Decide(one.Decision)},
		)
	}
	return routes
}

// navItem is the desk's item of the navigation.
const navItem = "deposits"

// cases configures the case engine for deposits.
func (s Services) cases() caseengine.Desk[caseContext] {
	return caseengine.Desk[caseContext]{
		Audit: s.Audit, Read: s.read, State: deposit.ErrState, Changed: deposit.ErrChanged, FieldErrors: map[string]error{"bankReference": deposit.ErrReference},
		ReadOnly: isReadOnly,
		Answers:  caseengine.Rows[caseContext]{Read: s.read, Current: s.current},
		Claim: func(r *desk.Request, cc caseContext) error {
			_, err := s.Deposits.Claim(cc.Ctx, r.Actor(), cc.ID)
			return err
		},
		Release: func(r *desk.Request, cc caseContext) error {
			_, err := s.Deposits.Release(cc.Ctx, r.Actor(), cc.ID)
			return err
		},
	}
}

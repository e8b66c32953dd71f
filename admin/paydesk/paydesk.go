// Package paydesk lets staff pay withdrawals out: a queue, one withdrawal with its context, and decisions by two people or three.
package paydesk

import (
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/app/trader"
	"candor/app/withdrawal"
)

// Services holds the dependencies of the desk.
type Services struct {
	Withdrawals *withdrawal.Service
	Traders     *trader.Service
	Staff       *staff.Service
	Audit       *audit.Log
	Texts       *i18n.Catalogue // of the trader app, for text that a trader will read
}

// Routes lists the desk's routes. The handlers check again who may act in the withdrawal's current state.
func Routes(s Services) []desk.Route {
	cases := s.cases()
	routes := []desk.Route{
		{Method: http.MethodGet, Path: "/withdrawals", Permission: access.WithdrawalView, Handle: s.queue},
		{Method: http.MethodGet, Path: "/withdrawals/filter", Permission: access.WithdrawalView, Handle: s.askFilter},
		{Method: http.MethodGet, Path: "/withdrawals/file", Permission: access.WithdrawalExport, Handle: s.file},
		{Method: http.MethodGet, Path: "/withdrawals/:id", Permission: access.WithdrawalView, Handle: s.detail},
		{Method: http.MethodGet, Path: "/withdrawals/:id/reason-preview", Permission: access.WithdrawalView, Handle: s.reasonPreview},
		{Method: http.MethodGet, Path: "/withdrawals/:id/" + nounNumber, Permission: access.WithdrawalWork, Handle: s.askNumber},
		{Method: http.MethodPost, Path: "/withdrawals/:id/" + nounNumber, Permission: access.WithdrawalWork, Handle: s.showNumber},
		{Method: http.MethodPost, Path: "/withdrawals/:id/claim", Permission: access.WithdrawalWork, Handle: cases.ClaimCase},
		{Method: http.MethodDelete, Path: "/withdrawals/:id/claim", Permission: access.WithdrawalWork, Handle: cases.ReleaseCase},
		{Method: http.MethodPost, Path: "/withdrawals/:id/" + nounEnquire, Permission: access.WithdrawalWork, Handle: s.enquire},
	}
	for _, d := range decisions() {
		engineDecision, path := d.engineDecision(s), "/withdrawals/:id/"+d.noun
		routes = append(routes,
			desk.Route{Method: http.MethodGet, Path: path, Permission: d.permission, Handle: cases.Open(engineDecision)},
			desk.Route{Method: http.MethodPost, Path: path, Permission: d.permission, Handle: cases.Decide(engineDecision)},
		)
	}
	return routes
}

// navItem is the desk's item of the navigation.
const navItem = "withdrawals"

// cases configures the case engine for withdrawals.
func (s Services) cases() caseengine.Desk[caseContext] {
	return caseengine.Desk[caseContext]{
		Audit: s.Audit, Read: s.read, State: withdrawal.ErrState, Changed: withdrawal.ErrChanged, FieldErrors: map[string]error{"payment": withdrawal.ErrPayment}, ReadOnly: isReadOnly,
		Answers: caseengine.Rows[caseContext]{Read: s.read, Current: s.current},
		Claim: func(r *desk.Request, cc caseContext) error {
			_, err := s.Withdrawals.Claim(cc.Ctx, r.Actor(), cc.ID)
			return err
		},
		Release: func(r *desk.Request, cc caseContext) error {
			_, err := s.Withdrawals.Release(cc.Ctx, r.Actor(), cc.ID)
			return err
		},
	}
}

// Package cashdesk compares deposits with the bank: a queue, one deposit beside its proof, and decisions by one person or two.
package cashdesk

import (
	"context"
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/app/trader"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Deposits *deposit.Service
	Traders  *trader.Service
	Staff    *staff.Service
	Audit    *audit.Log
	Texts    *i18n.Catalogue // of the trader app, for text that a trader will read
	// Payer is what the bank said of the payer, where a line of a statement is matched with the deposit; nil reads none.
	Payer func(ctx context.Context, depositID int64) (name, account, text string, err error)
}

// Routes lists the desk's routes. The handlers check again which of them the deposit's current state allows, and to whom.
func Routes(s Services) []desk.Route {
	return append(s.desk().Routes(),
		desk.Route{Method: http.MethodGet, Path: "/deposits/:id/proof", Permission: access.DepositView, Handle: s.proof},
		desk.Route{Method: http.MethodPost, Path: "/deposits/:id/provider", Permission: access.DepositWork, Handle: s.askProvider},
		desk.Route{Method: http.MethodPost, Path: "/deposits/:id/" + nounRecalculate, Permission: access.DepositDecide, Handle: s.recalculate},
	)
}

// home is the address of the queue.
var home = ui.To("/admin/deposits")

// desk declares the desk.
func (s Services) desk() caseengine.Desk[caseContext, deposit.Deposit] {
	return caseengine.Desk[caseContext, deposit.Deposit]{
		Several: &caseengine.Several[caseContext, deposit.Deposit]{},
		List:    s.list(), Read: s.read, Item: func(cc caseContext) deposit.Deposit { return cc.Deposit }, Show: show, History: caseContext.step, Extra: askButton,
		Reasons: reasons(),
		Actions: append([]caseengine.Action[caseContext]{s.rejection(), s.question(), s.matchingStatement(), s.approval(), s.confirmation()}, s.twoPersonActions()...),
		State:   deposit.ErrState, Changed: deposit.ErrChanged, FieldErrors: map[string]error{"bankReference": deposit.ErrReference}, ReadOnly: isReadOnly,
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

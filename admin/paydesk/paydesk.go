// Package paydesk lets staff pay withdrawals out: a queue, one withdrawal with its context, and decisions by two people or three.
package paydesk

import (
	"context"
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Withdrawals *withdrawal.Service
	Traders     *trader.Service
	Trading     Valuer
	Staff       *staff.Service
	Audit       *audit.Log
	Texts       *i18n.Catalogue // of the trader app, for text that a trader will read
}

// Valuer values an account at the newest prices.
type Valuer interface {
	Value(ctx context.Context, accountID int64) (trading.Valuation, error)
}

// Routes lists the desk's routes. The handlers check again who may act in the withdrawal's current state.
func Routes(s Services) []desk.Route {
	cases := append(s.desk().Routes(),
		desk.Route{Method: http.MethodGet, Path: "/withdrawals/:id/" + nounNumber, Permission: access.WithdrawalWork, Handle: s.askNumber},
		desk.Route{Method: http.MethodPost, Path: "/withdrawals/:id/" + nounNumber, Permission: access.WithdrawalWork, Handle: s.showNumber},
		desk.Route{Method: http.MethodPost, Path: "/withdrawals/:id/" + nounEnquire, Permission: access.WithdrawalWork, Handle: s.enquire},
	)
	return append(append(desk.Withholding(cases, s.whose), s.batches().Routes()...),
		desk.Route{Method: http.MethodGet, Path: "/" + batchList + "/:id/file", Permission: access.WithdrawalApprove, Handle: s.batchFile},
	)
}

// whose is the trader of the withdrawal.
func (s Services) whose(r *desk.Request, id int64) (int64, error) {
	w, err := s.Withdrawals.Read(r.Context.Request().Context(), id)
	return w.TraderID, err
}

// home is the address of the queue.
var home = ui.To("/admin/withdrawals")

// desk declares the desk.
func (s Services) desk() caseengine.Desk[caseContext, withdrawal.Withdrawal] {
	return caseengine.Desk[caseContext, withdrawal.Withdrawal]{
		List: s.list(), Read: s.read, Item: func(cc caseContext) withdrawal.Withdrawal { return cc.Withdrawal }, Show: show, History: caseContext.step, Extra: enquireButton,
		Reasons: reasons(), Actions: s.actions(), Several: s.several(),
		State: withdrawal.ErrState, Changed: withdrawal.ErrChanged, FieldErrors: map[string]error{"payment": withdrawal.ErrPayment}, ReadOnly: isReadOnly,
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

// reasons are the coded reasons that traders read.
func reasons() caseengine.Reasons[caseContext] {
	return caseengine.Reasons[caseContext]{
		Permission: access.WithdrawalView, Codes: withdrawal.Reasons, Label: "withdrawal.reason", Text: "withdraw.reason", Language: func(cc caseContext) string { return cc.owner.Language },
	}
}

package paydesk

import (
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/platform/errs"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// The acts decided in a dialog, as addresses name them.
const (
	nounReject       = "rejection"
	nounRecall       = "recall"
	nounFreeze       = "freeze"
	nounUnfreeze     = "thaw"
	nounAsk          = "question"
	nounPayoutReturn = "bounce"
	nounUnknown      = "unknown-outcome"
	nounFoundUnpaid  = "finding-unpaid"
	nounFoundPaid    = "finding-paid"
	nounSettle       = "settlement"
	nounSend         = "sending"
	nounPaid         = "payment"
	nounApprove      = "approval"
	nounConfirm      = "confirmation"
	nounThird        = "third-approval"
	nounBatch        = "batch"
	nounUnbatch      = "batch-exit"
	nounCheck        = "bank-check"
)

// decision is a dialog that decides a withdrawal, and the act that its form posts. Its texts begin with "withdrawal." and its verb.
type decision struct {
	noun       string
	verb       string
	permission access.Permission
	kind       ui.ButtonKind
	code       bool // requires the authenticator's code
	bound      bool // bound to the facts that the dialog showed
	whole      bool // shows everything that is checked before money goes out
	proof      bool // requires the last four characters of the destination
	payment    bool // requires the bank's reference
	payer      bool // requires the broker's bank account that pays, for bank transfers
	reads      bool // requires the amount and the end of the destination as the bank shows them
	coded      bool // a coded reason, which the trader reads
	note       bool // a note for staff
	act        func(s Services, r *desk.Request, cc caseContext, values fieldValues) (withdrawal.Withdrawal, error)
}

// fieldValues is the input of a dialog, by field name.
type fieldValues map[string]string

// decisions are the dialogs in the order of their buttons: those that end or stop the withdrawal first, those that move it forward last.
func decisions() []decision {
	return []decision{
		{noun: nounReject, verb: "reject", code: true, permission: access.WithdrawalRefuse, kind: ui.Danger, coded: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Reject(cc.Ctx, r.Actor(), cc.ID, cc.Version, w["reason"], w["note"])
		}},
		{noun: nounFreeze, verb: "freeze", permission: access.WithdrawalFreeze, kind: ui.Danger, coded: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Freeze(cc.Ctx, r.Actor(), cc.ID, cc.Version, w["reason"], w["note"])
		}},
		{noun: nounRecall, verb: "recall", permission: access.WithdrawalRecall, coded: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Recall(cc.Ctx, r.Actor(), cc.ID, cc.Version, w["reason"], w["note"])
		}},
		{noun: nounAsk, verb: "ask", permission: access.WithdrawalApprove, kind: ui.Primary, coded: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Ask(cc.Ctx, r.Actor(), cc.ID, cc.Version, w["reason"], w["note"])
		}},
		{noun: nounPayoutReturn, verb: "bounce", code: true, permission: access.WithdrawalApprove, kind: ui.Primary, coded: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.RecordReturn(cc.Ctx, r.Actor(), cc.ID, cc.Version, w["reason"], w["note"])
		}},
		{noun: nounUnknown, verb: "unknown", code: true, permission: access.WithdrawalApprove, kind: ui.Danger, act: func(s Services, r *desk.Request, cc caseContext, _ fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Finish(cc.Ctx, r.Actor(), cc.ID, cc.Version, "", false)
		}},
		{noun: nounFoundUnpaid, verb: "found_unpaid", code: true, permission: access.WithdrawalApprove, kind: ui.Primary, note: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.RecordFinding(cc.Ctx, r.Actor(), cc.ID, cc.Version, false, "", w["note"])
		}},
		{noun: nounFoundPaid, verb: "found_paid", code: true, permission: access.WithdrawalApprove, kind: ui.Primary, payment: true, note: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.RecordFinding(cc.Ctx, r.Actor(), cc.ID, cc.Version, true, w["payment"], w["note"])
		}},
		{noun: nounUnfreeze, verb: "thaw", code: true, permission: access.WithdrawalFreeze, kind: ui.Primary, act: func(s Services, r *desk.Request, cc caseContext, _ fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Unfreeze(cc.Ctx, r.Actor(), cc.ID, cc.Version)
		}},
		{noun: nounSettle, verb: "settle", code: true, permission: access.WithdrawalConfirm, kind: ui.Primary, whole: true, act: func(s Services, r *desk.Request, cc caseContext, _ fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.ConfirmFinding(cc.Ctx, r.Actor(), cc.ID, cc.Version)
		}},
		{noun: nounUnbatch, verb: "unbatch", permission: access.WithdrawalApprove, act: func(s Services, r *desk.Request, cc caseContext, _ fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.TakeFromBatch(cc.Ctx, r.Actor(), cc.ID, cc.Version)
		}},
		{noun: nounBatch, verb: "batch", permission: access.WithdrawalApprove, payer: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.AddToBatch(cc.Ctx, r.Actor(), cc.ID, cc.Version, number(w["from"]))
		}},
		{noun: nounSend, verb: "send", code: true, permission: access.WithdrawalApprove, kind: ui.Primary, whole: true, payer: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Begin(cc.Ctx, r.Actor(), cc.ID, cc.Version, number(w["from"]))
		}},
		{noun: nounCheck, verb: "check", code: true, permission: access.WithdrawalConfirm, kind: ui.Primary, payment: true, reads: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			amount, err := desk.ReadAmount(w["amount"])
			if err != nil {
				return cc.Withdrawal, err
			}
			return s.Withdrawals.Confirm(cc.Ctx, r.Actor(), cc.ID, cc.Version, withdrawal.AtBank{Amount: amount, Ending: w["proof"], Payment: w["payment"]})
		}},
		{noun: nounPaid, verb: "paid", code: true, permission: access.WithdrawalApprove, kind: ui.Primary, payment: true, act: func(s Services, r *desk.Request, cc caseContext, w fieldValues) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Finish(cc.Ctx, r.Actor(), cc.ID, cc.Version, w["payment"], true)
		}},
		{noun: nounApprove, verb: "approve", code: true, bound: true, permission: access.WithdrawalApprove, kind: ui.Primary, whole: true, act: approving(withdrawal.Review)},
		{noun: nounConfirm, verb: "confirm", code: true, bound: true, permission: access.WithdrawalConfirm, kind: ui.Primary, whole: true, proof: true, act: approving(withdrawal.Approved1)},
		{noun: nounThird, verb: "third", code: true, bound: true, permission: access.WithdrawalLead, kind: ui.Primary, whole: true, proof: true, act: approving(withdrawal.Approved2)},
	}
}

// approving approves the facts that the dialog showed, in the state that the dialog was for.
func approving(state withdrawal.State) func(Services, *desk.Request, caseContext, fieldValues) (withdrawal.Withdrawal, error) {
	return func(s Services, r *desk.Request, cc caseContext, _ fieldValues) (withdrawal.Withdrawal, error) {
		return s.Withdrawals.Approve(cc.Ctx, r.Actor(), cc.ID, cc.Version, state, cc.Facts())
	}
}

// fields are the names of all fields that a dialog of the desk may post.
var fields = []string{"proof", "payment", "amount", "from", "reason", "note"}

// number reads the id of a choice; 0 for none.
func number(text string) int {
	id, _ := strconv.Atoi(text)
	return id
}

// check refuses bad input before the code is used up.
func (d decision) check(cc caseContext, in caseengine.Typed) error {
	if d.payment && strings.ContainsFunc(in.Values["payment"], func(r rune) bool { return r < ' ' || r > '~' }) {
		return errs.Field("payment", "field.latin")
	}
	if d.reads {
		_, err := desk.ReadAmount(in.Values["amount"])
		return err
	}
	if d.payment {
		if _, err := cc.ReadPayment(in.Values["payment"]); err != nil {
			return err
		}
	}
	if d.note {
		if err := withdrawal.CheckFinding(in.Values["note"]); err != nil {
			return err
		}
	}
	if d.proof && cc.Kind == withdrawal.Crypto {
		return cc.ReadBack(in.Values["proof"])
	}
	return nil
}

// actions are the decisions as the desk's actions.
func (s Services) actions() (out []caseengine.Action[caseContext]) {
	for _, d := range decisions() {
		out = append(out, d.action(s))
	}
	return out
}

func (d decision) action(s Services) caseengine.Action[caseContext] {
	return caseengine.Action[caseContext]{
		Noun: d.noun, Verb: d.verb, Permission: d.permission, Kind: d.kind, Forward: leads(d.noun), Key: d.key(), Bound: d.bound,
		Fields: fields, Check: d.check, Dialog: d.dialog, StepUp: d.stepUp(), Amount: caseContext.dollars, Shown: s.shown(d),
		Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
			moved, err := d.act(s, r, cc, in.Values)
			return caseengine.NewFlash(d.flash(moved), "net", cc.show.Sum(moved.Net(), moved.Currency), "amount", cc.show.Sum(moved.Amount, moved.Currency), "holder", cc.payee()), err
		},
	}
}

// key opens the dialog: A for the way forward, N to ask the trader.
func (d decision) key() string {
	switch {
	case leads(d.noun):
		return "A"
	case d.noun == nounAsk:
		return "N"
	default:
		return ""
	}
}

// stepUp names the act that requires a code; empty if none does.
func (d decision) stepUp() string {
	if !d.code {
		return ""
	}
	return "withdrawal." + d.verb
}

// flash is the message after the act: an approval says whether another one is needed.
func (d decision) flash(w withdrawal.Withdrawal) string {
	key := "withdrawal." + d.verb + ".done"
	if d.proof && w.State == withdrawal.Approved2 || d.noun == nounSettle && w.State == withdrawal.Failed {
		return key + ".other"
	}
	return key
}

package adjustdesk

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/staff"
	"candor/templates/adjustview"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// decision is a dialog that decides an adjustment, and the act that its form posts. Its texts begin with "adjustment." and its verb.
type decision struct {
	noun       string
	verb       string
	permission access.Permission
	kind       ui.ButtonKind
	step       approval.State // the state that a confirmation starts from
	mine       bool           // the maker's own act
	note       bool           // requires a reason
	act        func(s Services, r *desk.Request, a adjustment.Adjustment, version int) (adjustment.Adjustment, error)
}

// The confirmations.
var (
	confirmation = decision{noun: "confirmation", verb: "confirm", permission: access.AdjustmentConfirm, kind: ui.Primary, step: approval.Requested}
	third        = decision{noun: "third-confirmation", verb: "third", permission: access.AdjustmentLead, kind: ui.Primary, step: approval.Confirmed}
)

// decisions are the dialogs in the order of their buttons: those that end the request first, confirmations last.
func decisions() []decision {
	first, last := confirmation, third
	first.act, last.act = confirming(first.step), confirming(last.step)
	return []decision{
		{noun: "withdrawal", verb: "withdraw", permission: access.AdjustmentAsk, kind: ui.Danger, mine: true, act: func(s Services, r *desk.Request, a adjustment.Adjustment, version int) (adjustment.Adjustment, error) {
			return s.Adjustments.Withdraw(r.Context.Request().Context(), r.Actor(), a.ID, version)
		}},
		{noun: "refusal", verb: "refuse", permission: access.AdjustmentRefuse, kind: ui.Danger, note: true, act: func(s Services, r *desk.Request, a adjustment.Adjustment, version int) (adjustment.Adjustment, error) {
			return s.Adjustments.Refuse(r.Context.Request().Context(), r.Actor(), a.ID, version, plain(r.PostFormValue("note")))
		}},
		first, last,
	}
}

// confirming confirms the facts that the dialog showed, in the state that the dialog was for.
func confirming(step approval.State) func(Services, *desk.Request, adjustment.Adjustment, int) (adjustment.Adjustment, error) {
	return func(s Services, r *desk.Request, a adjustment.Adjustment, version int) (adjustment.Adjustment, error) {
		shown, err := hex.DecodeString(r.PostFormValue("facts"))
		if err != nil {
			return a, approval.ErrChanged
		}
		return s.Adjustments.Approve(r.Context.Request().Context(), r.Actor(), a.ID, version, step, shown)
	}
}

// offered reports whether the state offers the decision.
func (d decision) offered(a adjustment.Adjustment) bool {
	return a.Undecided() && (d.step == "" || d.step == a.State)
}

// plain removes characters that can't be stored.
func plain(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
}

// open answers with a decision's dialog and fresh data.
func (s Services) open(d decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		pc, a, err := s.read(r)
		if err != nil {
			return err
		}
		if !r.Partial() {
			return r.RedirectTo(address(a.ID).String())
		}
		if !d.offered(a) {
			return approval.ErrState
		}
		return s.dialog(pc, d, a, http.StatusOK, "")
	}
}

// dialog is the decision about an adjustment in its current state. A confirmation is bound to the facts shown.
func (s Services) dialog(pc pageContext, d decision, a adjustment.Adjustment, status int, problem string) error {
	textKey := "adjustment." + d.verb
	view := caseview.Dialog{Figures: pc.figures(a), Facts: pc.facts(a), Frame: ui.DialogView{
		ID: d.noun, Title: pc.t(textKey+".title", "number", a.Number()), Note: pc.t(textKey + ".note"), Calm: true,
		Act: ui.ButtonView{Label: pc.t(textKey+".act", "amount", amount(a)), Kind: d.kind, Busy: pc.t("act.busy"), Submit: true, Money: true},
		Form: ui.FormView{
			Post: ui.To(home+"/{}/"+d.noun, a.ID), Target: ui.TargetDetail, Swap: ui.SwapInside,
			Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(a.Version)}, {Name: "facts", Value: hex.EncodeToString(a.Facts)}},
		},
	}}
	if d.step != "" {
		after, err := s.afterwards(pc, a)
		if err != nil {
			return err
		}
		view.Facts, view.People, view.Two = append(view.Facts, after...), pc.people(a), pc.t(textKey+".two")
	}
	if d.note {
		note := ui.FieldView{Name: "note", Label: pc.t("adjustment.field.refusal"), StaffOnly: true, Rows: 3, MaxLength: 500, Required: true, Value: pc.r.PostFormValue("note"), Error: problem}
		return pc.r.Dialog(status, caseview.NoteDialog(view, note))
	}
	if d.step != "" {
		code := caseengine.PageContext{Ctx: pc.ctx}.CodeField(caseengine.Typed{Errors: map[string]string{"code": problem}})
		view.Fields = []ui.FieldView{code}
	}
	return pc.r.Dialog(status, caseview.Decide(view))
}

// afterwards shows the account's cash before and after the adjustment.
func (s Services) afterwards(pc pageContext, a adjustment.Adjustment) ([]ui.Fact, error) {
	account, err := ledger.Load(pc.ctx, s.Ledger, a.AccountID)
	if err != nil {
		return nil, err
	}
	then := account.Apply(account.Adjust(a.Amount))
	return []ui.Fact{
		{Label: pc.t("adjustment.fact.cash"), Value: ui.Amount(account.Cash) + " " + a.Currency},
		{Label: pc.t("adjustment.fact.cash_then"), Value: ui.Amount(then.Cash) + " " + a.Currency, Strong: true},
	}, nil
}

// decide runs the act that a dialog posted.
func (s Services) decide(d decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		pc, a, err := s.read(r)
		if err != nil {
			return err
		}
		version, err := r.Version()
		if err != nil {
			return err
		}
		if err := d.proven(r, a, version); err != nil {
			return s.again(pc, d, a, "code", err)
		}
		moved, err := d.act(s, r, a, version)
		if err != nil {
			return s.again(pc, d, a, "note", err)
		}
		return s.done(r, moved, "adjustment."+d.verb+".done."+string(moved.State))
	}
}

// proven requires a fresh code of the authenticator for a confirmation. All other checks come first, because every code is used up.
func (d decision) proven(r *desk.Request, a adjustment.Adjustment, version int) error {
	switch {
	case d.step == "":
		return nil
	case !d.offered(a):
		return approval.ErrState
	case a.Decided(r.Member.ID):
		return approval.ErrSamePerson
	case version != a.Version, r.PostFormValue("facts") != hex.EncodeToString(a.Facts):
		return approval.ErrChanged
	}
	return r.StepUp("adjustment." + d.verb)
}

// again answers with the dialog again for an error of one of its fields; the frame answers any other refusal.
func (s Services) again(pc pageContext, d decision, a adjustment.Adjustment, field string, reason error) error {
	if errors.Is(reason, staff.ErrCode) || errors.Is(reason, session.ErrThrottle) {
		return s.dialog(pc, d, a, http.StatusUnprocessableEntity, pc.r.Text(reason))
	}
	if refusal := errs.As(reason); refusal != nil && refusal.Fields[field] != "" {
		return s.dialog(pc, d, a, http.StatusUnprocessableEntity, pc.t(refusal.Fields[field]))
	}
	return reason
}

// done answers an act with the current detail, and out of band its row, the count and the flash.
func (s Services) done(r *desk.Request, a adjustment.Adjustment, flash string) error {
	pc, err := s.pageContext(r, a)
	if err != nil {
		return err
	}
	view, err := s.view(pc, a)
	if err != nil {
		return err
	}
	row := pc.row(a)
	row.Aside, row.Selected = true, true
	return r.Show(adjustview.Done(view, row, r.Count(navItem), pc.t(flash, "number", a.Number(), "amount", amount(a))))
}

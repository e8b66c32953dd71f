package paydesk

import (
	"errors"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/provider"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// nounEnquire asks a withdrawal's provider for its result.
const nounEnquire = "enquiry"

// errAway is the refusal for a provider that did not answer: the withdrawal is unchanged.
var errAway = errs.New(errs.Conflict, "provider.away")

// enquire asks the provider now; a job asks every minute. Only the provider's answer moves the withdrawal. The audit log records the enquiry first.
func (s Services) enquire(r *desk.Request) error {
	d := s.desk()
	cc, err := d.Named(r)
	if err != nil {
		return err
	}
	if refusal := cc.Right(nounEnquire).Refusal(withdrawal.ErrState); refusal != nil {
		return d.Refuse(r, cc.ID, refusal)
	}
	if err := s.Audit.Record(cc.Ctx, audit.By(r.Actor(), r.Now(), "withdrawal.enquire", "withdrawal", cc.ID)); err != nil {
		return err
	}
	asked := s.Withdrawals.AskProvider(cc.Ctx, cc.ID)
	if asked != nil && !errors.Is(asked, provider.ErrUnavailable) {
		return d.Refuse(r, cc.ID, asked)
	}
	now, err := s.Withdrawals.Read(cc.Ctx, cc.ID)
	switch {
	case err != nil:
		return err
	case now.State != cc.State:
		return d.Done(r, cc, caseengine.NewFlash("withdrawal.enquire.done", "state", cc.T("withdrawal.chip."+string(now.State))))
	case asked != nil:
		return d.Refuse(r, cc.ID, errAway)
	default:
		return d.Done(r, cc, caseengine.NewFlash("withdrawal.enquire.same"))
	}
}

// enquireButton asks at once, without a dialog: there is nothing to decide.
func enquireButton(cc caseContext) []ui.ButtonView {
	v := cc.Right(nounEnquire)
	if !v.Offered() {
		return nil
	}
	about := cc.About()
	b := ui.ButtonView{Label: cc.T("withdrawal.enquire.open"), HX: ui.HX{Post: about.Below(nounEnquire), Target: ui.At(about.Key()), Swap: ui.SwapWhole}}
	return []ui.ButtonView{cc.Button(v, cc.Claim, b)}
}

// isReadOnly reports whether an entry of the audit log left its withdrawal unchanged.
func isReadOnly(e audit.Entry) bool {
	return e.Action == "withdrawal.enquire" || e.Action == revealAction
}

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

// nounEnquire asks the provider of a withdrawal what became of it.
const nounEnquire = "enquiry"

// errAway is the desk's word for a provider that gave no answer: the withdrawal stands as it stood.
var errAway = errs.New(errs.Conflict, "provider.away")

// enquire asks the provider now, which else is asked every minute. Only what the provider says moves the withdrawal; who asked is written down first.
func (s Services) enquire(r *desk.Request) error {
	d := s.cases()
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
	if asked != nil && !errors.Is(asked, provider.ErrAway) {
		return d.Refuse(r, cc.ID, asked)
	}
	now, err := s.Withdrawals.Read(cc.Ctx, cc.ID)
	switch {
	case err != nil:
		return err
	case now.State != cc.State:
		return d.Answers.Done(r, cc, caseengine.Said("withdrawal.enquire.done", "state", cc.T("withdrawal.chip."+string(now.State))))
	case asked != nil:
		return d.Refuse(r, cc.ID, errAway)
	default:
		return d.Answers.Done(r, cc, caseengine.Said("withdrawal.enquire.same"))
	}
}

// enquireButton asks at once: there is nothing to decide, so there is no dialog.
func (pc pageContext) enquireButton(w withdrawal.Withdrawal) ui.ButtonView {
	return ui.ButtonView{Label: pc.T("withdrawal.enquire.open"), HX: ui.HX{Post: below(w.ID, nounEnquire), Target: ui.At(key(w.ID)), Swap: ui.SwapWhole}}
}

// looked tells whether an entry of the audit log changed nothing of its withdrawal.
func looked(e audit.Entry) bool { return e.Action == "withdrawal.enquire" || e.Action == revealAction }

package paydesk

import (
	"errors"

	"candor/admin/desk"
	"candor/admin/desk/casework"
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
	m, err := d.Named(r)
	if err != nil {
		return err
	}
	if refusal := m.Right(nounEnquire).Refusal(withdrawal.ErrState); refusal != nil {
		return d.Refuse(r, m.ID, refusal)
	}
	if err := s.Audit.Record(m.Ctx, audit.By(r.Actor(), r.Now(), "withdrawal.enquire", "withdrawal", m.ID)); err != nil {
		return err
	}
	asked := s.Withdrawals.AskProvider(m.Ctx, m.ID)
	if asked != nil && !errors.Is(asked, provider.ErrAway) {
		return d.Refuse(r, m.ID, asked)
	}
	now, err := s.Withdrawals.Read(m.Ctx, m.ID)
	switch {
	case err != nil:
		return err
	case now.State != m.State:
		return d.Answers.Done(r, m, casework.Said("withdrawal.enquire.done", "state", m.T("withdrawal.chip."+string(now.State))))
	case asked != nil:
		return d.Refuse(r, m.ID, errAway)
	default:
		return d.Answers.Done(r, m, casework.Said("withdrawal.enquire.same"))
	}
}

// enquireButton asks at once: there is nothing to decide, so there is no dialog.
func (sc scene) enquireButton(w withdrawal.Withdrawal) ui.ButtonView {
	return ui.ButtonView{Label: sc.T("withdrawal.enquire.open"), HX: ui.HX{Post: below(w.ID, nounEnquire), Target: ui.At(key(w.ID)), Swap: ui.SwapWhole}}
}

// looked tells whether an entry of the audit log changed nothing of its withdrawal.
func looked(e audit.Entry) bool { return e.Action == "withdrawal.enquire" || e.Action == revealAction }

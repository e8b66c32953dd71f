package paydesk

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// The acts that are decided in a dialog, as addresses name them.
const (
	nounReject      = "rejection"
	nounRecall      = "recall"
	nounFreeze      = "freeze"
	nounThaw        = "thaw"
	nounAsk         = "question"
	nounBounce      = "bounce"
	nounUnknown     = "unknown-outcome"
	nounFoundUnpaid = "finding-unpaid"
	nounFoundPaid   = "finding-paid"
	nounSettle      = "settlement"
	nounSend        = "sending"
	nounPaid        = "payment"
	nounApprove     = "approval"
	nounConfirm     = "confirmation"
	nounThird       = "third-approval"
)

// decision is a dialog that decides a withdrawal, and the act that its form posts. Its texts begin with "withdrawal." and its verb.
type decision struct {
	noun       string
	verb       string
	permission access.Permission
	kind       ui.ButtonKind
	whole      bool // shows all that is checked before money goes out
	proof      bool // the last four of the account number are typed
	payment    bool // the bank's reference is typed
	coded      bool // a coded reason, which the trader reads
	note       bool // a note for staff
	act        func(s Services, r *desk.Request, m matter, words words) (withdrawal.Withdrawal, error)
}

// words are what was typed into a dialog, by the name of the field.
type words map[string]string

// decisions are the dialogs in the order their buttons stand in: what ends or stops it first, what leads on last.
func decisions() []decision {
	return []decision{
		{noun: nounReject, verb: "reject", permission: access.WithdrawalRefuse, kind: ui.Danger, coded: true, act: func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Reject(m.ctx, by(r), m.ID, m.Version, w["reason"], w["note"])
		}},
		{noun: nounFreeze, verb: "freeze", permission: access.WithdrawalFreeze, kind: ui.Danger, coded: true, act: func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Freeze(m.ctx, by(r), m.ID, m.Version, w["reason"], w["note"])
		}},
		{noun: nounRecall, verb: "recall", permission: access.WithdrawalRecall, coded: true, act: func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Recall(m.ctx, by(r), m.ID, m.Version, w["reason"], w["note"])
		}},
		{noun: nounAsk, verb: "ask", permission: access.WithdrawalApprove, kind: ui.Primary, coded: true, act: func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Ask(m.ctx, by(r), m.ID, m.Version, w["reason"], w["note"])
		}},
		{noun: nounBounce, verb: "bounce", permission: access.WithdrawalApprove, kind: ui.Primary, coded: true, act: func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Bounced(m.ctx, by(r), m.ID, m.Version, w["reason"], w["note"])
		}},
		{noun: nounUnknown, verb: "unknown", permission: access.WithdrawalApprove, kind: ui.Danger, act: func(s Services, r *desk.Request, m matter, _ words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Finish(m.ctx, by(r), m.ID, m.Version, "", false)
		}},
		{noun: nounFoundUnpaid, verb: "found_unpaid", permission: access.WithdrawalApprove, kind: ui.Primary, note: true, act: func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.FindOut(m.ctx, by(r), m.ID, m.Version, false, "", w["note"])
		}},
		{noun: nounFoundPaid, verb: "found_paid", permission: access.WithdrawalApprove, kind: ui.Primary, payment: true, note: true, act: func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.FindOut(m.ctx, by(r), m.ID, m.Version, true, w["payment"], w["note"])
		}},
		{noun: nounThaw, verb: "thaw", permission: access.WithdrawalFreeze, kind: ui.Primary, act: func(s Services, r *desk.Request, m matter, _ words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Thaw(m.ctx, by(r), m.ID, m.Version)
		}},
		{noun: nounSettle, verb: "settle", permission: access.WithdrawalConfirm, kind: ui.Primary, whole: true, act: func(s Services, r *desk.Request, m matter, _ words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Settle(m.ctx, by(r), m.ID, m.Version)
		}},
		{noun: nounSend, verb: "send", permission: access.WithdrawalApprove, kind: ui.Primary, whole: true, act: func(s Services, r *desk.Request, m matter, _ words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Begin(m.ctx, by(r), m.ID, m.Version)
		}},
		{noun: nounPaid, verb: "paid", permission: access.WithdrawalApprove, kind: ui.Primary, payment: true, act: func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
			return s.Withdrawals.Finish(m.ctx, by(r), m.ID, m.Version, w["payment"], true)
		}},
		{noun: nounApprove, verb: "approve", permission: access.WithdrawalApprove, kind: ui.Primary, whole: true, act: approving(withdrawal.Review)},
		{noun: nounConfirm, verb: "confirm", permission: access.WithdrawalConfirm, kind: ui.Primary, whole: true, proof: true, act: approving(withdrawal.Approved1)},
		{noun: nounThird, verb: "third", permission: access.WithdrawalLead, kind: ui.Primary, whole: true, proof: true, act: approving(withdrawal.Approved2)},
	}
}

// approving approves what the dialog showed, in the state that the dialog was for.
func approving(state withdrawal.State) func(Services, *desk.Request, matter, words) (withdrawal.Withdrawal, error) {
	return func(s Services, r *desk.Request, m matter, w words) (withdrawal.Withdrawal, error) {
		shown, err := hex.DecodeString(w["facts"])
		if err != nil {
			return withdrawal.Withdrawal{}, withdrawal.ErrChanged
		}
		return s.Withdrawals.Approve(m.ctx, by(r), m.ID, m.Version, state, shown)
	}
}

const noteLimit = 1000 // characters of a note for staff

// read takes what was typed, in a form that can be kept.
func (d decision) read(r *desk.Request) words {
	return words{
		"facts": r.Posted("facts"), "proof": r.Posted("proof"), "payment": r.Posted("payment"), "reason": r.Posted("reason"),
		"note": strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(r.Posted("note"), ""), "\x00", "")),
	}
}

// check refuses what is wrong with the words before the act looks at them.
func (d decision) check(m matter, w words) error {
	if utf8.RuneCountInString(w["note"]) > noteLimit {
		return errs.Field("note", "field.length")
	}
	if d.payment && strings.ContainsFunc(w["payment"], func(r rune) bool { return r < ' ' || r > '~' }) {
		return errs.Field("payment", "field.latin")
	}
	if d.proof {
		return m.ReadBack(w["proof"])
	}
	return nil
}

// open answers a decision's dialog with fresh data, or says why there is none.
func (s Services) open(d decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		m, err := s.read(r)
		if err != nil {
			return err
		}
		if refusal := m.rights(m.Withdrawal)[d.noun].refusal(); refusal != nil {
			return s.refuse(r, m.ID, refusal)
		}
		return r.Show(d.dialog(m, typed{}))
	}
}

// decide runs the act that a dialog posted, if the withdrawal still is the version that was shown and the member may.
func (s Services) decide(d decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		m, err := s.read(r)
		if err != nil {
			return err
		}
		seen, err := r.Version()
		if err != nil {
			return err
		}
		in, moved, err := d.read(r), withdrawal.Withdrawal{}, error(withdrawal.ErrChanged)
		if seen == m.Version {
			err = m.rights(m.Withdrawal)[d.noun].refusal()
		}
		if err == nil {
			err = d.check(m, in)
		}
		if err == nil {
			moved, err = d.act(s, r, m, in)
		}
		if err != nil {
			return s.again(r, d, m.ID, seen, typed{words: in}, err)
		}
		return s.done(r, m.ID, d.flash(moved), "net", amount(moved.Net(), moved.Currency), "amount", amount(moved.Amount, moved.Currency), "holder", moved.Holder)
	}
}

// flash is what is said when the act is done: an approval says whether another one is needed.
func (d decision) flash(w withdrawal.Withdrawal) string {
	key := "withdrawal." + d.verb + ".done"
	if d.proof && w.State == withdrawal.Approved2 || d.noun == nounSettle && w.State == withdrawal.Failed {
		return key + ".other"
	}
	return key
}

// again answers the dialog once more, with what was typed and the withdrawal as it is now: beside its fields with 422, after a change with 409.
// Where the member may not decide any more, only the reason is left.
func (s Services) again(r *desk.Request, d decision, id int64, seen int, in typed, reason error) error {
	m, err := s.readAgain(r, id)
	if err != nil {
		return err
	}
	in.errors = fieldErrors(r, reason)
	if len(in.errors) > 0 {
		return r.Dialog(http.StatusUnprocessableEntity, d.dialog(m, in))
	}
	if !conflicts(reason) {
		return reason
	}
	alert, err := s.changed(m, seen, reason)
	if err != nil {
		return err
	}
	if in.alert = &alert; !m.rights(m.Withdrawal)[d.noun].ok {
		return s.notice(r, m, alert)
	}
	return r.Dialog(http.StatusConflict, d.dialog(m, in))
}

// fieldErrors are the refusals that belong beside fields, in words; nil for any other.
func fieldErrors(r *desk.Request, err error) map[string]string {
	if errors.Is(err, withdrawal.ErrPayment) {
		return map[string]string{"payment": r.Text(err)}
	}
	refusal := errs.As(err)
	if refusal == nil {
		return nil
	}
	words := map[string]string{}
	for field, key := range refusal.Fields {
		words[field] = word(r, key)
	}
	return words
}

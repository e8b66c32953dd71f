package desk

import (
	"encoding/json"
	"errors"
	"strings"

	"candor/app/factor"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/staff"
	"candor/templates/ui"
)

// Proof is an act that the member confirms by a code of the authenticator or by a passkey.
type Proof struct {
	Act    string // as the audit log names it
	About  string // what the act is done to, as the dialog showed it: a passkey that confirms one act proves no other
	Amount int64  // of the decision in units of 10^-6 USDT: a small one may be covered by an earlier proof; 0 never is
}

func (r *Request) step(p Proof) staff.Step {
	return staff.Step{Session: r.SessionID(), Act: p.Act, About: p.About, Covers: r.Small().Covers(p.Amount)}
}

// StepUp requires a fresh proof before an act that moves money or secures an account: the posted "code" of the authenticator, or the posted "passkey", the
// browser's answer to the request of the CodeField. Each works once. The proof of a small decision covers the session's next ones, so that a decision without
// one is covered by an earlier one. It returns an Invalid error when there is none, staff.ErrCode, session.ErrThrottle, staff.ErrSignedOut after too many wrong
// codes, factor.ErrPasskey and factor.ErrExpired.
func (r *Request) StepUp(p Proof) error {
	ctx, step := r.Context.Request().Context(), r.step(p)
	if answer := r.PostFormValue("passkey"); answer != "" {
		return r.frame.Staff.CheckPasskey(ctx, r.Actor(), step, []byte(answer))
	}
	if code := strings.Join(strings.Fields(r.PostFormValue("code")), ""); code != "" { // authenticators show a space inside
		return r.frame.Staff.CheckCode(ctx, r.Actor(), step, code)
	}
	if step.Covers > 0 {
		if used, err := r.frame.Staff.UseCover(ctx, step.Session); used || err != nil {
			return err
		}
	}
	return errs.Field("code", "field.required")
}

// Confirmed checks the step-up of a dialog, which again shows anew with the text of a refusal. It reports whether the act follows.
func (r *Request) Confirmed(p Proof, again func(problem string) error) (bool, error) {
	err := r.StepUp(p)
	if err == nil {
		return true, nil
	}
	if problem := r.CodeProblem(err); problem != "" {
		return false, again(problem)
	}
	return false, err
}

// CodeField is the field of a dialog for what StepUp checks, or what is written instead when an earlier proof covers the decision. Problem is the text of a
// refusal. A typed code is never shown again.
func (r *Request) CodeField(p Proof, problem string) (ui.FieldView, error) {
	ctx, step := r.Context.Request().Context(), r.step(p)
	field := ui.FieldView{
		Name: "code", Label: r.Word("case.code"), Hint: r.Word("case.code.hint"), Error: problem, Code: true, Autocomplete: "one-time-code",
		InputMode: "numeric", MaxLength: 7, Required: true,
	}
	if step.Covers > 0 {
		cover, err := r.frame.Staff.Covered(ctx, step.Session)
		if err != nil {
			return field, err
		}
		most := ui.Amount(r.Small().Amount)
		if cover.Left > 0 {
			field.Given = r.Word("case.code.covered", "at", r.Moment(cover.Until))
			field.Hint = r.Word("case.code.left", "count", cover.Left, "amount", most)
			return field, nil
		}
		field.Hint = r.Word("case.code.covers", "count", step.Covers, "amount", most, "minutes", int(staff.CoverFor.Minutes()))
	}
	request, err := r.frame.Staff.AskStep(ctx, r.Member.ID, step)
	if err != nil {
		return field, err
	}
	if field.Passkey, err = PasskeyView(request); field.Passkey != nil {
		field.Passkey.Hint = r.Word("passkey.at_once")
	}
	return field, err
}

// PasskeyView is the button that asks the browser for a passkey; nil without a request.
func PasskeyView(request *factor.Request) (*ui.PasskeyView, error) {
	if request == nil {
		return nil, nil
	}
	options, err := json.Marshal(request.Response)
	return &ui.PasskeyView{Options: string(options)}, err
}

// CodeProblem is the text of a refusal of StepUp, to be shown by the CodeField; empty for any other error.
func (r *Request) CodeProblem(err error) string {
	for _, refusal := range []error{staff.ErrCode, session.ErrThrottle, factor.ErrPasskey, factor.ErrExpired} {
		if errors.Is(err, refusal) {
			return r.Text(err)
		}
	}
	return r.FieldTexts(err)["code"]
}

// Small is what counts as a small decision now.
func (r *Request) Small() staff.SmallStep {
	if r.frame.SmallStep == nil {
		return staff.SmallStep{}
	}
	return r.frame.SmallStep()
}

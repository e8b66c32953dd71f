package kycdesk

import (
	"slices"
	"strconv"

	"candor/admin/desk"
	"candor/app/kyc"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// document reads the case and the current picture in the address.
func (s Services) document(r *desk.Request) (cc caseContext, d kyc.Document, err error) {
	if cc, err = s.cases().Named(r); err != nil {
		return cc, d, err
	}
	id, err := r.ID("document")
	if err != nil {
		return cc, d, err
	}
	at := slices.IndexFunc(cc.Documents, func(one kyc.Document) bool { return one.ID == id })
	if at < 0 {
		return cc, d, kyc.ErrUnknown
	}
	return cc, cc.Documents[at], nil
}

// judge accepts a picture, or refuses it for a reason.
func (s Services) judge(r *desk.Request) error {
	cc, d, err := s.document(r)
	if err != nil {
		return err
	}
	seen, err := r.Version()
	if err != nil {
		return err
	}
	if refusal := cc.Right(nounJudge).Refusal(kyc.ErrState); refusal != nil {
		return s.cases().Refuse(r, cc.ID, refusal)
	}
	reason := r.PostFormValue("reason")
	if _, err := s.Identities.DecideDocument(cc.Ctx, r.Actor(), cc.ID, seen, d.ID, reason == "", reason); err != nil {
		return s.cases().Refuse(r, cc.ID, err)
	}
	return s.changed(r, cc.ID)
}

// openRefusal lists the reasons to refuse a picture of that side, each with a digit as its key.
func (s Services) openRefusal(r *desk.Request) error {
	cc, d, err := s.document(r)
	if err != nil {
		return err
	}
	if refusal := cc.Right(nounJudge).Refusal(kyc.ErrState); refusal != nil {
		return s.cases().Refuse(r, cc.ID, refusal)
	}
	view := kycview.Refusal{
		Frame: ui.DialogView{
			ID: "refusal", Title: cc.T("identity.refuse.title", "side", cc.side(d.Side)), Note: cc.T("identity.refuse.note"),
			Form: ui.FormView{
				Post: cc.sel.On(ui.To("/admin/identity/{}/pictures/{}", cc.ID, d.ID)), Swap: ui.SwapNone, Hidden: []ui.Hidden{cc.About().Shown()},
			},
		},
	}
	for i, code := range requestReasons(d.Side) {
		text, lang := cc.public(code)
		view.Reasons = append(view.Reasons, kycview.Reason{Code: code, Digit: strconv.Itoa((i + 1) % 10), Label: cc.reason(&code), Text: text, Lang: lang})
	}
	return r.Show(kycview.Refuse(view))
}

// requestReasons lists the reasons to request a part again.
func requestReasons(part kyc.Part) (codes []string) {
	for _, reason := range kyc.Reasons {
		if slices.Contains(reason.Parts, part) {
			codes = append(codes, reason.Code)
		}
	}
	return codes
}

// finalReasons lists the reasons that end an application.
func finalReasons() (codes []string) {
	for _, reason := range kyc.Reasons {
		if reason.Final() {
			codes = append(codes, reason.Code)
		}
	}
	return codes
}

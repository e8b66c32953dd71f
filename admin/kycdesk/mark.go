package kycdesk

import (
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/kyc"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// mark marks a field of the data as matching the documents, as different, or as neither.
func (s Services) mark(r *desk.Request) error {
	cc, err := s.cases().Named(r)
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
	if _, err := s.Identities.MarkField(cc.Ctx, r.Actor(), cc.ID, seen, kyc.Field(r.Param("field")), kyc.Mark(r.PostFormValue("mark"))); err != nil {
		return s.cases().Refuse(r, cc.ID, err)
	}
	return s.changed(r, cc.ID)
}

// matchRest marks every field without a mark as matching.
func (s Services) matchRest(r *desk.Request) error {
	cc, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	seen, err := r.Version()
	if err != nil {
		return err
	}
	if refusal := cc.Right(nounMatch).Refusal(kyc.ErrState); refusal != nil {
		return s.cases().Refuse(r, cc.ID, refusal)
	}
	if _, err := s.Identities.MatchRest(cc.Ctx, r.Actor(), cc.ID, seen); err != nil {
		return s.cases().Refuse(r, cc.ID, err)
	}
	return s.changed(r, cc.ID)
}

// rest is the form that matches every field without a mark; nil where the member may not judge.
func (cc caseContext) rest() *kycview.Rest {
	match := cc.Right(nounMatch)
	if !match.Offered() || !cc.claimedByMe() {
		return nil
	}
	marked := len(kyc.Fields) - len(cc.Marks.Unmarked())
	return &kycview.Rest{
		Words:  cc.T("identity.mark.count", "marked", marked, "all", len(kyc.Fields)),
		Form:   ui.FormView{Post: cc.below(cc.ID, "marks"), Swap: ui.SwapNone, Class: "kyc-mark", Hidden: []ui.Hidden{cc.About().Shown()}},
		Button: cc.Button(match, cc.Claim, ui.ButtonView{ID: "match-rest", Label: cc.T("identity.mark.rest"), Icon: ui.IconDoubleCheck, Key: "M", Size: ui.Small, Submit: true}),
	}
}

// firstMark is the digit of the first field; the digits before it select the panes.
const firstMark = 4

// marked is a line of the data with its mark, and with the buttons to mark it for members who may judge. The field's digit marks it as matching,
// pressed again as different, and once more removes the mark, as the button of the current mark does.
func (cc caseContext) marked(f kyc.Field, line kycview.Line) kycview.Line {
	mark := cc.Marks[f]
	switch mark {
	case kyc.Fits:
		line.Mark = &ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: cc.T("identity.mark.fits")}
	case kyc.Differs:
		line.Mark = &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconClose, Label: cc.T("identity.mark.differs")}
	}
	judge := cc.Right(nounJudge)
	if !judge.Offered() || !cc.claimedByMe() {
		return line
	}
	line.Key = strconv.Itoa(firstMark + slices.Index(kyc.Fields, f))
	line.Form = ui.FormView{
		Post: cc.sel.On(ui.To("/admin/identity/{}/marks/{}", cc.ID, string(f))), Swap: ui.SwapNone, Class: "kyc-mark", Hidden: []ui.Hidden{cc.About().Shown()},
	}
	for _, one := range []struct {
		mark kyc.Mark
		icon ui.IconName
	}{{kyc.Fits, ui.IconCheck}, {kyc.Differs, ui.IconClose}} {
		button := ui.ButtonView{
			ID: "mark-" + string(f) + "-" + string(one.mark), Label: cc.T("identity.mark."+string(one.mark)+".field", "field", line.Label), Icon: one.icon, Size: ui.Small, Square: true,
			Submit: true, Name: "mark", Value: string(one.mark), Current: mark == one.mark,
		}
		if button.Current {
			button.Value = ""
		}
		if (one.mark == kyc.Fits) == (mark == "") {
			button.Key = line.Key
		}
		line.Buttons = append(line.Buttons, cc.Button(judge, cc.Claim, button))
	}
	return line
}

// differing names the fields marked as different; empty if none is.
func (cc caseContext) differing() string {
	var names []string
	for _, f := range cc.Marks.Differing() {
		names = append(names, cc.T("identity.data."+string(f)))
	}
	return strings.Join(names, ", ")
}

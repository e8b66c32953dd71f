package adjustdesk

import (
	"fmt"
	"net/http"

	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/platform/upload"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// extra is the button that adds evidence, for the requester while nobody has decided.
func (cc caseContext) extra() []ui.ButtonView {
	if !cc.Undecided() || cc.RequestedBy != cc.Me || !cc.Right(nounWithdraw).OK || len(cc.evidence) >= adjustment.MaxEvidence {
		return nil
	}
	return []ui.ButtonView{{Label: cc.T("adjustment.evidence.open"), Icon: ui.IconClip, HX: ui.OpenDialog(cc.About().Below("evidence"))}}
}

// pictures are the evidence in its viewers. Each view is logged.
func (cc caseContext) pictures() (sections []caseview.Section) {
	for i, e := range cc.evidence {
		note := cc.Name(&e.AddedBy) + ", " + cc.At(e.AddedAt)
		if e.Pages > 0 {
			note = cc.T("deposit.proof.pages", "shown", min(e.Pages, upload.PDFPages), "pages", e.Pages) + " · " + note
		}
		sections = append(sections, caseview.Section{Body: ui.Viewer(ui.ViewerView{
			ID: fmt.Sprint(cc.About().Key(), "-evidence-", e.ID), Title: cc.T("adjustment.evidence", "number", i+1), Note: note,
			Image: ui.To("/admin/adjustments/{}/evidence/{}", cc.ID, e.ID), Alt: cc.T("adjustment.evidence.alt", "number", i+1, "adjustment", cc.Number()),
			Mark: cc.T("deposit.proof.mark", "name", cc.watermark, "at", cc.At(cc.Now), "number", cc.Number()),
		})})
	}
	return sections
}

// openEvidence answers with the form that adds a picture to the member's own request.
func (s Services) openEvidence(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	cc, err := s.read(r, id)
	switch {
	case err != nil:
		return err
	case !cc.Undecided():
		return approval.ErrState
	case cc.RequestedBy != cc.Me:
		return approval.ErrNotRequester
	case !r.Partial():
		return r.RedirectTo(address(id).String())
	}
	return showEvidence(r, http.StatusOK, id, "")
}

func showEvidence(r *desk.Request, status int, id int64, problem string) error {
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			ID: "evidence", Title: r.Word("adjustment.evidence.title"), Note: r.Word("adjustment.evidence.note", "limit", adjustment.MaxEvidence),
			Form: ui.FormView{Post: ui.To("/admin/adjustments/{}/evidence", id), Target: ui.TargetDialog, Swap: ui.SwapInside, Files: true},
			Act:  ui.ButtonView{Label: r.Word("adjustment.evidence.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: []ui.FieldView{{
			Name: "file", Label: r.Word("adjustment.evidence.file"), Hint: r.Word("adjustment.evidence.file.hint"), Accept: "image/jpeg,image/png,image/heic,application/pdf", Error: problem, Required: true,
		}},
	}))
}

// addEvidence adds the posted picture.
func (s Services) addEvidence(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	form, err := s.Uploads.Form(r.Response(), r.Request(), r.Sender(), upload.Paper)
	if err == nil {
		_, err = s.Adjustments.AddEvidence(r.Context.Request().Context(), r.Actor(), id, form.Picture)
	}
	refusal := errs.As(err)
	switch {
	case err == nil:
		return r.RedirectTo(address(id).String())
	case refusal != nil && len(refusal.Fields) > 0:
		return showEvidence(r, http.StatusUnprocessableEntity, id, r.FieldTexts(err)["file"])
	case refusal != nil && refusal.Kind == errs.Refused:
		return showEvidence(r, http.StatusUnprocessableEntity, id, r.Text(err))
	}
	return err
}

// evidence sends a picture into its page, watermarked with the viewer; the audit log records each view.
func (s Services) evidence(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	picture, err := r.ID("evidence")
	if err != nil {
		return err
	}
	if err := r.MayShow(); err != nil {
		return err
	}
	raw, err := s.Adjustments.ViewEvidence(r.Context.Request().Context(), r.Actor(), id, picture)
	if err != nil {
		return err
	}
	if err := r.SendPicture(raw, adjustment.Number(id)); err != nil {
		return fmt.Errorf("send evidence %d: %w", picture, err)
	}
	return nil
}

// isView reports whether an entry says only that somebody looked at evidence.
func isView(e audit.Entry) bool { return e.Action == "adjustment.view_evidence" }

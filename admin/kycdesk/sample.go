package kycdesk

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/kyc"
	"candor/app/platform/errs"
	"candor/templates/caseview"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// sample shows the evidence of a sample, without what was decided and by whom.
func (s Services) sample(r *desk.Request) error {
	id, err := r.ID("sample")
	if err != nil {
		return err
	}
	e, err := s.Identities.OpenSample(r.Context.Request().Context(), r.Actor(), id)
	if err != nil {
		return err
	}
	pc, err := s.pageContext(r, nil)
	if err != nil {
		return err
	}
	c := kycview.Case{
		ID: fmt.Sprint("sample-", id), Key: fmt.Sprint("sample-", id), Number: pc.sampleName(id), Back: quality, Data: pc.evidence(e), Hints: pc.checked(e.Hints, nil), Who: pc.T("identity.blind.who"), Zone: pc.Zoned(),
		Head: kycview.Head{Alone: true, Chips: []ui.ChipView{pc.countryChip(e.Country), {Icon: ui.IconIdentity, Label: pc.documentType(e.DocumentType)}, {Icon: ui.IconLock, Label: pc.T("identity.blind.chip")}}},
		Foot: kycview.Foot{Words: pc.T("identity.blind.foot"), Buttons: []ui.ButtonView{
			{Label: pc.T("identity.verdict.open"), Kind: ui.Primary, Key: "A", HX: ui.OpenDialog(ui.To("/admin/identity/quality/{}/verdict", id))},
		}},
	}
	for _, d := range e.Documents {
		token, err := s.pictureToken(ofSample, pc.Me, id, d.ID, pc.Now.Add(pictureTokenLife))
		if err != nil {
			return err
		}
		c.Pictures = append(c.Pictures, kycview.Picture{
			ID: strconv.FormatInt(d.ID, 10), Side: pc.side(d.Side), Selfie: d.Side == kyc.Selfie, Alt: pc.T("identity.picture.alt", "side", pc.side(d.Side), "number", c.Number),
			Mark: pc.T("identity.picture.mark"), Image: ui.To("/admin/identity/quality/{}/pictures/{}/{}", id, d.ID, token),
		})
	}
	return r.Show(kycview.Show(r.Page(c.Number, navItem), c))
}

// evidence is what the trader typed.
func (pc pageContext) evidence(e kyc.Evidence) []kycview.Line {
	line := func(key, value string, ident bool) kycview.Line {
		return kycview.Line{Label: pc.T("identity.data." + key), Value: value, Ident: ident}
	}
	return []kycview.Line{
		line("name", e.Data.FullName, false), line("birth", e.Data.BirthDate, true), line("number", e.Data.Number, true), line("expiry", e.Data.ExpiryDate, true),
		line("country", pc.country(e.Country), false), line("type", pc.documentType(e.DocumentType), false), line("registered", pc.country(e.RegisteredIn), false),
	}
}

// samplePicture sends a picture of a sample into its page, as picture does for a case.
func (s Services) samplePicture(r *desk.Request) error {
	id, err := r.ID("sample")
	if err != nil {
		return err
	}
	document, err := r.ID("document")
	if err != nil {
		return err
	}
	if err := s.checkPictureToken(r, ofSample, id, document); err != nil {
		return err
	}
	if err := r.MayShow(); err != nil {
		return err
	}
	raw, err := s.Identities.ViewSampled(r.Context.Request().Context(), r.Actor(), id, document)
	if err != nil {
		return err
	}
	if err := r.SendPicture(raw, fmt.Sprint("sample-", id)); err != nil {
		return fmt.Errorf("send picture %d: %w", document, err)
	}
	return nil
}

// askVerdict opens the dialog that ends a second review.
func (s Services) askVerdict(r *desk.Request) error {
	id, err := r.ID("sample")
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(sampleAddress(id).String())
	}
	return showVerdict(r, http.StatusOK, id, caseengine.Typed{Values: map[string]string{}})
}

func showVerdict(r *desk.Request, status int, id int64, in caseengine.Typed) error {
	outcome := in.Field(ui.FieldView{Name: "outcome", Label: r.Word("identity.verdict.outcome"), Required: true, Options: []ui.Option{{Label: r.Word("identity.verdict.choose")}}})
	for _, o := range kyc.Outcomes {
		outcome.Options = append(outcome.Options, ui.Option{Value: string(o), Label: r.Word("identity.outcome." + string(o)), Selected: string(o) == outcome.Value})
	}
	note := in.Field(ui.FieldView{Name: "note", Label: r.Word("identity.field.note"), StaffOnly: true, Rows: 3, MaxLength: caseengine.NoteLimit})
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			ID: "verdict", Title: r.Word("identity.verdict.title"), Note: r.Word("identity.verdict.note"), Form: ui.FormView{Post: ui.To("/admin/identity/quality/{}/verdict", id), Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act: ui.ButtonView{Label: r.Word("identity.verdict.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: []ui.FieldView{outcome, note},
	}))
}

// verdict ends the second review; the following page says what the first one had decided.
func (s Services) verdict(r *desk.Request) error {
	id, err := r.ID("sample")
	if err != nil {
		return err
	}
	note := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(r.PostFormValue("note"), ""), "\x00", ""))
	in := caseengine.Typed{Values: map[string]string{"outcome": r.PostFormValue("outcome"), "note": note}}
	_, err = s.Identities.JudgeSample(r.Context.Request().Context(), r.Actor(), id, kyc.Outcome(in.Values["outcome"]), note)
	if refusal := errs.As(err); refusal != nil && len(refusal.Fields) > 0 {
		in.Errors = r.FieldTexts(err)
		return showVerdict(r, http.StatusUnprocessableEntity, id, in)
	}
	if err != nil {
		return err
	}
	return r.RedirectTo(quality.With("done", id).String())
}

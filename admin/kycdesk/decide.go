package kycdesk

import (
	"slices"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/kyc"
	"candor/app/platform/i18n"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// fields are the names of all fields that a dialog of the desk may post.
var fields = []string{"reason", "note", string(kyc.Front), string(kyc.Back), string(kyc.Selfie), string(kyc.DataPart)}

// withoutFlash is an act without a message: the following page says what was done.
func withoutFlash(_ kyc.Application, err error) (caseengine.Flash, error) {
	return caseengine.Flash{}, err
}

// levelFlash is an act on a level, which keeps the case's state: the following page names what was done by the noun.
func levelFlash(noun string, err error) (caseengine.Flash, error) {
	return caseengine.NewFlash(noun), err
}

// actions are the dialogs of the desk.
func (s Services) actions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		{
			Noun: nounAsk, Permission: access.IdentityDecide, Fields: fields, Dialog: questionDialog,
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				return withoutFlash(s.Identities.AskAgain(cc.Ctx, r.Actor(), cc.ID, cc.Version, cc.requestedParts(in), in.Values["note"]))
			},
		},
		{
			Noun: nounApprove, Permission: access.IdentityApprove, Dialog: approvalDialog(nounApprove, "identity.approve"),
			Act: func(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return withoutFlash(s.Identities.Approve(cc.Ctx, r.Actor(), cc.ID, cc.Version))
			},
		},
		{
			Noun: nounEscalate, Permission: access.IdentityApprove, Fields: fields, Dialog: endDialog(nounEscalate, "identity.escalate", ui.Primary),
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				return withoutFlash(s.Identities.Escalate(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["reason"], in.Values["note"]))
			},
		},
		{
			Noun: nounConfirm, Permission: access.IdentityConfirm, Dialog: approvalDialog(nounConfirm, "identity.confirm"),
			Act: func(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return withoutFlash(s.Identities.Confirm(cc.Ctx, r.Actor(), cc.ID, cc.Version))
			},
		},
		{
			Noun: nounReject, Permission: access.IdentityConfirm, Fields: fields, Dialog: endDialog(nounReject, "identity.reject", ui.Danger),
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				return withoutFlash(s.Identities.RejectFinal(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["reason"], in.Values["note"]))
			},
		},
		{
			Noun: nounRevoke, Permission: access.IdentityConfirm, Fields: fields, Dialog: endDialog(nounRevoke, "identity.revoke", ui.Danger),
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				return withoutFlash(s.Identities.Revoke(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["reason"], in.Values["note"]))
			},
		},
		{
			Noun: nounAskLevel, Permission: access.IdentityConfirm, Fields: fields, Dialog: levelDialog(nounAskLevel, "identity.level.ask", ui.Primary),
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				_, err := s.Identities.AskLevel(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["note"])
				return levelFlash(nounAskLevel, err)
			},
		},
		{
			Noun: nounGrant, Permission: access.IdentityApprove, Dialog: approvalDialog(nounGrant, "identity.level.grant"),
			Act: func(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
				_, err := s.Identities.GrantLevel(cc.Ctx, r.Actor(), cc.ID, cc.Version)
				return levelFlash(nounGrant, err)
			},
		},
		{
			Noun: nounDecline, Permission: access.IdentityDecide, Fields: fields, Dialog: levelDialog(nounDecline, "identity.level.decline", ui.Danger),
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				_, err := s.Identities.RefuseLevel(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["note"])
				return levelFlash(nounDecline, err)
			},
		},
		{
			Noun: nounLower, Permission: access.IdentityConfirm, Fields: fields, Dialog: levelDialog(nounLower, "identity.level.lower", ui.Danger),
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				_, err := s.Identities.LowerLevel(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["note"])
				return levelFlash(nounLower, err)
			},
		},
	}
}

// frame is the common part of the decision dialogs: the trader's number and name, a form that carries the shown version, and the act.
func (cc caseContext) frame(noun, textKey string, kind ui.ButtonKind) ui.DialogView {
	return ui.DialogView{
		ID: noun, Title: cc.T(textKey+".title", "trader", cc.TraderID), Note: cc.T("identity.dialog.note", "name", cc.fullName(), "number", cc.Number(), "version", cc.Version), Calm: true,
		Act: ui.ButtonView{Label: cc.T(textKey + ".act"), Kind: kind, Busy: cc.T(textKey + ".busy"), Submit: true, Money: true},
		Form: ui.FormView{
			Post: cc.below(cc.ID, noun), Swap: ui.SwapNone, Hidden: []ui.Hidden{cc.About().Shown()},
		},
	}
}

func (cc caseContext) fullName() string {
	if cc.Data.FullName != "" {
		return cc.Data.FullName
	}
	return cc.owner.MaskedName()
}

// checkFacts lists the decision on each picture, and the data marked as different.
func (cc caseContext) checkFacts() (facts []ui.Fact) {
	for _, d := range cc.Documents {
		fact := ui.Fact{Label: cc.side(d.Side), Value: cc.T("identity.decision." + string(d.Decision))}
		switch d.Decision {
		case kyc.Accepted:
			fact.Tone = ui.ToneSuccess
		case kyc.Refused:
			fact.Tone, fact.Value = ui.ToneWarning, cc.reason(d.Reason)
		case kyc.Pending:
			fact.Muted = true
		}
		facts = append(facts, fact)
	}
	if cc.differing() != "" {
		facts = append(facts, ui.Fact{Label: cc.T("identity.mark.differs"), Value: cc.differing(), Tone: ui.ToneWarning})
	}
	return facts
}

// approvalDialog shows again what is approved.
func approvalDialog(noun, textKey string) func(caseContext, caseengine.Typed) templ.Component {
	return func(cc caseContext, in caseengine.Typed) templ.Component {
		d := kycview.Dialog{Frame: cc.frame(noun, textKey, ui.Primary), Alert: in.Alert}
		d.Facts = append([]ui.Fact{
			{Label: cc.T("identity.data.name"), Value: cc.fullName(), Strong: true}, {Label: cc.T("identity.data.birth"), Value: cc.Data.BirthDate, Ident: true},
			{Label: cc.T("identity.data.number"), Value: cc.Data.Number, Ident: true}, {Label: cc.T("identity.data.expiry"), Value: cc.Data.ExpiryDate, Ident: true},
		}, cc.checkFacts()...)
		d.Facts = append(d.Facts, ui.Fact{Label: cc.T("case.fact.screening"), Value: cc.T("case.screening.none"), Tone: ui.ToneWarning})
		switch {
		case noun == nounConfirm:
			d.Facts = append(d.Facts, ui.Fact{Label: cc.T("identity.fact." + string(cc.Stage())), Value: cc.Name(cc.MakerID), Strong: true}, ui.Fact{Label: cc.T("identity.fact.note"), Value: dash(cc.Note)})
			d.Foot = cc.T("identity.confirm.foot")
		case noun == nounGrant:
			d.Facts = append(d.Facts, cc.levels()...)
			d.Foot = cc.T("identity.level.grant.foot")
		case cc.SecondNeeded || len(cc.Risks) > 0:
			d.Foot = cc.T("identity.approve.two")
		default:
			d.Foot = cc.T("identity.approve.one")
		}
		return kycview.Decide(d)
	}
}

// levelDialog asks for the reason to raise, keep or lower a level.
func levelDialog(noun, textKey string, kind ui.ButtonKind) func(caseContext, caseengine.Typed) templ.Component {
	return func(cc caseContext, in caseengine.Typed) templ.Component {
		note := in.Field(ui.FieldView{
			Name: "note", Label: cc.T("identity.level.why"), Hint: cc.T("identity.level.why.hint"), StaffOnly: true, Rows: 3, MaxLength: kyc.LongestWhy, Required: true,
		})
		return kycview.Decide(kycview.Dialog{Frame: cc.frame(noun, textKey, kind), Alert: in.Alert, Facts: cc.levels(), Note: &note, Foot: cc.T(textKey + ".foot")})
	}
}

func dash(text string) string {
	if text == "" {
		return "—"
	}
	return text
}

// requestedParts are the parts that a form requests again.
func (cc caseContext) requestedParts(in caseengine.Typed) (list []kyc.Ask) {
	for _, part := range append(cc.Sides(), kyc.DataPart) {
		if code := in.Values[string(part)]; code != "" {
			list = append(list, kyc.Ask{Part: part, Reason: code})
		}
	}
	return list
}

// dataDiffers is the reason for requesting the data again while some of it is marked as different.
const dataDiffers = "data_differs"

// questionDialog asks which parts the trader has to submit again, and why. Refused pictures are preselected, and the data if some of it is marked as different.
func questionDialog(cc caseContext, in caseengine.Typed) templ.Component {
	d := kycview.Dialog{Frame: cc.frame(nounAsk, "identity.ask", ui.Primary), Alert: in.Alert, Foot: cc.T("identity.ask.attempts", "number", cc.Attempt, "of", kyc.MaxAttempts)}
	if in.Errors["reason"] != "" {
		d.Alert = &ui.AlertView{Tone: ui.ToneWarning, Title: cc.T("identity.ask.none")}
	}
	for _, document := range cc.Documents {
		chosen := in.Values[string(document.Side)]
		if chosen == "" && document.Decision == kyc.Refused {
			chosen = *document.Reason
		}
		d.Parts = append(d.Parts, cc.part(document.Side, chosen, document.Decision != kyc.Refused))
	}
	typed := in.Values[string(kyc.DataPart)]
	if typed == "" && cc.differing() != "" {
		typed = dataDiffers
		d.Facts = []ui.Fact{{Label: cc.T("identity.mark.differs"), Value: cc.differing(), Tone: ui.ToneWarning}}
	}
	d.Parts = append(d.Parts, cc.part(kyc.DataPart, typed, cc.differing() == ""))
	d.Note = cc.noteField(in)
	return kycview.Decide(d)
}

// part is the choice of a reason for one part, with the text that the trader will read.
func (cc caseContext) part(part kyc.Part, chosen string, spared bool) kycview.Part {
	preview := cc.below(cc.ID, "reason-preview").With("part", string(part))
	field := ui.FieldView{
		Name: string(part), Label: cc.T("identity.side." + string(part)),
		HX: ui.HX{Get: preview, Target: ui.At(kycview.PreviewID(string(part))), Swap: ui.SwapWhole, Trigger: ui.OnChange},
	}
	if spared {
		field.Options = append(field.Options, ui.Option{Label: cc.T("identity.ask.spared"), Selected: chosen == ""})
	}
	for _, code := range requestReasons(part) {
		field.Options = append(field.Options, ui.Option{Value: code, Label: cc.reason(&code), Selected: code == chosen})
	}
	return kycview.Part{Field: field, Preview: cc.preview(string(part), chosen)}
}

func (cc caseContext) noteField(in caseengine.Typed) *ui.FieldView {
	f := in.Field(ui.FieldView{Name: "note", Label: cc.T("identity.field.note"), StaffOnly: true, Rows: 2, MaxLength: caseengine.NoteLimit})
	return &f
}

// endDialog asks for a final reason: the lead's own, or one that the reviewer suggests.
func endDialog(noun, textKey string, kind ui.ButtonKind) func(caseContext, caseengine.Typed) templ.Component {
	return func(cc caseContext, in caseengine.Typed) templ.Component { return cc.end(in, noun, textKey, kind) }
}

func (cc caseContext) end(in caseengine.Typed, noun, textKey string, kind ui.ButtonKind) templ.Component {
	d := kycview.Dialog{Frame: cc.frame(noun, textKey, kind), Alert: in.Alert, Facts: cc.checkFacts(), Foot: cc.T(textKey + ".foot")}
	chosen := in.Values["reason"]
	if noun != nounEscalate && chosen == "" && cc.InternalReason != nil && cc.State == kyc.Escalated {
		chosen = *cc.InternalReason // the reviewer's suggestion
	}
	if cc.Note != "" {
		d.Facts = append(d.Facts, ui.Fact{Label: cc.T("identity.fact.note"), Value: cc.Note})
	}
	field := in.Field(ui.FieldView{
		Name: "reason", Label: cc.T(textKey + ".reason"), Required: noun != nounEscalate,
		HX: ui.HX{Get: cc.below(cc.ID, "reason-preview").With("part", "reason"), Target: ui.At(kycview.PreviewID("reason")), Swap: ui.SwapWhole, Trigger: ui.OnChange},
	})
	first := "identity.reason.choose"
	if noun == nounEscalate {
		first = "identity.reason.none"
	}
	field.Options = []ui.Option{{Label: cc.T(first), Selected: chosen == ""}}
	for _, code := range finalReasons() {
		field.Options = append(field.Options, ui.Option{Value: code, Label: cc.reason(&code), Selected: code == chosen})
	}
	part := kycview.Part{Field: field}
	if noun != nounEscalate {
		part.Preview = cc.preview("reason", chosen)
	} else {
		part.Field.HX = ui.HX{} // the trader does not read a suggestion
	}
	d.Parts, d.Note = []kycview.Part{part}, cc.noteField(in)
	return kycview.Decide(d)
}

// reasonPreview answers with the text that the trader will read for a reason.
func (s Services) reasonPreview(r *desk.Request) error {
	cc, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	part := r.QueryParam("part")
	if !slices.Contains(fields, part) {
		return desk.ErrNotFound
	}
	return r.Show(kycview.ReasonPreview(*cc.preview(part, r.QueryParam(part))))
}

// preview is the text that the trader will read for a reason; empty if there is none.
func (cc caseContext) preview(part, code string) *kycview.Preview {
	view := &kycview.Preview{ID: kycview.PreviewID(part), Lang: i18n.Lang(cc.Ctx)}
	at := slices.IndexFunc(kyc.Reasons, func(reason kyc.Reason) bool { return reason.Code == code })
	if at < 0 {
		return view
	}
	text, lang := cc.public(kyc.Reasons[at].Public)
	view.Label, view.Text, view.Lang = cc.T("identity.preview", "language", caseengine.Language(lang)), text, lang
	return view
}

// public is the text of a reason in the trader's language.
func (cc caseContext) public(code string) (text, lang string) {
	return cc.Reads(cc.owner.Language, "kyc.reason."+code)
}

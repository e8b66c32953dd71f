package kycdesk

import (
	"slices"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/kyc"
	"candor/app/platform/i18n"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// fields are the names of everything that a dialog of the desk may post.
var fields = []string{"reason", "note", string(kyc.Front), string(kyc.Back), string(kyc.Selfie), string(kyc.Typed)}

// power is a decision with the permission that it takes.
type power struct {
	permission access.Permission
	casework.Decision[matter]
}

// quiet is an act without words of its own: the page that follows says what was done.
func quiet(_ kyc.Application, err error) (casework.Flash, error) { return casework.Flash{}, err }

// levelled is an act about a level, which leaves the state as it is: the page that follows says what was done by its name.
func levelled(noun string, err error) (casework.Flash, error) { return casework.Said(noun), err }

// decisions are the dialogs of the desk with the power that each takes.
func (s Services) decisions() []power {
	return []power{
		{access.IdentityDecide, casework.Decision[matter]{
			Noun: nounAsk, Fields: fields, Dialog: questionDialog,
			Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
				return quiet(s.Identities.AskAgain(m.Ctx, by(r), m.ID, m.Version, m.asks(in), in.Words["note"]))
			},
		}},
		{access.IdentityApprove, casework.Decision[matter]{
			Noun: nounApprove, Dialog: approvalDialog(nounApprove, "identity.approve"),
			Act: func(r *desk.Request, m matter, _ casework.Typed) (casework.Flash, error) {
				return quiet(s.Identities.Approve(m.Ctx, by(r), m.ID, m.Version))
			},
		}},
		{access.IdentityApprove, casework.Decision[matter]{
			Noun: nounEscalate, Fields: fields, Dialog: endDialog(nounEscalate, "identity.escalate", ui.Primary),
			Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
				return quiet(s.Identities.Escalate(m.Ctx, by(r), m.ID, m.Version, in.Words["reason"], in.Words["note"]))
			},
		}},
		{access.IdentityConfirm, casework.Decision[matter]{
			Noun: nounConfirm, Dialog: approvalDialog(nounConfirm, "identity.confirm"),
			Act: func(r *desk.Request, m matter, _ casework.Typed) (casework.Flash, error) {
				return quiet(s.Identities.Confirm(m.Ctx, by(r), m.ID, m.Version))
			},
		}},
		{access.IdentityConfirm, casework.Decision[matter]{
			Noun: nounReject, Fields: fields, Dialog: endDialog(nounReject, "identity.reject", ui.Danger),
			Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
				return quiet(s.Identities.RejectFinal(m.Ctx, by(r), m.ID, m.Version, in.Words["reason"], in.Words["note"]))
			},
		}},
		{access.IdentityConfirm, casework.Decision[matter]{
			Noun: nounRevoke, Fields: fields, Dialog: endDialog(nounRevoke, "identity.revoke", ui.Danger),
			Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
				return quiet(s.Identities.Revoke(m.Ctx, by(r), m.ID, m.Version, in.Words["reason"], in.Words["note"]))
			},
		}},
		{access.IdentityConfirm, casework.Decision[matter]{
			Noun: nounAskLevel, Fields: fields, Dialog: levelDialog(nounAskLevel, "identity.level.ask", ui.Primary),
			Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
				_, err := s.Identities.AskLevel(m.Ctx, by(r), m.ID, m.Version, in.Words["note"])
				return levelled(nounAskLevel, err)
			},
		}},
		{access.IdentityApprove, casework.Decision[matter]{
			Noun: nounGrant, Dialog: approvalDialog(nounGrant, "identity.level.grant"),
			Act: func(r *desk.Request, m matter, _ casework.Typed) (casework.Flash, error) {
				_, err := s.Identities.GrantLevel(m.Ctx, by(r), m.ID, m.Version)
				return levelled(nounGrant, err)
			},
		}},
		{access.IdentityDecide, casework.Decision[matter]{
			Noun: nounDecline, Fields: fields, Dialog: levelDialog(nounDecline, "identity.level.decline", ui.Danger),
			Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
				_, err := s.Identities.RefuseLevel(m.Ctx, by(r), m.ID, m.Version, in.Words["note"])
				return levelled(nounDecline, err)
			},
		}},
		{access.IdentityConfirm, casework.Decision[matter]{
			Noun: nounLower, Fields: fields, Dialog: levelDialog(nounLower, "identity.level.lower", ui.Danger),
			Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
				_, err := s.Identities.LowerLevel(m.Ctx, by(r), m.ID, m.Version, in.Words["note"])
				return levelled(nounLower, err)
			},
		}},
	}
}

// frame is what all decisions have: the trader's number and name, a form that carries the version that is shown, and the act.
func (m matter) frame(noun, words string, kind ui.ButtonKind) ui.DialogView {
	return ui.DialogView{
		ID: noun, Title: m.T(words+".title", "trader", m.TraderID), Note: m.T("identity.dialog.note", "name", m.fullName(), "number", m.Number(), "version", m.Version), Calm: true,
		Act: ui.ButtonView{Label: m.T(words + ".act"), Kind: kind, Busy: m.T(words + ".busy"), Submit: true, Money: true},
		Form: ui.FormView{
			Post: m.below(m.ID, noun), Swap: ui.SwapNone, Hidden: []ui.Hidden{m.About().Shown()},
		},
	}
}

func (m matter) fullName() string {
	if m.Data.FullName != "" {
		return m.Data.FullName
	}
	return m.owner.MaskedName()
}

// standing lists how each picture stands, and which of the data does not fit.
func (m matter) standing() (facts []ui.Fact) {
	for _, d := range m.Documents {
		fact := ui.Fact{Label: m.side(d.Side), Value: m.T("identity.decision." + string(d.Decision))}
		switch d.Decision {
		case kyc.Accepted:
			fact.Tone = ui.ToneSuccess
		case kyc.Refused:
			fact.Tone, fact.Value = ui.ToneWarning, m.reason(d.Reason)
		case kyc.Pending:
			fact.Muted = true
		}
		facts = append(facts, fact)
	}
	if m.differing() != "" {
		facts = append(facts, ui.Fact{Label: m.T("identity.mark.differs"), Value: m.differing(), Tone: ui.ToneWarning})
	}
	return facts
}

// approvalDialog shows once more what is approved.
func approvalDialog(noun, words string) func(matter, casework.Typed) templ.Component {
	return func(m matter, in casework.Typed) templ.Component {
		d := kycview.Dialog{Frame: m.frame(noun, words, ui.Primary), Alert: in.Alert}
		d.Facts = append([]ui.Fact{
			{Label: m.T("identity.data.name"), Value: m.fullName(), Strong: true}, {Label: m.T("identity.data.birth"), Value: m.Data.BirthDate, Ident: true},
			{Label: m.T("identity.data.number"), Value: m.Data.Number, Ident: true}, {Label: m.T("identity.data.expiry"), Value: m.Data.ExpiryDate, Ident: true},
		}, m.standing()...)
		switch {
		case noun == nounConfirm:
			d.Facts = append(d.Facts, ui.Fact{Label: m.T("identity.fact.maker"), Value: m.Name(m.MakerID), Strong: true}, ui.Fact{Label: m.T("identity.fact.note"), Value: dash(m.Note)})
			d.Foot = m.T("identity.confirm.foot")
		case noun == nounGrant:
			d.Facts = append(d.Facts, m.levels()...)
			d.Foot = m.T("identity.level.grant.foot")
		case m.SecondNeeded || len(m.Risks) > 0:
			d.Foot = m.T("identity.approve.two")
		default:
			d.Foot = m.T("identity.approve.one")
		}
		return kycview.Decide(d)
	}
}

// levelDialog asks why a level is to be another one, or to stay.
func levelDialog(noun, words string, kind ui.ButtonKind) func(matter, casework.Typed) templ.Component {
	return func(m matter, in casework.Typed) templ.Component {
		note := in.Field(ui.FieldView{
			Name: "note", Label: m.T("identity.level.why"), Hint: m.T("identity.level.why.hint"), StaffOnly: true, Rows: 3, MaxLength: kyc.LongestWhy, Required: true,
		})
		return kycview.Decide(kycview.Dialog{Frame: m.frame(noun, words, kind), Alert: in.Alert, Facts: m.levels(), Note: &note, Foot: m.T(words + ".foot")})
	}
}

func dash(text string) string {
	if text == "" {
		return "—"
	}
	return text
}

// asks are the parts that a form asks for again.
func (m matter) asks(in casework.Typed) (list []kyc.Ask) {
	for _, part := range append(m.Sides(), kyc.Typed) {
		if code := in.Words[string(part)]; code != "" {
			list = append(list, kyc.Ask{Part: part, Reason: code})
		}
	}
	return list
}

// dataDiffers is the reason for which the data is asked for again while some of it is marked.
const dataDiffers = "data_differs"

// questionDialog asks which parts the trader has to hand in again, and why. What is refused already is asked for, and the data where some of it does not fit.
func questionDialog(m matter, in casework.Typed) templ.Component {
	d := kycview.Dialog{Frame: m.frame(nounAsk, "identity.ask", ui.Primary), Alert: in.Alert, Foot: m.T("identity.ask.attempts", "number", m.Attempt, "of", kyc.MaxAttempts)}
	if in.Errors["reason"] != "" {
		d.Alert = &ui.AlertView{Tone: ui.ToneWarning, Title: m.T("identity.ask.none")}
	}
	for _, document := range m.Documents {
		chosen := in.Words[string(document.Side)]
		if chosen == "" && document.Decision == kyc.Refused {
			chosen = *document.Reason
		}
		d.Parts = append(d.Parts, m.part(document.Side, chosen, document.Decision != kyc.Refused))
	}
	typed := in.Words[string(kyc.Typed)]
	if typed == "" && m.differing() != "" {
		typed = dataDiffers
		d.Facts = []ui.Fact{{Label: m.T("identity.mark.differs"), Value: m.differing(), Tone: ui.ToneWarning}}
	}
	d.Parts = append(d.Parts, m.part(kyc.Typed, typed, m.differing() == ""))
	d.Note = m.noteField(in)
	return kycview.Decide(d)
}

// part is the choice of a reason for one part, with what the trader will read.
func (m matter) part(part kyc.Part, chosen string, spared bool) kycview.Part {
	wording := m.below(m.ID, "wording").With("part", string(part))
	field := ui.FieldView{
		Name: string(part), Label: m.T("identity.side." + string(part)),
		HX: ui.HX{Get: wording, Target: ui.At(kycview.PreviewID(string(part))), Swap: ui.SwapWhole, Trigger: ui.OnChange},
	}
	if spared {
		field.Options = append(field.Options, ui.Option{Label: m.T("identity.ask.spared"), Selected: chosen == ""})
	}
	for _, code := range asking(part) {
		field.Options = append(field.Options, ui.Option{Value: code, Label: m.reason(&code), Selected: code == chosen})
	}
	return kycview.Part{Field: field, Preview: m.preview(string(part), chosen)}
}

func (m matter) noteField(in casework.Typed) *ui.FieldView {
	f := in.Field(ui.FieldView{Name: "note", Label: m.T("identity.field.note"), StaffOnly: true, Rows: 2, MaxLength: casework.NoteLimit})
	return &f
}

// endDialog gives a final reason: the lead's, or one that the reviewer suggests.
func endDialog(noun, words string, kind ui.ButtonKind) func(matter, casework.Typed) templ.Component {
	return func(m matter, in casework.Typed) templ.Component { return m.end(in, noun, words, kind) }
}

func (m matter) end(in casework.Typed, noun, words string, kind ui.ButtonKind) templ.Component {
	d := kycview.Dialog{Frame: m.frame(noun, words, kind), Alert: in.Alert, Facts: m.standing(), Foot: m.T(words + ".foot")}
	chosen := in.Words["reason"]
	if noun != nounEscalate && chosen == "" && m.InternalReason != nil && m.State == kyc.Escalated {
		chosen = *m.InternalReason // the reviewer's suggestion
	}
	if m.Note != "" {
		d.Facts = append(d.Facts, ui.Fact{Label: m.T("identity.fact.note"), Value: m.Note})
	}
	field := in.Field(ui.FieldView{
		Name: "reason", Label: m.T(words + ".reason"), Required: noun != nounEscalate,
		HX: ui.HX{Get: m.below(m.ID, "wording").With("part", "reason"), Target: ui.At(kycview.PreviewID("reason")), Swap: ui.SwapWhole, Trigger: ui.OnChange},
	})
	first := "identity.reason.choose"
	if noun == nounEscalate {
		first = "identity.reason.none"
	}
	field.Options = []ui.Option{{Label: m.T(first), Selected: chosen == ""}}
	for _, code := range ending() {
		field.Options = append(field.Options, ui.Option{Value: code, Label: m.reason(&code), Selected: code == chosen})
	}
	part := kycview.Part{Field: field}
	if noun != nounEscalate {
		part.Preview = m.preview("reason", chosen)
	} else {
		part.Field.HX = ui.HX{} // the trader reads nothing of it
	}
	d.Parts, d.Note = []kycview.Part{part}, m.noteField(in)
	return kycview.Decide(d)
}

// wording answers what the trader will read for a reason.
func (s Services) wording(r *desk.Request) error {
	m, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	part := r.QueryParam("part")
	if !slices.Contains(fields, part) {
		return desk.ErrNotFound
	}
	return r.Show(kycview.Wording(*m.preview(part, r.QueryParam(part))))
}

// preview is a reason in the trader's words, empty where there is none.
func (m matter) preview(part, code string) *kycview.Preview {
	view := &kycview.Preview{ID: kycview.PreviewID(part), Lang: i18n.Lang(m.Ctx)}
	at := slices.IndexFunc(kyc.Reasons, func(reason kyc.Reason) bool { return reason.Code == code })
	if at < 0 {
		return view
	}
	text, lang := m.public(kyc.Reasons[at].Public)
	view.Label, view.Text, view.Lang = m.T("identity.preview", "language", casework.Language(lang)), text, lang
	return view
}

// public is a reason in the trader's language.
func (m matter) public(code string) (text, lang string) {
	return m.Reads(m.owner.Language, "kyc.reason."+code)
}

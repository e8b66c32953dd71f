package kycdesk

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"candor/admin/desk"
	"candor/app/kyc"
	"candor/app/platform/i18n"
	"candor/templates/kycview"
	"candor/templates/ui"
)

const noteLimit = 1000 // characters of a note for staff; the longest ones take two bytes in most scripts that staff write

// decision is a dialog that decides a case, and the act that its form posts.
type decision struct {
	noun   string
	right  func(rights) verdict
	dialog func(matter, typed) templ.Component
	act    func(Services, kyc.Desk, matter, typed) error
}

// typed is what a dialog shows again: the words in its fields, what is wrong with them, and a message above.
type typed struct {
	words  map[string]string
	errors map[string]string
	alert  *ui.AlertView
}

func (in typed) field(f ui.FieldView) ui.FieldView {
	f.Value, f.Error = in.words[f.Name], in.errors[f.Name]
	return f
}

func (in typed) note() string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(in.words["note"], ""), "\x00", ""))
}

// fields are the names of everything that a dialog of the desk may post.
var fields = []string{"reason", "note", string(kyc.Front), string(kyc.Back), string(kyc.Selfie), string(kyc.Typed)}

// The decisions.
var (
	approval = decision{
		noun: "approval", right: func(r rights) verdict { return r.approve },
		dialog: func(m matter, in typed) templ.Component { return approvalDialog(m, in, "approval", "identity.approve") },
		act: func(s Services, by kyc.Desk, m matter, _ typed) error {
			_, err := s.Identities.Approve(m.ctx, by, m.ID, m.Version)
			return err
		},
	}
	confirmation = decision{
		noun: "confirmation", right: func(r rights) verdict { return r.confirm },
		dialog: func(m matter, in typed) templ.Component {
			return approvalDialog(m, in, "confirmation", "identity.confirm")
		},
		act: func(s Services, by kyc.Desk, m matter, _ typed) error {
			_, err := s.Identities.Confirm(m.ctx, by, m.ID, m.Version)
			return err
		},
	}
	question = decision{
		noun: "question", right: func(r rights) verdict { return r.ask }, dialog: questionDialog,
		act: func(s Services, by kyc.Desk, m matter, in typed) error {
			_, err := s.Identities.AskAgain(m.ctx, by, m.ID, m.Version, m.asks(in), in.note())
			return err
		},
	}
	escalation = decision{
		noun: "escalation", right: func(r rights) verdict { return r.escalate },
		dialog: func(m matter, in typed) templ.Component {
			return endDialog(m, in, "escalation", "identity.escalate", ui.Primary)
		},
		act: func(s Services, by kyc.Desk, m matter, in typed) error {
			_, err := s.Identities.Escalate(m.ctx, by, m.ID, m.Version, in.words["reason"], in.note())
			return err
		},
	}
	rejection = decision{
		noun: "rejection", right: func(r rights) verdict { return r.reject },
		dialog: func(m matter, in typed) templ.Component {
			return endDialog(m, in, "rejection", "identity.reject", ui.Danger)
		},
		act: func(s Services, by kyc.Desk, m matter, in typed) error {
			_, err := s.Identities.RejectFinal(m.ctx, by, m.ID, m.Version, in.words["reason"], in.note())
			return err
		},
	}
	revocation = decision{
		noun: "revocation", right: func(r rights) verdict { return r.revoke },
		dialog: func(m matter, in typed) templ.Component {
			return endDialog(m, in, "revocation", "identity.revoke", ui.Danger)
		},
		act: func(s Services, by kyc.Desk, m matter, in typed) error {
			_, err := s.Identities.Revoke(m.ctx, by, m.ID, m.Version, in.words["reason"], in.note())
			return err
		},
	}
)

// open answers a decision's dialog with fresh data, or says why there is none.
func (s Services) open(r *desk.Request, d decision) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	if refusal := d.right(m.rights()).refusal(); refusal != nil {
		return s.refuse(r, m.ID, refusal)
	}
	return r.Show(d.dialog(m, typed{words: map[string]string{}}))
}

// decide runs the act that a dialog posted, if the case still is the version that was shown and the member may, and opens the next case.
func (s Services) decide(r *desk.Request, d decision) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	seen, err := r.Version()
	if err != nil {
		return err
	}
	in := typed{words: map[string]string{}}
	for _, name := range fields {
		in.words[name] = r.Posted(name)
	}
	err = kyc.ErrChanged
	if seen == m.Version {
		err = d.right(m.rights()).refusal()
	}
	if err == nil {
		err = d.act(s, by(r), m, in)
	}
	if err != nil {
		return s.again(r, d, m.ID, seen, in, err)
	}
	return s.onward(r, m)
}

// again answers the dialog once more, with what was typed and the case as it is now: beside its fields with 422, after a change with 409.
// Where the member may not decide any more, only the reason is left.
func (s Services) again(r *desk.Request, d decision, id int64, seen int, in typed, reason error) error {
	m, err := s.readAgain(r, id)
	if err != nil {
		return err
	}
	status := http.StatusUnprocessableEntity
	switch in.errors = fieldErrors(r, reason); {
	case conflicts(reason):
		alert, err := s.stale(m, seen, reason)
		if err != nil {
			return err
		}
		status, in.alert = http.StatusConflict, &alert
		if !d.right(m.rights()).ok {
			return s.notice(r, m, alert)
		}
	case len(in.errors) == 0:
		return reason
	}
	return r.Dialog(status, d.dialog(m, in))
}

// frame is what all decisions have: the trader's number and name, a form that carries the version that is shown, and the act.
func (m matter) frame(noun, words string, kind ui.ButtonKind) ui.DialogView {
	return ui.DialogView{
		ID: noun, Title: m.t(words+".title", "trader", m.TraderID), Note: m.t("identity.dialog.note", "name", m.fullName(), "number", m.Number(), "version", m.Version), Calm: true,
		Act: ui.ButtonView{Label: m.t(words + ".act"), Kind: kind, Busy: m.t(words + ".busy"), Submit: true, Money: true},
		Form: ui.FormView{
			Post: m.below(m.ID, noun), Swap: ui.SwapNone, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(m.Version)}},
		},
	}
}

func (m matter) fullName() string {
	if m.Data.FullName != "" {
		return m.Data.FullName
	}
	return m.owner.MaskedName()
}

// standing lists how each picture stands.
func (m matter) standing() (facts []ui.Fact) {
	for _, d := range m.Documents {
		fact := ui.Fact{Label: m.side(d.Side), Value: m.t("identity.decision." + string(d.Decision))}
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
	return facts
}

func approvalDialog(m matter, in typed, noun, words string) templ.Component {
	d := kycview.Dialog{Frame: m.frame(noun, words, ui.Primary), Alert: in.alert}
	d.Facts = append([]ui.Fact{
		{Label: m.t("identity.data.name"), Value: m.fullName(), Strong: true}, {Label: m.t("identity.data.birth"), Value: m.Data.BirthDate, Ident: true},
		{Label: m.t("identity.data.number"), Value: m.Data.Number, Ident: true}, {Label: m.t("identity.data.expiry"), Value: m.Data.ExpiryDate, Ident: true},
	}, m.standing()...)
	switch {
	case noun == confirmationNoun:
		d.Facts = append(d.Facts, ui.Fact{Label: m.t("identity.fact.maker"), Value: m.name(m.MakerID), Strong: true}, ui.Fact{Label: m.t("identity.fact.note"), Value: dash(m.Note)})
		d.Foot = m.t("identity.confirm.foot")
	case m.SecondNeeded || len(m.Risks) > 0:
		d.Foot = m.t("identity.approve.two")
	default:
		d.Foot = m.t("identity.approve.one")
	}
	return kycview.Decide(d)
}

const confirmationNoun = "confirmation"

func dash(text string) string {
	if text == "" {
		return "—"
	}
	return text
}

// asks are the parts that a form asks for again.
func (m matter) asks(in typed) (list []kyc.Ask) {
	for _, part := range append(m.Sides(), kyc.Typed) {
		if code := in.words[string(part)]; code != "" {
			list = append(list, kyc.Ask{Part: part, Reason: code})
		}
	}
	return list
}

// questionDialog asks which parts the trader has to hand in again, and why. What is refused already is asked for.
func questionDialog(m matter, in typed) templ.Component {
	d := kycview.Dialog{Frame: m.frame("question", "identity.ask", ui.Primary), Alert: in.alert, Foot: m.t("identity.ask.attempts", "number", m.Attempt, "of", kyc.MaxAttempts)}
	if in.errors["reason"] != "" {
		d.Alert = &ui.AlertView{Tone: ui.ToneWarning, Title: m.t("identity.ask.none")}
	}
	for _, document := range m.Documents {
		chosen := in.words[string(document.Side)]
		if chosen == "" && document.Decision == kyc.Refused {
			chosen = *document.Reason
		}
		d.Parts = append(d.Parts, m.part(document.Side, chosen, document.Decision != kyc.Refused))
	}
	d.Parts = append(d.Parts, m.part(kyc.Typed, in.words[string(kyc.Typed)], true))
	d.Note = m.noteField(in)
	return kycview.Decide(d)
}

// part is the choice of a reason for one part, with what the trader will read.
func (m matter) part(part kyc.Part, chosen string, spared bool) kycview.Part {
	wording := m.below(m.ID, "wording").With("part", string(part))
	field := ui.FieldView{
		Name: string(part), Label: m.t("identity.side." + string(part)),
		HX: ui.HX{Get: wording, Target: ui.At(kycview.PreviewID(string(part))), Swap: ui.SwapWhole, Trigger: ui.OnChange},
	}
	if spared {
		field.Options = append(field.Options, ui.Option{Label: m.t("identity.ask.spared"), Selected: chosen == ""})
	}
	for _, code := range asking(part) {
		field.Options = append(field.Options, ui.Option{Value: code, Label: m.reason(&code), Selected: code == chosen})
	}
	return kycview.Part{Field: field, Preview: m.preview(string(part), chosen)}
}

func (m matter) noteField(in typed) *ui.FieldView {
	f := in.field(ui.FieldView{Name: "note", Label: m.t("identity.field.note"), StaffOnly: true, Rows: 2, MaxLength: noteLimit})
	return &f
}

// endDialog gives a final reason: the lead's, or one that the reviewer suggests.
func endDialog(m matter, in typed, noun, words string, kind ui.ButtonKind) templ.Component {
	d := kycview.Dialog{Frame: m.frame(noun, words, kind), Alert: in.alert, Facts: m.standing(), Foot: m.t(words + ".foot")}
	chosen := in.words["reason"]
	if noun != "escalation" && chosen == "" && m.InternalReason != nil && m.State == kyc.Escalated {
		chosen = *m.InternalReason // the reviewer's suggestion
	}
	if m.Note != "" {
		d.Facts = append(d.Facts, ui.Fact{Label: m.t("identity.fact.note"), Value: m.Note})
	}
	field := in.field(ui.FieldView{
		Name: "reason", Label: m.t(words + ".reason"), Required: noun != "escalation",
		HX: ui.HX{Get: m.below(m.ID, "wording").With("part", "reason"), Target: ui.At(kycview.PreviewID("reason")), Swap: ui.SwapWhole, Trigger: ui.OnChange},
	})
	first := "identity.reason.choose"
	if noun == "escalation" {
		first = "identity.reason.none"
	}
	field.Options = []ui.Option{{Label: m.t(first), Selected: chosen == ""}}
	for _, code := range ending() {
		field.Options = append(field.Options, ui.Option{Value: code, Label: m.reason(&code), Selected: code == chosen})
	}
	part := kycview.Part{Field: field}
	if noun != "escalation" {
		part.Preview = m.preview("reason", chosen)
	} else {
		part.Field.HX = ui.HX{} // the trader reads nothing of it
	}
	d.Parts, d.Note = []kycview.Part{part}, m.noteField(in)
	return kycview.Decide(d)
}

// wording answers what the trader will read for a reason.
func (s Services) wording(r *desk.Request) error {
	m, err := s.read(r)
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
	view := &kycview.Preview{ID: kycview.PreviewID(part), Lang: i18n.Lang(m.ctx)}
	at := slices.IndexFunc(kyc.Reasons, func(reason kyc.Reason) bool { return reason.Code == code })
	if at < 0 {
		return view
	}
	text, lang := m.public(kyc.Reasons[at].Public)
	view.Label, view.Text, view.Lang = m.t("identity.preview", "language", display.English.Languages().Name(language.Make(lang))), text, lang
	return view
}

// public is a reason in the trader's language, or in English where the trader app has no words for it.
func (m matter) public(code string) (text, lang string) {
	lang, words := m.owner.Language, "kyc.reason."+code
	if !m.texts.Has(lang, words) {
		lang = i18n.Reference
	}
	return m.texts.T(lang, words, nil), language.Make(lang).String()
}

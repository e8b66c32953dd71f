package kycdesk

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// detail shows one case. Whoever holds it sees the data and the pictures, for which the page carries rights of a minute.
func (s Services) detail(r *desk.Request) error {
	m, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	view, err := s.view(m)
	if err != nil {
		return err
	}
	if view.Pictures, err = s.shown(m); err != nil {
		return err
	}
	view.Done = s.told(r, m.scene)
	return r.Show(kycview.Show(r.Page(m.Number(), place), view))
}

// view is everything that a case's page shows, but for the addresses of its pictures.
func (s Services) view(m matter) (c kycview.Case, err error) {
	entries, _, err := s.Audit.List(m.Ctx, m.About().Entries())
	if err != nil {
		return c, err
	}
	near, err := s.around(m.scene, m.Application)
	if err != nil {
		return c, err
	}
	c = kycview.Case{
		ID: strconv.FormatInt(m.ID, 10), Key: key(m.ID), Number: m.Number(), Back: m.narrow.on(home), Head: m.head(near), Data: m.data(), Hints: m.hints(), Levels: m.levels(), Who: m.who(), Next: m.following(near),
		Replaced: m.replaced(), Earlier: m.earlier(), History: m.history(entries), Foot: m.foot(), Zone: m.Zoned(),
	}
	c.Hidden = m.hidden()
	if m.held() {
		c.Pictures, c.Window = m.pictures(), ui.To("/admin/identity/{}/window", m.ID)
	} else {
		c.Sides = m.sides()
	}
	return c, nil
}

// hidden says why neither data nor pictures are shown; it is empty for whoever holds the case.
func (m matter) hidden() string {
	switch {
	case m.held():
		return ""
	case m.Undecided() || m.Standing():
		return m.T("identity.hidden.claim")
	default:
		return m.T("identity.hidden.decided")
	}
}

func (m matter) head(near around) kycview.Head {
	h := kycview.Head{
		Trader: strconv.FormatInt(m.TraderID, 10), TraderHref: m.TraderHref(m.TraderID), Chips: []ui.ChipView{m.chip(m.Application)}, Due: m.due(m.Application),
	}
	h.Chips = append(h.Chips,
		ui.ChipView{Icon: ui.IconGlobe, Label: m.country(m.Country)}, ui.ChipView{Icon: ui.IconIdentity, Label: m.documentType(m.DocumentType)})
	if m.SecondNeeded || m.State == kyc.Escalated {
		h.Chips = append(h.Chips, ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: m.T("identity.two")})
	}
	h.Attempt = m.attempt(m.Application)
	h.Chips = append(h.Chips, m.HeldChips(m.Claim)...)
	if near.place > 0 {
		words := "identity.place"
		if near.more {
			words = "identity.place.more"
		}
		h.Place = m.T(words, "place", near.place, "all", near.all)
	}
	if near.previous != 0 {
		h.Previous = m.address(near.previous).String()
	}
	if near.next != 0 {
		h.Next = m.address(near.next).String()
	}
	if m.Right(casework.Release).OK {
		h.Buttons = []ui.ButtonView{
			{Label: m.T("identity.extend"), Key: "X", Size: ui.Small, HX: ui.HX{Post: m.below(m.ID, "claim"), Swap: ui.SwapNone}},
			{Label: m.T("identity.release"), Kind: ui.Ghost, Size: ui.Small, HX: ui.HX{Delete: m.below(m.ID, "claim"), Swap: ui.SwapNone}},
		}
	}
	return h
}

// data is what the trader typed, for whoever holds the case, and what everybody at the desk may know.
func (m matter) data() []kycview.Line {
	lines := []kycview.Line{
		m.marked(kyc.FieldName, kycview.Line{Label: m.T("identity.data.name"), Value: m.Data.FullName}),
		m.marked(kyc.FieldBirth, kycview.Line{Label: m.T("identity.data.birth"), Value: m.Data.BirthDate, Ident: true}),
		m.marked(kyc.FieldNumber, kycview.Line{Label: m.T("identity.data.number"), Value: m.Data.Number, Ident: true}),
		m.marked(kyc.FieldExpiry, kycview.Line{Label: m.T("identity.data.expiry"), Value: m.Data.ExpiryDate, Ident: true}),
	}
	if m.Data == (kyc.Data{}) {
		lines = nil
	}
	typed := kycview.Line{Label: m.T("identity.data.registered"), Value: m.country(m.RegisteredIn)}
	if m.RegisteredIn != m.Country {
		typed.Tone = ui.ToneWarning
	}
	return append(lines,
		m.marked(kyc.FieldCountry, kycview.Line{Label: m.T("identity.data.country"), Value: m.country(m.Country)}),
		m.marked(kyc.FieldType, kycview.Line{Label: m.T("identity.data.type"), Value: m.documentType(m.DocumentType)}), typed)
}

// hints are what speaks for a second look, what does not, and what nobody has looked at: that is never taken for a pass.
func (m matter) hints() (list []kycview.Hint) {
	if !m.Undecided() && !m.Standing() {
		return nil
	}
	for _, risk := range []kyc.Risk{kyc.NumberSeen, kyc.PictureSeen, kyc.DeviceShared, kyc.PayeeShared, kyc.CountryDiffers, kyc.PhoneDiffers, kyc.DocumentExpired, kyc.UnderAge} {
		hint := kycview.Hint{Text: m.T("identity.clear." + string(risk))}
		at := slices.IndexFunc(m.Hints, func(h kyc.Hint) bool { return h.Risk == risk })
		switch {
		case at >= 0:
			hint.Found, hint.Text = true, m.T("identity.risk."+string(risk))
			for _, id := range m.Hints[at].Traders {
				hint.Traders = append(hint.Traders, kycview.Link{Label: strconv.FormatInt(id, 10), Href: m.TraderHref(id)})
			}
		case slices.Contains(m.Risks, risk):
			hint.Found, hint.Text = true, m.T("identity.risk.past", "risk", m.T("identity.risk."+string(risk)))
		}
		list = append(list, hint)
	}
	return append(list, kycview.Hint{Unknown: true, Text: m.T("identity.sanctions.none"), Note: m.T("identity.sanctions.none.note")})
}

// levels are the level of a trader who is verified, and who asks for the higher one or has granted it.
func (m matter) levels() (facts []ui.Fact) {
	if !m.Standing() {
		return nil
	}
	facts = append(facts, ui.Fact{Label: m.T("identity.level"), Value: m.T("identity.level.number", "level", m.Level), Strong: true})
	if m.LevelAskedBy == nil {
		return facts
	}
	facts = append(facts,
		ui.Fact{Label: m.T("identity.level.asked_by"), Value: m.Name(m.LevelAskedBy), Note: m.At(*m.LevelAskedAt)}, ui.Fact{Label: m.T("identity.level.why"), Value: *m.LevelReason})
	if m.LevelGrantedBy != nil {
		facts = append(facts, ui.Fact{Label: m.T("identity.level.granted_by"), Value: m.Name(m.LevelGrantedBy)})
	}
	return facts
}

// who says in words who may decide.
func (m matter) who() string {
	rights := m.rights()
	switch {
	case !m.Undecided() && !m.Standing():
		return m.T("identity.who.decided")
	case rights[casework.Claim].Why != nil:
		return m.Why(rights[casework.Claim].Why, m.Claim)
	case m.State == kyc.Escalated:
		return m.T("identity.who.lead", "name", m.Name(m.MakerID))
	case m.LevelAsked():
		return m.T("identity.who.level", "name", m.Name(m.LevelAskedBy))
	case m.Standing():
		return m.T("identity.who.standing")
	case m.SecondNeeded:
		return m.T("identity.who.two")
	default:
		return m.T("identity.who.one")
	}
}

func (m matter) following(near around) (list []kycview.Next) {
	for _, a := range near.following {
		next := kycview.Next{
			Number: a.Number(), Href: m.address(a.ID).String(), Note: m.country(a.Country) + ", " + m.documentType(a.DocumentType),
		}
		if due := m.due(a); due != nil {
			next.Due = *due
			next.Due.NoIcon, next.Due.Plain = true, true
		}
		list = append(list, next)
	}
	return list
}

// sides says how the pictures stand, to whoever does not see them.
func (m matter) sides() (facts []ui.Fact) {
	for _, d := range m.Documents {
		facts = append(facts, ui.Fact{Label: m.side(d.Side), Value: m.said(d)})
	}
	return facts
}

// replaced are the pictures of earlier attempts.
func (m matter) replaced() (facts []ui.Fact) {
	for _, d := range m.Replaced {
		facts = append(facts, ui.Fact{Label: m.T("identity.replaced", "side", m.side(d.Side), "attempt", d.Attempt), Value: m.said(d), Muted: d.Shredded()})
	}
	return facts
}

// said is what was decided about a picture.
func (m matter) said(d kyc.Document) string {
	switch {
	case d.Shredded():
		return m.T("identity.picture.shredded")
	case d.Decision == kyc.Refused:
		return m.T("identity.picture.refused", "reason", m.reason(d.Reason), "name", m.Name(d.DecidedBy))
	case d.Decision == kyc.Accepted:
		return m.T("identity.picture.accepted", "name", m.Name(d.DecidedBy))
	default:
		return m.T("identity.picture.pending")
	}
}

// earlier are the trader's applications before this one.
func (m matter) earlier() (facts []ui.Fact) {
	for _, a := range m.Earlier {
		if a.State == kyc.Draft {
			continue
		}
		facts = append(facts, ui.Fact{Label: a.Number(), Value: m.T("identity.state." + string(a.State)), Href: ui.To("/admin/identity/{}", a.ID).String(), Note: ui.Day(a.CreatedAt, m.Zone)})
	}
	return facts
}

// foot says what is missing and offers what may be done, with a reason on what may not.
func (m matter) foot() kycview.Foot {
	rights := m.rights()
	foot := kycview.Foot{Words: m.footWords()}
	add := func(noun string, b ui.ButtonView) {
		v := rights[noun]
		if !v.Offered() {
			return
		}
		if b.Kind == ui.Primary && !v.OK {
			b.Kind = ui.Plain
		}
		if b.HX == (ui.HX{}) {
			b.HX = ui.OpenDialog(m.below(m.ID, noun))
		}
		foot.Buttons = append(foot.Buttons, m.Button(v, m.Claim, b))
	}
	add(nounReject, ui.ButtonView{Label: m.T("identity.reject.open"), Kind: ui.Danger})
	add(nounRevoke, ui.ButtonView{Label: m.T("identity.revoke.open"), Kind: ui.Danger})
	add(nounLower, ui.ButtonView{Label: m.T("identity.level.lower.open")})
	if rights[casework.Claim].Offered() {
		add(casework.Claim, ui.ButtonView{Label: m.T("identity.claim"), Key: "C", Kind: ui.Primary, HX: ui.HX{Post: m.below(m.ID, casework.Claim), Swap: ui.SwapNone}})
		return foot
	}
	add(nounEscalate, ui.ButtonView{Label: m.T("identity.escalate.open"), Key: "E"})
	asking := ui.Plain
	if m.differing() != "" || slices.ContainsFunc(m.Documents, func(d kyc.Document) bool { return d.Decision == kyc.Refused }) {
		asking = ui.Primary
	}
	add(nounAsk, ui.ButtonView{Label: m.T("identity.ask.open"), Key: "R", Kind: asking})
	add(nounApprove, ui.ButtonView{Label: m.T("identity.approve.open"), Key: "A", Kind: ui.Primary})
	add(nounConfirm, ui.ButtonView{Label: m.T("identity.approve.open"), Key: "A", Kind: ui.Primary})
	add(nounAskLevel, ui.ButtonView{Label: m.T("identity.level.ask.open"), Key: "L"})
	add(nounDecline, ui.ButtonView{Label: m.T("identity.level.decline.open"), Key: "R"})
	add(nounGrant, ui.ButtonView{Label: m.T("identity.level.grant.open"), Key: "A", Kind: ui.Primary})
	return foot
}

func (m matter) footWords() string {
	accepted := 0
	for _, d := range m.Documents {
		if d.Decision == kyc.Accepted {
			accepted++
		}
	}
	switch {
	case m.Undecided() && m.held() && m.differing() != "":
		return m.T("identity.foot.differs", "fields", m.differing())
	case m.Undecided() && m.held() && accepted < len(m.Documents):
		return m.T("identity.foot.needs", "accepted", accepted, "all", len(m.Documents))
	case m.State == kyc.Escalated:
		return m.T("identity.foot.escalated", "name", m.Name(m.MakerID))
	case m.LevelAsked():
		return m.T("identity.foot.level", "name", m.Name(m.LevelAskedBy))
	case m.Undecided() && m.SecondNeeded:
		return m.T("identity.foot.two")
	case m.State == kyc.Rejected || m.State == kyc.Revoked:
		return m.reason(m.InternalReason)
	default:
		return ""
	}
}

// steps are the icons and colours of what happened to a case.
var steps = map[string]ui.StepView{
	"save":            {Icon: ui.IconEdit},
	"attach_front":    {Icon: ui.IconIn},
	"attach_back":     {Icon: ui.IconIn},
	"attach_selfie":   {Icon: ui.IconIn},
	"submit":          {Icon: ui.IconSend},
	"withdraw":        {Icon: ui.IconUndo},
	"claim":           {Icon: ui.IconPerson},
	"release":         {Icon: ui.IconUndo},
	"read_data":       {Icon: ui.IconEye},
	"view_front":      {Icon: ui.IconEye},
	"view_back":       {Icon: ui.IconEye},
	"view_selfie":     {Icon: ui.IconEye},
	"decide_document": {Icon: ui.IconDocument},
	"mark":            {Icon: ui.IconEdit},
	"ask_again":       {Icon: ui.IconRetry, State: ui.StepWarn},
	"escalate":        {Icon: ui.IconPeople, State: ui.StepWarn},
	"approve":         {Icon: ui.IconCheck, State: ui.StepDone},
	"confirm":         {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"reject_final":    {Icon: ui.IconClose, State: ui.StepBad},
	"revoke":          {Icon: ui.IconClose, State: ui.StepBad},
	"ask_level":       {Icon: ui.IconPeople, State: ui.StepWarn},
	"grant_level":     {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"refuse_level":    {Icon: ui.IconClose},
	"lower_level":     {Icon: ui.IconUndo, State: ui.StepWarn},
	"expiring":        {Icon: ui.IconClock},
	"reverify":        {Icon: ui.IconClock},
	"lapse":           {Icon: ui.IconClock},
}

// history tells the entries of the audit log as sentences, newest first. What one person does again and again is told once, reading the data once a
// claim; pictures that are handed in, and looks at them, are told one by one.
func (m matter) history(entries []audit.Entry) (told []ui.StepView) {
	var before audit.Entry
	read := map[int64]bool{} // who has read the data since they claimed it
	for _, e := range slices.Backward(entries) {
		skip := e.Action == before.Action && e.ActorID == before.ActorID && e.ActorKind == before.ActorKind && e.Action != "kyc.view" && e.Action != "kyc.attach"
		switch e.Action {
		case "kyc.claim":
			read[e.ActorID] = false
		case "kyc.read_data":
			skip = read[e.ActorID]
			read[e.ActorID] = true
		}
		if !skip {
			told, before = append(told, m.step(e)), e
		}
	}
	slices.Reverse(told)
	return told
}

// documentType is the name of what somebody proves an identity by.
func (sc scene) documentType(t kyc.DocumentType) string {
	if t == "" {
		return sc.T("identity.type.none")
	}
	return sc.T("identity.type." + string(t))
}

// side is which picture an entry is about.
func side(e audit.Entry) string {
	var about struct{ Side string }
	_ = json.Unmarshal([]byte(e.After), &about)
	return about.Side
}

func (m matter) step(e audit.Entry) ui.StepView {
	act := strings.TrimPrefix(e.Action, "kyc.")
	if act == "view" || act == "attach" {
		act += "_" + side(e)
	}
	step, known := m.Step(steps, act, e)
	var after struct {
		Attempt                                  int
		PublicReason, InternalReason, DataReason *string
		Why                                      string
	}
	_ = json.Unmarshal([]byte(e.After), &after) // looks have none
	switch {
	case !known:
	case e.Result == audit.Denied:
		step.State, step.Text = ui.StepBad, m.T("identity.event.denied", "name", e.ActorName)
	case m.Mine(e):
		step.Text = m.T("identity.event." + act + ".you")
	default:
		step.Text = m.T("identity.event."+act, "name", e.ActorName, "attempt", after.Attempt)
	}
	switch act {
	case "ask_again":
		step.Note = m.reason(after.DataReason)
	case "escalate", "reject_final", "revoke":
		step.Note = m.reason(after.InternalReason)
	case "ask_level", "refuse_level", "lower_level":
		step.Note = after.Why
	}
	return step
}

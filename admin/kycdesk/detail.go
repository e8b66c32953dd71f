package kycdesk

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/auditformat"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// detail shows one case. The member with the claim sees the data and the pictures; the page carries rights to fetch these, valid for a minute.
func (s Services) detail(r *desk.Request) error {
	cc, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	view, err := s.view(cc)
	if err != nil {
		return err
	}
	if view.Pictures, err = s.shown(cc); err != nil {
		return err
	}
	view.Done = s.said(r)
	return r.Show(kycview.Show(r.Page(cc.Number(), navItem), view))
}

// view is everything that a case's page shows, except the addresses of its pictures.
func (s Services) view(cc caseContext) (c kycview.Case, err error) {
	entries, _, err := s.Audit.List(cc.Ctx, cc.About().Entries())
	if err != nil {
		return c, err
	}
	near, err := s.queuePosition(cc.pageContext, cc.Application)
	if err != nil {
		return c, err
	}
	c = kycview.Case{
		ID: strconv.FormatInt(cc.ID, 10), Key: key(cc.ID), Number: cc.Number(), Back: cc.sel.On(home), Head: cc.head(near), Data: cc.data(), Rest: cc.rest(), Hints: cc.hints(), Levels: cc.levels(), Who: cc.who(), Next: cc.following(near),
		Replaced: cc.replaced(), Earlier: cc.earlier(), First: cc.first(), History: cc.history(entries), Foot: cc.foot(), Zone: cc.Zoned(),
	}
	c.Hidden = cc.hidden()
	if cc.claimedByMe() {
		c.Pictures, c.Window = cc.pictures(), ui.To("/admin/identity/{}/window", cc.ID)
	} else {
		c.Sides = cc.sides()
	}
	return c, nil
}

// hidden says why neither data nor pictures are shown; it is empty for the member with the claim.
func (cc caseContext) hidden() string {
	switch {
	case cc.claimedByMe():
		return ""
	case cc.Undecided() || cc.Verified():
		return cc.T("identity.hidden.claim")
	default:
		return cc.T("identity.hidden.decided")
	}
}

func (cc caseContext) head(near queuePosition) kycview.Head {
	h := kycview.Head{
		Trader: strconv.FormatInt(cc.TraderID, 10), TraderHref: cc.TraderHref(cc.TraderID), Due: cc.due(cc.Application),
	}
	if cc.State != kyc.InReview || !cc.ClaimActive(cc.Now) { // the claim's chip says that it is in review
		h.Chips = append(h.Chips, cc.chip(cc.Application))
	}
	h.Chips = append(h.Chips, cc.countryChip(cc.Country), ui.ChipView{Icon: ui.IconIdentity, Label: cc.documentType(cc.DocumentType)})
	if cc.Undecided() && cc.State != kyc.Escalated && cc.SecondNeeded {
		h.Chips = append(h.Chips, ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: cc.T("identity.two")})
	}
	h.Attempt = cc.attempt(cc.Application)
	h.Chips = append(h.Chips, cc.ClaimChips(cc.Claim)...)
	if near.position > 0 {
		textKey := "identity.place"
		if near.more {
			textKey = "identity.place.more"
		}
		h.Position = cc.T(textKey, "place", near.position, "all", near.all)
	}
	if near.previous != 0 {
		h.Previous = cc.address(near.previous).String()
	}
	if near.next != 0 {
		h.Next = cc.address(near.next).String()
	}
	if cc.Right(caseengine.Release).OK {
		h.Buttons = []ui.ButtonView{
			{Label: cc.T("identity.extend"), Key: "X", Size: ui.Small, HX: ui.HX{Post: cc.below(cc.ID, "claim"), Swap: ui.SwapNone}},
			{Label: cc.T("identity.release"), Kind: ui.Ghost, Size: ui.Small, HX: ui.HX{Delete: cc.below(cc.ID, "claim"), Swap: ui.SwapNone}},
		}
	}
	return h
}

// data shows what the trader typed to the member with the claim, and to all others what every member may see.
func (cc caseContext) data() []kycview.Line {
	lines := []kycview.Line{
		cc.marked(kyc.FieldName, kycview.Line{Label: cc.T("identity.data.name"), Value: cc.Data.FullName}),
		cc.marked(kyc.FieldBirth, kycview.Line{Label: cc.T("identity.data.birth"), Value: cc.Data.BirthDate, Ident: true}),
		cc.marked(kyc.FieldNumber, kycview.Line{Label: cc.T("identity.data.number"), Value: cc.Data.Number, Ident: true}),
		cc.marked(kyc.FieldExpiry, kycview.Line{Label: cc.T("identity.data.expiry"), Value: cc.Data.ExpiryDate, Ident: true}),
	}
	if cc.Data == (kyc.Data{}) {
		lines = nil
	}
	typed := kycview.Line{Label: cc.T("identity.data.registered"), Value: cc.country(cc.RegisteredIn)}
	if cc.RegisteredIn != cc.Country {
		typed.Tone = ui.ToneWarning
	}
	return append(lines,
		cc.marked(kyc.FieldCountry, kycview.Line{Label: cc.T("identity.data.country"), Value: cc.country(cc.Country)}),
		cc.marked(kyc.FieldType, kycview.Line{Label: cc.T("identity.data.type"), Value: cc.documentType(cc.DocumentType)}), typed)
}

// hints are the checks of a case that is not over.
func (cc caseContext) hints() []kycview.Hint {
	if !cc.Undecided() && !cc.Verified() {
		return nil
	}
	return cc.checked(cc.Hints, cc.Risks)
}

// checked are the reasons for a second look, found now or at a submission, the checks that passed, and the checks that were not made: those never count as passed.
func (pc pageContext) checked(found []kyc.Hint, before kyc.Risks) (list []kycview.Hint) {
	for _, risk := range checks {
		if !pc.listsCountries && (risk == kyc.Prohibited || risk == kyc.HighRisk) {
			continue
		}
		hint := kycview.Hint{Text: pc.T("identity.clear." + string(risk))}
		at := slices.IndexFunc(found, func(h kyc.Hint) bool { return h.Risk == risk })
		switch {
		case at >= 0:
			hint.Found, hint.Text = true, pc.T("identity.risk."+string(risk))
			for _, id := range found[at].Traders {
				hint.Traders = append(hint.Traders, kycview.Link{Label: strconv.FormatInt(id, 10), Href: pc.TraderHref(id)})
			}
		case slices.Contains(before, risk):
			hint.Found, hint.Text = true, pc.T("identity.risk.past", "risk", pc.T("identity.risk."+string(risk)))
		}
		list = append(list, hint)
	}
	if !pc.listsCountries {
		list = append(list, kycview.Hint{Unknown: true, Text: pc.T("identity.countries.none"), Note: pc.T("identity.countries.none.note")})
	}
	return append(list, kycview.Hint{Unknown: true, Text: pc.T("identity.sanctions.none"), Note: pc.T("identity.sanctions.none.note")})
}

// checks are the hints in the order of display.
var checks = []kyc.Risk{
	kyc.NumberSeen, kyc.PictureSeen, kyc.DeviceShared, kyc.PayeeShared, kyc.CountryDiffers, kyc.PhoneDiffers, kyc.DocumentExpired, kyc.UnderAge, kyc.Prohibited, kyc.HighRisk,
}

// levels shows the level of a verified trader, and who requested or granted the higher one.
func (cc caseContext) levels() (facts []ui.Fact) {
	if !cc.Verified() {
		return nil
	}
	facts = append(facts, ui.Fact{Label: cc.T("identity.level"), Value: cc.T("identity.level.number", "level", cc.Level), Strong: true})
	asked, known := cc.me.levels[cc.ID]
	if !known {
		return facts
	}
	facts = append(facts,
		ui.Fact{Label: cc.T("identity.level.asked_by"), Value: cc.Name(&asked.RequestedBy), Note: cc.At(asked.RequestedAt)}, ui.Fact{Label: cc.T("identity.level.why"), Value: asked.Note})
	if asked.SecondBy != nil {
		facts = append(facts, ui.Fact{Label: cc.T("identity.level.granted_by"), Value: cc.Name(asked.SecondBy)})
	}
	return facts
}

// levelAskedBy names who requested the higher level.
func (cc caseContext) levelAskedBy() string {
	asked := cc.me.levels[cc.ID]
	return cc.Name(&asked.RequestedBy)
}

// who says who may decide.
func (cc caseContext) who() string {
	rights := cc.rights()
	switch {
	case !cc.Undecided() && !cc.Verified():
		return cc.T("identity.who.decided")
	case rights[caseengine.Claim].Why != nil:
		return cc.Why(rights[caseengine.Claim].Why, cc.Claim)
	case cc.State == kyc.Escalated:
		return cc.T("identity.who."+string(cc.Stage()), "name", cc.Name(cc.MakerID))
	case cc.LevelAsked():
		return cc.T("identity.who.level", "name", cc.levelAskedBy())
	case cc.Verified():
		return cc.T("identity.who.standing")
	case cc.SecondNeeded:
		return cc.T("identity.who.two")
	default:
		return cc.T("identity.who.one")
	}
}

func (cc caseContext) following(near queuePosition) (list []kycview.Next) {
	for _, a := range near.following {
		next := kycview.Next{
			Number: a.Number(), Href: cc.address(a.ID).String(), Note: cc.country(a.Country) + ", " + cc.documentType(a.DocumentType),
		}
		if due := cc.due(a); due != nil {
			next.Due = *due
			next.Due.NoIcon, next.Due.Plain = true, true
		}
		list = append(list, next)
	}
	return list
}

// sides shows the decisions on the pictures to members who don't see them.
func (cc caseContext) sides() (facts []ui.Fact) {
	for _, d := range cc.Documents {
		facts = append(facts, ui.Fact{Label: cc.side(d.Side), Value: cc.decisionText(d)})
	}
	return facts
}

// replaced shows the pictures of earlier attempts.
func (cc caseContext) replaced() (facts []ui.Fact) {
	for _, d := range cc.Replaced {
		facts = append(facts, ui.Fact{Label: cc.T("identity.replaced", "side", cc.side(d.Side), "attempt", d.Attempt), Value: cc.decisionText(d), Muted: d.Shredded()})
	}
	return facts
}

// decisionText is the decision on a picture.
func (cc caseContext) decisionText(d kyc.Document) string {
	switch {
	case d.Shredded():
		return cc.T("identity.picture.shredded")
	case d.Decision == kyc.Refused:
		return cc.T("identity.picture.refused", "reason", cc.reason(d.Reason), "name", cc.Name(d.DecidedBy))
	case d.Decision == kyc.Accepted:
		return cc.T("identity.picture.accepted", "name", cc.Name(d.DecidedBy))
	default:
		return cc.T("identity.picture.pending")
	}
}

// first shows what the first person said about each part, once the second person has decided.
func (cc caseContext) first() (facts []ui.Fact) {
	for _, one := range cc.First {
		part, verdict := "identity.data.", "identity.mark."+one.Verdict
		if one.DocumentID != nil {
			part, verdict = "identity.side.", "identity.decision."+one.Verdict
		}
		facts = append(facts, ui.Fact{Label: cc.T(part + one.Part), Value: cc.T("identity.first.verdict", "verdict", cc.T(verdict), "name", cc.Name(&one.StaffID)), Note: cc.reason(one.Reason)})
	}
	return facts
}

// earlier shows the trader's previous applications.
func (cc caseContext) earlier() (facts []ui.Fact) {
	for _, a := range cc.Earlier {
		if a.State == kyc.Draft {
			continue
		}
		facts = append(facts, ui.Fact{Label: a.Number(), Value: cc.T("identity.state." + string(a.State)), Href: ui.To("/admin/identity/{}", a.ID).String(), Note: cc.Day(a.CreatedAt)})
	}
	return facts
}

// foot shows what is missing, with the buttons of the acts; those that are not allowed are locked with their reason.
func (cc caseContext) foot() kycview.Foot {
	rights := cc.rights()
	foot := kycview.Foot{Words: cc.footWords()}
	add := func(noun string, b ui.ButtonView) {
		v := rights[noun]
		if !v.Offered() {
			return
		}
		if b.Kind == ui.Primary && !v.OK {
			b.Kind = ui.Plain
		}
		if b.HX == (ui.HX{}) {
			b.HX = ui.OpenDialog(cc.below(cc.ID, noun))
		}
		foot.Buttons = append(foot.Buttons, cc.Button(v, cc.Claim, b))
	}
	add(nounReject, ui.ButtonView{Label: cc.T("identity.reject.open"), Kind: ui.Danger})
	add(nounRevoke, ui.ButtonView{Label: cc.T("identity.revoke.open"), Kind: ui.Danger})
	add(nounLower, ui.ButtonView{Label: cc.T("identity.level.lower.open")})
	if rights[caseengine.Claim].Offered() {
		add(caseengine.Claim, ui.ButtonView{Label: cc.T("identity.claim"), Key: "C", Kind: ui.Primary, HX: ui.HX{Post: cc.below(cc.ID, caseengine.Claim), Swap: ui.SwapNone}})
		return foot
	}
	add(nounEscalate, ui.ButtonView{Label: cc.T("identity.escalate.open"), Key: "E"})
	asking := ui.Plain
	if cc.differing() != "" || slices.ContainsFunc(cc.Documents, func(d kyc.Document) bool { return d.Decision == kyc.Refused }) {
		asking = ui.Primary
	}
	add(nounAsk, ui.ButtonView{Label: cc.T("identity.ask.open"), Key: "R", Kind: asking})
	add(nounApprove, ui.ButtonView{Label: cc.T("identity.approve.open"), Key: "A", Kind: ui.Primary})
	add(nounConfirm, ui.ButtonView{Label: cc.T("identity.approve.open"), Key: "A", Kind: ui.Primary})
	add(nounAskLevel, ui.ButtonView{Label: cc.T("identity.level.ask.open"), Key: "L"})
	add(nounDecline, ui.ButtonView{Label: cc.T("identity.level.decline.open"), Key: "R"})
	add(nounGrant, ui.ButtonView{Label: cc.T("identity.level.grant.open"), Key: "A", Kind: ui.Primary})
	return foot
}

func (cc caseContext) footWords() string {
	accepted := 0
	for _, d := range cc.Documents {
		if d.Decision == kyc.Accepted {
			accepted++
		}
	}
	switch {
	case cc.Undecided() && cc.claimedByMe() && cc.differing() != "":
		return cc.T("identity.foot.differs", "fields", cc.differing())
	case cc.Undecided() && cc.claimedByMe() && unapprovable(cc.Case) != nil:
		return cc.T("identity.foot.needs", "accepted", accepted, "pictures", len(cc.Documents), "matched", len(kyc.Fields)-len(cc.Marks.Unmarked()), "fields", len(kyc.Fields))
	case cc.State == kyc.Escalated:
		return cc.T("identity.foot."+string(cc.Stage()), "name", cc.Name(cc.MakerID))
	case cc.LevelAsked():
		return cc.T("identity.foot.level", "name", cc.levelAskedBy())
	case cc.Undecided() && cc.SecondNeeded:
		return cc.T("identity.foot.two")
	case cc.State == kyc.Rejected || cc.State == kyc.Revoked:
		return cc.reason(cc.InternalReason)
	default:
		return ""
	}
}

// steps are the icons and colours of a case's history.
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
	"match_rest":      {Icon: ui.IconDoubleCheck},
	"ask_again":       {Icon: ui.IconRetry, State: ui.StepWarn},
	"escalate":        {Icon: ui.IconPeople, State: ui.StepWarn},
	"approve":         {Icon: ui.IconCheck, State: ui.StepDone},
	"confirm":         {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"reject_final":    {Icon: ui.IconClose, State: ui.StepBad},
	"revoke":          {Icon: ui.IconClose, State: ui.StepBad},
	"request_level":   {Icon: ui.IconPeople, State: ui.StepWarn},
	"approve_level":   {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"refuse_level":    {Icon: ui.IconClose},
	"withdraw_level":  {Icon: ui.IconUndo},
	"lower_level":     {Icon: ui.IconUndo, State: ui.StepWarn},
	"judge_sample":    {Icon: ui.IconShieldCheck},
	"expiring":        {Icon: ui.IconClock},
	"reverify":        {Icon: ui.IconClock},
	"lapse":           {Icon: ui.IconClock},
}

// history describes the entries of the audit log, newest first. Repeated acts of one person are shown once; reads in a row of one person are one line for the
// data and for each picture, with their number and times.
func (cc caseContext) history(entries []audit.Entry) []ui.StepView {
	groups := auditformat.Group(entries, func(e audit.Entry) string {
		switch e.Action {
		case "kyc.attach":
			return "" // each picture
		case "kyc.view":
			return e.Action + side(e)
		default:
			return e.Action
		}
	})
	timeline := make([]ui.StepView, len(groups))
	for i, g := range groups {
		timeline[i] = cc.step(g.Entry)
		if auditformat.IsRead(g.Entry) && len(g.Times) > 1 {
			timeline[i].Text = cc.T("audit.times", "event", timeline[i].Text, "count", len(g.Times))
			timeline[i].Note = g.Span(cc.At)
		}
	}
	return timeline
}

// documentType is the name of a document type.
func (pc pageContext) documentType(t kyc.DocumentType) string {
	if t == "" {
		return pc.T("identity.type.none")
	}
	return pc.T("identity.type." + string(t))
}

// side is the picture of an entry.
func side(e audit.Entry) string {
	var about struct{ Side string }
	_ = json.Unmarshal([]byte(e.After), &about)
	return about.Side
}

func (cc caseContext) step(e audit.Entry) ui.StepView {
	act := strings.TrimPrefix(e.Action, "kyc.")
	if act == "view" || act == "attach" {
		act += "_" + side(e)
	}
	step, known := cc.Step(steps, act, e)
	var after struct {
		Attempt                                  int
		PublicReason, InternalReason, DataReason *string
		Why, Note, Refusal                       string
	}
	_ = json.Unmarshal([]byte(e.After), &after) // views have none
	switch {
	case !known:
	case e.Result == audit.Denied:
		step.State, step.Text = ui.StepBad, cc.T("identity.event.denied", "name", e.ActorName)
	case cc.Mine(e):
		step.Text = cc.T("identity.event." + act + ".you")
	default:
		step.Text = cc.T("identity.event."+act, "name", e.ActorName, "attempt", after.Attempt)
	}
	switch act {
	case "ask_again":
		step.Note = cc.reason(after.DataReason)
	case "escalate", "reject_final", "revoke":
		step.Note = cc.reason(after.InternalReason)
	case "lower_level":
		step.Note = after.Why
	case "request_level":
		step.Note = after.Note
	case "refuse_level", "withdraw_level":
		step.Note = after.Refusal
	}
	return step
}

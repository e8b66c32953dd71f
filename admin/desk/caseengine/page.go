package caseengine

import (
	"context"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/templates/ui"
)

// PageContext is what a page about cases needs to render: language, time and zone, the viewer, and the names of the staff in its cases.
type PageContext struct {
	Ctx        context.Context
	Now        time.Time
	Zone       *time.Location
	Me         int64  // the member of staff
	Traders    bool   // the member may open traders
	TextPrefix string // the prefix of the texts that all desks have
	refusal    func(error) string
	taken      error           // the refusal of a case that another member has claimed
	texts      *i18n.Catalogue // of the trader app, for text that a trader will read
	names      map[int64]string
}

// NewPageContext reads the context from a request. Keys of the desk's texts start with textPrefix, taken is the refusal of a case that another member has claimed,
// texts are the trader app's.
func NewPageContext(r *desk.Request, textPrefix string, taken error, texts *i18n.Catalogue) PageContext {
	return PageContext{
		Ctx: r.Context.Request().Context(), Now: r.Now(), Zone: r.Zone(), Me: r.Member.ID, Traders: r.May(access.TraderView), TextPrefix: textPrefix,
		refusal: r.Text, taken: taken, texts: texts,
	}
}

// Know reads the names of people; nil ids are skipped.
func (pc *PageContext) Know(people *staff.Service, ids ...*int64) (err error) {
	var known []int64
	for _, id := range ids {
		if id != nil {
			known = append(known, *id)
		}
	}
	pc.names, err = people.Names(pc.Ctx, known)
	return err
}

// Page returns the context itself, for the types that embed it.
func (pc PageContext) Page() PageContext { return pc }

// T is a text in the member's language.
func (pc PageContext) T(key string, pairs ...any) string { return i18n.T(pc.Ctx, key, pairs...) }

// At writes a moment in the member's zone.
func (pc PageContext) At(moment time.Time) string { return ui.Moment(pc.Ctx, moment, pc.Now, pc.Zone) }

// Day writes the day of a moment in the member's zone.
func (pc PageContext) Day(moment time.Time) string { return ui.Day(pc.Ctx, moment, pc.Zone) }

// Date writes a calendar day, which has no zone.
func (pc PageContext) Date(day time.Time) string { return ui.Date(pc.Ctx, day) }

// Zoned names the zone of the times.
func (pc PageContext) Zoned() string {
	return pc.T(pc.TextPrefix+".zone", "zone", ui.ZoneName(pc.Now, pc.Zone))
}

// Name is the name of a member of staff, empty for nil.
func (pc PageContext) Name(id *int64) string {
	if id == nil {
		return ""
	}
	return pc.names[*id]
}

// TraderHref is the address of a trader, empty where the member may not open one.
func (pc PageContext) TraderHref(id int64) string {
	if !pc.Traders {
		return ""
	}
	return ui.To("/admin/traders/{}", id).String()
}

// Why is the text of a refusal; for a case that another member has claimed it says who has, and until when.
func (pc PageContext) Why(reason error, c staff.Claim) string {
	if reason == nil {
		return ""
	}
	refusal, taken := errs.As(reason), errs.As(pc.taken)
	if refusal != nil && taken != nil && refusal.Key == taken.Key && c.ClaimedUntil != nil {
		return pc.T("case.taken", "name", pc.Name(c.ClaimedBy), "until", pc.At(*c.ClaimedUntil))
	}
	return pc.refusal(reason)
}

// Button is an act's button, locked with the reason if the act is refused.
func (pc PageContext) Button(v Verdict, c staff.Claim, b ui.ButtonView) ui.ButtonView {
	b.Locked, b.Why = !v.OK, pc.Why(v.Why, c)
	return b
}

// Owner is the avatar of the member who has claimed a case, nil when unclaimed.
func (pc PageContext) Owner(c staff.Claim) *ui.AvatarView {
	if !c.ClaimActive(pc.Now) {
		return nil
	}
	name := pc.Name(c.ClaimedBy)
	return &ui.AvatarView{Initials: desk.Initials(name), Name: name, Me: *c.ClaimedBy == pc.Me, Small: true}
}

// ClaimChips are the chip that says who has claimed a case, none when unclaimed.
func (pc PageContext) ClaimChips(c staff.Claim) []ui.ChipView {
	switch {
	case c.ClaimActiveBy(pc.Me, pc.Now):
		return []ui.ChipView{{Tone: ui.ToneAccent, Icon: ui.IconPerson, Label: pc.T(pc.TextPrefix+".held.you", "until", pc.At(*c.ClaimedUntil))}}
	case c.ClaimActive(pc.Now):
		return []ui.ChipView{{Icon: ui.IconLock, Label: pc.T(pc.TextPrefix+".held.other", "name", pc.Name(c.ClaimedBy), "until", pc.At(*c.ClaimedUntil))}}
	default:
		return nil
	}
}

// Circle shows one of the people that a decision takes: who has approved, or whether the member may. Claim is the right to take the case.
func (pc PageContext) Circle(who *int64, act, claim Verdict, c staff.Claim) ui.Person {
	switch {
	case who != nil:
		name := pc.Name(who)
		return ui.Person{State: ui.PersonApproved, Initials: desk.Initials(name), Words: pc.T("case.person.approved", "name", name)}
	case act.OK || claim.OK:
		return pc.Open(true)
	case act.Why != nil:
		return ui.Person{State: ui.PersonLocked, Words: pc.T("case.person.locked", "why", pc.Why(act.Why, c))}
	default:
		return pc.Open(false)
	}
}

// Open is the circle of a person who is still needed: the member, or anyone else.
func (pc PageContext) Open(me bool) ui.Person {
	if me {
		return ui.Person{State: ui.PersonYou, Words: pc.T("case.person.you")}
	}
	return ui.Person{State: ui.PersonOpen, Words: pc.T("case.person.open")}
}

// Step begins a line of a case's history: the look of the act, its time, and whether the act is known. An unknown act is shown by its name.
func (pc PageContext) Step(looks map[string]ui.StepView, act string, e audit.Entry) (step ui.StepView, known bool) {
	step, known = looks[act]
	step.Time, step.UTC = pc.At(e.At), ui.Stamp(e.At)
	if !known {
		step.Icon, step.Text = ui.IconInfo, e.Action
	}
	return step, known
}

// Mine reports whether the member did the act of an entry.
func (pc PageContext) Mine(e audit.Entry) bool {
	return e.ActorKind == audit.Staff && e.ActorID == pc.Me
}

// ClaimButtons release a claim, or take it, answered with the row of the case.
func (pc PageContext) ClaimButtons(cc CaseContext) (out []ui.ButtonView) {
	about := cc.About()
	claim, row := about.Below(Claim), ui.At(about.Key())
	if v := cc.Right(Release); v.Offered() {
		out = append(out, pc.Button(v, about.Claim, ui.ButtonView{Label: pc.T("case.release"), HX: ui.HX{Delete: claim, Target: row, Swap: ui.SwapWhole}}))
	}
	if v := cc.Right(Claim); v.Offered() {
		b := ui.ButtonView{Label: pc.T("case.claim"), Key: "C", HX: ui.HX{Post: claim, Target: row, Swap: ui.SwapWhole}}
		if v.OK {
			b.Kind = ui.Primary
		}
		out = append(out, pc.Button(v, about.Claim, b))
	}
	return out
}

// ClaimInRow claims a case from its row in the list, nil where the member may not.
func (pc PageContext) ClaimInRow(rights Rights, about About) *ui.ButtonView {
	if !rights[Claim].OK {
		return nil
	}
	return &ui.ButtonView{Label: pc.T("case.claim"), Size: ui.Tiny, HX: ui.HX{Post: about.Below(Claim), Target: ui.At(about.Key()), Swap: ui.SwapWhole}}
}

// Screening is the screening result of a crypto address: no provider is asked yet, which is stated and never counts as a pass.
func (pc PageContext) Screening() ui.Fact {
	return ui.Fact{Label: pc.T("case.fact.screening"), Value: pc.T("case.screening.none"), Note: pc.T("case.screening.none.note"), Tone: ui.ToneWarning}
}

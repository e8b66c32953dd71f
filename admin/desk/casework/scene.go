package casework

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

// Scene is what the words about cases need: language, moment and zone, who looks, and the names of staff around the cases that are shown.
type Scene struct {
	Ctx     context.Context
	Now     time.Time
	Zone    *time.Location
	Me      int64  // the member of staff
	Traders bool   // the member may open traders
	Words   string // the texts that all desks have begin with it
	refusal func(error) string
	taken   error           // of a case that somebody else holds
	texts   *i18n.Catalogue // of the trader app: what a trader will read
	names   map[int64]string
}

// NewScene is the scene of a request: words begins the texts, taken is the refusal of a case that somebody else holds, texts are the trader app's.
func NewScene(r *desk.Request, words string, taken error, texts *i18n.Catalogue) Scene {
	return Scene{
		Ctx: r.Context.Request().Context(), Now: r.Now(), Zone: r.Zone(), Me: r.Member.ID, Traders: r.May(access.TraderView), Words: words,
		refusal: r.Text, taken: taken, texts: texts,
	}
}

// Know reads the names of people; nobody has none.
func (sc *Scene) Know(people *staff.Service, ids ...*int64) (err error) {
	var known []int64
	for _, id := range ids {
		if id != nil {
			known = append(known, *id)
		}
	}
	sc.names, err = people.Names(sc.Ctx, known)
	return err
}

// Here is the scene itself, for what embeds it.
func (sc Scene) Here() Scene { return sc }

// T is a text in the member's language.
func (sc Scene) T(key string, pairs ...any) string { return i18n.T(sc.Ctx, key, pairs...) }

// At tells a moment in the member's zone.
func (sc Scene) At(moment time.Time) string { return ui.Moment(moment, sc.Now, sc.Zone) }

// Zoned says whose times are told.
func (sc Scene) Zoned() string {
	return sc.T(sc.Words+".zone", "zone", ui.ZoneName(sc.Now, sc.Zone))
}

// Name is the name of a member of staff, empty for nobody.
func (sc Scene) Name(id *int64) string {
	if id == nil {
		return ""
	}
	return sc.names[*id]
}

// TraderHref is the address of a trader, empty where the member may not open one.
func (sc Scene) TraderHref(id int64) string {
	if !sc.Traders {
		return ""
	}
	return ui.To("/admin/traders/{}", id).String()
}

// Why is the reason of a refusal in words; of a case that somebody else holds it says who does, and until when.
func (sc Scene) Why(reason error, c staff.Claim) string {
	if reason == nil {
		return ""
	}
	refusal, taken := errs.As(reason), errs.As(sc.taken)
	if refusal != nil && taken != nil && refusal.Key == taken.Key && c.ClaimedUntil != nil {
		return sc.T("case.taken", "name", sc.Name(c.ClaimedBy), "until", sc.At(*c.ClaimedUntil))
	}
	return sc.refusal(reason)
}

// Button is an act's button, locked with the reason where it may not be done.
func (sc Scene) Button(v Verdict, c staff.Claim, b ui.ButtonView) ui.ButtonView {
	b.Locked, b.Why = !v.OK, sc.Why(v.Why, c)
	return b
}

// Owner is the picture of whoever holds a case, nil when nobody does.
func (sc Scene) Owner(c staff.Claim) *ui.AvatarView {
	if !c.Held(sc.Now) {
		return nil
	}
	name := sc.Name(c.ClaimedBy)
	return &ui.AvatarView{Initials: desk.Initials(name), Name: name, Me: *c.ClaimedBy == sc.Me, Small: true}
}

// HeldChips are the chip that says who holds a case, none when nobody does.
func (sc Scene) HeldChips(c staff.Claim) []ui.ChipView {
	switch {
	case c.HeldBy(sc.Me, sc.Now):
		return []ui.ChipView{{Tone: ui.ToneAccent, Icon: ui.IconPerson, Label: sc.T(sc.Words+".held.you", "until", sc.At(*c.ClaimedUntil))}}
	case c.Held(sc.Now):
		return []ui.ChipView{{Icon: ui.IconLock, Label: sc.T(sc.Words+".held.other", "name", sc.Name(c.ClaimedBy), "until", sc.At(*c.ClaimedUntil))}}
	default:
		return nil
	}
}

// Circle is one of the people that a decision takes: who has approved, or whether the member may. Claim is the right to take the case.
func (sc Scene) Circle(who *int64, act, claim Verdict, c staff.Claim) ui.Person {
	switch {
	case who != nil:
		name := sc.Name(who)
		return ui.Person{State: ui.PersonApproved, Initials: desk.Initials(name), Words: sc.T("case.person.approved", "name", name)}
	case act.OK || claim.OK:
		return sc.Open(true)
	case act.Why != nil:
		return ui.Person{State: ui.PersonLocked, Words: sc.T("case.person.locked", "why", sc.Why(act.Why, c))}
	default:
		return sc.Open(false)
	}
}

// Open is the circle of a person who is wanted: the member, or anybody else.
func (sc Scene) Open(me bool) ui.Person {
	if me {
		return ui.Person{State: ui.PersonYou, Words: sc.T("case.person.you")}
	}
	return ui.Person{State: ui.PersonOpen, Words: sc.T("case.person.open")}
}

// Step begins a line of a case's history: its look by the act, when it was, and whether the desk knows the act. One that it does not is told as it is.
func (sc Scene) Step(looks map[string]ui.StepView, act string, e audit.Entry) (step ui.StepView, known bool) {
	step, known = looks[act]
	step.Time, step.UTC = sc.At(e.At), ui.Stamp(e.At)
	if !known {
		step.Icon, step.Text = ui.IconInfo, e.Action
	}
	return step, known
}

// Mine tells whether the member did what an entry tells.
func (sc Scene) Mine(e audit.Entry) bool { return e.ActorKind == audit.Staff && e.ActorID == sc.Me }

// ClaimButtons give a claim back, or take it: a post to the address whose answer is the case's row.
func (sc Scene) ClaimButtons(rights Rights, c staff.Claim, claim ui.Path, row ui.Target) (out []ui.ButtonView) {
	if v := rights[Release]; v.Offered() {
		out = append(out, sc.Button(v, c, ui.ButtonView{Label: sc.T("case.release"), HX: ui.HX{Delete: claim, Target: row, Swap: ui.SwapWhole}}))
	}
	if v := rights[Claim]; v.Offered() {
		b := ui.ButtonView{Label: sc.T("case.claim"), Key: "C", HX: ui.HX{Post: claim, Target: row, Swap: ui.SwapWhole}}
		if v.OK {
			b.Kind = ui.Primary
		}
		out = append(out, sc.Button(v, c, b))
	}
	return out
}

// ClaimInRow takes a case from its row in the queue, nil where the member may not.
func (sc Scene) ClaimInRow(rights Rights, claim ui.Path, row ui.Target) *ui.ButtonView {
	if !rights[Claim].OK {
		return nil
	}
	return &ui.ButtonView{Label: sc.T("case.claim"), Size: ui.Tiny, HX: ui.HX{Post: claim, Target: row, Swap: ui.SwapWhole}}
}

// Screening is what is known of where coins come from, or go: nobody is asked yet, which is said and never taken for a pass.
func (sc Scene) Screening() ui.Fact {
	return ui.Fact{Label: sc.T("case.fact.screening"), Value: sc.T("case.screening.none"), Note: sc.T("case.screening.none.note"), Tone: ui.ToneWarning}
}

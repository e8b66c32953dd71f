package adjustdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/templates/ui"
)

// row is an adjustment's row in the queue.
func (pc pageContext) row(a adjustment.Adjustment) ui.QueueRowView {
	path := address(a.ID)
	return ui.QueueRowView{
		ID: key(a.ID), Title: a.Number(), Sub: decimal(a.TraderID), Href: path.String(), HX: ui.OpenDetail(path), Text: amount(a), Strong: true, State: pc.chip(a), Due: pc.due(a),
		Note: pc.reason(a.Reason) + " · " + a.Reference, People: pc.people(a),
	}
}

// due is how long the adjustment has waited, or when it ended.
func (pc pageContext) due(a adjustment.Adjustment) *ui.DueView {
	if !a.Undecided() {
		return &ui.DueView{Text: pc.at(*a.DecidedAt()), NoIcon: true}
	}
	due := ui.Waiting(pc.ctx, a.RequestedAt, pc.now, adjustment.Target)
	return &due
}

// looks are the chips of the states.
var looks = map[approval.State]ui.ChipView{
	approval.Requested: {Icon: ui.IconClock},
	approval.Confirmed: {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	approval.Applied:   {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	approval.Refused:   {Tone: ui.ToneError, Icon: ui.IconClose},
	approval.Withdrawn: {Icon: ui.IconUndo},
	approval.Expired:   {Icon: ui.IconClock},
}

func (pc pageContext) chip(a adjustment.Adjustment) *ui.ChipView {
	chip := looks[a.State]
	chip.Label = pc.t("adjustment.chip." + string(a.State))
	return &chip
}

// three reports whether the lead's approval is needed, or was.
func (pc pageContext) three(a adjustment.Adjustment) bool {
	return a.ThirdBy != nil || a.Undecided() && (a.People == 3 || a.Size() > pc.above)
}

// people are the circles of an adjustment: who asked, who confirmed, and who may confirm next.
func (pc pageContext) people(a adjustment.Adjustment) []ui.Person {
	done := func(id *int64) ui.Person {
		name := pc.name(id)
		return ui.Person{State: ui.PersonApproved, Initials: desk.Initials(name), Words: pc.t("case.person.approved", "name", name)}
	}
	circle := func(who *int64, d decision) ui.Person {
		switch {
		case who != nil:
			return done(who)
		case a.State != d.step:
			return ui.Person{State: ui.PersonOpen, Words: pc.t("case.person.open")}
		}
		if why := pc.whyLocked(d, a); why != "" {
			return ui.Person{State: ui.PersonLocked, Words: pc.t("case.person.locked", "why", why)}
		}
		return ui.Person{State: ui.PersonYou, Words: pc.t("case.person.you")}
	}
	people := []ui.Person{done(&a.RequestedBy)}
	if !a.Undecided() && a.SecondBy == nil {
		return people
	}
	people = append(people, circle(a.SecondBy, confirmation))
	if pc.three(a) {
		people = append(people, circle(a.ThirdBy, third))
	}
	return people
}

// whyLocked is why the member may not take a step; empty if they may.
func (pc pageContext) whyLocked(d decision, a adjustment.Adjustment) string {
	switch {
	case !pc.r.May(d.permission) && d.permission == access.AdjustmentLead:
		return pc.t("adjustment.role_lead")
	case !pc.r.May(d.permission):
		return pc.t("adjustment.role_checker")
	case a.Decided(pc.r.Member.ID):
		return pc.r.Text(approval.ErrSamePerson)
	case pc.conflicts[a.TraderID] != nil:
		return pc.r.Text(pc.conflicts[a.TraderID])
	default:
		return ""
	}
}

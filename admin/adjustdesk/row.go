package adjustdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/templates/ui"
)

// row is an adjustment in the queue.
func (sc scene) row(a adjustment.Adjustment) ui.QueueRowView {
	path := address(a.ID)
	return ui.QueueRowView{
		ID: key(a.ID), Title: a.Number(), Sub: decimal(a.TraderID), Href: path.String(), HX: ui.OpenDetail(path), Text: amount(a), Strong: true, State: sc.chip(a), Due: sc.due(a),
		Note: sc.reason(a.Reason) + " · " + a.Reference, People: sc.people(a),
	}
}

// due is how long it has waited, or when it ended.
func (sc scene) due(a adjustment.Adjustment) *ui.DueView {
	if a.DecidedAt != nil {
		return &ui.DueView{Text: sc.at(*a.DecidedAt), NoIcon: true}
	}
	due := ui.Waiting(sc.ctx, a.CreatedAt, sc.now, adjustment.Target)
	return &due
}

// looks are the chips of the states.
var looks = map[adjustment.State]ui.ChipView{
	adjustment.Asked:     {Icon: ui.IconClock},
	adjustment.Confirmed: {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	adjustment.Posted:    {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	adjustment.Refused:   {Tone: ui.ToneError, Icon: ui.IconClose},
	adjustment.Withdrawn: {Icon: ui.IconUndo},
}

func (sc scene) chip(a adjustment.Adjustment) *ui.ChipView {
	chip := looks[a.State]
	chip.Label = sc.t("adjustment.chip." + string(a.State))
	return &chip
}

// three tells whether the lead is needed, or was.
func (sc scene) three(a adjustment.Adjustment) bool {
	return a.LeadID != nil || a.State == adjustment.Confirmed || a.State == adjustment.Asked && a.Size() > sc.above
}

// people are the circles of an adjustment: who asked, who confirmed, and who may.
func (sc scene) people(a adjustment.Adjustment) []ui.Person {
	done := func(id *int64) ui.Person {
		name := sc.name(id)
		return ui.Person{State: ui.PersonApproved, Initials: desk.Initials(name), Words: sc.t("case.person.approved", "name", name)}
	}
	circle := func(who *int64, d decision) ui.Person {
		switch {
		case who != nil:
			return done(who)
		case a.State != d.step:
			return ui.Person{State: ui.PersonOpen, Words: sc.t("case.person.open")}
		}
		if why := sc.unable(d, a); why != "" {
			return ui.Person{State: ui.PersonLocked, Words: sc.t("case.person.locked", "why", why)}
		}
		return ui.Person{State: ui.PersonYou, Words: sc.t("case.person.you")}
	}
	people := []ui.Person{done(&a.MakerID)}
	if a.DecidedAt != nil && a.CheckerID == nil {
		return people
	}
	people = append(people, circle(a.CheckerID, confirmation))
	if sc.three(a) {
		people = append(people, circle(a.LeadID, third))
	}
	return people
}

// unable is why the member may not do a step; empty for one who may.
func (sc scene) unable(d decision, a adjustment.Adjustment) string {
	switch {
	case !sc.r.May(d.permission) && d.permission == access.AdjustmentLead:
		return sc.t("adjustment.role_lead")
	case !sc.r.May(d.permission):
		return sc.t("adjustment.role_checker")
	case a.Decided(sc.r.Member.ID):
		return sc.r.Text(adjustment.ErrSelf)
	case sc.conflicts[a.TraderID] != nil:
		return sc.r.Text(sc.conflicts[a.TraderID])
	default:
		return ""
	}
}

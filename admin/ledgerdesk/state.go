package ledgerdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/reconciliation"
	"candor/templates/ledgerview"
	"candor/templates/ui"
)

// state shows whether withdrawals go out, and what is missing when they don't.
func state(r *desk.Request, stops []reconciliation.Stop, last []reconciliation.Result, names map[int64]string) ledgerview.State {
	if stop, living := first(r, stops); living {
		return stopped(r, stop, last, names)
	}
	view := ledgerview.State{Alert: ui.AlertView{Tone: ui.ToneSuccess, Title: word(r, "reconciliation.goes_out"), Text: word(r, "reconciliation.never")}}
	if len(last) > 0 {
		view.Alert.Text = word(r, "reconciliation.last_right", "at", at(r, last[0].At))
	}
	return view
}

// first is the stop that the page shows: one by a reconciliation before one by a person.
func first(r *desk.Request, stops []reconciliation.Stop) (stop reconciliation.Stop, living bool) {
	for _, one := range stops {
		if one.Lives(r.Now()) && (!living || one.FoundID != nil) {
			stop, living = one, true
		}
	}
	return stop, living
}

func stopped(r *desk.Request, stop reconciliation.Stop, last []reconciliation.Result, names map[int64]string) ledgerview.State {
	view := ledgerview.State{
		Alert: ui.AlertView{Tone: ui.ToneError, Icon: ui.IconPause, Title: word(r, "reconciliation.stopped"), Text: word(r, "reconciliation.stopped.text")},
		Facts: stopFacts(r, stop, names),
	}
	if stop.StoppedBy != nil {
		view.Alert.Text = word(r, "reconciliation.stopped.person", "name", names[*stop.StoppedBy])
		view.People, view.Buttons = people(r, stop, names), buttons(r, stop, true)
		return view
	}
	proved := len(last) > 0 && last[0].Wrong == nil
	proof := ui.Fact{Label: word(r, "reconciliation.fact.since_then"), Value: word(r, "reconciliation.still_wrong"), Tone: ui.ToneError}
	if proved {
		proof.Value, proof.Tone = word(r, "reconciliation.last_right", "at", at(r, last[0].At)), ui.ToneSuccess
	}
	view.Facts = append(view.Facts, proof)
	view.People, view.Buttons = people(r, stop, names), buttons(r, stop, proved)
	return view
}

func stopFacts(r *desk.Request, stop reconciliation.Stop, names map[int64]string) []ui.Fact {
	facts := []ui.Fact{
		{Label: word(r, "reconciliation.fact.since"), Value: at(r, stop.At), Note: ui.Age(ctxOf(r), r.Now().Sub(stop.At)), Strong: true},
	}
	if stop.StoppedBy != nil {
		facts = append(facts,
			ui.Fact{Label: word(r, "reconciliation.fact.who"), Value: names[*stop.StoppedBy]},
			ui.Fact{Label: word(r, "reconciliation.fact.why"), Value: stop.Reason},
			ui.Fact{Label: word(r, "reconciliation.fact.until"), Value: at(r, *stop.UntilAt)})
	} else {
		facts = append(facts,
			ui.Fact{Label: word(r, "reconciliation.fact.row"), Value: stop.Wrong.Table + " " + stop.Wrong.Row, Ident: true},
			ui.Fact{Label: word(r, "reconciliation.fact.what"), Value: stop.Wrong.What})
	}
	if stop.AskedBy != nil && stop.AskedAt != nil {
		facts = append(facts, ui.Fact{Label: word(r, "reconciliation.fact.asked"), Value: names[*stop.AskedBy], Note: at(r, *stop.AskedAt)})
	}
	return facts
}

// people are the two circles of a stop's end: the person who asked, and the person who agrees.
func people(r *desk.Request, stop reconciliation.Stop, names map[int64]string) []ui.Person {
	first, second := ui.Person{State: ui.PersonOpen, Words: word(r, "case.person.open")}, ui.Person{State: ui.PersonOpen, Words: word(r, "case.person.open")}
	switch {
	case stop.AskedBy != nil:
		name := names[*stop.AskedBy]
		first = ui.Person{State: ui.PersonApproved, Initials: desk.Initials(name), Words: word(r, "reconciliation.person.asked", "name", name)}
	case r.May(access.WithdrawalHaltAskEnd):
		first = ui.Person{State: ui.PersonYou, Words: word(r, "case.person.you")}
	}
	if why := whyNotSecond(r, stop); stop.AskedBy != nil && why == "" {
		second = ui.Person{State: ui.PersonYou, Words: word(r, "case.person.you")}
	} else if stop.AskedBy != nil {
		second = ui.Person{State: ui.PersonLocked, Words: word(r, "case.person.locked", "why", why)}
	}
	return []ui.Person{first, second}
}

// whyNotSecond is the reason why the member can't be the second person; empty if they can.
func whyNotSecond(r *desk.Request, stop reconciliation.Stop) string {
	switch {
	case !r.May(access.WithdrawalHaltEnd):
		return word(r, "reconciliation.no_end")
	case stop.AskedBy == nil:
		return r.Text(reconciliation.ErrUnasked)
	case *stop.AskedBy == r.Member.ID:
		return r.Text(reconciliation.ErrSelf)
	default:
		return ""
	}
}

// buttons are the two acts: locked with the reason where the service would refuse them.
func buttons(r *desk.Request, stop reconciliation.Stop, proved bool) (out []ui.ButtonView) {
	add := func(a act, kind ui.ButtonKind, why string) {
		if !proved {
			why = r.Text(reconciliation.ErrWrong)
		}
		out = append(out, ui.ButtonView{Label: word(r, "reconciliation."+a.name), Kind: kind, HX: ui.OpenDialog(a.address(stop.ID)), Locked: why != "", Why: why})
	}
	if r.May(access.WithdrawalHaltAskEnd) && (stop.AskedBy == nil || whyNotSecond(r, stop) != "" && *stop.AskedBy != r.Member.ID) {
		add(asking, ui.Plain, "")
	}
	if stop.AskedBy != nil && r.May(access.WithdrawalHaltAskEnd) {
		add(ending, ui.Primary, whyNotSecond(r, stop))
	}
	return out
}

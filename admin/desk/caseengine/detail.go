package caseengine

import (
	"candor/admin/desk"
	"candor/templates/caseview"
	"candor/templates/ui"
	"cmp"
)

// detail shows one case: only its pane for an opened row, else the whole page.
func (d Desk[C, T]) detail(r *desk.Request) error {
	cc, err := d.Named(r)
	if err != nil {
		return err
	}
	view, err := d.view(cc)
	if err != nil {
		return err
	}
	return d.show(r, Opened[T]{Item: d.Item(cc), Title: view.Number, Pane: caseview.Case(view)})
}

// view is everything that the pane of a case shows.
func (d Desk[C, T]) view(cc C) (view caseview.Detail, err error) {
	here, about := cc.Page(), cc.About()
	if view, err = d.Show(cc); err != nil {
		return view, err
	}
	entries, _, err := d.Audit.List(here.Ctx, about.Entries())
	if err != nil {
		return view, err
	}
	view.Key, view.Number, view.Back, view.Zone = about.Key(), about.Number, about.Home, here.Zoned()
	view.Head.Chips = append(view.Head.Chips, here.ClaimChips(about.Claim)...)
	view.Foot.Buttons = d.buttons(cc)
	for i, e := range entries {
		if again := i > 0 && d.isReadOnly(e) && d.isReadOnly(entries[i-1]) && e.ActorID == entries[i-1].ActorID && e.Action == entries[i-1].Action; !again {
			view.History = append(view.History, d.History(cc, e))
		}
	}
	return view, nil
}

// buttons are those of the acts that the case offers, locked with the reason where the member may not: other buttons, then the claim, then the way forward.
func (d Desk[C, T]) buttons(cc C) (out []ui.ButtonView) {
	here, about := cc.Page(), cc.About()
	var forward []ui.ButtonView
	if d.Extra != nil {
		for _, b := range d.Extra(cc) {
			if b.Kind == ui.Primary {
				forward = append(forward, b)
			} else {
				out = append(out, b)
			}
		}
	}
	for _, act := range d.Actions {
		v := cc.Right(act.Noun)
		if !v.Offered() {
			continue
		}
		kind := act.Kind
		if kind == ui.Primary && !act.Forward {
			kind = ui.Plain
		}
		b := here.Button(v, about.Claim, ui.ButtonView{Label: here.T(cmp.Or(act.Texts, d.Texts) + "." + act.Verb + ".open"), Kind: kind, Key: act.Key, HX: ui.OpenDialog(about.Below(act.Noun))})
		if act.Forward {
			forward = append(forward, b)
		} else {
			out = append(out, b)
		}
	}
	if d.Claim != nil {
		out = append(out, here.ClaimButtons(cc)...)
	}
	return append(out, forward...)
}

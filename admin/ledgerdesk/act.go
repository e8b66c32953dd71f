package ledgerdesk

import (
	"context"
	"net/http"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/reconciliation"
	"candor/templates/ledgerview"
	"candor/templates/ui"
)

// act is one of the two steps that end a stop.
type act struct {
	name string // in the keys of its texts
	path string
	do   func(b *reconciliation.Service, ctx context.Context, by audit.Actor, id int64) error
}

// The acts.
var (
	asking = act{"ask", "request", (*reconciliation.Service).AskEnd}
	ending = act{"end", "end", (*reconciliation.Service).Lift}
)

func (a act) address(id int64) ui.Path { return ui.To(home+"/stops/{}/"+a.path, id) }

// open shows the dialog of an act: the failure, and what follows.
func (s Services) open(a act) func(*desk.Request) error {
	return func(r *desk.Request) error {
		id, err := r.ID("id")
		if err != nil {
			return err
		}
		if !r.Partial() {
			return r.RedirectTo(home)
		}
		stop, err := s.Books.Find(ctxOf(r), id)
		if err != nil {
			return err
		}
		names, err := s.names(r, []reconciliation.Stop{stop})
		if err != nil {
			return err
		}
		facts := append(stopFacts(r, stop, names), ui.Fact{Label: word(r, "staff.then"), Value: word(r, "reconciliation."+a.name+".then")})
		return r.Dialog(http.StatusOK, ui.Dialog(ui.DialogView{
			Title: word(r, "reconciliation."+a.name+".title"),
			Form:  ui.FormView{Post: a.address(id), Target: ui.At("books"), Swap: ui.SwapInside},
			Facts: ui.Facts(ui.FactsView{Wide: true, Items: facts}), Calm: true,
			Act: ui.ButtonView{Label: word(r, "reconciliation."+a.name+".act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		}))
	}
}

// do runs the act that the dialog posted.
func (s Services) do(a act) func(*desk.Request) error {
	return func(r *desk.Request) error {
		id, err := r.ID("id")
		if err != nil {
			return err
		}
		if err := a.do(s.Books, ctxOf(r), r.Actor(), id); err != nil {
			return err
		}
		return s.done(r, word(r, "reconciliation."+a.name+".done"))
	}
}

// run starts a reconciliation now.
func (s Services) run(r *desk.Request) error {
	found, err := s.Books.RunFor(ctxOf(r), r.Actor())
	if err != nil {
		return err
	}
	if found.Wrong != nil {
		return s.done(r, word(r, "reconciliation.run.wrong", "table", found.Wrong.Table, "row", found.Wrong.Row))
	}
	return s.done(r, word(r, "reconciliation.run.right", "proved", found.Proved, "count", found.Took.Milliseconds()))
}

// done answers an act with the current page.
func (s Services) done(r *desk.Request, flash string) error {
	view, err := s.books(r)
	if err != nil {
		return err
	}
	return r.Show(ledgerview.Done(view, r.Count(navItem), flash))
}

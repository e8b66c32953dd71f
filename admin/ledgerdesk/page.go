package ledgerdesk

import (
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/reconciliation"
	"candor/templates/ledgerview"
	"candor/templates/ui"
)

const (
	runsOfPage  = 30
	stopsOfPage = 10
)

func (s Services) page(r *desk.Request) error {
	view, err := s.books(r)
	if err != nil {
		return err
	}
	return r.Show(ledgerview.Show(r.Page(word(r, "nav.reconciliation"), navItem), view))
}

// books reads everything that the page shows.
func (s Services) books(r *desk.Request) (view ledgerview.Reconciliation, err error) {
	before := cursor(r)
	runs, err := s.Books.List(ctxOf(r), before, runsOfPage+1)
	if err != nil {
		return view, err
	}
	last, err := s.Books.List(ctxOf(r), 0, 1)
	if err != nil {
		return view, err
	}
	stops, err := s.Books.Stops(ctxOf(r), stopsOfPage)
	if err != nil {
		return view, err
	}
	names, err := s.names(r, stops)
	if err != nil {
		return view, err
	}
	view = ledgerview.Reconciliation{Zone: r.ZoneNote(), Prove: proveButton(r), Halt: stopButton(r, stops), State: state(r, stops, last, names)}
	if view.Clients, view.Outside, err = s.outside(r); err != nil {
		return view, err
	}
	if before != 0 {
		view.Newest = home
	}
	if len(runs) > runsOfPage {
		runs = runs[:runsOfPage]
		view.Older = home + "?before=" + strconv.FormatInt(runs[runsOfPage-1].ID, 10)
	}
	for _, run := range runs {
		view.Runs = append(view.Runs, runLine(r, run))
	}
	for _, stop := range stops {
		view.Halts = append(view.Halts, stopLine(r, stop, names))
	}
	return view, nil
}

// cursor is the run after which the page begins, from its address; 0 for the newest runs.
func cursor(r *desk.Request) int64 {
	id, err := strconv.ParseInt(r.QueryParam("before"), 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

func (s Services) names(r *desk.Request, stops []reconciliation.Stop) (map[int64]string, error) {
	var ids []int64
	for _, stop := range stops {
		for _, id := range []*int64{stop.StoppedBy, stop.AskedBy, stop.EndedBy} {
			if id != nil {
				ids = append(ids, *id)
			}
		}
	}
	return s.Staff.Names(ctxOf(r), ids)
}

func proveButton(r *desk.Request) *ui.ButtonView {
	if !r.May(access.ReconciliationRun) {
		return nil
	}
	return &ui.ButtonView{
		Label: word(r, "reconciliation.prove"), Icon: ui.IconShieldCheck, Size: ui.Small, Money: true, Busy: word(r, "reconciliation.proving"),
		HX: ui.HX{Post: ui.To(home + "/runs"), Target: ui.At("books"), Swap: ui.SwapInside},
	}
}

// stopButton stops all withdrawals; it is nil while a person's stop is in force.
func stopButton(r *desk.Request, stops []reconciliation.Stop) *ui.ButtonView {
	for _, stop := range stops {
		if stop.StoppedBy != nil && stop.Lives(r.Now()) {
			return nil
		}
	}
	if !r.May(access.WithdrawalHaltStart) {
		return nil
	}
	return &ui.ButtonView{Label: word(r, "reconciliation.make"), Icon: ui.IconPause, Size: ui.Small, Kind: ui.Danger, HX: ui.OpenDialog(ui.To(home + "/stops/new"))}
}

// resultChip is the chip with a run's result.
func resultChip(r *desk.Request, run reconciliation.Result) ui.ChipView {
	if run.Wrong != nil {
		return ui.ChipView{Tone: ui.ToneError, Icon: ui.IconWarning, Label: word(r, "reconciliation.wrong")}
	}
	return ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: word(r, "reconciliation.right")}
}

func runLine(r *desk.Request, run reconciliation.Result) ledgerview.Run {
	line := ledgerview.Run{
		Number: strconv.FormatInt(run.ID, 10), Time: ui.ToSecond(ctxOf(r), run.At, r.Zone()), UTC: ui.Stamp(run.At), Result: resultChip(r, run),
		Took: word(r, "reconciliation.ms", "count", run.Took.Milliseconds()), Proved: ui.Decimal(strconv.FormatInt(run.Proved, 10)),
	}
	if run.Wrong != nil {
		line.Proved, line.Found = "", word(r, "reconciliation.found", "table", run.Wrong.Table, "row", run.Wrong.Row, "what", run.Wrong.What)
	}
	return line
}

func stopLine(r *desk.Request, stop reconciliation.Stop, names map[int64]string) ledgerview.Halt {
	line := ledgerview.Halt{
		Since: at(r, stop.At), UTC: ui.Stamp(stop.At), Found: cause(r, stop, names),
		State: ui.ChipView{Tone: ui.ToneError, Icon: ui.IconPause, Label: word(r, "reconciliation.stop.living")},
	}
	if stop.AskedBy != nil {
		line.Asked = names[*stop.AskedBy]
	}
	if stop.EndedBy != nil && stop.EndedAt != nil {
		line.Ended, line.EndedUTC, line.By = at(r, *stop.EndedAt), ui.Stamp(*stop.EndedAt), names[*stop.EndedBy]
		line.State = ui.ChipView{Icon: ui.IconCheck, Label: word(r, "reconciliation.stop.ended")}
	} else if stop.UntilAt != nil && !stop.Lives(r.Now()) {
		line.Ended, line.EndedUTC = at(r, *stop.UntilAt), ui.Stamp(*stop.UntilAt)
		line.State = ui.ChipView{Icon: ui.IconCheck, Label: word(r, "reconciliation.stop.over")}
	}
	return line
}

// cause is the failure that a reconciliation found, or a person's reason for the stop.
func cause(r *desk.Request, stop reconciliation.Stop, names map[int64]string) string {
	if stop.StoppedBy != nil {
		return word(r, "reconciliation.by", "name", names[*stop.StoppedBy], "reason", stop.Reason)
	}
	return word(r, "reconciliation.found", "table", stop.Wrong.Table, "row", stop.Wrong.Row, "what", stop.Wrong.What)
}

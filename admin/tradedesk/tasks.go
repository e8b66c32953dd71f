package tradedesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/task"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// tasks lists the tasks that concern a trader and that the member may read.
func (s Services) tasks(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	list, err := s.Tasks.OfTrader(sub.ctx, task.Reader{Actor: r.Actor(), All: r.May(access.TaskAll)}, sub.trader.ID, 0, pageSize)
	if err != nil {
		return err
	}
	var people []int64
	for _, t := range list {
		for _, id := range t.Everybody() {
			if id != nil {
				people = append(people, *id)
			}
		}
	}
	names, err := s.Staff.Names(sub.ctx, people)
	if err != nil {
		return err
	}
	card := tradeview.Card{
		Title: sub.t("trader.tasks"),
		Table: ui.GridView{Caption: sub.t("trader.tasks"), Empty: sub.t("trader.tasks.none"), Columns: sub.columns("task", "todo", "for", "asker", "#due", "state", "outcome")},
	}
	for _, t := range list {
		card.Table.Rows = append(card.Table.Rows, sub.taskRow(t, names))
	}
	var acts []ui.ButtonView
	if r.May(access.TaskAsk) {
		acts = append(acts, ui.ButtonView{Label: sub.t("task.ask.open"), Icon: ui.IconPlus, Size: ui.Small, Key: "N", HX: ui.OpenDialog(sub.path("task"))})
	}
	return s.showTab(r, sub, "tasks", tradeview.Tab{Line: sub.t("trader.tasks.line"), Acts: acts, Cards: []tradeview.Card{card}})
}

func (sub subject) taskRow(t task.Task, names map[int64]string) ui.GridRow {
	whom := ""
	if t.Team != nil {
		whom = sub.t("task.team." + string(*t.Team))
	} else {
		whom = names[*t.AssigneeID]
	}
	due := sub.when(t.DueAt)
	if t.Late(sub.now) {
		due.Chips = []ui.ChipView{{Tone: ui.ToneError, Icon: ui.IconClock, Label: sub.t("task.late", "at", due.Text)}}
		due.Text = ""
	}
	state := ui.ChipView{Icon: ui.IconClock, Label: sub.t("task.state."+string(t.State), "name", takenBy(t, names))}
	if t.State == task.Done {
		state.Tone, state.Icon = ui.ToneSuccess, ui.IconCheck
	}
	return ui.GridRow{Cells: []ui.Cell{
		{Text: t.Number(), Ident: true, Strong: true, Href: ui.To("/admin/tasks/{}", t.ID).String()}, {Text: t.Title, Wrap: true}, {Text: whom}, {Text: names[t.AskedBy]}, due,
		{Chips: []ui.ChipView{state}}, {Text: t.Outcome, Wrap: true},
	}}
}

func takenBy(t task.Task, names map[int64]string) string {
	if t.TakenBy == nil {
		return ""
	}
	return names[*t.TakenBy]
}

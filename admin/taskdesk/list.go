package taskdesk

import (
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/staff/member"
	"candor/app/task"
	"candor/templates/ui"
)

// groups are the tabs' parts of the list, by the names of the tabs.
var groups = map[string]task.Group{"": task.ForMe, "team": task.ForTeams, "asked": task.Asked, "open": task.AllOpen, "ended": task.AllEnded}

// late is the value of the filter for tasks past their deadline.
const late = "yes"

// list declares the list: what waits for the member first.
func (s Services) list() caseengine.List[task.Task] {
	return caseengine.List[task.Task]{
		Name: "tasks", Letters: "TK-", Target: "task", Texts: "task", Icon: ui.IconNote, View: access.TaskView, Audit: s.Audit, Order: "task.order",
		Tabs: []caseengine.Tab{
			{Label: "task.tab.me"}, {Name: "team", Label: "task.tab.team"}, {Name: "asked", Label: "task.tab.asked"}, {Name: "open", Label: "task.tab.open"},
			{Name: "ended", Label: "task.tab.ended", Over: true},
		},
		Filters: []caseengine.Filter{
			caseengine.OneOf("priority", task.Priorities, func(r *desk.Request, p task.Priority) string { return r.Word("task.priority." + string(p)) }),
			caseengine.OneOf("team", task.Teams, func(r *desk.Request, t task.Team) string { return r.Word("task.team." + string(t)) }),
			caseengine.OneOf("late", []string{late}, func(r *desk.Request, _ string) string { return r.Word("task.filter.late.yes") }).Only(func(tab string) bool { return tab != "ended" }),
			caseengine.Number("trader", caseengine.LastID),
		},
		CountsOf: s.counts, Hears: s.hears, Find: s.find, Rows: s.rows, ID: func(t task.Task) int64 { return t.ID }, Buttons: s.headButtons,
		Keys: []ui.KeyHint{{Keys: []string{"C"}, Label: "task.take.open"}},
	}
}

func (s Services) counts(r *desk.Request) (map[string]int64, error) {
	n, err := s.Tasks.Count(ctxOf(r), reader(r))
	return map[string]int64{"": n.Me, "team": n.Teams, "asked": n.Asked}, err
}

// hears lets only pages hear of a task whose members may read it.
func (s Services) hears(r *desk.Request, id string) bool {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return false
	}
	_, err = s.Tasks.Read(ctxOf(r), reader(r), n)
	return err == nil
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []task.Task, next caseengine.Cursor, err error) {
	q := task.Search{
		Group: groups[sel.Tab()], Priority: task.Priority(sel.Value("priority")), Team: task.Team(sel.Value("team")), TraderID: sel.Number("trader"), Late: sel.Value("late") == late,
	}
	list, err = s.Tasks.List(ctxOf(r), reader(r), q, task.Place{DueAt: after.At, ID: after.ID}, limit+1)
	if len(list) > limit {
		list = list[:limit]
		next = caseengine.Cursor{At: list[limit-1].DueAt, ID: list[limit-1].ID}
	}
	return list, next, err
}

// rows shows tasks: what to do, for whom, and until when.
func (s Services) rows(r *desk.Request, list []task.Task) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, everybody(list)...)
	if err != nil {
		return nil, err
	}
	withheld, err := r.Withheld(tradersOf(list)...)
	rows := make([]caseengine.Row, len(list))
	for i, t := range list {
		chip := pc.chip(t)
		about, _ := pc.about(t.Subject)
		row := ui.QueueRowView{
			Title: t.Number(), Sub: pc.addressee(t), Text: t.Title, Strong: true, State: &chip, Due: pc.due(t),
			Note: pc.T("task.row", "subject", about, "name", pc.Name(&t.AskedBy)),
		}
		if withheld[member.ID(t.TraderID)] {
			row.Text = pc.T("account_closed.withheld")
		}
		if flag := pc.flag(t); flag != nil {
			row.Flags = []ui.ChipView{*flag}
		}
		rows[i] = caseengine.Row{QueueRowView: row}
	}
	return rows, err
}

// tradersOf are the traders whom tasks concern; 0 for nobody.
func tradersOf(list []task.Task) []int64 {
	ids := make([]int64, len(list))
	for i, t := range list {
		ids[i] = member.ID(t.TraderID)
	}
	return ids
}

// headButtons are the mentions of the member, and a new task.
func (s Services) headButtons(r *desk.Request) []ui.ButtonView {
	label := r.Word("mention.title")
	if n, err := s.Tasks.Count(ctxOf(r), reader(r)); err == nil && n.Unread > 0 { // without the count the button is still there
		label = r.Word("mention.unread", "count", n.Unread)
	}
	out := []ui.ButtonView{{Label: label, Icon: ui.IconBell, Size: ui.Small, Key: "M", Href: ui.To("/admin/mentions").String()}}
	if r.May(access.TaskAsk) {
		out = append(out, ui.ButtonView{Label: r.Word("task.ask.open"), Icon: ui.IconPlus, Size: ui.Small, Key: "N", HX: ui.OpenDialog(ui.To("/admin/tasks/request"))})
	}
	return out
}

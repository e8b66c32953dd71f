package taskdesk

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/platform/errs"
	"candor/app/staff/member"
	"candor/app/task"
	"candor/templates/caseview"
	"candor/templates/taskview"
	"candor/templates/ui"
)

// from is where a task is asked for: the page gives the subject, or it is typed.
type from string

const (
	typed          from = "typed"
	ofConversation from = "conversation"
	ofTrader       from = "trader"
)

// momentLayout is how browsers send a date with a time.
const momentLayout = "2006-01-02T15:04"

// usual is the deadline that the form suggests.
const usual = 24 * time.Hour

// subject reads what the task is about, for a member who may open it; the zero value while nothing is typed. It returns task.ErrAbout for anything else.
func (s Services) subject(r *desk.Request, where from) (about task.Subject, err error) {
	switch where {
	case typed:
		about = parse(r.PostFormValue("about"))
	case ofConversation:
		about.SubjectKind = task.Conversation
	case ofTrader:
		about.SubjectKind = task.Trader
	}
	if where != typed {
		if about.SubjectID, err = r.ID("id"); err != nil {
			return about, err
		}
	}
	owner := s.Owners[about.SubjectKind]
	if owner == nil || !r.May(subjectOf(about.SubjectKind).sees) {
		return task.Subject{}, task.ErrAbout
	}
	about.TraderID, err = owner(ctxOf(r), about.SubjectID)
	if refusal := errs.As(err); where == typed && refusal != nil && refusal.Kind == errs.NotFound {
		return task.Subject{}, task.ErrAbout
	}
	return about, err
}

// parse reads a subject as staff type it: the number of a case with its letters, or of a trader.
func parse(text string) (about task.Subject) {
	text = strings.ToUpper(strings.TrimSpace(text))
	for _, s := range subjects {
		if s.letters == "" || !strings.HasPrefix(text, s.letters) {
			continue
		}
		return task.Subject{SubjectKind: s.kind, SubjectID: caseengine.Numbered(text, s.letters)}
	}
	if id := caseengine.Numbered(text, ""); id != 0 {
		return task.Subject{SubjectKind: task.Trader, SubjectID: id}
	}
	return about
}

// openForm answers with an empty form.
func (s Services) openForm(where from) func(*desk.Request) error {
	return func(r *desk.Request) error {
		if where != typed {
			if _, err := s.subject(r, where); err != nil {
				return err
			}
		}
		if !r.Partial() {
			return r.RedirectTo(back(r, where))
		}
		values := map[string]string{"key": rand.Text(), "due": r.Now().Add(usual).In(r.Zone()).Format(momentLayout), "priority": string(task.Normal)}
		return s.showForm(r, http.StatusOK, where, values, nil)
	}
}

// back is the page that a task was asked for on.
func back(r *desk.Request, where from) string {
	switch where {
	case ofConversation:
		return ui.To("/admin/chat/{}", r.Param("id")).String()
	case ofTrader:
		return ui.To("/admin/traders/{}/tasks", r.Param("id")).String()
	case typed:
	}
	return home.String()
}

// ask hands over the posted work.
func (s Services) ask(where from) func(*desk.Request) error {
	return func(r *desk.Request) error {
		values := map[string]string{}
		for _, name := range []string{"key", "title", "note", "for", "priority", "due", "about"} {
			values[name] = plain(r.PostFormValue(name))
		}
		made, err := s.asked(r, where, values)
		if refusal := errs.As(err); refusal != nil && len(refusal.Fields) > 0 {
			return s.showForm(r, http.StatusUnprocessableEntity, where, values, r.FieldTexts(err))
		}
		if err != nil {
			return err
		}
		switch where {
		case ofConversation:
			return s.showCard(r, made.SubjectID, r.Word("task.ask.done", "number", made.Number()))
		case ofTrader:
			return r.RedirectTo(back(r, where))
		case typed:
		}
		return r.RedirectTo(ui.To("/admin/tasks/{}", made.ID).String())
	}
}

func (s Services) asked(r *desk.Request, where from, values map[string]string) (task.Task, error) {
	about, err := s.subject(r, where)
	if err != nil {
		return task.Task{}, err
	}
	request := task.Request{Title: values["title"], Note: values["note"], Subject: about, Priority: task.Priority(values["priority"]), Key: values["key"]}
	if request.DueAt, err = time.ParseInLocation(momentLayout, values["due"], r.Zone()); err != nil {
		return task.Task{}, task.ErrDue
	}
	if id, err := strconv.ParseInt(values["for"], 10, 64); err == nil {
		request.AssigneeID = id
	} else {
		request.Team = task.Team(values["for"])
	}
	return s.Tasks.Ask(ctxOf(r), r.Actor(), request)
}

// showForm is the dialog with the input and its errors.
func (s Services) showForm(r *desk.Request, status int, where from, values, problems map[string]string) error {
	people, err := r.Colleagues(access.TaskWork)
	if err != nil {
		return err
	}
	field := func(name string, f ui.FieldView) ui.FieldView {
		f.Name, f.Label, f.Value, f.Error = name, r.Word("task.field."+name), values[name], problems[name]
		return f
	}
	d := caseview.Dialog{Frame: ui.DialogView{
		ID: "task-request", Title: r.Word("task.ask.title"), Note: r.Word("task.ask.note"),
		Form: ui.FormView{Post: ui.To(r.Request().URL.Path), Target: ui.TargetDialog, Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "key", Value: values["key"]}}},
		Act:  ui.ButtonView{Label: r.Word("task.ask.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
	}}
	if where == typed {
		d.Fields = append(d.Fields, field("about", ui.FieldView{Hint: r.Word("task.field.about.hint"), MaxLength: 20, Required: true}))
	}
	if problems["key"] != "" {
		problems["title"] = problems["key"]
	}
	d.Fields = append(d.Fields,
		field("title", ui.FieldView{MaxLength: task.LongestTitle, Required: true}),
		field("note", ui.FieldView{StaffOnly: true, Rows: 3, MaxLength: task.LongestText}),
		field("for", ui.FieldView{Required: true, Options: addressees(r, people, values["for"])}),
		field("due", ui.FieldView{Type: "datetime-local", Hint: r.ZoneNote(), Required: true}),
		field("priority", ui.FieldView{Options: priorities(r, values["priority"])}),
	)
	return r.Dialog(status, caseview.Decide(d))
}

// addressees are the teams, and the colleagues who work on tasks.
func addressees(r *desk.Request, people []member.Member, chosen string) []ui.Option {
	options := []ui.Option{{Label: r.Word("task.field.for.choose")}}
	for _, team := range task.Teams {
		options = append(options, ui.Option{Value: string(team), Label: r.Word("task.team." + string(team)), Selected: chosen == string(team)})
	}
	for _, p := range people {
		options = append(options, ui.Option{Value: number(p.ID), Label: p.Name, Selected: chosen == number(p.ID)})
	}
	return options
}

func priorities(r *desk.Request, chosen string) (options []ui.Option) {
	for _, p := range task.Priorities {
		options = append(options, ui.Option{Value: string(p), Label: r.Word("task.priority." + string(p)), Selected: chosen == string(p)})
	}
	return options
}

// cardTasks is how many tasks the card of a conversation shows.
const cardTasks = 5

// card answers with the card of a conversation's tasks, for its place on the page.
func (s Services) card(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	return s.showCard(r, id, "")
}

func (s Services) showCard(r *desk.Request, id int64, flash string) error {
	list, err := s.Tasks.About(ctxOf(r), reader(r), task.Conversation, id, cardTasks)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b task.Task) int { // what is open first
		switch {
		case a.Ended() == b.Ended():
			return 0
		case a.Ended():
			return 1
		}
		return -1
	})
	pc, err := s.pageContext(r, everybody(list)...)
	if err != nil {
		return err
	}
	card := taskview.Card{Path: ui.To("/admin/chat/{}/tasks", id)}
	for _, t := range list {
		card.Tasks = append(card.Tasks, taskview.Task{
			Number: t.Number(), Href: ui.To("/admin/tasks/{}", t.ID), Title: t.Title, For: pc.addressee(t), Chip: pc.chip(t), Due: pc.due(t), Outcome: t.Outcome,
		})
	}
	return r.Show(taskview.ConversationCard(card), taskview.After(flash))
}

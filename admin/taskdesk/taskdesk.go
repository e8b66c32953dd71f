// Package taskdesk is where members of staff hand work to each other and find where colleagues name them. A task is read by who asked, by whom it is for and by
// the auditor; what it is about opens by the reader's own permissions.
package taskdesk

import (
	"context"
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/staff"
	"candor/app/staff/member"
	"candor/app/task"
	"candor/templates/ui"
)

// Owner reads the trader whom a subject concerns; nil for none. It returns an error of kind NotFound for no such subject.
type Owner func(ctx context.Context, id int64) (traderID *int64, err error)

// Services holds the dependencies of the desk.
type Services struct {
	Tasks  *task.Service
	Staff  *staff.Service
	Audit  *audit.Log
	Owners map[task.Kind]Owner
}

// home is the address of the list.
var home = ui.To("/admin/tasks")

// Routes lists the desk's routes.
func Routes(s Services) []desk.Route {
	get := func(path string, p access.Permission, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: http.MethodGet, Path: path, Permission: p, Handle: handle}
	}
	post := func(path string, p access.Permission, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: http.MethodPost, Path: path, Permission: p, Handle: handle}
	}
	card := get("/chat/:id/tasks", access.TaskView, s.card)
	card.Quiet = true
	return append(append(desk.Withholding(s.desk().Routes(), s.whose), s.mentions().Routes()...),
		get("/tasks/request", access.TaskAsk, s.openForm(typed)), post("/tasks/request", access.TaskAsk, s.ask(typed)),
		get("/chat/:id/task", access.TaskAsk, s.openForm(ofConversation)), post("/chat/:id/task", access.TaskAsk, s.ask(ofConversation)),
		get("/traders/:id/task", access.TaskAsk, s.openForm(ofTrader)), post("/traders/:id/task", access.TaskAsk, s.ask(ofTrader)),
		card,
		post("/tasks/:id/taking", access.TaskWork, s.take),
		get("/mentions/:id", access.TaskView, s.openMention),
		get("/colleagues/conversation", access.ChatAnswer, colleagues(access.ChatView)), get("/colleagues/trader", access.TraderNotes, colleagues(access.TraderNotes)),
	)
}

// whose is the trader whom the task concerns; 0 for nobody.
func (s Services) whose(r *desk.Request, id int64) (int64, error) {
	t, err := s.Tasks.Read(ctxOf(r), reader(r), id)
	return member.ID(t.TraderID), err
}

// desk declares the desk. Nobody claims a task for a quarter of an hour: whoever takes it keeps it.
func (s Services) desk() caseengine.Desk[caseContext, task.Task] {
	return caseengine.Desk[caseContext, task.Task]{
		List: s.list(), Read: s.read, Item: func(cc caseContext) task.Task { return cc.Task }, Show: show, History: caseContext.step, Actions: s.actions(), Extra: caseContext.taking,
		State: task.ErrState, Changed: task.ErrChanged,
	}
}

// Waiting counts what waits for the requesting member, their unread mentions included; desk.Config.OwnCounts takes it.
func Waiting(s *task.Service) func(*desk.Request) (desk.Waiting, error) {
	return func(r *desk.Request) (desk.Waiting, error) {
		n, err := s.Count(ctxOf(r), reader(r))
		return desk.Waiting{Count: n.Waiting + n.Unread, Late: n.Late}, err
	}
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

// reader is the member as a reader of tasks.
func reader(r *desk.Request) task.Reader {
	return task.Reader{Actor: r.Actor(), All: r.May(access.TaskAll)}
}

// take takes a task without a dialog: it moves nothing but the task.
func (s Services) take(r *desk.Request) error {
	d := s.desk()
	cc, err := d.Named(r)
	if err != nil {
		return err
	}
	if err = cc.Right(nounTake).Refusal(task.ErrState); err == nil {
		_, err = s.Tasks.Take(cc.Ctx, r.Actor(), cc.ID, cc.Version)
	}
	if err != nil {
		return d.Refuse(r, cc.ID, err)
	}
	return d.Done(r, cc, caseengine.NewFlash("task.take.done"))
}

package controldesk

import (
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/staff"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const (
	recentEntries = 8
	homeRequests  = 8
)

func (s Services) home(r *desk.Request) error {
	view := controlview.Home{Date: r.Now().In(r.Zone()).Format("Monday 2 January, 15:04"), Log: r.May(access.AuditView), HasRoles: len(r.Member.Roles) > 0}
	for _, q := range r.Queues() {
		view.Queues = append(view.Queues, queueLine(r, q))
	}
	if r.May(access.ProductView) {
		feeds := s.feeds(r)
		view.Feeds = &feeds
	}
	var err error
	if view.Alert, err = s.stopped(r); err != nil {
		return err
	}
	if r.May(access.StaffView) {
		if view.Requests, err = s.waitingRequests(r); err != nil {
			return err
		}
	}
	if r.May(access.ProductApprove) {
		changes, err := s.waitingChanges(r)
		if err != nil {
			return err
		}
		view.Requests = append(view.Requests, changes...)
	}
	if view.Log {
		if view.Recent, err = s.recent(r, audit.Filter{Limit: recentEntries}); err != nil {
			return err
		}
	}
	return r.Show(controlview.HomePage(r.Page(word(r, "nav.home"), "home"), view))
}

// stopped warns whoever works on money that none goes out.
func (s Services) stopped(r *desk.Request) (*ui.AlertView, error) {
	if s.Books == nil || !r.May(access.ReconciliationView) {
		return nil, nil
	}
	stop, stopped, err := s.Books.Living(ctxOf(r))
	if err != nil || !stopped {
		return nil, err
	}
	text := word(r, "home.stopped.text", "at", at(r, stop.At), "table", stop.Wrong.Table, "row", stop.Wrong.Row)
	if stop.StoppedBy != nil {
		text = word(r, "home.stopped.person", "at", at(r, stop.At), "reason", stop.Reason)
	}
	return &ui.AlertView{Tone: ui.ToneError, Icon: ui.IconPause, Title: word(r, "home.stopped"), Text: text}, nil
}

func queueLine(r *desk.Request, q desk.Queue) controlview.Queue {
	line := controlview.Queue{Icon: q.Icon, Label: q.Label, Href: q.Href, Count: strconv.FormatInt(q.Waiting.Count, 10)}
	if q.Waiting.Count > 0 && !q.Oldest.IsZero() {
		due := ui.Waiting(ctxOf(r), q.Oldest, r.Now(), q.Target)
		line.Oldest = &due
	}
	if q.Target > 0 {
		line.Target = ui.Age(ctxOf(r), q.Target)
	}
	return line
}

func (s Services) waitingRequests(r *desk.Request) ([]controlview.Request, error) {
	list, err := s.Staff.OpenRequests(ctxOf(r), homeRequests)
	out := make([]controlview.Request, len(list))
	for i, request := range list {
		out[i] = requestView(r, request)
		out[i].Title = word(r, "staff.request.for", "role", roleName(r, request.Role), "name", request.StaffName)
		out[i].Href = personPath(request.StaffID)
	}
	return out, err
}

// requestView shows who asked, who is missing, and why it may not be the member.
func requestView(r *desk.Request, request staff.RoleRequest) controlview.Request {
	asker := ui.Person{State: ui.PersonApproved, Initials: desk.Initials(request.RequesterName), Words: word(r, "staff.request.by", "name", request.RequesterName)}
	second := ui.Person{State: ui.PersonYou, Words: word(r, "staff.request.you")}
	view := controlview.Request{Note: word(r, "staff.request.note", "name", request.RequesterName, "age", ui.Age(ctxOf(r), r.Now().Sub(request.RequestedAt)))}
	switch err := request.MayDecide(r.Member.ID); {
	case !r.May(access.StaffApprove):
		view.Locked = word(r, "staff.request.no_power")
	case err != nil:
		view.Locked = r.Text(err)
	}
	if view.Locked != "" {
		second = ui.Person{State: ui.PersonLocked, Words: view.Locked}
	}
	view.People = []ui.Person{asker, second}
	return view
}

package controldesk

import (
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/notice"
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
	if view.Work, err = s.work(r); err != nil {
		return err
	}
	if view.Books, err = s.books(r); err != nil {
		return err
	}
	if view.Requests, err = s.waiting(r); err != nil {
		return err
	}
	if view.Log {
		if view.Recent, err = s.recent(r, audit.Filter{Limit: recentEntries}); err != nil {
			return err
		}
	}
	return r.Show(controlview.HomePage(r.Page(word(r, "nav.home"), "home"), view))
}

// stopped is the warning that withdrawals are stopped, for members who work on money.
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

// waiting lists the requests that need a second person, by kind, of the kinds that the member may see.
func (s Services) waiting(r *desk.Request) (out []controlview.Request, err error) {
	for _, kind := range []struct {
		works bool
		list  func(*desk.Request) ([]controlview.Request, error)
	}{
		{r.May(access.StaffView), s.waitingRequests},
		{r.May(access.ProductApprove), s.waitingChanges},
		{r.May(access.SwitchView), s.waitingSwitches},
		{r.May(access.ContentEdit) || r.May(access.ContentPublish), s.waitingContent},
	} {
		if !kind.works {
			continue
		}
		list, err := kind.list(r)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
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

// requestView shows who requested a role, who is still needed, and why the member may not decide.
func requestView(r *desk.Request, request staff.RoleRequest) controlview.Request {
	locked := ""
	switch err := request.MayDecide(r.Member.ID); {
	case !r.May(access.StaffApprove):
		locked = word(r, "staff.request.no_power")
	case err != nil:
		locked = r.Text(err)
	}
	return approvalRequest(r, request.RequesterName, request.RequestedAt, locked)
}

// approvalRequest shows who requested, since when the request waits, and who is still needed: the member, or another person if the member is locked out for a reason.
func approvalRequest(r *desk.Request, requester string, since time.Time, locked string) controlview.Request {
	second := ui.Person{State: ui.PersonYou, Words: word(r, "staff.request.you")}
	if locked != "" {
		second = ui.Person{State: ui.PersonLocked, Words: locked}
	}
	return controlview.Request{
		People: []ui.Person{{State: ui.PersonApproved, Initials: desk.Initials(requester), Words: word(r, "staff.request.by", "name", requester)}, second},
		Note:   word(r, "staff.request.note", "name", requester, "age", ui.Age(ctxOf(r), r.Now().Sub(since))), Locked: locked,
	}
}

// waitingSwitches are the changes of switches that wait for a second person, and the stops that have not been reviewed.
func (s Services) waitingSwitches(r *desk.Request) (out []controlview.Request, err error) {
	list, err := s.Switches.UnderWay(ctxOf(r))
	if err != nil {
		return nil, err
	}
	for _, change := range list {
		if change.State() != approval.Requested && !change.Unreviewed() {
			continue
		}
		locked := ""
		switch {
		case change.AuthorID == r.Member.ID:
			locked = r.Text(approval.ErrSamePerson)
		case !r.May(access.SwitchApprove):
			locked = word(r, "switch.no_approver")
		}
		since := change.CreatedAt
		if change.State() == approval.Requested {
			since = change.Request.RequestedAt
		}
		view := approvalRequest(r, change.AuthorName, since, locked)
		view.Title = word(r, "home.switch."+string(change.Kind), "number", change.Number(), "switch", word(r, "switch.name."+change.Key))
		if out = append(out, opened(r, view, ui.To("/admin/switches/{}", change.Key))); len(out) == homeRequests {
			break
		}
	}
	return out, nil
}

// waitingContent are the items that wait for a content publisher.
func (s Services) waitingContent(r *desk.Request) (out []controlview.Request, err error) {
	list, err := s.Notices.Items(ctxOf(r), "", notice.InReview)
	if err != nil {
		return nil, err
	}
	for _, item := range list[:min(len(list), homeRequests)] {
		locked := ""
		switch {
		case item.TookPart(r.Member.ID):
			locked = word(r, "content.second.mine")
		case !r.May(access.ContentPublish):
			locked = word(r, "content.second")
		}
		view := approvalRequest(r, item.AuthorName, item.Approval.RequestedAt, locked)
		view.Title = word(r, "home.content", "number", notice.Number(item.ItemID), "title", item.Title)
		out = append(out, opened(r, view, ui.To("/admin/content/{}", item.ItemID)))
	}
	return out, nil
}

// opened links to the request, also for members who may not decide it.
func opened(r *desk.Request, view controlview.Request, href ui.Path) controlview.Request {
	view.Href = href
	if view.Locked != "" {
		view.Buttons = []ui.ButtonView{{Label: word(r, "home.open"), Size: ui.Small, Href: href.String()}}
	}
	return view
}

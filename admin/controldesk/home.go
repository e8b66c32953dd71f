package controldesk

import (
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/notice"
	"candor/app/staff"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const (
	homeRequests = 8
)

func (s Services) home(r *desk.Request) error {
	view, err := s.homeView(r)
	if err != nil {
		return err
	}
	return r.Show(controlview.HomePage(r.Page(word(r, "nav.home"), "home"), view))
}

// homeNow answers with the content of the page as it is now.
func (s Services) homeNow(r *desk.Request) error {
	view, err := s.homeView(r)
	if err != nil {
		return err
	}
	return r.Show(controlview.HomeNow(view))
}

func (s Services) homeView(r *desk.Request) (view controlview.Home, err error) {
	view = controlview.Home{Date: ui.Weekday(ctxOf(r), r.Now(), r.Zone()) + ", " + r.Moment(r.Now()), Zone: r.ZoneNote(), Log: r.May(access.AuditView), HasRoles: len(r.Member.Roles) > 0}
	for _, q := range r.Queues() {
		line, err := s.queueLine(r, q)
		if err != nil {
			return view, err
		}
		view.Queues = append(view.Queues, line)
	}
	if r.May(access.ProductView) {
		feeds := s.feeds(r)
		view.Feeds = &feeds
	}
	for _, part := range []func(*desk.Request, *controlview.Home) error{s.addStop, s.addNoCodes, s.addFigures, s.addToday, s.addShift, s.addComing} {
		if err := part(r, &view); err != nil {
			return view, err
		}
	}
	if view.Work, err = s.work(r); err != nil {
		return view, err
	}
	if view.Books, err = s.books(r); err != nil {
		return view, err
	}
	if view.Requests, err = s.waiting(r); err != nil {
		return view, err
	}
	if view.Log {
		view.Recent, err = s.worked(r)
	}
	return view, err
}

// addStop warns members who work on money that withdrawals are stopped.
func (s Services) addStop(r *desk.Request, view *controlview.Home) error {
	if s.Books == nil || !r.May(access.ReconciliationView) {
		return nil
	}
	stop, stopped, err := s.Books.Living(ctxOf(r))
	if err != nil || !stopped {
		return err
	}
	text := word(r, "home.stopped.text", "at", at(r, stop.At), "table", stop.Wrong.Table, "row", stop.Wrong.Row)
	if stop.StoppedBy != nil {
		text = word(r, "home.stopped.person", "at", at(r, stop.At), "reason", stop.Reason)
	}
	view.Alerts = append(view.Alerts, controlview.HomeAlert{
		AlertView: ui.AlertView{Tone: ui.ToneError, Icon: ui.IconPause, Title: word(r, "home.stopped"), Text: text},
		Button:    ui.ButtonView{Label: word(r, "home.stopped.open"), Size: ui.Small, Href: "/admin/reconciliation"},
	})
	return nil
}

// addNoCodes warns the only super admin, who has no recovery codes, that nobody could let them in again.
func (s Services) addNoCodes(r *desk.Request, view *controlview.Home) error {
	if !r.May(access.StaffManage) {
		return nil
	}
	lost, err := s.Staff.LastAdminWithoutCodes(ctxOf(r), r.Member.ID)
	if err != nil || !lost {
		return err
	}
	view.Alerts = append(view.Alerts, controlview.HomeAlert{
		AlertView: ui.AlertView{Tone: ui.ToneWarning, Icon: ui.IconKey, Title: word(r, "home.no_codes"), Text: word(r, "home.no_codes.text")},
		Button:    ui.ButtonView{Label: word(r, "home.no_codes.open"), Size: ui.Small, Href: "/admin/account"},
	})
	return nil
}

func (s Services) queueLine(r *desk.Request, q desk.Queue) (controlview.Queue, error) {
	line := controlview.Queue{Icon: q.Icon, Label: q.Label, Href: q.Href, Count: strconv.FormatInt(q.Waiting.Count, 10)}
	if q.Waiting.Count > 0 && !q.Oldest.IsZero() {
		due := ui.Waiting(ctxOf(r), q.Oldest, r.Now(), q.Target)
		if q.Late {
			due.State = ui.DueLate
		}
		line.Oldest = &due
	}
	target := q.Target
	if q.ID == "chat" {
		general, err := s.replyTarget(r)
		if err != nil {
			return line, err
		}
		target = general
	}
	if target > 0 {
		line.Target = ui.Age(ctxOf(r), target)
	}
	pace, err := s.pace(r, q)
	if !pace.OnTime.None && pace.Decided > 0 {
		line.OnTime = onTime(pace.OnTime.Value)
		line.Median = took(r, pace.Median.Value)
	}
	return line, err
}

// waiting lists the requests that the member may decide as the second person, by kind.
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
		for _, request := range list {
			if request.Locked == "" { // whoever can't decide is not asked to
				out = append(out, request)
			}
		}
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

// waitingSwitches are the changes of switches that the member may decide, and the stops that nobody has reviewed.
func (s Services) waitingSwitches(r *desk.Request) (out []controlview.Request, err error) {
	list, err := s.Switches.UnderWay(ctxOf(r))
	if err != nil {
		return nil, err
	}
	for _, change := range list {
		if change.State() != approval.Requested && !change.Unreviewed() {
			continue
		}
		if change.AuthorID == r.Member.ID || !r.May(access.SwitchApprove) {
			continue
		}
		since := change.CreatedAt
		if change.State() == approval.Requested {
			since = change.Request.RequestedAt
		}
		view := approvalRequest(r, change.AuthorName, since, "")
		view.Title = word(r, "home.switch."+string(change.Kind), "number", change.Number(), "switch", word(r, "switch.name."+change.Key))
		view.Href = ui.To("/admin/switches/{}", change.Key)
		if out = append(out, view); len(out) == homeRequests {
			break
		}
	}
	return out, nil
}

// waitingContent are the items that the member may publish.
func (s Services) waitingContent(r *desk.Request) (out []controlview.Request, err error) {
	list, err := s.Notices.Items(ctxOf(r), "", notice.InReview)
	if err != nil {
		return nil, err
	}
	for _, item := range list {
		if item.TookPart(r.Member.ID) || !r.May(access.ContentPublish) || len(out) == homeRequests {
			continue
		}
		view := approvalRequest(r, item.AuthorName, item.Approval.RequestedAt, "")
		view.Title = word(r, "home.content", "number", notice.Number(item.ItemID), "title", item.Title)
		view.Href = ui.To("/admin/content/{}", item.ItemID)
		out = append(out, view)
	}
	return out, nil
}

package accountdesk

import (
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/templates/accountview"
	"candor/templates/ui"
)

// mostSessions is how many sessions the page shows.
const mostSessions = 20

// sessions are the member's active sessions, each other one with the button that ends it.
func (s Services) sessions(r *desk.Request) (out accountview.Sessions, err error) {
	p, err := s.Staff.Person(ctxOf(r), r.Member.ID)
	if err != nil {
		return out, err
	}
	list, err := s.Staff.Sessions(ctxOf(r), p, mostSessions)
	for _, one := range list {
		line := accountview.Session{
			Browser: one.Browser, IP: one.IP, Place: s.place(r, one.IP), Current: one.ID == r.SessionID(),
			Times: r.Word("staff.session.times", "since", r.Moment(one.StartedAt), "seen", r.Moment(one.LastSeenAt)),
		}
		if !line.Current {
			line.End = ending(ui.ButtonView{Label: r.Word("me.session.end"), Size: ui.Tiny}, ui.To("/admin/account/sessions/{}/end", one.ID))
		}
		out.List = append(out.List, line)
	}
	if len(list) > 1 {
		out.EndOthers = ending(ui.ButtonView{Label: r.Word("me.session.end_others"), Size: ui.Small}, ui.To("/admin/account/sessions/end"))
	}
	return out, err
}

// ending lets a button end sessions without a dialog: it only makes the account safer.
func ending(b ui.ButtonView, path ui.Path) *ui.ButtonView {
	b.HX = ui.HX{Post: path, Target: ui.TargetDetail, Swap: ui.SwapInside}
	return &b
}

// place is where an address is used, in the member's language; empty when unknown.
func (s Services) place(r *desk.Request, ip string) string {
	place := s.Staff.Place(ip)
	if place.Country == "" {
		return ""
	}
	country := caseengine.Country(ctxOf(r), place.Country)
	if place.City == "" {
		return country
	}
	return r.Word("trader.place", "city", place.City, "country", country)
}

func (s Services) endSession(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if err := s.Staff.EndOwnSession(ctxOf(r), r.Actor(), r.SessionID(), id); err != nil {
		return err
	}
	return s.done(r, r.Word("staff.session.done"))
}

func (s Services) endOtherSessions(r *desk.Request) error {
	if err := s.Staff.EndOtherSessions(ctxOf(r), r.Actor(), r.SessionID()); err != nil {
		return err
	}
	return s.done(r, r.Word("me.session.done_others"))
}

// Package reportdesk shows the reports: figures by day as a picture, a table and a file, which a member of staff may also get by mail.
package reportdesk

import (
	"context"
	"net/http"
	"slices"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/report"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Reports *report.Service
	Audit   *audit.Log
}

const home = "/admin/reports"

// Routes lists the desk's routes. Each report names the permission that its pages check besides.
func Routes(s Services) []desk.Route {
	return []desk.Route{
		{Method: http.MethodGet, Path: "/reports", Permission: access.ReportView, Handle: s.index},
		{Method: http.MethodGet, Path: "/reports/:report", Permission: access.ReportView, Handle: s.page},
		{Method: http.MethodGet, Path: "/reports/:report/file", Permission: access.ReportExport, Handle: s.file},
		{Method: http.MethodGet, Path: "/reports/:report/subscription", Permission: access.ReportView, Handle: s.askSubscription},
		{Method: http.MethodPost, Path: "/reports/:report/subscription", Permission: access.ReportView, Handle: s.subscribe},
		{Method: http.MethodDelete, Path: "/reports/:report/subscription", Permission: access.ReportView, Handle: s.unsubscribe},
	}
}

// kind declares a report.
type kind struct {
	name       string
	group      string // of the list of reports
	permission access.Permission
	place      string // what its rows name besides the day: a channel, a colleague; empty for nothing
	daily      bool   // a row for each day, or for each day and place
	weekly     bool   // as daily, for each week
	keys       string // the prefix of the texts of its rows' keys
	read       func(s *report.Service, ctx context.Context, span report.Span) (report.Table, error)
}

// dated reports whether its rows name a day or a week.
func (k kind) dated() bool { return k.daily || k.weekly }

// dates are the days or the weeks of its rows.
func (k kind) dates(span report.Span) []time.Time {
	if k.weekly {
		return span.Weeks()
	}
	return span.Days()
}

func (k kind) path(words ...string) ui.Path {
	address := home + "/{}"
	for _, word := range words {
		address += "/" + word
	}
	return ui.To(address, k.name)
}

// kindOf finds a report that the member may read. It returns desk.ErrNotFound for no report, and refuses one of others.
func kindOf(r *desk.Request) (kind, error) {
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == r.Param("report") })
	if at < 0 {
		return kind{}, desk.ErrNotFound
	}
	return kinds[at], r.Must(kinds[at].permission)
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

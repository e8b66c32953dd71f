// Package ledgerdesk shows the reconciliation of the books: staff start one, stop withdrawals, and end a stop by two people.
package ledgerdesk

import (
	"context"
	"net/http"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/banking"
	"candor/app/platform/i18n"
	"candor/app/reconciliation"
	"candor/app/staff"
)

// Services holds the dependencies of the desk.
type Services struct {
	Books   *reconciliation.Service
	Banking *banking.Service
	Staff   *staff.Service
}

// Routes lists the desk's routes.
func Routes(s Services) []desk.Route {
	return []desk.Route{
		{Method: http.MethodGet, Path: "/reconciliation", Permission: access.ReconciliationView, Handle: s.page},
		{Method: http.MethodPost, Path: "/reconciliation/runs", Permission: access.ReconciliationRun, Handle: s.run},
		{Method: http.MethodGet, Path: "/reconciliation/stops/new", Permission: access.WithdrawalHaltStart, Handle: s.askStop},
		{Method: http.MethodPost, Path: "/reconciliation/stops", Permission: access.WithdrawalHaltStart, Handle: s.stop},
		{Method: http.MethodGet, Path: "/reconciliation/stops/:id/request", Permission: access.WithdrawalHaltAskEnd, Handle: s.open(asking)},
		{Method: http.MethodPost, Path: "/reconciliation/stops/:id/request", Permission: access.WithdrawalHaltAskEnd, Handle: s.do(asking)},
		{Method: http.MethodGet, Path: "/reconciliation/stops/:id/end", Permission: access.WithdrawalHaltEnd, Handle: s.open(ending)},
		{Method: http.MethodPost, Path: "/reconciliation/stops/:id/end", Permission: access.WithdrawalHaltEnd, Handle: s.do(ending)},
	}
}

const (
	// navItem is the desk's item of the navigation.
	navItem = "reconciliation"
	home    = "/admin/reconciliation"
)

// Stopped counts the stop in force, which is late after a minute.
func Stopped(books *reconciliation.Service) func(context.Context) (desk.Waiting, error) {
	return func(ctx context.Context) (desk.Waiting, error) {
		stop, stopped, err := books.Living(ctx)
		if err != nil || !stopped {
			return desk.Waiting{}, err
		}
		return desk.Waiting{Count: 1, Oldest: stop.At, Target: time.Minute}, nil
	}
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

// word is one text in the language of the member.
func word(r *desk.Request, key string, pairs ...any) string { return i18n.T(ctxOf(r), key, pairs...) }

func at(r *desk.Request, moment time.Time) string { return r.Moment(moment) }

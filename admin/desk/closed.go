package desk

import (
	"context"
	"strings"

	"candor/admin/access"
	"candor/app/platform/errs"
)

// errClosed refuses what the law keeps of a closed account to everybody but compliance.
var errClosed = errs.New(errs.Forbidden, "account_closed")

// Withheld are those of the traders whose account is closed, unless the member may read what the law keeps of them. Nobody has the number 0.
func (r *Request) Withheld(traderIDs ...int64) (map[int64]bool, error) {
	if len(traderIDs) == 0 || r.frame.Closed == nil || r.May(access.TraderClosed) {
		return nil, nil
	}
	return r.frame.Closed(r.Context.Request().Context(), traderIDs...)
}

// MayRead refuses what the law keeps of a trader whose account is closed, unless the member is of compliance.
func (r *Request) MayRead(traderID int64) error {
	withheld, err := r.Withheld(traderID)
	if err == nil && withheld[traderID] {
		err = errClosed.With("permission", access.TraderClosed)
	}
	return err
}

// Trader reads the trader whose number is in the address, where the account is open to the member.
func Trader[T any](r *Request, read func(ctx context.Context, id int64) (T, error)) (trader T, err error) {
	id, err := r.ID("id")
	if err != nil {
		return trader, err
	}
	if err := r.MayRead(id); err != nil {
		return trader, err
	}
	return read(r.Context.Request().Context(), id)
}

// Withholding refuses the routes of one case, those below its number, when the case is about a trader whose account is closed and the member is not of compliance.
// Whose reads the trader of a case; 0 for nobody.
func Withholding(routes []Route, whose func(r *Request, id int64) (traderID int64, err error)) []Route {
	for i, route := range routes {
		if !strings.Contains(route.Path, "/:id") {
			continue
		}
		routes[i].Handle = func(r *Request) error {
			id, err := r.ID("id")
			if err != nil {
				return err
			}
			traderID, err := whose(r, id)
			if err != nil {
				return err
			}
			if err := r.MayRead(traderID); err != nil {
				return err
			}
			return route.Handle(r)
		}
	}
	return routes
}

// Closed tells of which traders the account is closed.
type Closed func(ctx context.Context, traderIDs ...int64) (map[int64]bool, error)

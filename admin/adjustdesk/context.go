package adjustdesk

import (
	"context"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/platform/i18n"
	"candor/app/staff/member"
	"candor/templates/ui"
)

// pageContext is the context of texts about adjustments: language, time and zone, the viewer, and the names of the people shown.
type pageContext struct {
	ctx       context.Context
	now       time.Time
	zone      *time.Location
	r         *desk.Request
	above     int64 // adjustments above it take three people
	opens     bool  // the member may open traders
	names     map[int64]string
	conflicts map[int64]error // conflicts of interest, by trader
}

// pageContext reads the names for adjustments that are shown together.
func (s Services) pageContext(r *desk.Request, list ...adjustment.Adjustment) (pc pageContext, err error) {
	pc = pageContext{ctx: r.Context.Request().Context(), now: r.Now(), zone: r.Zone(), r: r, above: s.Adjustments.LeadAbove(), opens: r.May(access.TraderView)}
	var people, traders []int64
	for _, a := range list {
		traders = append(traders, a.TraderID)
		people = append(people, a.Everybody()...)
	}
	if pc.conflicts, err = s.Traders.Conflicts(pc.ctx, r.Member.ID, member.MoneyDuty, traders...); err != nil {
		return pc, err
	}
	pc.names, err = s.Staff.Names(pc.ctx, people)
	return pc, err
}

func (pc pageContext) t(key string, pairs ...any) string { return i18n.T(pc.ctx, key, pairs...) }

func (pc pageContext) at(moment time.Time) string { return ui.Moment(moment, pc.now, pc.zone) }

func (pc pageContext) name(id *int64) string {
	if id == nil {
		return ""
	}
	return pc.names[*id]
}

func (pc pageContext) reason(code string) string { return pc.t("adjustment.reason." + code) }

// amount is the amount with sign and currency.
func amount(a adjustment.Adjustment) string { return ui.Signed(a.Amount) + " " + a.Currency }

// read reads the adjustment in the address.
func (s Services) read(r *desk.Request) (pageContext, adjustment.Adjustment, error) {
	id, err := r.ID("id")
	if err != nil {
		return pageContext{}, adjustment.Adjustment{}, err
	}
	a, err := s.Adjustments.Read(r.Context.Request().Context(), id)
	if err != nil {
		return pageContext{}, a, err
	}
	pc, err := s.pageContext(r, a)
	return pc, a, err
}

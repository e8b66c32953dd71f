package adjustdesk

import (
	"context"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/platform/i18n"
	"candor/app/trader"
	"candor/templates/ui"
)

// scene is what the words about adjustments need: language, moment and zone, who looks, and the names around those that are shown.
type scene struct {
	ctx       context.Context
	now       time.Time
	zone      *time.Location
	r         *desk.Request
	above     int64 // adjustments above it take three people
	opens     bool  // the member may open traders
	names     map[int64]string
	conflicts map[int64]error // of interest, by trader
}

// scene reads the names around adjustments that are shown together.
func (s Services) scene(r *desk.Request, list ...adjustment.Adjustment) (sc scene, err error) {
	sc = scene{ctx: r.Context.Request().Context(), now: r.Now(), zone: r.Zone(), r: r, above: s.Adjustments.LeadAbove(), opens: r.May(access.TraderView)}
	var people, traders []int64
	for _, a := range list {
		traders = append(traders, a.TraderID)
		people = append(people, a.MakerID)
		for _, id := range []*int64{a.CheckerID, a.LeadID, a.RefusedBy} {
			if id != nil {
				people = append(people, *id)
			}
		}
	}
	if sc.conflicts, err = s.Traders.Conflicts(sc.ctx, r.Member.ID, trader.Money, traders...); err != nil {
		return sc, err
	}
	sc.names, err = s.Staff.Names(sc.ctx, people)
	return sc, err
}

func (sc scene) t(key string, pairs ...any) string { return i18n.T(sc.ctx, key, pairs...) }

func (sc scene) at(moment time.Time) string { return ui.Moment(moment, sc.now, sc.zone) }

func (sc scene) name(id *int64) string {
	if id == nil {
		return ""
	}
	return sc.names[*id]
}

func (sc scene) reason(code string) string { return sc.t("adjustment.reason." + code) }

// amount is the sum with its sign and its currency.
func amount(a adjustment.Adjustment) string { return ui.Signed(a.Amount) + " " + a.Currency }

// read reads the adjustment that the address names.
func (s Services) read(r *desk.Request) (scene, adjustment.Adjustment, error) {
	id, err := r.ID("id")
	if err != nil {
		return scene{}, adjustment.Adjustment{}, err
	}
	a, err := s.Adjustments.Read(r.Context.Request().Context(), id)
	if err != nil {
		return scene{}, a, err
	}
	sc, err := s.scene(r, a)
	return sc, a, err
}

package kycdesk

import (
	"context"
	"fmt"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/kyc"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/trader"
	"candor/templates/ui"
)

// scene is what the words about cases need: language, moment and zone, who looks, and the names around the cases that are shown.
type scene struct {
	ctx     context.Context
	now     time.Time
	zone    *time.Location
	me      member
	trader  bool // the member may open traders
	names   map[int64]string
	refusal func(error) string
	texts   *i18n.Catalogue
	narrow  narrowing // the part of the queue that is worked on
}

// matter is one case with all that a decision about it needs.
type matter struct {
	scene
	kyc.Case
	owner trader.Trader
}

// read reads the case that the address names.
func (s Services) read(r *desk.Request) (matter, error) {
	id, err := r.ID("id")
	if err != nil {
		return matter{}, err
	}
	return s.readAgain(r, id)
}

func (s Services) readAgain(r *desk.Request, id int64) (m matter, err error) {
	ctx := r.Context.Request().Context()
	if m.Case, err = s.Identities.Case(ctx, by(r), id); err != nil {
		return m, err
	}
	if m.owner, err = s.Traders.Trader(ctx, m.TraderID); err != nil {
		return m, err
	}
	var people []int64
	for _, d := range append(m.Documents, m.Replaced...) {
		if d.DecidedBy != nil {
			people = append(people, *d.DecidedBy)
		}
	}
	m.scene, err = s.scene(r, people, append([]kyc.Application{m.Application}, m.Earlier...)...)
	return m, err
}

// scene reads the names around cases that are shown together.
func (s Services) scene(r *desk.Request, people []int64, list ...kyc.Application) (sc scene, err error) {
	sc = scene{
		ctx: r.Context.Request().Context(), now: r.Now(), zone: r.Zone(), trader: r.May(access.TraderView), refusal: r.Text, texts: s.Texts,
		me:     member{id: r.Member.ID, decide: r.May(access.IdentityDecide), approve: r.May(access.IdentityApprove), confirm: r.May(access.IdentityConfirm)},
		narrow: readNarrowing(r),
	}
	for _, a := range list {
		for _, id := range []*int64{a.ClaimedBy, a.MakerID, a.LeadID} {
			if id != nil {
				people = append(people, *id)
			}
		}
	}
	sc.names, err = s.Staff.Names(sc.ctx, people)
	return sc, err
}

// word is one text of a page that shows no case.
func word(r *desk.Request, key string, pairs ...any) string {
	return i18n.T(r.Context.Request().Context(), key, pairs...)
}

func (sc scene) t(key string, pairs ...any) string { return i18n.T(sc.ctx, key, pairs...) }

func (sc scene) at(moment time.Time) string { return ui.Moment(moment, sc.now, sc.zone) }

func (sc scene) name(id *int64) string {
	if id == nil {
		return ""
	}
	return sc.names[*id]
}

func (m matter) rights() rights { return m.me.rights(m.Application, m.Documents, m.now) }

// held tells whether the member holds the living claim: only then are data and pictures shown.
func (m matter) held() bool { return m.HeldBy(m.me.id, m.now) }

// why is the reason of a locked act in words.
func (sc scene) why(v verdict, a kyc.Application) string {
	if v.why == nil {
		return ""
	}
	if refusal := errs.As(v.why); refusal != nil && refusal.Key == kyc.ErrClaimed.Key && a.ClaimedUntil != nil {
		return sc.t("identity.held.other", "name", sc.name(a.ClaimedBy), "until", sc.at(*a.ClaimedUntil))
	}
	return sc.refusal(v.why)
}

func (sc scene) country(iso string) string {
	if iso == "" {
		return "—"
	}
	return trader.Country{ISO: iso}.Name()
}

func (sc scene) side(side kyc.Part) string { return sc.t("identity.side." + string(side)) }

func (sc scene) reason(code *string) string {
	if code == nil {
		return ""
	}
	return sc.t("identity.reason." + *code)
}

func number(id int64) string { return kyc.Application{ID: id}.Number() }

// home is the address of the queue; a case's own stands below it.
var home = ui.To("/admin/identity")

// address is where a case stands in the part of the queue that is worked on.
func (sc scene) address(id int64) ui.Path { return sc.narrow.on(ui.To("/admin/identity/{}", id)) }

// below is the address of an act on a case. It carries the part of the queue along, for what comes next.
func (sc scene) below(id int64, word string) ui.Path {
	return sc.narrow.on(ui.To("/admin/identity/{}/{}", id, word))
}

// key begins the ids of a case's elements.
func key(id int64) string { return fmt.Sprint("id-", id) }

package paydesk

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// scene is what the words about withdrawals need: language, moment and zone, who looks, and the names around the withdrawals that are shown.
type scene struct {
	ctx     context.Context
	now     time.Time
	zone    *time.Location
	me      member
	trader  bool  // the member may open traders
	deposit bool  // the member may open deposits
	above   int64 // withdrawals above it take three people
	names   map[int64]string
	refusal func(error) string
	texts   *i18n.Catalogue
	view    narrowing // of the page that asks
}

// matter is one withdrawal with all that a decision about it needs.
type matter struct {
	scene
	withdrawal.Case
	owner trader.Trader
}

// read reads the withdrawal that the address names.
func (s Services) read(r *desk.Request) (matter, error) {
	id, err := r.ID("id")
	if err != nil {
		return matter{}, err
	}
	return s.readAgain(r, id)
}

func (s Services) readAgain(r *desk.Request, id int64) (m matter, err error) {
	ctx := r.Context.Request().Context()
	if m.Case, err = s.Withdrawals.Case(ctx, id); err != nil {
		return m, err
	}
	if m.owner, err = s.Traders.Trader(ctx, m.TraderID); err != nil {
		return m, err
	}
	m.scene, err = s.scene(r, m.Withdrawal)
	return m, err
}

// scene reads the names around withdrawals that are shown together.
func (s Services) scene(r *desk.Request, list ...withdrawal.Withdrawal) (sc scene, err error) {
	sc = scene{
		ctx: r.Context.Request().Context(), now: r.Now(), zone: r.Zone(), me: newMember(r), trader: r.May(access.TraderView), deposit: r.May(access.DepositView),
		above: s.Withdrawals.LeadAbove(), refusal: r.Text, texts: s.Texts, view: askedFrom(r),
	}
	var people []int64
	for _, w := range list {
		for _, id := range []*int64{w.ClaimedBy, w.MakerID, w.CheckerID, w.LeadID, w.OutcomeBy} {
			if id != nil {
				people = append(people, *id)
			}
		}
	}
	sc.names, err = s.Staff.Names(sc.ctx, people)
	return sc, err
}

// word is one text of a page that shows no withdrawal.
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

func (sc scene) rights(w withdrawal.Withdrawal) rights { return sc.me.rights(w, sc.now) }

// why is the reason of a locked act in words.
func (sc scene) why(v verdict, w withdrawal.Withdrawal) string {
	if v.why == nil {
		return ""
	}
	return sc.refusal(sc.told(v.why, w))
}

// told adds to a refusal what its words name: who has the withdrawal, and until when.
func (sc scene) told(err error, w withdrawal.Withdrawal) error {
	refusal := errs.As(err)
	if refusal == nil || refusal.Key != withdrawal.ErrClaimed.Key || w.ClaimedUntil == nil {
		return err
	}
	return refusal.With("name", sc.name(w.ClaimedBy)).With("until", sc.at(*w.ClaimedUntil))
}

// amount is a sum with its currency.
func amount(value int64, currency string) string { return ui.Amount(value) + " " + currency }

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// key begins the ids of a withdrawal's elements.
func key(id int64) string { return fmt.Sprint("wd-", id) }

func address(id int64) ui.Path { return ui.To("/admin/withdrawals/{}", id) }

// below is the address of an act on a withdrawal.
func below(id int64, word string) ui.Path { return ui.To("/admin/withdrawals/{}/{}", id, word) }

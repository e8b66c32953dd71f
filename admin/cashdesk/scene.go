package cashdesk

import (
	"context"
	"fmt"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/trader"
	"candor/templates/ui"
)

// scene is what the words about deposits need: language, moment and zone, who looks, and the names around the deposits that are shown.
type scene struct {
	ctx       context.Context
	now       time.Time
	zone      *time.Location
	me        member
	trader    bool // the member may open traders
	watermark string
	above     int64 // deposits above it take two people
	names     map[int64]string
	repeated  map[int64]int64
	refusal   func(error) string
	texts     *i18n.Catalogue
}

// matter is one deposit with all that a decision about it needs.
type matter struct {
	scene
	deposit.Case
	owner trader.Trader
}

// read reads the deposit that the address names.
func (s Services) read(r *desk.Request) (matter, error) {
	id, err := r.ID("id")
	if err != nil {
		return matter{}, err
	}
	return s.readAgain(r, id)
}

func (s Services) readAgain(r *desk.Request, id int64) (m matter, err error) {
	ctx := r.Context.Request().Context()
	if m.Case, err = s.Deposits.Case(ctx, id); err != nil {
		return m, err
	}
	if m.owner, err = s.Traders.Trader(ctx, m.TraderID); err != nil {
		return m, err
	}
	m.scene, err = s.scene(r, m.Deposit)
	return m, err
}

// scene reads the names and repeated proofs of deposits that are shown together.
func (s Services) scene(r *desk.Request, list ...deposit.Deposit) (sc scene, err error) {
	sc = scene{
		ctx: r.Context.Request().Context(), now: r.Now(), zone: r.Zone(), trader: r.May(access.TraderView), above: s.Deposits.SecondAbove(), refusal: r.Text,
		me: member{id: r.Member.ID, decide: r.May(access.DepositDecide), confirm: r.May(access.DepositConfirm)}, watermark: r.Member.Name, texts: s.Texts,
	}
	var people, ids []int64
	for _, d := range list {
		ids = append(ids, d.ID)
		for _, id := range []*int64{d.ClaimedBy, d.MakerID, d.CheckerID} {
			if id != nil {
				people = append(people, *id)
			}
		}
	}
	if sc.names, err = s.Deposits.Names(sc.ctx, people); err != nil {
		return sc, err
	}
	sc.repeated, err = s.Deposits.Repeated(sc.ctx, ids)
	return sc, err
}

// word is one text of a page that shows no deposit.
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

func (sc scene) rights(d deposit.Deposit) rights { return sc.me.rights(d, sc.now) }

// why is the reason of a locked act in words.
func (sc scene) why(v verdict, d deposit.Deposit) string {
	if v.why == nil {
		return ""
	}
	return sc.refusal(sc.told(v.why, d))
}

// told adds to a refusal what its words name: who has the deposit, and until when.
func (sc scene) told(err error, d deposit.Deposit) error {
	refusal := errs.As(err)
	if refusal == nil || refusal.Key != deposit.ErrClaimed.Key || d.ClaimedUntil == nil {
		return err
	}
	return refusal.With("name", sc.name(d.ClaimedBy)).With("until", sc.at(*d.ClaimedUntil))
}

// amount is a sum with its currency.
func amount(value int64, currency string) string { return ui.Amount(value) + " " + currency }

// credit is what an account gets for a sum that arrived: dollars count one to one.
func credit(value int64) string { return amount(value, ledger.Currency) }

// key begins the ids of a deposit's elements.
func key(id int64) string { return fmt.Sprint("dp-", id) }

func number(id int64) string { return deposit.Deposit{ID: id}.Number() }

func address(id int64) ui.Path { return ui.To("/admin/deposits/{}", id) }

// below is the address of an act on a deposit.
func below(id int64, word string) ui.Path { return ui.To("/admin/deposits/{}/{}", id, word) }

// fours cuts an account number into pieces of four, as it is printed.
func fours(number string) string {
	letters := []rune(strings.ReplaceAll(number, " ", ""))
	var out []string
	for len(letters) > 4 {
		out, letters = append(out, string(letters[:4])), letters[4:]
	}
	return strings.Join(append(out, string(letters)), " ")
}

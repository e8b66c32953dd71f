package cashdesk

import (
	"fmt"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/trader"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// scene is what the words about deposits need besides what all desks need.
type scene struct {
	casework.Scene
	me        member
	watermark string
	above     int64 // deposits above it take two people
	repeated  map[int64]int64
	view      narrowing // of the page that asks
}

// matter is one deposit with all that a decision about it needs.
type matter struct {
	scene
	deposit.Case
	owner  trader.Trader
	says   deposit.Statement // of a transfer to a bank, as far as it is known
	same   bool              // it names the trader
	second deposit.Second    // why it would take another person, if this member approved it
}

// About is the deposit as every desk knows a case.
func (m matter) About() casework.About {
	return casework.About{ID: m.ID, Number: m.Number(), Version: m.Version, Target: "deposit", Claim: m.Claim}
}

// Right says whether the member may do an act now.
func (m matter) Right(noun string) casework.Verdict { return m.rights(m.Deposit)[noun] }

func (s Services) read(r *desk.Request, id int64) (m matter, err error) {
	ctx := r.Context.Request().Context()
	if m.Case, err = s.Deposits.Case(ctx, id); err != nil {
		return m, err
	}
	if m.owner, err = s.Traders.Trader(ctx, m.TraderID); err != nil {
		return m, err
	}
	if m.Kind == deposit.ByBank {
		m.says = m.typed(r)
		if m.same, m.second, err = s.Deposits.Weigh(ctx, by(r), m.Deposit, m.says); err != nil {
			return m, err
		}
	}
	m.scene, err = s.scene(r, m.Deposit)
	return m, err
}

// scene reads the names and repeated proofs of deposits that are shown together.
func (s Services) scene(r *desk.Request, list ...deposit.Deposit) (sc scene, err error) {
	sc = scene{
		Scene: casework.NewScene(r, "case", deposit.ErrClaimed, s.Texts), above: s.Deposits.SecondAbove(), watermark: r.Member.Name, view: askedFrom(r),
		me: newMember(r),
	}
	var people []*int64
	var ids, traders []int64
	for _, d := range list {
		ids, traders = append(ids, d.ID), append(traders, d.TraderID)
		people = append(people, d.ClaimedBy, d.MakerID, d.CheckerID, d.ReversedBy, d.ReversalChecker)
	}
	if sc.me.conflicts, err = s.Traders.Conflicts(sc.Ctx, sc.Me, trader.Money, traders...); err != nil {
		return sc, err
	}
	if err = sc.Know(s.Staff, people...); err != nil {
		return sc, err
	}
	sc.repeated, err = s.Deposits.Repeated(sc.Ctx, ids)
	return sc, err
}

// stands is how a deposit stands now, for its row and its open parts.
func (s Services) stands(r *desk.Request, m matter) (done caseview.Done, err error) {
	done.Row, done.Count = m.row(m.Deposit), r.Count(place)
	tabs, err := s.tabs(r, m.view)
	if done.Tabs = cashview.Tabs(tabs, true); err != nil || !casework.IsOpen(r, address(m.ID)) {
		return done, err
	}
	done.Row.Selected = true
	view, err := s.view(m)
	done.Parts = cashview.Parts(view)
	return done, err
}

func (sc scene) rights(d deposit.Deposit) casework.Rights {
	return sc.me.rights(d, sc.Now).Conflicting(sc.me.conflicts[d.TraderID])
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

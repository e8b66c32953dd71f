package paydesk

import (
	"fmt"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/payview"
	"candor/templates/ui"
)

// scene is what the words about withdrawals need besides what all desks need.
type scene struct {
	casework.Scene
	me      member
	deposit bool  // the member may open deposits
	above   int64 // withdrawals above it take three people
	show    desk.Figures
	view    narrowing // of the page that asks
}

// matter is one withdrawal with all that a decision about it needs.
type matter struct {
	scene
	withdrawal.Case
	owner trader.Trader
	kept  []trader.Restriction // what staff keep the trader from now
	same  bool                 // the account is in the name that the trader is verified under
}

// About is the withdrawal as every desk knows a case.
func (m matter) About() casework.About {
	return casework.About{ID: m.ID, Number: m.Number(), Version: m.Version, Target: "withdrawal", Claim: m.Claim}
}

// Right says whether the member may do an act now.
func (m matter) Right(noun string) casework.Verdict { return m.rights(m.Withdrawal)[noun] }

func (s Services) read(r *desk.Request, id int64) (m matter, err error) {
	ctx := r.Context.Request().Context()
	if m.Case, err = s.Withdrawals.Case(ctx, id); err != nil {
		return m, err
	}
	if m.owner, err = s.Traders.Trader(ctx, m.TraderID); err != nil {
		return m, err
	}
	if m.Kind != withdrawal.OnChain {
		if m.same, err = s.Withdrawals.HolderIs(ctx, m.Withdrawal); err != nil {
			return m, err
		}
	}
	if m.kept, err = s.Traders.Restrictions(ctx, m.TraderID); err != nil {
		return m, err
	}
	m.scene, err = s.scene(r, m.Withdrawal)
	return m, err
}

// scene reads the names around withdrawals that are shown together.
func (s Services) scene(r *desk.Request, list ...withdrawal.Withdrawal) (sc scene, err error) {
	sc = scene{
		Scene: casework.NewScene(r, "case", withdrawal.ErrClaimed, s.Texts), me: newMember(r), deposit: r.May(access.DepositView), above: s.Withdrawals.LeadAbove(), show: r.Figures(),
		view: askedFrom(r),
	}
	var people []*int64
	var traders []int64
	for _, w := range list {
		traders = append(traders, w.TraderID)
		people = append(people, w.ClaimedBy, w.MakerID, w.CheckerID, w.LeadID, w.OutcomeBy)
	}
	if sc.me.conflicts, err = s.Traders.Conflicts(sc.Ctx, sc.Me, trader.Money, traders...); err != nil {
		return sc, err
	}
	return sc, sc.Know(s.Staff, people...)
}

// stands is how a withdrawal stands now, for its row and its open parts.
func (s Services) stands(r *desk.Request, m matter) (done caseview.Done, err error) {
	done.Row, done.Count = m.row(m.Withdrawal), r.Count(place)
	tabs, err := s.tabs(r, m.view)
	if done.Tabs = payview.Tabs(tabs, true); err != nil || !casework.IsOpen(r, address(m.ID)) {
		return done, err
	}
	done.Row.Selected = true
	view, err := s.view(m)
	done.Parts = payview.Parts(view)
	return done, err
}

func (sc scene) rights(w withdrawal.Withdrawal) casework.Rights {
	return sc.me.rights(w, sc.Now).Conflicting(sc.me.conflicts[w.TraderID], nounFreeze, nounThaw)
}

func (sc scene) reason(code *string) string {
	if code == nil {
		return ""
	}
	return sc.T("withdrawal.reason." + *code)
}

// bound is a limit of the house, which is no trader's amount.
func bound(value int64) string { return ui.Amount(value) }

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// key begins the ids of a withdrawal's elements.
func key(id int64) string { return fmt.Sprint("wd-", id) }

func address(id int64) ui.Path { return ui.To("/admin/withdrawals/{}", id) }

// below is the address of an act on a withdrawal.
func below(id int64, word string) ui.Path { return ui.To("/admin/withdrawals/{}/{}", id, word) }

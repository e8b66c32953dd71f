package paydesk

import (
	"fmt"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/staff/member"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/payview"
	"candor/templates/ui"
)

// pageContext is the context of a page about withdrawals.
type pageContext struct {
	caseengine.PageContext
	me      viewer
	deposit bool  // the member may open deposits
	above   int64 // withdrawals above it take three people
	show    desk.Figures
	view    listFilter // of the requesting page
}

// caseContext is one withdrawal with everything that a decision about it needs.
type caseContext struct {
	pageContext
	withdrawal.Case
	owner        trader.Trader
	restrictions []trader.Restriction // the trader's current restrictions
	same         bool                 // the payee's holder is the trader's verified name
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "withdrawal", Claim: cc.Claim}
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict { return cc.rights(cc.Withdrawal)[noun] }

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	ctx := r.Context.Request().Context()
	if cc.Case, err = s.Withdrawals.Case(ctx, id); err != nil {
		return cc, err
	}
	if cc.owner, err = s.Traders.Trader(ctx, cc.TraderID); err != nil {
		return cc, err
	}
	if cc.Kind != withdrawal.Crypto {
		if cc.same, err = s.Withdrawals.HolderIs(ctx, cc.Withdrawal); err != nil {
			return cc, err
		}
	}
	if cc.restrictions, err = s.Traders.Restrictions(ctx, cc.TraderID); err != nil {
		return cc, err
	}
	cc.pageContext, err = s.pageContext(r, cc.Withdrawal)
	return cc, err
}

// pageContext reads the names for withdrawals that are shown together.
func (s Services) pageContext(r *desk.Request, list ...withdrawal.Withdrawal) (pc pageContext, err error) {
	pc = pageContext{
		PageContext: caseengine.NewPageContext(r, "case", withdrawal.ErrClaimed, s.Texts), me: newMember(r), deposit: r.May(access.DepositView), above: s.Withdrawals.LeadAbove(), show: r.Figures(),
		view: askedFrom(r),
	}
	var people []*int64
	var traders []int64
	if pc.me.approvals, err = s.Withdrawals.Approvals(pc.Ctx, list...); err != nil {
		return pc, err
	}
	if pc.me.findings, err = s.Withdrawals.Findings(pc.Ctx, list...); err != nil {
		return pc, err
	}
	for _, w := range list {
		traders = append(traders, w.TraderID)
		people = append(people, w.ClaimedBy, pc.me.first(w), pc.me.second(w), pc.me.third(w), pc.me.finder(w))
	}
	if pc.me.conflicts, err = s.Traders.Conflicts(pc.Ctx, pc.Me, member.MoneyDuty, traders...); err != nil {
		return pc, err
	}
	return pc, pc.Know(s.Staff, people...)
}

// current reads the current state of a withdrawal: its row, and its parts when it is open.
func (s Services) current(r *desk.Request, cc caseContext) (done caseview.Done, err error) {
	done.Row, done.Count = cc.row(cc.Withdrawal), r.Count(navItem)
	tabs, err := s.tabs(r, cc.view)
	if done.Tabs = payview.Tabs(tabs, true); err != nil || !caseengine.IsOpen(r, address(cc.ID)) {
		return done, err
	}
	done.Row.Selected = true
	view, err := s.view(cc)
	done.Parts = payview.Parts(view)
	return done, err
}

func (pc pageContext) rights(w withdrawal.Withdrawal) caseengine.Rights {
	return pc.me.rights(w, pc.Now).Conflicting(pc.me.conflicts[w.TraderID], nounFreeze, nounUnfreeze)
}

func (pc pageContext) reason(code *string) string {
	if code == nil {
		return ""
	}
	return pc.T("withdrawal.reason." + *code)
}

// bound writes a limit that applies to all traders, so it needs no band.
func bound(value int64) string { return ui.Amount(value) }

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// key is the prefix of the element ids of a withdrawal.
func key(id int64) string { return fmt.Sprint("wd-", id) }

func address(id int64) ui.Path { return ui.To("/admin/withdrawals/{}", id) }

// below is the address of an act on a withdrawal.
func below(id int64, word string) ui.Path { return ui.To("/admin/withdrawals/{}/{}", id, word) }

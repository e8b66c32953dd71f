package paydesk

import (
	"encoding/hex"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/staff/member"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// pageContext is the context of a page about withdrawals.
type pageContext struct {
	caseengine.PageContext
	me      viewer
	deposit bool  // the member may open deposits
	above   int64 // withdrawals above it take three people
	show    desk.Figures

	withheld map[int64]bool // traders with closed accounts, whose payees the member does not read
}

// caseContext is one withdrawal with everything that a decision about it needs.
type caseContext struct {
	pageContext
	withdrawal.Case
	owner        trader.Trader
	restrictions []trader.Restriction // the trader's current restrictions
	same         bool                 // the payee's holder is the trader's verified name
	payers       []withdrawal.Payer   // the broker's accounts that pay
	value        valued               // of the account, now
	login        *audit.Entry         // the trader's last; nil without one
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About { return about(cc.Withdrawal) }

func about(w withdrawal.Withdrawal) caseengine.About {
	return caseengine.About{ID: w.ID, Number: w.Number(), Version: w.Version, Target: "withdrawal", Home: home, Claim: w.Claim, Facts: hex.EncodeToString(w.Facts())}
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict { return cc.rights(cc.Withdrawal)[noun] }

// dollars is what a decision is about; 0 for a currency that is not a dollar.
func (cc caseContext) dollars() int64 {
	if cc.Currency != ledger.Currency {
		return 0
	}
	return cc.Amount
}

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
	if cc.payers, err = s.Withdrawals.Payers(ctx); err != nil {
		return cc, err
	}
	if err = s.readTrader(ctx, &cc); err != nil {
		return cc, err
	}
	cc.pageContext, err = s.pageContext(r, cc.Withdrawal)
	return cc, err
}

// pageContext reads the names for withdrawals that are shown together.
func (s Services) pageContext(r *desk.Request, list ...withdrawal.Withdrawal) (pc pageContext, err error) {
	pc = pageContext{
		PageContext: caseengine.NewPageContext(r, "case", withdrawal.ErrClaimed, s.Texts), me: newMember(r), deposit: r.May(access.DepositView), above: s.Withdrawals.LeadAbove(), show: r.Figures(),
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
		people = append(people, w.ClaimedBy, pc.me.first(w), pc.me.second(w), pc.me.third(w), pc.me.finder(w), w.SentBy, w.ConfirmedBy)
	}
	if pc.me.conflicts, err = s.Traders.Conflicts(pc.Ctx, pc.Me, member.MoneyDuty, traders...); err != nil {
		return pc, err
	}
	if pc.withheld, err = r.Withheld(traders...); err != nil {
		return pc, err
	}
	return pc, pc.Know(s.Staff, people...)
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

func address(id int64) ui.Path { return ui.To("/admin/withdrawals/{}", id) }

package cashdesk

import (
	"slices"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/staff/member"
	"candor/app/trader"
	"candor/templates/ui"
)

// pageContext is the context of a page about deposits.
type pageContext struct {
	caseengine.PageContext
	me        viewer
	actor     audit.Actor
	watermark string
	above     int64 // deposits above it take two people
	repeated  map[int64]int64
}

// caseContext is one deposit with everything that a decision about it needs.
type caseContext struct {
	pageContext
	deposit.Case
	owner      trader.Trader
	statement  deposit.Statement // of a bank transfer, as far as it is known
	unreadable bool              // the typed amount is no amount
	untyped    bool              // no amount is typed yet
	same       bool              // the statement names the trader
	second     deposit.Second    // why a second person would be needed if this member approved
	payer      []string          // of a closed account, as the bank wrote; finance reads it with the line of an open one
	withheld   bool              // the trader's account is closed, and the member does not read the evidence
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About { return about(cc.Deposit) }

func about(d deposit.Deposit) caseengine.About {
	return caseengine.About{ID: d.ID, Number: d.Number(), Version: d.Version, Target: "deposit", Home: home, Claim: d.Claim}
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict { return cc.rights(cc.Deposit)[noun] }

// dollars is what a decision is about: the larger of the announced and the received sum; 0 for a currency that is not a dollar.
func (cc caseContext) dollars() int64 {
	if !(ledger.Denomination{Code: cc.Currency}).Dollar() {
		return 0
	}
	return max(cc.Amount, cc.statement.Received, deref(cc.Received))
}

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	ctx := r.Context.Request().Context()
	if cc.Case, err = s.Deposits.Case(ctx, id); err != nil {
		return cc, err
	}
	if cc.owner, err = s.Traders.Trader(ctx, cc.TraderID); err != nil {
		return cc, err
	}
	closed, reads := cc.owner.ClosedAt != nil, r.May(access.TraderClosed)
	if cc.withheld = closed && !reads; cc.withheld {
		cc.StaffNote = ""
	}
	if closed && reads && s.Payer != nil {
		name, account, text, err := s.Payer(ctx, cc.ID)
		if err != nil {
			return cc, err
		}
		cc.payer = slices.DeleteFunc([]string{name, fours(account), text}, func(part string) bool { return part == "" })
	}
	if cc.Kind == deposit.ByBank {
		cc.statement = cc.typed(r)
		if cc.same, cc.second, err = s.Deposits.PreviewApproval(ctx, r.Actor(), cc.Deposit, cc.statement); err != nil {
			return cc, err
		}
	}
	cc.pageContext, err = s.pageContext(r, cc.Deposit)
	return cc, err
}

// pageContext reads the names and repeated proofs for deposits that are shown together.
func (s Services) pageContext(r *desk.Request, list ...deposit.Deposit) (pc pageContext, err error) {
	pc = pageContext{
		PageContext: caseengine.NewPageContext(r, "case", deposit.ErrClaimed, s.Texts), above: s.Deposits.SecondAbove(), watermark: r.Member.Name,
		me: newMember(r), actor: r.Actor(),
	}
	var people []*int64
	var ids, traders []int64
	for _, d := range list {
		ids, traders = append(ids, d.ID), append(traders, d.TraderID)
		people = append(people, d.ClaimedBy, d.MakerID, d.CheckerID)
	}
	if pc.me.reversals, err = s.Deposits.Reversals(pc.Ctx, list...); err != nil {
		return pc, err
	}
	for _, a := range pc.me.reversals {
		people = append(people, &a.RequestedBy, a.SecondBy)
	}
	if pc.me.conflicts, err = s.Traders.Conflicts(pc.Ctx, pc.Me, member.MoneyDuty, traders...); err != nil {
		return pc, err
	}
	if err = pc.Know(s.Staff, people...); err != nil {
		return pc, err
	}
	pc.repeated, err = s.Deposits.Repeated(pc.Ctx, ids)
	return pc, err
}

func (pc pageContext) rights(d deposit.Deposit) caseengine.Rights {
	return pc.me.rights(d, pc.Now).Conflicting(pc.me.conflicts[d.TraderID])
}

func amount(value int64, currency string) string { return ui.Amount(value) + " " + currency }

// credit is the amount credited for a received sum: dollars count one to one.
func credit(value int64) string { return amount(value, ledger.Currency) }

func number(id int64) string { return deposit.Deposit{ID: id}.Number() }

func address(id int64) ui.Path { return ui.To("/admin/deposits/{}", id) }

// fours splits an account number into groups of four, as it is printed.
func fours(number string) string {
	letters := []rune(strings.ReplaceAll(number, " ", ""))
	var out []string
	for len(letters) > 4 {
		out, letters = append(out, string(letters[:4])), letters[4:]
	}
	return strings.Join(append(out, string(letters)), " ")
}

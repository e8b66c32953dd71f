package bankdesk

import (
	"context"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/platform/money"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// pageContext is the context of a page about lines.
type pageContext struct {
	caseengine.PageContext
	may      func(access.Permission) bool
	accounts map[int]banking.Account
}

// caseContext is one line with the cases that it may belong to, and what was requested of it.
type caseContext struct {
	pageContext
	banking.Line
	detail     banking.Detail
	statement  banking.Statement
	candidates []banking.Candidate
	asked      *approval.Approval // of the explanation; nil without one
	cause      banking.Cause
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "bank_line", Home: home}
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict { return cc.rights()[noun] }

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	if cc.Line, err = s.Banking.Line(ctxOf(r), id); err != nil {
		return cc, err
	}
	a, cause, asked, err := s.Banking.Explanation(ctxOf(r), cc.Line)
	if err != nil {
		return cc, err
	}
	if cc.cause = cause; asked {
		cc.asked = &a
	}
	if cc.pageContext, err = s.pageContext(r, cc.Line); err != nil {
		return cc, err
	}
	people := []*int64{cc.DecidedBy}
	if asked {
		people = append(people, &a.RequestedBy, a.SecondBy)
	}
	if err = cc.Know(s.Staff, people...); err != nil {
		return cc, err
	}
	details, err := s.details(r, cc.Line)
	if err != nil {
		return cc, err
	}
	cc.detail = details[0]
	if cc.statement, err = s.Banking.Statement(cc.Ctx, cc.StatementID); err != nil {
		return cc, err
	}
	if cc.State == banking.Unmatched {
		cc.candidates, err = s.Banking.Candidates(cc.Ctx, cc.Line)
	}
	return cc, err
}

// pageContext reads the bank accounts of lines that are shown together.
func (s Services) pageContext(r *desk.Request, _ ...banking.Line) (pc pageContext, err error) {
	pc = pageContext{PageContext: caseengine.NewPageContext(r, "case", nil, nil), may: r.May, accounts: map[int]banking.Account{}}
	accounts, err := s.Banking.Accounts(pc.Ctx)
	for _, a := range accounts {
		pc.accounts[a.ID] = a
	}
	return pc, err
}

func (s Services) counts(ctx context.Context) (map[string]int64, error) {
	counts, err := s.Banking.Counts(ctx)
	return map[string]int64{"": counts[string(banking.GroupSuggested)], tabUnclaimed: counts[string(banking.GroupUnclaimed)]}, err
}

// amount is the signed amount of a line with its currency.
func (pc pageContext) amount(l banking.Line) string {
	return ui.Signed(l.Amount) + " " + pc.accounts[l.AccountID].Currency
}

// caseNumber is the number of the case that a line may belong to.
func caseNumber(l banking.Line, id int64) string {
	if l.Credit() {
		return deposit.Deposit{ID: id}.Number()
	}
	return withdrawal.Withdrawal{ID: id}.Number()
}

// caseAddress is the address of the case that a line may belong to.
func caseAddress(l banking.Line, id int64) ui.Path {
	if l.Credit() {
		return ui.To("/admin/deposits/{}", id)
	}
	return ui.To("/admin/withdrawals/{}", id)
}

// matchedID is the id of the case that a line is matched with.
func matchedID(l banking.Line) int64 {
	switch {
	case l.DepositID != nil:
		return *l.DepositID
	case l.WithdrawalID != nil:
		return *l.WithdrawalID
	}
	return 0
}

func plain(value int64) string { return money.Format(value, money.Scale) }

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

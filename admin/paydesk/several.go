package paydesk

import (
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/withdrawal"
)

// mineLimit is how many claimed withdrawals are looked through for small ones.
const mineLimit = 50

// several lets a member approve the small withdrawals together that raise no question.
func (s Services) several() *caseengine.Several[caseContext, withdrawal.Withdrawal] {
	return &caseengine.Several[caseContext, withdrawal.Withdrawal]{
		StepUp: "withdrawal.approve", Noun: plain, Line: caseContext.line,
		Mine: func(r *desk.Request) ([]withdrawal.Withdrawal, error) {
			list, _, err := s.Withdrawals.Queue(r.Context.Request().Context(), withdrawal.Search{Claimant: r.Member.ID}, 0, mineLimit)
			return list, err
		},
	}
}

// plain is the approval that a small withdrawal of low risk to the trader's own account awaits; empty for any other. The end of an address is typed by each
// second approver, so that transfers of coins are approved alone then.
func plain(r *desk.Request, cc caseContext) string {
	amount := cc.dollars()
	if amount == 0 || amount > r.Small().Amount || cc.Risk >= riskMiddle || cc.RiskNow >= riskMiddle || len(cc.restrictions) > 0 || cc.Kind != withdrawal.Crypto && !cc.same {
		return ""
	}
	if cc.Right(nounApprove).OK {
		return nounApprove
	}
	if cc.Kind != withdrawal.Crypto && cc.Right(nounConfirm).OK {
		return nounConfirm
	}
	return ""
}

// line is a withdrawal in the dialog of several: the sum, and to whom.
func (cc caseContext) line() (title, facts string) {
	title = cc.Number() + " · " + cc.show.Sum(cc.Amount, cc.Currency)
	if cc.Kind == withdrawal.Crypto {
		return title, cc.T("withdrawal.several.coins", "trader", decimal(cc.TraderID), "address", fours(cc.Address), "points", cc.RiskNow)
	}
	return title, cc.T("withdrawal.several.bank", "trader", decimal(cc.TraderID), "holder", cc.Holder, "ending", cc.IBAN[max(0, len(cc.IBAN)-openLetters):], "points", cc.RiskNow)
}

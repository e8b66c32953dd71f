package bankdesk

import (
	"candor/admin/access"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/banking"
	"candor/app/platform/errs"
)

// The acts on a line, as addresses name them.
const (
	nounMatch    = "match"
	nounExplain  = "explanation"
	nounWithdraw = "withdrawal"
	nounRefuse   = "refusal"
	nounAgree    = "agreement"
)

// Refusals of the desk.
var (
	errMaker   = errs.New(errs.Forbidden, "bankline.role_maker")
	errChecker = errs.New(errs.Forbidden, "bankline.role_checker") // the second person's step
)

// rights are the member's rights on a line now.
func (cc caseContext) rights() caseengine.Rights {
	out := caseengine.Rights{}
	switch {
	case cc.State != banking.Unmatched:
	case cc.asked == nil:
		out[nounMatch], out[nounExplain] = caseengine.No(errMaker), caseengine.No(errMaker)
		if cc.may(access.StatementMatch) {
			out[nounMatch], out[nounExplain] = caseengine.May, caseengine.May
		}
	default:
		out[nounAgree], out[nounWithdraw], out[nounRefuse] = caseengine.No(errChecker), caseengine.Never(approval.ErrNotRequester), caseengine.Never(errChecker)
		mine := cc.asked.RequestedBy == cc.Me
		switch {
		case mine:
			out[nounAgree], out[nounRefuse] = caseengine.No(approval.ErrSamePerson), caseengine.Never(approval.ErrSamePerson)
			if cc.may(access.StatementMatch) {
				out[nounWithdraw] = caseengine.May
			}
		case cc.may(access.StatementConfirm):
			out[nounAgree], out[nounRefuse] = caseengine.May, caseengine.May
		}
	}
	return out
}

package adjustdesk

import (
	"candor/admin/access"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/ui"
)

// Refusals of the desk, in addition to those of the approval.
var (
	errChecker = errs.New(errs.Forbidden, "adjustment.role_checker") // the second person's step
	errLead    = errs.New(errs.Forbidden, "adjustment.role_lead")    // the third person's step
)

// rights are the member's rights on an adjustment now. A locked confirmation is shown with its reason; the acts that end a request are for whoever may do them.
func (pc pageContext) rights(a adjustment.Adjustment) caseengine.Rights {
	out := caseengine.Rights{}
	if !a.Undecided() {
		return out
	}
	out[nounWithdraw], out[nounRefuse] = caseengine.Never(approval.ErrNotRequester), caseengine.Never(errChecker)
	mine := a.RequestedBy == pc.Me
	switch {
	case mine && pc.may(access.AdjustmentAsk):
		out[nounWithdraw] = caseengine.May
		out[nounRefuse] = caseengine.Never(approval.ErrSamePerson)
	case pc.may(access.AdjustmentRefuse):
		out[nounRefuse] = caseengine.May
	}
	switch a.State {
	case approval.Requested:
		out[nounConfirm] = pc.step(a, access.AdjustmentConfirm, errChecker)
	case approval.Confirmed:
		out[nounThird] = pc.step(a, access.AdjustmentLead, errLead)
	}
	return out.Conflicting(pc.conflicts[a.TraderID], nounWithdraw)
}

// step is the verdict on an approval that a permission allows.
func (pc pageContext) step(a adjustment.Adjustment, p access.Permission, role error) caseengine.Verdict {
	switch {
	case !pc.may(p):
		return caseengine.No(role)
	case a.Decided(pc.Me):
		return caseengine.No(approval.ErrSamePerson)
	default:
		return caseengine.May
	}
}

// three reports whether the lead's approval is needed, or was.
func (pc pageContext) three(a adjustment.Adjustment) bool {
	return a.ThirdBy != nil || a.Undecided() && (a.People == 3 || a.Size() > pc.above)
}

// people are the circles of an adjustment: who asked, who confirmed, and who may confirm next.
func (pc pageContext) people(a adjustment.Adjustment) []ui.Person {
	rights := pc.rights(a)
	circle := func(who *int64, noun string) ui.Person {
		return pc.Circle(who, rights[noun], caseengine.Verdict{}, staff.Claim{})
	}
	people := []ui.Person{circle(&a.RequestedBy, "")}
	if !a.Undecided() && a.SecondBy == nil {
		return people
	}
	people = append(people, circle(a.SecondBy, nounConfirm))
	if pc.three(a) {
		people = append(people, circle(a.ThirdBy, nounThird))
	}
	return people
}

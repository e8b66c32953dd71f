package cashdesk

import (
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/deposit"
	"candor/app/platform/errs"
)

// Refusals of the desk, in addition to those of the deposit.
var (
	errRole    = errs.New(errs.Forbidden, "deposit.role")         // may view, not decide
	errMaker   = errs.New(errs.Forbidden, "deposit.role_maker")   // a step of the first person
	errChecker = errs.New(errs.Forbidden, "deposit.role_confirm") // the second person needs the right to confirm
)

// The acts decided in a dialog, as addresses name them.
const (
	nounApprove     = "approval"
	nounConfirm     = "confirmation"
	nounReject      = "rejection"
	nounAsk         = "question"
	nounMatch       = "statement"
	nounRecalculate = "reckoning"
)

// viewer is the signed-in member of staff, with the permissions that matter for deposits.
type viewer struct {
	id                            int64
	work, decide, confirm, refuse bool
	conflicts                     map[int64]error             // of interest, by trader
	reversals                     map[int64]approval.Approval // requested or given, by deposit
}

func newMember(r *desk.Request) viewer {
	return viewer{
		id: r.Member.ID, work: r.May(access.DepositWork), decide: r.May(access.DepositDecide), confirm: r.May(access.DepositConfirm), refuse: r.May(access.DepositRefuse),
	}
}

// readsBank reports whether the member may be the second person of a bank deposit: who proves by the bank's statement doesn't read the maker's typing first.
func (m viewer) readsBank(d deposit.Deposit) bool {
	return m.confirm && d.Kind == deposit.ByBank && d.State == deposit.Approved && d.MakerID != nil && *d.MakerID != m.id
}

// rights are the member's rights on a deposit now.
func (m viewer) rights(d deposit.Deposit, now time.Time) caseengine.Rights {
	if d.UnderReview() || d.Missing() {
		return m.twoPersonRights(d)
	}
	if d.Unclaimed() {
		return caseengine.Rights{nounMatch: m.first()}
	}
	if !d.Undecided() {
		return nil
	}
	acting := m.claimVerdict(d, now)
	out := caseengine.Rights{caseengine.Claim: acting}
	switch {
	case d.ClaimActiveBy(m.id, now):
		out = caseengine.Rights{caseengine.Release: caseengine.May}
	case acting.OK:
		acting = caseengine.No(deposit.ErrNotClaimed)
	}
	if d.ByProvider() {
		return providerRights(d, out, acting)
	}
	out[nounReject], out[nounAsk] = acting, acting
	if d.State == deposit.Approved {
		out[nounConfirm] = acting
	} else {
		out[nounApprove] = acting
	}
	return out
}

// first is the verdict on a step of the first person.
func (m viewer) first() caseengine.Verdict {
	switch {
	case !m.work:
		return caseengine.No(errRole)
	case !m.decide:
		return caseengine.No(errMaker)
	default:
		return caseengine.May
	}
}

// claimVerdict is the verdict on claiming: an unapproved deposit is for a maker, an approved one for another person who may confirm.
func (m viewer) claimVerdict(d deposit.Deposit, now time.Time) caseengine.Verdict {
	approved := d.State == deposit.Approved
	switch {
	case !approved && !m.decide:
		return m.first()
	case !m.work:
		return caseengine.No(errRole)
	case approved && d.MakerID != nil && *d.MakerID == m.id:
		return caseengine.No(deposit.ErrSelf)
	case approved && !m.confirm:
		return caseengine.No(errChecker)
	case d.ClaimActiveByOther(m.id, now):
		return caseengine.No(deposit.ErrClaimed)
	default:
		return caseengine.May
	}
}

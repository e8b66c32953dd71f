package kycdesk

import (
	"slices"
	"time"

	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/kyc"
	"candor/app/platform/errs"
)

// errPictureToken refuses a picture whose address was not issued to this member, or has expired.
var errPictureToken = errs.New(errs.Forbidden, "kyc.right")

// The acts on a case, as addresses and rights name them.
const (
	nounJudge    = "judgement"
	nounMatch    = "match" // of all fields without a mark
	nounAsk      = "question"
	nounApprove  = "approval"
	nounEscalate = "escalation"
	nounConfirm  = "confirmation"
	nounReject   = "rejection"
	nounRevoke   = "revocation"
	nounAskLevel = "level"
	nounGrant    = "grant"
	nounDecline  = "declination"
	nounLower    = "lowering"
)

// viewer is the signed-in member of staff, with the permissions that matter for cases.
type viewer struct {
	id                       int64
	decide, approve, confirm bool
	conflicts                map[int64]error             // of interest, by trader
	levels                   map[int64]approval.Approval // of the higher level, by application
}

// rights are the member's rights on a case now.
func (m viewer) rights(c kyc.Case, now time.Time) caseengine.Rights {
	a := c.Application
	if !a.Undecided() && (!a.Verified() || (!m.confirm && !a.LevelAsked())) {
		return nil
	}
	acting := m.claimVerdict(a, now)
	out := caseengine.Rights{caseengine.Claim: acting}
	switch {
	case a.ClaimActiveBy(m.id, now):
		out, acting = caseengine.Rights{caseengine.Release: caseengine.May}, caseengine.May
	case acting.OK:
		acting = caseengine.No(kyc.ErrNotClaimed)
	}
	if a.Verified() {
		m.level(out, a, acting)
		return out
	}
	accepting, matching := acting, acting
	if refusal := unapprovable(c); acting.OK && refusal != nil {
		accepting = caseengine.No(refusal)
	}
	if acting.OK && len(a.Marks.Unmarked()) == 0 {
		matching = caseengine.No(kyc.ErrMarked)
	}
	out[nounJudge], out[nounMatch], out[nounAsk] = acting, matching, acting
	if a.State == kyc.Escalated {
		out[nounReject], out[nounConfirm] = acting, accepting
	} else {
		out[nounEscalate], out[nounApprove] = acting, accepting
	}
	return out
}

// unapprovable is why a case can't be approved yet; nil if it can.
func unapprovable(c kyc.Case) error {
	switch {
	case c.Prohibited():
		return kyc.ErrProhibited
	case len(c.Marks.Differing()) > 0:
		return kyc.ErrMarks
	case slices.ContainsFunc(c.Documents, func(d kyc.Document) bool { return d.Decision != kyc.Accepted }):
		return kyc.ErrDocuments
	default:
		return c.Marks.Refusal()
	}
}

// level adds the rights on an approved application: a lead requests a level, a reviewer grants it, and both may decline it.
func (m viewer) level(out caseengine.Rights, a kyc.Application, acting caseengine.Verdict) {
	if m.confirm {
		out[nounRevoke] = acting
		if a.MayAskLevel() {
			out[nounAskLevel] = acting
		}
		if a.MayLowerLevel() {
			out[nounLower] = acting
		}
	}
	if !a.LevelAsked() {
		return
	}
	out[nounDecline] = acting
	if m.approve {
		if out[nounGrant] = acting; m.levels[a.ID].RequestedBy == m.id {
			out[nounGrant] = caseengine.No(kyc.ErrSelf)
		}
	}
}

// claimVerdict is the verdict on claiming: escalated and approved cases are for a lead, never for the first person; a case with a requested level is also for a
// reviewer.
func (m viewer) claimVerdict(a kyc.Application, now time.Time) caseengine.Verdict {
	first := a.State == kyc.Submitted || a.State == kyc.InReview
	switch {
	case !m.decide, first && !m.approve, !first && !m.confirm && (!m.approve || !a.LevelAsked()):
		return caseengine.No(kyc.ErrRole)
	case a.State == kyc.Escalated && a.MakerID != nil && *a.MakerID == m.id:
		return caseengine.No(kyc.ErrSelf)
	case a.ClaimActiveByOther(m.id, now):
		return caseengine.No(kyc.ErrClaimed)
	default:
		return caseengine.May
	}
}

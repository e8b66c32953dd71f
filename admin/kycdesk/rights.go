package kycdesk

import (
	"slices"
	"time"

	"candor/app/kyc"
	"candor/app/platform/errs"
)

// errRight is the refusal of a picture whose address is not, or no longer, one that its page has made for this member.
var errRight = errs.New(errs.Forbidden, "kyc.right")

// verdict says whether an act may be done, or why not. The zero value means that it is not offered at all.
type verdict struct {
	ok  bool
	why error
}

var may = verdict{ok: true}

func no(why error) verdict { return verdict{why: why} }

func (v verdict) offered() bool { return v.ok || v.why != nil }

// refusal is the error of an act that may not be done, nil for one that may.
func (v verdict) refusal() error {
	if !v.ok && v.why == nil {
		return kyc.ErrState
	}
	return v.why
}

// member is what counts of the member of staff who looks at a case.
type member struct {
	id                       int64
	decide, approve, confirm bool
}

// rights are what a member may do with a case now. The pages lock what they refuse, and the handlers refuse the same.
type rights struct{ claim, release, judge, ask, approve, escalate, confirm, reject, revoke verdict }

func (m member) rights(a kyc.Application, documents []kyc.Document, now time.Time) (out rights) {
	if !a.Undecided() && (!a.Standing() || !m.confirm) {
		return rights{}
	}
	taking := m.taking(a, now)
	acting := taking
	out.claim = taking
	switch {
	case a.HeldBy(m.id, now):
		out.claim, out.release, acting = verdict{}, may, may
	case taking.ok:
		acting = no(kyc.ErrNotClaimed)
	}
	accepting := acting
	if acting.ok && slices.ContainsFunc(documents, func(d kyc.Document) bool { return d.Decision != kyc.Accepted }) {
		accepting = no(kyc.ErrDocuments)
	}
	switch {
	case a.Standing():
		out.revoke = acting
	case a.State == kyc.Escalated:
		out.judge, out.ask, out.reject, out.confirm = acting, acting, acting, accepting
	default:
		out.judge, out.ask, out.escalate, out.approve = acting, acting, acting, accepting
	}
	return out
}

// taking says whether the case may be this member's: what is escalated or approved is the lead's, and never the first person's.
func (m member) taking(a kyc.Application, now time.Time) verdict {
	first := a.State == kyc.Submitted || a.State == kyc.InReview
	switch {
	case !m.decide, first && !m.approve, !first && !m.confirm:
		return no(kyc.ErrRole)
	case a.State == kyc.Escalated && a.MakerID != nil && *a.MakerID == m.id:
		return no(kyc.ErrSelf)
	case heldBySomebodyElse(a, m.id, now):
		return no(kyc.ErrClaimed)
	default:
		return may
	}
}

func heldBySomebodyElse(a kyc.Application, id int64, now time.Time) bool {
	return a.ClaimedBy != nil && *a.ClaimedBy != id && a.HeldBy(*a.ClaimedBy, now)
}

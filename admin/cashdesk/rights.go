package cashdesk

import (
	"time"

	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/app/platform/errs"
)

// Refusals of the desk, beside those of the deposit.
var (
	errRole    = errs.New(errs.Forbidden, "deposit.role")         // may look, not decide
	errChecker = errs.New(errs.Forbidden, "deposit.role_confirm") // the second person needs the right to confirm
)

// The acts that are decided in a dialog, as addresses name them.
const (
	nounApprove = "approval"
	nounConfirm = "confirmation"
	nounReject  = "rejection"
	nounAsk     = "question"
)

// member is what counts of the member of staff who looks at a deposit.
type member struct {
	id              int64
	decide, confirm bool
}

// rights are what a member may do with a deposit now.
func (m member) rights(d deposit.Deposit, now time.Time) casework.Rights {
	if d.Held() || d.Gone() {
		return m.pairRights(d)
	}
	if !d.Undecided() {
		return nil
	}
	acting := m.taking(d, now)
	out := casework.Rights{casework.Claim: acting}
	switch {
	case d.HeldBy(m.id, now):
		out = casework.Rights{casework.Release: casework.May}
	case acting.OK:
		acting = casework.No(deposit.ErrNotClaimed)
	}
	if d.Through() {
		return through(d, out, acting)
	}
	out[nounReject], out[nounAsk] = acting, acting
	if d.State == deposit.Approved {
		out[nounConfirm] = acting
	} else {
		out[nounApprove] = acting
	}
	return out
}

// taking says whether the deposit may be this member's: an approved one is for somebody else than its maker, who may confirm.
func (m member) taking(d deposit.Deposit, now time.Time) casework.Verdict {
	approved := d.State == deposit.Approved
	switch {
	case !m.decide:
		return casework.No(errRole)
	case approved && d.MakerID != nil && *d.MakerID == m.id:
		return casework.No(deposit.ErrSelf)
	case approved && !m.confirm:
		return casework.No(errChecker)
	case d.HeldByOther(m.id, now):
		return casework.No(deposit.ErrClaimed)
	default:
		return casework.May
	}
}

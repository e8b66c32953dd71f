package cashdesk

import (
	"time"

	"candor/app/deposit"
	"candor/app/platform/errs"
)

// Refusals of the desk, beside those of the deposit.
var (
	errRole    = errs.New(errs.Forbidden, "deposit.role")         // may look, not decide
	errChecker = errs.New(errs.Forbidden, "deposit.role_confirm") // the second person needs the right to confirm
)

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
		return deposit.ErrState
	}
	return v.why
}

// member is what counts of the member of staff who looks at a deposit.
type member struct {
	id              int64
	decide, confirm bool
}

// rights are what a member may do with a deposit now. The pages lock what they refuse, and the handlers refuse the same.
type rights struct{ claim, release, decline, approve, confirm verdict }

func (m member) rights(d deposit.Deposit, now time.Time) rights {
	if !d.Undecided() {
		return rights{}
	}
	taking := m.taking(d, now)
	acting := taking
	out := rights{claim: taking}
	switch {
	case d.HeldBy(m.id, now):
		out.claim, out.release = verdict{}, may
	case taking.ok:
		acting = no(deposit.ErrNotClaimed)
	}
	out.decline = acting
	if d.State == deposit.Approved {
		out.confirm = acting
	} else {
		out.approve = acting
	}
	return out
}

// taking says whether the deposit may be this member's: an approved one is for somebody else than its maker, who may confirm.
func (m member) taking(d deposit.Deposit, now time.Time) verdict {
	approved := d.State == deposit.Approved
	switch {
	case !m.decide:
		return no(errRole)
	case approved && d.MakerID != nil && *d.MakerID == m.id:
		return no(deposit.ErrSelf)
	case approved && !m.confirm:
		return no(errChecker)
	case heldBySomebodyElse(d, m.id, now):
		return no(deposit.ErrClaimed)
	default:
		return may
	}
}

func heldBySomebodyElse(d deposit.Deposit, id int64, now time.Time) bool {
	return d.ClaimedBy != nil && *d.ClaimedBy != id && d.HeldBy(*d.ClaimedBy, now)
}

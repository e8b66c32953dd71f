package paydesk

import (
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/withdrawal"
)

// Refusals of the desk, beside those of the withdrawal.
var (
	errRole    = errs.New(errs.Forbidden, "withdrawal.role")         // may look, not work
	errMaker   = errs.New(errs.Forbidden, "withdrawal.role_maker")   // a step of the first person
	errChecker = errs.New(errs.Forbidden, "withdrawal.role_checker") // a step of the second person
	errLead    = errs.New(errs.Forbidden, "withdrawal.role_lead")    // a step of the third person
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
		return withdrawal.ErrState
	}
	return v.why
}

// member is what counts of the member of staff who looks at a withdrawal.
type member struct {
	id                                   int64
	work, maker, checker, lead, complies bool
}

func newMember(r *desk.Request) member {
	return member{
		id: r.Member.ID, work: r.May(access.WithdrawalWork), maker: r.May(access.WithdrawalApprove), checker: r.May(access.WithdrawalConfirm),
		lead: r.May(access.WithdrawalLead), complies: r.May(access.WithdrawalFreeze),
	}
}

// step is an act that a state offers. Whoever has no power over it sees the main one of the state locked, and no other.
type step struct {
	noun  string
	power func(member) bool
	main  error // what the others are told; nil is not the main one
	free  bool  // needs no claim
	once  bool  // for somebody who has not approved it
}

func maker(m member) bool     { return m.maker }
func checker(m member) bool   { return m.checker }
func lead(m member) bool      { return m.lead }
func complies(m member) bool  { return m.complies }
func mayRecall(m member) bool { return m.checker || m.lead }
func freezing(s ...step) []step {
	return append(s, step{noun: nounFreeze, power: complies, free: true})
}

// steps are the acts that each state offers on the desk.
var steps = map[withdrawal.State][]step{
	withdrawal.Review: freezing(
		step{noun: nounApprove, power: maker, main: errMaker, once: true}, step{noun: nounAsk, power: maker}, step{noun: nounReject, power: maker}),
	withdrawal.MoreInfo: freezing(step{noun: nounReject, power: maker}),
	withdrawal.Approved1: freezing(
		step{noun: nounConfirm, power: checker, main: errChecker, once: true}, step{noun: nounReject, power: checker}, step{noun: nounRecall, power: mayRecall}),
	withdrawal.Approved2: freezing(
		step{noun: nounThird, power: lead, main: errLead, once: true}, step{noun: nounReject, power: checker}, step{noun: nounRecall, power: mayRecall}),
	withdrawal.Queued:     freezing(step{noun: nounSend, power: maker, main: errMaker}),
	withdrawal.Processing: {{noun: nounPaid, power: maker, main: errMaker}, {noun: nounUnknown, power: maker}},
	withdrawal.OutcomeUnknown: {
		{noun: nounFoundPaid, power: maker, main: errMaker}, {noun: nounFoundUnpaid, power: maker}, {noun: nounSettle, power: checker, main: errChecker},
	},
	withdrawal.Sent:   {{noun: nounBounce, power: maker}},
	withdrawal.Frozen: {{noun: nounThaw, power: complies, free: true}},
}

// rights are what a member may do with a withdrawal now, by the noun of the act. The pages lock what they refuse, and the handlers refuse the same.
type rights map[string]verdict

const (
	nounClaim   = "claim"
	nounRelease = "release"
)

func (m member) rights(w withdrawal.Withdrawal, now time.Time) rights {
	out, taking := rights{}, verdict{}
	held := w.HeldBy(m.id, now)
	for _, s := range steps[w.State] {
		if s.noun == nounBounce && w.Kind == withdrawal.OnChain {
			continue
		}
		v := m.able(w, s)
		if v.ok && !s.free {
			taking = may
			v = m.holding(w, now)
		} else if !v.ok && !taking.ok && v.why != nil {
			taking = v
		}
		out[s.noun] = v
	}
	switch {
	case held:
		out[nounRelease] = may
	case !m.work && taking.offered():
		out[nounClaim] = no(errRole)
	case taking.ok && heldBySomebodyElse(w, m.id, now):
		out[nounClaim] = no(withdrawal.ErrClaimed)
	default:
		out[nounClaim] = taking
	}
	return out
}

// able says whether a step is this member's, whoever has the claim.
func (m member) able(w withdrawal.Withdrawal, s step) verdict {
	settles := s.noun == nounSettle
	switch {
	case settles && w.OutcomePaid == nil:
		return verdict{}
	case !s.power(m) && s.main == nil:
		return verdict{}
	case !s.power(m) && !m.work:
		return no(errRole)
	case !s.power(m):
		return no(s.main)
	case s.once && w.Decided(m.id), settles && w.OutcomeBy != nil && *w.OutcomeBy == m.id:
		return no(withdrawal.ErrSelf)
	default:
		return may
	}
}

// holding says whether the member has the claim that a step needs.
func (m member) holding(w withdrawal.Withdrawal, now time.Time) verdict {
	switch {
	case w.HeldBy(m.id, now):
		return may
	case heldBySomebodyElse(w, m.id, now):
		return no(withdrawal.ErrClaimed)
	default:
		return no(withdrawal.ErrNotClaimed)
	}
}

func heldBySomebodyElse(w withdrawal.Withdrawal, id int64, now time.Time) bool {
	return w.ClaimedBy != nil && *w.ClaimedBy != id && w.HeldBy(*w.ClaimedBy, now)
}

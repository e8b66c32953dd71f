package paydesk

import (
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/platform/errs"
	"candor/app/withdrawal"
)

// Refusals of the desk, in addition to those of the withdrawal.
var (
	errRole    = errs.New(errs.Forbidden, "withdrawal.role")         // may view, not work
	errMaker   = errs.New(errs.Forbidden, "withdrawal.role_maker")   // a step of the first person
	errChecker = errs.New(errs.Forbidden, "withdrawal.role_checker") // a step of the second person
	errLead    = errs.New(errs.Forbidden, "withdrawal.role_lead")    // a step of the third person
)

// viewer is the signed-in member of staff, with the permissions that matter for withdrawals.
type viewer struct {
	id                                     int64
	work, maker, checker, lead, compliance bool
	refuse                                 bool                         // return the money
	conflicts                              map[int64]error              // of interest, by trader
	approvals                              map[int64]approval.Approval  // requested or given, by withdrawal
	findings                               map[int64]withdrawal.Finding // about unknown outcomes, by withdrawal
}

// first is who approved a withdrawal as the first person; nil while nobody has.
func (m viewer) first(w withdrawal.Withdrawal) *int64 {
	if a, requested := m.approvals[w.ID]; requested {
		return &a.RequestedBy
	}
	return nil
}

// second is who approved a withdrawal as the second person; nil while nobody has.
func (m viewer) second(w withdrawal.Withdrawal) *int64 { return m.approvals[w.ID].SecondBy }

// third is who approved a withdrawal as the third person; nil while nobody has.
func (m viewer) third(w withdrawal.Withdrawal) *int64 { return m.approvals[w.ID].ThirdBy }

// finder is who reported the outcome of a withdrawal; nil while nobody has.
func (m viewer) finder(w withdrawal.Withdrawal) *int64 {
	if finding, reported := m.findings[w.ID]; reported {
		return &finding.RequestedBy
	}
	return nil
}

func newMember(r *desk.Request) viewer {
	return viewer{
		id: r.Member.ID, work: r.May(access.WithdrawalWork), maker: r.May(access.WithdrawalApprove), checker: r.May(access.WithdrawalConfirm),
		lead: r.May(access.WithdrawalLead), compliance: r.May(access.WithdrawalFreeze), refuse: r.May(access.WithdrawalRefuse),
	}
}

// step is an act that a state offers. A member without its permission sees only the state's main step, locked.
type step struct {
	noun  string
	power func(viewer) bool
	main  error // the refusal for other members; nil if this is not the main step
	free  bool  // needs no claim
	once  bool  // only for a member who has not approved the withdrawal
}

func maker(m viewer) bool      { return m.maker }
func checker(m viewer) bool    { return m.checker }
func lead(m viewer) bool       { return m.lead }
func compliance(m viewer) bool { return m.compliance }
func works(m viewer) bool      { return m.work }
func refuses(m viewer) bool    { return m.refuse }
func mayRecall(m viewer) bool  { return m.checker || m.lead }
func freezing(s ...step) []step {
	return append(s, step{noun: nounFreeze, power: compliance, free: true})
}

// steps are the acts of each state on the desk.
var steps = map[withdrawal.State][]step{
	withdrawal.Review: freezing(
		step{noun: nounApprove, power: maker, main: errMaker, once: true}, step{noun: nounAsk, power: maker}, step{noun: nounReject, power: maker}),
	withdrawal.MoreInfo: freezing(step{noun: nounReject, power: maker}),
	withdrawal.Approved1: freezing(
		step{noun: nounConfirm, power: checker, main: errChecker, once: true}, step{noun: nounReject, power: checker}, step{noun: nounRecall, power: mayRecall}),
	withdrawal.Approved2: freezing(
		step{noun: nounThird, power: lead, main: errLead, once: true}, step{noun: nounReject, power: checker}, step{noun: nounRecall, power: mayRecall}),
	withdrawal.Queued:     freezing(step{noun: nounSend, power: maker, main: errMaker}, step{noun: nounBatch, power: maker}, step{noun: nounUnbatch, power: maker}),
	withdrawal.Processing: {{noun: nounPaid, power: maker, main: errMaker}, {noun: nounUnknown, power: maker}, {noun: nounEnquire, power: works, free: true}},
	withdrawal.OutcomeUnknown: {
		{noun: nounFoundPaid, power: maker, main: errMaker}, {noun: nounFoundUnpaid, power: maker}, {noun: nounSettle, power: checker, main: errChecker},
		{noun: nounEnquire, power: works, free: true},
	},
	withdrawal.Sent:   {{noun: nounCheck, power: checker, main: errChecker}, {noun: nounPayoutReturn, power: maker}},
	withdrawal.Frozen: {{noun: nounUnfreeze, power: compliance, free: true}, {noun: nounReject, power: refuses}},
}

// rights are the member's rights on a withdrawal now.
func (m viewer) rights(w withdrawal.Withdrawal, now time.Time) caseengine.Rights {
	out, claim := caseengine.Rights{}, caseengine.Verdict{}
	claimed := w.ClaimActiveBy(m.id, now)
	for _, s := range steps[w.State] {
		if !fits(s.noun, w) {
			continue
		}
		v := m.stepVerdict(w, s)
		if v.OK && !s.free {
			claim = caseengine.May
			v = m.hasClaim(w, now)
		} else if !v.OK && !claim.OK && v.Why != nil {
			claim = v
		}
		out[s.noun] = v
	}
	switch {
	case claimed:
		out[caseengine.Release] = caseengine.May
	case !m.work && claim.Offered():
		out[caseengine.Claim] = caseengine.No(errRole)
	case claim.OK && w.ClaimActiveByOther(m.id, now):
		out[caseengine.Claim] = caseengine.No(withdrawal.ErrClaimed)
	default:
		out[caseengine.Claim] = claim
	}
	return out
}

// fits reports whether a withdrawal of this kind has the act: no chain returns payments, and staff don't send what a provider sends.
func fits(noun string, w withdrawal.Withdrawal) bool {
	switch noun {
	case nounPayoutReturn:
		return w.Kind != withdrawal.Crypto
	case nounEnquire:
		return !w.ByHand()
	case nounSend, nounPaid: // what is in a batch is paid by its file
		return w.ByHand() && w.BatchID == nil
	case nounBatch:
		return w.ByHand() && w.BatchID == nil && w.Kind != withdrawal.Crypto
	case nounUnbatch:
		return w.BatchID != nil
	case nounCheck:
		return w.Confirmable()
	default:
		return w.ByHand() || !byHand(noun)
	}
}

// byHand reports whether an act sends a payment by hand, which staff do when there is no provider.
func byHand(noun string) bool { return noun == nounSend || noun == nounPaid || noun == nounUnknown }

// stepVerdict is the verdict on a step for this member, regardless of the claim.
func (m viewer) stepVerdict(w withdrawal.Withdrawal, s step) caseengine.Verdict {
	settles := s.noun == nounSettle
	switch {
	case settles && m.finder(w) == nil:
		return caseengine.Verdict{}
	case !s.power(m) && s.main == nil:
		return caseengine.Verdict{}
	case !s.power(m) && !m.work:
		return caseengine.No(errRole)
	case !s.power(m):
		return caseengine.No(s.main)
	case s.noun == nounCheck && w.SentBy != nil && *w.SentBy == m.id:
		return caseengine.No(withdrawal.ErrSender)
	case s.once && m.approvals[w.ID].Decided(m.id), settles && m.findings[w.ID].Decided(m.id):
		return caseengine.No(approval.ErrSamePerson)
	default:
		return caseengine.May
	}
}

// hasClaim is the verdict on whether the member has the claim that a step needs.
func (m viewer) hasClaim(w withdrawal.Withdrawal, now time.Time) caseengine.Verdict {
	switch {
	case w.ClaimActiveBy(m.id, now):
		return caseengine.May
	case w.ClaimActiveByOther(m.id, now):
		return caseengine.No(withdrawal.ErrClaimed)
	default:
		return caseengine.No(withdrawal.ErrNotClaimed)
	}
}

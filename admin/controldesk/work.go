package controldesk

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/support"
	"candor/app/withdrawal"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// The start page shows the first lines of each kind of work, from the first items that a queue returns.
const (
	workLines = 5
	workRead  = 50
)

// job is a waiting item, before the names for it are read.
type job struct {
	since    time.Time
	target   time.Duration
	number   string
	amount   int64
	currency string // empty if no money is involved
	signed   bool   // the amount may be positive or negative
	trader   int64  // 0 for a visitor of the chat
	href     ui.Path
	note     string
	who      *int64 // the person named in the note
}

// sum is the amount, exact or as a band according to the member's permission.
func (j job) sum(figures desk.Figures) string {
	switch {
	case j.currency == "":
		return ""
	case j.signed:
		return figures.Signed(j.amount) + " " + j.currency
	default:
		return figures.Sum(j.amount, j.currency)
	}
}

// work lists the waiting items by kind, of the kinds that the member works on.
func (s Services) work(r *desk.Request) (out []controlview.Work, err error) {
	for _, kind := range []struct {
		name  string
		works bool
		home  string
		list  func(*desk.Request) ([]job, error)
	}{
		{"second", true, "", s.secondJobs},
		{"unknown", r.May(access.WithdrawalWork) || r.May(access.DepositWork), "", s.unknownJobs},
		{"deposits", r.May(access.DepositDecide), "/admin/deposits", s.depositJobs},
		{"withdrawals", r.May(access.WithdrawalApprove), "/admin/withdrawals", s.withdrawalJobs},
		{"mine", r.May(access.IdentityDecide), "/admin/identity", s.claimedJobs},
		{"identity", r.May(access.IdentityDecide), "/admin/identity", s.identityJobs},
		{"chat", r.May(access.ChatAnswer), "/admin/chat", s.chatJobs},
	} {
		if !kind.works {
			continue
		}
		jobs, err := kind.list(r)
		if err != nil {
			return nil, err
		}
		if len(jobs) == 0 {
			continue
		}
		work, err := s.workView(r, kind.name, jobs)
		if err != nil {
			return nil, err
		}
		work.All = ui.To(kind.home)
		out = append(out, work)
	}
	return out, nil
}

// workView shows the first items, longest waiting first, with the names of the members who work on them.
func (s Services) workView(r *desk.Request, kind string, jobs []job) (controlview.Work, error) {
	slices.SortStableFunc(jobs, func(a, b job) int { return a.since.Compare(b.since) })
	jobs = jobs[:min(len(jobs), workLines)]
	work := controlview.Work{Title: word(r, "home.work."+kind), Note: word(r, "home.work."+kind+".note")}
	var people []int64
	for _, j := range jobs {
		if j.who != nil {
			people = append(people, *j.who)
		}
	}
	names, err := s.Staff.Names(ctxOf(r), people)
	if err != nil {
		return work, err
	}
	for _, j := range jobs {
		line := controlview.WorkLine{
			Due: ui.Waiting(ctxOf(r), j.since, r.Now(), j.target), Number: j.number, Href: j.href, Amount: j.sum(r.Figures()), Note: j.note,
		}
		if j.who != nil {
			line.Note = word(r, j.note, "name", names[*j.who])
		}
		if j.trader != 0 {
			line.Trader = strconv.FormatInt(j.trader, 10)
		}
		work.Money = work.Money || j.currency != ""
		work.Lines = append(work.Lines, line)
	}
	return work, nil
}

// secondJobs are the items that need the member as the second or third person.
func (s Services) secondJobs(r *desk.Request) (out []job, err error) {
	for _, kind := range []struct {
		works bool
		list  func(*desk.Request) ([]job, error)
	}{
		{r.May(access.DepositConfirm), s.approvedDeposits},
		{r.May(access.WithdrawalConfirm), s.approvedWithdrawals(withdrawal.Approved1)},
		{r.May(access.WithdrawalLead), s.approvedWithdrawals(withdrawal.Approved2)},
		{r.May(access.AdjustmentConfirm), s.askedAdjustments(approval.Requested)},
		{r.May(access.AdjustmentLead), s.askedAdjustments(approval.Confirmed)},
		{r.May(access.IdentityConfirm), s.escalatedIdentities},
	} {
		if !kind.works {
			continue
		}
		jobs, err := kind.list(r)
		if err != nil {
			return nil, err
		}
		out = append(out, jobs...)
	}
	return out, nil
}

func (s Services) approvedDeposits(r *desk.Request) (out []job, err error) {
	list, _, err := s.Deposits.Find(ctxOf(r), deposit.Search{State: deposit.Approved}, deposit.Cursor{}, workRead)
	for _, d := range list {
		if d.MakerID != nil && *d.MakerID != r.Member.ID {
			out = append(out, depositJob(d, "home.work.first", d.MakerID))
		}
	}
	return out, err
}

func (s Services) approvedWithdrawals(state withdrawal.State) func(*desk.Request) ([]job, error) {
	return func(r *desk.Request) (out []job, err error) {
		list, _, err := s.Withdrawals.Queue(ctxOf(r), withdrawal.Search{States: []withdrawal.State{state}}, 0, workRead)
		if err != nil {
			return nil, err
		}
		approvals, err := s.Withdrawals.Approvals(ctxOf(r), list...)
		for _, w := range list {
			if a := approvals[w.ID]; !a.Decided(r.Member.ID) {
				out = append(out, withdrawalJob(w, "home.work.first", &a.RequestedBy))
			}
		}
		return out, err
	}
}

func (s Services) askedAdjustments(state approval.State) func(*desk.Request) ([]job, error) {
	return func(r *desk.Request) (out []job, err error) {
		list, err := s.Adjustments.List(ctxOf(r), adjustment.Search{}, 0, workRead)
		for _, a := range list {
			if a.State == state && !a.Decided(r.Member.ID) {
				out = append(out, job{
					since: a.RequestedAt, target: adjustment.Target, number: a.Number(), amount: a.Amount, currency: a.Currency, signed: true, trader: a.TraderID,
					href: ui.To("/admin/adjustments/{}", a.ID), note: "home.work.first", who: &a.RequestedBy,
				})
			}
		}
		return out, err
	}
}

func (s Services) escalatedIdentities(r *desk.Request) (out []job, err error) {
	list, err := s.Identities.Queue(ctxOf(r), kyc.Filter{State: kyc.Escalated, Limit: workRead})
	for _, a := range list {
		if a.MakerID != nil && *a.MakerID != r.Member.ID {
			out = append(out, identityJob(a, "home.work.first", a.MakerID))
		}
	}
	return out, err
}

// unknownJobs are payments with an unknown outcome.
func (s Services) unknownJobs(r *desk.Request) (out []job, err error) {
	if r.May(access.WithdrawalWork) {
		list, _, err := s.Withdrawals.Queue(ctxOf(r), withdrawal.Search{States: []withdrawal.State{withdrawal.OutcomeUnknown}}, 0, workRead)
		if err != nil {
			return nil, err
		}
		for _, w := range list {
			out = append(out, withdrawalJob(w, word(r, "withdrawal.chip."+string(w.State)), nil))
		}
	}
	if !r.May(access.DepositWork) {
		return out, nil
	}
	list, _, err := s.Deposits.Find(ctxOf(r), deposit.Search{State: deposit.ProviderUnknown}, deposit.Cursor{}, workRead)
	for _, d := range list {
		out = append(out, depositJob(d, word(r, "deposit.chip."+string(d.State)), nil))
	}
	return out, err
}

// depositJobs are the deposits that wait for the first person.
func (s Services) depositJobs(r *desk.Request) (out []job, err error) {
	list, _, err := s.Deposits.Find(ctxOf(r), deposit.Search{}, deposit.Cursor{}, workRead)
	for _, d := range list {
		if d.Undecided() && d.State != deposit.Approved && d.State != deposit.ProviderUnknown {
			note, who := assignee(r, d.ClaimedBy, d.ClaimActiveBy)
			out = append(out, depositJob(d, note, who))
		}
	}
	return out, err
}

func (s Services) withdrawalJobs(r *desk.Request) (out []job, err error) {
	list, _, err := s.Withdrawals.Queue(ctxOf(r), withdrawal.Search{States: []withdrawal.State{withdrawal.Review}}, 0, workRead)
	for _, w := range list {
		note, who := assignee(r, w.ClaimedBy, w.ClaimActiveBy)
		out = append(out, withdrawalJob(w, note, who))
	}
	return out, err
}

// claimedJobs are the cases that the member has claimed.
func (s Services) claimedJobs(r *desk.Request) (out []job, err error) {
	list, err := s.Identities.Queue(ctxOf(r), kyc.Filter{State: kyc.InReview, Limit: workRead})
	for _, a := range list {
		if a.ClaimActiveBy(r.Member.ID, r.Now()) {
			out = append(out, identityJob(a, word(r, "home.work.until", "at", at(r, *a.ClaimedUntil)), nil))
		}
	}
	return out, err
}

// identityJobs are the unclaimed cases.
func (s Services) identityJobs(r *desk.Request) (out []job, err error) {
	list, err := s.Identities.Queue(ctxOf(r), kyc.Filter{State: kyc.Submitted, Limit: workLines})
	for _, a := range list {
		out = append(out, identityJob(a, word(r, "identity.type."+cmp.Or(string(a.DocumentType), "none")), nil))
	}
	return out, err
}

// chatJobs are the customers who wait for an answer from the member, or from any agent.
func (s Services) chatJobs(r *desk.Request) (out []job, err error) {
	list, err := s.Chat.Inbox(ctxOf(r), support.Filter{})
	if err != nil {
		return nil, err
	}
	rules, err := s.Chat.Rules(ctxOf(r))
	for _, c := range list {
		if c.WaitingSince == nil || c.State == support.Snoozed || c.AgentID != nil && *c.AgentID != r.Member.ID {
			continue
		}
		j := job{
			since: r.Now().Add(-rules.Hours.For(c.Language).Worked(*c.WaitingSince, r.Now())), number: word(r, "home.work.conversation", "number", c.ID), href: ui.To("/admin/chat/{}", c.ID),
			note: word(r, "chat.state."+string(c.State)),
		}
		if clock, runs := rules.Clock(c.Conversation, r.Now()); runs { // since as long as the clock of support hours has run
			j.since, j.target = r.Now().Add(-clock.Spent), clock.Limit
		}
		switch {
		case c.AgentID != nil:
			j.note = word(r, "home.work.yours")
		case c.State == support.Queued:
			j.note = word(r, "home.work.nobody")
		}
		if c.TraderID != nil {
			j.trader = *c.TraderID
		}
		out = append(out, j)
	}
	return out, err
}

// assignee names the member who works on an item, or says that no member does.
func assignee(r *desk.Request, who *int64, claimed func(id int64, now time.Time) bool) (string, *int64) {
	if who != nil && claimed(*who, r.Now()) {
		return "home.work.held", who
	}
	return word(r, "home.work.nobody"), nil
}

func depositJob(d deposit.Deposit, note string, who *int64) job {
	j := job{
		since: d.CreatedAt, target: deposit.Target, number: d.Number(), amount: d.Amount, currency: d.Currency, trader: d.TraderID, href: ui.To("/admin/deposits/{}", d.ID),
		note: note, who: who,
	}
	if d.ProofAt != nil {
		j.since = *d.ProofAt
	}
	return j
}

func withdrawalJob(w withdrawal.Withdrawal, note string, who *int64) job {
	return job{
		since: w.MovedAt, target: w.DueAt().Sub(w.MovedAt), number: w.Number(), amount: w.Amount, currency: w.Currency, trader: w.TraderID,
		href: ui.To("/admin/withdrawals/{}", w.ID), note: note, who: who,
	}
}

func identityJob(a kyc.Application, note string, who *int64) job {
	j := job{since: a.CreatedAt, target: kyc.Target, number: a.Number(), trader: a.TraderID, href: ui.To("/admin/identity/{}", a.ID), note: note, who: who}
	if since := a.WaitingSince(); since != nil {
		j.since = *since
	}
	return j
}

// books shows the last reconciliation and its result.
func (s Services) books(r *desk.Request) ([]ui.Fact, error) {
	if s.Books == nil || !r.May(access.ReconciliationView) {
		return nil, nil
	}
	last, err := s.Books.List(ctxOf(r), 0, 1)
	if err != nil {
		return nil, err
	}
	if len(last) == 0 {
		return []ui.Fact{{Label: word(r, "home.books.proved"), Value: word(r, "health.books_never"), Tone: ui.ToneWarning}}, nil
	}
	state := ui.Fact{Label: word(r, "home.books.state"), Value: word(r, "home.books.right"), Tone: ui.ToneSuccess}
	if last[0].Wrong != nil {
		state.Value, state.Tone = word(r, "home.books.wrong", "table", last[0].Wrong.Table, "row", last[0].Wrong.Row), ui.ToneError
	}
	facts := []ui.Fact{state, {Label: word(r, "home.books.proved"), Value: at(r, last[0].At)}}
	outside, err := s.outside(r)
	return append(facts, outside...), err
}

// outside is the difference between books and bank by currency, for members who may see statements.
func (s Services) outside(r *desk.Request) (facts []ui.Fact, err error) {
	if s.Banking == nil || !r.May(access.StatementView) {
		return nil, nil
	}
	apart, err := keep(s.keeper, r.Now(), "outside", keepBalance, func() (map[string]int64, error) { return s.apart(ctxOf(r)) })
	if err != nil {
		return nil, err
	}
	for _, currency := range slices.Sorted(maps.Keys(apart)) {
		fact := ui.Fact{Label: word(r, "home.books.outside"), Value: ui.Signed(apart[currency]) + " " + currency}
		if apart[currency] != 0 {
			fact.Tone = ui.ToneWarning
		}
		facts = append(facts, fact)
	}
	return facts, nil
}

// apart adds up the differences between books and bank by currency.
func (s Services) apart(ctx context.Context) (map[string]int64, error) {
	balances, err := s.Banking.Balances(ctx)
	if err != nil {
		return nil, err
	}
	accounts, err := s.Banking.Accounts(ctx)
	apart := map[string]int64{}
	for _, account := range accounts {
		if balance, has := balances[account.ID]; has {
			apart[account.Currency] += balance.Difference()
		}
	}
	return apart, err
}

package paydesk

import (
	"context"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// ended is the tab of ended withdrawals, which are not part of the queue.
const ended = "ended"

// tabs are the parts of the list, in the order of the work, and the states that they show.
var (
	tabs = []caseengine.Tab{
		{Label: "withdrawal.tab.all"},
		{Name: "approve", Label: "withdrawal.tab.approve"}, {Name: "second", Label: "withdrawal.tab.second"}, {Name: "lead", Label: "withdrawal.tab.lead"},
		{Name: "send", Label: "withdrawal.tab.send"}, {Name: "sending", Label: "withdrawal.tab.sending"}, {Name: "unknown", Label: "withdrawal.tab.unknown", Icon: ui.IconQuestion},
		{Name: "frozen", Label: "withdrawal.tab.frozen"}, {Name: "sent", Label: "withdrawal.tab.sent"}, {Name: ended, Label: "withdrawal.tab.ended", Over: true},
	}
	tabStates = map[string]withdrawal.State{
		"approve": withdrawal.Review, "second": withdrawal.Approved1, "lead": withdrawal.Approved2, "send": withdrawal.Queued, "sending": withdrawal.Processing,
		"unknown": withdrawal.OutcomeUnknown, "frozen": withdrawal.Frozen, "sent": withdrawal.Sent,
	}
)

const (
	longestWait    = 60 * 24 * 365 // minutes
	longestPayment = 66            // the hash of a transaction
)

// list declares the list: the queue by the next step of the work, and ended withdrawals.
func (s Services) list() caseengine.List[withdrawal.Withdrawal] {
	return caseengine.List[withdrawal.Withdrawal]{
		Name: "withdrawals", Letters: "WD-", Target: "withdrawal", Texts: "withdrawal", Icon: ui.IconOut, View: access.WithdrawalView, Work: access.WithdrawalWork, Audit: s.Audit,
		Tabs: tabs, Filters: filters(), Counts: s.counts, Find: s.find, Rows: s.rows, Figure: s.underWay,
		ID:   func(w withdrawal.Withdrawal) int64 { return w.ID },
		File: caseengine.File[withdrawal.Withdrawal]{Permission: access.WithdrawalExport, Columns: fileColumns, Cells: s.cells},
	}
}

// filters are the list's filters: ended withdrawals don't wait, but have an outcome.
func filters() []caseengine.Filter {
	onEnded := func(tab string) bool { return tab == ended }
	open := func(tab string) bool { return tab != ended }
	named := func(name string) func(*desk.Request, string) string {
		return func(r *desk.Request, value string) string {
			return r.Word("withdrawal.filter."+name+".set", "value", value)
		}
	}
	return []caseengine.Filter{
		caseengine.Number("risk", 100).Shown(named("risk")),
		caseengine.Number("waiting", longestWait).Only(open).Shown(func(r *desk.Request, value string) string {
			minutes, _ := strconv.Atoi(value)
			return named("waiting")(r, ui.Age(r.Context.Request().Context(), time.Duration(minutes)*time.Minute))
		}),
		caseengine.OneOf("outcome", withdrawal.EndedStates, func(r *desk.Request, state withdrawal.State) string {
			return r.Word("withdrawal.chip." + string(state))
		}).Only(onEnded),
		caseengine.Mine().Only(open), caseengine.Largest().Only(open), caseengine.Least(), caseengine.Number("trader", caseengine.LastID),
		caseengine.CaseNumber("number", "WD-").Shown(named("number")),
		caseengine.Text("payment", longestPayment, short),
		caseengine.OneOf("kind", withdrawal.Kinds, func(r *desk.Request, kind withdrawal.Kind) string { return r.Word("withdrawal.kind." + string(kind)) }),
		caseengine.OneOf("chain", chains(), func(_ *desk.Request, chain string) string { return payee.ChainName(chain) }),
		caseengine.Text("address", longestPayment, payee.Typed).Shown(func(_ *desk.Request, value string) string { return shortened(value) }),
		caseengine.Day("from"), caseengine.Day("to"),
	}
}

// chains are the ids of the chains for withdrawals.
func chains() (ids []string) {
	for _, c := range payee.Chains() {
		ids = append(ids, c.ID)
	}
	return ids
}

func short(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > longestPayment || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return text
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]withdrawal.Withdrawal, caseengine.Cursor, error) {
	q := withdrawal.Search{
		Risk: int(sel.Number("risk")), Waiting: time.Duration(sel.Number("waiting")) * time.Minute, TraderID: sel.Number("trader"), ID: sel.Number("number"), Payment: sel.Value("payment"),
		Kind: withdrawal.Kind(sel.Value("kind")), Chain: sel.Value("chain"), Address: sel.Value("address"), Ended: sel.Tab() == ended,
	}
	q.Largest, q.Least = sel.Value("order") != "", sel.Amount("least")
	if sel.Value("mine") != "" {
		q.Claimant = r.Member.ID
	}
	if state := tabStates[sel.Tab()]; state != "" {
		q.States = []withdrawal.State{state}
	}
	if outcome := sel.Value("outcome"); outcome != "" {
		q.States = []withdrawal.State{withdrawal.State(outcome)}
	}
	q.From, q.To = sel.Days(r.Zone())
	list, next, err := s.Withdrawals.Queue(r.Context.Request().Context(), q, after.ID, limit)
	return list, caseengine.Cursor{ID: next}, err
}

// counts are the numbers on the tabs.
func (s Services) counts(ctx context.Context) (map[string]int64, error) {
	byState, err := s.Withdrawals.Counts(ctx)
	counts := map[string]int64{}
	for _, n := range byState {
		counts[""] += n
	}
	for tab, state := range tabStates {
		counts[tab] = byState[state]
	}
	return counts, err
}

// underWay is the sum that has left traders' accounts, beside the title.
func (s Services) underWay(r *desk.Request) (label, value string, err error) {
	sum, more, err := s.Withdrawals.UnderWay(r.Context.Request().Context())
	if value = r.Figures().Sum(sum, ledger.Currency); more {
		value = r.Word("withdrawal.held.more", "amount", value)
	}
	return r.Word("withdrawal.held"), value, err
}

// rows shows withdrawals in the list.
func (s Services) rows(r *desk.Request, list []withdrawal.Withdrawal) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, list...)
	rows := make([]caseengine.Row, len(list))
	for i, w := range list {
		rows[i] = caseengine.Row{QueueRowView: pc.row(w), Asked: w.State == withdrawal.MoreInfo}
	}
	return rows, err
}

// row is a withdrawal's row in the list.
func (pc pageContext) row(w withdrawal.Withdrawal) ui.QueueRowView {
	return ui.QueueRowView{
		Title: w.Number(), Sub: decimal(w.TraderID), Flags: []ui.ChipView{pc.risk(w)}, Text: pc.rowAmount(w), Strong: true, State: pc.chip(w), Due: pc.due(w), Note: pc.note(w),
		People: pc.people(w), Owner: pc.Owner(w.Claim), Claim: pc.ClaimInRow(pc.rights(w), about(w)),
	}
}

// Points from which a risk is shown in amber and in red.
const (
	riskMiddle = 30
	riskHigh   = 60
)

// risk is a chip with the points, and the reasons on hover.
func (pc pageContext) risk(w withdrawal.Withdrawal) ui.ChipView {
	chip := ui.ChipView{Label: pc.T("withdrawal.risk.points", "points", w.Risk), Title: strings.Join(pc.risks(w), ", ")}
	switch {
	case w.Risk >= riskHigh:
		chip.Tone = ui.ToneError
	case w.Risk >= riskMiddle:
		chip.Tone = ui.ToneWarning
	}
	return chip
}

// risks are the texts of the reasons for the points.
func (pc pageContext) risks(w withdrawal.Withdrawal) (words []string) {
	for code := range strings.SplitSeq(w.RiskReasons, ",") {
		if code != "" {
			words = append(words, pc.T("withdrawal.risk."+code))
		}
	}
	return words
}

// due is how long the trader has waited; its colour shows whether the current step is in time.
func (pc pageContext) due(w withdrawal.Withdrawal) *ui.DueView {
	switch {
	case w.State == withdrawal.MoreInfo:
		return &ui.DueView{Text: pc.T("case.waits.trader"), NoIcon: true}
	case w.EndedAt != nil:
		return &ui.DueView{Text: pc.At(*w.EndedAt), NoIcon: true}
	case w.State == withdrawal.Sent:
		return &ui.DueView{Text: pc.At(*w.SentAt), NoIcon: true}
	}
	due := ui.Waiting(pc.Ctx, w.MovedAt, pc.Now, w.DueAt().Sub(w.MovedAt))
	due.Since, due.Text = w.CreatedAt, ui.Age(pc.Ctx, pc.Now.Sub(w.CreatedAt))
	return &due
}

// chip shows a withdrawal's state.
func (pc pageContext) chip(w withdrawal.Withdrawal) *ui.ChipView {
	chip := looks[w.State]
	chip.Label = pc.T("withdrawal.chip." + string(w.State))
	return &chip
}

// looks are the chips of the states.
var looks = map[withdrawal.State]ui.ChipView{
	withdrawal.Review:         {Icon: ui.IconClock},
	withdrawal.MoreInfo:       {Icon: ui.IconRetry},
	withdrawal.Approved1:      {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	withdrawal.Approved2:      {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	withdrawal.Queued:         {Tone: ui.ToneInfo, Icon: ui.IconOut},
	withdrawal.Processing:     {Tone: ui.ToneInfo, Icon: ui.IconSend},
	withdrawal.Sent:           {Tone: ui.ToneInfo, Icon: ui.IconBank},
	withdrawal.Completed:      {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	withdrawal.Cancelled:      {Icon: ui.IconClose},
	withdrawal.Rejected:       {Tone: ui.ToneError, Icon: ui.IconClose},
	withdrawal.Failed:         {Tone: ui.ToneError, Icon: ui.IconUndo},
	withdrawal.Returned:       {Tone: ui.ToneError, Icon: ui.IconUndo},
	withdrawal.Frozen:         {Tone: ui.ToneError, Icon: ui.IconLock},
	withdrawal.OutcomeUnknown: {Tone: ui.ToneError, Icon: ui.IconQuestion},
}

// note is the third line of a row: the most important fact to know before opening it.
func (pc pageContext) note(w withdrawal.Withdrawal) string {
	reasons := pc.risks(w)
	switch {
	case w.ClaimActiveBy(pc.Me, pc.Now):
		return pc.T("case.note.mine", "until", pc.At(*w.ClaimedUntil))
	case w.ClaimActiveByOther(pc.Me, pc.Now):
		return pc.T("case.note.theirs", "name", pc.Name(w.ClaimedBy))
	case pc.me.finder(w) != nil && w.State == withdrawal.OutcomeUnknown:
		found, _ := pc.found(w)
		return found
	case w.Mismatches > 0 && w.State == withdrawal.Sent:
		return pc.T("withdrawal.note.mismatch", "count", w.Mismatches)
	case w.State == withdrawal.Sent && w.Confirmable():
		return pc.T("withdrawal.note.sent", "name", pc.Name(w.SentBy))
	case w.State == withdrawal.Queued && w.BatchID != nil:
		return pc.T("withdrawal.note.batch", "batch", batchNumber(w.BatchID))
	case w.State == withdrawal.Frozen || w.State == withdrawal.MoreInfo:
		return pc.reason(w.Reason)
	case w.Answer != "" && w.State == withdrawal.Review:
		return pc.T("withdrawal.note.answered")
	case len(reasons) == 0:
		return pc.T("withdrawal.risk.none")
	default:
		return reasons[0]
	}
}

// found is what somebody reported about an outcome, with the payment if it was paid; empty while nobody has.
func (pc pageContext) found(w withdrawal.Withdrawal) (text string, payment *string) {
	finder := pc.me.finder(w)
	if finder == nil {
		return "", nil
	}
	if payment = pc.me.findings[w.ID].Payment; payment == nil {
		return pc.T("withdrawal.found.unpaid", "name", pc.Name(finder)), nil
	}
	return pc.T("withdrawal.found.paid", "name", pc.Name(finder)), payment
}

// people are the circles of a withdrawal: who approved, and who may.
func (pc pageContext) people(w withdrawal.Withdrawal) []ui.Person {
	first, second, third := pc.me.first(w), pc.me.second(w), pc.me.third(w)
	if w.Ended() && first == nil {
		return nil
	}
	rights := pc.rights(w)
	circle := func(who *int64, noun string) ui.Person {
		act, asked := rights[noun]
		claim := caseengine.Verdict{OK: asked && rights[caseengine.Claim].OK}
		return pc.Circle(who, act, claim, w.Claim)
	}
	people := []ui.Person{circle(first, nounApprove), circle(second, nounConfirm)}
	if third != nil || w.State == withdrawal.Approved2 || second == nil && (w.Amount > pc.above || pc.me.approvals[w.ID].People > 2) {
		people = append(people, circle(third, nounThird))
	}
	return people
}

// target is how many hours the current step may take.
func target(w withdrawal.Withdrawal) int { return int(w.DueAt().Sub(w.MovedAt) / time.Hour) }

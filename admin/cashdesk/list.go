package cashdesk

import (
	"context"
	"math"
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/templates/ui"
)

// The tabs beside those of the kinds.
const (
	expected = "expected" // announced transfers without a proof
	ended    = "ended"
)

var kinds = []deposit.Kind{deposit.ByBank, deposit.ThirdParty, deposit.OTC, deposit.Crypto}

func onEnded(tab string) bool { return tab == ended }

func waits(tab string) bool { return tab != ended && tab != expected }

// list declares the list: the queue by kind of channel, and ended deposits.
func (s Services) list() caseengine.List[deposit.Deposit] {
	tabs := []caseengine.Tab{{Label: "deposit.tab.all"}}
	for _, kind := range kinds {
		tabs = append(tabs, caseengine.Tab{Name: kind, Label: "deposit.tab." + kind})
	}
	return caseengine.List[deposit.Deposit]{
		Name: "deposits", Letters: "DP-", Target: "deposit", Texts: "deposit", Icon: ui.IconIn, View: access.DepositView, Work: access.DepositWork, Split: true,
		Keys: []ui.KeyHint{{Keys: []string{"N"}, Label: "deposit.keys.ask"}}, Audit: s.Audit,
		Tabs: append(tabs, caseengine.Tab{Name: expected, Label: "deposit.tab.expected"}, caseengine.Tab{Name: ended, Label: "deposit.tab.ended", Over: true}),
		Filters: []caseengine.Filter{
			caseengine.OneOf("state", deposit.WaitingStates, stateName).Only(waits),
			caseengine.OneOf("outcome", deposit.EndedStates, stateName).Only(onEnded),
			caseengine.OneOf("kind", kinds, func(r *desk.Request, kind deposit.Kind) string { return r.Word("deposit.tab." + kind) }).Only(onEnded),
			caseengine.Mine().Only(waits), {Name: "channel", Read: readChannel, Choices: s.channels}, caseengine.Least(), caseengine.Number("trader", caseengine.LastID), caseengine.Text("q", 20, readNumber), caseengine.Day("from"), caseengine.Day("to"),
		},
		Order: "deposit.queue.order", Counts: s.counts, Hidden: s.hidden, Find: s.find, Rows: s.rows,
		ID:   func(d deposit.Deposit) int64 { return d.ID },
		File: caseengine.File[deposit.Deposit]{Permission: access.DepositExport, Columns: fileColumns, Cells: s.cells},
	}
}

// channels are the ways to pay in by name; what can't be read is no choice.
func (s Services) channels(r *desk.Request) (out []caseengine.Choice) {
	list, err := s.Deposits.AllChannels(r.Context.Request().Context())
	if err != nil {
		return nil
	}
	for _, c := range list {
		out = append(out, caseengine.Choice{Value: strconv.Itoa(c.ID), Label: c.Name})
	}
	return out
}

// readChannel reads the id of a channel.
func readChannel(text string) string {
	if id := caseengine.Numbered(text, ""); id > 0 && id <= math.MaxInt32 {
		return strconv.FormatInt(id, 10)
	}
	return ""
}

func stateName(r *desk.Request, state deposit.State) string {
	return r.Word("deposit.chip." + string(state))
}

// readNumber reads the number of a deposit, or the reference that its transfer names.
func readNumber(text string) string {
	if id := caseengine.Numbered(text, "DP-"); id != 0 {
		return number(id)
	}
	reference, _ := deposit.ReadReference(text)
	return reference
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]deposit.Deposit, caseengine.Cursor, error) {
	q := deposit.Search{Ended: sel.Tab() == ended, Expected: sel.Tab() == expected, Kind: sel.Tab(), State: deposit.State(sel.Value("state") + sel.Value("outcome"))}
	if q.Ended || q.Expected {
		q.Kind = sel.Value("kind")
	}
	if q.ID = caseengine.Numbered(sel.Value("q"), "DP-"); q.ID == 0 {
		q.Reference = sel.Value("q")
	}
	q.From, q.To = sel.Days(r.Zone())
	q.ChannelID = sel.Number("channel")
	if q.TraderID, q.Least = sel.Number("trader"), sel.Amount("least"); sel.Value("mine") != "" {
		q.Claimant = r.Member.ID
	}
	list, next, err := s.Deposits.Find(r.Context.Request().Context(), q, deposit.Cursor(after), limit)
	return list, caseengine.Cursor(next), err
}

// counts are the numbers on the tabs.
func (s Services) counts(ctx context.Context) (map[string]int64, error) {
	n, _, err := s.Deposits.CountWaiting(ctx)
	return map[string]int64{"": n}, err
}

// hidden hides the tabs of kinds without a channel, and those of all kinds if there is only one.
func (s Services) hidden(ctx context.Context) (func(string) bool, error) {
	offered, err := s.Deposits.Kinds(ctx)
	return func(tab string) bool {
		return tab != "" && tab != ended && tab != expected && (len(offered) < 2 || !slices.Contains(offered, tab))
	}, err
}

// rows shows deposits in the list.
func (s Services) rows(r *desk.Request, list []deposit.Deposit) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, list...)
	rows := make([]caseengine.Row, len(list))
	for i, d := range list {
		rows[i] = caseengine.Row{QueueRowView: pc.row(d), Asked: d.State == deposit.MoreInfo}
	}
	return rows, err
}

// row is a deposit's row in the list.
func (pc pageContext) row(d deposit.Deposit) ui.QueueRowView {
	sum := d.Amount
	if d.Received != nil {
		sum = *d.Received
	}
	row := ui.QueueRowView{
		Title: d.Number(), Sub: strconv.FormatInt(d.TraderID, 10), Text: amount(sum, d.Currency), Strong: true, State: pc.chip(d), Due: pc.due(d), Note: pc.note(d), Owner: pc.Owner(d.Claim),
		Claim: pc.ClaimInRow(pc.rights(d), about(d)),
	}
	if d.State == deposit.Approved || d.UnderReview() {
		row.People = pc.people(d)
	}
	return row
}

// due is the clock of a deposit: it runs while the desk has to act.
func (pc pageContext) due(d deposit.Deposit) *ui.DueView {
	switch {
	case d.State == deposit.MoreInfo || d.State == deposit.AwaitingTransfer:
		return &ui.DueView{Text: pc.T("case.waits.trader"), NoIcon: true}
	case d.Undecided() && d.ProofAt != nil:
		due := ui.Waiting(pc.Ctx, *d.ProofAt, pc.Now, deposit.Target)
		return &due
	case d.DecidedAt != nil:
		return &ui.DueView{Text: pc.At(*d.DecidedAt), NoIcon: true}
	default:
		return nil
	}
}

// chip shows a deposit's state. A repeated picture takes precedence until a member has decided.
func (pc pageContext) chip(d deposit.Deposit) *ui.ChipView {
	if d.Missing() {
		return &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconUndo, Label: pc.T("deposit.chip.gone")}
	}
	if pc.repeated[d.ID] != 0 && d.Undecided() && d.State != deposit.Approved {
		return &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconWarning, Label: pc.T("deposit.chip.repeated")}
	}
	if d.MatchedFromStatement() && d.State == deposit.InReview {
		return &ui.ChipView{Icon: ui.IconSearch, Label: pc.T("deposit.chip.taken_up")}
	}
	chip := looks[d.State]
	chip.Label = pc.T("deposit.chip." + string(d.State))
	return &chip
}

// looks are the chips of the states.
var looks = map[deposit.State]ui.ChipView{
	deposit.AwaitingTransfer: {Icon: ui.IconClock},
	deposit.ProofSubmitted:   {Icon: ui.IconDocument},
	deposit.InReview:         {Icon: ui.IconDocument},
	deposit.MoreInfo:         {Icon: ui.IconRetry},
	deposit.Approved:         {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	deposit.Credited:         {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	deposit.Rejected:         {Tone: ui.ToneError, Icon: ui.IconClose},
	deposit.Expired:          {Icon: ui.IconClock},
	deposit.Cancelled:        {Icon: ui.IconClose},
	deposit.Created:          {Icon: ui.IconClock},
	deposit.Redirected:       {Icon: ui.IconClock},
	deposit.ProviderPending:  {Icon: ui.IconClock},
	deposit.ProviderUnknown:  {Tone: ui.ToneWarning, Icon: ui.IconQuestion},
	deposit.AwaitingPayment:  {Icon: ui.IconClock},
	deposit.MarkedPaid:       {Icon: ui.IconDocument},
	deposit.Appealed:         {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	deposit.Failed:           {Tone: ui.ToneError, Icon: ui.IconClose},
	deposit.Detected:         {Icon: ui.IconClock},
	deposit.AMLReview:        {Tone: ui.ToneWarning, Icon: ui.IconWarning},
	deposit.BelowMin:         {Tone: ui.ToneWarning, Icon: ui.IconWarning},
	deposit.WrongAsset:       {Tone: ui.ToneWarning, Icon: ui.IconWarning},
	deposit.Refunding:        {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	deposit.Refunded:         {Icon: ui.IconRetry},
	deposit.Dropped:          {Icon: ui.IconClose},
	deposit.Reversed:         {Tone: ui.ToneError, Icon: ui.IconUndo},
	deposit.ChargedBack:      {Tone: ui.ToneError, Icon: ui.IconUndo},
}

// note is the third line of a row: the most important fact to know before opening it.
func (pc pageContext) note(d deposit.Deposit) string {
	switch {
	case d.State == deposit.MoreInfo:
		return pc.T("deposit.note.answer_due", "wait", ui.Age(pc.Ctx, d.ExpiresAt.Sub(pc.Now)))
	case d.State == deposit.Approved:
		return pc.T("deposit.note.approved", "name", pc.Name(d.MakerID))
	case pc.repeated[d.ID] != 0 && d.Undecided():
		return pc.T("deposit.note.repeated", "number", number(pc.repeated[d.ID]))
	case d.ClaimActiveBy(pc.Me, pc.Now):
		return pc.T("case.note.mine", "until", pc.At(*d.ClaimedUntil))
	case d.ClaimActiveByOther(pc.Me, pc.Now):
		return pc.T("case.note.theirs", "name", pc.Name(d.ClaimedBy))
	default:
		return pc.T("deposit.note.reference", "reference", d.Reference)
	}
}

// people are the circles of a deposit: who approved, and who may.
func (pc pageContext) people(d deposit.Deposit) []ui.Person {
	rights := pc.rights(d)
	if !d.Undecided() && d.MakerID == nil || d.State == deposit.Appealed || d.State == deposit.ProviderUnknown {
		return nil
	}
	first := pc.Circle(d.MakerID, rights[nounApprove], rights[caseengine.Claim], d.Claim)
	if !pc.two(d) {
		return []ui.Person{first}
	}
	if d.State != deposit.Approved && d.CheckerID == nil {
		return []ui.Person{first, pc.Open(false)}
	}
	return []ui.Person{first, pc.Circle(d.CheckerID, rights[nounConfirm], rights[caseengine.Claim], d.Claim)}
}

// two reports whether a deposit takes two people, as far as is known before the received amount is typed.
func (pc pageContext) two(d deposit.Deposit) bool {
	return d.State == deposit.Approved || d.CheckerID != nil || (d.Undecided() && (d.Amount > pc.above || d.ByProvider() || d.MatchedFromStatement()))
}

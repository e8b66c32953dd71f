package cashdesk

import (
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/templates/cashview"
	"candor/templates/ui"
)

const pageSize = 50

// home is the address of the queue, and the parent of the deposits' addresses.
var home = ui.To("/admin/deposits")

func (s Services) queue(r *desk.Request) error {
	q, err := s.readQueue(r, nil)
	if err != nil {
		return err
	}
	title := r.Word("deposit.title")
	return r.Show(cashview.Show(r.Page(title, navItem), cashview.Page{Queue: q}))
}

// readQueue reads one page of the queue. An open deposit always has its row, so that answers have a row to replace.
func (s Services) readQueue(r *desk.Request, open *deposit.Deposit) (q cashview.Queue, err error) {
	lf := readListFilter(r.QueryParams())
	since, id := caseengine.ReadCursor(r.QueryParam("after"))
	list, next, err := s.Deposits.Find(r.Context.Request().Context(), lf.search(r.Zone()), deposit.Cursor{At: since, ID: id}, pageSize)
	if err != nil {
		return q, err
	}
	if next.ID != 0 {
		q.Next = lf.on(home.With("after", caseengine.Cursor(&next.At, next.ID))).String()
	}
	if id != 0 {
		q.Start = lf.on(home).String()
	}
	list = caseengine.WithOpen(list, open, func(a, b deposit.Deposit) bool { return a.ID == b.ID })
	pc, err := s.pageContext(r, list...)
	if err != nil {
		return q, err
	}
	for _, d := range list {
		row := pc.row(d)
		row.Selected = open != nil && open.ID == d.ID
		if d.State == deposit.MoreInfo {
			q.Asked = append(q.Asked, row)
		} else {
			q.Rows = append(q.Rows, row)
		}
	}
	q.Empty, q.Zone = pc.T("deposit.queue.empty"), pc.Zoned()
	if r.May(access.DepositExport) {
		q.File = lf.on(ui.To("/admin/deposits/file")).String()
	}
	q.Order, q.Filters = pc.T("deposit.queue.order"), lf.filters(r)
	if lf.ended {
		q.Order, q.First, q.Empty = pc.T("deposit.ended.order"), pc.T("case.queue.newest"), pc.T("deposit.ended.empty")
	}
	if lf.set() {
		q.Clear = listFilter{ended: lf.ended}.on(home).String()
		if !lf.ended {
			q.Clear = listFilter{kind: lf.kind}.on(home).String()
		}
	}
	q.Tabs, err = s.tabs(r, lf)
	return q, err
}

// tabs are the tabs of the kinds, with the number of waiting deposits.
func (s Services) tabs(r *desk.Request, now listFilter) ([]ui.TabView, error) {
	n, _, err := s.Deposits.CountWaiting(r.Context.Request().Context())
	if err != nil {
		return nil, err
	}
	tab := ui.TabView{Label: r.Word("deposit.tab.bank"), Href: now.tab("", false).on(home).String(), Current: !now.ended && now.kind == ""}
	if n > 0 {
		tab.Count = strconv.FormatInt(n, 10)
	}
	return s.kindTabs(r, now, tab)
}

// row is a deposit's row in the queue.
func (pc pageContext) row(d deposit.Deposit) ui.QueueRowView {
	rights, path := pc.rights(d), pc.view.on(address(d.ID))
	row := ui.QueueRowView{
		ID: key(d.ID), Title: d.Number(), Sub: strconv.FormatInt(d.TraderID, 10), Href: path.String(), HX: ui.OpenDetail(path),
		Text: amount(d.Amount, d.Currency), Strong: true, State: pc.chip(d), Due: pc.due(d), Note: pc.note(d), Owner: pc.Owner(d.Claim),
		Claim: pc.ClaimInRow(rights, below(d.ID, caseengine.Claim), ui.At(key(d.ID))),
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

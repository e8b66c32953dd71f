package cashdesk

import (
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/templates/cashview"
	"candor/templates/ui"
)

const pageSize = 50

// home is the address of the queue; a deposit's own stands below it.
var home = ui.To("/admin/deposits")

func (s Services) queue(r *desk.Request) error {
	q, err := s.readQueue(r, nil)
	if err != nil {
		return err
	}
	title := r.Word("deposit.title")
	return r.Show(cashview.Show(r.Page(title, place), cashview.Page{Queue: q}))
}

// readQueue reads one page of the queue. A deposit that is open always has its row, for its answers to go to.
func (s Services) readQueue(r *desk.Request, open *deposit.Deposit) (q cashview.Queue, err error) {
	n := readNarrowing(r.QueryParams())
	since, id := casework.ReadCursor(r.QueryParam("after"))
	list, next, err := s.Deposits.Find(r.Context.Request().Context(), n.search(r.Zone()), deposit.Place{At: since, ID: id}, pageSize)
	if err != nil {
		return q, err
	}
	if next.ID != 0 {
		q.Next = n.on(home.With("after", casework.Cursor(&next.At, next.ID))).String()
	}
	if id != 0 {
		q.Start = n.on(home).String()
	}
	list = casework.WithOpen(list, open, func(a, b deposit.Deposit) bool { return a.ID == b.ID })
	sc, err := s.scene(r, list...)
	if err != nil {
		return q, err
	}
	for _, d := range list {
		row := sc.row(d)
		row.Selected = open != nil && open.ID == d.ID
		if d.State == deposit.MoreInfo {
			q.Asked = append(q.Asked, row)
		} else {
			q.Rows = append(q.Rows, row)
		}
	}
	q.Empty, q.Zone = sc.T("deposit.queue.empty"), sc.Zoned()
	if r.May(access.DepositExport) {
		q.File = n.on(ui.To("/admin/deposits/file")).String()
	}
	q.Order, q.Filters = sc.T("deposit.queue.order"), n.filters(r)
	if n.ended {
		q.Order, q.First, q.Empty = sc.T("deposit.ended.order"), sc.T("case.queue.newest"), sc.T("deposit.ended.empty")
	}
	if n.set() {
		q.Clear = narrowing{ended: n.ended}.on(home).String()
		if !n.ended {
			q.Clear = narrowing{kind: n.kind}.on(home).String()
		}
	}
	q.Tabs, err = s.tabs(r, n)
	return q, err
}

// tabs are the kinds of deposits that exist, with how many wait.
func (s Services) tabs(r *desk.Request, now narrowing) ([]ui.TabView, error) {
	n, _, err := s.Deposits.Waiting(r.Context.Request().Context())
	if err != nil {
		return nil, err
	}
	tab := ui.TabView{Label: r.Word("deposit.tab.bank"), Href: now.tab("", false).on(home).String(), Current: !now.ended && now.kind == ""}
	if n > 0 {
		tab.Count = strconv.FormatInt(n, 10)
	}
	return s.ways(r, now, tab)
}

// row is a deposit in the queue.
func (sc scene) row(d deposit.Deposit) ui.QueueRowView {
	rights, path := sc.rights(d), sc.view.on(address(d.ID))
	row := ui.QueueRowView{
		ID: key(d.ID), Title: d.Number(), Sub: strconv.FormatInt(d.TraderID, 10), Href: path.String(), HX: ui.OpenDetail(path),
		Text: amount(d.Amount, d.Currency), Strong: true, State: sc.chip(d), Due: sc.due(d), Note: sc.note(d), Owner: sc.Owner(d.Claim),
		Claim: sc.ClaimInRow(rights, below(d.ID, casework.Claim), ui.At(key(d.ID))),
	}
	if d.State == deposit.Approved || d.Held() {
		row.People = sc.people(d)
	}
	return row
}

// due is the clock of a deposit: it runs while the desk has to act.
func (sc scene) due(d deposit.Deposit) *ui.DueView {
	switch {
	case d.State == deposit.MoreInfo || d.State == deposit.AwaitingTransfer:
		return &ui.DueView{Text: sc.T("case.waits.trader"), NoIcon: true}
	case d.Undecided() && d.ProofAt != nil:
		due := ui.Waiting(sc.Ctx, *d.ProofAt, sc.Now, deposit.Target)
		return &due
	case d.DecidedAt != nil:
		return &ui.DueView{Text: sc.At(*d.DecidedAt), NoIcon: true}
	default:
		return nil
	}
}

// chip says where a deposit stands. A picture that was used before outweighs it until somebody has decided.
func (sc scene) chip(d deposit.Deposit) *ui.ChipView {
	if d.Gone() {
		return &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconUndo, Label: sc.T("deposit.chip.gone")}
	}
	if sc.repeated[d.ID] != 0 && d.Undecided() && d.State != deposit.Approved {
		return &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconWarning, Label: sc.T("deposit.chip.repeated")}
	}
	if d.TakenUp() && d.State == deposit.InReview {
		return &ui.ChipView{Icon: ui.IconSearch, Label: sc.T("deposit.chip.taken_up")}
	}
	chip := looks[d.State]
	chip.Label = sc.T("deposit.chip." + string(d.State))
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
	deposit.AMLHold:          {Tone: ui.ToneWarning, Icon: ui.IconWarning},
	deposit.BelowMin:         {Tone: ui.ToneWarning, Icon: ui.IconWarning},
	deposit.WrongAsset:       {Tone: ui.ToneWarning, Icon: ui.IconWarning},
	deposit.Refunding:        {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	deposit.Refunded:         {Icon: ui.IconRetry},
	deposit.Dropped:          {Icon: ui.IconClose},
	deposit.Reversed:         {Tone: ui.ToneError, Icon: ui.IconUndo},
	deposit.ChargedBack:      {Tone: ui.ToneError, Icon: ui.IconUndo},
}

// note is the third line: what is most worth knowing before the row is opened.
func (sc scene) note(d deposit.Deposit) string {
	switch {
	case d.State == deposit.MoreInfo:
		return sc.T("deposit.note.answer_due", "wait", ui.Age(sc.Ctx, d.ExpiresAt.Sub(sc.Now)))
	case d.State == deposit.Approved:
		return sc.T("deposit.note.approved", "name", sc.Name(d.MakerID))
	case sc.repeated[d.ID] != 0 && d.Undecided():
		return sc.T("deposit.note.repeated", "number", number(sc.repeated[d.ID]))
	case d.HeldBy(sc.Me, sc.Now):
		return sc.T("case.note.mine", "until", sc.At(*d.ClaimedUntil))
	case d.HeldByOther(sc.Me, sc.Now):
		return sc.T("case.note.theirs", "name", sc.Name(d.ClaimedBy))
	default:
		return sc.T("deposit.note.reference", "reference", d.Reference)
	}
}

// people are the circles of a deposit: who approved, and who may.
func (sc scene) people(d deposit.Deposit) []ui.Person {
	rights := sc.rights(d)
	if !d.Undecided() && d.MakerID == nil || d.State == deposit.Appealed || d.State == deposit.ProviderUnknown {
		return nil
	}
	first := sc.Circle(d.MakerID, rights[nounApprove], rights[casework.Claim], d.Claim)
	if !sc.two(d) {
		return []ui.Person{first}
	}
	if d.State != deposit.Approved && d.CheckerID == nil {
		return []ui.Person{first, sc.Open(false)}
	}
	return []ui.Person{first, sc.Circle(d.CheckerID, rights[nounConfirm], rights[casework.Claim], d.Claim)}
}

// two tells whether a deposit takes two people, as far as is known before the amount that arrived was typed.
func (sc scene) two(d deposit.Deposit) bool {
	return d.State == deposit.Approved || d.CheckerID != nil || (d.Undecided() && (d.Amount > sc.above || d.Through() || d.TakenUp()))
}

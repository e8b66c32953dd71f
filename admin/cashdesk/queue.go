package cashdesk

import (
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
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
	title := word(r, "deposit.title")
	return r.Show(cashview.Show(r.Page(title, place), cashview.Page{Queue: q}))
}

// readQueue reads one page of the queue. A deposit that is open always has its row, for its answers to go to.
func (s Services) readQueue(r *desk.Request, open *deposit.Deposit) (q cashview.Queue, err error) {
	since, id := readCursor(r.QueryParam("after"))
	list, err := s.Deposits.Queue(r.Context.Request().Context(), since, id, pageSize+1)
	if err != nil {
		return q, err
	}
	if len(list) > pageSize {
		list = list[:pageSize]
		q.Next = home.With("after", cursor(list[pageSize-1])).String()
	}
	if id != 0 {
		q.Start = home.String()
	}
	list = withOpen(list, open)
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
	q.Zone = sc.t("deposit.zone", "zone", ui.ZoneName(sc.now, sc.zone))
	q.Tabs, err = s.tabs(r)
	return q, err
}

// withOpen puts the open deposit on top of a page that lacks it.
func withOpen(list []deposit.Deposit, open *deposit.Deposit) []deposit.Deposit {
	if open == nil {
		return list
	}
	for _, d := range list {
		if d.ID == open.ID {
			return list
		}
	}
	return append([]deposit.Deposit{*open}, list...)
}

// cursor names the last row of a page: microseconds of its proof, then its id.
func cursor(d deposit.Deposit) string {
	at := int64(0)
	if d.ProofAt != nil {
		at = d.ProofAt.UnixMicro()
	}
	return strconv.FormatInt(at, 10) + "." + strconv.FormatInt(d.ID, 10)
}

func readCursor(text string) (since time.Time, id int64) {
	at, after, _ := strings.Cut(text, ".")
	micros, err1 := strconv.ParseInt(at, 10, 64)
	id, err2 := strconv.ParseInt(after, 10, 64)
	if err1 != nil || err2 != nil || micros < 0 || id < 0 {
		return time.Time{}, 0
	}
	return time.UnixMicro(micros).UTC(), id
}

// tabs are the kinds of deposits that exist, with how many wait.
func (s Services) tabs(r *desk.Request) ([]ui.TabView, error) {
	n, _, err := s.Deposits.Waiting(r.Context.Request().Context())
	tab := ui.TabView{Label: word(r, "deposit.tab.bank"), Href: home.String(), Current: true}
	if n > 0 {
		tab.Count = strconv.FormatInt(n, 10)
	}
	return []ui.TabView{tab}, err
}

// row is a deposit in the queue.
func (sc scene) row(d deposit.Deposit) ui.QueueRowView {
	rights, path := sc.rights(d), address(d.ID)
	row := ui.QueueRowView{
		ID: key(d.ID), Title: d.Number(), Sub: strconv.FormatInt(d.TraderID, 10), Href: path.String(), HX: ui.OpenDetail(path),
		Text: amount(d.Amount, d.Currency), Strong: true, State: sc.chip(d), Due: sc.due(d), Note: sc.note(d),
	}
	if d.ClaimedBy != nil && d.HeldBy(*d.ClaimedBy, sc.now) {
		name := sc.name(d.ClaimedBy)
		row.Owner = &ui.AvatarView{Initials: desk.Initials(name), Name: name, Me: *d.ClaimedBy == sc.me.id, Small: true}
	}
	if d.State == deposit.Approved {
		row.People = sc.people(d)
	}
	if rights.claim.ok {
		row.Claim = &ui.ButtonView{Label: sc.t("deposit.claim"), Size: ui.Tiny, HX: toRow(d.ID, "claim")}
	}
	return row
}

// toRow posts an act whose answer is the deposit's row.
func toRow(id int64, word string) ui.HX {
	return ui.HX{Post: below(id, word), Target: ui.At(key(id)), Swap: ui.SwapWhole}
}

// due is the clock of a deposit: it runs while the desk has to act.
func (sc scene) due(d deposit.Deposit) *ui.DueView {
	switch {
	case d.State == deposit.MoreInfo || d.State == deposit.AwaitingTransfer:
		return &ui.DueView{Text: sc.t("deposit.waits.trader"), NoIcon: true}
	case d.Undecided() && d.ProofAt != nil:
		due := ui.Waiting(sc.ctx, *d.ProofAt, sc.now, deposit.Target)
		return &due
	case d.DecidedAt != nil:
		return &ui.DueView{Text: sc.at(*d.DecidedAt), NoIcon: true}
	default:
		return nil
	}
}

// chip says where a deposit stands. A picture that was used before outweighs it until somebody has decided.
func (sc scene) chip(d deposit.Deposit) *ui.ChipView {
	if sc.repeated[d.ID] != 0 && d.Undecided() && d.State != deposit.Approved {
		return &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconWarning, Label: sc.t("deposit.chip.repeated")}
	}
	chip := looks[d.State]
	chip.Label = sc.t("deposit.chip." + string(d.State))
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
}

// note is the third line: what is most worth knowing before the row is opened.
func (sc scene) note(d deposit.Deposit) string {
	switch {
	case d.State == deposit.MoreInfo:
		return sc.t("deposit.note.answer_due", "wait", ui.Age(sc.ctx, d.ExpiresAt.Sub(sc.now)))
	case d.State == deposit.Approved:
		return sc.t("deposit.note.approved", "name", sc.name(d.MakerID))
	case sc.repeated[d.ID] != 0 && d.Undecided():
		return sc.t("deposit.note.repeated", "number", number(sc.repeated[d.ID]))
	case d.HeldBy(sc.me.id, sc.now):
		return sc.t("deposit.note.mine", "until", sc.at(*d.ClaimedUntil))
	case heldBySomebodyElse(d, sc.me.id, sc.now):
		return sc.t("deposit.note.theirs", "name", sc.name(d.ClaimedBy))
	default:
		return sc.t("deposit.note.reference", "reference", d.Reference)
	}
}

// people are the circles of a deposit: who approved, and who may.
func (sc scene) people(d deposit.Deposit) []ui.Person {
	rights := sc.rights(d)
	if !d.Undecided() && d.MakerID == nil {
		return nil
	}
	first := sc.person(d, d.MakerID, rights.approve, rights.claim)
	if !sc.two(d) {
		return []ui.Person{first}
	}
	if d.State != deposit.Approved && d.CheckerID == nil {
		return []ui.Person{first, {State: ui.PersonOpen, Words: sc.t("deposit.person.open")}}
	}
	return []ui.Person{first, sc.person(d, d.CheckerID, rights.confirm, rights.claim)}
}

// two tells whether a deposit takes two people, as far as is known before the amount that arrived was typed.
func (sc scene) two(d deposit.Deposit) bool {
	return d.State == deposit.Approved || d.CheckerID != nil || (d.Undecided() && d.Amount > sc.above)
}

func (sc scene) person(d deposit.Deposit, who *int64, act, claim verdict) ui.Person {
	switch {
	case who != nil:
		name := sc.name(who)
		return ui.Person{State: ui.PersonApproved, Initials: desk.Initials(name), Words: sc.t("deposit.person.approved", "name", name)}
	case act.ok || claim.ok:
		return ui.Person{State: ui.PersonYou, Words: sc.t("deposit.person.you")}
	case act.why != nil:
		return ui.Person{State: ui.PersonLocked, Words: sc.t("deposit.person.locked", "why", sc.why(act, d))}
	default:
		return ui.Person{State: ui.PersonOpen, Words: sc.t("deposit.person.open")}
	}
}

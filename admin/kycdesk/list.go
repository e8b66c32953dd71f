package kycdesk

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/kyc"
	"candor/templates/ui"
)

const (
	byRisk     = "risk"        // an order of the queue
	ahead      = 200           // how many cases are searched for a case's position in the queue
	levelAsked = "level_asked" // the higher level is requested: a value of addresses and texts in addition to the states
)

// The tabs besides the queue: the member's claims, cases that await the trader, and decided ones.
const (
	mine     = "mine"
	asked    = "asked"
	approved = "approved"
	rejected = "rejected"
)

// decidedStates are the states that the tabs of decided cases show.
var decidedStates = map[string][]kyc.State{
	asked: {kyc.Resubmission}, approved: {kyc.Approved, kyc.Expiring, kyc.Reverify}, rejected: {kyc.Rejected, kyc.Revoked},
}

// The choices of the filters. The queue also has the approved cases that wait for a decision about the higher level.
var (
	ages   = []string{"1", "4", "12", "24"} // hours
	quiet  = []string{"3", "7", "14", "30"} // days without an answer
	orders = []string{byRisk}
	states = []string{string(kyc.Submitted), string(kyc.InReview), string(kyc.Escalated), string(kyc.SecondApproval), levelAsked}
	types  = []kyc.DocumentType{kyc.Passport, kyc.IDCard, kyc.DrivingLicence}
)

// list declares the list: the queue, what the member has claimed, and what was decided.
func (s Services) list() caseengine.List[kyc.Application] {
	word := func(prefix string) func(*desk.Request, string) string {
		return func(r *desk.Request, value string) string { return r.Word(prefix + value) }
	}
	counted := func(key, name string) func(*desk.Request, string) string {
		return func(r *desk.Request, value string) string { return r.Word(key, name, value) }
	}
	inQueue, isDecided := func(tab string) bool { return tab == "" || tab == mine }, func(tab string) bool { return decidedStates[tab] != nil }
	return caseengine.List[kyc.Application]{
		Name: "identity", Letters: "ID-", Target: "kyc", Texts: "identity", Icon: ui.IconIdentity, View: access.IdentityView, Work: access.IdentityDecide, Audit: s.Audit,
		Tabs: []caseengine.Tab{
			{Label: "identity.tab.waiting"}, {Name: mine, Label: "identity.tab.mine"}, {Name: asked, Label: "identity.tab.asked", Over: true},
			{Name: approved, Label: "identity.tab.approved", Over: true}, {Name: rejected, Label: "identity.tab.rejected", Over: true},
		},
		Filters: []caseengine.Filter{
			caseengine.OneOf("state", states, word("identity.state.")).Only(inQueue),
			caseengine.OneOf("age", ages, counted("identity.filter.age.hours", "hours")).Only(inQueue),
			caseengine.OneOf("silence", quiet, counted("identity.filter.silence.days", "days")).Only(func(tab string) bool { return tab == asked }),
			caseengine.Day("from").Only(isDecided), caseengine.Day("to").Only(isDecided),
			caseengine.OneOf("order", orders, word("identity.filter.order.")).Only(inQueue),
			caseengine.OneOf("country", isoCodes(), func(r *desk.Request, iso string) string {
				return caseengine.Country(r.Context.Request().Context(), iso)
			}),
			caseengine.OneOf("type", types, func(r *desk.Request, kind kyc.DocumentType) string { return r.Word("identity.type." + string(kind)) }),
			caseengine.OneOf("risk", kyc.Ranks, func(r *desk.Request, rank kyc.Rank) string { return r.Word("identity.filter.risk." + string(rank)) }),
			caseengine.OneOf("attempt", attempts(), counted("identity.filter.attempt.number", "number")),
		},
		Columns: []caseengine.Column{
			{Label: "identity.column.case"}, {Label: "identity.column.waits"}, {Label: "identity.column.trader"}, {Label: "identity.column.country"}, {Label: "identity.column.document"},
			{Label: "identity.column.attempt"}, {Label: "identity.column.hints"}, {Label: "identity.column.state"}, {Label: "identity.column.owner"},
		},
		Ordered: ordered, Counts: s.counts, Find: s.find, Rows: s.rows, Said: s.said, Buttons: qualityButton, ID: func(a kyc.Application) int64 { return a.ID },
		File: caseengine.File[kyc.Application]{Permission: access.IdentityExport, Columns: fileColumns, Cells: s.cells},
	}
}

// ordered is the key of the text that names the order of the queue.
func ordered(sel caseengine.Selection) string {
	if sel.Value("order") == byRisk {
		return "identity.filter.order.risk"
	}
	return "identity.queue.order"
}

// isoCodes lists the countries, sorted by name, as choices.
func isoCodes() (list []string) {
	countries := kyc.Countries()
	slices.SortFunc(countries, func(a, b kyc.Country) int { return strings.Compare(a.Name(), b.Name()) })
	for _, c := range countries {
		list = append(list, c.ISO)
	}
	return list
}

func attempts() (list []string) {
	for n := range kyc.MaxAttempts {
		list = append(list, strconv.Itoa(n+1))
	}
	return list
}

// filter is a selection as the service reads it; me is the member.
func filter(sel caseengine.Selection, zone *time.Location, me int64, after caseengine.Cursor, limit int) kyc.Filter {
	f := kyc.Filter{
		LevelAsked: sel.Value("state") == levelAsked, Rank: kyc.Rank(sel.Value("risk")), Decided: decidedStates[sel.Tab()], Country: sel.Value("country"), DocumentType: kyc.DocumentType(sel.Value("type")),
		Attempt: int(sel.Number("attempt")), Waiting: time.Duration(sel.Number("age")) * time.Hour,
		Silent: time.Duration(sel.Number("silence")) * 24 * time.Hour, ByRisk: sel.Value("order") == byRisk, After: after.At, AfterID: after.ID, Limit: limit,
	}
	if !f.LevelAsked {
		f.Stage = kyc.State(sel.Value("state"))
	}
	f.From, f.To = sel.Days(zone)
	if sel.Tab() == mine {
		f.ClaimedBy = me
	}
	return f
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []kyc.Application, next caseengine.Cursor, err error) {
	list, err = s.Identities.Queue(r.Context.Request().Context(), filter(sel, r.Zone(), r.Member.ID, after, limit+1))
	if len(list) > limit {
		list = list[:limit]
		last := list[limit-1]
		next = caseengine.Cursor{At: last.ListedAt(), ID: last.ID}
	}
	return list, next, err
}

// counts are the numbers on the tabs.
func (s Services) counts(ctx context.Context) (map[string]int64, error) {
	n, _, err := s.Identities.CountWaiting(ctx)
	return map[string]int64{"": n}, err
}

// rows shows cases in the list.
func (s Services) rows(r *desk.Request, list []kyc.Application) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, nil, list...)
	rows := make([]caseengine.Row, len(list))
	for i, a := range list {
		rows[i] = caseengine.Row{Cells: []ui.Cell{
			{Text: a.Number()}, {Due: pc.due(a)}, {Text: strconv.FormatInt(a.TraderID, 10), Ident: true}, pc.countryCell(a.Country), {Text: pc.documentType(a.DocumentType)},
			{Text: pc.T("identity.attempt.short", "number", a.Attempt, "of", kyc.MaxAttempts)}, pc.hintCell(a), {Chips: []ui.ChipView{pc.chip(a)}}, pc.ownerCell(a),
		}}
	}
	return rows, err
}

// countryCell is the country of a case, with a chip if the broker lists it.
func (pc pageContext) countryCell(iso string) ui.Cell {
	cell := ui.Cell{Text: pc.country(iso)}
	if risk := pc.countryRisk(iso); risk != "" {
		cell.Chips = []ui.ChipView{{Tone: countryTones[risk], Label: pc.T("identity.chip." + string(risk))}}
	}
	return cell
}

// hintCell is the risk rank of a case with the number of its hints, which are named on hover.
func (pc pageContext) hintCell(a kyc.Application) ui.Cell {
	rank, names := a.Risks.Rank(), pc.hintNames(a.Risks)
	if rank == kyc.NoRisk {
		return ui.Cell{Text: pc.T("identity.risk.none"), Muted: true}
	}
	chip := ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: pc.T("identity.rank."+string(rank), "count", len(a.Risks)), Title: names}
	if rank == kyc.MostRisk {
		chip.Tone = ui.ToneError
	}
	return ui.Cell{Chips: []ui.ChipView{chip}}
}

// ownerCell is who has claimed a case, and until when.
func (pc pageContext) ownerCell(a kyc.Application) ui.Cell {
	owner := pc.Owner(a.Claim)
	switch {
	case owner != nil:
		return ui.Cell{Owner: owner, Text: pc.T("identity.queue.held", "name", owner.Name, "until", pc.At(*a.ClaimedUntil))}
	case a.WaitingSince() != nil:
		return ui.Cell{Text: pc.T("identity.queue.free"), Muted: true}
	default:
		return ui.Cell{}
	}
}

// said is the message about the decision that led to the page.
func (s Services) said(r *desk.Request) string {
	id, err := strconv.ParseInt(r.QueryParam("done"), 10, 64)
	if err != nil {
		return ""
	}
	c, err := s.Identities.Case(r.Context.Request().Context(), r.Actor(), id)
	if err != nil {
		return ""
	}
	what := string(c.Stage())
	if did := r.QueryParam("did"); slices.Contains([]string{nounAskLevel, nounGrant, nounDecline, nounLower}, did) {
		what = did
	}
	return r.Word("identity.done."+what, "number", c.Number())
}

func (pc pageContext) hintNames(list kyc.Risks) string {
	names := make([]string, len(list))
	for i, risk := range list {
		names[i] = pc.T("identity.risk." + string(risk))
	}
	return strings.Join(names, ", ")
}

func (pc pageContext) attempt(a kyc.Application) string {
	return pc.T("identity.attempt", "number", a.Attempt, "of", kyc.MaxAttempts)
}

// silent is after how long without an answer a trader should be reminded.
const silent = 14 * 24 * time.Hour

// due is the clock of a case: it runs while the desk has to act, and while the trader is silent.
func (pc pageContext) due(a kyc.Application) *ui.DueView {
	since := a.WaitingSince()
	switch {
	case since != nil:
		due := ui.Waiting(pc.Ctx, *since, pc.Now, kyc.Target)
		return &due
	case a.State == kyc.Resubmission && a.DecidedAt != nil:
		due := ui.Waiting(pc.Ctx, *a.DecidedAt, pc.Now, silent)
		due.Note = pc.T("identity.silent")
		return &due
	case a.DecidedAt != nil:
		return &ui.DueView{Text: pc.At(*a.DecidedAt), NoIcon: true}
	default:
		return nil
	}
}

func (pc pageContext) chip(a kyc.Application) ui.ChipView {
	if a.LevelAsked() {
		return ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconPeople, Label: pc.T("identity.state." + levelAsked)}
	}
	chip := looks[a.Stage()]
	chip.Label = pc.T("identity.state." + string(a.Stage()))
	return chip
}

// looks are the chips of the states.
var looks = map[kyc.State]ui.ChipView{
	kyc.Submitted:      {Icon: ui.IconIn},
	kyc.InReview:       {Icon: ui.IconEye},
	kyc.Escalated:      {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	kyc.SecondApproval: {Tone: ui.ToneWarning, Icon: ui.IconDoubleCheck},
	kyc.Approved:       {Tone: ui.ToneSuccess, Icon: ui.IconShieldCheck},
	kyc.Resubmission:   {Icon: ui.IconRetry},
	kyc.Rejected:       {Tone: ui.ToneError, Icon: ui.IconClose},
	kyc.Expiring:       {Tone: ui.ToneWarning, Icon: ui.IconClock},
	kyc.Reverify:       {Tone: ui.ToneWarning, Icon: ui.IconRetry},
	kyc.Revoked:        {Tone: ui.ToneError, Icon: ui.IconClose},
}

// queuePosition is the position of a case in the filtered queue.
type queuePosition struct {
	position       int // 1 is the longest waiting; 0 is beyond the searched part
	all            int
	more           bool // there are more than all
	previous, next int64
	following      []kyc.Application
}

const upNext = 3

func (s Services) queuePosition(pc pageContext, a kyc.Application) (out queuePosition, err error) {
	list, err := s.Identities.Queue(pc.Ctx, filter(pc.sel, pc.Zone, pc.Me, caseengine.Cursor{}, ahead+1))
	if err != nil {
		return out, err
	}
	out.all = len(list)
	if out.more = len(list) > ahead; out.more {
		list, out.all = list[:ahead], ahead
	}
	at := slices.IndexFunc(list, func(one kyc.Application) bool { return one.ID == a.ID })
	rest := list
	if at >= 0 {
		out.position, rest = at+1, list[at+1:]
		if at > 0 {
			out.previous = list[at-1].ID
		}
	}
	if len(rest) > 0 {
		out.next = rest[0].ID
	}
	out.following = rest[:min(upNext, len(rest))]
	return out, nil
}

// nextFor is the case that the member can work on after this one, from the start of the queue if none follows; 0 if there is none.
func (s Services) nextFor(ctx context.Context, cc caseContext) (int64, error) {
	for _, fromStart := range []bool{false, true} {
		f := filter(cc.sel, cc.Zone, cc.Me, caseengine.Cursor{}, ahead)
		f.Decided = nil
		if since := cc.WaitingSince(); since != nil && !fromStart {
			f.After, f.AfterID = *since, cc.ID
		}
		list, err := s.Identities.Queue(ctx, f)
		if err != nil {
			return 0, err
		}
		for _, a := range list {
			if a.ID != cc.ID && cc.me.claimVerdict(a, cc.Now).OK && (cc.me.approve || !a.LevelAsked()) {
				return a.ID, nil
			}
		}
	}
	return 0, nil
}

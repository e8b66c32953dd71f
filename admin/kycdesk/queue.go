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
	"candor/app/trader"
	"candor/templates/kycview"
	"candor/templates/ui"
)

const (
	pageSize   = 50
	ahead      = 200           // how many cases are searched for a case's position in the queue
	levelAsked = "level_asked" // the higher level is requested: a value of addresses and texts in addition to the states
)

// The choices of the filters.
var (
	ages   = []string{"1", "4", "12", "24"} // hours
	risks  = []string{"yes", "no"}
	states = []string{string(kyc.Submitted), string(kyc.InReview), string(kyc.Escalated)}
	// Also the approved cases that wait for a decision about the higher level.
	waiting = append(slices.Clone(states), levelAsked)
	types   = []string{string(kyc.Passport), string(kyc.IDCard), string(kyc.DrivingLicence)}
)

// listFilter is the queue's filter from the address. Values that make no sense filter nothing.
type listFilter struct{ state, age, country, kind, risk, attempt string }

func readListFilter(r *desk.Request) listFilter {
	pick := func(name string, choices []string) string {
		if text := r.QueryParam(name); slices.Contains(choices, text) {
			return text
		}
		return ""
	}
	return listFilter{
		state: pick("state", waiting), age: pick("age", ages), country: pick("country", isoCodes()), kind: pick("type", types), risk: pick("risk", risks),
		attempt: pick("attempt", attempts()),
	}
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

// on adds the filter to an address.
func (lf listFilter) on(p ui.Path) ui.Path {
	for _, one := range []struct{ name, value string }{
		{"state", lf.state}, {"age", lf.age}, {"country", lf.country}, {"type", lf.kind}, {"risk", lf.risk}, {"attempt", lf.attempt},
	} {
		if one.value != "" {
			p = p.With(one.name, one.value)
		}
	}
	return p
}

// filter is the filter for the service.
func (lf listFilter) filter(limit int) kyc.Filter {
	hours, _ := strconv.Atoi(lf.age)
	attempt, _ := strconv.Atoi(lf.attempt)
	f := kyc.Filter{
		LevelAsked: lf.state == levelAsked, Country: lf.country, DocumentType: kyc.DocumentType(lf.kind), Attempt: attempt, Waiting: time.Duration(hours) * time.Hour, Limit: limit,
	}
	if !f.LevelAsked {
		f.State = kyc.State(lf.state)
	}
	if lf.risk != "" {
		risky := lf.risk == "yes"
		f.Risky = &risky
	}
	return f
}

func (s Services) queue(r *desk.Request) error {
	ctx := r.Context.Request().Context()
	lf := readListFilter(r)
	f := lf.filter(pageSize + 1)
	after := caseengine.ReadCursor(r.QueryParam("after"))
	f.After, f.AfterID = after.At, after.ID
	list, err := s.Identities.Queue(ctx, f)
	if err != nil {
		return err
	}
	q := kycview.Queue{Filters: filters(r, lf)}
	if lf != (listFilter{}) {
		q.Clear = home.String()
	}
	if len(list) > pageSize {
		list = list[:pageSize]
		q.Next = lf.on(home).With("after", caseengine.Cursor{At: *list[pageSize-1].WaitingSince(), ID: list[pageSize-1].ID}).String()
	}
	if f.AfterID != 0 {
		q.Start = lf.on(home).String()
	}
	pc, err := s.pageContext(r, nil, list...)
	if err != nil {
		return err
	}
	for _, a := range list {
		q.Rows = append(q.Rows, pc.row(a))
	}
	if r.May(access.IdentityExport) {
		q.File = lf.on(ui.To("/admin/identity/file")).String()
	}
	q.Zone = pc.Zoned()
	q.Done = s.decisionMessage(r, pc)
	return r.Show(kycview.List(r.Page(r.Word("identity.title"), navItem), q))
}

// decisionMessage is the message about the decision that led to this page.
func (s Services) decisionMessage(r *desk.Request, pc pageContext) string {
	id, err := strconv.ParseInt(r.QueryParam("done"), 10, 64)
	if err != nil {
		return ""
	}
	c, err := s.Identities.Case(pc.Ctx, r.Actor(), id)
	if err != nil {
		return ""
	}
	what := string(c.State)
	if did := r.QueryParam("did"); slices.Contains([]string{nounAskLevel, nounGrant, nounDecline, nounLower}, did) {
		what = did
	}
	return pc.T("identity.done."+what, "number", c.Number())
}

// filters are the choices above the queue.
func filters(r *desk.Request, lf listFilter) []ui.FieldView {
	choose := func(name, chosen string, values []string, label func(string) string) ui.FieldView {
		field := ui.FieldView{Name: name, Label: r.Word("identity.filter." + name), HideLabel: true, Small: true, Options: []ui.Option{{Label: r.Word("identity.filter." + name + ".all")}}}
		for _, value := range values {
			field.Options = append(field.Options, ui.Option{Value: value, Label: label(value), Selected: value == chosen})
		}
		return field
	}
	named := func(prefix string) func(string) string {
		return func(value string) string { return r.Word(prefix + value) }
	}
	return []ui.FieldView{
		choose("state", lf.state, waiting, named("identity.state.")),
		choose("age", lf.age, ages, func(hours string) string { return r.Word("identity.filter.age.hours", "hours", hours) }),
		choose("country", lf.country, isoCodes(), func(iso string) string { return trader.Country{ISO: iso}.Name() }),
		choose("type", lf.kind, types, named("identity.type.")),
		choose("risk", lf.risk, risks, named("identity.filter.risk.")),
		choose("attempt", lf.attempt, attempts(), func(n string) string { return r.Word("identity.filter.attempt.number", "number", n) }),
	}
}

// row is a case's row in the queue.
func (pc pageContext) row(a kyc.Application) kycview.Row {
	row := kycview.Row{
		Link: ui.RowView{ID: key(a.ID), Href: pc.address(a.ID).String()}, Number: a.Number(), Trader: strconv.FormatInt(a.TraderID, 10),
		Country: pc.country(a.Country), Type: pc.documentType(a.DocumentType), Attempt: pc.T("identity.attempt.short", "number", a.Attempt, "of", kyc.MaxAttempts), State: pc.chip(a), Due: pc.due(a),
	}
	if len(a.Risks) > 0 {
		row.Risk = &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: pc.T("identity.risk." + string(a.Risks[0])), Title: pc.hintNames(a.Risks)}
		if more := len(a.Risks) - 1; more > 0 {
			row.More = pc.T("identity.risk.more", "count", more)
		}
	}
	if row.Owner = pc.Owner(a.Claim); row.Owner != nil {
		row.ClaimedBy = pc.T("identity.queue.held", "name", row.Owner.Name, "until", pc.At(*a.ClaimedUntil))
	}
	return row
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

// due is the clock of a case: it runs while the desk has to act.
func (pc pageContext) due(a kyc.Application) *ui.DueView {
	since := a.WaitingSince()
	switch {
	case since != nil:
		due := ui.Waiting(pc.Ctx, *since, pc.Now, kyc.Target)
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
	chip := looks[a.State]
	chip.Label = pc.T("identity.state." + string(a.State))
	return chip
}

// looks are the chips of the states.
var looks = map[kyc.State]ui.ChipView{
	kyc.Submitted:    {Icon: ui.IconIn},
	kyc.InReview:     {Icon: ui.IconEye},
	kyc.Escalated:    {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	kyc.Approved:     {Tone: ui.ToneSuccess, Icon: ui.IconShieldCheck},
	kyc.Resubmission: {Icon: ui.IconRetry},
	kyc.Rejected:     {Tone: ui.ToneError, Icon: ui.IconClose},
	kyc.Expiring:     {Tone: ui.ToneWarning, Icon: ui.IconClock},
	kyc.Reverify:     {Tone: ui.ToneWarning, Icon: ui.IconRetry},
	kyc.Revoked:      {Tone: ui.ToneError, Icon: ui.IconClose},
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
	list, err := s.Identities.Queue(pc.Ctx, pc.filter.filter(ahead+1))
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
		f := cc.filter.filter(ahead)
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

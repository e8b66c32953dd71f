package controldesk

import (
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/telling"
	"candor/app/audit"
	"candor/app/platform/seal"
	"candor/app/staff"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const (
	logPage   = 50
	sameLimit = 6
	dayLayout = "2006-01-02"
	logPath   = "/admin/audit"
)

// areas are the nouns of actions, and kinds what entries are about.
var (
	areas   = []string{"audit", "deposit", "withdrawal", "adjustment", "money_out", "provider", "reconciliation", "kyc", "trader", "account", "payee", "product", "switch", "chat", "staff", "outbox", "access"}
	kinds   = []string{"deposit", "withdrawal", "adjustment", "money_out_stop", "provider", "reconciliation", "kyc", "trader", "account", "payee", "product", "switch", "conversation", "chat", "reply", "staff", "message", "route"}
	roles   = roleNames()
	results = []string{string(audit.Done), string(audit.Denied), string(audit.Failed)}
)

// narrowing is what the address of the log narrows it by. Words that make no sense are left out.
type narrowing struct {
	area, person, role, kind, target, result, ip string
	from, to                                     string // days in the member's zone, both included
	before                                       int64
}

func roleNames() (names []string) {
	for _, role := range staff.Roles {
		names = append(names, string(role))
	}
	return names
}

func readNarrowing(values url.Values) narrowing {
	n := narrowing{
		area: oneOf(areas, values.Get("area")), kind: oneOf(kinds, values.Get("kind")), result: oneOf(results, values.Get("result")),
		role: oneOf(roles, values.Get("role")), ip: short(values.Get("ip")), person: short(values.Get("person")), target: short(values.Get("target")), from: day(values.Get("from")), to: day(values.Get("to")),
	}
	n.before, _ = strconv.ParseInt(values.Get("before"), 10, 64)
	return n
}

func oneOf(list []string, text string) string {
	if slices.Contains(list, text) {
		return text
	}
	return ""
}

func short(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 100 {
		return ""
	}
	return text
}

func day(text string) string {
	if _, err := time.Parse(dayLayout, text); err != nil {
		return ""
	}
	return text
}

func (n narrowing) query() query {
	q := newQuery(logPath)
	for _, pair := range n.pairs() {
		q = q.with(pair[0], pair[1])
	}
	return q
}

func (n narrowing) pairs() [][2]string {
	return [][2]string{{"area", n.area}, {"person", n.person}, {"role", n.role}, {"kind", n.kind}, {"target", n.target}, {"result", n.result}, {"ip", n.ip}, {"from", n.from}, {"to", n.to}}
}

func (n narrowing) empty() bool { return n.query().String() == logPath }

// filter is what the log is asked for.
func (n narrowing) filter(zone *time.Location) audit.Filter {
	f := audit.Filter{ActorName: n.person, Role: n.role, TargetKind: n.kind, TargetID: n.target, Result: audit.Result(n.result), IP: n.ip, Before: n.before, Limit: logPage}
	if n.area != "" {
		f.Action = n.area + "."
	}
	if n.from != "" {
		f.From, _ = time.ParseInLocation(dayLayout, n.from, zone)
	}
	if n.to != "" {
		last, _ := time.ParseInLocation(dayLayout, n.to, zone)
		f.To = last.AddDate(0, 0, 1)
	}
	return f
}

func (s Services) log(r *desk.Request) error {
	return s.showLog(r, readNarrowing(r.QueryParams()), nil, 0)
}

func (s Services) showLog(r *desk.Request, n narrowing, open *controlview.Entry, openID int64) error {
	entries, next, err := s.Audit.List(ctxOf(r), n.filter(r.Zone()))
	if err != nil {
		return err
	}
	view := controlview.Log{Entry: open, Zone: r.ZoneNote(), Filters: filterChips(r, n)}
	if view.Chain, view.Waiting, err = s.chain(r); err != nil {
		return err
	}
	if r.May(access.AuditExport) {
		file := n.query()
		file.path += "/file"
		view.File = file.String()
	}
	if !n.empty() {
		view.Clear = logPath
	}
	if n.before > 0 {
		view.Newest = n.query().String()
	}
	if next != 0 {
		view.Older = n.query().with("before", strconv.FormatInt(next, 10)).String()
	}
	t, err := s.teller(r, entries)
	if err != nil {
		return err
	}
	view.Days = t.days(entries, openID, n.empty())
	return r.Show(controlview.LogPage(r.Page(word(r, "nav.audit"), "audit"), view))
}

// days groups entries by the day in the member's zone.
func (t teller) days(entries []audit.Entry, open int64, push bool) (days []controlview.Day) {
	for _, e := range entries {
		label := dayLabel(t.r, e.At)
		if n := len(days); n == 0 || days[n-1].Label != label {
			days = append(days, controlview.Day{Label: label})
		}
		address := ui.To("/admin/audit/{}", e.ID)
		row := ui.RowView{ID: entryID(e), Href: address.String(), HX: ui.OpenDetail(address), Selected: e.ID == open}
		row.HX.Push = push // with filters the address keeps them
		last := &days[len(days)-1]
		last.Events = append(last.Events, controlview.Event{
			ID: strconv.FormatInt(e.ID, 10), Row: row, Time: e.At.In(t.r.Zone()).Format("15:04:05"), UTC: ui.Stamp(e.At),
			Icon: telling.Icon(e), Actor: t.Actor(e), Sentence: t.Sentence(e), Chip: t.Chip(e),
		})
	}
	return days
}

func dayLabel(r *desk.Request, moment time.Time) string {
	moment, now := moment.In(r.Zone()), r.Now().In(r.Zone())
	if moment.Year() != now.Year() {
		return moment.Format("Monday 2 January 2006")
	}
	label := moment.Format("Monday 2 January")
	if moment.YearDay() == now.YearDay() {
		return word(r, "audit.today", "day", label)
	}
	return label
}

// chain tells how far the log is sealed.
func (s Services) chain(r *desk.Request) (chip ui.ChipView, waiting string, err error) {
	batch, sealed, n, err := s.Audit.Chained(ctxOf(r))
	if err != nil {
		return chip, "", err
	}
	chip = ui.ChipView{Icon: ui.IconShieldCheck, Tone: ui.ToneSuccess, Label: word(r, "audit.sealed_to", "batch", batch, "at", at(r, sealed)), Title: ui.Stamp(sealed)}
	if batch == 0 {
		chip = ui.ChipView{Icon: ui.IconShield, Label: word(r, "audit.sealed_none")}
	}
	return chip, word(r, "audit.unsealed", "count", n), nil
}

// filterChips are the filters that are set, with their removal, and offers of the others.
func filterChips(r *desk.Request, n narrowing) []ui.FilterView {
	dates := n.from + n.to
	switch {
	case n.from != "" && n.to != "" && n.from != n.to:
		dates = word(r, "audit.filter.between", "from", n.from, "to", n.to)
	case n.from != "" && n.to == "":
		dates = word(r, "audit.filter.since", "day", n.from)
	case n.from == "" && n.to != "":
		dates = word(r, "audit.filter.until", "day", n.to)
	case n.from != "":
		dates = n.from
	}
	about := strings.TrimSpace(choice(r, "audit.kind.", n.kind) + " " + n.target)
	chips := []struct{ name, value, remove string }{
		{"date", dates, n.query().with("from", "").with("to", "").String()},
		{"area", choice(r, "audit.area.", n.area), n.query().with("area", "").String()},
		{"person", n.person, n.query().with("person", "").String()},
		{"role", choice(r, "role.", n.role), n.query().with("role", "").String()},
		{"target", about, n.query().with("kind", "").with("target", "").String()},
		{"result", choice(r, "audit.result.", n.result), n.query().with("result", "").String()},
		{"ip", n.ip, n.query().with("ip", "").String()},
	}
	out := make([]ui.FilterView, len(chips))
	key := "f"
	for i, chip := range chips {
		out[i] = ui.FilterView{Label: word(r, "audit.filter."+chip.name), Value: chip.value, Remove: chip.remove, HX: ui.OpenDialog(ui.To("/admin/audit/filter"))}
		if chip.value == "" {
			out[i].Key, key = key, ""
		}
	}
	return out
}

func choice(r *desk.Request, prefix, value string) string {
	if value == "" {
		return ""
	}
	return word(r, prefix+value)
}

// askFilter opens the dialog with the filters of the page that asks.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.Go(logPath)
	}
	n := narrowing{}
	if page, err := url.Parse(r.Context.Request().Header.Get("HX-Current-URL")); err == nil {
		n = readNarrowing(page.Query())
	}
	view := controlview.Filters{
		Area:       chooser(r, "area", "audit.filter.area", "audit.area.", areas, n.area),
		Result:     chooser(r, "result", "audit.filter.result", "audit.result.", results, n.result),
		Role:       chooser(r, "role", "audit.filter.role", "role.", roles, n.role),
		TargetKind: chooser(r, "kind", "audit.filter.kind", "audit.kind.", kinds, n.kind),
		Person:     ui.FieldView{Name: "person", Label: word(r, "audit.filter.person"), Value: n.person, Hint: word(r, "audit.filter.person.hint"), MaxLength: 80},
		IP:         ui.FieldView{Name: "ip", Label: word(r, "audit.filter.ip"), Value: n.ip, Hint: word(r, "audit.filter.ip.hint"), MaxLength: 45},
		TargetID:   ui.FieldView{Name: "target", Label: word(r, "audit.filter.number"), Value: n.target, MaxLength: 100},
		From:       ui.FieldView{Name: "from", Label: word(r, "audit.filter.from"), Type: "date", Value: n.from},
		To:         ui.FieldView{Name: "to", Label: word(r, "audit.filter.to"), Type: "date", Value: n.to},
	}
	return r.Dialog(http.StatusOK, controlview.FilterDialog(view))
}

func chooser(r *desk.Request, name, label, prefix string, values []string, chosen string) ui.FieldView {
	field := ui.FieldView{Name: name, Label: word(r, label), Options: []ui.Option{{Label: word(r, "audit.filter.all")}}}
	for _, value := range values {
		field.Options = append(field.Options, ui.Option{Value: value, Label: word(r, prefix+value), Selected: value == chosen})
	}
	return field
}

// entry shows one entry: beside the list that asks, or with the newest entries around it.
func (s Services) entry(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	e, sealed, err := s.Audit.Read(ctxOf(r), id)
	if err != nil {
		return err
	}
	view, err := s.entryView(r, e, sealed)
	if err != nil {
		return err
	}
	if r.Partial() {
		return r.Show(controlview.EntryParts(view))
	}
	return s.showLog(r, narrowing{before: 0}, &view, id)
}

func (s Services) entryView(r *desk.Request, e audit.Entry, sealed audit.Seal) (view controlview.Entry, err error) {
	t, err := s.teller(r, []audit.Entry{e})
	if err != nil {
		return view, err
	}
	view = controlview.Entry{
		Title: word(r, "audit.entry", "id", e.ID), When: e.At.In(r.Zone()).Format("2 Jan 2006, 15:04:05"), Actor: t.Actor(e), Sentence: t.Sentence(e),
		Facts: t.facts(e), Changes: t.Changes(e),
	}
	view.Sealed, view.Chain = chainFacts(r, sealed)
	same := ui.To(logPath).With("kind", e.TargetKind).With("target", e.TargetID)
	if slices.Contains(kinds, e.TargetKind) && same.String() != "" && e.TargetID != "0" {
		view.SameHref = same
		view.Same, err = s.recent(r, audit.Filter{TargetKind: e.TargetKind, TargetID: e.TargetID, UpTo: e.ID, Limit: sameLimit})
		if len(view.Same) > 0 {
			view.Same[0].State = ui.StepNow
		}
	}
	return view, err
}

func (t teller) facts(e audit.Entry) []ui.Fact {
	tone := map[audit.Result]ui.Tone{audit.Done: ui.ToneSuccess, audit.Denied: ui.ToneError, audit.Failed: ui.ToneWarning}[e.Result]
	who := t.Name(e)
	if e.ActorID > 0 {
		who += word(t.r, "audit.fact.number", "id", e.ActorID)
	}
	facts := []ui.Fact{
		{Label: word(t.r, "audit.fact.result"), Value: word(t.r, "audit.result."+string(e.Result)), Tone: tone},
		{Label: word(t.r, "audit.fact.who"), Value: who},
	}
	if e.ActorRoles != "" {
		facts = append(facts, ui.Fact{Label: word(t.r, "audit.fact.roles"), Value: t.roles(e)})
	}
	facts = append(facts,
		ui.Fact{Label: word(t.r, "audit.fact.what"), Value: e.Action, Ident: true},
		ui.Fact{Label: word(t.r, "audit.fact.target"), Value: t.Target(e)},
		ui.Fact{Label: word(t.r, "audit.fact.utc"), Value: e.At.UTC().Format("2006-01-02 15:04:05.000"), Ident: true})
	if e.IP != "" {
		facts = append(facts, ui.Fact{Label: word(t.r, "audit.fact.ip"), Value: e.IP, Ident: true})
	}
	if e.Agent != "" {
		facts = append(facts, ui.Fact{Label: word(t.r, "audit.fact.agent"), Value: e.Agent})
	}
	if e.TraceID != "" {
		facts = append(facts, ui.Fact{Label: word(t.r, "audit.fact.trace"), Value: e.TraceID, Ident: true})
	}
	return facts
}

// roles are the words for what the actor was as they acted.
func (t teller) roles(e audit.Entry) string {
	names := strings.Split(e.ActorRoles, ",")
	for i, name := range names {
		names[i] = t.Value("role", name)
	}
	return strings.Join(names, ", ")
}

func chainFacts(r *desk.Request, sealed audit.Seal) (ui.ChipView, []ui.Fact) {
	leaf := ui.Fact{Label: word(r, "audit.fact.leaf"), Part: ui.Hash(hash(sealed.Leaf))}
	if sealed.Batch == 0 {
		return ui.ChipView{Icon: ui.IconClock, Label: word(r, "audit.not_sealed")}, []ui.Fact{leaf, {Label: word(r, "audit.fact.batch"), Value: word(r, "audit.not_sealed.note")}}
	}
	return ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: word(r, "audit.is_sealed")}, []ui.Fact{
		leaf,
		{Label: word(r, "audit.fact.batch"), Value: word(r, "audit.fact.batch.value", "batch", sealed.Batch, "at", at(r, sealed.At), "count", sealed.Entries)},
		{Label: word(r, "audit.fact.head"), Part: ui.Hash(hash(sealed.Hash))},
		{Label: word(r, "audit.fact.previous"), Part: ui.Hash(hash(sealed.Previous))},
	}
}

func hash(h seal.Hash) string { return hex.EncodeToString(h[:]) }

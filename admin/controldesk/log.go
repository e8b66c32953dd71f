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
	"candor/admin/desk/auditformat"
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

// areas are the nouns of actions; kinds are the kinds of targets.
var (
	areas   = []string{"audit", "deposit", "withdrawal", "adjustment", "banking", "bank_line", "task", "mention", "complaint", "channel", "money_out", "provider", "reconciliation", "kyc", "trader", "account", "payee", "product", "switch", "chat", "search", "staff", "outbox", "report", "access"}
	kinds   = []string{"deposit", "withdrawal", "adjustment", "bank_line", "bank_statement", "bank_account", "task", "mention", "complaint", "channel", "money_out_stop", "provider", "reconciliation", "kyc", "trader", "account", "payee", "product", "switch", "conversation", "chat", "reply", "search", "staff", "message", "payout_batch", "report", "payout_route", "route"}
	roles   = roleNames()
	results = []string{string(audit.Done), string(audit.Denied), string(audit.Failed)}
)

// listFilter is the log's filter from the address. Values that make no sense filter nothing.
type listFilter struct {
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

func readListFilter(values url.Values) listFilter {
	lf := listFilter{
		area: oneOf(areas, values.Get("area")), kind: oneOf(kinds, values.Get("kind")), result: oneOf(results, values.Get("result")),
		role: oneOf(roles, values.Get("role")), ip: short(values.Get("ip")), person: short(values.Get("person")), target: short(values.Get("target")), from: day(values.Get("from")), to: day(values.Get("to")),
	}
	lf.before, _ = strconv.ParseInt(values.Get("before"), 10, 64)
	return lf
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

func (lf listFilter) query() query {
	q := newQuery(logPath)
	for _, pair := range lf.pairs() {
		q = q.with(pair[0], pair[1])
	}
	return q
}

func (lf listFilter) pairs() [][2]string {
	return [][2]string{{"area", lf.area}, {"person", lf.person}, {"role", lf.role}, {"kind", lf.kind}, {"target", lf.target}, {"result", lf.result}, {"ip", lf.ip}, {"from", lf.from}, {"to", lf.to}}
}

func (lf listFilter) empty() bool { return lf.query().String() == logPath }

// filter is the filter for the audit log.
func (lf listFilter) filter(zone *time.Location) audit.Filter {
	f := audit.Filter{ActorName: lf.person, Role: lf.role, TargetKind: lf.kind, TargetID: lf.target, Result: audit.Result(lf.result), IP: lf.ip, Before: lf.before, Limit: logPage}
	if lf.area != "" {
		f.Action = lf.area + "."
	}
	if lf.from != "" {
		f.From, _ = time.ParseInLocation(dayLayout, lf.from, zone)
	}
	if lf.to != "" {
		last, _ := time.ParseInLocation(dayLayout, lf.to, zone)
		f.To = last.AddDate(0, 0, 1)
	}
	return f
}

func (s Services) log(r *desk.Request) error {
	return s.showLog(r, readListFilter(r.QueryParams()), nil, 0)
}

func (s Services) showLog(r *desk.Request, lf listFilter, open *controlview.Entry, openID int64) error {
	entries, next, err := s.Audit.List(ctxOf(r), lf.filter(r.Zone()))
	if err != nil {
		return err
	}
	view := controlview.Log{Entry: open, Zone: r.ZoneNote(), Filters: filterChips(r, lf)}
	if view.Chain, view.Waiting, err = s.chain(r); err != nil {
		return err
	}
	if r.May(access.AuditExport) {
		file := lf.query()
		file.path += "/file"
		view.File = file.String()
	}
	if !lf.empty() {
		view.Clear = logPath
	}
	if lf.before > 0 {
		view.Newest = lf.query().String()
	}
	if next != 0 {
		view.Older = lf.query().with("before", strconv.FormatInt(next, 10)).String()
	}
	f, err := s.formatter(r, entries)
	if err != nil {
		return err
	}
	view.Days = f.days(entries, openID, lf.empty())
	return r.Show(controlview.LogPage(r.Page(word(r, "nav.audit"), "audit"), view))
}

// days groups entries by the day in the member's zone.
func (f formatter) days(entries []audit.Entry, open int64, push bool) (days []controlview.Day) {
	for _, g := range auditformat.Reads(entries) {
		e := g.Entry
		label := dayLabel(f.r, e.At)
		if n := len(days); n == 0 || days[n-1].Label != label {
			days = append(days, controlview.Day{Label: label})
		}
		address := ui.To("/admin/audit/{}", e.ID)
		row := ui.RowView{ID: entryID(e), Href: address.String(), HX: ui.OpenDetail(address), Selected: slices.Contains(g.IDs, open)}
		row.HX.Push = push // with filters the address keeps them
		last := &days[len(days)-1]
		last.Events = append(last.Events, controlview.Event{
			ID: strconv.FormatInt(e.ID, 10), Row: row, Time: e.At.In(f.r.Zone()).Format("15:04:05"), UTC: ui.Stamp(e.At),
			Icon: auditformat.Icon(e), Actor: f.Actor(e), Description: f.describeAll(g), Chip: f.Chip(e),
		})
	}
	return days
}

// describeAll is what was done, and how many times in a row.
func (f formatter) describeAll(g auditformat.Grouped) string {
	if n := len(g.Times); n > 1 {
		return word(f.r, "audit.times", "event", f.Describe(g.Entry), "count", n)
	}
	return f.Describe(g.Entry)
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

// chain shows how far the log is sealed.
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

// filterChips are the active filters, with their removal, and the offers of others.
func filterChips(r *desk.Request, lf listFilter) []ui.FilterView {
	dates := lf.from + lf.to
	switch {
	case lf.from != "" && lf.to != "" && lf.from != lf.to:
		dates = word(r, "audit.filter.between", "from", lf.from, "to", lf.to)
	case lf.from != "" && lf.to == "":
		dates = word(r, "audit.filter.since", "day", lf.from)
	case lf.from == "" && lf.to != "":
		dates = word(r, "audit.filter.until", "day", lf.to)
	case lf.from != "":
		dates = lf.from
	}
	about := strings.TrimSpace(choice(r, "audit.kind.", lf.kind) + " " + lf.target)
	chips := []struct{ name, value, remove string }{
		{"date", dates, lf.query().with("from", "").with("to", "").String()},
		{"area", choice(r, "audit.area.", lf.area), lf.query().with("area", "").String()},
		{"person", lf.person, lf.query().with("person", "").String()},
		{"role", choice(r, "role.", lf.role), lf.query().with("role", "").String()},
		{"target", about, lf.query().with("kind", "").with("target", "").String()},
		{"result", choice(r, "audit.result.", lf.result), lf.query().with("result", "").String()},
		{"ip", lf.ip, lf.query().with("ip", "").String()},
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

// askFilter opens the dialog with the filters of the requesting page.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(logPath)
	}
	lf := listFilter{}
	if page, err := url.Parse(r.Context.Request().Header.Get("HX-Current-URL")); err == nil {
		lf = readListFilter(page.Query())
	}
	view := controlview.Filters{
		Area:       chooser(r, "area", "audit.filter.area", "audit.area.", areas, lf.area),
		Result:     chooser(r, "result", "audit.filter.result", "audit.result.", results, lf.result),
		Role:       chooser(r, "role", "audit.filter.role", "role.", roles, lf.role),
		TargetKind: chooser(r, "kind", "audit.filter.kind", "audit.kind.", kinds, lf.kind),
		Person:     ui.FieldView{Name: "person", Label: word(r, "audit.filter.person"), Value: lf.person, Hint: word(r, "audit.filter.person.hint"), MaxLength: 80},
		IP:         ui.FieldView{Name: "ip", Label: word(r, "audit.filter.ip"), Value: lf.ip, Hint: word(r, "audit.filter.ip.hint"), MaxLength: 45},
		TargetID:   ui.FieldView{Name: "target", Label: word(r, "audit.filter.number"), Value: lf.target, MaxLength: 100},
		From:       ui.FieldView{Name: "from", Label: word(r, "audit.filter.from"), Type: "date", Value: lf.from},
		To:         ui.FieldView{Name: "to", Label: word(r, "audit.filter.to"), Type: "date", Value: lf.to},
	}
	return r.Dialog(http.StatusOK, controlview.FilterDialog(view))
}

func chooser(r *desk.Request, name, label, prefix string, values []string, chosen string) ui.FieldView {
	field := ui.FieldView{Name: name, Label: word(r, label), Options: []ui.Option{{Label: word(r, "case.filter.all")}}}
	for _, value := range values {
		field.Options = append(field.Options, ui.Option{Value: value, Label: word(r, prefix+value), Selected: value == chosen})
	}
	return field
}

// entry shows one entry: beside the requesting list, or with the newest entries around it.
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
	return s.showLog(r, listFilter{before: 0}, &view, id)
}

func (s Services) entryView(r *desk.Request, e audit.Entry, sealed audit.Seal) (view controlview.Entry, err error) {
	f, err := s.formatter(r, []audit.Entry{e})
	if err != nil {
		return view, err
	}
	view = controlview.Entry{
		Title: word(r, "audit.entry", "id", e.ID), When: e.At.In(r.Zone()).Format("2 Jan 2006, 15:04:05"), Actor: f.Actor(e), Description: f.Describe(e),
		Facts: f.facts(e), Changes: f.Changes(e),
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

func (f formatter) facts(e audit.Entry) []ui.Fact {
	tone := map[audit.Result]ui.Tone{audit.Done: ui.ToneSuccess, audit.Denied: ui.ToneError, audit.Failed: ui.ToneWarning}[e.Result]
	who := f.Name(e)
	if e.ActorID > 0 {
		who = word(f.r, "audit.fact.person", "name", who, "id", e.ActorID)
	}
	facts := []ui.Fact{
		{Label: word(f.r, "audit.fact.result"), Value: word(f.r, "audit.result."+string(e.Result)), Tone: tone},
		{Label: word(f.r, "audit.fact.who"), Value: who},
	}
	if e.ActorRoles != "" {
		facts = append(facts, ui.Fact{Label: word(f.r, "audit.fact.roles"), Value: f.roles(e)})
	}
	facts = append(facts,
		ui.Fact{Label: word(f.r, "audit.fact.what"), Value: e.Action, Ident: true},
		ui.Fact{Label: word(f.r, "audit.fact.target"), Value: f.Target(e)},
		ui.Fact{Label: word(f.r, "audit.fact.utc"), Value: e.At.UTC().Format("2006-01-02 15:04:05.000"), Ident: true})
	if e.IP != "" {
		facts = append(facts, ui.Fact{Label: word(f.r, "audit.fact.ip"), Value: e.IP, Ident: true})
	}
	if e.Agent != "" {
		facts = append(facts, ui.Fact{Label: word(f.r, "audit.fact.agent"), Value: e.Agent})
	}
	if e.TraceID != "" {
		facts = append(facts, ui.Fact{Label: word(f.r, "audit.fact.trace"), Value: e.TraceID, Ident: true})
	}
	return facts
}

// roles are the names of the roles that the actor had at the time.
func (f formatter) roles(e audit.Entry) string {
	names := strings.Split(e.ActorRoles, ",")
	for i, name := range names {
		names[i] = f.Value("role", name)
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

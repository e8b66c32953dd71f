package controldesk

import (
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/auditformat"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/platform/sheet"
	"candor/app/staff"
	"candor/templates/ui"
)

const (
	longestName   = 80
	longestTarget = 100
	longestIP     = 45
	logFileRows   = 50_000
)

// logHome is the address of the log.
var logHome = ui.To("/admin/audit")

// areas are the nouns of actions; kinds are the kinds of targets.
var (
	areas   = []string{"audit", "deposit", "withdrawal", "adjustment", "bonus", "account_change", "banking", "bank_line", "task", "mention", "complaint", "channel", "money_out", "provider", "reconciliation", "kyc", "trader", "account", "payee", "product", "switch", "chat", "search", "staff", "outbox", "report", "access", "notice", "tag"}
	kinds   = []string{"deposit", "withdrawal", "adjustment", "bonus", "bonus_request", "account_change", "bank_line", "bank_statement", "bank_account", "task", "mention", "complaint", "channel", "money_out_stop", "provider", "reconciliation", "kyc", "trader", "account", "payee", "product", "switch", "conversation", "chat", "reply", "search", "staff", "message", "payout_batch", "report", "payout_route", "route", "deposit_address", "kyc_week", "macro", "notice", "tag"}
	results = []audit.Result{audit.Done, audit.Denied, audit.Failed}
)

// logColumns are the columns of the file; they never change their names.
var logColumns = []string{"entry", "at_utc", "actor_kind", "actor", "actor_name", "action", "target_kind", "target", "result", "ip", "trace", "before", "after", "roles", "agent"}

// entries declares the audit log. Its page stands still: in a house at work it would change all the time.
func (s Services) entries() caseengine.List[auditformat.Grouped] {
	return caseengine.List[auditformat.Grouped]{
		Name: "audit", Letters: "entry-", Target: "audit", Texts: "audit", Icon: ui.IconLog, View: access.AuditView, Newest: true, Hears: never, Audit: s.Audit,
		Filters: []caseengine.Filter{
			caseengine.Day("from"),
			caseengine.Day("to"),
			caseengine.OneOf("area", areas, func(r *desk.Request, area string) string { return word(r, "audit.area."+area) }),
			caseengine.OneOf("result", results, func(r *desk.Request, result audit.Result) string { return word(r, "audit.result."+string(result)) }),
			caseengine.Text("person", longestName, cleaned(longestName)),
			caseengine.OneOf("role", staff.Roles, roleName),
			caseengine.OneOf("kind", kinds, func(r *desk.Request, kind string) string { return word(r, "audit.kind."+kind) }),
			caseengine.Text("target", longestTarget, cleaned(longestTarget)),
			caseengine.Text("ip", longestIP, cleaned(longestIP)),
		},
		Columns: []caseengine.Column{{Label: "audit.field.at"}, {Label: "audit.fact.who"}, {Label: "audit.fact.what", Wide: true}, {Label: "audit.column.entry", Numeric: true}},
		Chips:   s.sealChips,
		Find:    s.findEntries, Rows: s.entryRows, ID: func(g auditformat.Grouped) int64 { return g.ID }, Open: s.openEntry,
		File: caseengine.File[auditformat.Grouped]{Permission: access.AuditExport, Columns: logColumns, Cells: entryCells, Most: logFileRows},
	}
}

// never is of pages that hear of no change.
func never(*desk.Request, string) bool { return false }

// findEntries reads a page of the log, with what somebody looked at again and again as one line. A file has every entry, and its pages are longer.
func (s Services) findEntries(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]auditformat.Grouped, caseengine.Cursor, error) {
	f := audit.Filter{
		ActorName: sel.Value("person"), Role: sel.Value("role"), TargetKind: sel.Value("kind"), TargetID: sel.Value("target"), Result: audit.Result(sel.Value("result")), IP: sel.Value("ip"),
		Before: after.ID, Limit: limit, Whole: limit > audit.ListLimit,
	}
	if area := sel.Value("area"); area != "" {
		f.Action = area + "."
	}
	f.From, f.To = sel.Days(r.Zone())
	list, next, err := s.Audit.List(ctxOf(r), f)
	if err == nil {
		err = withoutPlaces(r, list)
	}
	if f.Whole {
		return auditformat.Singles(list), caseengine.Cursor{ID: next}, err
	}
	return auditformat.Reads(list), caseengine.Cursor{ID: next}, err
}

// withoutPlaces takes the network and the browser out of the entries of traders whose accounts are closed, unless the member is of compliance.
func withoutPlaces(r *desk.Request, list []audit.Entry) error {
	var traders []int64
	for _, e := range list {
		if e.ActorKind == audit.Trader {
			traders = append(traders, e.ActorID)
		}
	}
	withheld, err := r.Withheld(traders...)
	for i, e := range list {
		if e.ActorKind == audit.Trader && withheld[e.ActorID] {
			list[i].IP, list[i].Agent = "", ""
		}
	}
	return err
}

// entryRows shows entries under the days of the member's zone.
func (s Services) entryRows(r *desk.Request, list []auditformat.Grouped) ([]caseengine.Row, error) {
	entries := make([]audit.Entry, len(list))
	for i, g := range list {
		entries[i] = g.Entry
	}
	f, err := s.formatter(r, entries)
	rows := make([]caseengine.Row, len(list))
	for i, g := range list {
		what := ui.Cell{Text: f.describeAll(g), Wrap: true}
		if chip := f.Chip(g.Entry); chip != nil {
			what.Chips = []ui.ChipView{*chip}
		}
		rows[i] = caseengine.Row{Group: dayLabel(r, g.At), Cells: []ui.Cell{
			{Text: g.At.In(r.Zone()).Format("15:04:05"), Title: ui.Stamp(g.At)}, {Text: f.Actor(g.Entry), Icon: auditformat.Icon(g.Entry), Strong: true}, what,
			{Text: strconv.FormatInt(g.ID, 10), Muted: true},
		}}
	}
	return rows, err
}

// describeAll is what was done, and how many times in a row.
func (f formatter) describeAll(g auditformat.Grouped) string {
	if n := len(g.Times); n > 1 {
		return word(f.r, "audit.times", "event", f.Describe(g.Entry), "count", n)
	}
	return f.Describe(g.Entry)
}

// dayLabel is the heading of a day's entries.
func dayLabel(r *desk.Request, moment time.Time) string {
	local, now := moment.In(r.Zone()), r.Now().In(r.Zone())
	switch {
	case local.Year() != now.Year():
		return r.Day(moment)
	case local.YearDay() == now.YearDay():
		return word(r, "audit.today", "day", ui.Weekday(ctxOf(r), moment, r.Zone()))
	}
	return ui.Weekday(ctxOf(r), moment, r.Zone())
}

// sealChips show how far the log is sealed.
func (s Services) sealChips(r *desk.Request) ([]ui.ChipView, error) {
	batch, sealed, n, err := s.Audit.Chained(ctxOf(r))
	chip := ui.ChipView{Icon: ui.IconShieldCheck, Tone: ui.ToneSuccess, Label: word(r, "audit.sealed_to", "batch", batch, "at", at(r, sealed)), Title: ui.Stamp(sealed)}
	if batch == 0 {
		chip = ui.ChipView{Icon: ui.IconShield, Label: word(r, "audit.sealed_none")}
	}
	if n == 0 {
		return []ui.ChipView{chip}, err
	}
	return []ui.ChipView{chip, {Icon: ui.IconClock, Label: word(r, "audit.unsealed", "count", n)}}, err
}

func entryCells(_ *desk.Request, list []auditformat.Grouped) ([][]string, error) {
	out := make([][]string, len(list))
	for i, e := range list {
		out[i] = []string{
			strconv.FormatInt(e.ID, 10), sheet.Moment(&e.At), string(e.ActorKind), strconv.FormatInt(e.ActorID, 10), e.ActorName, e.Action, e.TargetKind,
			e.TargetID, string(e.Result), e.IP, e.TraceID, e.Before, e.After, e.ActorRoles, e.Agent,
		}
	}
	return out, nil
}

package reportdesk

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/platform/sheet"
	"candor/app/report"
	"candor/templates/reportview"
	"candor/templates/ui"
)

// mostComments is how many comments a page has.
const mostComments = 50

// presets are the spans that are one press away, in days up to today.
var presets = []struct {
	name string
	days int
}{{"day", 1}, {"week", 7}, {"month", 30}, {"quarter", 90}}

// usual is the preset of a page without a span.
const usual = 30

// chosen is the span of a page as its address says it.
type chosen struct {
	span     report.Span
	err      error
	from, to string
	days     int // of the preset; 0 for days that were typed
}

// choose reads the span of an address: a preset, or two days of the member's zone, both included.
func choose(r *desk.Request) chosen {
	query := r.QueryParams()
	today := r.Now().In(r.Zone())
	first, failed := time.Parse(time.DateOnly, query.Get("from"))
	last, alsoFailed := time.Parse(time.DateOnly, query.Get("to"))
	c := chosen{}
	if failed != nil || alsoFailed != nil {
		c.days = usual
		for _, p := range presets {
			if p.name == query.Get("span") {
				c.days = p.days
			}
		}
		first, last = today.AddDate(0, 0, 1-c.days), today
	}
	c.from, c.to = first.Format(time.DateOnly), last.Format(time.DateOnly)
	c.span, c.err = report.NewSpan(first, last, r.Zone())
	return c
}

// index lists the reports that the member may read.
func (s Services) index(r *desk.Request) error {
	groups, err := s.groups(r, "")
	if err != nil {
		return err
	}
	return r.Show(reportview.Index(r.Page(r.Word("nav.reports"), "reports"), groups))
}

func (s Services) groups(r *desk.Request, current string) (groups []reportview.Group, err error) {
	mailed, err := s.Reports.Subscriptions(ctxOf(r), r.Member.ID)
	for _, k := range kinds {
		if !r.May(k.permission) {
			continue
		}
		title := r.Word("report.group." + k.group)
		if n := len(groups); n == 0 || groups[n-1].Title != title {
			groups = append(groups, reportview.Group{Title: title})
		}
		link := reportview.Link{Title: r.Word("report." + k.name), Note: r.Word("report." + k.name + ".note"), Href: k.path(), Current: k.name == current}
		if one, ok := mailed[k.name]; ok {
			link.Mailed = rhythm(r, one)
		}
		group := &groups[len(groups)-1]
		group.Links = append(group.Links, link)
	}
	return groups, err
}

func (s Services) page(r *desk.Request) error {
	k, err := kindOf(r)
	if err != nil {
		return err
	}
	view, err := s.view(r, k)
	if err != nil {
		return err
	}
	return r.Show(reportview.Page(r.Page(view.Title, "reports"), view))
}

// view is the page of a report with the span of its address.
func (s Services) view(r *desk.Request, k kind) (view reportview.Report, err error) {
	c, w := choose(r), writer{ctxOf(r), k}
	view = reportview.Report{Title: w.title(), Note: r.Word("report." + k.name + ".note"), Zone: r.ZoneNote(), Action: k.path()}
	if view.Groups, err = s.groups(r, k.name); err != nil {
		return view, err
	}
	for _, p := range presets {
		view.Presets = append(view.Presets, ui.TabView{Label: r.Word("report.span." + p.name), Href: k.path().String() + "?span=" + p.name, Current: c.days == p.days})
	}
	view.From = ui.FieldView{Name: "from", Label: r.Word("report.from"), Type: "date", Value: c.from, Small: true, HideLabel: true}
	view.To = ui.FieldView{Name: "to", Label: r.Word("report.to"), Type: "date", Value: c.to, Small: true, HideLabel: true}
	if view.Buttons, err = s.buttons(r, k, c); err != nil {
		return view, err
	}
	t, err := s.read(r, k, c)
	if refusal := errs.As(err); refusal != nil {
		view.Error = r.Text(refusal)
		return view, nil
	}
	if err != nil {
		return view, err
	}
	w.fill(&view, t, c.span)
	if k.name == "satisfaction" && r.May(access.ReportAgents) {
		view.Comments, err = s.comments(r, c.span)
	}
	return view, err
}

func (s Services) read(r *desk.Request, k kind, c chosen) (report.Table, error) {
	if c.err != nil {
		return report.Table{}, c.err
	}
	return k.read(s.Reports, ctxOf(r), c.span)
}

func (s Services) comments(r *desk.Request, span report.Span) (out []reportview.Comment, err error) {
	list, err := s.Reports.Comments(ctxOf(r), span, mostComments)
	for _, c := range list {
		out = append(out, reportview.Comment{At: r.Moment(c.At), Rating: strconv.FormatInt(c.Rating, 10), Words: c.Words})
	}
	return out, err
}

// fill writes the figures of a table and its picture.
func (w writer) fill(view *reportview.Report, t report.Table, span report.Span) {
	for _, head := range w.heads(t) {
		view.Columns = append(view.Columns, ui.Column{Label: head})
	}
	view.Texts = len(view.Columns)
	for _, c := range t.Columns {
		view.Columns = append(view.Columns, ui.Column{Label: w.head(c), Numeric: true})
	}
	for _, row := range t.Rows {
		view.Rows = append(view.Rows, w.cells(t, row, w.names(t, row)))
	}
	if len(t.Rows) > 0 {
		for _, sum := range t.Totals {
			view.Totals = append(view.Totals, w.cells(t, sum, w.total(t, sum)))
		}
	}
	view.Summary = w.summary(t)
	if p := w.pictureOf(t, span); len(p.series) > 0 {
		chart := p.view(w)
		view.Chart = &chart
	}
}

// heads are the heads of the columns of words.
func (w writer) heads(t report.Table) (out []string) {
	switch {
	case w.kind.daily:
		out = append(out, w.word("report.column.day"))
	case w.kind.weekly:
		out = append(out, w.word("report.column.week"))
	}
	if w.kind.place != "" {
		out = append(out, w.word("report.column."+w.kind.place))
	}
	if valued(t) {
		out = append(out, w.word("report.column.currency"))
	}
	return out
}

// names are the words of a row.
func (w writer) names(t report.Table, row report.Row) (out []string) {
	if w.kind.dated() {
		out = append(out, ui.Date(w.ctx, row.Day))
	}
	if w.kind.place != "" {
		out = append(out, w.place(row))
	}
	if valued(t) {
		out = append(out, currency(row))
	}
	return out
}

// total are the words of a sum.
func (w writer) total(t report.Table, sum report.Row) []string {
	out := make([]string, len(w.heads(t)))
	if valued(t) {
		out[len(out)-1] = currency(sum)
	}
	out[0] = w.word("report.total")
	if len(out) == 1 && valued(t) {
		out[0] += " " + currency(sum)
	}
	return out
}

func (w writer) cells(t report.Table, row report.Row, words []string) []string {
	for i, f := range row.Figures {
		words = append(words, w.figure(t.Columns[i], row, f))
	}
	return words
}

// summary says what the picture shows: the sums, and the row with the most.
func (w writer) summary(t report.Table) string {
	var parts []string
	for i, c := range t.Columns {
		if !c.Drawn {
			continue
		}
		whole, most := "report.sum", "report.top"
		if c.Unit == report.Rating {
			whole, most = "report.overall", "report.highest"
		}
		for _, sum := range t.Totals {
			if !sum.Figures[i].None {
				parts = append(parts, w.word(whole, "column", w.head(c), "value", w.valued(c, sum, sum.Figures[i])))
			}
		}
		var top *report.Row
		for n, row := range t.Rows {
			if f := row.Figures[i]; !f.None && f.Value > 0 && (top == nil || f.Value > top.Figures[i].Value) {
				top = &t.Rows[n]
			}
		}
		if top != nil {
			parts = append(parts, w.word(most, "where", strings.Join(w.where(*top), ", "), "value", w.valued(c, *top, top.Figures[i])))
		}
	}
	if len(parts) == 0 {
		return w.word("report.empty")
	}
	return strings.Join(parts, " ")
}

// where names a row in a sentence.
func (w writer) where(row report.Row) (out []string) {
	if w.kind.dated() {
		out = append(out, ui.Date(w.ctx, row.Day))
	}
	if w.kind.place != "" {
		out = append(out, w.place(row))
	}
	return out
}

// valued is a figure with its currency.
func (w writer) valued(c report.Column, row report.Row, f report.Figure) string {
	text := w.figure(c, row, f)
	if c.Unit == report.Money || c.Unit == report.Result {
		text += " " + currency(row)
	}
	return text
}

// file answers with a report as a file. The audit log records the export first.
func (s Services) file(r *desk.Request) error {
	k, err := kindOf(r)
	if err != nil {
		return err
	}
	c := choose(r)
	t, err := s.read(r, k, c)
	if err != nil {
		return err
	}
	how, err := json.Marshal(map[string]string{"from": c.from, "to": c.to, "zone": r.Zone().String()})
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), "report.export", "report", k.name)
	entry.After = string(how)
	if err := s.Audit.Record(ctxOf(r), entry); err != nil {
		return err
	}
	return r.File("report-"+k.name, func() error { return write(r, k, t) })
}

// write writes the rows with the names of columns in files, which are English and never change.
func write(r *desk.Request, k kind, t report.Table) error {
	w, out := writer{i18n.WithLang(ctxOf(r), r.Texts(), i18n.Reference), k}, sheet.New(r.Response())
	head := fileHead(k, t)
	for _, c := range t.Columns {
		name := c.Name
		if c.Unit == report.Seconds {
			name += "_seconds"
		}
		if c.Unit == report.Share {
			name += "_percent"
		}
		head = append(head, name)
	}
	if err := out.Row(head...); err != nil {
		return err
	}
	for _, row := range t.Rows {
		cells := w.names(t, row)
		if k.dated() {
			cells[0] = row.Day.Format(time.DateOnly)
		}
		for i, f := range row.Figures {
			cells = append(cells, cell(t.Columns[i], row, f))
		}
		if err := out.Row(cells...); err != nil {
			return err
		}
	}
	return out.Flush()
}

func fileHead(k kind, t report.Table) (out []string) {
	switch {
	case k.daily:
		out = append(out, "day")
	case k.weekly:
		out = append(out, "week")
	}
	if k.place != "" {
		out = append(out, k.place)
	}
	if valued(t) {
		out = append(out, "currency")
	}
	return out
}

// buttons are the file, and the subscription as it is.
func (s Services) buttons(r *desk.Request, k kind, c chosen) (out []ui.ButtonView, err error) {
	if r.May(access.ReportExport) {
		query := url.Values{"from": {c.from}, "to": {c.to}}
		out = append(out, ui.ButtonView{Label: r.Word("report.file"), Icon: ui.IconDownload, Size: ui.Small, Href: k.path("file").String() + "?" + query.Encode()})
	}
	mailed, err := s.Reports.Subscriptions(ctxOf(r), r.Member.ID)
	button := ui.ButtonView{Label: r.Word("report.subscribe.open"), Icon: ui.IconMail, Size: ui.Small, HX: ui.HX{Get: k.path("subscription"), Target: ui.At("dialog"), Swap: ui.SwapInside}}
	if one, ok := mailed[k.name]; ok {
		button.Label = rhythm(r, one)
	}
	return append(out, button), err
}

package bankdesk

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/banking"
	"candor/templates/ui"
)

// The tabs, as addresses name them; the first one has no name.
const (
	tabUnclaimed = "unclaimed"
	tabMatched   = "matched"
	tabExplained = "explained"
	tabAll       = "all"
)

var groups = map[string]banking.Group{
	"": banking.GroupSuggested, tabUnclaimed: banking.GroupUnclaimed, tabMatched: banking.GroupMatched, tabExplained: banking.GroupExplained, tabAll: banking.GroupAll,
}

// list declares the list of lines.
func (s Services) list() caseengine.List[banking.Line] {
	return caseengine.List[banking.Line]{
		Name: "statements", Letters: "BL-", Target: "bank_line", Texts: "bankline", Icon: ui.IconBank, View: access.StatementView, Audit: s.Audit,
		Tabs: []caseengine.Tab{
			{Label: "bankline.tab.suggested"}, {Name: tabUnclaimed, Label: "bankline.tab.unclaimed"}, {Name: tabMatched, Label: "bankline.tab.matched", Over: true},
			{Name: tabExplained, Label: "bankline.tab.explained", Over: true}, {Name: tabAll, Label: "bankline.tab.all", Over: true},
		},
		Filters: []caseengine.Filter{
			s.accountFilter(), caseengine.CaseNumber("statement", "BS-"), caseengine.Day("from"), caseengine.Day("until"),
		},
		Counts: s.counts, Find: s.find, Rows: s.rows, ID: func(l banking.Line) int64 { return l.ID }, Newest: true, Buttons: s.headButtons, Said: said,
		File: caseengine.File[banking.Line]{Permission: access.StatementExport, Columns: fileColumns, Cells: s.cells},
	}
}

// accountFilter chooses one of the bank accounts.
func (s Services) accountFilter() caseengine.Filter {
	f := caseengine.Number("account", 1<<31-1)
	f.Choices = func(r *desk.Request) (out []caseengine.Choice) {
		accounts, err := s.Banking.Accounts(ctxOf(r))
		if err != nil { // the filter is left out; the list itself reports what is wrong
			return nil
		}
		for _, a := range accounts {
			out = append(out, caseengine.Choice{Value: strconv.Itoa(a.ID), Label: a.Name + ", " + a.Currency})
		}
		return out
	}
	return f
}

// headButtons are the acts above the list: import a file, match what is sure.
func (s Services) headButtons(r *desk.Request) (out []ui.ButtonView) {
	if r.May(access.StatementMatch) {
		out = append(out, ui.ButtonView{Label: r.Word("bankline.sure.open"), Icon: ui.IconCheck, Size: ui.Small, Key: "B", HX: ui.OpenDialog(ui.To("/admin/statements/matches"))})
	}
	if r.May(access.StatementImport) {
		out = append(out, ui.ButtonView{Label: r.Word("bankline.import.open"), Icon: ui.IconIn, Size: ui.Small, Key: "I", HX: ui.OpenDialog(ui.To("/admin/statements/import"))})
	}
	return out
}

// said is the message after an import, or after lines were matched together.
func said(r *desk.Request) string {
	count := func(name string) int {
		n, err := desk.ParseCount(r.QueryParam(name))
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
	switch {
	case r.QueryParam("new") != "":
		text := r.Word("bankline.import.done", "count", count("new"), "known", count("known"))
		if r.QueryParam("gap") != "" {
			text += " " + r.Word("bankline.import.gap")
		}
		return text
	case r.QueryParam("matched") != "" && count("refused") > 0:
		return r.Word("bankline.sure.partly", "count", count("matched"), "refused", count("refused"), "lines", strings.Join(lineNumbers(r), ", "))
	case r.QueryParam("matched") != "":
		return r.Word("bankline.sure.done", "count", count("matched"))
	}
	return ""
}

// lineNumbers are the lines that an address names.
func lineNumbers(r *desk.Request) (out []string) {
	for _, text := range r.QueryParams()["line"] {
		if id := caseengine.Numbered(text, ""); id != 0 && len(out) < sureShown {
			out = append(out, banking.Number(id))
		}
	}
	return out
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []banking.Line, next caseengine.Cursor, err error) {
	q := banking.Search{
		Group: groups[sel.Tab()], AccountID: int(sel.Number("account")), StatementID: sel.Number("statement"), From: dayOf(sel.Value("from")), Until: dayOf(sel.Value("until")),
	}
	list, err = s.Banking.Lines(ctxOf(r), q, banking.Place{BookedOn: after.At, ID: after.ID}, limit+1)
	if len(list) > limit {
		list = list[:limit]
		next = caseengine.Cursor{At: list[limit-1].BookedOn, ID: list[limit-1].ID}
	}
	return list, next, err
}

// dayOf is a day of a bank, which has no zone; zero for none.
func dayOf(text string) time.Time {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}
	}
	return day
}

// rows shows lines in the list: who paid, and what it seems to be.
func (s Services) rows(r *desk.Request, list []banking.Line) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, list...)
	if err != nil {
		return nil, err
	}
	details, err := s.details(r, list...)
	if err != nil {
		return nil, err
	}
	rows := make([]caseengine.Row, len(list))
	for i, l := range list {
		detail := details[i]
		rows[i] = caseengine.Row{QueueRowView: ui.QueueRowView{
			Title: l.Number(), Sub: pc.accounts[l.AccountID].Name, Text: pc.amount(l), Strong: true, State: pc.chip(l),
			Due: &ui.DueView{Text: pc.Date(l.BookedOn), NoIcon: true}, Note: joined(detail.Counterparty, detail.Text),
		}}
	}
	return rows, nil
}

// details are what lines say of people; nothing of those whose accounts are closed, unless the member is of compliance.
func (s Services) details(r *desk.Request, list ...banking.Line) ([]banking.Detail, error) {
	owners, err := s.Banking.Owners(ctxOf(r), list...)
	if err != nil {
		return nil, err
	}
	withheld, err := r.Withheld(slices.Collect(maps.Values(owners))...)
	if err != nil {
		return nil, err
	}
	details := make([]banking.Detail, len(list))
	for i, l := range list {
		if withheld[owners[l.ID]] {
			continue
		}
		if details[i], err = s.Banking.Detail(ctxOf(r), l); err != nil {
			return nil, err
		}
	}
	return details, nil
}

// joined is what the bank says of the payer and the payment.
func joined(name, text string) string {
	switch {
	case name == "":
		return text
	case text == "":
		return name
	}
	return name + " · " + text
}

// chip is the state of a line; for a suggestion the case and its score.
func (pc pageContext) chip(l banking.Line) *ui.ChipView {
	switch {
	case l.Approval != nil && l.State == banking.Unmatched:
		return &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconPeople, Label: pc.T("bankline.chip.asked")}
	case l.Suggested():
		tone := ui.ToneWarning
		if l.Score >= banking.Sure {
			tone = ui.ToneSuccess
		}
		return &ui.ChipView{Tone: tone, Label: pc.T("bankline.chip.suggested", "number", caseNumber(l, *l.SuggestedID), "score", l.Score)}
	case l.State == banking.Matched:
		return &ui.ChipView{Icon: ui.IconCheck, Label: pc.T("bankline.chip.matched", "number", caseNumber(l, matchedID(l)))}
	case l.State == banking.Explained:
		return &ui.ChipView{Icon: ui.IconCheck, Label: pc.T("bankline.cause." + string(*l.Cause))}
	}
	return &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: pc.T("bankline.chip.unclaimed")}
}

// fileColumns are the column names; they never change.
var fileColumns = []string{"line", "account", "booked_on", "value_on", "currency", "amount", "bank_reference", "payer", "text", "state", "case", "cause", "score"}

// cells are lines as rows of a file.
func (s Services) cells(r *desk.Request, list []banking.Line) ([][]string, error) {
	pc, err := s.pageContext(r, list...)
	if err != nil {
		return nil, err
	}
	details, err := s.details(r, list...)
	if err != nil {
		return nil, err
	}
	rows := make([][]string, len(list))
	for i, l := range list {
		detail := details[i]
		account, cause, about := pc.accounts[l.AccountID], "", ""
		if l.Cause != nil {
			cause = string(*l.Cause)
		}
		if l.State == banking.Matched {
			about = caseNumber(l, matchedID(l))
		}
		rows[i] = []string{
			l.Number(), account.IBAN, l.BookedOn.Format(time.DateOnly), l.ValueOn.Format(time.DateOnly), account.Currency, plain(l.Amount), l.BankReference, detail.Counterparty,
			detail.Text, string(l.State), about, cause, strconv.Itoa(l.Score),
		}
	}
	return rows, nil
}

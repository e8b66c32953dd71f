package newsdesk

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/notice"
	"candor/app/platform/sheet"
	"candor/templates/ui"
)

const longestSearch = 80

// stages are the tabs of the list after the first one, which has all but the archived.
var stages = []notice.State{notice.Drafted, notice.InReview, notice.Scheduled, notice.Live, notice.Expired, notice.Unpublished, notice.Archived}

// over reports whether a stage has ended items.
func over(stage notice.State) bool {
	return stage == notice.Expired || stage == notice.Unpublished || stage == notice.Archived
}

var sorts = []notice.Sort{notice.OldestEdit, notice.NewestItem}

// list declares the list of items, published or not.
func (s Services) list() caseengine.List[notice.Listed] {
	tabs := []caseengine.Tab{{Label: "content.kinds.all"}}
	for _, stage := range stages {
		tabs = append(tabs, caseengine.Tab{Name: string(stage), Label: "content.tab." + string(stage), Over: over(stage)})
	}
	return caseengine.List[notice.Listed]{
		Name: "content", Letters: "N-", Target: "notice", Texts: "content.list", Icon: ui.IconBell, View: access.ContentView, Tabs: tabs, Counts: s.counts, Audit: s.Audit,
		Filters: []caseengine.Filter{
			caseengine.Search(longestSearch, searched),
			caseengine.OneOf("kind", notice.Kinds, func(r *desk.Request, kind notice.Kind) string { return word(r, "content.kinds."+string(kind)) }),
			caseengine.OneOf("missing", notice.Locales, func(_ *desk.Request, locale string) string { return names[locale] }),
			{Name: "country", Read: oneCountry, Choices: func(r *desk.Request) []caseengine.Choice { return caseengine.Countries(ctxOf(r)) }},
			caseengine.OneOf("sort", sorts, func(r *desk.Request, by notice.Sort) string { return word(r, "content.sort."+string(by)) }),
		},
		Columns: []caseengine.Column{
			{Label: "content.title"}, {Label: "content.number"}, {Label: "content.kind"}, {Label: "content.state"}, {Label: "content.audience"}, {Label: "content.languages"},
			{Label: "content.shown"}, {Label: "content.owner"}, {Label: "content.reach.column", Numeric: true},
		},
		Find: s.find, Rows: rows, ID: func(l notice.Listed) int64 { return l.ItemID }, Buttons: listButtons,
		File: caseengine.File[notice.Listed]{Permission: access.ContentView, Columns: fileColumns, Cells: cells},
	}
}

func (s Services) counts(ctx context.Context) (map[string]int64, error) {
	counts, err := s.Notices.CountStages(ctx)
	out := map[string]int64{}
	for stage, n := range counts {
		out[string(stage)] = n
	}
	return out, err
}

// searched cleans the search box's input.
func searched(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
	if utf8.RuneCountInString(text) > longestSearch {
		return string([]rune(text)[:longestSearch])
	}
	return text
}

// search is what a selection of the list searches for.
func search(sel caseengine.Selection) notice.Search {
	return notice.Search{
		Kind: notice.Kind(sel.Value("kind")), Stage: notice.State(sel.Tab()), Missing: sel.Value("missing"), Country: sel.Value("country"), Words: sel.Value("q"),
		Sort: notice.Sort(sel.Value("sort")),
	}
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []notice.Listed, next caseengine.Cursor, err error) {
	list, more, err := s.Notices.Search(ctxOf(r), search(sel), notice.Place(after), limit)
	if more {
		next = caseengine.Cursor(list[len(list)-1].Place())
	}
	return list, next, err
}

func rows(r *desk.Request, list []notice.Listed) ([]caseengine.Row, error) {
	out := make([]caseengine.Row, len(list))
	for i, l := range list {
		state := ui.Cell{Chips: []ui.ChipView{stateChip(r, l.Stage())}}
		if l.LiveNumber != nil && *l.LiveNumber != l.Number {
			live := stateChip(r, notice.Live)
			live.Label = word(r, "content.live_n", "n", *l.LiveNumber)
			state.Chips = append(state.Chips, live)
		}
		languages := ui.Cell{Text: word(r, "content.coverage", "n", len(l.Locales), "of", len(notice.Locales))}
		if !slices.Contains(l.Locales, notice.Default) {
			languages.Chips = []ui.ChipView{{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: word(r, "content.no_default")}}
		}
		out[i] = caseengine.Row{Cells: []ui.Cell{
			{Text: titled(r, l.Title)}, {Text: notice.Number(l.ItemID), Ident: true, Muted: true}, {Text: word(r, "content.kind."+string(l.Kind)), Title: word(r, "content.category."+l.Category)},
			state, {Text: audience(r, l.Settings), Wrap: true}, languages, {Text: window(r, l.Settings), Muted: true, Wrap: true},
			{Text: author(r, l.AuthorName), Title: at(r, l.ChangedAt)}, {Text: word(r, "content.reach", "seen", l.Seen, "clicks", l.Clicks), Muted: true},
		}}
	}
	return out, nil
}

func titled(r *desk.Request, title string) string {
	if title == "" {
		return word(r, "content.untitled")
	}
	return title
}

// fileColumns are the columns of the file, which never change their names.
var fileColumns = []string{
	"number", "title", "kind", "category", "state", "live_revision", "audience", "countries", "only_languages", "platforms", "languages", "starts_at", "ends_at", "owner",
	"edited_at", "readers", "clicks",
}

func cells(_ *desk.Request, list []notice.Listed) ([][]string, error) {
	out := make([][]string, len(list))
	for i, l := range list {
		live := ""
		if l.LiveNumber != nil {
			live = strconv.Itoa(*l.LiveNumber)
		}
		slices.Sort(l.Locales)
		out[i] = []string{
			notice.Number(l.ItemID), l.Title, string(l.Kind), l.Category, string(l.Stage()), live, l.Audience, strings.Join(l.Countries, " "), strings.Join(l.Languages, " "),
			strings.Join(l.Platforms, " "), strings.Join(l.Locales, " "), sheet.Moment(l.StartsAt), sheet.Moment(l.EndsAt), l.AuthorName, sheet.Moment(&l.ChangedAt),
			strconv.FormatInt(l.Seen, 10), strconv.FormatInt(l.Clicks, 10),
		}
	}
	return out, nil
}

func listButtons(r *desk.Request) (out []ui.ButtonView) {
	if r.May(access.ContentPublish) {
		out = append(out, ui.ButtonView{Label: word(r, "content.place"), Icon: ui.IconSort, Size: ui.Small, Href: orderPath(notice.Banner).String()})
	}
	out = append(out, ui.ButtonView{Label: word(r, "content.export"), Icon: ui.IconDownload, Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/content-translations/new"))})
	if r.May(access.ContentEdit) {
		out = append(out, ui.ButtonView{Label: word(r, "content.import"), Icon: ui.IconIn, Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/content-translations/import"))})
		out = append(out, ui.ButtonView{Label: word(r, "content.new"), Icon: ui.IconPlus, Kind: ui.Primary, Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/new-content"))})
	}
	return out
}

// author is the name of a text's author; texts of a new installation have none.
func author(r *desk.Request, name string) string {
	if name == "" {
		return word(r, "content.system")
	}
	return name
}

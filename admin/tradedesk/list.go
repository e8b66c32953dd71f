package tradedesk

import (
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/ledger"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

const longestSearch = 120

func (s Services) list(r *desk.Request) error {
	pc := newPageContext(r)
	lf := readListFilter(r.QueryParams())
	if named, err := s.named(pc, lf.words); err != nil {
		return err
	} else if named.String() != "" {
		return r.RedirectTo(named.String())
	}
	before := keyset(r, "before")
	found, next, err := s.found(pc.ctx, lf, before, pageSize)
	if err != nil {
		return err
	}
	query := lf.values()
	v := tradeview.List{Words: lf.words, Table: pc.traders(found, lf), Pages: turn(home, query, "before", before, next), Zone: pc.zoneLine(), Filters: lf.filters(pc)}
	if lf.isSet() {
		v.Clear = home.String()
	}
	if r.May(access.TraderExport) {
		v.File = turn(ui.To("/admin/traders/file"), query, "before", 1, 0).Newest
	}
	return r.Show(tradeview.Traders(r.Page(pc.t("trader.title"), navItem), v))
}

// searched cleans the search box's input.
func searched(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
	if runes := []rune(text); len(runes) > longestSearch {
		return string(runes[:longestSearch])
	}
	return text
}

func (pc pageContext) traders(found []trader.Listed, lf listFilter) tradeview.Table {
	table := tradeview.Table{
		Caption: pc.t("trader.title"), Walk: true, Empty: pc.t("trader.none"),
		Columns: []ui.Column{
			{Label: pc.t("trader.column.trader")}, {Label: pc.t("trader.column.contact")}, {Label: pc.t("trader.column.country")}, {Label: pc.t("trader.column.type")},
			{Label: pc.t("trader.column.level"), Numeric: true}, {Label: pc.t("trader.column.verified")}, {Label: pc.t("trader.column.accounts")},
			{Label: pc.t("trader.column.registered"), Numeric: true},
		},
	}
	if lf.words != "" || lf.isSet() {
		table.Empty = pc.t("trader.none.found")
	}
	for _, l := range found {
		table.Rows = append(table.Rows, pc.listed(l))
	}
	return table
}

func (pc pageContext) listed(l trader.Listed) tradeview.Row {
	id := strconv.FormatInt(l.ID, 10)
	return tradeview.Row{
		ID: "trader-" + id, Opens: ui.To("/admin/traders/{}", l.ID).String(),
		Cells: []tradeview.Cell{
			{Text: id},
			{Text: contacts(l.Trader), Muted: true},
			country(l.Trader),
			pc.typeOf(l.Trader),
			{Text: strconv.Itoa(l.Level)},
			{Chips: []ui.ChipView{pc.verification(l.Trader)}},
			{Text: pc.books(l.Books), Muted: len(l.Books) == 0},
			pc.when(l.CreatedAt),
		},
	}
}

// typeOf is a trader's type; guests and examples are marked.
func (pc pageContext) typeOf(t trader.Trader) tradeview.Cell {
	if t.Guest() {
		return tradeview.Cell{Chips: []ui.ChipView{pc.guest()}}
	}
	cell := tradeview.Cell{Text: pc.kind(t.Type)}
	if t.Example() {
		cell.Chips = []ui.ChipView{pc.example()}
	}
	return cell
}

func country(t trader.Trader) tradeview.Cell {
	if t.Country == "" {
		return tradeview.Cell{Text: "—", Muted: true}
	}
	return tradeview.Cell{Text: t.Country, Title: trader.Country{ISO: t.Country}.Name()}
}

// contacts are a trader's contacts, with their middles hidden; a guest has none.
func contacts(t trader.Trader) string {
	var out []string
	for _, kind := range []trader.Contact{trader.MailContact, trader.PhoneContact} {
		if t.Contact(kind) != "" {
			veil := t.MaskContact(kind)
			out = append(out, veil.Before+hidden+veil.After)
		}
	}
	if len(out) == 0 {
		return "—"
	}
	return strings.Join(out, ", ")
}

func (pc pageContext) books(books []ledger.Book) string {
	words := make([]string, len(books))
	for i, b := range books {
		words[i] = pc.t("trader.book." + string(b))
	}
	if len(words) == 0 {
		return "—"
	}
	return strings.Join(words, ", ")
}

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
	sc := newScene(r)
	n := readNarrowing(r.QueryParams())
	if named, err := s.named(sc, n.words); err != nil {
		return err
	} else if named.String() != "" {
		return r.Go(named.String())
	}
	before := keyset(r, "before")
	found, next, err := s.found(sc.ctx, n, before, pageSize)
	if err != nil {
		return err
	}
	query := n.values()
	v := tradeview.List{Words: n.words, Table: sc.traders(found, n), Pages: turn(home, query, "before", before, next), Zone: sc.zoneLine(), Filters: n.filters(sc)}
	if n.narrows() {
		v.Clear = home.String()
	}
	if r.May(access.TraderExport) {
		v.File = turn(ui.To("/admin/traders/file"), query, "before", 1, 0).Newest
	}
	return r.Show(tradeview.Traders(r.Page(sc.t("trader.title"), place), v))
}

// searched cleans what was typed into the search box.
func searched(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
	if runes := []rune(text); len(runes) > longestSearch {
		return string(runes[:longestSearch])
	}
	return text
}

func (sc scene) traders(found []trader.Listed, n narrowing) tradeview.Table {
	table := tradeview.Table{
		Caption: sc.t("trader.title"), Walk: true, Empty: sc.t("trader.none"),
		Columns: []ui.Column{
			{Label: sc.t("trader.column.trader")}, {Label: sc.t("trader.column.contact")}, {Label: sc.t("trader.column.country")}, {Label: sc.t("trader.column.type")},
			{Label: sc.t("trader.column.level"), Numeric: true}, {Label: sc.t("trader.column.verified")}, {Label: sc.t("trader.column.accounts")},
			{Label: sc.t("trader.column.registered"), Numeric: true},
		},
	}
	if n.words != "" || n.narrows() {
		table.Empty = sc.t("trader.none.found")
	}
	for _, l := range found {
		table.Rows = append(table.Rows, sc.listed(l))
	}
	return table
}

func (sc scene) listed(l trader.Listed) tradeview.Row {
	id := strconv.FormatInt(l.ID, 10)
	return tradeview.Row{
		ID: "trader-" + id, Opens: ui.To("/admin/traders/{}", l.ID).String(),
		Cells: []tradeview.Cell{
			{Text: id},
			{Text: contacts(l.Trader), Muted: true},
			country(l.Trader),
			sc.typeOf(l.Trader),
			{Text: strconv.Itoa(l.Level)},
			{Chips: []ui.ChipView{sc.verification(l.Trader)}},
			{Text: sc.books(l.Books), Muted: len(l.Books) == 0},
			sc.when(l.CreatedAt),
		},
	}
}

// typeOf is the type of a trader; a guest is marked, and an example.
func (sc scene) typeOf(t trader.Trader) tradeview.Cell {
	if t.Guest() {
		return tradeview.Cell{Chips: []ui.ChipView{sc.guest()}}
	}
	cell := tradeview.Cell{Text: sc.kind(t.Type)}
	if t.Example() {
		cell.Chips = []ui.ChipView{sc.example()}
	}
	return cell
}

func country(t trader.Trader) tradeview.Cell {
	if t.Country == "" {
		return tradeview.Cell{Text: "—", Muted: true}
	}
	return tradeview.Cell{Text: t.Country, Title: trader.Country{ISO: t.Country}.Name()}
}

// contacts are the ways to a trader with their middles hidden; a guest has none.
func contacts(t trader.Trader) string {
	var out []string
	for _, kind := range []trader.Contact{trader.MailContact, trader.PhoneContact} {
		if t.Contact(kind) != "" {
			veil := t.Veil(kind)
			out = append(out, veil.Before+hidden+veil.After)
		}
	}
	if len(out) == 0 {
		return "—"
	}
	return strings.Join(out, ", ")
}

func (sc scene) books(books []ledger.Book) string {
	words := make([]string, len(books))
	for i, b := range books {
		words[i] = sc.t("trader.book." + string(b))
	}
	if len(words) == 0 {
		return "—"
	}
	return strings.Join(words, ", ")
}

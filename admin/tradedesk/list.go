package tradedesk

import (
	"slices"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/trader"
	"candor/templates/ui"
)

const longestSearch = 96

// home is the address of the list, and the parent of the traders' addresses.
var home = ui.To("/admin/traders")

// verdicts are the states of a verification in addresses, and statuses the matching values of AuthStatus.
var (
	verdicts = []string{"none", "review", "failed", "passed"}
	statuses = []int{trader.AuthNone, trader.AuthReview, trader.AuthFailed, trader.AuthPassed}
)

// list declares the list: searched, or filtered.
func (s Services) list() caseengine.List[trader.Listed] {
	return caseengine.List[trader.Listed]{
		Name: "traders", Letters: "trader-", Target: "trader", Texts: "trader", Icon: ui.IconPeople, View: access.TraderView, Newest: true, Audit: s.Audit,
		Filters: []caseengine.Filter{
			caseengine.SearchPeople(longestSearch, desk.SearchWords),
			caseengine.OneOf("verified", verdicts, func(r *desk.Request, verdict string) string { return r.Word("trader.filter.verified." + verdict) }),
			caseengine.OneOf("restriction", trader.RestrictionKinds, func(r *desk.Request, kind trader.RestrictionKind) string {
				return r.Word("trader.restriction.chip." + string(kind))
			}),
			s.tagFilter(),
		},
		Columns: []caseengine.Column{
			{Label: "trader.column.trader"}, {Label: "trader.column.contact"}, {Label: "trader.column.country"}, {Label: "trader.column.type"}, {Label: "trader.column.level", Numeric: true},
			{Label: "trader.column.verified"}, {Label: "trader.column.accounts"}, {Label: "trader.column.tags"}, {Label: "trader.column.registered", Numeric: true},
		},
		Find: s.find, Rows: s.rows, ID: func(l trader.Listed) int64 { return l.ID },
		File: caseengine.File[trader.Listed]{Permission: access.TraderExport, Columns: fileColumns, Cells: s.lines},
	}
}

// find reads a page of the list.
func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]trader.Listed, caseengine.Cursor, error) {
	ctx, by := r.Context.Request().Context(), trader.ListFilter{Restriction: trader.RestrictionKind(sel.Value("restriction")), TagID: sel.Number("tag")}
	if at := slices.Index(verdicts, sel.Value("verified")); at >= 0 {
		by.Verified = &statuses[at]
	}
	words := sel.Value("q")
	if words != "" || by == (trader.ListFilter{}) {
		found, next, err := s.search(ctx, words, after.ID, limit)
		if err == nil && words != "" {
			err = r.Searched(words, []string{"trader"}, len(found))
		}
		return found, caseengine.Cursor{ID: next}, err
	}
	found, next, err := s.Traders.Filtered(ctx, by, after.ID, limit)
	return found, caseengine.Cursor{ID: next}, err
}

// askedAgain are those of the traders who were asked to submit documents again: to the app their check has failed, as if they were refused.
func (s Services) askedAgain(r *desk.Request, found []trader.Listed) (map[int64]bool, error) {
	ids := make([]int64, len(found))
	for i, l := range found {
		ids[i] = l.ID
	}
	return s.Identities.AskedAgain(r.Context.Request().Context(), ids...)
}

// rows shows traders in the list.
func (s Services) rows(r *desk.Request, found []trader.Listed) ([]caseengine.Row, error) {
	pc, rows := newPageContext(r), make([]caseengine.Row, len(found))
	asked, err := s.askedAgain(r, found)
	if err != nil {
		return nil, err
	}
	tags, err := s.tagsOf(pc.ctx, found)
	withhold(r, found, tags)
	for i, l := range found {
		rows[i] = caseengine.Row{Cells: []ui.Cell{
			{Text: strconv.FormatInt(l.ID, 10)}, {Text: contacts(l.Trader), Muted: true}, s.country(pc, l.Trader), pc.typeOf(l.Trader), {Text: strconv.Itoa(l.Level)},
			{Chips: []ui.ChipView{pc.verification(l.Trader, asked[l.ID])}}, {Text: pc.books(l.Books), Muted: len(l.Books) == 0}, {Chips: tagChips(tags[l.ID])}, pc.when(l.CreatedAt),
		}}
	}
	return rows, err
}

// withhold takes out what the member does not read of closed accounts.
func withhold(r *desk.Request, list []trader.Listed, tags map[int64][]trader.Tag) {
	if r.May(access.TraderClosed) {
		return
	}
	for i, l := range list {
		if l.ClosedAt != nil {
			list[i].Country = ""
			delete(tags, l.ID)
		}
	}
}

// typeOf is a trader's type; guests and examples are marked.
func (pc pageContext) typeOf(t trader.Trader) ui.Cell {
	if t.Guest() {
		return ui.Cell{Chips: []ui.ChipView{pc.guest()}}
	}
	cell := ui.Cell{Text: pc.kind(t.Type)}
	if t.Example() {
		cell.Chips = []ui.ChipView{pc.example()}
	}
	if t.ClosedAt != nil {
		cell.Chips = append(cell.Chips, pc.closed())
	}
	return cell
}

func (s Services) country(pc pageContext, t trader.Trader) ui.Cell {
	if t.Country == "" {
		return ui.Cell{Text: "—", Muted: true}
	}
	return ui.Cell{Text: t.Country, Title: caseengine.Country(pc.ctx, t.Country), Chips: s.countryChips(pc, t)}
}

// countryChips mark a trader whose country the broker lists as prohibited or of high risk.
func (s Services) countryChips(pc pageContext, t trader.Trader) []ui.ChipView {
	switch risk := s.Identities.CountryRisk(t.Country); risk {
	case kyc.Prohibited:
		return []ui.ChipView{{Tone: ui.ToneError, Icon: ui.IconWarning, Label: pc.t("identity.chip." + string(risk))}}
	case kyc.HighRisk:
		return []ui.ChipView{{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: pc.t("identity.chip." + string(risk))}}
	default:
		return nil
	}
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

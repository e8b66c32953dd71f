package tradedesk

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/auditformat"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/i18n"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// pageContext is the context of texts about traders: language, time and zone, and the member's other permissions.
type pageContext struct {
	ctx         context.Context
	now         time.Time
	zone        *time.Location
	adjustments bool // the member may open adjustments
	deposits    bool
	may         func(access.Permission) bool
	figures     desk.Figures
	me          int64 // the viewing member
}

func newPageContext(r *desk.Request) pageContext {
	return pageContext{
		ctx: r.Context.Request().Context(), now: r.Now(), zone: r.Zone(), deposits: r.May(access.DepositView), adjustments: r.May(access.AdjustmentView), may: r.May, figures: r.Figures(),
		me: r.Member.ID,
	}
}

func (pc pageContext) t(key string, pairs ...any) string { return i18n.T(pc.ctx, key, pairs...) }

func (pc pageContext) at(moment time.Time) string { return ui.Moment(pc.ctx, moment, pc.now, pc.zone) }

func (pc pageContext) day(moment time.Time) string { return ui.Day(pc.ctx, moment, pc.zone) }

func (pc pageContext) zoneLine() string {
	return pc.t("trader.zone", "zone", ui.ZoneName(pc.now, pc.zone))
}

// when is a cell with a time, and with UTC on hover.
func (pc pageContext) when(moment time.Time) ui.Cell {
	return ui.Cell{Text: pc.at(moment), Title: ui.Stamp(moment), Muted: true}
}

// subject is the trader of a page, with the accounts.
type subject struct {
	pageContext
	trader   trader.Trader
	accounts []ledger.Account // trading accounts, the real one first
	funding  []ledger.Account // funding accounts: their money is no margin
}

// subjectName is the name under which a request remembers its trader: a list, its rows and the page around it ask for the same one.
const subjectName = "tradedesk.subject"

// subject is the trader in the address, read once for each request.
func (s Services) subject(r *desk.Request) (subject, error) {
	if sub, ok := r.Get(subjectName).(subject); ok {
		return sub, nil
	}
	sub, err := s.read(r)
	if err == nil {
		r.Set(subjectName, sub)
	}
	return sub, err
}

// read reads the trader in the address.
func (s Services) read(r *desk.Request) (subject, error) {
	sub := subject{pageContext: newPageContext(r)}
	id, err := r.ID("id")
	if err != nil {
		return sub, err
	}
	if sub.trader, err = s.Traders.Trader(sub.ctx, id); err != nil {
		return sub, err
	}
	all, err := ledger.ListAll(sub.ctx, s.Ledger, id)
	for _, a := range all {
		if a.Kind == ledger.Contract {
			sub.accounts = append(sub.accounts, a)
		} else {
			sub.funding = append(sub.funding, a)
		}
	}
	return sub, err
}

// path is an address below the trader's address.
func (sub subject) path(words ...string) ui.Path {
	address := ui.To("/admin/traders/{}", sub.trader.ID).String()
	return ui.To(strings.Join(append([]string{address}, words...), "/"))
}

// account is the account in the address, or the first one if the address has none. Accounts of other traders are not found.
func account(r *desk.Request, among []ledger.Account) (ledger.Account, bool) {
	wanted := r.QueryParam("account")
	for _, a := range among {
		if wanted == "" || wanted == strconv.FormatInt(a.ID, 10) {
			return a, true
		}
	}
	return ledger.Account{}, false
}

// choice are the buttons for the accounts of a tab.
func (sub subject) choice(current ledger.Account, among []ledger.Account, tab ...string) []ui.ButtonView {
	buttons := make([]ui.ButtonView, len(among))
	for i, a := range among {
		buttons[i] = ui.ButtonView{Label: sub.accountName(a), Size: ui.Small, Current: a.ID == current.ID, Href: sub.path(tab...).With("account", a.ID).String()}
	}
	return buttons
}

// accountName is what an account is called, with its id.
func (pc pageContext) accountName(a ledger.Account) string {
	id := strconv.FormatInt(a.ID, 10)
	switch {
	case a.Kind == ledger.Funding:
		return pc.t("trader.book.kept", "currency", a.Currency) + " " + id
	case a.Main() && a.Name == "":
		return pc.shortName(a) + " " + id
	}
	return pc.shortName(a) + " · " + id
}

// shortName is the book of a trading account with the account's number after the first, and what the trader calls it.
func (pc pageContext) shortName(a ledger.Account) string {
	name := pc.t("trader.book." + string(a.Book))
	if !a.Main() {
		name += " " + strconv.Itoa(a.Number)
	}
	if a.Name != "" {
		name += " · \u2068" + a.Name + "\u2069" // isolated: what follows a name in Arabic stays after it
	}
	return name
}

// rules are an account's leverage ceiling, if it has one, and its position mode.
func (pc pageContext) rules(a ledger.Account) string {
	mode := pc.t("trader.mode.hedging")
	if a.Netting {
		mode = pc.t("trader.mode.netting")
	}
	if a.LeverageCeiling == 0 {
		return mode
	}
	return pc.t("trader.ceiling", "leverage", fmt.Sprint("1:", a.LeverageCeiling)) + " · " + mode
}

// identity links to the trader's newest application, if there is one.
func (s Services) identity(sub subject) ([]ui.Fact, error) {
	id, err := s.Identities.Newest(sub.ctx, sub.trader.ID)
	if err != nil || id == 0 {
		return nil, err
	}
	return []ui.Fact{{Label: sub.t("trader.fact.identity"), Value: kyc.Application{ID: id}.Number(), Ident: true, Href: ui.To("/admin/identity/{}", id).String()}}, nil
}

// tabs in order, with the permissions to open them; the first has the trader's own address.
var tabs = []struct {
	name string
	sees access.Permission
}{
	{"overview", access.TraderView}, {"identity", access.IdentityView}, {"orders", access.TraderView}, {"funds", access.TraderView}, {"devices", access.TraderView}, {"relations", access.TraderRelations},
	{"chat", access.ChatView}, {"tasks", access.TaskView}, {"complaints", access.ComplaintView}, {"notes", access.TraderNotes}, {"audit", access.TraderView},
}

// tabFrame is the frame of a tab: names, chips, the tabs, and recent events.
func (s Services) tabFrame(r *desk.Request, sub subject, current string) (tradeview.Trader, error) {
	id := strconv.FormatInt(sub.trader.ID, 10)
	asked, err := s.Identities.AskedAgain(sub.ctx, sub.trader.ID)
	if err != nil {
		return tradeview.Trader{}, err
	}
	v := tradeview.Trader{Number: sub.t("trader.number", "id", id), ID: id, Chips: append(sub.chips(asked[sub.trader.ID]), s.countryChips(sub.pageContext, sub.trader)...), Acts: sub.acts(), About: sub.about(), Zone: sub.zoneLine()}
	living, err := s.Traders.Restrictions(sub.ctx, sub.trader.ID)
	if err != nil {
		return v, err
	}
	v.Chips = append(v.Chips, sub.restrictionChips(living)...)
	if err := s.showTags(sub, &v); err != nil {
		return v, err
	}
	for _, tab := range tabs {
		if !sub.may(tab.sees) {
			continue
		}
		address := sub.path(tab.name)
		if tab.name == "overview" {
			address = sub.path()
		}
		v.Tabs = append(v.Tabs, ui.TabView{Label: sub.t("trader.tab." + tab.name), Href: address.String(), Current: tab.name == current})
	}
	named, err := s.verifiedName(sub)
	if err != nil {
		return v, err
	}
	v.About = slices.Insert(v.About, 1, named...) // below the trader's chosen name
	if sub.may(access.IdentityView) && !sub.trader.Guest() {
		identity, err := s.identity(sub)
		if err != nil {
			return v, err
		}
		v.About = append(v.About, identity...)
	}
	entries, formatter, _, err := s.entries(r, sub, 0, recentEntries)
	for _, g := range grouped(entries) {
		step := sub.step(formatter, g.Entry)
		step.Text = sub.counted(g, step.Text)
		v.Recent = append(v.Recent, step)
	}
	return v, err
}

func (sub subject) chips(askedAgain bool) []ui.ChipView {
	if sub.trader.Guest() {
		return []ui.ChipView{sub.guest()}
	}
	chips := []ui.ChipView{sub.verification(sub.trader, askedAgain)}
	if sub.trader.Example() {
		chips = append(chips, sub.example())
	}
	if sub.trader.ClosedAt != nil {
		chips = append(chips, sub.closed())
	}
	if sub.trader.Type != trader.Ordinary {
		chips = append(chips, ui.ChipView{Outline: true, Label: sub.kind(sub.trader.Type)})
	}
	return chips
}

// guest marks a trader who has not registered.
func (pc pageContext) guest() ui.ChipView {
	return ui.ChipView{Outline: true, Label: pc.t("trader.guest")}
}

// example marks a trader of the demo data.
func (pc pageContext) example() ui.ChipView {
	return ui.ChipView{Outline: true, Label: pc.t("trader.example")}
}

// closed marks a trader whose account is closed.
func (pc pageContext) closed() ui.ChipView {
	return ui.ChipView{Icon: ui.IconLock, Label: pc.t("account_closed.chip")}
}

// verification shows the state of the identity check; being asked again is no refusal. An unknown status counts as not verified.
func (pc pageContext) verification(t trader.Trader, askedAgain bool) ui.ChipView {
	switch {
	case askedAgain && t.AuthStatus == trader.AuthFailed:
		return ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconRetry, Label: pc.t("trader.verified.asked")}
	case t.AuthStatus == trader.AuthPassed:
		return ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconShieldCheck, Label: pc.t("trader.verified.passed")}
	case t.AuthStatus == trader.AuthReview:
		return ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconClock, Label: pc.t("trader.verified.review")}
	case t.AuthStatus == trader.AuthFailed:
		return ui.ChipView{Tone: ui.ToneError, Icon: ui.IconWarning, Label: pc.t("trader.verified.failed")}
	default:
		return ui.ChipView{Icon: ui.IconShield, Label: pc.t("trader.verified.none")}
	}
}

// kind is the spec's number of a type, with its group.
func (pc pageContext) kind(number int) string {
	group := "real"
	if number == trader.MockType || number == trader.GuestType {
		group = "mock"
	}
	return pc.t("trader.type."+group, "number", number)
}

// about shows the trader as far as staff may see. Contacts are masked until the member gives a reason.
func (sub subject) about() []ui.Fact {
	t := sub.trader
	facts := []ui.Fact{{Label: sub.t("trader.fact.name"), Value: t.MaskedName()}}
	for _, kind := range []trader.Contact{trader.MailContact, trader.PhoneContact} {
		if t.Contact(kind) != "" {
			facts = append(facts, ui.Fact{Label: sub.t("trader.contact." + string(kind)), Part: ui.Masked(sub.mask(kind))})
		}
	}
	if t.Wallet != nil {
		facts = append(facts, ui.Fact{Label: sub.t("trader.fact.wallet"), Value: t.ShortWallet(), Ident: true})
	}
	if t.Guest() {
		return append(facts, sub.speaks(), ui.Fact{Label: sub.t("trader.fact.came"), Value: sub.day(t.CreatedAt)})
	}
	facts = append(facts,
		ui.Fact{Label: sub.t("trader.fact.country"), Value: caseengine.Country(sub.ctx, t.Country), Note: t.Country},
		sub.speaks(),
		ui.Fact{Label: sub.t("trader.fact.type"), Value: sub.kind(t.Type)},
		ui.Fact{Label: sub.t("trader.fact.level"), Value: strconv.Itoa(t.Level)},
		ui.Fact{Label: sub.t("trader.fact.since"), Value: sub.day(t.CreatedAt)},
	)
	if t.InvitedBy != nil {
		facts = append(facts, ui.Fact{
			Label: sub.t("trader.fact.invited"), Value: strconv.FormatInt(*t.InvitedBy, 10), Ident: true, Href: ui.To("/admin/traders/{}", *t.InvitedBy).String(),
		})
	}
	return facts
}

func (sub subject) speaks() ui.Fact {
	return ui.Fact{Label: sub.t("trader.fact.language"), Value: display.English.Languages().Name(language.Make(sub.trader.Language))}
}

const hidden = "•••••"

// mask is a contact with its middle hidden. Its reveal button asks for the reason.
func (sub subject) mask(kind trader.Contact) ui.MaskedView {
	veil := sub.trader.MaskContact(kind)
	return ui.MaskedView{ID: "contact-" + string(kind), Before: veil.Before, Hidden: hidden, After: veil.After, Reveal: sub.path("contact", string(kind))}
}

// step describes an entry of the audit log.
func (sub subject) step(formatter auditformat.Formatter, e audit.Entry) ui.StepView {
	step := formatter.Step(e)
	step.Text, step.Note = sub.sentence(formatter, e), formatter.Name(e)
	if icon, ok := icons[e.Action]; ok {
		step.Icon = icon
	}
	return step
}

// icons of trader events.
var icons = map[string]ui.IconName{
	"trader.register": ui.IconPlus, "trader.guest": ui.IconPlus, "trader.login": ui.IconLaptop, "trader.reveal": ui.IconEye,
	"trader.set_payment_password": ui.IconKey, "trader.change_payment_password": ui.IconKey, "trader.reset_payment_password": ui.IconKey,
	"trader.lock_payment_password": ui.IconLock, "trader.hold": ui.IconLock,
	"trader.restrict": ui.IconLock, "trader.lift": ui.IconCheck, "trader.note": ui.IconNote, "trader.end_session": ui.IconLaptop, "trader.end_sessions": ui.IconLaptop, "trader.send_password_reset": ui.IconMail,
}

// sentence describes an act: on the trader in this page's words, on anything else in the log's.
func (sub subject) sentence(formatter auditformat.Formatter, e audit.Entry) string {
	key := "trader.event." + strings.TrimPrefix(e.Action, "trader.")
	if words := sub.t(key); words != key && e.TargetKind == "trader" {
		return words
	}
	return formatter.Describe(e)
}

// someIP is an IP address with its end hidden: enough to tell locations apart.
func someIP(text string) string {
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return "•••"
	}
	ip = ip.Unmap()
	if ip.Is4() {
		parts := strings.Split(ip.String(), ".")
		return parts[0] + "." + parts[1] + ".•••.•••"
	}
	groups := strings.Split(ip.StringExpanded(), ":")
	return groups[0] + ":" + groups[1] + ":•••"
}

// keyset reads the id before which a page begins; anything but an id starts with the newest.
func keyset(r *desk.Request, name string) int64 {
	id, err := strconv.ParseInt(r.QueryParam(name), 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// turn is the paging of a list: links to the newest page, and to the next one unless next is 0.
func turn(path ui.Path, query url.Values, name string, before, next int64) (p tradeview.Pages) {
	address := func(id int64) string {
		with := url.Values{}
		for key, values := range query {
			with[key] = values
		}
		with.Del(name)
		if id != 0 {
			with.Set(name, strconv.FormatInt(id, 10))
		}
		if len(with) == 0 {
			return path.String()
		}
		return path.String() + "?" + with.Encode()
	}
	if before != 0 {
		p.Newest = address(0)
	}
	if next != 0 {
		p.Older = address(next)
	}
	return p
}

package chatdesk

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/notice"
	"candor/app/staff/member"
	"candor/app/support"
	"candor/templates/caseview"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// The tabs of the inbox; the first shows everything.
const (
	all        = "all"
	mine       = "mine"
	unassigned = "unassigned"
)

// listFilter is the inbox's filter from the address.
type listFilter struct {
	tab, state, language, words string
}

func (s Services) readListFilter(asked url.Values) listFilter {
	lf := listFilter{tab: asked.Get("tab"), state: asked.Get("state"), language: asked.Get("language"), words: strings.TrimSpace(asked.Get("q"))}
	if lf.tab != mine && lf.tab != unassigned {
		lf.tab = all
	}
	if !slices.Contains(notice.Locales, lf.language) {
		lf.language = ""
	}
	if len(lf.words) > 200 {
		lf.words = ""
	}
	return lf
}

func (lf listFilter) filter(memberID int64) support.Filter {
	f := support.Filter{State: support.State(lf.state), Language: lf.language, Words: lf.words}
	switch lf.tab {
	case mine:
		f.Mine = memberID
	case unassigned:
		f.Nobody = true
	}
	return f
}

// to is an address with this filter. Search words are left out: no address that we write has them.
func (lf listFilter) to(base string, ids ...any) ui.Path {
	address := ui.To(base, ids...)
	for _, part := range [][2]string{{"tab", lf.tab}, {"state", lf.state}, {"language", lf.language}} {
		if part[1] != "" && part[1] != all {
			address = address.With(part[0], part[1])
		}
	}
	return address
}

func (s Services) inbox(r *desk.Request) error {
	in, err := s.readInbox(r, 0)
	if err != nil {
		return err
	}
	return s.show(r, chatview.Page{Inbox: in})
}

func (s Services) show(r *desk.Request, p chatview.Page) error {
	return r.Show(chatview.Show(r.Page(r.Word("chat.title"), navItem), p))
}

// rows answers with the list again, for a page that has received an event.
func (s Services) rows(r *desk.Request) error {
	open, _ := strconv.ParseInt(r.QueryParam("open"), 10, 64)
	in, err := s.readInbox(r, open)
	if err != nil {
		return err
	}
	return r.Show(chatview.Rows(in))
}

func (s Services) readInbox(r *desk.Request, open int64) (in chatview.Inbox, err error) {
	lf := s.readListFilter(r.QueryParams())
	ctx := ctxOf(r)
	list, err := s.readable(r, lf.filter(r.Member.ID))
	if err != nil {
		return in, err
	}
	counts, err := s.Chat.Count(ctx, r.Member.ID, lf.language)
	if err != nil {
		return in, err
	}
	rules, err := s.Chat.Rules(ctx)
	if err != nil {
		return in, err
	}
	agents, err := s.Chat.Agents(ctx)
	if err != nil {
		return in, err
	}
	in = chatview.Inbox{Words: lf.words, Empty: r.Word("chat.empty." + lf.tab), Refresh: lf.to(home + "/rows"), Filters: filters(r, lf), Tabs: tabs(r, lf, counts)}
	if lf.words != "" {
		in.Empty = r.Word("chat.empty.words")
	}
	for _, row := range list {
		view := s.row(r, lf, row, rules, open == row.ID)
		if row.State == support.Queued {
			view.Note = unassignedNote(r, view.Note, support.WhyUnassigned(agents, row.Language), row.Language)
		}
		if lf.words != "" {
			view.Found = mark(view.Text, plain(row.LastBody), lf.words)
		}
		in.Rows = append(in.Rows, view)
	}
	in.New = newConversation(r)
	if in.Settings = settingsLink(r); r.May(access.ChatAnswer) {
		mine := duty(r, agents)
		in.Duty = &mine
	}
	return in, nil
}

// readable reads the inbox without the conversations of closed accounts, which compliance alone reads.
func (s Services) readable(r *desk.Request, f support.Filter) ([]support.Row, error) {
	list, err := s.Chat.Inbox(ctxOf(r), f)
	if err != nil {
		return nil, err
	}
	traders := make([]int64, len(list))
	for i, row := range list {
		traders[i] = member.ID(row.TraderID)
	}
	withheld, err := r.Withheld(traders...)
	return slices.DeleteFunc(list, func(row support.Row) bool { return withheld[member.ID(row.TraderID)] }), err
}

// settingsLink is the way to the pages that a lead sets up.
func settingsLink(r *desk.Request) ui.ButtonView {
	return ui.ButtonView{Label: r.Word("chat.settings"), Icon: ui.IconGear, Kind: ui.Ghost, Size: ui.Small, Href: home + "/answers"}
}

// settings are the tabs of the pages that a lead sets up.
func settings(r *desk.Request, current string) []ui.TabView {
	tabs := []ui.TabView{}
	for _, name := range []string{"answers", "macros", "hours", "times"} {
		tabs = append(tabs, ui.TabView{Label: r.Word("chat.settings." + name), Href: home + "/" + name, Current: current == name})
	}
	if r.May(access.ChatFlags) {
		tabs = append(tabs, ui.TabView{Label: r.Word("chat.settings.flags"), Href: flagsPath, Current: current == "flags"})
	}
	return tabs
}

// duty is the member's own line of the desk: whether they take chats, what that means, and how many they have.
func duty(r *desk.Request, agents []support.Agent) chatview.Duty {
	var self support.Agent
	for _, a := range agents {
		if a.StaffID == r.Member.ID {
			self = a
		}
	}
	d := chatview.Duty{
		Taking: ui.CheckView{
			Name: "taking", ID: "chat-taking", Label: r.Word("chat.taking"), Checked: self.Accepting,
			HX: ui.HX{Post: ui.To(home + "/desk/accepting"), Target: ui.At("chat-duty"), Swap: ui.SwapWhole, Trigger: ui.OnChange},
		},
		Load:      r.Word("chat.load", "load", self.Load, "capacity", support.Capacity),
		Counted:   r.Word("chat.load.what"),
		Languages: ui.ButtonView{Label: r.Word("chat.languages"), Icon: ui.IconGlobe, Kind: ui.Ghost, Size: ui.Tiny, HX: ui.OpenDialog(ui.To(home + "/desk/languages"))},
		Alerts:    ui.ButtonView{Label: r.Word("chat.alerts"), Icon: ui.IconBell, Kind: ui.Ghost, Size: ui.Tiny, HX: ui.OpenDialog(ui.To(home + "/desk/alerts"))},
	}
	switch {
	case !self.Accepting:
		d.Means = r.Word("chat.taking.off")
	case len(self.Languages) == 0:
		d.Means, d.Warns = r.Word("chat.taking.none"), true
	default:
		var names []string
		for _, code := range self.Languages {
			names = append(names, languageName(r, code))
		}
		d.Means = r.Word("chat.taking.on", "languages", strings.Join(names, ", "))
	}
	return d
}

func tabs(r *desk.Request, lf listFilter, counts support.Counts) []ui.TabView {
	var out []ui.TabView
	for _, tab := range []struct {
		name  string
		count int
	}{{mine, counts.Mine}, {unassigned, counts.Nobody}, {all, counts.All}} {
		other := lf
		other.tab = tab.name
		other.state = ""
		out = append(out, ui.TabView{Label: r.Word("chat.tab." + tab.name), Count: strconv.Itoa(tab.count), Href: other.to(home).String(), Current: lf.tab == tab.name && lf.state == ""})
	}
	snoozed := map[string]int{mine: counts.MineSnoozed, all: counts.Snoozed}[lf.tab]
	for i, state := range []support.State{support.Snoozed, support.Resolved} { // within the current tab
		other := lf
		other.state = string(state)
		view := ui.TabView{Label: r.Word("chat.state." + string(state)), Href: other.to(home).String(), Current: lf.state == string(state), EndSide: i == 0}
		if state == support.Snoozed {
			view.Count = strconv.Itoa(snoozed)
		}
		out = append(out, view)
	}
	return out
}

// filters are the active filters.
func filters(r *desk.Request, lf listFilter) (out []ui.FilterView) {
	if lf.state == string(support.Snoozed) || lf.state == string(support.Resolved) {
		other := lf
		other.state = ""
		out = append(out, ui.FilterView{Label: r.Word("chat.filter.state"), Value: r.Word("chat.state." + lf.state), Remove: other.to(home).String()})
	}
	language := ui.FilterView{Label: r.Word("chat.filter.language"), HX: ui.OpenDialog(ui.To(home + "/filter"))}
	if lf.language != "" {
		other := lf
		other.language = ""
		language.Value, language.Remove = ui.LanguageName(lf.language), other.to(home).String()
	}
	return append(out, language)
}

// askFilter opens the dialog with the languages of live conversations, for the list of the requesting page.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home)
	}
	lf := s.readListFilter(r.CurrentPage().Query())
	counts, err := s.Chat.Count(ctxOf(r), r.Member.ID, "")
	if err != nil {
		return err
	}
	language := ui.FieldView{Name: "language", Label: r.Word("chat.filter.language"), Options: []ui.Option{{Label: r.Word("chat.filter.language.all"), Note: strconv.Itoa(counts.All)}}}
	for _, option := range s.languages(lf.language) {
		if count := counts.Languages[option.Value]; count > 0 || option.Selected {
			option.Note = strconv.Itoa(count)
			language.Options = append(language.Options, option)
		}
	}
	view := caseview.Filters{Path: ui.To(home), Fields: []ui.FieldView{language}}
	for _, kept := range []ui.Hidden{{Name: "tab", Value: lf.tab}, {Name: "state", Value: lf.state}, {Name: "q", Value: lf.words}} {
		if kept.Value != "" && kept.Value != all {
			view.Kept = append(view.Kept, kept)
		}
	}
	return r.Dialog(http.StatusOK, caseview.FilterDialog(view))
}

// row is a conversation's row in the list.
func (s Services) row(r *desk.Request, lf listFilter, row support.Row, rules support.Rules, selected bool) ui.QueueRowView {
	open := lf.to(home+"/{}", row.ID)
	v := ui.QueueRowView{
		ID: fmt.Sprintf("chat-%d", row.ID), Title: s.who(r, row.Conversation), Href: open.String(), HX: ui.OpenDetail(open), Sub: strings.ReplaceAll(row.Language, "_", "-"),
		Text: lastMessage(r, row), Selected: selected, Due: due(r, row.Conversation, rules), Note: s.note(r, row),
	}
	if row.Unread > 0 {
		v.Unread = strconv.Itoa(row.Unread)
	}
	if row.Woken() {
		v.Flags = append(v.Flags, ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconSnooze, Label: r.Word("chat.woken")})
	}
	if row.Priority != support.Normal {
		v.Flags = append(v.Flags, priorityChip(r, row.Priority))
	}
	for _, a := range s.Chat.Activities(row.ID) {
		if !a.Typing || a.AgentID == r.Member.ID {
			continue
		}
		v.Note, v.NoteTone = r.Word("chat.types.customer"), ui.ToneAccent
		if a.AgentID != 0 {
			v.Note, v.NoteTone = r.Word("chat.types", "name", a.Name), ui.ToneWarning
		}
	}
	if v.Lookers = s.viewers(r, row.Conversation); len(v.Lookers) > 0 {
		v.Looking = r.Word("chat.viewing")
	}
	switch {
	case row.AgentID != nil:
		v.Owner = &ui.AvatarView{Initials: desk.Initials(row.AgentName), Name: row.AgentName, Me: *row.AgentID == r.Member.ID, Small: true}
	case r.May(access.ChatAnswer) && row.Live():
		v.Claim = &ui.ButtonView{Label: r.Word("chat.claim"), Size: ui.Tiny, HX: ui.HX{Post: ui.To(home+"/{}/claim", row.ID), Target: ui.TargetDetail, Swap: ui.SwapInside}}
	}
	return v
}

// who names the customer: a trader's id, or a visitor's conversation.
func (s Services) who(r *desk.Request, c support.Conversation) string {
	if c.TraderID != nil {
		return strconv.FormatInt(*c.TraderID, 10)
	}
	return r.Word("chat.visitor", "number", c.ID)
}

// lastMessage is the last message, or the newest that matches the search.
func lastMessage(r *desk.Request, row support.Row) string {
	text := plain(row.LastBody)
	switch row.LastKind {
	case support.Picture:
		text = r.Word("chat.said.picture")
	case support.Card:
		text = r.Word("chat.said.card")
	case support.Note:
		return r.Word("chat.said.note", "text", text)
	case support.Mail:
		return r.Word("chat.said.mail", "text", text)
	case support.PhoneCall:
		return r.Word("chat.said.call", "text", text)
	case support.Text, support.System:
	}
	if row.LastBy == support.ByAgent {
		return r.Word("chat.said.agent", "text", text)
	}
	return text
}

// unassignedNote adds to the third line of a row why nobody is handed the conversation.
func unassignedNote(r *desk.Request, note string, why support.Unassigned, language string) string {
	if why == support.Assignable {
		return note
	}
	return note + " · " + r.Word("chat.unassigned."+string(why), "language", ui.LanguageName(language))
}

// note is the third line of a row: the labels and the state.
func (s Services) note(r *desk.Request, row support.Row) string {
	state := ""
	switch {
	case row.State == support.Snoozed:
		state = r.Word("chat.until", "at", at(r, *row.SnoozedUntil))
	case row.State == support.Open && row.OwnedBy(r.Member.ID):
		state = r.Word("chat.you")
	case row.State == support.Open:
		state = row.AgentName
	case row.State == support.Queued && row.ReopenedAt != nil:
		state = r.Word("chat.reopened")
	default:
		state = r.Word("chat.state." + string(row.State))
	}
	if about := labels(r, row.Conversation); about != "" {
		return about + " · " + state
	}
	return state
}

// due is the running service time that is due first, counted in support hours; nil if none runs.
func due(r *desk.Request, c support.Conversation, rules support.Rules) *ui.DueView {
	now := r.Now()
	clock, runs := rules.Clock(c, now)
	switch {
	case !runs:
		return nil
	case clock.Left() > 0 && !rules.Hours.For(c.Language).Open(now):
		return &ui.DueView{Text: r.Word("chat.paused")}
	}
	view := ui.Remaining(ctxOf(r), now.Add(clock.Left()), now, clock.Limit)
	if clock.Target == support.Resolution {
		view.Note = r.Word("chat.to_resolve")
	}
	return &view
}

// limit writes a service time: "10 min", "8 h".
func limit(r *desk.Request, d time.Duration) string {
	if d >= time.Hour && d%time.Hour == 0 {
		return r.Word("chat.whole_hours", "h", int(d.Hours()))
	}
	return ui.Age(ctxOf(r), d)
}

func priorityChip(r *desk.Request, p support.Priority) ui.ChipView {
	tone := map[support.Priority]ui.Tone{support.High: ui.ToneWarning, support.Urgent: ui.ToneError}[p]
	return ui.ChipView{Tone: tone, Icon: ui.IconFlag, Label: r.Word("chat.priority." + string(p))}
}

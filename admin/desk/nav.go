package desk

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"unicode"

	"github.com/labstack/echo/v5"

	"candor/admin/access"
	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

// navItem is an item of the navigation. It shows once its route is mounted, to members who may open it.
type navItem struct {
	id         string
	path       string
	icon       ui.IconName
	permission access.Permission
	group      string
	queue      access.Permission // to work on the items that wait there; empty where none wait
}

// navItems is the navigation in its order; groups are in the order of their first item.
var navItems = []navItem{
	{"home", "", ui.IconHome, access.Home, "", ""},
	{"chat", "/chat", ui.IconChat, access.ChatView, "work", access.ChatAnswer},
	{"appeals", "/chat/flags", ui.IconFlag, access.ChatFlags, "work", access.ChatFlags},
	{"deposits", "/deposits", ui.IconIn, access.DepositView, "work", access.DepositView},
	{"withdrawals", "/withdrawals", ui.IconOut, access.WithdrawalView, "work", access.WithdrawalWork},
	{"payout-batches", "/payout-batches", ui.IconBank, access.StatementView, "work", ""},
	{"adjustments", "/adjustments", ui.IconSwap, access.AdjustmentView, "work", access.AdjustmentRefuse},
	{"bonuses", "/bonuses", ui.IconTag, access.BonusView, "work", access.BonusConfirm},
	{"statements", "/statements", ui.IconBank, access.StatementView, "work", access.StatementMatch},
	{"reconciliation", "/reconciliation", ui.IconShieldCheck, access.ReconciliationView, "work", ""},
	{"identity", "/identity", ui.IconIdentity, access.IdentityView, "work", access.IdentityDecide},
	{"account-changes", "/account-changes", ui.IconShield, access.AccountChangeView, "work", access.AccountChangeConfirm},
	{"content", "/content", ui.IconBell, access.ContentView, "work", access.ContentPublish},
	{"tasks", "/tasks", ui.IconNote, access.TaskView, "work", access.TaskWork},
	{"complaints", "/complaints", ui.IconFlag, access.ComplaintView, "work", access.ComplaintHandle},
	{"traders", "/traders", ui.IconPeople, access.TraderView, "records", ""},
	{"reports", "/reports", ui.IconChart, access.ReportView, "records", ""},
	{"audit", "/audit", ui.IconLog, access.AuditView, "records", ""},
	{"outbox", "/outbox", ui.IconMail, access.OutboxView, "records", ""},
	{"channels", "/channels", ui.IconIn, access.StatementView, "control", access.ChannelConfirm},
	{"payout-routes", "/payout-routes", ui.IconOut, access.StatementView, "control", access.ChannelConfirm},
	{"bank-accounts", "/bank-accounts", ui.IconBank, access.StatementView, "control", access.BankAccountConfirm},
	{"tags", "/tags", ui.IconTag, access.TagManage, "control", ""},
	{"switches", "/switches", ui.IconSwitch, access.SwitchView, "control", access.SwitchApprove},
	{"products", "/products", ui.IconChart, access.ProductView, "control", access.ProductApprove},
	{"staff", "/staff", ui.IconKey, access.StaffView, "control", access.StaffView},
}

// Page is the frame of a page: the navigation that the member may open, its counts, the system state, and the member.
func (f *Frame) Page(r *Request, title, current string) layout.Page {
	ctx := r.Context.Request().Context()
	page := layout.Page{Title: title, Theme: theme(r.Context), Me: f.me(ctx, r.Member)}
	if f.Health != nil {
		page.Health = f.Health(ctx, r.Zone())
	}
	answers := false
	for _, p := range f.openTo(r) {
		if p.id == "chat" { // members who answer count as present on every page
			answers = r.May(p.queue)
		}
		item, _ := f.item(r, p)
		item.Current = p.id == current
		page.Nav = addItem(page.Nav, groupTitle(ctx, p.group), item)
	}
	page.Live = live(answers)
	if f.mounted[http.MethodGet+" "+Root+FindPath] && len(r.Finders()) > 0 {
		page.Search = ui.To(Root + FindPath)
	}
	return page
}

// live has the addresses of the event stream and of what it makes pages request: presence and own conversations only for members who answer chats.
func live(answers bool) layout.Live {
	l := layout.Live{Events: ui.To(Root + "/events"), Refresh: ui.To(Root + "/live")}
	if answers {
		l.Presence, l.Mine = ui.To(Root+"/chat/desk/presence"), ui.To(Root+"/chat/mine")
	}
	return l
}

// Queue is a navigation item with a queue of work.
type Queue struct {
	layout.NavItem
	Waiting
}

// Queues lists the queues that the member may work on.
func (r *Request) Queues() (out []Queue) {
	for _, p := range r.frame.openTo(r) {
		if p.queue != "" && r.May(p.queue) {
			item, waiting := r.frame.item(r, p)
			out = append(out, Queue{item, waiting})
		}
	}
	return out
}

// Count is one navigation item with its current count, sent along with the answer to an action: layout.Count(r.Count("deposits")).
func (r *Request) Count(id string) layout.NavItem {
	for _, p := range navItems {
		if p.id == id {
			item, _ := r.frame.item(r, p)
			return item
		}
	}
	return layout.NavItem{ID: id}
}

// openTo lists the items that a member may open.
func (f *Frame) openTo(r *Request) (out []navItem) {
	for _, p := range navItems {
		if f.mounted[http.MethodGet+" "+Root+p.path] && r.May(p.permission) {
			out = append(out, p)
		}
	}
	return out
}

func (f *Frame) item(r *Request, p navItem) (layout.NavItem, Waiting) {
	ctx := r.Context.Request().Context()
	item := layout.NavItem{ID: p.id, Label: i18n.T(ctx, "nav."+p.id), Icon: p.icon, Href: ui.To(Root + p.path)}
	waiting, err := f.waiting(r, p.id)
	if err != nil {
		slog.ErrorContext(ctx, "what waits could not be counted", "place", p.id, "error", err)
	}
	item.Count, item.Hot = int(waiting.Count), waiting.late(f.Clock.Now())
	return item, waiting
}

// waiting reads the count of a navigation item; zero for an item without one.
func (f *Frame) waiting(r *Request, id string) (Waiting, error) {
	if count := f.OwnCounts[id]; count != nil {
		return count(r)
	}
	if count := f.Counts[id]; count != nil {
		return count(r.Context.Request().Context())
	}
	return Waiting{}, nil
}

func addItem(groups []layout.NavGroup, title string, item layout.NavItem) []layout.NavGroup {
	if n := len(groups); n > 0 && groups[n-1].Title == title {
		groups[n-1].Items = append(groups[n-1].Items, item)
		return groups
	}
	return append(groups, layout.NavGroup{Title: title, Items: []layout.NavItem{item}})
}

func groupTitle(ctx context.Context, group string) string {
	if group == "" {
		return ""
	}
	return i18n.T(ctx, "nav.group."+group)
}

func (f *Frame) me(ctx context.Context, m Member) layout.Me {
	roles := make([]string, len(m.Roles))
	for i, role := range m.Roles {
		roles[i] = i18n.T(ctx, "role."+string(role))
	}
	line := strings.Join(roles, ", ")
	if line == "" {
		line = i18n.T(ctx, "nav.no_role")
	}
	me := layout.Me{Initials: Initials(m.Name), Name: m.Name, Line: line, SignOut: ui.To(Root + "/signout"), Language: ui.To(Root + "/language"), Languages: f.otherLanguages(i18n.Lang(ctx))}
	if f.mounted[http.MethodGet+" "+AccountPath] {
		me.Profile = ui.To(AccountPath)
	}
	return me
}

// Initials are two letters of a person's name, from the first and the last word, or the first two of a single word; a number counts with its last digit.
func Initials(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return "?"
	}
	first := []rune(strings.ToUpper(words[0]))
	if len(words) == 1 {
		return string(first[:min(2, len(first))])
	}
	letters := first[:1:1]
	last := []rune(strings.ToUpper(words[len(words)-1]))
	if unicode.IsDigit(last[0]) {
		last = last[len(last)-1:]
	}
	return string(append(letters, last[0]))
}

func theme(c *echo.Context) string {
	cookie, err := c.Cookie(layout.ThemeCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

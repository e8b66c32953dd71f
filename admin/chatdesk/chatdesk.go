// Package chatdesk lets agents answer traders: the inbox, a thread with its composer, and the customer's context. It moves no money.
package chatdesk

import (
	"context"
	"net/http"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/notice"
	"candor/app/platform/i18n"
	"candor/app/platform/upload"
	"candor/app/score"
	"candor/app/session"
	"candor/app/staff/member"
	"candor/app/support"
	"candor/app/task"
	"candor/app/trader"
	"candor/app/trading/engine"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Chat        *support.Service
	Traders     *trader.Service
	Sessions    *session.Service
	Identities  *kyc.Service
	Deposits    *deposit.Service
	Withdrawals *withdrawal.Service
	Ledger      ledger.Querier
	Trading     *engine.Service
	Texts       *i18n.Catalogue // of the trader app
	Uploads     *upload.Intake
	Tasks       *task.Service  // mentions in notes
	Scores      *score.Service // conduct flags and their appeals
}

// navItem is the desk's item of the navigation.
const navItem = "chat"

const home = "/admin/chat"

// Routes lists the desk's routes.
func Routes(s Services) []desk.Route {
	view := func(path string, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: http.MethodGet, Path: path, Permission: access.ChatView, Handle: handle}
	}
	quiet := func(path string, handle func(*desk.Request) error) desk.Route {
		route := view(path, handle)
		route.Quiet = true
		return route
	}
	do := func(path string, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: http.MethodPost, Path: path, Permission: access.ChatAnswer, Handle: handle}
	}
	ask := func(path string, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: http.MethodGet, Path: path, Permission: access.ChatAnswer, Handle: handle}
	}
	lead := func(method, path string, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: method, Path: path, Permission: access.ChatLead, Handle: handle}
	}
	judge := func(method, path string, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: method, Path: path, Permission: access.ChatFlags, Handle: handle}
	}
	presence := do("/chat/desk/presence", s.present)
	presence.Quiet = true
	ownCalls := ask("/chat/mine", s.ownCalls)
	ownCalls.Quiet = true
	seen := do("/chat/:id/seen", s.seen)
	seen.Quiet = true
	pictures := do("/chat/:id/pictures", s.upload)
	pictures.Uploads = true
	return desk.Withholding([]desk.Route{
		view("/chat", s.inbox),
		quiet("/chat/rows", s.rows),
		ownCalls,
		presence,
		do("/chat/desk/accepting", s.accept),
		ask("/chat/desk/languages", s.askLanguages),
		do("/chat/desk/languages", s.setLanguages),
		ask("/chat/desk/alerts", s.askAlerts),
		ask("/chat/new", s.askStart),
		do("/chat/new", s.start),
		do("/chat/new/trader", s.findTrader),
		view("/chat/filter", s.askFilter),
		view("/chat/answers", s.replies),
		lead(http.MethodGet, "/chat/answer", s.askReply),
		lead(http.MethodPost, "/chat/answers", s.saveReply),
		lead(http.MethodGet, "/chat/answers/:reply", s.askReply),
		lead(http.MethodPost, "/chat/answers/:reply", s.saveReply),
		lead(http.MethodGet, "/chat/answers/:reply/removal", s.askRemoval),
		lead(http.MethodPost, "/chat/answers/:reply/removal", s.removeReply),
		view("/chat/hours", s.hours),
		lead(http.MethodPost, "/chat/hours", s.setHours),
		view("/chat/times", s.times),
		lead(http.MethodPost, "/chat/times", s.setTimes),
		view("/chat/macros", s.macros),
		lead(http.MethodGet, "/chat/macro", s.askMacro),
		lead(http.MethodPost, "/chat/macros", s.saveMacro),
		lead(http.MethodGet, "/chat/macros/:macro", s.askMacro),
		lead(http.MethodPost, "/chat/macros/:macro", s.saveMacro),
		lead(http.MethodGet, "/chat/macros/:macro/removal", s.askMacroRemoval),
		lead(http.MethodPost, "/chat/macros/:macro/removal", s.removeMacro),
		judge(http.MethodGet, "/chat/flags", s.appeals),
		judge(http.MethodGet, "/chat/flags/:flag", s.askDecision),
		judge(http.MethodPost, "/chat/flags/:flag", s.decide),
		view("/chat/:id", s.open),
		quiet("/chat/:id/news", s.newMessages),
		view("/chat/:id/pictures/:name", s.picture),
		seen,
		do("/chat/:id/typing", s.typing),
		do("/chat/:id/messages", s.send),
		pictures,
		ask("/chat/:id/replies", s.palette),
		do("/chat/:id/claim", s.claim),
		do("/chat/:id/take-over", s.takeOver),
		ask("/chat/:id/transfer", s.askTransfer),
		do("/chat/:id/transfer", s.transfer),
		ask("/chat/:id/snooze", s.askSnooze),
		do("/chat/:id/snooze", s.snooze),
		do("/chat/:id/waking", s.wake),
		do("/chat/:id/resolution", s.resolve),
		do("/chat/:id/reopening", s.reopen),
		ask("/chat/:id/macros", s.askRun),
		do("/chat/:id/macros", s.run),
		ask("/chat/:id/labels", s.askLabels),
		do("/chat/:id/labels", s.label),
		ask("/chat/:id/flag", s.askFlag),
		do("/chat/:id/flag", s.flag),
		ask("/chat/:id/mail", s.askMail),
		do("/chat/:id/mail", s.sendMail),
		ask("/chat/:id/call", s.askCall),
		do("/chat/:id/call", s.logCall),
	}, s.whose)
}

// whose is the trader of the conversation; 0 for a visitor.
func (s Services) whose(r *desk.Request, id int64) (int64, error) {
	c, err := s.Chat.Get(ctxOf(r), id)
	return member.ID(c.TraderID), err
}

// languages lists the app's languages as options.
func (s Services) languages(chosen string) (out []ui.Option) {
	for _, code := range notice.Locales {
		out = append(out, ui.Option{Value: code, Label: ui.LanguageName(code), Selected: code == chosen})
	}
	return out
}

// languageName names a language that an agent takes.
func languageName(r *desk.Request, code string) string {
	if code == support.AnyLanguage {
		return r.Word("chat.languages.any")
	}
	return ui.LanguageName(code)
}

// Waiting reads the queue of the navigation item; desk.Config.Counts takes it. Its oldest wait counts support hours only.
func Waiting(s *support.Service, now func() time.Time) func(context.Context) (desk.Waiting, error) {
	return func(ctx context.Context) (desk.Waiting, error) {
		q, err := s.Queue(ctx)
		w := desk.Waiting{Count: q.Waiting, Late: q.Late}
		if q.Waiting > 0 {
			w.Oldest = now().Add(-q.Longest)
		}
		return w, err
	}
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

func at(r *desk.Request, moment time.Time) string { return r.Moment(moment) }

func me(r *desk.Request) support.Agent {
	return support.Agent{StaffID: r.Member.ID, Name: r.Member.Name}
}

func path(id int64) ui.Path { return ui.To(home+"/{}", id) }

// labels writes a conversation's labels in the member's language.
func labels(r *desk.Request, c support.Conversation) string {
	var names []string
	for _, label := range c.About() {
		names = append(names, r.Word("chat.label."+label))
	}
	return strings.Join(names, ", ")
}

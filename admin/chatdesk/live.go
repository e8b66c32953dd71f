package chatdesk

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// pending collects the conversations with events that a page has not received yet.
type pending struct {
	mu     sync.Mutex
	member int64
	own    map[int64]bool // conversations that the member owns now or owned before
	ids    []int64
	mine   bool // one of the own conversations has an event
	wake   func()
}

// owns records that the member owns a conversation.
func (p *pending) owns(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.own[id] = true
}

func (p *pending) add(e support.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.ids, e.ConversationID) {
		p.ids = append(p.ids, e.ConversationID)
	}
	if e.AgentID == p.member {
		p.own[e.ConversationID] = true
	}
	if p.own[e.ConversationID] && (e.What == support.Said || e.What == support.Moved) {
		p.mine = true
	}
	p.wake()
}

// take returns the collected events as server-sent events, and clears them.
func (p *pending) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.ids) == 0 {
		return ""
	}
	words := make([]string, len(p.ids))
	for i, id := range p.ids {
		words[i] = strconv.FormatInt(id, 10)
	}
	text := "event: news\ndata: " + strings.Join(words, " ") + "\n\n"
	if p.mine {
		text += "event: mine\ndata: 0\n\n"
	}
	p.ids, p.mine = nil, false
	return text
}

// Source adds to the event stream the ids of conversations with new events, without their content: the page requests what follows its last message, also after
// each reconnect, so that nothing is lost or repeated. At each beat of the stream the page reports presence, because a hidden page's own timers are throttled.
func Source(chat *support.Service) desk.Source {
	return desk.Source{Permission: access.ChatView, Open: func(r *desk.Request, wake func()) (take func() string, stop func(), err error) {
		news := &pending{member: r.Member.ID, own: map[int64]bool{}, wake: wake}
		calls, err := chat.Calls(ctxOf(r), r.Member.ID)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range calls {
			news.owns(c.ID)
		}
		stop, err = chat.Subscribe(news.add)
		return news.take, stop, err
	}}
}

// ownCalls answers how many customers wait for the member, with the newest unread message of each of their conversations.
func (s Services) ownCalls(r *desk.Request) error {
	list, err := s.Chat.Calls(ctxOf(r), r.Member.ID)
	if err != nil {
		return err
	}
	var view chatview.Calls
	for _, c := range list {
		if c.Waits {
			view.Waiting++
		}
		call := chatview.Call{ID: number(c.ID), Last: number(c.Last)}
		if c.Unread {
			who := r.Word("chat.visitor", "number", c.ID)
			if c.TraderID != 0 {
				who = r.Word("chat.trader", "id", number(c.TraderID))
			}
			words := "chat.call.writes"
			if c.Given {
				words = "chat.call.given"
			}
			call.Line = &ui.FlashView{Icon: ui.IconChat, Text: r.Word(words, "name", who), Open: path(c.ID)}
		}
		view.List = append(view.List, call)
	}
	return r.Show(chatview.ShowCalls(view))
}

// present records that the member's page is open, and which thread it shows.
func (s Services) present(r *desk.Request) error {
	if err := s.Chat.Present(ctxOf(r), r.Member.ID); err != nil {
		return err
	}
	if id, err := strconv.ParseInt(r.PostFormValue("open"), 10, 64); err == nil && id > 0 {
		if err := s.Chat.Viewing(ctxOf(r), id, me(r)); err != nil {
			return err
		}
	}
	return r.NoContent(http.StatusNoContent)
}

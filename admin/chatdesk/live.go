package chatdesk

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"candor/admin/desk"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

const (
	gatherFor   = 100 * time.Millisecond // events of several conversations are sent together
	beatEvery   = 10 * time.Second
	streamLife  = 5 * time.Minute // then the page reconnects, perhaps to another server
	checkEvery  = 5 * time.Second // how often the member's session and right to read are checked
	writeWithin = 5 * time.Second
)

// pending collects the conversations with events that a page has not received yet.
type pending struct {
	mu     sync.Mutex
	member int64
	own    map[int64]bool // conversations that the member owns now or owned before
	ids    []int64
	mine   bool          // one of the own conversations has an event
	has    chan struct{} // has one element while there are events
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
	select {
	case p.has <- struct{}{}:
	default:
	}
}

// take returns the collected events as server-sent events, and clears them.
func (p *pending) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
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

// events streams the ids of conversations with new events, without their content: the page requests what follows its last message, also after each reconnect,
// so that nothing is lost or repeated. At each beat the page reports presence, because a hidden page's own timers are throttled.
func (s Services) events(r *desk.Request) error {
	news := &pending{member: r.Member.ID, own: map[int64]bool{}, has: make(chan struct{}, 1)}
	stop, err := s.Chat.Subscribe(news.add)
	if err != nil {
		return err
	}
	defer stop()
	calls, err := s.Chat.Calls(ctxOf(r), r.Member.ID)
	if err != nil {
		return err
	}
	for _, c := range calls {
		news.owns(c.ID)
	}
	w := r.Response()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	send := func(text string) error {
		if text == "" {
			return nil
		}
		if err := out.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
			return err
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			return err
		}
		return out.Flush()
	}
	beat, end, check := time.NewTicker(beatEvery), time.NewTimer(streamLife), time.NewTicker(cmp.Or(s.CheckEvery, checkEvery))
	defer beat.Stop()
	defer end.Stop()
	defer check.Stop()
	text := "retry: 2000\nevent: hello\ndata: 0\n\n"
	for {
		if err := send(text); err != nil {
			return nil //nolint:nilerr // the page has gone, and reconnects by itself
		}
		text = ""
		select {
		case <-check.C:
			if err := r.Check(); err != nil {
				return nil //nolint:nilerr // the page reconnects and gets the refusal
			}
		case <-news.has:
			time.Sleep(gatherFor)
			text = news.take()
		case <-beat.C:
			text = "event: beat\ndata: 0\n\n"
		case <-end.C:
			return nil
		case <-s.Ending:
			return nil
		case <-ctxOf(r).Done():
			return nil
		}
	}
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

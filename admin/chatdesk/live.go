package chatdesk

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"candor/admin/desk"
	"candor/app/support"
)

const (
	gatherFor   = 100 * time.Millisecond // news of several conversations go out together
	beatEvery   = 10 * time.Second
	streamLife  = 5 * time.Minute // then the page comes back, and is asked again who it is
	writeWithin = 5 * time.Second
)

// pending are the conversations that a page has not heard of yet.
type pending struct {
	mu  sync.Mutex
	ids []int64
	has chan struct{} // holds one when there are some
}

func (p *pending) add(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.ids, id) {
		p.ids = append(p.ids, id)
	}
	select {
	case p.has <- struct{}{}:
	default:
	}
}

func (p *pending) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	words := make([]string, len(p.ids))
	for i, id := range p.ids {
		words[i] = strconv.FormatInt(id, 10)
	}
	p.ids = nil
	return strings.Join(words, " ")
}

// events tells a page which conversations have news, as they have them. It says nothing of what: the page asks for what follows the last message that it has,
// and does so whenever it comes back, so that nothing is missed and nothing twice.
func (s Services) events(r *desk.Request) error {
	news := &pending{has: make(chan struct{}, 1)}
	stop, err := s.Chat.Listen(func(n support.News) { news.add(n.ConversationID) })
	if err != nil {
		return err
	}
	defer stop()
	w := r.Response()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	send := func(text string) error {
		if err := out.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
			return err
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			return err
		}
		return out.Flush()
	}
	beat, end := time.NewTicker(beatEvery), time.NewTimer(streamLife)
	defer beat.Stop()
	defer end.Stop()
	text := "retry: 2000\nevent: hello\ndata: 0\n\n"
	for {
		if err := send(text); err != nil {
			return nil //nolint:nilerr // the page has gone, and comes back by itself
		}
		select {
		case <-news.has:
			time.Sleep(gatherFor)
			text = "event: news\ndata: " + news.take() + "\n\n"
		case <-beat.C:
			text = ": beat\n\n"
		case <-end.C:
			return nil
		case <-s.Ending:
			return nil
		case <-ctxOf(r).Done():
			return nil
		}
	}
}

// present notes that the member's page is open, and at which thread.
func (s Services) present(r *desk.Request) error {
	if err := s.Chat.Present(ctxOf(r), r.Member.ID); err != nil {
		return err
	}
	if id, err := strconv.ParseInt(r.Posted("open"), 10, 64); err == nil && id > 0 {
		if err := s.Chat.Viewing(ctxOf(r), id, me(r)); err != nil {
			return err
		}
	}
	return r.NoContent(http.StatusNoContent)
}

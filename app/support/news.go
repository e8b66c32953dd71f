package support

import (
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"candor/app/platform/events"
)

// What is told of a conversation.
const (
	Said   = "chat.said"   // a message
	Moved  = "chat.moved"  // its state, its owner or its labels
	Marked = "chat.marked" // how far a side has come
	Signed = "chat.signed" // somebody looks at it, or types
	Desk   = "chat.desk"   // an agent has come or gone
)

const everything = "chat.*"

// News is what the doors are told of a conversation. Whoever misses some reads on from the last message they have.
type News struct {
	What                  string
	ConversationID        int64
	TraderID              int64  // 0 for a visitor's
	Visitor               string // empty for a trader's
	Language              string
	State                 State
	AgentID               int64
	LastMessageID         int64
	AgentGot, AgentRead   int64
	CustomerGot, Customer int64 // how far the customer's app has come, and the customer has read
	Rateable              bool
	Message               *Message // of Said
	Sign                  *Sign    // of Signed
}

func newsOf(c Conversation, what string, m *Message) News {
	return News{
		What: what, ConversationID: c.ID, TraderID: given(c.TraderID), Visitor: given(c.Visitor), Language: c.Language, State: c.State, AgentID: given(c.AgentID), LastMessageID: c.LastMessageID,
		AgentGot: c.AgentGot, AgentRead: c.AgentRead, CustomerGot: c.CustomerGot, Customer: c.CustomerRead, Rateable: c.Rateable(), Message: m,
	}
}

func (s *Service) tell(n News) {
	text, err := json.Marshal(n)
	if err == nil {
		err = s.bus.Publish(n.What, text)
	}
	if err != nil { // whoever looks catches up by the last id
		slog.Error("news of a conversation can't be told", "conversation", n.ConversationID, "what", n.What, "error", err)
	}
}

// Listen calls handle for all that is told, one after the other, until stop is called. Handle does not wait: others listen too.
func (s *Service) Listen(handle func(News)) (stop func(), err error) {
	return s.ears.add(s.bus, handle)
}

// ears are those who listen on this server: what the bus brings is read once for all of them.
type ears struct {
	mu    sync.Mutex
	next  int
	heard map[int]func(News)
	stop  func() // nil while nobody listens
}

func (e *ears) add(bus *events.Bus, handle func(News)) (stop func(), err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stop == nil {
		if e.stop, err = bus.Subscribe(everything, e.hear); err != nil {
			return nil, err
		}
	}
	if e.heard == nil {
		e.heard = map[int]func(News){}
	}
	e.next++
	id := e.next
	e.heard[id] = handle
	return func() { e.drop(id) }, nil
}

func (e *ears) drop(id int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.heard, id)
	if len(e.heard) == 0 && e.stop != nil {
		e.stop()
		e.stop = nil
	}
}

func (e *ears) hear(_ string, data []byte) {
	var n News
	if err := json.Unmarshal(data, &n); err != nil {
		slog.Error("news of a conversation can't be read", "error", err)
		return
	}
	e.mu.Lock()
	handlers := slices.Collect(maps.Values(e.heard))
	e.mu.Unlock()
	for _, handle := range handlers {
		handle(n)
	}
}

// Sign is that somebody looks at a thread, or types in it. It passes by itself, so none can stick.
type Sign struct {
	AgentID int64  // 0 for the customer
	Name    string // of the agent
	Typing  bool
	Until   time.Time
}

const (
	typingLife = 6 * time.Second
	viewLife   = 25 * time.Second // a page says again every 10 s that it is looked at
)

// signs are those that hold, as every server hears them.
type signs struct {
	mu   sync.Mutex
	held map[int64][]Sign // by conversation
}

func newSigns() *signs { return &signs{held: map[int64][]Sign{}} }

func (h *signs) put(conversationID int64, sign Sign, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.DeleteFunc(h.held[conversationID], func(other Sign) bool {
		return !other.Until.After(now) || other.AgentID == sign.AgentID && other.Typing == sign.Typing
	})
	if sign.Until.After(now) {
		list = append(list, sign)
	}
	if len(list) == 0 {
		delete(h.held, conversationID)
		return
	}
	h.held[conversationID] = list
}

func (h *signs) at(conversationID int64, now time.Time) (list []Sign) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, sign := range h.held[conversationID] {
		if sign.Until.After(now) {
			list = append(list, sign)
		}
	}
	return list
}

// typing tells whether an agent types.
func (h *signs) typing(conversationID int64, now time.Time) bool {
	return slices.ContainsFunc(h.at(conversationID, now), func(s Sign) bool { return s.Typing && s.AgentID != 0 })
}

// Follow keeps the signs of every server until the stop is called.
func (s *Service) Follow() (stop func(), err error) {
	return s.Listen(func(n News) {
		if n.What == Signed && n.Sign != nil {
			s.signs.put(n.ConversationID, *n.Sign, s.clock.Now())
		}
	})
}

// Signs lists who looks at a thread or types in it.
func (s *Service) Signs(conversationID int64) []Sign {
	return s.signs.at(conversationID, s.clock.Now())
}

// sign tells of one; a short life ends it sooner.
func (s *Service) sign(c Conversation, sign Sign, life time.Duration) {
	sign.Until = s.clock.Now().Add(life)
	n := newsOf(c, Signed, nil)
	n.Sign = &sign
	s.tell(n)
}

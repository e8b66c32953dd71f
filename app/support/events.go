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

// Event types: the part of a conversation that changed.
const (
	Said            = "chat.said"   // a message
	Moved           = "chat.moved"  // state, owner or labels
	Marked          = "chat.marked" // read receipts
	ActivityChanged = "chat.signed" // someone views it or types
	Desk            = "chat.desk"   // an agent's presence or settings
)

const everything = "chat.*"

// Event reports a change to a conversation. A subscriber that misses one catches up by the last message id.
type Event struct {
	What                  string
	ConversationID        int64
	TraderID              int64  // 0 for a visitor's
	Visitor               string // empty for a trader's
	Language              string
	State                 State
	AgentID               int64
	LastMessageID         int64
	AgentGot, AgentRead   int64
	CustomerGot, Customer int64 // the newest messages that the customer's app received and the customer read
	Rateable              bool
	Message               *Message  // of Said
	Activity              *Activity // of ActivityChanged
}

func eventOf(c Conversation, what string, m *Message) Event {
	return Event{
		What: what, ConversationID: c.ID, TraderID: given(c.TraderID), Visitor: given(c.Visitor), Language: c.Language, State: c.State, AgentID: given(c.AgentID), LastMessageID: c.LastMessageID,
		AgentGot: c.AgentGot, AgentRead: c.AgentRead, CustomerGot: c.CustomerGot, Customer: c.CustomerRead, Rateable: c.Rateable(), Message: m,
	}
}

func (s *Service) publish(e Event) {
	text, err := json.Marshal(e)
	if err == nil {
		err = s.bus.Publish(e.What, text)
	}
	if err != nil { // readers catch up by the last id
		slog.Error("a conversation's event can't be published", "conversation", e.ConversationID, "what", e.What, "error", err)
	}
}

// Subscribe calls handle for every event, one at a time, until stop is called. The handler must not block: it would delay the other subscribers.
func (s *Service) Subscribe(handle func(Event)) (stop func(), err error) {
	return s.subscribers.add(s.bus, handle)
}

// subscribers share one subscription of the bus on this server.
type subscribers struct {
	mu       sync.Mutex
	next     int
	handlers map[int]func(Event)
	stop     func() // nil without subscribers
}

func (subs *subscribers) add(bus *events.Bus, handle func(Event)) (stop func(), err error) {
	subs.mu.Lock()
	defer subs.mu.Unlock()
	if subs.stop == nil {
		if subs.stop, err = bus.Subscribe(everything, subs.handle); err != nil {
			return nil, err
		}
	}
	if subs.handlers == nil {
		subs.handlers = map[int]func(Event){}
	}
	subs.next++
	id := subs.next
	subs.handlers[id] = handle
	return func() { subs.drop(id) }, nil
}

func (subs *subscribers) drop(id int) {
	subs.mu.Lock()
	defer subs.mu.Unlock()
	delete(subs.handlers, id)
	if len(subs.handlers) == 0 && subs.stop != nil {
		subs.stop()
		subs.stop = nil
	}
}

func (subs *subscribers) handle(_ string, data []byte) {
	var e Event
	if err := json.Unmarshal(data, &e); err != nil {
		slog.Error("a conversation's event can't be read", "error", err)
		return
	}
	subs.mu.Lock()
	handlers := slices.Collect(maps.Values(subs.handlers))
	subs.mu.Unlock()
	for _, handle := range handlers {
		handle(e)
	}
}

// Activity is an agent viewing a thread, or someone typing in it. It expires at Until.
type Activity struct {
	AgentID int64  // 0 for the customer
	Name    string // of the agent
	Typing  bool
	Until   time.Time
}

const (
	typingLife = 6 * time.Second
	viewLife   = 25 * time.Second // a page renews its view every 10 s
)

// activities holds the unexpired activities of every server.
type activities struct {
	mu   sync.Mutex
	held map[int64][]Activity // by conversation
}

func newActivities() *activities { return &activities{held: map[int64][]Activity{}} }

func (h *activities) put(conversationID int64, a Activity, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.DeleteFunc(h.held[conversationID], func(other Activity) bool {
		return !other.Until.After(now) || other.AgentID == a.AgentID && other.Typing == a.Typing
	})
	if a.Until.After(now) {
		list = append(list, a)
	}
	if len(list) == 0 {
		delete(h.held, conversationID)
		return
	}
	h.held[conversationID] = list
}

func (h *activities) at(conversationID int64, now time.Time) (list []Activity) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.held[conversationID] {
		if a.Until.After(now) {
			list = append(list, a)
		}
	}
	return list
}

// typing reports whether an agent is typing.
func (h *activities) typing(conversationID int64, now time.Time) bool {
	return slices.ContainsFunc(h.at(conversationID, now), func(s Activity) bool { return s.Typing && s.AgentID != 0 })
}

// FollowActivities collects the activities of every server until stop is called.
func (s *Service) FollowActivities() (stop func(), err error) {
	return s.Subscribe(func(e Event) {
		if e.What == ActivityChanged && e.Activity != nil {
			s.activities.put(e.ConversationID, *e.Activity, s.clock.Now())
		}
	})
}

// Activities lists who views a thread or types in it.
func (s *Service) Activities(conversationID int64) []Activity {
	return s.activities.at(conversationID, s.clock.Now())
}

// setActivity publishes an activity that expires after life; a life of 0 ends it.
func (s *Service) setActivity(c Conversation, a Activity, life time.Duration) {
	a.Until = s.clock.Now().Add(life)
	e := eventOf(c, ActivityChanged, nil)
	e.Activity = &a
	s.publish(e)
}

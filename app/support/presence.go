package support

import (
	"encoding/json"
	"log/slog"
	"sync"
	"time"
)

// desk knows which agents are there, who looks at which thread and who types: signs that pass by themselves, so none can stick. Every server hears them all.
type desk struct {
	mu     sync.Mutex
	agents map[int64]time.Time // when each was last heard of
	signs  map[sign]time.Time  // until when each holds
}

// sign is that somebody looks at a thread, or types in it.
type sign struct {
	ConversationID int64
	AgentID        int64 // 0 for the customer
	Typing         bool
}

const (
	awayAfter = 30 * time.Second // an agent's page says each 10 s that it is there
	viewLife  = 30 * time.Second
)

func newDesk() *desk { return &desk{agents: map[int64]time.Time{}, signs: map[sign]time.Time{}} }

func (d *desk) heard(agentID int64, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.agents[agentID] = at
}

func (d *desk) online(agentID int64, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, known := d.agents[agentID]
	return known && now.Sub(at) < awayAfter
}

func (d *desk) put(s sign, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	life := viewLife
	if s.Typing {
		life = typingLife
	}
	d.signs[s] = now.Add(life)
	for other, until := range d.signs {
		if !until.After(now) {
			delete(d.signs, other)
		}
	}
}

// at lists the signs of a thread that hold.
func (d *desk) at(conversationID int64, now time.Time) (list []sign) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for s, until := range d.signs {
		if s.ConversationID == conversationID && until.After(now) {
			list = append(list, s)
		}
	}
	return list
}

// Said is the subject of messages, Signed that of signs.
const (
	Said   = "chat.said"
	Signed = "chat.signed"
)

// Word is what the other servers and the doors are told of a message: enough to fetch it.
type Word struct {
	ConversationID, MessageID int64
	Public                    bool
}

func (s *Service) tell(m Message) {
	text, err := json.Marshal(Word{m.ConversationID, m.ID, m.Public()})
	if err == nil {
		err = s.bus.Publish(Said, text)
	}
	if err != nil { // whoever looks catches up by the last id
		slog.Error("a message can't be told", "conversation", m.ConversationID, "message", m.ID, "error", err)
	}
}

// Package support is the chat between traders and agents: one living conversation for each trader or visitor, messages whose ids come from their senders, agents who
// own what they answer. What was said is never changed, doubled or lost.
package support

import (
	"slices"
	"strings"
	"time"

	"candor/app/platform/errs"
)

// State is how far a conversation is.
type State string

// The states of conversations.
const (
	Queued          State = "queued"           // nobody answers it yet
	Open            State = "open"             // an agent owns it, and is to answer
	WaitingCustomer State = "waiting_customer" // the agent has answered
	Snoozed         State = "snoozed"          // until a moment, or until the customer writes
	Resolved        State = "resolved"
	Closed          State = "closed"          // a week after it was resolved; the next message begins another
	OfflineMessage  State = "offline_message" // written while nobody works: it waits for the hours
)

// moves are the states that each state may turn into.
var moves = map[State][]State{
	Queued:          {Open, Resolved, OfflineMessage},
	OfflineMessage:  {Open, Queued, Resolved},
	Open:            {WaitingCustomer, Queued, Snoozed, Resolved},
	WaitingCustomer: {Open, Queued, Snoozed, Resolved},
	Snoozed:         {Open, Queued, WaitingCustomer, Resolved},
	Resolved:        {Queued, Open, OfflineMessage, Closed},
}

// States lists every state.
var States = []State{Queued, Open, WaitingCustomer, Snoozed, Resolved, Closed, OfflineMessage}

// Moves lists the states that a state may turn into.
func Moves(from State) []State { return slices.Clone(moves[from]) }

// Times and bounds.
const (
	CloseAfter    = 7 * 24 * time.Hour // after a conversation was resolved
	SilentAfter   = 24 * time.Hour     // without a word of the customer after an answer it is resolved by itself
	LongestText   = 4000               // characters of a message
	LongestSnooze = 30 * 24 * time.Hour
	Capacity      = 6   // conversations of one agent that are handed out by themselves
	sendsAMinute  = 30  // messages of one customer
	visitsAnHour  = 100 // conversations that visitors and guests begin from one network
	pageSize      = 200
)

// Target is how long a customer may wait for an answer; only the hours in which agents work count.
const Target = 10 * time.Minute

// Refusals.
var (
	ErrUnknown = errs.New(errs.NotFound, "chat.unknown")
	ErrReused  = errs.New(errs.Conflict, "chat.id_reused") // the id was sent with other words
	ErrOften   = errs.New(errs.TooMany, "chat.too_often")  // more than a person writes
	ErrNetwork = errs.New(errs.TooMany, "chat.network")    // too many conversations of visitors from one network
	// ErrWriteFirst keeps the pictures of visitors out who have not written anything.
	ErrWriteFirst = errs.New(errs.Refused, "chat.write_first")
	ErrRated      = errs.New(errs.Conflict, "chat.rated")   // once for each time that an agent resolved
	ErrMessageID  = errs.Field("messageId", "field.type")   // not a UUID
	ErrText       = errs.Field("text", "field.length")      // empty, or too long
	ErrRating     = errs.Field("rating", "field.range")     // not 1 to 5
	ErrVisitor    = errs.Field("visitor", "field.required") // a visitor's id is a UUID of the device's own making
	ErrPicture    = errs.Field("image", "field.unknown")    // not a picture that this side has uploaded
	ErrCard       = errs.Field("cardId", "field.unknown")   // not an order, a deposit or a withdrawal of this trader
)

// Labels are what conversations may be about.
var Labels = []string{"deposit", "withdrawal", "identity", "orders", "prices", "security", "account", "complaint"}

// Customer is who writes: a trader with a session, or a visitor by the secret id of a device.
type Customer struct {
	TraderID int64  // 0 for a visitor
	Guest    bool   // of a demo account, whom nothing tells from a visitor: their uploads have the limits of visitors
	Visitor  string // a UUID that the device made; empty for a trader
	Language string
	Zone     string // of the device, as it names it; what is no zone is not kept
	IP       string
}

// Conversation is one thread. The columns that end in _got and _read are ids of messages.
type Conversation struct {
	ID            int64
	TraderID      *int64
	Visitor       *string
	Language      string // of the customer's app, when they last wrote
	Zone          string // of the IANA list; empty while nobody knows
	State         State
	AgentID       *int64
	WaitingSince  *time.Time // since when a message of the customer is not answered
	AnsweredAt    *time.Time
	SnoozedUntil  *time.Time
	WokenAt       *time.Time // when it came back, until it is answered or put off again
	ResolvedAt    *time.Time
	ResolvedBy    *int64 // nil where it resolved itself
	ReopenedAt    *time.Time
	Urgent        bool
	Labels        string // with commas between them
	LastMessageID int64
	CustomerGot   int64
	CustomerRead  int64
	AgentGot      int64
	AgentRead     int64
	Rating        *int
	RatedAt       *time.Time
	Version       int
	CreatedAt     time.Time
	MovedAt       time.Time
}

const conversationColumns = `id, trader_id, visitor::text, language, zone, state, agent_id, waiting_since, answered_at, snoozed_until, woken_at, resolved_at, resolved_by, reopened_at, urgent, labels,
	last_message_id, customer_got, customer_read, agent_got, agent_read, rating, rated_at, version, created_at, moved_at`

// TableName is GORM's name of the table.
func (Conversation) TableName() string { return "conversations" }

// May tells whether the conversation may turn into another state.
func (c Conversation) May(next State) bool { return slices.Contains(moves[c.State], next) }

// Woken tells whether it was put off, has come back, and is not answered since.
func (c Conversation) Woken() bool { return c.State == Open && c.WokenAt != nil }

// Live tells whether somebody is to work on it, now or later.
func (c Conversation) Live() bool { return c.State != Resolved && c.State != Closed }

// Place is the zone by whose clock the customer lives; false while nobody knows.
func (c Conversation) Place() (*time.Location, bool) { return place(c.Zone) }

// OwnedBy tells whether an agent owns it.
func (c Conversation) OwnedBy(agentID int64) bool { return c.AgentID != nil && *c.AgentID == agentID }

// About lists the labels.
func (c Conversation) About() []string {
	if c.Labels == "" {
		return nil
	}
	return strings.Split(c.Labels, ",")
}

// Rateable tells whether its customer may rate it: an agent has answered, an agent has resolved it, and it was not rated since.
func (c Conversation) Rateable() bool {
	return c.State == Resolved && c.ResolvedBy != nil && c.AnsweredAt != nil && c.RatedAt == nil
}

// Author is which side wrote a message.
type Author string

// The authors.
const (
	ByCustomer Author = "customer"
	ByAgent    Author = "agent"
	BySystem   Author = "system"
)

// Kind is what a message is.
type Kind string

// The kinds of messages.
const (
	Text    Kind = "text"
	Picture Kind = "picture"
	Card    Kind = "card"  // an order, a deposit or a withdrawal that the customer shows
	Note    Kind = "note"  // between agents; never leaves the desk
	System  Kind = "event" // claimed, handed over, resolved: what the thread tells of itself; the body names it
)

// Message is one entry of a thread. It is never changed.
type Message struct {
	ID             int64
	ConversationID int64
	ClientID       string // the UUID that its sender gave it
	Author         Author
	StaffID        *int64
	Kind           Kind
	Private        bool   // stays at the desk
	Body           string // what looked like a secret was masked before it was written
	Masked         bool
	Picture        *string
	CardKind       string
	CardID         *int64
	At             time.Time
	StaffName      string
}

const messageColumns = `m.id, m.conversation_id, m.client_id::text, m.author, m.staff_id, m.kind, m.private, m.body, m.masked, m.picture, m.card_kind, m.card_id, m.at, coalesce(s.name, '')`

// told are the events that a customer is told of.
var told = []string{"chat.claim", "chat.assign", "chat.take_over", "chat.transfer", "chat.release", "chat.resolve", "chat.silent", "chat.reopen"}

// OwnedBy tells whether it is of a member of staff, or about them.
func (m Message) OwnedBy(staffID int64) bool { return m.StaffID != nil && *m.StaffID == staffID }

// Rated is what the customer said of how a conversation was resolved, where the event is that.
func (m Message) Rated() (rating, words string, rated bool) {
	rest, rated := strings.CutPrefix(m.Body, "chat.rated.")
	rating, words, _ = strings.Cut(rest, " ")
	return rating, words, rated && m.Kind == System
}

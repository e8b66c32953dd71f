// Package support is the chat between traders and agents: one conversation at a time for each trader or visitor, messages whose ids come from their senders,
// agents who own what they answer. What was said is never changed, doubled or lost.
package support

import (
	"slices"
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
	Queued:          {Open, Resolved},
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
	CloseAfter   = 7 * 24 * time.Hour // after a conversation was resolved
	SilentAfter  = 24 * time.Hour     // without a word of the customer after an answer it is resolved by itself
	LongestText  = 4000               // characters of a message
	sendsAMinute = 30                 // messages of one customer
	Capacity     = 6                  // conversations of one agent that are handed out by themselves
	typingLife   = 6 * time.Second    // so a sign of typing can't stick
)

// Service-time targets, in which only business hours count.
const (
	FirstTarget = 10 * time.Minute
	NextTarget  = 10 * time.Minute
)

// Refusals.
var (
	ErrUnknown   = errs.New(errs.NotFound, "chat.unknown")
	ErrState     = errs.New(errs.Conflict, "chat.state")      // no longer in a state that allows the act
	ErrChanged   = errs.New(errs.Conflict, "chat.changed")    // another version than the one shown
	ErrOwned     = errs.New(errs.Conflict, "chat.owned")      // another agent owns it: take it over first
	ErrNotOwned  = errs.New(errs.Conflict, "chat.not_owned")  // claim it first
	ErrText      = errs.Field("text", "field.length")         // empty, too long, or no text
	ErrMessageID = errs.Field("messageId", "field.required")  // not a UUID
	ErrReused    = errs.New(errs.Conflict, "chat.id_reused")  // the id was sent with another text
	ErrOften     = errs.New(errs.TooMany, "chat.too_often")   // more than a person writes
	ErrRating    = errs.Field("rating", "field.range")        // not 1 to 5
	ErrRated     = errs.New(errs.Conflict, "chat.rated")      // once for each resolve
	ErrVariable  = errs.New(errs.Refused, "chat.unresolved")  // Args name: what a canned reply leaves open
	ErrAgent     = errs.New(errs.Refused, "chat.agent_away")  // only to an agent who is online
	ErrVisitor   = errs.Field("uuid", "field.required")       // a visitor's id is a UUID of the device's own making
	ErrPicture   = errs.Field("file", "field.unknown")        // not a picture of this customer
	ErrWaiting   = errs.New(errs.Conflict, "chat.no_longer")  // the customer has written since: read that first
	errNotOwnTrd = errs.New(errs.Forbidden, "chat.own_trader") // nobody answers themselves
)

// Customer is who writes: a trader with a session, or a visitor by the secret id of a device.
type Customer struct {
	TraderID int64  // 0 for a visitor
	Visitor  string // a UUID that the device made; empty for a trader
	Language string
	IP       string
}

// Conversation is one thread.
type Conversation struct {
	ID            int64
	TraderID      *int64
	Visitor       *string
	Language      string
	Topic         string
	State         State
	AgentID       *int64
	WaitingSince  *time.Time // since when a message of the customer is not answered
	FirstAnswerAt *time.Time
	SnoozedUntil  *time.Time
	ResolvedAt    *time.Time
	ResolvedBy    *int64 // nil where it resolved itself
	ReopenedAt    *time.Time
	Priority      int
	Labels        []string `gorm:"type:text[]"`
	LastMessageID int64
	CustomerRead  int64 // the newest message that the customer has read
	AgentRead     int64
	Rating        *int
	RatingComment string
	Version       int
	CreatedAt     time.Time
	MovedAt       time.Time
}

// TableName is GORM's name of the table.
func (Conversation) TableName() string { return "conversations" }

// May tells whether the conversation may turn into another state.
func (c Conversation) May(next State) bool { return slices.Contains(moves[c.State], next) }

// Living tells whether the next message of the customer belongs to it.
func (c Conversation) Living() bool { return c.State != Closed }

// OwnedBy tells whether an agent owns it.
func (c Conversation) OwnedBy(agentID int64) bool { return c.AgentID != nil && *c.AgentID == agentID }

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
	Event   Kind = "event" // claimed, transferred, resolved: what the thread tells of itself
)

// Message is one entry of a thread. It is never changed.
type Message struct {
	ID             int64
	ConversationID int64
	ClientID       string // the UUID that its sender gave it
	Author         Author
	StaffID        *int64
	Kind           Kind
	Body           string // what looked like a secret is masked before it is written
	Masked         bool
	FileID         *int64
	CardKind       string
	CardID         *int64
	At             time.Time
}

// TableName is GORM's name of the table.
func (Message) TableName() string { return "chat_messages" }

// Public tells whether the customer may read it.
func (m Message) Public() bool { return m.Kind != Note }

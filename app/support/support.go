// Package support is the chat between traders and agents: one current conversation per trader or visitor, message ids chosen by senders, and one owning agent
// per conversation. Messages are never changed, duplicated or lost.
package support

import (
	"slices"
	"strings"
	"time"

	"candor/app/platform/errs"
	"candor/app/platform/zones"
)

// State is the stage of a conversation.
type State string

// The states of conversations.
const (
	Queued          State = "queued"           // waits for an agent
	Open            State = "open"             // an agent owns it and has to answer
	WaitingCustomer State = "waiting_customer" // the agent has answered
	Snoozed         State = "snoozed"          // until a set time or the customer's next message
	Resolved        State = "resolved"
	Closed          State = "closed"          // a week after it was resolved; the next message starts a new conversation
	OfflineMessage  State = "offline_message" // written outside working hours; queued when they begin
)

// moves lists the valid state transitions.
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

// Moves lists the states that a state may change to.
func Moves(from State) []State { return slices.Clone(moves[from]) }

// Times and limits.
const (
	CloseAfter    = 7 * 24 * time.Hour // after a conversation was resolved
	SilentAfter   = 24 * time.Hour     // of silence after an answer; then it is resolved automatically
	LongestText   = 4000               // characters of a message
	LongestSnooze = 30 * 24 * time.Hour
	Capacity      = 6   // conversations per agent for automatic assignment
	sendsAMinute  = 30  // messages per customer
	visitsAnHour  = 100 // new conversations of visitors and guests per network
	pageSize      = 200
)

// Refusals.
var (
	ErrUnknown = errs.New(errs.NotFound, "chat.unknown")
	ErrReused  = errs.New(errs.Conflict, "chat.id_reused") // the id was used for another message
	ErrOften   = errs.New(errs.TooMany, "chat.too_often")  // over a rate limit
	ErrNetwork = errs.New(errs.TooMany, "chat.network")    // too many new conversations of visitors from one network
	// ErrWriteFirst refuses pictures from visitors who have not written anything.
	ErrWriteFirst = errs.New(errs.Refused, "chat.write_first")
	ErrRated      = errs.New(errs.Conflict, "chat.rated")   // one rating per resolution by an agent
	ErrMessageID  = errs.Field("messageId", "field.type")   // not a UUID
	ErrText       = errs.Field("text", "field.length")      // empty, or too long
	ErrRating     = errs.Field("rating", "field.range")     // not 1 to 5
	ErrVisitor    = errs.Field("visitor", "field.required") // a visitor's id is a UUID made by the device
	ErrPicture    = errs.Field("image", "field.unknown")    // not a picture uploaded by the sender
	ErrCard       = errs.Field("cardId", "field.unknown")   // not an order, a deposit or a withdrawal of this trader
)

// Labels lists the topics of conversations.
var Labels = []string{"deposit", "withdrawal", "identity", "orders", "prices", "security", "account", "complaint"}

// Customer is the author: a trader with a session, or a visitor identified by a device's secret id.
type Customer struct {
	TraderID int64  // 0 for a visitor
	Guest    bool   // on a demo account without registration; upload limits are those of visitors
	Visitor  string // a UUID made by the device; empty for a trader
	Language string
	Zone     string // the device's time zone; an unknown name is not stored
	IP       string
}

// Conversation is one thread. Columns ending in _got and _read are ids of messages.
type Conversation struct {
	ID            int64
	TraderID      *int64
	Visitor       *string
	FromIP        string // the customer's network when it began
	Language      string // of the customer's app, when they last wrote
	Zone          string // IANA name; empty while unknown
	State         State
	AgentID       *int64
	WaitingSince  *time.Time // start of the wait for an answer; nil if nobody waits
	AnsweredAt    *time.Time
	AnsweredIn    *int // seconds of support hours that the customer waited for the first answer
	AnsweredLate  bool // after the service time
	SnoozedUntil  *time.Time
	WokenAt       *time.Time // when the snooze ended; nil once it is answered or snoozed again
	ResolvedAt    *time.Time
	ResolvedBy    *int64 // nil if resolved automatically
	ResolvedIn    *int   // seconds of support hours since it began or was reopened; nil if resolved automatically
	ResolvedLate  bool   // after the service time
	ReopenedAt    *time.Time
	Priority      Priority
	Labels        string // comma-separated
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
	TranscriptAt  *time.Time // when its trader last had it mailed
}

// TableName is GORM's name of the table.
func (Conversation) TableName() string { return "conversations" }

// May reports whether the conversation may change to another state.
func (c Conversation) May(next State) bool { return slices.Contains(moves[c.State], next) }

// Woken reports whether its snooze has ended and it has not been answered since.
func (c Conversation) Woken() bool { return c.State == Open && c.WokenAt != nil }

// Live reports whether it is neither resolved nor closed.
func (c Conversation) Live() bool { return c.State != Resolved && c.State != Closed }

// Location is the customer's time zone; false while unknown.
func (c Conversation) Location() (*time.Location, bool) { return zones.Load(c.Zone) }

// OwnedBy reports whether an agent owns it.
func (c Conversation) OwnedBy(agentID int64) bool { return c.AgentID != nil && *c.AgentID == agentID }

// About lists the labels.
func (c Conversation) About() []string {
	if c.Labels == "" {
		return nil
	}
	return strings.Split(c.Labels, ",")
}

// Rateable reports whether its customer may rate it: an agent answered it, an agent resolved it, and it was not rated since.
func (c Conversation) Rateable() bool {
	return c.State == Resolved && c.ResolvedBy != nil && c.AnsweredAt != nil && c.RatedAt == nil
}

// Author is the side that wrote a message.
type Author string

// The authors.
const (
	ByCustomer Author = "customer"
	ByAgent    Author = "agent"
	BySystem   Author = "system"
)

// Kind is the type of a message.
type Kind string

// The kinds of messages.
const (
	Text      Kind = "text"
	Picture   Kind = "picture"
	Card      Kind = "card"  // an order, a deposit or a withdrawal that the customer shares
	Mail      Kind = "mail"  // that an agent sent to the trader; for staff only
	PhoneCall Kind = "call"  // that an agent wrote down; for staff only
	Note      Kind = "note"  // between agents; never shown to customers
	System    Kind = "event" // a system event such as claimed, transferred or resolved; the body names it
)

// Message is one entry of a thread. It is never changed.
type Message struct {
	ID             int64
	ConversationID int64
	ClientID       string // the UUID chosen by its sender
	Author         Author
	StaffID        *int64
	Kind           Kind
	Private        bool   // for staff only
	Body           string // likely secrets were masked before it was stored
	Masked         bool
	Picture        *string
	CardKind       string
	CardID         *int64
	Subject        string    // of a mail
	MailID         *int64    // of a mail, in the outbox
	Direction      Direction `gorm:"default:null"` // of a call
	Minutes        *int      // of a call
	At             time.Time
	StaffName      string `gorm:"-"`
	Pages          int    `gorm:"-"` // of the PDF whose first pages the picture shows; 0 for a picture
}

// TableName is GORM's name of the table.
func (Message) TableName() string { return "chat_messages" }

// told lists the events that customers see.
var told = []string{"chat.claim", "chat.assign", "chat.take_over", "chat.transfer", "chat.release", "chat.resolve", "chat.silent", "chat.reopen"}

// OwnedBy reports whether it is from a member of staff, or about them.
func (m Message) OwnedBy(staffID int64) bool { return m.StaffID != nil && *m.StaffID == staffID }

// Rated returns the customer's rating and comment; rated is false for any other message.
func (m Message) Rated() (rating, words string, rated bool) {
	rest, rated := strings.CutPrefix(m.Body, "chat.rated.")
	rating, words, _ = strings.Cut(rest, " ")
	return rating, words, rated && m.Kind == System
}

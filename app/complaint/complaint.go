// Package complaint is the register of complaints: staff register what a trader complains about, acknowledge it, investigate it, and answer it with two people,
// within the days that regulators give.
//
// The days: PSD2 (directive (EU) 2015/2366, article 101) and the FCA's DISP 1.6.2A give 15 business days for the final answer, and 35 for one that needs longer,
// after the complainant was told why. The joint guidelines of ESMA and the EBA on complaints-handling (JC 2018 35) want an acknowledgement and answers without
// unnecessary delay but name no days; 5 business days for the acknowledgement is the rule of the Central Bank of Ireland's Consumer Protection Code (10.9).
package complaint

import (
	"fmt"
	"time"

	"candor/app/platform/errs"
)

// The terms, in business days after the day on which a complaint was received.
const (
	AcknowledgeDays = 5
	AnswerDays      = 15
	ExtendedDays    = 35 // once, after the trader was told the reason
)

// AfterBusinessDays is the day that comes a number of business days after another. Saturdays and Sundays are none; public holidays count, which only makes a
// deadline earlier.
func AfterBusinessDays(day time.Time, n int) time.Time {
	for n > 0 {
		day = day.AddDate(0, 0, 1)
		if w := day.Weekday(); w != time.Saturday && w != time.Sunday {
			n--
		}
	}
	return day
}

// Day is the day of a moment in a zone; nil is UTC, in which the register counts its deadlines. Days are written at midnight of UTC.
func Day(at time.Time, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	year, month, day := at.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// State is the state of a complaint.
type State string

// The states.
const (
	Received      State = "received"
	Acknowledged  State = "acknowledged"
	Investigating State = "investigating"
	Answered      State = "answered" // by two people
	Closed        State = "closed"   // the day on which the answer went out is known
)

// States lists the states in their order.
var States = []State{Received, Acknowledged, Investigating, Answered, Closed}

// Channel is how a complaint came in.
type Channel string

// The channels.
const (
	ChannelChat   Channel = "chat"
	ChannelMail   Channel = "mail"
	ChannelPhone  Channel = "phone"
	ChannelLetter Channel = "letter"
)

// Channels lists the channels in the order of the choice.
var Channels = []Channel{ChannelChat, ChannelMail, ChannelPhone, ChannelLetter}

// Category is what a complaint is about.
type Category string

// The categories.
const (
	Execution    Category = "execution"
	Withdrawal   Category = "withdrawal"
	Deposit      Category = "deposit"
	Verification Category = "verification"
	Platform     Category = "platform"
	Conduct      Category = "conduct"
	Other        Category = "other"
)

// Categories lists the categories in the order of the choice.
var Categories = []Category{Execution, Withdrawal, Deposit, Verification, Platform, Conduct, Other}

// Outcome is the final answer in a word.
type Outcome string

// The outcomes.
const (
	Upheld   Outcome = "upheld"
	Partly   Outcome = "partly"
	Rejected Outcome = "rejected"
)

// Outcomes lists the outcomes in the order of the choice.
var Outcomes = []Outcome{Upheld, Partly, Rejected}

// Way is how something is told to a trader.
type Way string

// The ways. Mail is sent by the outbox; for the others staff say on which day they did it.
const (
	WayMail   Way = "mail"
	WayLetter Way = "letter"
	WayPhone  Way = "phone"
)

// Ways lists the ways in the order of the choice.
var Ways = []Way{WayMail, WayLetter, WayPhone}

// Complaint is an entry of the register.
type Complaint struct {
	ID             int64
	TraderID       int64
	ConversationID *int64 // in which it was made
	Channel        Channel
	Category       Category
	Product        string // its short code; empty if it is about none
	Summary        string
	ReceivedOn     time.Time
	Claimed        *int64 // 10^-6 USDT
	State          State
	RegisteredBy   int64
	RegisteredAt   time.Time
	Key            string
	AcknowledgeDue time.Time // the last day
	AnswerDue      time.Time // the last day
	HandlerID      *int64    // who investigates
	AcknowledgedAt *time.Time
	ExtendedAt     *time.Time
	Approval       *int64 // of the final answer
	Outcome        *Outcome
	Redress        *string // what the trader gets
	RootCause      *string
	Answer         *string // as the trader reads it
	AnswerWay      *Way
	AnsweredAt     *time.Time // when the second person agreed
	AnswerSentOn   *time.Time // the day on which it went out
	ClosedAt       *time.Time
	Version        int
}

// TableName is GORM's name of the table.
func (Complaint) TableName() string { return "complaints" }

// Number is the display number of the complaint.
func (c Complaint) Number() string { return fmt.Sprintf("CM-%d", c.ID) }

// Open reports whether the trader still awaits the final answer.
func (c Complaint) Open() bool { return c.State != Answered && c.State != Closed }

// Due is the last day for what comes next: the acknowledgement or the final answer.
func (c Complaint) Due() time.Time {
	if c.State == Received {
		return c.AcknowledgeDue
	}
	return c.AnswerDue
}

// Overdue reports whether the last day of what comes next has passed.
func (c Complaint) Overdue(now time.Time) bool { return c.Open() && c.Due().Before(Day(now, nil)) }

// LetterKind is what a trader is told before the final answer.
type LetterKind string

// The kinds.
const (
	Acknowledgement LetterKind = "acknowledgement"
	Extension       LetterKind = "extension"
)

// Told is what a trader was told, and how. It is never changed.
type Told struct {
	ID          int64
	ComplaintID int64
	Kind        LetterKind
	Way         Way
	SentOn      time.Time
	Text        string
	ByID        int64
	At          time.Time
}

// TableName is GORM's name of the table.
func (Told) TableName() string { return "complaint_letters" }

// Lengths of texts, in characters.
const (
	shortest    = 10
	LongestText = 4000
	maxProduct  = 20
)

// Refusals; only staff read them.
var (
	ErrUnknown   = errs.New(errs.NotFound, "complaint.unknown")
	ErrState     = errs.New(errs.Conflict, "complaint.state")    // no longer in a state that allows the act
	ErrChanged   = errs.New(errs.Conflict, "complaint.changed")  // another version than the one shown
	ErrExtended  = errs.New(errs.Conflict, "complaint.extended") // once only
	ErrAsked     = errs.New(errs.Conflict, "complaint.asked")    // an answer awaits the second person
	ErrNoAddress = errs.Field("way", "complaint.no_address")     // the trader has no e-mail address
	ErrChannel   = errs.Field("channel", "field.choice")
	ErrCategory  = errs.Field("category", "field.choice")
	ErrProduct   = errs.Field("product", "field.choice")
	ErrSummary   = errs.Field("summary", "field.length")
	ErrReceived  = errs.Field("received", "complaint.day") // in the future, or more than a year ago
	ErrClaimed   = errs.Field("claimed", "field.amount")
	ErrWay       = errs.Field("way", "field.choice")
	ErrSent      = errs.Field("sent", "complaint.sent_day") // before it was received, or in the future
	ErrText      = errs.Field("text", "field.length")
	ErrOutcome   = errs.Field("outcome", "field.choice")
	ErrRedress   = errs.Field("redress", "field.length")
	ErrCause     = errs.Field("cause", "field.length")
	ErrKey       = errs.Field("key", "field.required")
)

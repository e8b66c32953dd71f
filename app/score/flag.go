package score

import "time"

// Reason is what a conduct flag is for.
type Reason string

// The reasons.
const (
	Abuse         Reason = "abuse"
	Threats       Reason = "threats"
	Spam          Reason = "spam"
	FalseEvidence Reason = "false_evidence"
)

// Reasons lists the reasons in the order of the choice.
var Reasons = []Reason{Abuse, Threats, Spam, FalseEvidence}

// Outcome is the decision on an appeal.
type Outcome string

// The outcomes.
const (
	Upheld  Outcome = "upheld"
	Removed Outcome = "removed"
)

// Outcomes lists the outcomes in the order of the choice.
var Outcomes = []Outcome{Upheld, Removed}

// Bounds of a note and of an appeal, in characters.
const (
	shortestText = 10
	LongestText  = 1000
)

// Flag is what an agent found wrong in a trader's chat. The trader is told, and may appeal once; a person other than the agent decides.
type Flag struct {
	ID             int64
	TraderID       int64
	ConversationID int64
	Reason         Reason
	Note           string // for staff
	MadeBy         int64
	MadeAt         time.Time
	Day            time.Time
	Appeal         *string
	AppealedAt     *time.Time
	Outcome        *Outcome
	DecidedBy      *int64
	DecidedAt      *time.Time
}

// TableName is GORM's name of the table.
func (Flag) TableName() string { return "conduct_flags" }

// LapsesAt is when the flag no longer counts.
func (f Flag) LapsesAt() time.Time { return f.MadeAt.AddDate(lookBack, 0, 0) }

// Stands reports whether the flag counts at a moment: it was not removed and is less than 12 months old. An appeal alone changes nothing.
func (f Flag) Stands(now time.Time) bool {
	return (f.Outcome == nil || *f.Outcome != Removed) && now.Before(f.LapsesAt())
}

// Appealable reports whether the trader may appeal at a moment.
func (f Flag) Appealable(now time.Time) bool { return f.AppealedAt == nil && f.Stands(now) }

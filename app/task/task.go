// Package task is the work that members of staff hand to a team or to one colleague, about a trader, a conversation or a case; and the mentions of colleagues
// in notes. Only who asked, whom it is for and the auditor read a task.
package task

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/staff"
)

// State is the state of a task.
type State string

// The states.
const (
	Open      State = "open"
	Taken     State = "taken" // somebody works on it
	Done      State = "done"
	Declined  State = "declined"
	Cancelled State = "cancelled" // by who asked
)

// Team is a group of roles that tasks are handed to.
type Team string

// The teams.
const (
	Finance    Team = "finance"
	Compliance Team = "compliance"
	Support    Team = "support"
	Risk       Team = "risk"
)

// Teams lists the teams in the order of the choice.
var Teams = []Team{Finance, Compliance, Support, Risk}

// rolesOf are the roles of each team.
var rolesOf = map[Team][]staff.Role{
	Finance:    {staff.FinanceMaker, staff.FinanceChecker, staff.FinanceLead},
	Compliance: {staff.ComplianceReviewer, staff.ComplianceLead},
	Support:    {staff.SupportAgent, staff.SupportLead},
	Risk:       {staff.Risk},
}

// allRoles are the roles that are in a team.
func allRoles() (roles []staff.Role) {
	for _, team := range Teams {
		roles = append(roles, rolesOf[team]...)
	}
	return roles
}

// TeamsOf lists the teams of a member of staff by their roles at the time of the act.
func TeamsOf(by audit.Actor) (teams []Team) {
	roles := strings.Split(by.Roles, ",")
	for _, team := range Teams {
		if slices.ContainsFunc(rolesOf[team], func(role staff.Role) bool { return slices.Contains(roles, string(role)) }) {
			teams = append(teams, team)
		}
	}
	return teams
}

// Kind is the kind of a subject.
type Kind string

// The kinds of subjects.
const (
	Trader       Kind = "trader"
	Conversation Kind = "conversation"
	Deposit      Kind = "deposit"
	Withdrawal   Kind = "withdrawal"
	Adjustment   Kind = "adjustment"
	Identity     Kind = "identity"
)

// Subject is what a task is about.
type Subject struct {
	SubjectKind Kind
	SubjectID   int64
	TraderID    *int64 // whom it concerns; nil for a conversation with a visitor
}

// Priority orders nothing by itself: the deadline does.
type Priority string

// The priorities.
const (
	Normal Priority = "normal"
	High   Priority = "high"
	Urgent Priority = "urgent"
)

// Priorities lists the priorities in the order of the choice.
var Priorities = []Priority{Normal, High, Urgent}

// Task is one piece of work.
type Task struct {
	ID    int64
	Title string
	Note  string
	Subject
	Team       *Team  // the task is for a team or for one colleague
	AssigneeID *int64 // the colleague
	Priority   Priority
	DueAt      time.Time
	State      State
	AskedBy    int64
	AskedAt    time.Time
	Key        string
	TakenBy    *int64
	TakenAt    *time.Time
	EndedBy    *int64
	EndedAt    *time.Time
	Outcome    string // what was done, or why it was declined
	Version    int
}

// TableName is GORM's name of the table.
func (Task) TableName() string { return "tasks" }

// Number is the display number of the task.
func (t Task) Number() string { return fmt.Sprintf("TK-%d", t.ID) }

// Ended reports whether nobody works on it any more.
func (t Task) Ended() bool { return t.State != Open && t.State != Taken }

// Late reports whether its deadline has passed.
func (t Task) Late(now time.Time) bool { return !t.Ended() && !t.DueAt.After(now) }

// For reports whether the task is for a member: by name, or by one of their teams.
func (t Task) For(by audit.Actor) bool {
	if t.AssigneeID != nil {
		return *t.AssigneeID == by.ID
	}
	return t.Team != nil && slices.Contains(TeamsOf(by), *t.Team)
}

// TakenByMember reports whether a member works on it.
func (t Task) TakenByMember(id int64) bool {
	return t.State == Taken && t.TakenBy != nil && *t.TakenBy == id
}

// Everybody lists the members of staff that the task names.
func (t Task) Everybody() []*int64 {
	return []*int64{&t.AskedBy, t.AssigneeID, t.TakenBy, t.EndedBy}
}

// Comment is what somebody wrote about a task. Comments are only added.
type Comment struct {
	ID       int64
	TaskID   int64
	AuthorID int64
	Text     string
	At       time.Time
}

// TableName is GORM's name of the table.
func (Comment) TableName() string { return "task_comments" }

// Limits of texts, in characters.
const (
	LongestTitle = 120
	LongestText  = 2000
)

// Refusals; only staff read them.
var (
	ErrUnknown  = errs.New(errs.NotFound, "task.unknown")
	ErrState    = errs.New(errs.Conflict, "task.state")    // no longer in a state that allows the act
	ErrChanged  = errs.New(errs.Conflict, "task.changed")  // another version than the one shown
	ErrNotYours = errs.New(errs.Forbidden, "task.not_for") // for another team or colleague, or taken by somebody else
	ErrNotAsked = errs.New(errs.Forbidden, "task.not_asked")
	ErrTitle    = errs.Field("title", "field.length")
	ErrNote     = errs.Field("note", "field.length")
	ErrText     = errs.Field("text", "field.length")
	ErrFor      = errs.Field("for", "field.choice") // neither a team nor an active colleague who is in one
	ErrPriority = errs.Field("priority", "field.choice")
	ErrDue      = errs.Field("due", "task.due") // not in the future, or more than a year ahead
	ErrAbout    = errs.Field("about", "task.about")
	ErrKey      = errs.Field("key", "field.required")
)

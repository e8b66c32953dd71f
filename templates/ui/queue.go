package ui

import (
	"context"
	"strconv"
	"time"
)

// DueState is the state of a wait against its target.
type DueState string

// Grey, from 80 % of the target, missed.
const (
	DueFine DueState = ""
	DueWarn DueState = "warn"
	DueLate DueState = "late"
)

// DueView is a clock. With Since it runs by itself in the browser and turns amber at WarnAt and red at LateAt.
type DueView struct {
	Text    string // the initial text; Age formats it
	State   DueState
	Since   time.Time
	Until   time.Time // instead of Since: the clock counts down to it, and then shows the excess
	WarnAt  time.Time
	LateAt  time.Time
	Note    string // text after the clock, for example "target 2 h"
	Plain   bool   // no background in amber and red
	NoIcon  bool
	EndSide bool
}

// Age formats a wait: "12 min", "3 h 4 min", "18 days". A wait counts in days from two days on.
func Age(ctx context.Context, wait time.Duration) string {
	minutes := int(wait.Minutes())
	switch {
	case minutes < 1:
		return t(ctx, "ui.age.now")
	case minutes < 60:
		return t(ctx, "ui.age.minutes", "m", minutes)
	case minutes < 48*60:
		return t(ctx, "ui.age.hours", "h", minutes/60, "mm", minutes%60)
	default:
		return t(ctx, "ui.age.days", "d", minutes/(24*60))
	}
}

// Waiting is the clock of a wait since a time, with a target; now is the server's time.
func Waiting(ctx context.Context, since, now time.Time, target time.Duration) DueView {
	view := DueView{Since: since, Text: Age(ctx, now.Sub(since))}
	if target <= 0 {
		return view
	}
	view.WarnAt, view.LateAt = since.Add(target*8/10), since.Add(target)
	switch {
	case !now.Before(view.LateAt):
		view.State = DueLate
	case !now.Before(view.WarnAt):
		view.State = DueWarn
	}
	return view
}

// Remaining is the clock until a due time; target is the whole period; now is the server's time.
func Remaining(ctx context.Context, due, now time.Time, target time.Duration) DueView {
	view := DueView{Until: due, WarnAt: due.Add(-target * 2 / 10), LateAt: due}
	left, words := due.Sub(now), "ui.due.left"
	switch {
	case left <= 0:
		left, words, view.State = -left, "ui.due.over", DueLate
	case !now.Before(view.WarnAt):
		view.State = DueWarn
	}
	view.Text = t(ctx, words, "time", countdown(left))
	return view
}

// countdown is "4:05" in minutes and seconds, and "3:04 h" from an hour on.
func countdown(left time.Duration) string {
	seconds := int(left.Seconds())
	if seconds < 3600 {
		return strconv.Itoa(seconds/60) + ":" + pad(seconds%60)
	}
	return strconv.Itoa(seconds/3600) + ":" + pad(seconds/60%60) + " h"
}

func pad(n int) string {
	return string([]byte{byte('0' + n/10%10), byte('0' + n%10)})
}

func stamp(moment time.Time) string {
	if moment.IsZero() {
		return ""
	}
	return moment.UTC().Format(time.RFC3339)
}

// PersonState is the state of a circle in a decision by two people.
type PersonState string

// Approved, open, open to you, open but not to you.
const (
	PersonApproved PersonState = "ok"
	PersonOpen     PersonState = "open"
	PersonYou      PersonState = "open you"
	PersonLocked   PersonState = "open locked"
)

// Person is one circle. Words is read aloud and shown on hover, for example "Finance maker 02 approved" or "Not you: you wrote it".
type Person struct {
	State    PersonState
	Initials string
	Words    string
}

// Piece is a part of a text; Marked is a match of the search.
type Piece struct {
	Text   string
	Marked bool
}

// QueueRowView is one row of a work queue: trader and clock; subject; state and owner.
type QueueRowView struct {
	ID        string // of the element, for its answer
	Title     string // the reference number
	Href      string
	HX        HX
	Sub       string // after the title: trader, language
	Flags     []ChipView
	Due       *DueView
	Text      string  // second line: the last message or the amount
	Found     []Piece // the second line in a search, instead of Text
	Strong    bool    // the second line is the amount
	Unread    string  // number of unread messages
	State     *ChipView
	Note      string // third line
	NoteTone  Tone
	About     string       // after the note: the case that it belongs to
	AboutHref string       // empty where the member may not open that case
	Lookers   []AvatarView // members who have it open now
	Looking   string       // their activity, in words
	Owner     *AvatarView
	People    []Person
	Claim     *ButtonView
	Selected  bool
	Stale     bool
	Aside     bool // inserted out of band, beside another answer
}

// StepState is the progress of a line of a timeline.
type StepState string

// Filled is done, ringed is now, hollow is not yet. StepPast is grey: a past step without a colour.
const (
	StepPast StepState = ""
	StepDone StepState = "done"
	StepNow  StepState = "now"
	StepTodo StepState = "todo"
	StepWarn StepState = "warn"
	StepBad  StepState = "bad"
)

// StepView is one line of a Timeline.
type StepView struct {
	State StepState
	Icon  IconName
	Text  string
	Note  string // grey, under the text
	Time  string // local, at the end
	UTC   string // on hover
	Href  string
}

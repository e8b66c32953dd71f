// Package chatview shows the chat with traders: the inbox, one thread with its composer, and what is known around it.
package chatview

import (
	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is the desk: the inbox, and a thread where one is open.
type Page struct {
	Inbox  Inbox
	Thread *Thread
	Around []Card
}

func (p Page) show() layout.Show {
	if p.Thread != nil {
		return layout.ShowDetail
	}
	return layout.ShowList
}

// Inbox is the list of conversations.
type Inbox struct {
	Tabs    []ui.TabView
	Filters []ui.FilterView
	Words   string // what is looked for
	Rows    []ui.QueueRowView
	Empty   string
	Again   ui.Path // where the same rows are asked for again
	Mode    ui.ButtonView
	Links   []ui.ButtonView
	Load    string // how many conversations the member has
}

// Thread is one conversation.
type Thread struct {
	ID      int64
	Number  string
	Title   string
	Chips   []ui.ChipView
	Viewers []ui.AvatarView
	Bar     Bar
	Buttons []ui.ButtonView
	List    []Message
	Last    int64          // the newest message that is shown
	More    bool           // newer ones wait
	Locked  string         // why the member can't answer; empty where they can
	Open    *ui.ButtonView // what the member does to be able to: claim, take over, reopen
	Lang    string         // the customer's
	LangOf  string         // in words
	Version string
	Masked  bool // the customer has pasted what looked like a secret
	Note    bool // the member may write notes
}

// Bar is the line under a thread's head.
type Bar struct {
	Due    *ui.DueView
	State  string
	Typing string // who types
	Theirs string // what time it is for the customer
	Number string
}

// Message is an entry of the thread.
type Message struct {
	ID       int64
	ClientID string
	Out      bool
	Note     bool
	Event    string // instead of everything else: what happened
	Body     string
	Lang     string
	Image    ui.Path
	Alt      string
	Card     *Linked
	Masked   bool
	Meta     string // who and when
	UTC      string
	Tick     Tick // of what goes out
	TickWord string
}

// Tick is how far a message has come.
type Tick string

// The ticks of a message to the customer.
const (
	NoTick    Tick = ""
	Sent      Tick = "sent"
	Delivered Tick = "delivered"
	Read      Tick = "read"
)

func (t Tick) icon() ui.IconName {
	if t == Sent {
		return ui.IconCheck
	}
	return ui.IconDoubleCheck
}

// Linked is an order, a deposit or a withdrawal that the customer shows.
type Linked struct{ Kind, Number, Href string }

// Mark is how far one's own messages have come, out of band.
type Mark struct{ Got, Read string }

// Card is a part of what is known around a thread.
type Card struct {
	Title string
	Note  string
	Facts []ui.Fact
	Steps []ui.StepView
	Empty string
	Foot  string
}

// Calls is what a member is told of their conversations on any page.
type Calls struct {
	Waiting int // customers who wait for them
	List    []Call
}

// Call is the newest word of a conversation.
type Call struct {
	ID, Last string
	Line     *ui.FlashView // nil where they have read it
}

// Suggestion is a prepared answer in the palette.
type Suggestion struct {
	ID       string
	Name     string
	Category string
	Text     string // with what could be filled in
	Missing  string // what it can't say, in words
	First    bool
}

// Replies is the page of prepared answers.
type Replies struct {
	Words string
	Rows  []Reply
	Add   *ui.ButtonView
}

// Reply is a prepared answer in the list.
type Reply struct {
	ID, Name, Language, Category, Body, Changed string
	Edit, Remove                                *ui.ButtonView
}

// Hours is the page of the hours in which agents work.
type Hours struct {
	Which ui.FieldView // whose week it is
	Form  ui.FormView
	Zone  ui.FieldView
	Days  []Day
	Now   string
	Save  ui.ButtonView
	Edit  bool
}

// Day is a day of the week.
type Day struct {
	Name          string
	Works         ui.CheckView
	Opens, Closes ui.FieldView
}

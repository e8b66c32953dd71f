// Package chatview renders the chat with traders: the inbox, one thread with its composer, and the cards around it.
package chatview

import (
	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is the desk: the inbox, with the open thread if there is one.
type Page struct {
	Inbox   Inbox
	Thread  *Thread
	Context []Card
}

func (p Page) show() layout.Show {
	if p.Thread != nil {
		return layout.ShowDetail
	}
	return layout.ShowList
}

// Inbox is the list of conversations.
type Inbox struct {
	Tabs     []ui.TabView
	Filters  []ui.FilterView
	Words    string // the search words
	Rows     []ui.QueueRowView
	Empty    string
	Refresh  ui.Path        // reloads the same rows
	New      *ui.ButtonView // begins a conversation
	Settings ui.ButtonView
	Duty     *Duty // nil for members who can't answer
}

// Duty is the member's own line of the desk.
type Duty struct {
	Taking    ui.CheckView
	Means     string // what the switch means as it stands
	Warns     bool   // it means that nothing comes
	Load      string // the conversations that count against the capacity
	Counted   string // which do
	Languages ui.ButtonView
	Alerts    ui.ButtonView
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
	Reach   []ui.ButtonView // the ways to the customer besides the chat
	List    []Message
	Last    int64          // the newest shown message
	More    bool           // there are newer messages
	Locked  string         // why the member can't answer; empty where they can
	Open    *ui.ButtonView // the act that lets the member answer: claim, take over, reopen
	Lang    string         // the customer's
	LangOf  string         // its name
	Version string         // of the conversation
	Masked  bool           // the customer's message contained a suspected secret
	Note    bool           // the member may write notes
}

// Bar is the line under a thread's head.
type Bar struct {
	Due    *ui.DueView
	State  string
	Typing string // who is typing
	Theirs string // the customer's local time
	Number string
}

// Message is an entry of the thread.
type Message struct {
	ID       int64
	ClientID string
	Out      bool
	Note     bool        // for staff only
	Icon     ui.IconName // of a mail or a call, instead of the lock
	Title    string      // of a mail or a call
	State    string      // of the delivery of a mail
	Tone     ui.Tone
	Event    string // the description of an event, instead of a message
	Body     string
	Lang     string
	Image    ui.Path
	Alt      string
	Pages    string // says that the picture shows a PDF; empty for others
	Card     *Linked
	Masked   bool
	Meta     string // sender and time
	UTC      string
	Tick     Tick // on messages to the customer
	TickWord string
}

// Tick is the delivery state of a message.
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

// Linked is an order, a deposit or a withdrawal that the customer attached.
type Linked struct{ Kind, Number, Href string }

// ReadReceipt is the read receipt of the member's own messages, updated out of band.
type ReadReceipt struct{ Got, Read string }

// Card is a card with information around a thread.
type Card struct {
	Title string
	Note  string
	Facts []ui.Fact
	Steps []ui.StepView
	Empty string
	Foot  string
	Act   *ui.ButtonView
	Load  ui.Path // of a part that asks for itself, instead of all else
	ID    string  // of that part
}

// Calls are the notifications of a member's conversations, shown on every page.
type Calls struct {
	Waiting int // customers who await the member
	List    []Call
}

// Call is the newest message of a conversation.
type Call struct {
	ID, Last string
	Line     *ui.FlashView // nil when the member has read it
}

// Suggestion is a prepared answer in the palette.
type Suggestion struct {
	ID       string
	Name     string
	Category string
	Text     string // with the known variables filled in
	Missing  string // the variables without a value, in words
	First    bool
}

// Replies is the page of prepared answers.
type Replies struct {
	Tabs  []ui.TabView // of the settings
	Words string
	Rows  []Reply
	Add   *ui.ButtonView
}

// Reply is a prepared answer in the list.
type Reply struct {
	ID, Name, Language, Category, Body, Changed string
	Edit, Remove                                *ui.ButtonView
}

// Hours is the page of the support hours of a queue.
type Hours struct {
	Tabs       []ui.TabView // of the settings
	Which      ui.FieldView // the queue
	Now        string
	Form       ui.FormView
	Zone       ui.FieldView
	Days       []Day
	Holidays   []Holiday
	AddHoliday ui.ButtonView
	Copy       ui.ButtonView
	Start      ui.ButtonView // without days
	Clear      ui.ButtonView
	Save       ui.ButtonView
	Edit       bool
	Unsaved    bool // the stored hours are to be removed

	Problem string // with all of it
}

// Day is a weekday, or the hours of a holiday.
type Day struct {
	Name    string
	Text    string // the hours in words, for members who can't change them
	Spans   []Span
	Add     ui.ButtonView
	Problem string
}

// Span is the two fields of a span.
type Span struct {
	Opens, Closes ui.FieldView
	Remove        ui.ButtonView
}

// Holiday is a date with hours of its own.
type Holiday struct {
	Date, Name ui.FieldView
	Remove     ui.ButtonView
	Day        Day
}

// facts are the hours in words.
func (h Hours) facts() ui.FactsView {
	v := ui.FactsView{Items: []ui.Fact{{Label: h.Zone.Label, Value: h.Zone.Value}}}
	for _, day := range h.Days {
		v.Items = append(v.Items, ui.Fact{Label: day.Name, Value: day.Text})
	}
	for _, one := range h.Holidays {
		v.Items = append(v.Items, ui.Fact{Label: one.Date.Value + " " + one.Name.Value, Value: one.Day.Text})
	}
	return v
}

// Times is the page of the service times of a queue.
type Times struct {
	Tabs    []ui.TabView // of the settings
	Which   ui.FieldView // the queue
	Form    ui.FormView
	Targets []string
	Rows    []TimesRow
	Start   ui.ButtonView // without rows
	Clear   ui.ButtonView
	Save    ui.ButtonView
	Edit    bool
	General bool // the queue has none of its own
	Unsaved bool // the stored ones are to be removed
}

// columns are those of the table.
func (v Times) columns(priority string) []ui.Column {
	columns := []ui.Column{{Label: priority}}
	for _, target := range v.Targets {
		columns = append(columns, ui.Column{Label: target})
	}
	return columns
}

// TimesRow is a priority, with a field for each target.
type TimesRow struct {
	Name    string
	Fields  []ui.FieldView
	Problem string
}

// Macros is the page of macros.
type Macros struct {
	Tabs []ui.TabView // of the settings
	Rows []Macro
	Add  *ui.ButtonView
}

// Macro is a macro in the list.
type Macro struct {
	ID, Name, Key, Changed string
	Steps                  []string
	Edit, Remove           *ui.ButtonView
}

// MacroForm is the fields of a macro, in the order of its steps.
type MacroForm struct {
	Fields []ui.FieldView
	Labels []ui.CheckView
	Ending ui.FieldView
}

// MacroChoice is a macro that may be run.
type MacroChoice struct {
	Value  string
	Name   string
	Digit  string // that runs it; empty without one
	Steps  []string
	Text   string // that is sent
	Lang   string
	Cannot string // why it can't run
}

// Flags is the page of appeals against conduct flags: those that wait, then the last decisions.
type Flags struct {
	Tabs []ui.TabView // of the settings
	Rows []Flag
}

// Flag is one appeal.
type Flag struct {
	ID, Trader, TraderHref, Reason, Agent, Made, Appealed string
	State                                                 ui.ChipView
	Decide                                                *ui.ButtonView // nil where it is decided, or the member's own flag
	Why                                                   string         // instead of the button
}

// Appeal is what the decision on an appeal is made by.
type Appeal struct {
	Facts        []ui.Fact
	Note, Appeal string // what the agent and the trader wrote
	Choice       ui.FieldView
}

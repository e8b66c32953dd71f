// Package controlview renders the pages that run the house: start page, staff and roles, audit log, outbox, products and prices.
package controlview

import (
	"context"

	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// HomeAlert is a warning above the work, with the button to what is to be done.
type HomeAlert struct {
	ui.AlertView
	Button ui.ButtonView
}

// Home is the start page of one member of staff; it shows only what the member may open.
type Home struct {
	Date     string
	Alerts   []HomeAlert
	Figures  []ui.StatView // the state of the member's work
	Queues   []Queue
	Today    []TodayLine // the sums of today's money; empty for roles that may not see them
	Zone     string
	Shift    []ShiftLine
	Coming   []ComingLine
	Work     []Work
	Books    []ui.Fact // the result of the last check; empty for roles that may not see it
	Requests []Request
	Feeds    *Feeds
	Recent   []ui.StepView
	Log      bool // the member may open the log
	HasRoles bool
}

func (h Home) empty() bool {
	return len(h.Alerts) == 0 && len(h.Figures) == 0 && len(h.Queues) == 0 && len(h.Today) == 0 && len(h.Coming) == 0 && len(h.Work) == 0 && len(h.Books) == 0 && len(h.Requests) == 0 && h.Feeds == nil && !h.Log
}

// Queue is a row of the table of queues.
type Queue struct {
	Icon   ui.IconName
	Label  string
	Href   ui.Path
	Count  string
	Oldest *ui.DueView
	Target string
	OnTime string // share of today's decisions within the target; empty when none was made
	Median string // from waiting to decision, of today's
}

// TodayLine is today's money through one channel.
type TodayLine struct {
	Icon    ui.IconName
	Channel string
	Count   string
	Sum     string
	Total   bool // the net of a currency
}

// ShiftLine is a colleague who works now.
type ShiftLine struct {
	Person ui.AvatarView
	Name   string
	Duty   string
	Since  string
}

// ComingLine is what is scheduled next.
type ComingLine struct {
	At    string
	Title string
	Href  ui.Path
}

// Work is the first cases of a kind that await the member.
type Work struct {
	Title string
	Note  string
	All   ui.Path // the full list; empty has none
	Money bool    // the cases have amounts
	Lines []WorkLine
}

// WorkLine is one case of Work.
type WorkLine struct {
	Due    ui.DueView
	Number string
	Href   ui.Path
	Trader string // empty for a person who is not a trader
	Amount string
	Note   string // the first approver, the current owner, or a known fact
}

func (w Work) columns(ctx context.Context) []ui.Column {
	columns := []ui.Column{{Label: t(ctx, "home.waiting")}, {Label: t(ctx, "home.work.request")}, {Label: t(ctx, "home.work.trader")}}
	if w.Money {
		columns = append(columns, ui.Column{Label: t(ctx, "home.work.amount"), Numeric: true})
	}
	return append(columns, ui.Column{Label: t(ctx, "home.work.known"), Wide: true})
}

// Request is a request that awaits a second person: a role, a change of a product or switch, or content.
type Request struct {
	People  []ui.Person
	Title   string
	Note    string
	Due     *ui.DueView
	Href    ui.Path
	Locked  string // why the member may not decide; empty when they may
	Buttons []ui.ButtonView
}

// Feeds is the freshness of the prices, by class of product.
type Feeds struct {
	Chip  ui.ChipView
	Lines []FeedLine
	Note  string
}

// FeedLine is the freshness of one class.
type FeedLine struct {
	State ui.DotState
	Name  string
	Note  string
	Value string
}

// Person is one member of staff.
type Person struct {
	Name     string
	Chips    []ui.ChipView
	Facts    []ui.Fact
	Roles    []RoleLine
	Requests []Request
	Sessions []SessionLine
	History  []ui.StepView
	Log      ui.Path // all entries about the person; empty where the member may not see the log
	Note     string  // why the buttons are locked, or other advice
	Buttons  []ui.ButtonView
}

// RoleLine is a person's role.
type RoleLine struct {
	Name      string
	Powers    string
	Sensitive bool
	Revoke    ui.ButtonView
}

// SessionLine is a browser in which a person is signed in.
type SessionLine struct {
	Browser string
	IP      string
	Since   string
	Seen    string
	End     ui.ButtonView
}

// Done is the answer to an act on a person: the detail, and out of band the count and the flash.
type Done struct {
	Detail Person
	Count  layout.NavItem
	Flash  string
}

// Confirm is a confirmation dialog: the act, the person or thing, and the consequences.
type Confirm struct {
	Dialog ui.DialogView
	Facts  []ui.Fact
	Diff   *ui.DiffView
	Alert  *ui.AlertView
	Fields []ui.FieldView
	Select *ui.FieldView
	Text   *ui.FieldView
}

func (c Confirm) frame() ui.DialogView {
	dialog := c.Dialog
	if len(c.Facts) > 0 {
		dialog.Facts = ui.Facts(ui.FactsView{Wide: true, Items: c.Facts})
	}
	return dialog
}

func (c Confirm) hasForm() bool {
	return c.Alert != nil || len(c.Fields) > 0 || c.Select != nil || c.Text != nil
}

// Entry is one entry in full.
type Entry struct {
	Title       string
	When        string
	Actor       string
	Description string
	Facts       []ui.Fact
	Changes     []ui.FieldDiff
	Chain       []ui.Fact
	Sealed      ui.ChipView
	Same        []ui.StepView // entries about the same target
	SameHref    ui.Path
}

// MessageBody is a message shown for half a minute.
type MessageBody struct {
	Title   string
	Facts   []ui.Fact
	Body    string
	Seconds int
}

// Product is one product: its terms in force, open changes, the next version, and earlier ones.
type Product struct {
	Symbol   string
	Name     string
	Chips    []ui.ChipView
	Buttons  []ui.ButtonView
	Note     string // the version in force
	Open     []OpenChange
	Next     *NextVersion
	Cards    []FactCard
	Versions []VersionLine
	Changes  []ChangeLine
	Zone     string
}

// OpenChange is a change that awaits its second person.
type OpenChange struct {
	Request Request
	Facts   []ui.Fact
	Diff    ui.DiffView
}

// NextVersion is approved terms that are not in force yet.
type NextVersion struct {
	Title string
	Note  string
	Diff  ui.DiffView
}

// FactCard is facts under a heading.
type FactCard struct {
	Title string
	Note  string
	Facts []ui.Fact
}

// VersionLine is one version of the terms.
type VersionLine struct {
	Number  string
	From    string
	Now     bool // in force
	People  string
	Changes []ui.FieldDiff
}

// ChangeLine is one change in the list of all.
type ChangeLine struct {
	When    string
	UTC     string
	What    string
	From    string
	State   ui.ChipView
	Asker   string
	Decider string
	Decided string
	Reason  string
}

// TermsForm is the dialog for entering new terms.
type TermsForm struct {
	Dialog ui.DialogView
	Groups []FieldGroup
	Moment ui.FieldView
	Reason ui.FieldView
}

// FieldGroup is fields under a heading.
type FieldGroup struct {
	Title  string
	Fields []ui.FieldView
	Lists  []FieldRows
}

// FieldRows is a list that is typed in rows.
type FieldRows struct {
	Label string
	Hint  string // the list that is in force
	Note  string
	Error string
	Heads []string // above the fields of the rows, and above what follows from their leverage
	Rows  []FieldRow
	Add   ui.ButtonView
}

// FieldRow is one row with the button that removes it. Its last field is a leverage.
type FieldRow struct {
	Fields []ui.FieldView
	Margin string // what the leverage needs, in percent
	Remove ui.ButtonView
}

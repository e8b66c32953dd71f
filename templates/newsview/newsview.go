// Package newsview shows what traders read as staff write it: the list, the texts of each language beside how they look, and what became of them.
package newsview

import (
	"context"

	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// List is everything of a kind, in a state.
type List struct {
	Tabs   []ui.TabView
	States []ui.TabView
	New    *ui.ButtonView // nil for who may not write
	Rows   []Row
	// Ordered tells that people put these items in order.
	Ordered bool
}

// Row is one item.
type Row struct {
	ID, Href, Title, Number, Kind, Category string
	State                                   ui.ChipView
	Live                                    *ui.ChipView // another revision than the newest
	Window, Coverage, Reach, Changed, By    string
	NoDefault                               bool
	Sort                                    string
	Place                                   *Place // nil where nobody puts it in order, or not this member
}

func (l List) columns(ctx context.Context) []ui.Column {
	columns := []ui.Column{
		{Label: t(ctx, "content.title"), Wide: true}, {Label: t(ctx, "content.kind")}, {Label: t(ctx, "content.state")}, {Label: t(ctx, "content.shown")},
		{Label: t(ctx, "content.languages")}, {Label: t(ctx, "content.reach.column")}, {Label: t(ctx, "content.changed")},
	}
	if l.Ordered {
		columns = append(columns, ui.Column{Label: t(ctx, "content.place")})
	}
	return columns
}

func (r Row) row() ui.RowView { return ui.RowView{ID: r.ID, Href: r.Href} }

// Place is where an item's place is changed. Up and Down are the places of its neighbours; empty for none.
type Place struct {
	Path              ui.Path
	Version, Up, Down string
}

func (p Place) form(sort string) ui.FormView {
	hidden := []ui.Hidden{{Name: "version", Value: p.Version}}
	if sort != "" {
		hidden = append(hidden, ui.Hidden{Name: "sort", Value: sort})
	}
	return ui.FormView{Post: p.Path, Target: ui.At("contents"), Swap: ui.SwapWhole, Hidden: hidden, Class: "place"}
}

// Item is one item in full.
type Item struct {
	Title, Number, Revision, Saved string
	Chips                          []ui.ChipView
	Buttons                        []ui.ButtonView
	Alerts                         []ui.AlertView
	Form                           ui.FormView
	Save                           *ui.ButtonView // nil for who may not write
	Head, Summary, Body, Alt       ui.FieldView
	Category, Placement, Severity  ui.FieldView
	Audience, Countries, Languages ui.FieldView
	Starts, Ends, Link, Source     ui.FieldView
	Platforms, Frequency           ui.FieldView
	Sticky, MustAck                ui.CheckView
	HasBody, HasPicture, HasSource bool
	IsPopup, HasSticky             bool
	Language, Tag, Direction       string
	Picture                        Picture
	Locales                        []Locale
	Covered                        string
	Preview                        Preview
	Steps                          []ui.StepView
	Who                            string
	People                         []ui.Person
	Figures                        []ui.StatView
	Revisions                      []Revision
	Zone                           string
}

// Picture is the picture of an item, and where another one is handed in.
type Picture struct {
	Image   ui.Path
	Alt     string
	Note    string
	Form    ui.FormView
	Field   ui.FieldView
	Removal *ui.FormView
	May     bool
}

// Mark is whether a part of a text is there.
type Mark string

// The marks.
const (
	There    Mark = "y"
	Outdated Mark = "o"
	Missing  Mark = "n"
)

func (m Mark) words(ctx context.Context) string {
	switch m {
	case There:
		return t(ctx, "content.mark.y")
	case Outdated:
		return t(ctx, "content.mark.o")
	}
	return t(ctx, "content.mark.n")
}

// Locale is a line of the matrix of languages.
type Locale struct {
	Code, Tag, Name, Note string
	Href                  ui.Path
	Current               bool
	Title, Text, Alt      Mark
	HasAlt                bool
}

// Preview is how a text looks, in two widths.
type Preview struct {
	Path       ui.Path // answers the text that the form holds
	Tag        string
	Direction  string
	Theme      string
	Themes     []ui.ButtonView
	Directions string
}

// Revision is a line of the list of revisions.
type Revision struct {
	Number, When, People, Reason string
	Chip                         ui.ChipView
	Compare                      ui.ButtonView
	Restore                      *ui.FormView // nil where nobody may go back to it
}

// Look is a text as its readers see it.
type Look struct {
	Kind, Placement, Severity string
	Title, Summary, Meta, Alt string
	Image                     ui.Path
	Close, Confirm, More      string
}

// Compare is a comparison of two revisions.
type Compare struct {
	Title, Note string
	Back        ui.Path
	Parts       []Part
}

// Part is what differs in the settings, or in a language.
type Part struct {
	Title, Tag string
	Diff       ui.DiffView
}

// Outcome is the dialog of an act on an item.
type Outcome struct {
	Dialog ui.DialogView
	Parts  []Part        // what differs from what is live
	Reason *ui.FieldView // nil where none is asked
	Again  *ui.CheckView // nil where nobody needs to be told again
}

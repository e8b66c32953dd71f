// Package newsview renders the publishing pages: the list, the texts of each language beside their preview, and the reach.
package newsview

import (
	"context"

	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Order is the items of a kind in the readers' order.
type Order struct {
	Tabs []ui.TabView
	Rows []OrderRow
}

// OrderRow is one item with the form that moves it. Up and Down are the places of its neighbours; empty for none.
type OrderRow struct {
	ID, Href, Title, Number, Audience, Sort string
	State                                   ui.ChipView
	Path                                    ui.Path
	Version, Up, Down                       string
}

func (Order) columns(ctx context.Context) []ui.Column {
	return []ui.Column{{Label: t(ctx, "content.title"), Wide: true}, {Label: t(ctx, "content.state")}, {Label: t(ctx, "content.audience")}, {Label: t(ctx, "content.place")}}
}

func (r OrderRow) row() ui.RowView { return ui.RowView{ID: r.ID, Href: r.Href} }

func (r OrderRow) form(sort string) ui.FormView {
	hidden := []ui.Hidden{{Name: "version", Value: r.Version}}
	if sort != "" {
		hidden = append(hidden, ui.Hidden{Name: "sort", Value: sort})
	}
	return ui.FormView{Post: r.Path, Target: ui.At("contents"), Swap: ui.SwapWhole, Hidden: hidden, Class: "place"}
}

// Item is one item in full.
type Item struct {
	Title, Number, Revision, Saved string
	Chips                          []ui.ChipView
	Buttons                        []ui.ButtonView
	Alerts                         []ui.AlertView
	Form                           ui.FormView
	Save                           *ui.ButtonView // nil for roles that may not write
	Head, Summary, Body, Alt       ui.FieldView
	Category, Placement, Severity  ui.FieldView
	Audience                       ui.FieldView
	Countries, Languages           ui.PickerView
	Starts, Ends, Link, From       ui.FieldView // From is the source of news
	Platforms, Frequency           ui.FieldView
	Sticky, MustAck                ui.CheckView
	HasBody, HasPicture, HasSource bool
	IsPopup, HasSticky             bool
	Language, Tag, Direction       string
	Translating                    bool    // another language than the default: the settings are folded
	Source                         *Source // nil where nothing is translated
	Leaving                        string  // what saving does when the language is switched, to be confirmed; empty for a draft
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

// settingsWrong reports whether a setting has an error, which a fold must not hide.
func (i Item) settingsWrong() bool {
	for _, f := range []ui.FieldView{i.Category, i.Placement, i.Severity, i.Audience, i.Countries.FieldView, i.Languages.FieldView, i.Starts, i.Ends, i.Link, i.From, i.Platforms, i.Frequency} {
		if f.Error != "" {
			return true
		}
	}
	return false
}

// Source is the text that is translated from, beside the form.
type Source struct {
	Path           ui.Path // answers with another choice
	Choices        []ui.Option
	Tag, Direction string
	Parts          []ui.Fact
}

func (s Source) choose() ui.HX {
	return ui.HX{Get: s.Path, Target: ui.At("source"), Swap: ui.SwapWhole, Trigger: ui.OnChange}
}

// Picture is the picture of an item, with its upload form.
type Picture struct {
	Image   ui.Path
	Alt     string
	Note    string
	Form    ui.FormView
	Field   ui.FieldView
	Removal *ui.FormView
	May     bool
}

// Mark is the state of one part of a text.
type Mark string

// The marks.
const (
	Present  Mark = "y"
	Outdated Mark = "o"
	Missing  Mark = "n"
)

func (m Mark) words(ctx context.Context) string {
	switch m {
	case Present:
		return t(ctx, "content.mark.y")
	case Outdated:
		return t(ctx, "content.mark.o")
	}
	return t(ctx, "content.mark.n")
}

// Locale is a row of the matrix of languages.
type Locale struct {
	Code, Tag, Name, Note string
	Meanwhile             string // what its readers see until it is written; empty when it is
	Next                  string // the language that a switch goes to
	Href                  ui.Path
	Current               bool
	Title, Text, Alt      Mark
	HasAlt                bool
}

// Preview is an item in the trader app, in two widths.
type Preview struct {
	Path       ui.Path // answers with the form as its readers would get it
	Frame      ui.Path // the trader app
	Theme      string
	Themes     []ui.ButtonView
	Directions string
	Places     []ui.ButtonView // where it is shown; none where there is only one place
}

// Revision is a row of the list of revisions.
type Revision struct {
	Number, When, People, Reason string
	Chip                         ui.ChipView
	Compare                      ui.ButtonView
	Restore                      *ui.FormView // nil where it can't be restored
}

// Compare is a comparison of two revisions.
type Compare struct {
	Title, Note string
	Back        ui.Path
	Parts       []Part
}

// Part is the differences in the settings, or in one language.
type Part struct {
	Title, Tag string
	Diff       ui.DiffView
}

// Decision is the dialog of an act on an item.
type Decision struct {
	Dialog ui.DialogView
	Parts  []Part        // the differences from the live revision
	Reason *ui.FieldView // nil where no reason is needed
	Again  *ui.CheckView // nil where readers need no second notification
}

// Export is the dialog of a file for translators.
type Export struct {
	Path             ui.Path
	Title, Note      string
	Items, Languages []ui.CheckView
	Source, Format   ui.FieldView
	Missing          ui.CheckView
}

// Import is what a translated file would change.
type Import struct {
	Refused   string // why the whole file is; empty otherwise
	Parts     []Imported
	Same      int
	SameWords string
	Nothing   bool           // the file has no translated text
	Shown     string         // identifies what was shown
	Act       *ui.ButtonView // stores it; nil when nothing can be stored
}

// Imported is one text of a file: its differences, or why it is refused.
type Imported struct {
	Title, Tag, Why, Note string
	Diff                  ui.DiffView
}

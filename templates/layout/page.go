// Package layout renders the frame of every back-office page: navigation, panes, head and foot.
package layout

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"candor/app/platform/i18n"
	"candor/templates/assets"
	"candor/templates/ui"
)

var t = i18n.T

// ThemeCookie stores the chosen theme: "light" or "dark".
const ThemeCookie = "desk_theme"

// Page is the frame around a page of a signed-in member of staff. The caller lists only what the member may open: the frame hides nothing by itself.
type Page struct {
	Title  string
	Theme  string // the value of ThemeCookie; anything but "dark" is light
	Nav    []NavGroup
	Search ui.Path // the path of the search box; empty shows none
	Words  string  // in the search box
	Health []HealthLine
	Me     Me
	Live   Live
}

// Live connects a page to the event stream, and reports the presence of a member who answers chats.
type Live struct {
	Events   ui.Path // the event stream; empty has none
	Refresh  ui.Path // the path of the current counts and health
	Presence ui.Path // the path that presence is posted to
	Mine     ui.Path // the path of the agent's waiting conversations
}

// NavGroup is a group of the navigation. The first one has no title.
type NavGroup struct {
	Title string
	Items []NavItem
}

// NavItem is a place to go.
type NavItem struct {
	ID      string // names the element of the count, for example deposits
	Label   string
	Icon    ui.IconName
	Href    ui.Path
	Count   int
	Hot     bool // the count is red: a target is missed
	Sub     bool // indented below the item before it
	Current bool
}

// HealthLine is one line of the system's health: price feeds, ledger, audit chain.
type HealthLine struct {
	State ui.DotState
	Label string
	Value string
}

// Me is the signed-in member of staff.
type Me struct {
	Initials string
	Name     string
	Line     string  // under the name: the role or the shift
	Profile  ui.Path // the member's own account; empty has none
	SignOut  ui.Path // the path that the sign-out is posted to
	// Language is the path that another language is posted to, and Languages are the others.
	Language  ui.Path
	Languages []Language
}

// Language is a language of the back office: its code in the catalogue, its tag in HTML, and its own name.
type Language struct{ Code, Tag, Name string }

// BarePage is a page without navigation: sign-in, or an error.
type BarePage struct {
	Title string
	Theme string
	Wide  bool
}

// Show is the pane that a narrow screen shows: list or detail.
type Show string

// The panes.
const (
	ShowList   Show = "list"
	ShowDetail Show = "detail"
)

// PanesView is the page of a queue: the list, the open item, and its context.
type PanesView struct {
	List    templ.Component // PaneParts with the list
	Detail  templ.Component // PaneParts, or an Empty that asks to choose a row
	Context templ.Component // may be nil
	Show    Show
	Narrow  bool // the list is 348 px wide, since the detail needs the room
	Wide    bool // the list takes the room, and the detail is 400 px wide
}

// PaneView is a column with a head of 48 px, a scrolling body and a foot.
type PaneView struct {
	ID     string
	Title  string
	Ident  bool            // the title is a reference number
	First  bool            // the title is the h1 of the page
	Back   ui.Path         // a link back, before the title
	Head   templ.Component // after the title; a <span class="end"></span> pushes what follows to the end
	Under  templ.Component // below the head and above the body: tabs, filters, figures
	Foot   templ.Component
	Opens  string // label of the button that opens the context on a narrow screen; empty has none
	Padded bool   // the body has a padding of 16 px
	Wraps  bool   // the head takes a second line where it has no room
}

func theme(value string) string {
	if value == "dark" {
		return "dark"
	}
	return "light"
}

// config configures htmx for a strict content policy: it adds no style elements, and copies no style attributes between an element and its successor. Answers of 403, 409, 422 and 429 contain markup for their target: a refusal, a conflict, or fields with
// errors.
const config = `{"allowEval":false,"allowScriptTags":false,"historyCacheSize":0,"refreshOnHistoryMiss":true,` +
	`"selfRequestsOnly":true,"includeIndicatorStyles":false,"attributesToSettle":["class"],"scrollBehavior":"instant","timeout":20000,` +
	`"responseHandling":[{"code":"204","swap":false},{"code":"[23]..","swap":true},` +
	`{"code":"(403|409|422|429)","swap":true},{"code":"[45]..","swap":false,"error":true}]}`

// lang is the language of the page as HTML writes it.
func lang(ctx context.Context) string { return strings.ReplaceAll(i18n.Lang(ctx), "_", "-") }

func direction(ctx context.Context) string { return i18n.Direction(i18n.Lang(ctx)) }

func script() string { return assets.URL(assets.Entry) }

func sheets() []string { return assets.CSS(assets.Entry) }

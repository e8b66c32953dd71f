// Package layout is the frame of every back-office page: navigation, panes, head and foot.
package layout

import (
	"context"

	"github.com/a-h/templ"

	"candor/app/platform/i18n"
	"candor/templates/assets"
	"candor/templates/ui"
)

var t = i18n.T

// ThemeCookie holds the choice of the theme button: "light" or "dark".
const ThemeCookie = "desk_theme"

// Page is the frame around a page of somebody who is signed in. It lists only what the person may
// open: the frame hides nothing by itself.
type Page struct {
	Title  string
	Theme  string // the value of ThemeCookie; anything but "dark" is light
	Nav    []NavGroup
	Search ui.Path // where the search box asks; empty shows none
	Health []HealthLine
	Me     Me
	Live   Live
}

// Live is where a page of somebody who works in the chat hears of it, and says that they are there.
type Live struct {
	Events   ui.Path // the event stream; empty has none
	Presence ui.Path // posted to by whoever answers
	Mine     ui.Path // what waits for them
}

// NavGroup is a part of the navigation. The first one has no title.
type NavGroup struct {
	Title string
	Items []NavItem
}

// NavItem is a place to go.
type NavItem struct {
	ID      string // word for the element that holds the count, for example deposits
	Label   string
	Icon    ui.IconName
	Href    ui.Path
	Count   int
	Hot     bool // the count is red: something is missed
	Sub     bool // below the item before it
	Current bool
}

// HealthLine is one line of the state of the house: price feeds, ledger, audit chain.
type HealthLine struct {
	State ui.DotState
	Label string
	Value string
}

// Me is who is signed in.
type Me struct {
	Initials string
	Name     string
	Line     string  // under the name: the role or the shift
	Profile  ui.Path // own account; empty has none
	SignOut  ui.Path // posted to
}

// BarePage is a page without navigation: sign-in, an error of the whole page.
type BarePage struct {
	Title string
	Theme string
	Wide  bool
}

// Show says which of list and detail a narrow screen has in front.
type Show string

// The two.
const (
	ShowList   Show = "list"
	ShowDetail Show = "detail"
)

// PanesView is the page of a queue: the list, the thing that is open, and what is known around it.
type PanesView struct {
	List    templ.Component // PaneParts with the list
	Detail  templ.Component // PaneParts, or an Empty that asks to choose a row
	Context templ.Component // may be nil
	Show    Show
	Narrow  bool // the list takes 348 px because the detail needs the room
}

// PaneView is a column with a head of 48 px, a body that scrolls and a foot.
type PaneView struct {
	ID     string
	Title  string
	Ident  bool            // the title is the number of a thing
	First  bool            // the title is the h1 of the page
	Back   ui.Path         // a link back, before the title
	Head   templ.Component // after the title; put a <span class="end"></span> before what stands at the end
	Under  templ.Component // below the head and above the body: tabs, filters, figures
	Foot   templ.Component
	Opens  string // words of the button that opens the context on a narrow screen; empty has none
	Padded bool   // the body has 16 px around
}

func theme(value string) string {
	if value == "dark" {
		return "dark"
	}
	return "light"
}

// config is htmx under a strict content policy. An answer 403, 409, 422 or 429 is markup for its
// place: a refusal, a change meanwhile, fields with errors.
const config = `{"allowEval":false,"allowScriptTags":false,"historyCacheSize":0,"refreshOnHistoryMiss":true,` +
	`"selfRequestsOnly":true,"includeIndicatorStyles":false,"scrollBehavior":"instant","timeout":20000,` +
	`"responseHandling":[{"code":"204","swap":false},{"code":"[23]..","swap":true},` +
	`{"code":"(403|409|422|429)","swap":true},{"code":"[45]..","swap":false,"error":true}]}`

func lang(ctx context.Context) string { return i18n.Lang(ctx) }

func direction(ctx context.Context) string { return i18n.Direction(i18n.Lang(ctx)) }

func script() string { return assets.URL(assets.Entry) }

func sheets() []string { return assets.CSS(assets.Entry) }

package ui

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/a-h/templ"
)

// Path is one of our own paths. Only To builds one, so a Path never contains user input; hx- attributes take nothing else.
type Path struct{ text string }

var (
	token   = regexp.MustCompile(`^[A-Za-z0-9_~=-][A-Za-z0-9._~=-]{0,199}$`)
	pattern = regexp.MustCompile(`^/[A-Za-z0-9._~/{}-]*$`)
	element = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,99}$`)
)

// To fills the {} of a pattern that starts with "/" with ids: numbers, or words of letters, digits
// and . _ ~ = -. Anything else gives the empty Path, which renders no attribute at all.
//
//	ui.To("/admin/deposits/{}/approval", deposit.ID)
func To(path string, ids ...any) Path {
	if !pattern.MatchString(path) || strings.HasPrefix(path, "//") || strings.Count(path, "{}") != len(ids) {
		return Path{}
	}
	for _, id := range ids {
		word := fmt.Sprint(id)
		if !token.MatchString(word) {
			return Path{}
		}
		path = strings.Replace(path, "{}", word, 1)
	}
	return Path{text: path}
}

// With adds name=id to the query. The id must follow the same rule as in To.
func (p Path) With(name string, id any) Path {
	word := fmt.Sprint(id)
	if p.text == "" || !token.MatchString(name) || !token.MatchString(word) {
		return Path{}
	}
	joint := "?"
	if strings.Contains(p.text, "?") {
		joint = "&"
	}
	return Path{text: p.text + joint + name + "=" + word}
}

// String is the path, or "" for a Path that To refused.
func (p Path) String() string { return p.text }

// Target is the place of an answer: an element of the page, or a relation to the requesting element.
type Target struct{ selector string }

// The targets of every page.
var (
	TargetThis   = Target{"this"}
	TargetRow    = Target{"closest [data-row]"}
	TargetForm   = Target{"closest form"}
	TargetDialog = Target{"#dialog"}
	TargetDetail = Target{"#detail"}
	TargetList   = Target{"#list"}
	TargetMain   = Target{"#main"}
)

// At is the element with this id. An invalid id gives no target.
func At(id string) Target {
	if !element.MatchString(id) {
		return Target{}
	}
	return Target{"#" + id}
}

// Swap is how an answer is inserted.
type Swap string

// The ways. A dialog goes inside its slot, a row replaces itself, a list is morphed so that focus and input stay; SwapRows morphs the rows of a table.
const (
	SwapInside Swap = "innerHTML"
	SwapWhole  Swap = "outerHTML"
	SwapMorph  Swap = "morph:outerHTML"
	SwapRows   Swap = "morph:innerHTML"
	SwapEnd    Swap = "beforeend"
	SwapNone   Swap = "none"
)

// Trigger is when an element sends its request. The zero value is htmx's default: click or submit.
type Trigger string

// The triggers of the pages.
const (
	OnChange Trigger = "change"
	OnLoad   Trigger = "load"
	OnInput  Trigger = "input changed delay:300ms, search"
	OnReveal Trigger = "revealed"
	Each5s   Trigger = "every 5s"
	Each2s   Trigger = "every 2s"
	Each30s  Trigger = "every 30s"
)

// HX is a request of an element. It is the only source of hx- attributes: they contain our own paths and ids, never user input.
type HX struct {
	Get     Path
	Post    Path
	Delete  Path
	Target  Target
	Swap    Swap
	Trigger Trigger
	Push    bool   // put the path into the address bar
	Only    string // comma-separated fields that a field sends with its own request; the form's request aborts such a request
}

// Attrs are the attributes of the request; none without a path.
func (h HX) Attrs() templ.Attributes {
	attrs := templ.Attributes{}
	switch {
	case h.Post.text != "":
		attrs["hx-post"] = h.Post.text
	case h.Delete.text != "":
		attrs["hx-delete"] = h.Delete.text
	case h.Get.text != "":
		attrs["hx-get"] = h.Get.text
	default:
		return attrs
	}
	if h.Target.selector != "" {
		attrs["hx-target"] = h.Target.selector
	}
	if h.Swap != "" {
		attrs["hx-swap"] = string(h.Swap)
	}
	if h.Trigger != "" {
		attrs["hx-trigger"] = string(h.Trigger)
	}
	if h.Only != "" {
		attrs["hx-params"], attrs["hx-sync"] = h.Only, "closest form:abort"
	}
	if h.Push {
		attrs["hx-push-url"] = "true"
	}
	return attrs
}

// OpenDialog loads a dialog into the dialog slot of the page.
func OpenDialog(path Path) HX {
	return HX{Get: path, Target: TargetDialog, Swap: SwapInside}
}

// OpenDetail loads the detail of a row beside the list and puts its path into the address bar.
func OpenDetail(path Path) HX {
	return HX{Get: path, Target: TargetDetail, Swap: SwapInside, Push: true}
}

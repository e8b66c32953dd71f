package ui

import (
	"strings"

	"github.com/a-h/templ"
)

// ButtonKind is the emphasis of a button. A page has one Primary.
type ButtonKind string

// The kinds. Danger is outlined in red and is never shown beside Primary.
const (
	Plain   ButtonKind = ""
	Primary ButtonKind = "primary"
	Ghost   ButtonKind = "ghost"
	Danger  ButtonKind = "danger"
)

// Size of a control: 32, 28 and 24 px.
type Size string

// The sizes.
const (
	Normal Size = ""
	Small  Size = "sm"
	Tiny   Size = "xs"
)

// ButtonView is a button, or a link that looks like one when Href is set.
type ButtonView struct {
	ID      string
	Label   string // always read aloud, even when only the icon is visible
	Icon    IconName
	IconEnd IconName
	Kind    ButtonKind
	Size    Size
	Square  bool   // shows only the icon
	Key     string // the shortcut letter, shown as a hint; never on Money
	Href    string
	HX      HX
	Submit  bool   // submits its form
	Form    string // id of the form it submits from outside
	Name    string
	Value   string
	Money   bool   // moves money or identity: locks on the first press
	Busy    string // label of a Money button in progress, for example "Approving…"
	Locked  bool   // disabled, with Why as the reason
	Why     string
	Main    bool   // takes the focus of a dialog without fields
	Closes  bool   // closes its dialog
	Current bool   // pressed, in a group
	Opens   string // id of the popover it opens
	EndSide bool   // moved to the end of its row
	Class   string // one of our own classes, for special cases
}

// Way leads to another page: a link, or with Values a form that carries what stands in no link, such as a name that was searched for.
type Way struct {
	To     string
	Values []Hidden
}

func (w Way) on(b ButtonView) ButtonView {
	if b.Submit = len(w.Values) > 0; !b.Submit {
		b.Href = w.To
	}
	return b
}

func (b ButtonView) class() string {
	words := []string{"btn"}
	switch b.Kind {
	case Primary:
		words = append(words, "btn-primary")
	case Ghost:
		words = append(words, "btn-ghost")
	case Danger:
		words = append(words, "btn-outline", "btn-error")
	case Plain:
	}
	switch b.Size {
	case Small:
		words = append(words, "btn-sm")
	case Tiny:
		words = append(words, "btn-xs")
	case Normal:
	}
	if b.Square {
		words = append(words, "btn-square")
	}
	if b.Current {
		words = append(words, "btn-active")
	}
	if b.EndSide {
		words = append(words, "end")
	}
	if b.Class != "" {
		words = append(words, b.Class)
	}
	return strings.Join(words, " ")
}

func (b ButtonView) attrs() templ.Attributes {
	attrs := b.HX.Attrs()
	set := func(name, value string) {
		if value != "" {
			attrs[name] = value
		}
	}
	set("id", b.ID)
	set("title", b.Why)
	if b.Square {
		attrs["aria-label"] = b.Label
		if b.Why == "" {
			attrs["title"] = b.Label
		}
	}
	if b.Key != "" && !b.Money {
		attrs["data-key"] = strings.ToLower(b.Key)
		attrs["aria-keyshortcuts"] = b.Key
	}
	if b.Main && !b.Money {
		attrs["data-main"] = true
	}
	if b.Closes {
		attrs["data-close"] = true
	}
	switch {
	case b.Current && b.Href != "":
		attrs["aria-current"] = "true"
	case b.Current:
		attrs["aria-pressed"] = "true"
	}
	return attrs
}

func (b ButtonView) pressAttrs() templ.Attributes {
	attrs := b.attrs()
	set := func(name, value string) {
		if value != "" {
			attrs[name] = value
		}
	}
	set("name", b.Name)
	set("form", b.Form)
	set("popovertarget", b.Opens)
	if b.Name != "" {
		attrs["value"] = b.Value
	}
	attrs["type"] = "button"
	if b.Submit {
		attrs["type"] = "submit"
	}
	if b.Money {
		attrs["data-once"] = true
		set("data-busy", b.Busy)
	}
	if b.Locked {
		attrs["disabled"] = true
	}
	return attrs
}

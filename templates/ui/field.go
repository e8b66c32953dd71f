package ui

import (
	"strconv"

	"github.com/a-h/templ"
)

// FieldView is one labelled control. Input, Textarea, Select and FileField take the same view.
type FieldView struct {
	Name         string
	ID           string // Name when empty
	Label        string
	Hint         string // under the control
	Given        string // shown instead of the control, which is not needed
	Error        string // beside the control, in words; the control turns red
	Invalid      bool   // turns red without words: the error of its group is beside it
	Type         string // text when empty: email, password, number, date, datetime-local, search, tel
	Value        string
	Placeholder  string
	Autocomplete string // off when empty
	InputMode    string // numeric, decimal
	Prefix       string // a sign before the value, for example 1:
	Suffix       string // a unit at the end, for example USDT
	Icon         IconName
	MaxLength    int
	Min, Max     string
	Pattern      string
	Rows         int    // Textarea
	Accept       string // FileField
	Options      []Option
	Several      bool // chooses several of the options; the value is theirs, separated by commas (Picker)
	Required     bool
	Disabled     bool
	ReadOnly     bool
	Autofocus    bool
	StaffOnly    bool // a lock before the label and a warm background: the trader never reads this
	HideLabel    bool // still read by screen readers
	Small        bool
	Code         bool         // a one-time code or the last four characters: wide spacing, large
	Lang         string       // language of the hint, when it differs from the page's
	HX           HX           // for a filter that requests by itself
	Mentions     Path         // the names of colleagues to choose from after an @
	Passkey      *PasskeyView // a button before the control
}

// PasskeyView is what the browser needs to use or to create a passkey. The script sends the browser's answer as "passkey".
type PasskeyView struct {
	Options string // JSON
	Kind    ButtonKind
	Hint    string // beside the button
}

// Option is a choice of a Select.
type Option struct {
	Value    string
	Label    string
	Note     string // a code after the label
	Selected bool
	Disabled bool
}

func (f FieldView) id() string {
	if f.ID != "" {
		return f.ID
	}
	return f.Name
}

func (f FieldView) attrs() templ.Attributes {
	attrs := f.HX.Attrs()
	set := func(name, value string) {
		if value != "" {
			attrs[name] = value
		}
	}
	set("id", f.id())
	set("name", f.Name)
	set("placeholder", f.Placeholder)
	set("inputmode", f.InputMode)
	set("min", f.Min)
	set("max", f.Max)
	set("pattern", f.Pattern)
	set("accept", f.Accept)
	set("data-mentions", f.Mentions.String())
	if f.Autocomplete == "" {
		attrs["autocomplete"] = "off"
	} else {
		attrs["autocomplete"] = f.Autocomplete
	}
	if f.MaxLength > 0 {
		attrs["maxlength"] = strconv.Itoa(f.MaxLength)
	}
	attrs["required"] = f.Required
	attrs["disabled"] = f.Disabled
	attrs["readonly"] = f.ReadOnly
	attrs["autofocus"] = f.Autofocus
	if f.Code {
		attrs["spellcheck"] = "false"
		attrs["autocapitalize"] = "off"
	}
	switch {
	case f.Error != "":
		attrs["aria-invalid"] = "true"
		attrs["aria-describedby"] = f.id() + "-error"
	case f.Invalid:
		attrs["aria-invalid"] = "true"
	case f.Hint != "":
		attrs["aria-describedby"] = f.id() + "-hint"
	}
	return attrs
}

func (f FieldView) kind() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

func (f FieldView) rows() string {
	if f.Rows == 0 {
		return "3"
	}
	return strconv.Itoa(f.Rows)
}

// CheckView is a checkbox, a radio button or a toggle with its label.
type CheckView struct {
	Name     string
	ID       string // Name when empty; needed when several share a Name
	Value    string // "on" when empty
	Label    string
	Hint     string
	Error    string
	Checked  bool
	Disabled bool
	HX       HX
}

func (c CheckView) id() string {
	if c.ID != "" {
		return c.ID
	}
	return c.Name
}

func (c CheckView) value() string {
	if c.Value == "" {
		return "on"
	}
	return c.Value
}

// Hidden is a hidden value of a form: the version seen, the idempotency key.
type Hidden struct{ Name, Value string }

// FormView is a form sent by htmx. Post is also its plain action, so that no input gets into an address when the script has not loaded.
type FormView struct {
	ID     string
	Post   Path
	Target Target
	Swap   Swap
	Hidden []Hidden
	Plain  bool // sent by the browser itself: sign-in, uploads with a redirect
	Files  bool // has file fields
	Class  string
}

func (f FormView) attrs() templ.Attributes {
	attrs := templ.Attributes{"method": "post", "novalidate": true}
	if !f.Plain {
		attrs = HX{Post: f.Post, Target: f.Target, Swap: f.Swap}.Attrs()
		attrs["method"] = "post"
		attrs["novalidate"] = true
	}
	if f.ID != "" {
		attrs["id"] = f.ID
	}
	if f.Files {
		attrs["enctype"] = "multipart/form-data"
		if !f.Plain {
			attrs["hx-encoding"] = "multipart/form-data"
		}
	}
	return attrs
}

// Package signinview renders the sign-in pages and the one-time links.
package signinview

import (
	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is one step. Error is the message of the last attempt.
type Page struct {
	Frame layout.BarePage
	Post  ui.Path
	Error string
}

func (p Page) form(hidden ...ui.Hidden) ui.FormView {
	return ui.FormView{Post: p.Post, Plain: true, Hidden: hidden}
}

// PasswordPage is the first step of a sign-in.
type PasswordPage struct {
	Page
	Email    string
	Next     string // the path after the sign-in
	Recovery bool   // a recovery code makes the password count again
}

// CodePage is the second step of a sign-in.
type CodePage struct {
	Page
	Passkey     *ui.PasskeyView // nil for a person without a passkey
	PasskeyPost ui.Path
	Recovery    ui.Path // for a person with recovery codes; empty tells whom to ask
}

// codeKind leaves the emphasis to the passkey of a person who has one.
func (p CodePage) codeKind() ui.ButtonKind {
	if p.Passkey != nil {
		return ui.Plain
	}
	return ui.Primary
}

// passkeyForm sends the browser's answer.
func (p CodePage) passkeyForm() ui.FormView { return ui.FormView{Post: p.PasskeyPost, Plain: true} }

// LinkPage is the first step of a one-time link.
type LinkPage struct {
	Page
	Lead        string // one sentence
	AsksName    bool   // the first administrator enters a name
	NewPassword bool
	Name        string
	Email       string
	Errors      map[string]string // by field
}

// first reports whether a field takes the focus: the first one with an error, else the first one.
func (p LinkPage) first(field string) bool {
	for _, name := range []string{"name", "email", "password"} {
		if p.Errors[name] != "" {
			return name == field
		}
	}
	return field == "name" || field == "password" && !p.AsksName
}

// EnrolPage shows the authenticator's secret and asks for its code.
type EnrolPage struct {
	Page
	Picture ui.Path
	Secret  string // in groups of four
	Raw     string
}

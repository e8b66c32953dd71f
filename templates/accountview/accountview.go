// Package accountview renders a member's own account.
package accountview

import (
	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Account is a member's own account.
type Account struct {
	Facts    []ui.Fact
	Password ui.ButtonView // changes it
	Passkeys []Passkey
	Add      ui.ButtonView
	Recovery *Recovery // nil for members without recovery codes
	Sessions Sessions
}

// Sessions lists where the member is signed in.
type Sessions struct {
	List      []Session
	EndOthers *ui.ButtonView // nil without others
}

// Session is a line of the list of sessions.
type Session struct {
	Browser string // name and system
	IP      string
	Place   string // of the address; empty when unknown
	Times   string // when it began and was last used
	Current bool   // it is the one that shows the page
	End     *ui.ButtonView
}

// Passkey is a line of the list of passkeys.
type Passkey struct {
	Name    string
	Times   string // when it was added and last used
	Buttons []ui.ButtonView
}

// Recovery says how many recovery codes are left.
type Recovery struct {
	Left    string
	Warning string // none or few are left; empty for enough
	Create  ui.ButtonView
}

// CodesPage shows new recovery codes once, to be printed.
type CodesPage struct {
	Codes []string
	Owner string // whose they are, and when they were created
	Back  ui.Path
}

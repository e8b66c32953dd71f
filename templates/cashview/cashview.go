// Package cashview renders what only the deposit desk shows: the match of a deposit with the bank, and the facts of its proof.
package cashview

import (
	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Verdict is the result of a line of the match.
type Verdict string

// The verdicts. Open is not known yet.
const (
	Open   Verdict = ""
	Agrees Verdict = "y"
	Look   Verdict = "w"
	Wrong  Verdict = "n"
)

func (v Verdict) icon() ui.IconName {
	if v == Agrees {
		return ui.IconCheck
	}
	return ui.IconWarning
}

// MatchLine is one value as given by the trader and by the desk.
type MatchLine struct {
	Label   string
	Trader  string
	Desk    string
	Pending bool // the desk has not entered it yet
	Ident   bool
	Verdict Verdict
	Note    string // the visible verdict
	Words   string // the verdict for screen readers
}

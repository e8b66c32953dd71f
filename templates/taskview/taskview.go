// Package taskview renders the parts of tasks that other pages show.
package taskview

import (
	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Card is the tasks of a conversation.
type Card struct {
	Path  ui.Path // of the card itself
	Tasks []Task
}

// Task is one task of the card.
type Task struct {
	Number  string
	Href    ui.Path
	Title   string
	For     string
	Chip    ui.ChipView
	Due     *ui.DueView
	Outcome string // what was done, or why it was declined
}

// Package changeview renders the dialog in which a reviewer requests a change of a trader's account.
package changeview

import "candor/templates/ui"

// Ask is the dialog in which a reviewer requests a change.
type Ask struct {
	Dialog                      ui.DialogView
	Kind, Conversation, Contact ui.FieldView
	Compared                    ui.CheckView
	Note                        ui.FieldView
}

// Package adjustview renders the dialog in which a maker requests a manual adjustment.
package adjustview

import "candor/templates/ui"

// Ask is the dialog in which a maker enters an adjustment.
type Ask struct {
	Dialog              ui.DialogView
	Direction, Reason   ui.FieldView
	Amount, Again, Unit ui.FieldView
	CaseKind, CaseID    ui.FieldView
	Text                ui.FieldView
}

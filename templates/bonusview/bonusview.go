// Package bonusview renders the dialogs in which a member requests a campaign of bonuses, or a bonus for one trader.
package bonusview

import "candor/templates/ui"

// Campaign is the dialog in which a member requests a campaign.
type Campaign struct {
	Dialog                                                    ui.DialogView
	Rule, Amount, Share, Minimum, Days, LastDay, Budget, Note ui.FieldView
}

// Gift is the dialog in which a member requests a bonus for one trader.
type Gift struct {
	Dialog             ui.DialogView
	Amount, Days, Note ui.FieldView
}

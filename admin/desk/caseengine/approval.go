package caseengine

import (
	"time"

	"candor/app/approval"
	"candor/templates/ui"
)

// approvalLooks are the chips of the states of requests that another person approves.
var approvalLooks = map[approval.State]ui.ChipView{
	approval.Requested: {Icon: ui.IconClock},
	approval.Confirmed: {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	approval.Applied:   {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	approval.Refused:   {Tone: ui.ToneError, Icon: ui.IconClose},
	approval.Withdrawn: {Icon: ui.IconUndo},
	approval.Expired:   {Icon: ui.IconClock},
}

// ApprovalChip shows the state of such a request. Its word is the text prefix.chip.<state>.
func ApprovalChip(word func(key string, pairs ...any) string, prefix string, state approval.State) ui.ChipView {
	chip := approvalLooks[state]
	chip.Label = word(prefix + ".chip." + string(state))
	return chip
}

// ApprovalDue is how long such a request has waited, or when it ended.
func (pc PageContext) ApprovalDue(a approval.Approval, target time.Duration) *ui.DueView {
	if !a.Undecided() {
		return &ui.DueView{Text: pc.At(*a.DecidedAt()), NoIcon: true}
	}
	due := ui.Waiting(pc.Ctx, a.RequestedAt, pc.Now, target)
	return &due
}

package paydesk

import (
	"encoding/json"
	"strings"

	"candor/app/audit"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// acts are the icons and colours of a withdrawal's history.
var acts = map[string]ui.StepView{
	"request":          {Icon: ui.IconOut},
	"cancel":           {Icon: ui.IconClose},
	"reply":            {Icon: ui.IconChat},
	"claim":            {Icon: ui.IconPerson},
	"release":          {Icon: ui.IconUndo},
	"request_payout":   {Icon: ui.IconCheck, State: ui.StepDone},
	"approve_payout":   {Icon: ui.IconCheck, State: ui.StepDone},
	"ask":              {Icon: ui.IconQuestion, State: ui.StepWarn},
	"reject":           {Icon: ui.IconClose, State: ui.StepBad},
	"recall":           {Icon: ui.IconUndo, State: ui.StepWarn},
	"freeze":           {Icon: ui.IconLock, State: ui.StepBad},
	"thaw":             {Icon: ui.IconUndo},
	"begin":            {Icon: ui.IconSend},
	"finish":           {Icon: ui.IconBank, State: ui.StepDone},
	"request_outcome":  {Icon: ui.IconSearch, State: ui.StepWarn},
	"refuse_outcome":   {Icon: ui.IconClose},
	"withdraw_outcome": {Icon: ui.IconUndo},
	"approve_outcome":  {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"bounce":           {Icon: ui.IconUndo, State: ui.StepBad},
	"enquire":          {Icon: ui.IconQuestion},
	"reveal":           {Icon: ui.IconEye},
	"hear":             {Icon: ui.IconSend, State: ui.StepDone},
	"lose":             {Icon: ui.IconQuestion, State: ui.StepBad},
	"complete":         {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"confirm":          {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"mismatch":         {Icon: ui.IconWarning, State: ui.StepBad},
	"add_to_batch":     {Icon: ui.IconPlus},
	"take_from_batch":  {Icon: ui.IconUndo},
}

// step describes an entry of the audit log.
func (cc caseContext) step(e audit.Entry) ui.StepView {
	act := strings.TrimPrefix(e.Action, "withdrawal.")
	step, known := cc.Step(acts, act, e)
	name := e.ActorName
	if cc.Mine(e) {
		name = cc.T("withdrawal.you")
	}
	if known {
		step.Text = cc.T("withdrawal.event."+act, "name", name)
	}
	if act == "begin" && e.ActorKind == audit.System {
		step.Text = cc.T("withdrawal.event.begin.provider")
	}
	step.Note = cc.stepNote(act, e)
	if (act == "finish" || act == "hear") && strings.Contains(e.After, string(withdrawal.OutcomeUnknown)) {
		step.State = ui.StepBad
	}
	return step
}

// stepNote is the part of an entry that its sentence leaves out: the reason, the reference, or the result of the transfer.
func (cc caseContext) stepNote(act string, e audit.Entry) string {
	var after struct {
		Reason, Payment *string
		State           string
	}
	if json.Unmarshal([]byte(e.After), &after) != nil {
		return ""
	}
	switch {
	case cc.blind() && act == "finish":
		return cc.T("withdrawal.chip." + after.State)
	case act == "reveal":
		return given(after.Reason)
	case act == "ask" || act == "reject" || act == "recall" || act == "freeze" || act == "bounce":
		return cc.reason(after.Reason)
	case (act == "request_outcome" || act == "approve_outcome") && after.Payment == nil:
		return cc.T("withdrawal.event.outcome.unpaid")
	case act == "request_outcome" || act == "approve_outcome":
		return *after.Payment
	case act == "finish" || act == "hear":
		return strings.TrimSpace(cc.T("withdrawal.chip."+after.State) + " " + given(after.Payment))
	default:
		return ""
	}
}

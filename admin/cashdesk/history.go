package cashdesk

import (
	"encoding/json"
	"strings"

	"candor/app/audit"
	"candor/templates/ui"
)

// steps are the icons and colours of a deposit's history.
var steps = map[string]ui.StepView{
	"request":    {Icon: ui.IconIn},
	"prove":      {Icon: ui.IconDocument},
	"cancel":     {Icon: ui.IconClose},
	"expire":     {Icon: ui.IconClock},
	"take_up":    {Icon: ui.IconSearch},
	"claim":      {Icon: ui.IconPerson},
	"release":    {Icon: ui.IconUndo},
	"view_proof": {Icon: ui.IconEye},
	"approve":    {Icon: ui.IconCheck, State: ui.StepDone},
	"confirm":    {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"reject":     {Icon: ui.IconClose, State: ui.StepBad},

	"redirect":     {Icon: ui.IconIn},
	"await":        {Icon: ui.IconIn},
	"agree":        {Icon: ui.IconCheck},
	"mismatch":     {Icon: ui.IconWarning, State: ui.StepWarn},
	"paid":         {Icon: ui.IconDocument},
	"appeal":       {Icon: ui.IconQuestion, State: ui.StepWarn},
	"ask_provider": {Icon: ui.IconRetry},
	"credit":       {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"differ":       {Icon: ui.IconWarning, State: ui.StepWarn},
	"unclear":      {Icon: ui.IconQuestion, State: ui.StepWarn},
	"fail":         {Icon: ui.IconClose, State: ui.StepBad},
	"call_off":     {Icon: ui.IconClose},

	"detect":           {Icon: ui.IconIn},
	"drop":             {Icon: ui.IconClose},
	"hold":             {Icon: ui.IconWarning, State: ui.StepWarn},
	"refund":           {Icon: ui.IconUndo},
	"confirm_refund":   {Icon: ui.IconDoubleCheck, State: ui.StepDone},
	"recall":           {Icon: ui.IconUndo},
	"gone":             {Icon: ui.IconUndo, State: ui.StepBad},
	"back":             {Icon: ui.IconRetry},
	"request_reversal": {Icon: ui.IconPeople, State: ui.StepWarn},
	"refuse_reversal":  {Icon: ui.IconClose}, "withdraw_reversal": {Icon: ui.IconUndo},
	"approve_reversal": {Icon: ui.IconUndo, State: ui.StepBad},

	"ask": {Icon: ui.IconQuestion, State: ui.StepWarn},
}

// isReadOnly reports whether an entry is a view of the proof.
func isReadOnly(e audit.Entry) bool { return e.Action == "deposit.view_proof" }

// step describes an entry of the audit log.
func (cc caseContext) step(e audit.Entry) ui.StepView {
	act := strings.TrimPrefix(e.Action, "deposit.")
	step, known := cc.Step(steps, act, e)
	switch {
	case !known:
	case cc.Mine(e):
		step.Text = cc.T("deposit.event."+act+".you", "name", e.ActorName)
	default:
		step.Text = cc.T("deposit.event."+act, "name", e.ActorName, "reference", cc.Reference)
	}
	step.Note = cc.stepNote(act, e)
	return step
}

// stepNote is the part of an entry that its sentence leaves out: the typed amount, or the reason.
func (cc caseContext) stepNote(act string, e audit.Entry) string {
	var after struct {
		Received              *int64
		BankReference, Reason *string
	}
	if json.Unmarshal([]byte(e.After), &after) != nil {
		return ""
	}
	switch {
	case (act == "approve" || act == "take_up") && after.Received != nil && after.BankReference != nil:
		reference := *after.BankReference
		if cc.me.readsBank(cc.Deposit) {
			reference = cc.T("deposit.reference.hidden")
		}
		return cc.T("deposit.event.approve.note", "amount", ui.Amount(*after.Received), "reference", reference)
	case (act == "reject" || act == "ask") && after.Reason != nil:
		return cc.reason(after.Reason)
	default:
		return ""
	}
}

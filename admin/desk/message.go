package desk

import (
	"candor/app/platform/mail"
	"candor/templates/ui"
)

// messageLooks are how the states of messages are shown.
var messageLooks = map[mail.State]ui.ChipView{
	mail.Kept:    {Tone: ui.ToneWarning, Icon: ui.IconPause},
	mail.Queued:  {Tone: ui.ToneInfo, Icon: ui.IconSend},
	mail.Sent:    {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	mail.Failed:  {Tone: ui.ToneError, Icon: ui.IconWarning},
	mail.Expired: {Icon: ui.IconClock},
}

// MessageState is whether a message was sent.
func (r *Request) MessageState(m mail.Message) ui.ChipView {
	chip := messageLooks[m.State]
	chip.Label = r.Word("outbox.state." + string(m.State))
	return chip
}

// MessageKind names what a message is about; a message from before kinds were stored has none.
func (r *Request) MessageKind(m mail.Message) string {
	key := "outbox.kind." + m.Kind
	if name := r.Word(key); name != key {
		return name
	}
	return m.Kind
}

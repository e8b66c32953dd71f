package controldesk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/mail"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const (
	outboxPath   = "/admin/outbox"
	outboxPage   = 50
	shownSeconds = 30
)

func (s Services) outbox(r *desk.Request) error {
	to := strings.TrimSpace(r.QueryParam("to"))
	before, _ := strconv.ParseInt(r.QueryParam("before"), 10, 64)
	list, next, err := s.Outbox.Page(ctxOf(r), to, before, outboxPage)
	if err != nil {
		return err
	}
	view := controlview.Outbox{Recipient: to, Kept: s.Kept, Zone: r.ZoneNote()}
	query := newQuery(outboxPath).with("to", to)
	if before > 0 {
		view.Newest = query.String()
	}
	if next != 0 {
		view.Older = query.with("before", fmt.Sprint(next)).String()
	}
	for _, m := range list {
		view.Rows = append(view.Rows, messageView(r, m))
	}
	return r.Show(controlview.OutboxPage(r.Page(word(r, "nav.outbox"), "outbox"), view))
}

var messageLooks = map[string]ui.ChipView{
	"kept":   {Tone: ui.ToneWarning, Icon: ui.IconPause},
	"queued": {Tone: ui.ToneInfo, Icon: ui.IconSend},
	"sent":   {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	"failed": {Tone: ui.ToneError, Icon: ui.IconWarning},
}

func messageView(r *desk.Request, m mail.Message) controlview.Message {
	view := controlview.Message{
		ID: fmt.Sprint("message-", m.ID), Time: at(r, m.CreatedAt), UTC: ui.Stamp(m.CreatedAt), Icon: ui.IconMail, Recipient: m.Recipient, Subject: m.Subject,
		State:  messageLooks[m.State],
		Reveal: ui.ButtonView{Label: word(r, "outbox.reveal"), Icon: ui.IconEye, Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/outbox/{}/reveal", m.ID))},
	}
	if m.Channel == mail.SMS {
		view.Icon = ui.IconPhone
	}
	view.State.Label = word(r, "outbox.state."+m.State)
	if m.State == "sent" {
		view.Reveal.HX, view.Reveal.Locked, view.Reveal.Why = ui.HX{}, true, word(r, "outbox.emptied")
	}
	return view
}

func (s Services) askReveal(r *desk.Request) error {
	if !r.Partial() {
		return r.Go(outboxPath)
	}
	m, err := s.message(r)
	if err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(revealDialog(r, m, "", "")))
}

func (s Services) message(r *desk.Request) (mail.Message, error) {
	id, err := r.ID("id")
	if err != nil {
		return mail.Message{}, err
	}
	return s.Outbox.Read(ctxOf(r), id)
}

func revealDialog(r *desk.Request, m mail.Message, reason, problem string) controlview.Confirm {
	return controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "outbox.reveal.title"), Note: word(r, "outbox.reveal.note"),
			Form: ui.FormView{Post: ui.To("/admin/outbox/{}/reveal", m.ID), Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, "outbox.reveal.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: messageFacts(r, m),
		Text:  &ui.FieldView{Name: "reason", Label: word(r, "outbox.reveal.reason"), Hint: word(r, "outbox.reveal.hint"), Value: reason, Error: problem, MaxLength: 200, Rows: 2, Required: true, StaffOnly: true},
	}
}

func messageFacts(r *desk.Request, m mail.Message) []ui.Fact {
	return []ui.Fact{
		{Label: word(r, "outbox.recipient"), Value: m.Recipient},
		{Label: word(r, "outbox.subject"), Value: m.Subject, Strong: true},
		{Label: word(r, "outbox.time"), Value: at(r, m.CreatedAt)},
	}
}

// reveal shows a body to whoever says why; the log keeps who, which and why, and is written before anything is shown.
func (s Services) reveal(r *desk.Request) error {
	m, err := s.message(r)
	if err != nil {
		return err
	}
	reason := strings.Join(strings.Fields(r.Posted("reason")), " ")
	if n := utf8.RuneCountInString(reason); n < 5 || n > 200 || !utf8.ValidString(reason) {
		return r.Dialog(http.StatusUnprocessableEntity, controlview.ConfirmDialog(revealDialog(r, m, reason, word(r, "field.reason"))))
	}
	entry := audit.By(r.Actor(), r.Now(), "outbox.reveal", "message", m.ID)
	raw, err := json.Marshal(map[string]string{"reason": reason, "recipient": m.Recipient})
	if err != nil {
		return err
	}
	entry.After = string(raw)
	if err := s.Audit.Record(ctxOf(r), entry); err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, controlview.LetterDialog(controlview.Letter{Title: word(r, "outbox.letter"), Facts: messageFacts(r, m), Body: m.Body, Seconds: shownSeconds}))
}

package controldesk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/mail"
	"candor/app/trader"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const (
	outboxPath     = "/admin/outbox"
	longestAddress = 254
	shownSeconds   = 30
)

// outboxRoutes are the routes of the list and of sending again. Only a development server also reveals bodies: codes can't be read elsewhere there.
func (s Services) outboxRoutes() []desk.Route {
	routes := append(s.messages().Routes(),
		desk.Route{Method: http.MethodGet, Path: "/outbox/:id/sending", Permission: access.OutboxSend, Handle: s.askSending},
		desk.Route{Method: http.MethodPost, Path: "/outbox/:id/sending", Permission: access.OutboxSend, Handle: s.sendAgain},
	)
	if s.Production {
		return routes
	}
	return append(routes,
		desk.Route{Method: http.MethodGet, Path: "/outbox/:id/reveal", Permission: access.OutboxView, Handle: s.askReveal},
		desk.Route{Method: http.MethodPost, Path: "/outbox/:id/reveal", Permission: access.OutboxView, Handle: s.reveal},
	)
}

// messages declares the outbox.
func (s Services) messages() caseengine.List[mail.Message] {
	search := caseengine.SearchPeople(longestAddress, cleaned(longestAddress))
	if s.Production {
		search.Label = "outbox.search_whole"
	}
	return caseengine.List[mail.Message]{
		Name: "outbox", Letters: "message-", Target: "message", Texts: "outbox", Icon: ui.IconMail, View: access.OutboxView, Flat: true, Hears: never,
		Filters: []caseengine.Filter{search}, Ordered: outboxOrder, Alert: s.keptAlert,
		Columns: []caseengine.Column{
			{Label: "outbox.time"}, {Label: "outbox.recipient"}, {Label: "outbox.kind", Wide: true}, {Label: "outbox.state"}, {Label: "outbox.acts", Numeric: true, Hidden: true},
		},
		Find: s.findMessages, Rows: s.messageRows, ID: func(m mail.Message) int64 { return m.ID },
	}
}

// outboxOrder names the order: a search by the beginning of an address comes address by address.
func outboxOrder(sel caseengine.Selection) string {
	if sel.Value("q") != "" {
		return ""
	}
	return "case.queue.order.newest"
}

// keptAlert says that nothing is sent.
func (s Services) keptAlert(r *desk.Request) *ui.AlertView {
	if !s.Kept || s.Production {
		return nil
	}
	return &ui.AlertView{Tone: ui.ToneWarning, Title: word(r, "outbox.kept.title"), Text: word(r, "outbox.kept.text")}
}

func (s Services) findMessages(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]mail.Message, caseengine.Cursor, error) {
	list, next, err := s.Outbox.Page(ctxOf(r), s.recipients(sel.Value("q")), after.ID, limit)
	return list, caseengine.Cursor{ID: next}, err
}

// recipients is the filter of a search. Where addresses are masked, it requires a whole address: prefixes would reveal one letter by letter.
func (s Services) recipients(to string) mail.Filter {
	if s.Production {
		return mail.Filter{Recipient: to}
	}
	return mail.Filter{Beginning: to}
}

// recipient is a message's address as the desk shows it.
func (s Services) recipient(m mail.Message) string {
	if s.Production {
		return trader.Mask(m.Recipient)
	}
	return m.Recipient
}

func (s Services) messageRows(r *desk.Request, list []mail.Message) ([]caseengine.Row, error) {
	rows := make([]caseengine.Row, len(list))
	for i, m := range list {
		icon := ui.IconMail
		if m.Channel == mail.SMS {
			icon = ui.IconPhone
		}
		rows[i].Cells = []ui.Cell{
			{Text: at(r, m.CreatedAt), Title: ui.Stamp(m.CreatedAt), Muted: true}, {Text: s.recipient(m), Icon: icon}, {Text: r.MessageKind(m), Wrap: true}, {Chips: []ui.ChipView{r.MessageState(m)}}, {Buttons: s.messageButtons(r, m)},
		}
	}
	return rows, nil
}

func (s Services) messageButtons(r *desk.Request, m mail.Message) (buttons []ui.ButtonView) {
	if !s.Production {
		buttons = append(buttons, revealButton(r, m))
	}
	if r.May(access.OutboxSend) && slices.Contains([]mail.State{mail.Queued, mail.Failed, mail.Expired}, m.State) {
		buttons = append(buttons, ui.ButtonView{Label: word(r, "outbox.send_again"), Icon: ui.IconSend, Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/outbox/{}/sending", m.ID))})
	}
	return buttons
}

func rowID(m mail.Message) string { return fmt.Sprint("message-", m.ID) }

func revealButton(r *desk.Request, m mail.Message) ui.ButtonView {
	b := ui.ButtonView{Label: word(r, "outbox.reveal"), Icon: ui.IconEye, Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/outbox/{}/reveal", m.ID))}
	if m.HasBody {
		return b
	}
	return lockable(b, word(r, "outbox.emptied"))
}

func (s Services) messageFacts(r *desk.Request, m mail.Message) []ui.Fact {
	return []ui.Fact{
		{Label: word(r, "outbox.recipient"), Value: s.recipient(m)},
		{Label: word(r, "outbox.kind"), Value: r.MessageKind(m), Strong: true},
		{Label: word(r, "outbox.time"), Value: at(r, m.CreatedAt)},
	}
}

// messageOf reads the message in the address, without its body.
func (s Services) messageOf(r *desk.Request) (m mail.Message, err error) {
	id, err := r.ID("id")
	if err != nil {
		return m, err
	}
	return s.Outbox.Head(ctxOf(r), id)
}

func (s Services) askSending(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(outboxPath)
	}
	m, err := s.messageOf(r)
	if err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "outbox.send_again.title"), Note: word(r, "outbox.send_again.note"),
			Form: ui.FormView{Post: ui.To("/admin/outbox/{}/sending", m.ID), Target: ui.At(rowID(m)), Swap: ui.SwapWhole},
			Act:  ui.ButtonView{Label: word(r, "outbox.send_again"), Kind: ui.Primary, Submit: true, Busy: word(r, "act.busy")},
		},
		Facts: s.messageFacts(r, m),
	}))
}

// sendAgain queues a message again; one that can't be sent any more is refused.
func (s Services) sendAgain(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	err = s.Outbox.SendAgain(ctxOf(r), id, func(tx *db.Tx, m mail.Message) error {
		entry, err := messageEntry(r, "outbox.send_again", m.ID, map[string]string{"kind": m.Kind, "recipient": trader.Mask(m.Recipient)})
		if err != nil {
			return err
		}
		return audit.RecordTx(ctxOf(r), tx, entry)
	})
	if err != nil {
		return err
	}
	m, err := s.Outbox.Head(ctxOf(r), id)
	if err != nil {
		return err
	}
	return s.messages().Answer(r, m, word(r, "outbox.send_again.done"))
}

func messageEntry(r *desk.Request, action string, id int64, after map[string]string) (audit.Entry, error) {
	entry := audit.By(r.Actor(), r.Now(), action, "message", id)
	raw, err := json.Marshal(after)
	entry.After = string(raw)
	return entry, err
}

func (s Services) askReveal(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(outboxPath)
	}
	m, err := s.messageOf(r)
	if err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(s.revealDialog(r, m, "", "")))
}

func (s Services) revealDialog(r *desk.Request, m mail.Message, reason, problem string) controlview.Confirm {
	return controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "outbox.reveal.title"), Note: word(r, "outbox.reveal.note"),
			Form: ui.FormView{Post: ui.To("/admin/outbox/{}/reveal", m.ID), Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, "outbox.reveal.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: s.messageFacts(r, m),
		Text:  &ui.FieldView{Name: "reason", Label: word(r, "outbox.reveal.reason"), Hint: word(r, "outbox.reveal.hint"), Value: reason, Error: problem, MaxLength: 200, Rows: 2, Required: true, StaffOnly: true},
	}
}

// reveal shows a body to a member who gives a reason; before that, the audit log records the member, the message and the reason.
func (s Services) reveal(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	m, err := s.Outbox.Read(ctxOf(r), id)
	if err != nil {
		return err
	}
	reason := strings.Join(strings.Fields(r.PostFormValue("reason")), " ")
	if n := utf8.RuneCountInString(reason); n < 5 || n > 200 || !utf8.ValidString(reason) {
		return r.Dialog(http.StatusUnprocessableEntity, controlview.ConfirmDialog(s.revealDialog(r, m, reason, word(r, "field.reason"))))
	}
	entry, err := messageEntry(r, "outbox.reveal", m.ID, map[string]string{"reason": reason, "recipient": m.Recipient})
	if err != nil {
		return err
	}
	if err := s.Audit.Record(ctxOf(r), entry); err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, controlview.MessageBodyDialog(controlview.MessageBody{Title: word(r, "outbox.letter"), Facts: s.messageFacts(r, m), Body: m.Body, Seconds: shownSeconds}))
}

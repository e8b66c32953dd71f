package chatdesk

import (
	"net/http"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/platform/mail"
	"candor/app/support"
	"candor/app/trader"
	"candor/templates/chatview"
	"candor/templates/ui"
)

const mostFound = 10 // traders that the dialog of a new conversation offers

// mayStart reports whether the member may begin conversations: they look the trader up first.
func mayStart(r *desk.Request) bool { return r.May(access.ChatAnswer) && r.May(access.TraderView) }

// newConversation is the button that begins one.
func newConversation(r *desk.Request) *ui.ButtonView {
	if !mayStart(r) {
		return nil
	}
	return &ui.ButtonView{Label: r.Word("chat.start.open"), Icon: ui.IconPlus, Size: ui.Small, HX: ui.OpenDialog(ui.To(home + "/new"))}
}

// askStart opens the dialog of a new conversation: for the trader in the address, else it asks for one.
func (s Services) askStart(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home)
	}
	if text := r.QueryParam("trader"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return desk.ErrNotFound
		}
		return s.showStart(r, http.StatusOK, id, "", support.NewID(), nil)
	}
	return s.showFind(r, http.StatusOK, "", nil, "")
}

// showFind asks for the trader, among those found by the words.
func (s Services) showFind(r *desk.Request, status int, words string, found []trader.Listed, problem string) error {
	fields := []ui.FieldView{{
		Name: "q", Label: r.Word("chat.start.who"), Value: words, Required: true, MaxLength: 120, Hint: r.Word("chat.start.who.hint"), Error: problem, ReadOnly: len(found) > 0,
	}}
	if len(found) > 0 {
		choice := ui.FieldView{Name: "trader", Label: r.Word("chat.start.which")}
		for _, t := range found {
			choice.Options = append(choice.Options, ui.Option{Value: number(t.ID), Label: number(t.ID), Note: t.MaskedName()})
		}
		fields = append(fields, choice)
	}
	return r.Dialog(status, chatview.ActDialog(ui.DialogView{
		Title: r.Word("chat.start.title"), Form: ui.FormView{Post: ui.To(home + "/new/trader"), Target: ui.At("dialog"), Swap: ui.SwapInside},
		Act: ui.ButtonView{Label: r.Word("chat.start.next"), Kind: ui.Primary, Submit: true},
	}, fields, nil, nil))
}

// findTrader goes on from the words to the trader: the only one found, or the chosen one.
func (s Services) findTrader(r *desk.Request) error {
	words := strings.TrimSpace(r.PostFormValue("q"))
	if chosen, err := strconv.ParseInt(r.PostFormValue("trader"), 10, 64); err == nil && chosen > 0 {
		return s.showStart(r, http.StatusOK, chosen, "", support.NewID(), nil)
	}
	if words == "" {
		return s.showFind(r, http.StatusUnprocessableEntity, "", nil, r.Word("field.required"))
	}
	found, _, err := s.Traders.Search(ctxOf(r), words, 0, mostFound)
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		return s.showFind(r, http.StatusUnprocessableEntity, words, nil, r.Word("chat.start.nobody"))
	case len(found) == 1:
		return s.showStart(r, http.StatusOK, found[0].ID, "", support.NewID(), nil)
	}
	return s.showFind(r, http.StatusOK, words, found, "")
}

// showStart asks for the first message to a trader.
func (s Services) showStart(r *desk.Request, status int, traderID int64, text, id string, problems map[string]string) error {
	if !mayStart(r) {
		return desk.ErrNotFound
	}
	t, err := s.Traders.Trader(ctxOf(r), traderID)
	if err != nil {
		return err
	}
	write := ui.FieldView{
		Name: "text", Label: r.Word("chat.write"), Value: text, Rows: 5, MaxLength: support.LongestText, Required: true, Error: problems["text"], Hint: r.Word("chat.reads", "language", ui.LanguageName(t.Language)),
	}
	return r.Dialog(status, chatview.ActDialog(ui.DialogView{
		Title: r.Word("chat.start.to", "trader", number(traderID)), Note: r.Word("chat.start.note"),
		Form: ui.FormView{Post: ui.To(home + "/new"), Swap: ui.SwapNone, Hidden: []ui.Hidden{{Name: "trader", Value: number(traderID)}, {Name: "id", Value: id}}},
		Act:  ui.ButtonView{Label: r.Word("chat.send"), Kind: ui.Primary, Submit: true},
	}, nil, &write, nil))
}

// start sends the first message and goes to the conversation.
func (s Services) start(r *desk.Request) error {
	id, err := strconv.ParseInt(r.PostFormValue("trader"), 10, 64)
	if err != nil {
		return desk.ErrNotFound
	}
	m, err := s.Chat.Start(ctxOf(r), r.Actor(), id, support.Draft{ID: r.PostFormValue("id"), Text: r.PostFormValue("text")})
	if problems := r.FieldTexts(err); problems["text"] != "" {
		return s.showStart(r, http.StatusUnprocessableEntity, id, r.PostFormValue("text"), r.PostFormValue("id"), problems)
	}
	if err != nil {
		return err
	}
	return r.RedirectTo(path(m.ConversationID).String())
}

// reach are the ways to a customer besides the chat, as buttons above the composer.
func reach(r *desk.Request, c support.Conversation) (out []ui.ButtonView) {
	if !r.May(access.ChatAnswer) {
		return nil
	}
	if c.TraderID != nil && c.OwnedBy(r.Member.ID) && c.Live() {
		out = append(out, ui.ButtonView{Label: r.Word("chat.mail"), Icon: ui.IconMail, Kind: ui.Ghost, Size: ui.Tiny, HX: ui.OpenDialog(ui.To(home+"/{}/mail", c.ID))})
	}
	return append(out, ui.ButtonView{Label: r.Word("chat.call"), Icon: ui.IconPhone, Kind: ui.Ghost, Size: ui.Tiny, HX: ui.OpenDialog(ui.To(home+"/{}/call", c.ID))})
}

func (s Services) askMail(r *desk.Request) error {
	return s.ask(r, func(c support.Conversation) error {
		return s.showMail(r, http.StatusOK, c, support.Letter{ID: support.NewID()}, nil)
	})
}

func (s Services) showMail(r *desk.Request, status int, c support.Conversation, l support.Letter, refused error) error {
	if c.TraderID == nil {
		return support.ErrVisitors
	}
	t, err := s.Traders.Trader(ctxOf(r), *c.TraderID)
	if err != nil {
		return err
	}
	if t.Email == nil {
		return trader.ErrNoEmail
	}
	problems := r.FieldTexts(refused)
	to := t.MaskContact(trader.MailContact)
	subject := ui.FieldView{Name: "subject", Label: r.Word("chat.mail.subject"), Value: l.Subject, MaxLength: support.LongestSubject, Required: true, Error: problems["subject"]}
	text := ui.FieldView{
		Name: "text", Label: r.Word("chat.mail.text"), Value: l.Text, Rows: 8, MaxLength: support.LongestText, Required: true, Error: problems["text"],
		Hint: r.Word("chat.reads", "language", ui.LanguageName(t.Language)),
	}
	view := dialog(r, c, "mail")
	view.Title, view.Note = r.Word("chat.mail.title", "trader", number(t.ID)), r.Word("chat.mail.note", "address", to.Before+"•••"+to.After)
	view.Form.Hidden = []ui.Hidden{{Name: "id", Value: l.ID}}
	return r.Dialog(status, chatview.ActDialog(view, []ui.FieldView{subject}, &text, nil))
}

func (s Services) sendMail(r *desk.Request) error {
	c, err := s.conversation(r)
	if err != nil {
		return err
	}
	l := support.Letter{ID: r.PostFormValue("id"), Subject: r.PostFormValue("subject"), Text: r.PostFormValue("text")}
	if _, err := s.Chat.Mail(ctxOf(r), r.Actor(), c.ID, l); err != nil {
		if r.FieldTexts(err) != nil {
			return s.showMail(r, http.StatusUnprocessableEntity, c, l, err)
		}
		return err
	}
	return s.answer(r, c.ID, &ui.FlashView{Text: r.Word("chat.done.mail")})
}

func (s Services) askCall(r *desk.Request) error {
	return s.ask(r, func(c support.Conversation) error {
		return s.showCall(r, http.StatusOK, c, support.CallNote{ID: support.NewID(), Direction: support.Outgoing}, "", nil)
	})
}

func (s Services) showCall(r *desk.Request, status int, c support.Conversation, call support.CallNote, minutes string, refused error) error {
	problems := r.FieldTexts(refused)
	way := ui.FieldView{Name: "direction", Label: r.Word("chat.call.direction"), Error: problems["direction"]}
	for _, one := range []support.Direction{support.Outgoing, support.Incoming} {
		way.Options = append(way.Options, ui.Option{Value: string(one), Label: r.Word("chat.call.direction." + string(one)), Selected: one == call.Direction})
	}
	long := ui.FieldView{Name: "minutes", Label: r.Word("chat.call.minutes"), Value: minutes, Type: "number", Required: true, Error: problems["minutes"]}
	said := ui.FieldView{Name: "said", Label: r.Word("chat.call.said"), Value: call.Said, Rows: 5, MaxLength: support.LongestText, Required: true, StaffOnly: true, Error: problems["text"]}
	view := dialog(r, c, "call")
	view.Form.Hidden = []ui.Hidden{{Name: "id", Value: call.ID}}
	return r.Dialog(status, chatview.ActDialog(view, []ui.FieldView{way, long}, &said, nil))
}

func (s Services) logCall(r *desk.Request) error {
	c, err := s.conversation(r)
	if err != nil {
		return err
	}
	call := support.CallNote{ID: r.PostFormValue("id"), Direction: support.Direction(r.PostFormValue("direction")), Said: r.PostFormValue("said")}
	minutes := strings.TrimSpace(r.PostFormValue("minutes"))
	if call.Minutes, err = strconv.Atoi(minutes); err != nil {
		err = errs.Field("minutes", "field.range")
	} else {
		_, err = s.Chat.LogCall(ctxOf(r), r.Actor(), c.ID, call)
	}
	if err != nil {
		if r.FieldTexts(err) != nil {
			return s.showCall(r, http.StatusUnprocessableEntity, c, call, minutes, err)
		}
		return err
	}
	return s.answer(r, c.ID, &ui.FlashView{Text: r.Word("chat.done.call")})
}

// logged shows a mail or a call as an entry for staff.
func logged(r *desk.Request, m support.Message, states map[int64]mail.State) (icon ui.IconName, title, state string, tone ui.Tone) {
	if m.Kind == support.PhoneCall {
		return ui.IconPhone, r.Word("chat.call.was."+string(m.Direction), "minutes", *m.Minutes), "", ui.ToneNormal
	}
	found := states[*m.MailID]
	if found == mail.Failed || found == mail.Expired {
		tone = ui.ToneError
	}
	return ui.IconMail, plain(m.Subject), r.Word("chat.mail.state." + string(found)), tone
}

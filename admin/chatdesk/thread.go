package chatdesk

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/mail"
	"candor/app/platform/upload"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// open answers with a thread: as a whole page, or for the pane beside the list.
func (s Services) open(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if r.Partial() {
		return s.answer(r, id, nil)
	}
	th, cards, err := s.conversationThread(r, id)
	if err != nil {
		return err
	}
	in, err := s.readInbox(r, id)
	if err != nil {
		return err
	}
	return s.show(r, chatview.Page{Inbox: in, Thread: &th, Context: cards})
}

// conversationThread reads a whole thread and its context.
func (s Services) conversationThread(r *desk.Request, id int64) (th chatview.Thread, cards []chatview.Card, err error) {
	c, err := s.Chat.Get(ctxOf(r), id)
	if err != nil {
		return th, nil, err
	}
	if th, err = s.thread(r, c, 0); err != nil {
		return th, nil, err
	}
	cards, err = s.contextCards(r, c)
	return th, cards, err
}

// answer responds with the current thread, its context and a flash.
func (s Services) answer(r *desk.Request, id int64, flash *ui.FlashView) error {
	th, cards, err := s.conversationThread(r, id)
	if err != nil {
		return err
	}
	return r.Show(chatview.Opened(th, cards, flash))
}

// newMessages answers with the messages after the page's last one, and the current state around them.
func (s Services) newMessages(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	after, err := strconv.ParseInt(r.QueryParam("after"), 10, 64)
	if err != nil || after < 0 {
		return desk.ErrNotFound
	}
	c, err := s.Chat.Get(ctxOf(r), id)
	if err != nil {
		return err
	}
	th, err := s.thread(r, c, after)
	if err != nil {
		return err
	}
	return r.Show(chatview.Update(th, chatview.ReadReceipt{Got: number(c.CustomerGot), Read: number(c.CustomerRead)}))
}

func number(id int64) string { return strconv.FormatInt(id, 10) }

// thread is a conversation as the member sees it, with the messages after a given one.
func (s Services) thread(r *desk.Request, c support.Conversation, after int64) (th chatview.Thread, err error) {
	ctx := ctxOf(r)
	list, more, err := s.Chat.Messages(ctx, c.ID, after)
	if err != nil {
		return th, err
	}
	if c.OwnedBy(r.Member.ID) && len(list) > 0 {
		if err := s.Chat.MarkSeen(ctx, r.Member.ID, c.ID, list[len(list)-1].ID, false); err != nil {
			return th, err
		}
	}
	rules, err := s.Chat.Rules(ctx)
	if err != nil {
		return th, err
	}
	owner := ""
	if c.AgentID != nil {
		if owner, err = s.Chat.NameOf(ctx, *c.AgentID); err != nil {
			return th, err
		}
	}
	th = chatview.Thread{
		ID: c.ID, Number: number(c.ID), Title: s.title(r, c), More: more, Last: after, Lang: c.Language, LangOf: ui.LanguageName(c.Language), Version: strconv.Itoa(c.Version),
		Note: r.May(access.ChatAnswer), Chips: chips(r, c, owner), Bar: s.bar(r, c, rules), Viewers: s.viewers(r, c),
	}
	states, err := s.Chat.MailStates(ctx, list)
	if err != nil {
		return th, err
	}
	for _, m := range list {
		th.List = append(th.List, s.message(r, c, m, states))
		th.Last = m.ID
		th.Masked = th.Masked || m.Masked
	}
	th.Locked, th.Open = s.lock(r, c, owner)
	if c.State == support.Queued && th.Open != nil {
		agents, err := s.Chat.Agents(ctx)
		if err != nil {
			return th, err
		}
		th.Locked = unassignedNote(r, th.Locked, support.WhyUnassigned(agents, c.Language), c.Language)
	}
	th.Buttons, th.Reach = buttons(r, c), reach(r, c)
	return th, nil
}

func (s Services) title(r *desk.Request, c support.Conversation) string {
	if c.TraderID != nil {
		return r.Word("chat.trader", "id", number(*c.TraderID))
	}
	return r.Word("chat.visitor", "number", c.ID)
}

func chips(r *desk.Request, c support.Conversation, owner string) (out []ui.ChipView) {
	switch {
	case c.State == support.Resolved || c.State == support.Closed:
		out = append(out, ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: r.Word("chat.state." + string(c.State))})
	case c.OwnedBy(r.Member.ID):
		out = append(out, ui.ChipView{Tone: ui.ToneAccent, Icon: ui.IconPerson, Label: r.Word("chat.yours")})
	case c.AgentID != nil:
		out = append(out, ui.ChipView{Icon: ui.IconLock, Label: owner})
	default:
		out = append(out, ui.ChipView{Icon: ui.IconClock, Label: r.Word("chat.state." + string(c.State))})
	}
	if c.Woken() {
		out = append(out, ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconSnooze, Label: r.Word("chat.woken")})
	}
	if c.Priority != support.Normal {
		out = append(out, priorityChip(r, c.Priority))
	}
	for _, label := range c.About() {
		out = append(out, ui.ChipView{Outline: true, Label: r.Word("chat.label." + label)})
	}
	if c.Rating != nil {
		out = append(out, ui.ChipView{Label: r.Word("chat.rating", "rating", *c.Rating)})
	}
	return out
}

func (s Services) bar(r *desk.Request, c support.Conversation, rules support.Rules) chatview.Bar {
	b := chatview.Bar{Due: due(r, c, rules), Number: r.Word("chat.number", "number", c.ID), Theirs: theirs(r, c)}
	clock, runs := rules.Clock(c, r.Now())
	switch {
	case runs:
		b.State = r.Word("chat.target."+string(clock.Target), "time", limit(r, clock.Limit))
	case c.State == support.Snoozed:
		b.State = r.Word("chat.until", "at", at(r, *c.SnoozedUntil))
	default:
		b.State = r.Word("chat.state." + string(c.State))
	}
	for _, a := range s.Chat.Activities(c.ID) {
		switch {
		case a.Typing && a.AgentID == 0:
			b.Typing = r.Word("chat.types.customer")
		case a.Typing && a.AgentID != r.Member.ID:
			b.Typing = r.Word("chat.types", "name", a.Name)
		}
	}
	return b
}

// theirs is the customer's local time; empty while their zone is unknown.
func theirs(r *desk.Request, c support.Conversation) string {
	zone, known := c.Location()
	if !known {
		return ""
	}
	return r.Word("chat.theirs", "time", r.Now().In(zone).Format("15:04"), "zone", ui.ZoneName(r.Now(), zone))
}

// viewers are the other agents viewing the thread.
func (s Services) viewers(r *desk.Request, c support.Conversation) (out []ui.AvatarView) {
	for _, a := range s.Chat.Activities(c.ID) {
		if a.AgentID != 0 && a.AgentID != r.Member.ID && !a.Typing {
			out = append(out, ui.AvatarView{Initials: desk.Initials(a.Name), Name: a.Name, Small: true})
		}
	}
	return out
}

// lock says why the member can't answer, with the button that unlocks answering.
func (s Services) lock(r *desk.Request, c support.Conversation, owner string) (why string, open *ui.ButtonView) {
	button := func(label, act, key string) *ui.ButtonView {
		return &ui.ButtonView{Label: r.Word(label), Size: ui.Small, Kind: ui.Primary, Submit: true, Key: key, Value: act}
	}
	switch {
	case !r.May(access.ChatAnswer):
		return r.Word("chat.locked.looks"), nil
	case c.State == support.Closed:
		return r.Word("chat.locked.closed"), nil
	case c.State == support.Resolved:
		return r.Word("chat.locked.resolved"), button("chat.reopen", "reopening", "O")
	case c.AgentID == nil:
		return r.Word("chat.locked.nobody"), button("chat.claim", "claim", "C")
	case !c.OwnedBy(r.Member.ID):
		return r.Word("chat.locked.other", "name", owner), button("chat.take_over", "take-over", "G")
	}
	return "", nil
}

// buttons are the acts on the member's own conversations; a lead may also hand on those of others.
func buttons(r *desk.Request, c support.Conversation) (out []ui.ButtonView) {
	if !r.May(access.ChatAnswer) {
		return nil
	}
	own := c.OwnedBy(r.Member.ID) && c.Live()
	if c.State != support.Closed {
		out = append(out, ui.ButtonView{ID: "chat-labels", Label: r.Word("chat.labels"), Icon: ui.IconFlag, Kind: ui.Ghost, Size: ui.Small, Square: true, Key: "B", HX: ui.OpenDialog(ui.To(home+"/{}/labels", c.ID))})
	}
	switch {
	case own && c.State == support.Snoozed:
		out = append(out, ui.ButtonView{ID: "chat-wake", Label: r.Word("chat.wake"), Icon: ui.IconUndo, Kind: ui.Ghost, Size: ui.Small, Square: true, Key: "H", HX: ui.HX{Post: ui.To(home+"/{}/waking", c.ID), Target: ui.TargetDetail, Swap: ui.SwapInside}})
	case own:
		out = append(out, ui.ButtonView{ID: "chat-snooze", Label: r.Word("chat.snooze"), Icon: ui.IconSnooze, Kind: ui.Ghost, Size: ui.Small, Square: true, Key: "H", HX: ui.OpenDialog(ui.To(home+"/{}/snooze", c.ID))})
	}
	out = append(out, handOn(r, c)...)
	if own || c.Live() && c.AgentID != nil && r.May(access.ChatLead) {
		out = append(out, ui.ButtonView{ID: "chat-transfer", Label: r.Word("chat.transfer"), Icon: ui.IconSwap, Kind: ui.Ghost, Size: ui.Small, Square: true, Key: "T", HX: ui.OpenDialog(ui.To(home+"/{}/transfer", c.ID))})
	}
	if own {
		out = append(out, ui.ButtonView{ID: "chat-macros", Label: r.Word("chat.macros"), Icon: ui.IconBolt, Kind: ui.Ghost, Size: ui.Small, Square: true, Key: "M", HX: ui.OpenDialog(ui.To(home+"/{}/macros", c.ID))})
		out = append(out, ui.ButtonView{ID: "chat-resolve", Label: r.Word("chat.resolve"), Size: ui.Small, Key: "E", Class: "chat-resolve"})
	}
	return out
}

func (s Services) message(r *desk.Request, c support.Conversation, m support.Message, states map[int64]mail.State) chatview.Message {
	v := chatview.Message{
		ID: m.ID, ClientID: m.ClientID, Out: m.Author == support.ByAgent, Note: m.Kind == support.Note, Body: plain(m.Body), Masked: m.Masked, Meta: at(r, m.At), UTC: ui.Stamp(m.At), Lang: "",
	}
	switch m.Kind {
	case support.System:
		v.Event = event(r, m)
		return v
	case support.Mail, support.PhoneCall:
		v.Note, v.Meta = true, m.StaffName+" · "+v.Meta
		v.Icon, v.Title, v.State, v.Tone = logged(r, m, states)
	case support.Note:
		v.Meta = m.StaffName + " · " + v.Meta
	case support.Picture:
		v.Image, v.Alt = ui.To(home+"/{}/pictures/{}", c.ID, *m.Picture), r.Word("chat.picture.of", "name", s.title(r, c))
		v.Pages = pages(r, m.Pages)
	case support.Card:
		v.Card = card(r, c, m)
	case support.Text:
	}
	if m.Author == support.ByAgent && !m.OwnedBy(r.Member.ID) && !v.Note {
		v.Meta = m.StaffName + " · " + v.Meta
	}
	if v.Out && !v.Note {
		switch {
		case m.ID <= c.CustomerRead:
			v.Tick = chatview.Read
		case m.ID <= c.CustomerGot:
			v.Tick = chatview.Delivered
		default:
			v.Tick = chatview.Sent
		}
		v.TickWord = r.Word("chat.tick." + string(v.Tick))
	}
	return v
}

// event is the line of the thread for a system message.
func event(r *desk.Request, m support.Message) string {
	if rating, words, rated := m.Rated(); rated {
		return r.Word("chat.event.rated", "rating", rating, "words", plain(words))
	}
	if m.StaffName == "" {
		return r.Word("chat.event." + m.Body[len("chat."):] + ".alone")
	}
	body, number, _ := strings.Cut(m.Body[len("chat."):], " ") // the number of what the event is about, if there is one
	name := m.StaffName
	if m.OwnedBy(r.Member.ID) {
		name = r.Word("chat.event.you")
	}
	return r.Word("chat.event."+body, "name", name, "number", number)
}

// card is a case or order that the customer shared; it links to its page if the member may see that.
func card(r *desk.Request, c support.Conversation, m support.Message) *chatview.Linked {
	v := &chatview.Linked{Kind: r.Word("chat.card." + m.CardKind), Number: m.CardNumber()}
	switch m.CardKind {
	case "order": // an order has no page of its own: it links to the trader's orders
		v.Number = "#" + v.Number
		if r.May(access.TraderView) && c.TraderID != nil {
			v.Href = ui.To("/admin/traders/{}/orders", *c.TraderID).String()
		}
	case "withdrawal":
		if r.May(access.WithdrawalView) {
			v.Href = ui.To("/admin/withdrawals/{}", *m.CardID).String()
		}
	case "deposit":
		if r.May(access.DepositView) {
			v.Href = ui.To("/admin/deposits/{}", *m.CardID).String()
		}
	}
	return v
}

// pages tells how many pages the PDF behind a picture has; empty for a picture.
func pages(r *desk.Request, count int) string {
	switch {
	case count == 0:
		return ""
	case count > upload.PDFPages:
		return r.Word("chat.pdf.cut", "count", count, "shown", upload.PDFPages)
	}
	return r.Word("chat.pdf", "count", count)
}

// picture answers with a picture of the thread, watermarked with the viewer.
func (s Services) picture(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if err := r.MayShow(); err != nil {
		return err
	}
	raw, err := s.Chat.PictureOf(ctxOf(r), id, r.Param("name"))
	if err != nil {
		return err
	}
	return r.SendPicture(raw, "chat-"+number(id))
}

// upload stores a member's picture or the pages of their PDF, and answers with its name.
func (s Services) upload(r *desk.Request) error {
	form, err := s.Uploads.Form(r.Response(), r.Request(), r.Sender(), upload.Paper)
	if errors.Is(err, upload.ErrMissing) {
		return support.ErrPicture
	}
	if err != nil {
		return err
	}
	name, err := s.Chat.UploadOf(ctxOf(r), r.Member.ID, form.Picture)
	if err != nil {
		return err
	}
	return r.String(http.StatusOK, name)
}

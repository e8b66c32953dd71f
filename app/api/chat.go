package api

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"

	"github.com/labstack/echo/v5"

	"candor/app/platform/i18n"
	"candor/app/platform/upload"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/trader"
)

// questions are what is often asked, as keys of the app's texts.
var questions = []string{"kefu.question.deposit", "kefu.question.withdrawal", "kefu.question.identity", "kefu.question.price", "kefu.question.security"}

// builtIn and byAgents are the types of the chat; the switch names one.
const (
	builtIn  = 1
	byAgents = 2
)

// customer is who talks to support: the session's trader, or the visitor that the header names.
func (d *Door) customer(c *echo.Context) (support.Customer, error) {
	h := c.Request().Header
	from := support.Customer{Language: d.spoken(c), IP: c.RealIP(), Visitor: h.Get("visitor")}
	token := h.Get("apptoken")
	if token == "" {
		return from, nil
	}
	p, err := d.Sessions.Check(c.Request().Context(), token)
	c.Set(principalKey, p)
	from.TraderID, from.Guest = p.TraderID, p.Guest()
	return from, err
}

// spoken is the language of the app, by which the desk has its queues; English where it is none of the product's.
func (d *Door) spoken(c *echo.Context) string {
	if code := language(c); d.speaks(code) {
		return code
	}
	return i18n.Reference
}

// FindKefuConfig answers how the chat works just now.
func (d *Door) FindKefuConfig(c *echo.Context) error {
	table, err := d.Chat.Timetable(c.Request().Context())
	if err != nil {
		return err
	}
	now, hours := d.now(), table.For(d.spoken(c))
	out := KefuConfig{Type: builtIn, Open: hours.Open(now), Hours: []KefuDay{}, MaxImageBytes: upload.MaxBytes, Questions: questions, TargetSeconds: int(support.Target.Seconds())}
	if d.Switches.For(switches.KefuKey, d.viewer(c)) == "2" {
		out.Type = byAgents
	}
	changes := hours.Next(now)
	if out.Open {
		changes = hours.Until(now)
	}
	if !changes.IsZero() {
		ms := changes.UnixMilli()
		out.ChangesAt = &ms
	}
	for _, day := range hours {
		out.Hours = append(out.Hours, KefuDay{Weekday: int(day.Weekday), Opens: day.Opens, Closes: day.Closes, Zone: day.Zone})
	}
	return d.reply(c, out)
}

// FindMessageList answers the conversation after a message.
func (d *Door) FindMessageList(c *echo.Context, params FindMessageListParams) error {
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	thread, err := d.Chat.Read(c.Request().Context(), from, given(params.After))
	if err != nil {
		return err
	}
	unread, err := d.Chat.Unread(c.Request().Context(), from)
	if err != nil {
		return err
	}
	out := ChatThread{List: chatMessages(thread.List), More: thread.More, Unread: unread, Earlier: nonZero(thread.Earlier)}
	if thread.ID != 0 {
		state := ChatState(thread.State)
		out.ConvId, out.State, out.AgentGot, out.AgentRead, out.ReadUpTo = &thread.ID, &state, &thread.AgentGot, &thread.AgentRead, &thread.CustomerRead
		out.AgentName, out.Position, out.Typing, out.Rateable = nonZero(thread.AgentName), nonZero(thread.Position), nonZero(thread.Typing), nonZero(thread.Rateable())
	}
	return d.reply(c, out)
}

// FindEarlierList answers the conversations that are closed, before a message.
func (d *Door) FindEarlierList(c *echo.Context, params FindEarlierListParams) error {
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	before := int64(math.MaxInt64)
	if params.Before != nil {
		before = *params.Before
	}
	list, more, err := d.Chat.Earlier(c.Request().Context(), from, before)
	if err != nil {
		return err
	}
	return d.reply(c, ChatEarlier{List: chatMessages(list), More: more})
}

func chatMessages(list []support.Message) []ChatMessage {
	out := []ChatMessage{}
	for _, m := range list {
		out = append(out, chatMessage(m))
	}
	return out
}

func chatMessage(m support.Message) ChatMessage {
	out := ChatMessage{
		Id: m.ID, ConvId: m.ConversationID, ClientId: m.ClientID, SenderType: ChatMessageSenderType(m.Author), SenderName: nonZero(m.StaffName), Type: ChatMessageType(m.Kind), Body: m.Body,
		Masked: nonZero(m.Masked), Image: m.Picture, CardId: m.CardID, CreatedAt: m.At.UnixMilli(),
	}
	if m.CardKind != "" {
		kind := ChatCardKind(m.CardKind)
		out.CardKind = &kind
	}
	return out
}

// WireMessage is a message in the words of the client.
func (d *Door) WireMessage(m support.Message) any { return chatMessage(m) }

// InsertMessage keeps what a customer says.
func (d *Door) InsertMessage(c *echo.Context, _ InsertMessageParams) error {
	in, _, err := body[InsertMessage](c)
	if err != nil {
		return err
	}
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	from.Zone = given(in.Zone)
	m, err := d.Chat.Say(c.Request().Context(), from, support.Draft{
		ID: in.MessageId, Text: given(in.Text), Picture: given(in.Image), CardKind: string(given(in.CardKind)), CardID: given(in.CardId),
	})
	if err != nil {
		return err
	}
	return d.reply(c, chatMessage(m))
}

// UpdateUserRead notes how far a customer has come.
func (d *Door) UpdateUserRead(c *echo.Context, _ UpdateUserReadParams) error {
	in, _, err := body[UpdateUserRead](c)
	if err != nil {
		return err
	}
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	if err := d.Chat.Mark(c.Request().Context(), from, in.LastId, in.Read); err != nil {
		return err
	}
	return d.unread(c, from)
}

// FindUserReadCount answers what a customer has not read.
func (d *Door) FindUserReadCount(c *echo.Context, _ FindUserReadCountParams) error {
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	return d.unread(c, from)
}

func (d *Door) unread(c *echo.Context, from support.Customer) error {
	n, err := d.Chat.Unread(c.Request().Context(), from)
	if err != nil {
		return err
	}
	return d.reply(c, UnreadCount{Unread: n})
}

// PlusUser lets a customer come to the agents' chat; the uuid of the body is a visitor's.
func (d *Door) PlusUser(c *echo.Context) error {
	in, _, err := body[PlusUser](c)
	if err != nil {
		return err
	}
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	if from.TraderID == 0 {
		from.Visitor = in.Uuid
	}
	return d.unread(c, from)
}

// UploadKefuImage keeps a picture that is to be sent.
func (d *Door) UploadKefuImage(c *echo.Context, _ UploadKefuImageParams) error {
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	form, err := d.picture(c, from.Sender(), func(ctx context.Context) error { return d.Chat.MayUpload(ctx, from) })
	if err != nil {
		return err
	}
	name, err := d.Chat.Upload(c.Request().Context(), from, form.Picture)
	if err != nil {
		return err
	}
	return d.reply(c, UploadedFile{File: name, Width: form.Picture.Width, Height: form.Picture.Height})
}

// FindKefuImage answers a picture of the customer's conversation.
func (d *Door) FindKefuImage(c *echo.Context, params FindKefuImageParams) error {
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	bytes, err := d.Chat.PictureFor(c.Request().Context(), from, params.Name)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", "attachment")
	return c.Blob(http.StatusOK, "image/jpeg", bytes)
}

// UpdateTyping tells the desk that a customer types.
func (d *Door) UpdateTyping(c *echo.Context, _ UpdateTypingParams) error {
	in, _, err := body[UpdateTyping](c)
	if err != nil {
		return err
	}
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	if err := d.Chat.CustomerTypes(c.Request().Context(), from, in.Typing); err != nil {
		return err
	}
	return d.reply(c, nil)
}

// InsertRating keeps what a customer thinks of how a conversation was resolved.
func (d *Door) InsertRating(c *echo.Context, _ InsertRatingParams) error {
	in, _, err := body[InsertRating](c)
	if err != nil {
		return err
	}
	from, err := d.customer(c)
	if err != nil {
		return err
	}
	if err := d.Chat.Rate(c.Request().Context(), from, in.Rating, given(in.Comment)); err != nil {
		return err
	}
	return d.reply(c, nil)
}

// adopt gives a trader who has come in with a password what their device said as a visitor. Nobody is kept out because it can't be done.
func (d *Door) adopt(c *echo.Context, t trader.Trader, device string) {
	err := d.Chat.Adopt(c.Request().Context(), t.Acting(from(c)), device)
	if err != nil && !errors.Is(err, support.ErrVisitor) {
		slog.Error("what a visitor said could not be given to the trader", "trader", t.ID, "trace", traceID(c), "error", err)
	}
}

// note remembers a refusal for support to find, where a session is behind it.
func (d *Door) note(c *echo.Context, code string) {
	if p := principal(c); p.TraderID != 0 && d.Chat != nil {
		d.Chat.Note(p.TraderID, support.Refusal{Code: code, Call: c.Path(), TraceID: traceID(c), At: d.now()})
	}
}

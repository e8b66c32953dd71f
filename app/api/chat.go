package api

import (
	"candor/app/wire"
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/platform/i18n"
	"candor/app/platform/upload"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/trader"
)

// questions are the frequent questions, as keys of the app's texts.
var questions = []string{"kefu.question.deposit", "kefu.question.withdrawal", "kefu.question.identity", "kefu.question.price", "kefu.question.security"}

// builtIn and byAgents are the chat types; a switch selects one.
const (
	builtInChat = 1
	agentChat   = 2
)

// customer is the support customer: the session's trader, or the visitor named by the header.
func (srv *Server) customer(c *echo.Context) (support.Customer, error) {
	h := c.Request().Header
	from := support.Customer{Language: srv.supportLanguage(c), IP: c.RealIP(), Visitor: h.Get("visitor")}
	token := h.Get("apptoken")
	if token == "" {
		return from, nil
	}
	p, err := srv.Sessions.Check(c.Request().Context(), token, device(c, ""))
	c.Set(principalKey, p)
	from.TraderID, from.Guest = p.TraderID, p.Guest()
	return from, err
}

// supportLanguage is the app's language, which selects the support queue; English when the product does not support it.
func (srv *Server) supportLanguage(c *echo.Context) string {
	if code := language(c); srv.supportsLanguage(code) {
		return code
	}
	return i18n.Reference
}

// FindKefuConfig returns the current state of the chat.
func (srv *Server) FindKefuConfig(c *echo.Context) error {
	rules, err := srv.Chat.Rules(c.Request().Context())
	if err != nil {
		return err
	}
	language := srv.supportLanguage(c)
	now, hours, target := srv.now(), rules.Hours.For(language), rules.Times.For(language)[support.Normal][support.FirstReply]
	out := wire.KefuConfig{Type: builtInChat, Open: hours.Open(now), Hours: weekOf(hours), Holidays: holidaysOf(hours, now), MaxImageBytes: upload.MaxBytes, Questions: questions, TargetSeconds: wire.NonZero(int(target.Seconds()))}
	if srv.Switches.For(switches.KefuKey, srv.viewer(c)) == "2" {
		out.Type = agentChat
	}
	changes := hours.Next(now)
	if out.Open {
		changes = hours.Until(now)
	}
	if !changes.IsZero() {
		ms := changes.UnixMilli()
		out.ChangesAt = &ms
	}
	return srv.reply(c, out)
}

func weekOf(hours support.Hours) []wire.KefuDay {
	out := []wire.KefuDay{}
	for weekday, spans := range hours.Week {
		for _, s := range spans {
			out = append(out, wire.KefuDay{Weekday: weekday, Opens: s.Opens, Closes: s.Closes, Zone: hours.Zone})
		}
	}
	return out
}

func holidaysOf(hours support.Hours, now time.Time) []wire.KefuHoliday {
	out := []wire.KefuHoliday{}
	for _, d := range hours.Coming(now, support.HolidaysAhead) {
		holiday := wire.KefuHoliday{Day: d.Date.Format(time.DateOnly), Spans: []wire.KefuSpan{}}
		for _, p := range hours.On(d.Date) {
			holiday.Spans = append(holiday.Spans, wire.KefuSpan{From: p.From.UnixMilli(), To: p.To.UnixMilli()})
		}
		out = append(out, holiday)
	}
	return out
}

// FindMessageList returns the messages of the conversation after a message.
func (srv *Server) FindMessageList(c *echo.Context, params wire.FindMessageListParams) error {
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	thread, err := srv.Chat.Read(c.Request().Context(), from, valueOrZero(params.After))
	if err != nil {
		return err
	}
	unread, err := srv.Chat.Unread(c.Request().Context(), from)
	if err != nil {
		return err
	}
	out := wire.ChatThread{List: chatMessages(thread.List), More: thread.More, Unread: unread, Earlier: wire.NonZero(thread.Earlier)}
	if thread.ID != 0 {
		state := wire.ChatState(thread.State)
		out.ConvId, out.State, out.AgentGot, out.AgentRead, out.ReadUpTo = &thread.ID, &state, &thread.AgentGot, &thread.AgentRead, &thread.CustomerRead
		out.EstimateSeconds = wire.NonZero(int(math.Ceil(thread.Estimate.Seconds())))
		out.AgentName, out.Position, out.Typing, out.Rateable = wire.NonZero(thread.AgentName), wire.NonZero(thread.Position), wire.NonZero(thread.Typing), wire.NonZero(thread.Rateable())
	}
	return srv.reply(c, out)
}

// FindEarlierList returns the closed conversations before a message.
func (srv *Server) FindEarlierList(c *echo.Context, params wire.FindEarlierListParams) error {
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	before := int64(math.MaxInt64)
	if params.Before != nil {
		before = *params.Before
	}
	list, more, err := srv.Chat.Earlier(c.Request().Context(), from, before)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.ChatEarlier{List: chatMessages(list), More: more})
}

func chatMessages(list []support.Message) []wire.ChatMessage {
	out := []wire.ChatMessage{}
	for _, m := range list {
		out = append(out, wire.MessageOf(m))
	}
	return out
}

// InsertMessage stores a customer's message.
func (srv *Server) InsertMessage(c *echo.Context, _ wire.InsertMessageParams) error {
	in, _, err := body[wire.InsertMessage](c)
	if err != nil {
		return err
	}
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	from.Zone = valueOrZero(in.Zone)
	m, err := srv.Chat.Send(c.Request().Context(), from, support.Draft{
		ID: in.MessageId, Text: valueOrZero(in.Text), Picture: valueOrZero(in.Image), CardKind: string(valueOrZero(in.CardKind)), CardID: valueOrZero(in.CardId),
	})
	if err != nil {
		return err
	}
	return srv.reply(c, wire.MessageOf(m))
}

// UpdateUserRead moves a customer's read receipt.
func (srv *Server) UpdateUserRead(c *echo.Context, _ wire.UpdateUserReadParams) error {
	in, _, err := body[wire.UpdateUserRead](c)
	if err != nil {
		return err
	}
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	if err := srv.Chat.MarkRead(c.Request().Context(), from, in.LastId, in.Read); err != nil {
		return err
	}
	return srv.unread(c, from)
}

// FindUserReadCount returns the number of unread messages.
func (srv *Server) FindUserReadCount(c *echo.Context, _ wire.FindUserReadCountParams) error {
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	return srv.unread(c, from)
}

func (srv *Server) unread(c *echo.Context, from support.Customer) error {
	n, err := srv.Chat.Unread(c.Request().Context(), from)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.UnreadCount{Unread: n})
}

// PlusUser admits a customer to the agents' chat; the uuid of the body is a visitor's.
func (srv *Server) PlusUser(c *echo.Context) error {
	in, _, err := body[wire.PlusUser](c)
	if err != nil {
		return err
	}
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	if from.TraderID == 0 {
		from.Visitor = in.Uuid
	}
	return srv.unread(c, from)
}

// UploadKefuImage stores a picture, or the pages of a PDF, to send.
func (srv *Server) UploadKefuImage(c *echo.Context, _ wire.UploadKefuImageParams) error {
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	form, err := srv.picture(c, from.Sender(), upload.Paper, func(ctx context.Context) error { return srv.Chat.MayUpload(ctx, from) })
	if err != nil {
		return err
	}
	name, err := srv.Chat.Upload(c.Request().Context(), from, form.Picture)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.UploadedFile{File: name, Width: form.Picture.Width, Height: form.Picture.Height, Pages: wire.NonZero(form.Picture.Pages)})
}

// FindKefuImage returns a picture of the customer's conversation.
func (srv *Server) FindKefuImage(c *echo.Context, params wire.FindKefuImageParams) error {
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	bytes, err := srv.Chat.PictureFor(c.Request().Context(), from, params.Name)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", "attachment")
	return c.Blob(http.StatusOK, "image/jpeg", bytes)
}

// UpdateTyping publishes that a customer is typing.
func (srv *Server) UpdateTyping(c *echo.Context, _ wire.UpdateTypingParams) error {
	in, _, err := body[wire.UpdateTyping](c)
	if err != nil {
		return err
	}
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	if err := srv.Chat.CustomerTypes(c.Request().Context(), from, in.Typing); err != nil {
		return err
	}
	return srv.reply(c, nil)
}

// InsertRating stores a customer's rating of a resolved conversation.
func (srv *Server) InsertRating(c *echo.Context, _ wire.InsertRatingParams) error {
	in, _, err := body[wire.InsertRating](c)
	if err != nil {
		return err
	}
	from, err := srv.customer(c)
	if err != nil {
		return err
	}
	if err := srv.Chat.Rate(c.Request().Context(), from, in.Rating, valueOrZero(in.Comment)); err != nil {
		return err
	}
	return srv.reply(c, nil)
}

// SendTranscript mails a trader's conversation to the trader.
func (srv *Server) SendTranscript(c *echo.Context) error {
	in, _, err := body[wire.SendTranscript](c)
	if err != nil {
		return err
	}
	t, _, err := srv.Traders.Find(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	if err := srv.Chat.MailTranscript(c.Request().Context(), t.Acting(from(c)), in.ConvId); err != nil {
		return err
	}
	return srv.reply(c, nil)
}

// mergeVisitor merges the device's visitor conversation into the trader's after a password log-in. A failure does not block the log-in.
func (srv *Server) mergeVisitor(c *echo.Context, t trader.Trader, device string) {
	err := srv.Chat.MergeVisitor(c.Request().Context(), t.Acting(from(c)), device)
	if err != nil && !errors.Is(err, support.ErrVisitor) {
		slog.Error("what a visitor said could not be given to the trader", "trader", t.ID, "trace", traceID(c), "error", err)
	}
}

// recordRefusal records a refusal for support agents when the request has a session.
func (srv *Server) recordRefusal(c *echo.Context, code string) {
	if p := principal(c); p.TraderID != 0 && srv.Chat != nil {
		srv.Chat.RecordRefusal(p.TraderID, support.Refusal{Code: code, Call: c.Path(), TraceID: traceID(c), At: srv.now()})
	}
}

package stream

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"time"

	"candor/app/market"
	"candor/app/support"
	"candor/app/trading"
	"candor/app/wire"
)

// sendChange sends an account's sockets a fill, the new state of a pending order, or a cash movement.
func (h *Hub) sendChange(ctx context.Context, subject string, data []byte) {
	c, err := trading.ReadChange(subject, data)
	if err != nil {
		return
	}
	sockets := h.register.ofAccount(c.AccountID)
	if len(sockets) == 0 {
		return
	}
	event, err := h.describe(ctx, c)
	if err != nil {
		slog.Error("a change can't be told", "account", c.AccountID, "fill", c.FillID, "order", c.OrderID, "error", err)
		return
	}
	if err := sendPrivate(sockets, typeOrder, event); err != nil {
		slog.Error("a change can't be encoded", "account", c.AccountID, "error", err)
	}
}

func (h *Hub) describe(ctx context.Context, c trading.Change) (event orderEvent, err error) {
	event.Event = "balance"
	if c.CallID != 0 {
		v, err := h.trading.Value(ctx, c.AccountID)
		totals := wire.StatisticsOf(v.Totals())
		return orderEvent{Event: "margin_call", Statistics: &totals}, err
	}
	if c.OrderID != 0 {
		o, err := h.trading.Order(ctx, c.AccountID, c.OrderID)
		if err != nil {
			return event, err
		}
		order := h.convert.Order(o)
		event.Event, event.Order = "order", &order
	}
	if c.FillID != 0 {
		fill, position, err := h.trading.FillWithPosition(ctx, c.AccountID, c.FillID)
		if err != nil {
			return event, err
		}
		filled, after := h.convert.Fill(fill), h.convert.Position(position)
		event.Event, event.Fill, event.Position = "fill", &filled, &after
	}
	return event, nil
}

// Valued sends an account's valuation to its sockets; the engine calls it.
func (h *Hub) Valued(v trading.Valuation) {
	sockets := h.register.ofAccount(v.Account.ID)
	if len(sockets) == 0 {
		return
	}
	balance := balanceEvent{Statistics: wire.StatisticsOf(v.Totals()), Positions: h.convert.Positions(v)}
	if err := sendPrivate(sockets, typeBalance, balance); err != nil {
		slog.Error("an account's worth can't be encoded", "account", v.Account.ID, "error", err)
	}
}

// sendTickers sends 24-hour figures: crypto as the currency ticker, the rest as the foreign one.
func (h *Hub) sendTickers() {
	crypto, foreign := []tickerLine{}, []tickerLine{}
	for _, p := range h.market.Products() {
		f := h.market.Figures(p.ID)
		if f.Close == 0 {
			continue
		}
		t := tickerLine{p.ID, p.FormatPrice(f.Open), p.FormatPrice(f.Close), p.FormatPrice(f.High), p.FormatPrice(f.Low)}
		if p.Class == market.Crypto {
			crypto = append(crypto, t)
		} else {
			foreign = append(foreign, t)
		}
	}
	for kind, lines := range map[int][]tickerLine{typeCurrencyTicker: crypto, typeForeignTicker: foreign} {
		text, err := json.Marshal(message{Type: kind, Data: lines})
		if err != nil {
			continue
		}
		frame := appendFrame(nil, textFrame, text)
		for _, c := range h.register.all() {
			if c.wantsTickers.Load() {
				c.offer(frame)
			}
		}
	}
}

// sendSwitches notifies every app that a switch has changed.
func (h *Hub) sendSwitches() {
	if err := sendPrivate(h.register.all(), typeControl, controlEvent{"switches"}); err != nil {
		slog.Error("a changed switch can't be told", "error", err)
	}
}

// sendChat sends a trader's or visitor's sockets the events of their conversation, without the agents' notes.
func (h *Hub) sendChat(e support.Event) {
	reader := person{e.TraderID, e.Visitor}
	if reader == (person{}) {
		return
	}
	event := chatEvent{Event: "chat", State: string(e.State), AgentGot: e.AgentGot, AgentRead: e.AgentRead, ReadUpTo: e.Customer, Rateable: e.Rateable}
	switch {
	case e.Message != nil && e.Message.Private:
		return
	case e.Message != nil:
		message := wire.MessageOf(*e.Message)
		event.Message = &message
	case e.Activity != nil && (e.Activity.AgentID == 0 || !e.Activity.Typing):
		return
	case e.Activity != nil:
		typing := e.Activity.Until.After(time.Now())
		event.Typing = &typing
	}
	if err := sendPrivate(h.register.of(reader), typeUser, event); err != nil {
		slog.Error("news of a conversation can't be encoded", "conversation", e.ConversationID, "error", err)
	}
}

// sendNotices notifies every app that the published notices have changed.
func (h *Hub) sendNotices() {
	if err := sendPrivate(h.register.all(), typeControl, controlEvent{"notices"}); err != nil {
		slog.Error("what is published can't be told", "error", err)
	}
}

// sendMessage notifies a trader's sockets of a new message, with the number of unread ones.
func (h *Hub) sendMessage(ctx context.Context, data []byte) {
	trader, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return
	}
	sockets := h.register.of(person{trader: trader})
	if len(sockets) == 0 {
		return
	}
	unread, err := h.notices.UnreadMessages(ctx, trader)
	if err == nil {
		err = sendPrivate(sockets, typeUser, messageEvent{Event: "message", Unread: unread})
	}
	if err != nil {
		slog.Error("a message can't be told", "trader", trader, "error", err)
	}
}

package tradedesk

import (
	"slices"

	"candor/admin/desk"
	"candor/app/platform/mail"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// messagesShown is how many messages the card has.
const messagesShown = 30

// messageCard lists the latest messages to a trader's address and telephone, without what they say: whether they were sent is what an agent is asked.
func (s Services) messageCard(r *desk.Request, sub subject) (tradeview.Card, error) {
	card := tradeview.Card{
		Title: sub.t("trader.messages"), Note: sub.t("trader.messages.note"),
		Table: ui.GridView{Caption: sub.t("trader.messages"), Empty: sub.t("trader.messages.none"), Columns: sub.columns("message", "channel", "state", "#written", "#sent")},
	}
	var list []mail.Message
	for _, to := range []*string{sub.trader.Email, sub.trader.Phone} {
		if to == nil {
			continue
		}
		some, _, err := s.Outbox.Page(sub.ctx, mail.Filter{Recipient: *to}, 0, messagesShown)
		if err != nil {
			return card, err
		}
		list = append(list, some...)
	}
	slices.SortFunc(list, func(a, b mail.Message) int { return b.CreatedAt.Compare(a.CreatedAt) })
	for _, m := range list[:min(len(list), messagesShown)] {
		sent := ui.Cell{Text: "—", Muted: true}
		if m.SentAt != nil {
			sent = sub.when(*m.SentAt)
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: r.MessageKind(m), Strong: true}, {Text: sub.t("trader.messages." + string(m.Channel)), Muted: true}, {Chips: []ui.ChipView{r.MessageState(m)}}, sub.when(m.CreatedAt), sent,
		}})
	}
	return card, nil
}

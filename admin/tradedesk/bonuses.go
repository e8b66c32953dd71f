package tradedesk

import (
	"candor/app/bonus"
	"candor/app/platform/money"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// bonusCard shows the trader's bonuses, and what losses have left of each; none without any.
func (s Services) bonusCard(sub subject) ([]tradeview.Card, error) {
	list, campaigns, err := s.Bonuses.Of(sub.ctx, sub.trader.ID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	card := tradeview.Card{
		Title: sub.t("trader.bonuses"),
		Table: ui.GridView{Caption: sub.t("trader.bonuses"), Columns: sub.columns("bonus", "what", "bonus_state", "#bonus_amount", "#bonus_left", "#bonus_expires")},
	}
	for _, b := range list {
		kind := "gift"
		if b.CampaignID != nil {
			kind = string(campaigns[*b.CampaignID].Rule)
		}
		left, expires := ui.Cell{Text: unknown, Muted: true}, ui.Cell{Text: unknown, Muted: true}
		if b.State == bonus.Active {
			left = ui.Cell{Text: sub.figures.Full(b.Remaining, money.Scale), Strong: true}
		}
		if b.ExpiresAt != nil {
			expires = sub.when(*b.ExpiresAt)
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: b.Number(), Ident: true}, {Text: sub.t("bonus.kind." + kind)}, {Text: sub.t("bonus.state." + string(b.State)), Strong: true}, {Text: sub.figures.Full(b.Amount, money.Scale)}, left, expires,
		}})
	}
	return []tradeview.Card{card}, nil
}

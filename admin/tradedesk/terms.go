package tradedesk

import (
	"candor/app/notice"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// termsCard shows which revisions of the terms a trader accepted by registering, and when. A guest has accepted none.
func (s Services) termsCard(sub subject) ([]tradeview.Card, error) {
	if sub.trader.AcceptedAt.IsZero() {
		return nil, nil
	}
	card := tradeview.Card{
		Title: sub.t("trader.terms"),
		Table: ui.GridView{Caption: sub.t("trader.terms"), Columns: sub.columns("page", "revision", "#accepted")},
	}
	for _, key := range notice.AcceptedPages() {
		revision, _, err := s.Notices.Accepted(sub.ctx, sub.trader.ID, key)
		if err != nil {
			return nil, err
		}
		text := ui.Cell{Text: sub.t("trader.terms.none"), Muted: true}
		if revision > 0 {
			text = ui.Cell{Text: sub.t("trader.terms.revision", "number", revision)}
		}
		accepted := ui.Cell{Text: sub.dated(sub.trader.AcceptedAt), Title: ui.Stamp(sub.trader.AcceptedAt), Muted: true}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{{Text: sub.t("trader.terms." + key), Strong: true}, text, accepted}})
	}
	return []tradeview.Card{card}, nil
}

package tradedesk

import (
	"errors"
	"strconv"

	"candor/app/score"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// scoreCard shows the trader's credit score with its facts. Nothing on the page changes it, and nothing is decided by it.
func (s Services) scoreCard(sub subject) ([]tradeview.Card, error) {
	latest, err := s.Scores.Latest(sub.ctx, sub.trader.ID)
	if errors.Is(err, score.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	card := tradeview.Card{
		Title: sub.t("trader.score"), Note: sub.t("trader.score.value", "score", latest.Score, "band", sub.t("trader.score.band."+string(latest.Band()))),
		Side:  sub.t("trader.score.day", "day", ui.Date(sub.ctx, latest.Day), "rules", latest.Rules),
		Table: ui.GridView{Caption: sub.t("trader.score"), Columns: sub.columns("fact", "#fact_value", "#points", "#points_range")},
		Foot:  sub.t("trader.score.about", "base", score.Base(latest.Rules)),
	}
	for _, line := range score.Lines(latest.Rules, latest.Facts) {
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: sub.t("trader.score.fact." + string(line.Fact)), Strong: true}, {Text: strconv.Itoa(line.Value)}, {Text: signed(line.Points)},
			{Text: signed(line.Least) + " … " + signed(line.Most), Muted: true},
		}})
	}
	return []tradeview.Card{card}, nil
}

// signed writes points with their sign; zero has none.
func signed(points int) string {
	text := ui.Decimal(strconv.Itoa(points))
	if points > 0 {
		return "+" + text
	}
	return text
}

package tradedesk

import (
	"time"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// relations lists the traders who have something in common with one. The audit log records each view first.
func (s Services) relations(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	related, err := s.Identities.Related(sub.ctx, sub.trader.ID)
	if err != nil {
		return err
	}
	ids := make([]int64, len(related))
	for i, one := range related {
		ids[i] = one.TraderID
	}
	found, err := s.Traders.Named(sub.ctx, ids)
	if err != nil {
		return err
	}
	who := map[int64]trader.Trader{}
	for _, l := range found {
		who[l.ID] = l.Trader
	}
	if err := s.Audit.Record(sub.ctx, audit.By(r.Actor(), r.Now(), "trader.view_relations", "trader", sub.trader.ID)); err != nil {
		return err
	}
	card := tradeview.Card{
		Title: sub.t("trader.relations"), Foot: sub.t("trader.relations.foot"),
		Table: ui.GridView{Caption: sub.t("trader.relations"), Empty: sub.t("trader.relations.none"), Columns: sub.columns("trader", "verified", "common", "#things", "#common_since", "#common_last", "strength")},
	}
	for _, one := range related {
		card.Table.Rows = append(card.Table.Rows, sub.relatedRows(one, who[one.TraderID])...)
	}
	return s.showCard(r, sub, "relations", card)
}

// relatedRows are the rows of another trader: one for each kind of thing in common, named in the first.
func (sub subject) relatedRows(one kyc.Related, who trader.Trader) (rows []ui.GridRow) {
	for i, relation := range one.Relations {
		cells := []ui.Cell{{}, {}}
		if i == 0 {
			cells = []ui.Cell{
				{Text: number(one.TraderID), Ident: true, Strong: true, Href: ui.To("/admin/traders/{}", one.TraderID).String()}, {Chips: []ui.ChipView{sub.verification(who, false)}},
			}
		}
		strength := sub.strength(relation.Strength())
		if len(one.Relations) > 1 {
			strength = sub.strength(one.Strength())
			strength.Title = sub.t("trader.relation.several")
		} else if relation.Crowd > 2 {
			strength.Title = sub.t("trader.relation.crowd", "count", relation.Crowd)
		}
		rows = append(rows, ui.GridRow{Cells: append(cells,
			ui.Cell{Text: sub.t("trader.relation." + string(relation.Kind))}, ui.Cell{Text: number(int64(relation.Count))}, sub.dayCell(relation.Since), sub.dayCell(relation.Last),
			ui.Cell{Chips: []ui.ChipView{strength}},
		)})
	}
	return rows
}

// dayCell is a cell with a day, and with the moment on hover.
func (pc pageContext) dayCell(at time.Time) ui.Cell {
	return ui.Cell{Text: pc.day(at), Title: ui.Stamp(at), Muted: true}
}

// strength is the chip of a strength.
func (pc pageContext) strength(s kyc.Strength) ui.ChipView {
	chip := ui.ChipView{Label: pc.t("trader.relation.strength." + s.String()), Icon: ui.IconLink}
	switch s {
	case kyc.Strong:
		chip.Tone = ui.ToneError
	case kyc.Medium:
		chip.Tone = ui.ToneWarning
	case kyc.Weak:
	}
	return chip
}

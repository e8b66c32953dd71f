package tradedesk

import (
	"encoding/json"
	"net/url"
	"strconv"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// log is what the audit log holds about a trader.
func (s Services) log(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	before := keyset(r, "before")
	entries, next, err := s.Audit.List(sub.ctx, audit.Filter{TargetKind: "trader", TargetID: strconv.FormatInt(sub.trader.ID, 10), Before: before, Limit: pageSize})
	if err != nil {
		return err
	}
	card := tradeview.Card{
		Title: sub.t("trader.log"), Note: sub.t("trader.log.note"), Pages: turn(sub.path("audit"), url.Values{}, "before", before, next),
		Table: tradeview.Table{Caption: sub.t("trader.log"), Empty: sub.t("trader.log.none"), Columns: sub.columns("entry", "#when", "who", "what", "why", "from", "result")},
	}
	for _, e := range entries {
		card.Table.Rows = append(card.Table.Rows, sub.logRow(e))
	}
	around, err := s.around(sub, "audit")
	if err != nil {
		return err
	}
	return r.Show(tradeview.One(r.Page(around.Number, place), around, tradeview.Tab{Cards: []tradeview.Card{card}}))
}

func (sc scene) logRow(e audit.Entry) tradeview.Row {
	result := ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: sc.t("trader.result.done")}
	if e.Result != audit.Done {
		result = ui.ChipView{Tone: ui.ToneError, Icon: ui.IconClose, Label: sc.t("trader.result." + string(e.Result))}
	}
	return tradeview.Row{Cells: []tradeview.Cell{
		{Text: strconv.FormatInt(e.ID, 10), Ident: true, Muted: true}, sc.when(e.At), {Text: e.ActorName, Strong: true}, {Text: sc.sentence(e), Title: e.Action},
		{Text: reasonOf(e), Wrap: true}, {Text: someIP(e.IP), Ident: true, Muted: true}, {Chips: []ui.ChipView{result}},
	}}
}

// reasonOf is the reason that was given for a look or a restriction, or nothing.
func reasonOf(e audit.Entry) string {
	var after struct{ Reason, Note string }
	if json.Unmarshal([]byte(e.After), &after) != nil {
		return ""
	}
	switch e.Action {
	case revealAction:
		return after.Reason
	case "trader.restrict", "trader.lift":
		return after.Note
	}
	return ""
}

package tradedesk

import (
	"encoding/json"
	"net/url"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/auditformat"
	"candor/app/audit"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// caseKinds are the kinds of targets on which other actors act, with the permissions to read about them.
var caseKinds = []struct {
	kind string
	sees access.Permission
}{
	{"deposit", access.DepositView}, {"withdrawal", access.WithdrawalView}, {"kyc", access.IdentityView}, {"adjustment", access.AdjustmentView}, {"conversation", access.ChatView},
}

// entries reads the entries by and about a trader and the trader's cases, as far as the member may read them, with their formatter.
func (s Services) entries(r *desk.Request, sub subject, before int64, limit int) (list []audit.Entry, f auditformat.Formatter, next int64, err error) {
	var kinds []string
	for _, other := range caseKinds {
		if sub.may(other.sees) {
			kinds = append(kinds, other.kind)
		}
	}
	if list, next, err = s.Audit.OfTrader(sub.ctx, sub.trader.ID, kinds, before, limit); err != nil {
		return nil, f, 0, err
	}
	f, err = auditformat.New(r, s.Staff, s.Market, list)
	return list, f, next, err
}

// log shows the audit log about a trader.
func (s Services) log(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	before := keyset(r, "before")
	entries, formatter, next, err := s.entries(r, sub, before, pageSize)
	if err != nil {
		return err
	}
	card := tradeview.Card{
		Title: sub.t("trader.log"), Note: sub.t("trader.log.note"), Pages: turn(sub.path("audit"), url.Values{}, "before", before, next),
		Table: ui.GridView{Caption: sub.t("trader.log"), Empty: sub.t("trader.log.none"), Columns: sub.columns("entry", "#when", "who", "what", "why", "from", "result")},
	}
	for _, g := range grouped(entries) {
		card.Table.Rows = append(card.Table.Rows, sub.logRow(formatter, g))
	}
	frame, err := s.tabFrame(r, sub, "audit")
	if err != nil {
		return err
	}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tradeview.Tab{Cards: []tradeview.Card{card}}))
}

// grouped joins the reads of one identity by one person that follow each other; every other entry stays alone.
func grouped(entries []audit.Entry) []auditformat.Grouped {
	return auditformat.Group(entries, func(e audit.Entry) string {
		if auditformat.IsRead(e) {
			return e.Action
		}
		return ""
	})
}

// counted adds the number of joined entries to their sentence.
func (sub subject) counted(g auditformat.Grouped, sentence string) string {
	if len(g.Times) == 1 {
		return sentence
	}
	return sub.t("audit.times", "event", sentence, "count", len(g.Times))
}

func (sub subject) logRow(formatter auditformat.Formatter, g auditformat.Grouped) ui.GridRow {
	e, why := g.Entry, reasonOf(g.Entry)
	if len(g.Times) > 1 {
		why = g.Span(sub.at)
	}
	result := ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: sub.t("trader.result.done")}
	if e.Result != audit.Done {
		result = ui.ChipView{Tone: ui.ToneError, Icon: ui.IconClose, Label: sub.t("trader.result." + string(e.Result))}
	}
	return ui.GridRow{Cells: []ui.Cell{
		{Text: strconv.FormatInt(e.ID, 10), Ident: true, Muted: true}, sub.when(e.At), {Text: formatter.Name(e), Strong: true}, {Text: sub.counted(g, sub.sentence(formatter, e)), Title: e.Action},
		{Text: why, Wrap: true}, {Text: someIP(e.IP), Ident: true, Muted: true}, {Chips: []ui.ChipView{result}},
	}}
}

// reasonOf is the reason given for a view or a restriction; empty if there is none.
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

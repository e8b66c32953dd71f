package tradedesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/complaint"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// complaints lists a trader's complaints.
func (s Services) complaints(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	list, err := s.Complaints.List(sub.ctx, complaint.Search{Group: complaint.All, TraderID: sub.trader.ID}, complaint.Place{}, pageSize)
	if err != nil {
		return err
	}
	card := tradeview.Card{
		Title: sub.t("trader.complaints"),
		Table: ui.GridView{Caption: sub.t("trader.complaints"), Empty: sub.t("trader.complaints.none"), Columns: sub.columns("complaint", "#received_on", "about", "summary", "state", "#answer_due")},
	}
	for _, c := range list {
		chip := ui.ChipView{Icon: ui.IconCheck, Label: sub.t("complaint.state." + string(c.State))}
		if c.Open() {
			chip.Icon = ui.IconClock
		}
		if c.Overdue(sub.now) {
			chip.Tone = ui.ToneError
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: c.Number(), Ident: true, Strong: true, Href: ui.To("/admin/complaints/{}", c.ID).String()}, {Text: ui.Date(sub.ctx, c.ReceivedOn)},
			{Text: sub.t("complaint.category." + string(c.Category))}, {Text: c.Summary, Wrap: true}, {Chips: []ui.ChipView{chip}}, {Text: ui.Date(sub.ctx, c.AnswerDue)},
		}})
	}
	tab := tradeview.Tab{Line: sub.t("trader.complaints.line"), Cards: []tradeview.Card{card}}
	if r.May(access.ComplaintRegister) && !sub.trader.Guest() {
		tab.Acts = []ui.ButtonView{{Label: sub.t("complaint.register.open"), Icon: ui.IconPlus, Size: ui.Small, Key: "N", HX: ui.OpenDialog(sub.path("complaint"))}}
	}
	return s.showTab(r, sub, "complaints", tab)
}

package tradedesk

import (
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// devices shows the devices that a trader logs in from, the active sessions, and the messages that went out.
func (s Services) devices(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	devices, err := s.deviceCard(sub)
	if err != nil {
		return err
	}
	sessions, err := s.sessionCard(sub)
	if err != nil {
		return err
	}
	messages, err := s.messageCard(r, sub)
	if err != nil {
		return err
	}
	frame, err := s.tabFrame(r, sub, "devices")
	if err != nil {
		return err
	}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tradeview.Tab{Cards: []tradeview.Card{devices, sessions, messages}}))
}

func (s Services) deviceCard(sub subject) (tradeview.Card, error) {
	card := tradeview.Card{
		Title: sub.t("trader.devices"),
		Table: ui.GridView{Caption: sub.t("trader.devices"), Empty: sub.t("trader.devices.none"), Columns: sub.columns("device", "from", "sessions", "#first_seen", "#last_seen")},
	}
	list, err := s.Sessions.Devices(sub.ctx, sub.trader.ID, pageSize)
	for _, d := range list {
		living := ui.Cell{Text: sub.t("trader.sessions.ended"), Muted: true}
		if d.Living > 0 {
			living = ui.Cell{Chips: []ui.ChipView{{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: sub.t("trader.sessions.living", "count", d.Living)}}}
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: d.Name, Strong: true}, s.from(sub, d.LastIP), living, sub.when(d.FirstSeenAt), sub.when(d.LastSeenAt),
		}})
	}
	return card, err
}

// from is an address as far as staff may see it, with its place where that is known.
func (s Services) from(sub subject, ip string) ui.Cell {
	cell := ui.Cell{Text: someIP(ip), Ident: true, Muted: true}
	place := s.Sessions.Place(ip)
	if place.Country != "" {
		cell.Note = caseengine.Country(sub.ctx, place.Country)
	}
	if place.City != "" {
		cell.Note = sub.t("trader.place", "city", place.City, "country", cell.Note)
	}
	return cell
}

func (s Services) sessionCard(sub subject) (tradeview.Card, error) {
	card := tradeview.Card{
		Title: sub.t("trader.sessions"), Foot: sub.t("trader.sessions.foot"),
		Table: ui.GridView{Caption: sub.t("trader.sessions"), Empty: sub.t("trader.sessions.none"), Columns: sub.columns("session", "device", "account", "from", "#opened", "#last_seen", "#ends")},
	}
	ends := sub.may(access.TraderEndSessions)
	if ends {
		card.Table.Columns = append(card.Table.Columns, ui.Column{Label: sub.t("trader.column.end"), Numeric: true})
	}
	list, err := s.Sessions.Sessions(sub.ctx, sub.trader.ID, pageSize)
	for _, l := range list {
		id := strconv.FormatInt(l.ID, 10)
		row := ui.GridRow{Cells: []ui.Cell{
			{Text: id, Ident: true}, {Text: l.Device, Strong: true}, {Text: strconv.FormatInt(l.AccountID, 10), Ident: true},
			s.from(sub, l.IP), sub.when(l.CreatedAt), sub.when(l.LastSeenAt), sub.when(l.ExpiresAt),
		}}
		if ends {
			end := ui.ButtonView{Label: sub.t("trader.end_session"), Size: ui.Tiny, HX: ui.OpenDialog(sub.path("sessions", id, "end"))}
			row.Cells = append(row.Cells, ui.Cell{Buttons: []ui.ButtonView{end}})
		}
		card.Table.Rows = append(card.Table.Rows, row)
	}
	return card, err
}

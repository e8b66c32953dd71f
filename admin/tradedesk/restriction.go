package tradedesk

import (
	"fmt"
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// lengths are the lengths of a restriction, in hours; zero is unlimited.
var lengths = []int{1, 6, 24, 72, 7 * 24, 30 * 24, 90 * 24, 365 * 24, 0}

// askRestriction opens the dialog that restricts a trader.
func (s Services) askRestriction(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	if sub.trader.Guest() {
		return trader.ErrGuest
	}
	return r.Show(tradeview.Decide(sub.restricting(typed{values: map[string]string{"life": "24"}})))
}

// restricting is the dialog of a restriction.
func (sub subject) restricting(in typed) tradeview.Act {
	kinds, reasons, ends := make([]string, len(trader.RestrictionKinds)), trader.RestrictionReasons, make([]string, len(lengths))
	for i, kind := range trader.RestrictionKinds {
		kinds[i] = string(kind)
	}
	for i, hours := range lengths {
		ends[i] = strconv.Itoa(hours)
	}
	note := in.field(ui.FieldView{Name: "note", Label: sub.t("trader.restrict.note"), Hint: sub.t("trader.restrict.note.hint"), StaffOnly: true, Rows: 3, MaxLength: trader.LongestNote, Required: true})
	return tradeview.Act{
		Alert: in.alert, Words: &note,
		Frame: ui.DialogView{
			ID: "restrict", Title: sub.t("trader.restrict.title", "id", sub.trader.ID), Note: sub.t("trader.restrict.about"),
			Form: ui.FormView{Post: sub.path("restrictions"), Swap: ui.SwapNone},
			Act:  ui.ButtonView{Label: sub.t("trader.restrict.act"), Kind: ui.Danger, Submit: true, Money: true, Busy: sub.t("trader.restrict.busy")},
		},
		Choices: []ui.FieldView{
			in.choice(sub, "kind", "trader.restriction.kind.", kinds), in.choice(sub, "reason", "trader.restriction.reason.", reasons), in.choice(sub, "life", "trader.restriction.life.", ends),
		},
	}
}

// restrict restricts the trader.
func (s Services) restrict(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	in := read(r, "kind", "reason", "life", "note")
	_, err = s.Traders.Restrict(sub.ctx, r.Actor(), trader.RestrictionRequest{
		TraderID: sub.trader.ID, Kind: trader.RestrictionKind(in.values["kind"]), Reason: in.values["reason"], Note: in.values["note"], Life: length(in.values["life"]),
	})
	if err != nil {
		return again(r, in, err, sub.restricting)
	}
	return r.RedirectTo(sub.path().String())
}

// length reads the length of a restriction; anything but a number gives -1, which is refused.
func length(text string) time.Duration {
	hours, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return time.Duration(hours) * time.Hour
}

// askLift opens the dialog that lifts a restriction.
func (s Services) askLift(r *desk.Request) error {
	sub, restriction, err := s.restriction(r)
	if err != nil {
		return err
	}
	return r.Show(tradeview.Decide(sub.lifting(restriction, typed{})))
}

// restriction reads the restriction in the address.
func (s Services) restriction(r *desk.Request) (sub subject, restriction trader.StaffRestriction, err error) {
	if sub, err = s.read(r); err != nil {
		return sub, restriction, err
	}
	id, err := r.ID("restriction")
	if err != nil {
		return sub, restriction, err
	}
	restriction, err = s.Traders.FindRestriction(sub.ctx, sub.trader.ID, id)
	return sub, restriction, err
}

// lifting is the dialog that lifts a restriction: its facts, and a reason.
func (sub subject) lifting(restriction trader.StaffRestriction, in typed) tradeview.Act {
	note := in.field(ui.FieldView{Name: "note", Label: sub.t("trader.lift.note"), StaffOnly: true, Rows: 3, MaxLength: trader.LongestNote, Required: true})
	return tradeview.Act{
		Alert: in.alert, Words: &note,
		Facts: []ui.Fact{
			{Label: sub.t("trader.column.what"), Value: sub.t("trader.restriction.kind." + string(restriction.Kind)), Strong: true},
			{Label: sub.t("trader.column.why"), Value: sub.t("trader.restriction.reason." + restriction.Reason)},
			{Label: sub.t("trader.restrict.note"), Value: restriction.Note},
			{Label: sub.t("trader.column.set_by"), Value: sub.setter(restriction), Note: sub.at(restriction.SetAt)},
			{Label: sub.t("trader.column.ends"), Value: sub.end(restriction.Restriction)},
		},
		Frame: ui.DialogView{
			ID: "lift", Title: sub.t("trader.lift.title", "id", sub.trader.ID), Note: sub.t("trader.lift.about"),
			Form: ui.FormView{
				Post: sub.path("restrictions", strconv.FormatInt(restriction.ID, 10), "end"), Swap: ui.SwapNone, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(restriction.Version)}},
			},
			Act: ui.ButtonView{Label: sub.t("trader.lift.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: sub.t("trader.lift.busy")},
		},
	}
}

// lift lifts a restriction.
func (s Services) lift(r *desk.Request) error {
	sub, restriction, err := s.restriction(r)
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	in := read(r, "note")
	if _, err = s.Traders.Lift(sub.ctx, r.Actor(), sub.trader.ID, restriction.ID, version, in.values["note"]); err != nil {
		return again(r, in, err, func(in typed) tradeview.Act { return sub.lifting(restriction, in) })
	}
	return r.RedirectTo(sub.path().String())
}

// end says until when a restriction lasts.
func (pc pageContext) end(r trader.Restriction) string {
	if r.UntilAt == nil {
		return pc.t("trader.restriction.open")
	}
	return pc.at(*r.UntilAt)
}

// restrictionChips show a trader's current restrictions at the head of every tab.
func (pc pageContext) restrictionChips(list []trader.Restriction) (chips []ui.ChipView) {
	for _, r := range list {
		label := pc.t("trader.restriction.chip." + string(r.Kind))
		if r.UntilAt != nil {
			label = pc.t("trader.restriction.chip.until", "what", label, "at", pc.at(*r.UntilAt))
		}
		chips = append(chips, ui.ChipView{Tone: ui.ToneError, Icon: ui.IconLock, Label: label})
	}
	return chips
}

const restrictionsShown = 20

// restrictionCard lists a trader's current and past restrictions; nil for a trader who never had one.
func (s Services) restrictionCard(sub subject) ([]tradeview.Card, error) {
	list, err := s.Traders.RestrictionHistory(sub.ctx, sub.trader.ID, restrictionsShown)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	card := tradeview.Card{
		Title: sub.t("trader.restrictions"), Side: sub.t("trader.restrictions.note"),
		Table: ui.GridView{Caption: sub.t("trader.restrictions"), Columns: sub.columns("what", "why", "note", "set_by", "#when", "#ends", "state")},
	}
	for _, restriction := range list {
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: sub.t("trader.restriction.kind." + string(restriction.Kind)), Strong: true}, {Text: sub.t("trader.restriction.reason." + restriction.Reason), Wrap: true},
			{Text: restriction.Note, Wrap: true, Muted: true}, {Text: sub.setter(restriction)}, sub.when(restriction.SetAt), sub.ends(restriction.Restriction), sub.outcome(restriction),
		}})
	}
	return []tradeview.Card{card}, nil
}

// setter names who set a restriction.
func (sub subject) setter(restriction trader.StaffRestriction) string {
	if restriction.SetBy == 0 {
		return sub.t("trader.restriction.by_trader")
	}
	return restriction.Setter
}

func (sub subject) ends(r trader.Restriction) ui.Cell {
	if r.UntilAt == nil {
		return ui.Cell{Text: sub.t("trader.restriction.open"), Muted: true}
	}
	return sub.when(*r.UntilAt)
}

// outcome shows how a restriction ended, or the button that lifts it.
func (sub subject) outcome(restriction trader.StaffRestriction) ui.Cell {
	switch {
	case restriction.LiftedBy != nil:
		return ui.Cell{Text: sub.t("trader.restriction.lifted", "name", restriction.Lifter, "at", sub.at(*restriction.EndedAt)), Title: restriction.LiftNote, Muted: true}
	case !restriction.Active(sub.now):
		return ui.Cell{Text: sub.t("trader.restriction.over"), Muted: true}
	}
	cell := ui.Cell{Chips: []ui.ChipView{{Tone: ui.ToneError, Icon: ui.IconLock, Label: sub.t("trader.restriction.lives")}}}
	if sub.may(access.TraderLift) {
		button := ui.ButtonView{
			Label: sub.t("trader.lift"), Size: ui.Tiny, HX: ui.OpenDialog(sub.path("restrictions", strconv.FormatInt(restriction.ID, 10), "end")),
		}
		if restriction.SetBy == sub.me {
			button.Locked, button.Why, button.HX = true, sub.t("error.restriction.same_person"), ui.HX{}
		}
		cell.Buttons = []ui.ButtonView{button}
	}
	return cell
}

// acts are the buttons at the head of every tab, for the acts that the member may do.
func (sub subject) acts() (buttons []ui.ButtonView) {
	if sub.may(access.ChatAnswer) {
		buttons = append(buttons, ui.ButtonView{Label: sub.t("chat.start.trader"), Icon: ui.IconChat, Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/chat/new").With("trader", sub.trader.ID))})
	}
	if sub.may(access.TraderViewAs) {
		buttons = append(buttons, ui.ButtonView{Label: sub.t("trader.view_as.open"), Icon: ui.IconEye, Size: ui.Small, HX: ui.OpenDialog(sub.path("view-as", "reason"))})
	}
	if sub.may(access.TraderEndSessions) {
		buttons = append(buttons, ui.ButtonView{Label: sub.t("trader.end_sessions"), Size: ui.Small, HX: ui.OpenDialog(sub.path("sessions", "end"))})
	}
	if sub.may(access.TraderResetPassword) && !sub.trader.Guest() {
		buttons = append(buttons, ui.ButtonView{Label: sub.t("trader.reset"), Size: ui.Small, HX: ui.OpenDialog(sub.path("password-reset"))})
	}
	if sub.may(access.AccountChangeAsk) && !sub.trader.Guest() && sub.trader.ClosesAt == nil {
		buttons = append(buttons, ui.ButtonView{Label: sub.t("account_change.ask.open"), Size: ui.Small, HX: ui.OpenDialog(sub.path("change"))})
	}
	if sub.may(access.BonusAsk) && !sub.trader.Guest() && sub.trader.ClosesAt == nil {
		buttons = append(buttons, ui.ButtonView{Label: sub.t("bonus.ask.gift_open"), Size: ui.Small, HX: ui.OpenDialog(sub.path("bonus"))})
	}
	if sub.may(access.TraderRestrict) && !sub.trader.Guest() {
		buttons = append(buttons, ui.ButtonView{Label: sub.t("trader.restrict"), Size: ui.Small, Kind: ui.Danger, HX: ui.OpenDialog(sub.path("restriction"))})
	}
	return buttons
}

func option(sub subject, prefix, value, chosen string) ui.Option {
	return ui.Option{Value: value, Label: sub.t(fmt.Sprint(prefix, value)), Selected: value == chosen}
}

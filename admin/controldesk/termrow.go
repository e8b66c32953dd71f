package controldesk

import (
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// The fields of the lists, one of each a row.
const (
	leverageRows = "multiple"
	tierFrom     = "tiers_from"
	tierLeverage = "tiers_leverage"
	mostTermRows = 20
)

// rearrange runs the act of a row button, such as "add-multiple" or "remove-tiers-1" for the second row. An invalid act changes nothing.
func (t *typedTerms) rearrange(act string) {
	verb, rest, _ := strings.Cut(act, "-")
	list, number, _ := strings.Cut(rest, "-")
	at := -1
	if n, err := strconv.Atoi(number); err == nil && verb == "remove" {
		at = n
	}
	switch list {
	case "multiple":
		t.leverages = rearranged(t.leverages, verb, at)
	case "tiers":
		t.tiers = rearranged(t.tiers, verb, at)
	}
}

func rearranged[T any](rows []T, verb string, at int) []T {
	switch {
	case verb == "add" && len(rows) < mostTermRows:
		return append(rows, *new(T))
	case at >= 0 && at < len(rows):
		return slices.Delete(rows, at, at+1)
	}
	return rows
}

// termRows are the rows of a list, with the buttons that add and remove one.
func termRows(r *desk.Request, d termsDraft, review ui.Path, name, problem string) controlview.FieldRows {
	button := func(label, act string, icon ui.IconName, square bool) ui.ButtonView {
		return ui.ButtonView{
			Label: label, Icon: icon, Square: square, Kind: ui.Ghost, Size: ui.Small, Name: "row", Value: act, HX: ui.HX{Post: review, Target: ui.TargetDialog, Swap: ui.SwapInside},
		}
	}
	view := controlview.FieldRows{
		Label: termLabel(r, name), Hint: word(r, "product.change.now", "value", termWords(r, d.base, name)), Note: word(r, "product.rows.note."+name), Error: problem,
		Heads: []string{word(r, "product.rows.leverage"), word(r, "product.rows.margin")}, Add: button(word(r, "product.rows.add."+name), "add-"+name, ui.IconPlus, false),
	}
	rows := d.leverageRows
	if name == "tiers" {
		rows, view.Heads = d.tierRows, append([]string{word(r, "product.rows.from")}, view.Heads...)
	}
	for i, row := range rows(r, problem != "") {
		row.Remove = button(word(r, "product.rows.remove."+name, "n", i+1), "remove-"+name+"-"+strconv.Itoa(i), ui.IconClose, true)
		view.Rows = append(view.Rows, row)
	}
	if len(view.Rows) >= mostTermRows {
		view.Add.Locked, view.Add.HX = true, ui.HX{}
	}
	return view
}

func (t typedTerms) leverageRows(r *desk.Request, bad bool) (out []controlview.FieldRow) {
	for i, leverage := range t.leverages {
		label := word(r, "product.rows.multiple", "n", i+1)
		if i == 0 {
			label = word(r, "product.rows.multiple.first")
		}
		out = append(out, controlview.FieldRow{Fields: []ui.FieldView{leverageField(leverageRows, i, label, leverage, bad)}, Margin: marginOf(leverage)})
	}
	return out
}

func (t typedTerms) tierRows(r *desk.Request, bad bool) (out []controlview.FieldRow) {
	for i, tier := range t.tiers {
		from := rowField(tierFrom, i, word(r, "product.rows.tiers.from", "n", i+1), tier.from, bad)
		from.Suffix = word(r, "product.unit.typed.lots")
		if i == 0 {
			from.Value, from.ReadOnly, from.Invalid = "0", true, false
		}
		leverage := leverageField(tierLeverage, i, word(r, "product.rows.tiers.leverage", "n", i+1), tier.leverage, bad)
		out = append(out, controlview.FieldRow{Fields: []ui.FieldView{from, leverage}, Margin: marginOf(tier.leverage)})
	}
	return out
}

func leverageField(name string, row int, label, value string, bad bool) ui.FieldView {
	field := rowField(name, row, label, value, bad)
	field.Prefix = "1:"
	return field
}

func rowField(name string, row int, label, value string, bad bool) ui.FieldView {
	return ui.FieldView{Name: name, ID: name + "-" + strconv.Itoa(row), Label: label, HideLabel: true, Value: value, InputMode: "decimal", MaxLength: 20, Invalid: bad}
}

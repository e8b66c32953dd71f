package controldesk

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/platform/money"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// typedScale are the decimals of terms that are typed in a larger unit than they are stored in: percent for basis points, seconds for milliseconds.
var typedScale = map[string]int{"hedged_ratio_bps": 2, "commission_bps": 2, "spike_bps": 2, "stale_ms": 3}

// typedValues are stored terms as the form shows them.
func typedValues(stored map[string]string) map[string]string {
	out := maps.Clone(stored)
	for name, scale := range typedScale {
		if n, err := strconv.ParseInt(stored[name], 10, 64); err == nil {
			out[name] = money.Trim(n, scale)
		}
	}
	return out
}

// storedValues are typed terms as they are stored. A text that is no exact number of its unit becomes empty, which no term of a number is.
func storedValues(typed map[string]string) map[string]string {
	out := maps.Clone(typed)
	for name, scale := range typedScale {
		n, err := money.Parse(typed[name], scale)
		if out[name] = strconv.FormatInt(n, 10); err != nil {
			out[name] = ""
		}
	}
	out["multiple"] = joined(filled(split(typed["multiple"])))
	out["tiers"] = joined(slices.DeleteFunc(split(typed["tiers"]), func(tier string) bool { return tier == ":" || tier == "" }))
	return out
}

// The terms that are lists are typed in rows. Their text keeps empty rows until it is stored.
const (
	tierLots     = "tiers_lots"
	tierLeverage = "tiers_leverage"
	mostTermRows = 20
)

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func joined(rows []string) string { return strings.Join(rows, ",") }

func filled(rows []string) []string {
	return slices.DeleteFunc(rows, func(row string) bool { return row == "" })
}

// postedRows reads a list as its rows post it: one field a row, or one field with the whole list.
func postedRows(r *desk.Request, name string) string {
	rows := r.PostFormValues(name)
	if name == "tiers" && len(rows) == 0 {
		leverages := r.PostFormValues(tierLeverage)
		for i, lots := range r.PostFormValues(tierLots) {
			if i < len(leverages) {
				rows = append(rows, lots+":"+leverages[i])
			}
		}
	}
	return strings.ReplaceAll(joined(rows), " ", "")
}

// rearrange runs the act of a row button, such as "add-multiple" or "remove-tiers-1" for the second row. An invalid act changes nothing.
func (d termsDraft) rearrange(act string) {
	word, rest, _ := strings.Cut(act, "-")
	name, number, _ := strings.Cut(rest, "-")
	if name != "multiple" && name != "tiers" {
		return
	}
	rows := split(d.values[name])
	if name == "multiple" && len(rows) == 0 {
		rows = []string{""}
	}
	at, err := strconv.Atoi(number)
	switch {
	case word == "add" && len(rows) < mostTermRows:
		rows = append(rows, emptyRow(name))
	case word == "remove" && err == nil && at >= 0 && at < len(rows):
		rows = slices.Delete(rows, at, at+1)
	}
	d.values[name] = joined(rows)
}

// emptyRow is a row without values. The colon keeps an empty tier apart from no tier at all.
func emptyRow(name string) string {
	if name == "tiers" {
		return ":"
	}
	return ""
}

// termRows are the rows of a list with the buttons that add and remove one.
func termRows(r *desk.Request, d termsDraft, review ui.Path, name, problem string) controlview.FieldRows {
	button := func(label, act string, icon ui.IconName, square bool) ui.ButtonView {
		return ui.ButtonView{
			Label: label, Icon: icon, Square: square, Kind: ui.Ghost, Size: ui.Small, Name: "row", Value: act, HX: ui.HX{Post: review, Target: ui.TargetDialog, Swap: ui.SwapInside},
		}
	}
	view := controlview.FieldRows{
		Label: termLabel(r, name), Hint: word(r, "product.change.now", "value", termWords(r, d.base, name)), Note: word(r, "product.rows.note."+name), Error: problem,
		Add: button(word(r, "product.rows.add."+name), "add-"+name, ui.IconPlus, false),
	}
	rows := split(d.values[name])
	if name == "multiple" && len(rows) == 0 {
		rows = []string{""}
	}
	for i, text := range rows {
		n, bad := i+1, problem != ""
		row := controlview.FieldRow{Remove: button(word(r, "product.rows.remove."+name, "n", n), "remove-"+name+"-"+strconv.Itoa(i), ui.IconClose, true)}
		if name == "multiple" {
			row.Fields = []ui.FieldView{rowField(name, i, word(r, "product.rows.multiple", "n", n), text, "", bad)}
			if i == 0 {
				row.Fields[0].Label = word(r, "product.rows.multiple.first")
			}
		} else {
			lots, leverage, _ := strings.Cut(text, ":")
			row.Fields = []ui.FieldView{
				rowField(tierLots, i, word(r, "product.rows.tiers.lots", "n", n), lots, word(r, "product.unit.typed.lots"), bad),
				rowField(tierLeverage, i, word(r, "product.rows.tiers.leverage", "n", n), leverage, "", bad),
			}
		}
		view.Rows = append(view.Rows, row)
	}
	if len(rows) >= mostTermRows {
		view.Add.Locked, view.Add.HX = true, ui.HX{}
	}
	return view
}

func rowField(name string, row int, label, value, unit string, bad bool) ui.FieldView {
	return ui.FieldView{Name: name, ID: name + "-" + strconv.Itoa(row), Label: label, Value: value, Suffix: unit, InputMode: "decimal", MaxLength: 20, Invalid: bad}
}

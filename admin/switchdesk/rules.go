package switchdesk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/notice"
	"candor/app/switches"
	"candor/templates/switchview"
	"candor/templates/ui"
)

// ruleForm is a rule as typed in its row.
type ruleForm struct {
	countries            string // separated by commas
	languages, platforms []string
	value                string
}

// mostRows is how many rows of a form are read: one more than a key may have rules, so that too many are refused and not dropped.
const mostRows = 21

func ruleForms(rules []switches.Rule) []ruleForm {
	out := make([]ruleForm, len(rules))
	for i, rule := range rules {
		out[i] = ruleForm{strings.Join(rule.Countries, ", "), rule.Languages, rule.Platforms, rule.Value}
	}
	return out
}

func (f ruleForm) rule() switches.Rule {
	return switches.Rule{Countries: strings.Split(f.countries, ","), Languages: f.languages, Platforms: f.platforms, Value: f.value}
}

func rules(forms []ruleForm) []switches.Rule {
	out := make([]switches.Rule, len(forms))
	for i, f := range forms {
		out[i] = f.rule()
	}
	return out
}

func field(name string, row int) string { return fmt.Sprintf("rule-%s-%d", name, row) }

// postedRules reads the rows of a form, as many as it states.
func postedRules(r *desk.Request) []ruleForm {
	n, _ := strconv.Atoi(r.PostFormValue("rules"))
	out := make([]ruleForm, max(0, min(n, mostRows)))
	for i := range out {
		out[i] = ruleForm{r.PostFormValue(field("countries", i)), r.PostFormValues(field("languages", i)), r.PostFormValues(field("platforms", i)), r.PostFormValue(field("value", i))}
	}
	return out
}

// hiddenRules carries the rows through the review, as postedRules reads them.
func hiddenRules(forms []ruleForm) []ui.Hidden {
	out := []ui.Hidden{{Name: "rules", Value: strconv.Itoa(len(forms))}}
	for i, f := range forms {
		out = append(out, ui.Hidden{Name: field("countries", i), Value: f.countries}, ui.Hidden{Name: field("value", i), Value: f.value})
		for _, code := range f.languages {
			out = append(out, ui.Hidden{Name: field("languages", i), Value: code})
		}
		for _, code := range f.platforms {
			out = append(out, ui.Hidden{Name: field("platforms", i), Value: code})
		}
	}
	return out
}

// The acts on rows: add one at the end, remove one, or swap one with its neighbour.
const (
	addRow    = "add"
	removeRow = "remove"
	upRow     = "up"
	downRow   = "down"
)

// rearrange runs the act of a row button, such as "up-2" for the third row, and returns the row to focus. An invalid act changes nothing.
func rearrange(d switches.Definition, forms []ruleForm, act string) (out []ruleForm, row int) {
	word, number, _ := strings.Cut(act, "-")
	if word == addRow {
		return append(slices.Clone(forms), ruleForm{value: d.Default}), len(forms)
	}
	row, err := strconv.Atoi(number)
	if err != nil || row < 0 || row >= len(forms) {
		return forms, 0
	}
	other := map[string]int{upRow: row - 1, downRow: row + 1, removeRow: row}[word]
	switch {
	case word == removeRow:
		return slices.Delete(slices.Clone(forms), row, row+1), min(row, len(forms)-2)
	case other < 0 || other >= len(forms):
		return forms, row
	}
	out = slices.Clone(forms)
	out[row], out[other] = out[other], out[row]
	return out, other
}

// noRow means that no row gets the focus.
const noRow = -1

// rows are the rules as fields; focus is the row with the focus.
func (s Services) rows(r *desk.Request, g goal, forms []ruleForm, focus int, problem string) *switchview.Rules {
	button := func(act string, row int, icon ui.IconName) ui.ButtonView {
		return ui.ButtonView{
			Label: word(r, "switch.rules."+act, "n", row+1), Icon: icon, Square: icon != "" && act != addRow, Kind: ui.Ghost, Size: ui.Small, Name: "rule", Value: fmt.Sprintf("%s-%d", act, row),
			HX: ui.HX{Post: g.review, Target: ui.TargetDialog, Swap: ui.SwapInside},
		}
	}
	view := &switchview.Rules{Count: strconv.Itoa(len(forms)), Problem: problem}
	if len(forms) < mostRows {
		view.Add = button(addRow, len(forms), ui.IconPlus)
	}
	for i, f := range forms {
		row := switchview.RuleRow{
			Title:     word(r, "switch.rule_n", "n", i+1),
			Countries: ui.FieldView{Name: field("countries", i), Label: word(r, "switch.countries"), Hint: word(r, "switch.rules.countries"), Value: f.countries, MaxLength: 500, Autofocus: i == focus},
			Languages: choices(r, "languages", i, notice.Locales, f.languages, ui.LanguageName),
			Platforms: choices(r, "platforms", i, notice.Platforms, f.platforms, func(code string) string { return platformName(r, code) }),
			Value:     valueField(r, g.d, f.value),
			Remove:    button(removeRow, i, ui.IconClose),
		}
		row.Value.Name, row.Value.Hint, row.Value.Label = field("value", i), "", word(r, "switch.rules.value")
		if i > 0 {
			up := button(upRow, i, ui.IconChevronUp)
			row.Up = &up
		}
		if i < len(forms)-1 {
			down := button(downRow, i, ui.IconChevronDown)
			row.Down = &down
		}
		view.Rows = append(view.Rows, row)
	}
	return view
}

// choices are the languages or platforms of a row: those of the product, and others that the rule has.
func choices(r *desk.Request, what string, row int, known, chosen []string, named func(code string) string) switchview.Choices {
	view := switchview.Choices{Label: word(r, "switch."+what), Chosen: anyOf(r, chosen)}
	codes := slices.Clone(known)
	for _, code := range chosen {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	for _, code := range codes {
		view.Checks = append(view.Checks, ui.CheckView{
			Name: field(what, row), ID: field(what, row) + "-" + strings.ReplaceAll(code, "_", "-"), Value: code, Label: named(code), Checked: slices.Contains(chosen, code),
		})
	}
	return view
}

// platformName is the display name of a platform.
func platformName(r *desk.Request, code string) string {
	if slices.Contains(notice.Platforms, code) {
		return word(r, "switch.platform."+code)
	}
	return code
}

// ruleWords describes a rule in one line.
func ruleWords(r *desk.Request, d switches.Definition, rule switches.Rule) string {
	return word(r, "switch.rule.words", "countries", anyOf(r, rule.Countries), "languages", anyOf(r, rule.Languages), "platforms", anyOf(r, rule.Platforms), "value", shown(r, d, rule.Value))
}

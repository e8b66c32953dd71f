package ui

import "strings"

// PickerView chooses several from a list by name. Its value is the codes, separated by commas; the labels of its options are the names.
type PickerView struct{ FieldView }

// picked are the chosen options in their order.
func (p PickerView) picked() (out []Option) {
	for _, code := range strings.Split(p.Value, ",") {
		for _, option := range p.Options {
			if option.Value == strings.TrimSpace(code) {
				out = append(out, option)
			}
		}
	}
	return out
}

// rest is what the value has besides codes of the list: what was typed and names nothing.
func (p PickerView) rest() string {
	var out []string
	for _, code := range strings.Split(p.Value, ",") {
		if code = strings.TrimSpace(code); code != "" && !p.has(code) {
			out = append(out, code)
		}
	}
	return strings.Join(out, ", ")
}

func (p PickerView) has(code string) bool {
	for _, option := range p.Options {
		if option.Value == code {
			return true
		}
	}
	return false
}

func (p PickerView) may() bool { return !p.ReadOnly && !p.Disabled }

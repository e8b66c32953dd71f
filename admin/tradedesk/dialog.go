package tradedesk

import (
	"net/http"
	"strings"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// typed is what a dialog shows again: the values of its fields, their errors, and a message above.
type typed struct {
	values map[string]string
	errors map[string]string
	alert  *ui.AlertView
}

// read reads a dialog's input, without characters that can't be stored.
func read(r *desk.Request, names ...string) typed {
	in := typed{values: map[string]string{}}
	for _, name := range names {
		in.values[name] = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(r.PostFormValue(name), ""), "\x00", ""))
	}
	return in
}

func (in typed) field(f ui.FieldView) ui.FieldView {
	f.Value, f.Error = in.values[f.Name], in.errors[f.Name]
	return f
}

// choice is a select field; the labels of its values have keys with the prefix.
func (in typed) choice(sub subject, name, prefix string, values []string) ui.FieldView {
	f := in.field(ui.FieldView{Name: name, Label: sub.t("trader.restrict." + name), Required: true})
	for _, value := range values {
		f.Options = append(f.Options, option(sub, prefix, value, f.Value))
	}
	return f
}

func word(r *desk.Request, key string) string { return i18n.T(r.Context.Request().Context(), key) }

// again answers with the dialog again and its input: field errors with 422, after a change with 409. The frame answers any other refusal.
func again(r *desk.Request, in typed, reason error, dialog func(typed) tradeview.Act) error {
	refusal := errs.As(reason)
	switch {
	case refusal == nil:
		return reason
	case len(refusal.Fields) > 0:
		in.errors = r.FieldTexts(reason)
		return r.Dialog(http.StatusUnprocessableEntity, tradeview.Decide(dialog(in)))
	case refusal.Kind == errs.Conflict:
		in.alert = &ui.AlertView{Tone: ui.ToneWarning, Text: r.Text(reason)}
		return r.Dialog(http.StatusConflict, tradeview.Decide(dialog(in)))
	}
	return reason
}

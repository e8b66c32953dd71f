package newsdesk

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/notice"
	"candor/app/platform/transfile"
	"candor/templates/newsview"
	"candor/templates/ui"
)

// maxExported is how many items a file for translators has at most.
const maxExported = 50

var translations = ui.To("/admin/content-translations")

// parts are the parts of a text in the order of the files.
var parts = []struct {
	name string
	of   func(*notice.Text) *string
}{
	{"title", func(t *notice.Text) *string { return &t.Title }}, {"summary", func(t *notice.Text) *string { return &t.Summary }},
	{"body", func(t *notice.Text) *string { return &t.Body }}, {"alt", func(t *notice.Text) *string { return &t.Alt }},
}

// askExport opens the dialog of a file for translators: for one item, or for those of the list as it is filtered.
func (s Services) askExport(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	var choices []ui.CheckView
	if id, err := strconv.ParseInt(r.QueryParam("item"), 10, 64); err == nil {
		whole, err := s.Notices.Get(ctxOf(r), id)
		if err != nil {
			return err
		}
		choices = append(choices, itemChoice(r, id, whole.Text(whole.Shown(notice.Default)).Title))
	} else {
		list, _, err := s.Notices.Search(ctxOf(r), search(s.list().Selected(r.CurrentPage().Query())), notice.Place{}, maxExported)
		if err != nil {
			return err
		}
		for _, l := range list {
			choices = append(choices, itemChoice(r, l.ItemID, l.Title))
		}
	}
	view := newsview.Export{
		Path: translations, Title: word(r, "content.export.title"), Note: word(r, "content.export.note"), Items: choices,
		Source: ui.FieldView{Name: "source", Label: word(r, "content.source_language")}, Format: ui.FieldView{Name: "format", Label: word(r, "content.export.format")},
		Missing: ui.CheckView{Name: "missing", Label: word(r, "content.export.missing"), Checked: true},
	}
	for _, format := range []string{"xliff", "csv"} {
		view.Format.Options = append(view.Format.Options, ui.Option{Value: format, Label: word(r, "content.export."+format)})
	}
	for _, code := range notice.Locales {
		view.Source.Options = append(view.Source.Options, ui.Option{Value: code, Label: names[code], Selected: code == notice.Default})
		view.Languages = append(view.Languages, ui.CheckView{Name: "language", ID: "language-" + code, Value: code, Label: names[code], Checked: code != notice.Default})
	}
	return r.Dialog(http.StatusOK, newsview.ExportDialog(view))
}

func itemChoice(r *desk.Request, id int64, title string) ui.CheckView {
	return ui.CheckView{Name: "item", ID: "item-" + strconv.FormatInt(id, 10), Value: strconv.FormatInt(id, 10), Label: notice.Number(id) + " " + titled(r, title), Checked: true}
}

// export answers with the file of the chosen items and languages. Items without a text in the source language are left out.
func (s Services) export(r *desk.Request) error {
	query := r.QueryParams()
	source, missing := query.Get("source"), query.Get("missing") != ""
	write, ending := transfile.WriteXLIFF, "xlf"
	if query.Get("format") == "csv" {
		write, ending = transfile.WriteCSV, "csv"
	}
	items := query["item"]
	var units []transfile.Unit
	for _, text := range items[:min(len(items), maxExported)] {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return desk.ErrNotFound
		}
		whole, err := s.Notices.Get(ctxOf(r), id)
		if err != nil {
			return err
		}
		for _, code := range notice.Locales {
			if slices.Contains(query["language"], code) && code != source && (!missing || whole.Text(code).Title == "" || whole.Outdated(code)) {
				units = append(units, unitsOf(whole, source, code)...)
			}
		}
	}
	var out bytes.Buffer
	if err := write(&out, units); err != nil {
		return err
	}
	how, err := json.Marshal(query)
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), "notice.export", "content", "translations")
	entry.After = string(how)
	if err := s.Audit.Record(ctxOf(r), entry); err != nil {
		return err
	}
	r.Response().Header().Set("Content-Disposition", `attachment; filename="content-`+r.Now().UTC().Format("2006-01-02-1504")+`.`+ending+`"`)
	return r.Blob(http.StatusOK, "application/octet-stream", out.Bytes())
}

// unitsOf are the parts of a text to be translated, with what is there of the translation.
func unitsOf(w notice.ItemDetails, source, target string) (out []transfile.Unit) {
	from, to := w.Text(source).Text, w.Text(target).Text
	for _, part := range parts {
		if *part.of(&from) != "" {
			out = append(out, transfile.Unit{
				Item: notice.Number(w.Item.ID), Version: from.Fingerprint(), Part: part.name, From: tag(source), To: tag(target), Source: *part.of(&from), Target: *part.of(&to),
			})
		}
	}
	return out
}

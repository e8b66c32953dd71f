package newsdesk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/notice"
	"candor/app/platform/errs"
	"candor/app/platform/transfile"
	"candor/templates/newsview"
	"candor/templates/ui"
)

// formOverhead is room for what a form has beside its file, in bytes.
const formOverhead = 64 << 10

// maxImported is how many items an imported file has at most.
const maxImported = 200

// askImport opens the dialog that takes a translated file.
func (s Services) askImport(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return r.Dialog(http.StatusOK, newsview.ImportDialog(ui.DialogView{
		Title: word(r, "content.import.title"), Note: word(r, "content.import.note"),
		Form: ui.FormView{Post: ui.To("/admin/content-translations/check"), Target: ui.At("import-found"), Swap: ui.SwapWhole, Files: true},
		Act:  ui.ButtonView{Label: word(r, "content.import.check"), Submit: true, Kind: ui.Primary, Busy: word(r, "act.busy")},
	}, ui.FieldView{Name: "file", ID: "translations", Label: word(r, "content.import.file"), Hint: word(r, "content.import.file.hint"), Accept: ".xlf,.xliff,.csv", Required: true}))
}

// found is a text of an imported file: what it would change, or why it is refused.
type found struct {
	item   notice.ItemDetails
	number string // as the file has it
	text   notice.Text
	why    error
}

// checkImport answers with the differences that the posted file would make. It stores nothing.
func (s Services) checkImport(r *desk.Request) error {
	list, shown, err := s.readImport(r)
	if refusal := errs.As(err); refusal != nil {
		return r.ShowStatus(http.StatusUnprocessableEntity, newsview.ImportFound(newsview.Import{Refused: r.Text(err)}))
	}
	if err != nil {
		return err
	}
	return r.Show(newsview.ImportFound(importView(r, list, shown)))
}

func importView(r *desk.Request, list []found, shown string) newsview.Import {
	view, ready := newsview.Import{}, 0
	for _, one := range list {
		part := newsview.Imported{Title: one.number + ", " + names[one.text.Locale], Tag: tag(one.text.Locale)}
		was := []notice.Variant{one.item.Text(one.text.Locale)}
		part.Diff.Changes = changed(textLines(r, was, one.text.Locale), textLines(r, []notice.Variant{{Text: one.text}}, one.text.Locale))
		switch {
		case one.why != nil:
			part.Why, part.Diff = why(r, one.why), ui.DiffView{}
		case len(part.Diff.Changes) == 0:
			view.Same++
			continue
		default:
			ready++
			if one.item.Newest.State != notice.Drafted {
				part.Note = word(r, "content.import."+saveWord(one.item.Newest.State))
			}
		}
		view.Parts = append(view.Parts, part)
	}
	if view.Same > 0 {
		view.SameWords = word(r, "content.import.same", "count", view.Same)
	}
	if view.Nothing = len(list) == 0; ready > 0 {
		view.Shown = shown
		view.Act = &ui.ButtonView{Label: word(r, "content.import.act", "count", ready), Kind: ui.Primary, Money: true, Busy: word(r, "act.busy"), HX: ui.HX{Post: translations, Target: ui.At("import-found"), Swap: ui.SwapWhole}}
	}
	return view
}

// why is the reason of a refused text in words: also which part is refused.
func why(r *desk.Request, err error) string {
	refusal := errs.As(err)
	if refusal == nil || len(refusal.Fields) == 0 {
		return r.Text(err)
	}
	var out []string
	for field, key := range refusal.Fields {
		out = append(out, word(r, "content."+field)+": "+word(r, key))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// importTexts stores the texts that were shown, each item in its own transaction, as drafts. One that can't be stored holds up no other: the answer names it.
func (s Services) importTexts(r *desk.Request) error {
	list, shown, err := s.readImport(r)
	if err != nil {
		return err
	}
	if r.PostFormValue("shown") != shown {
		return approval.ErrChanged
	}
	byItem, versions := map[int64][]notice.Text{}, map[int64]int{}
	var order []int64
	for _, one := range list {
		before, after := one.item.Text(one.text.Locale).Text, one.text
		if one.why != nil || before == after {
			continue
		}
		id := one.item.Item.ID
		if versions[id] == 0 {
			order = append(order, id)
		}
		byItem[id], versions[id] = append(byItem[id], after), one.item.Item.Version
	}
	stored := 0
	failed := each(order, func(id int64) error {
		_, err := s.Notices.Translate(ctxOf(r), r.Actor(), id, versions[id], byItem[id])
		if err == nil {
			stored += len(byItem[id])
		}
		return err
	})
	refused := make([]string, len(failed))
	for i, f := range failed {
		if refused[i] = notice.Number(f.item) + ": " + why(r, f.err); errs.As(f.err) == nil {
			slog.ErrorContext(ctxOf(r), "an imported translation was not stored", "item", f.item, "trace", r.TraceID, "error", f.err)
		}
	}
	return r.Show(newsview.ImportDone(word(r, "content.import.done", "count", stored), refused))
}

// failure is an item that could not be stored.
type failure struct {
	item int64
	err  error
}

// each stores every item, and returns those that failed.
func each(items []int64, store func(int64) error) (failed []failure) {
	for _, id := range items {
		if err := store(id); err != nil {
			failed = append(failed, failure{id, err})
		}
	}
	return failed
}

// readImport reads the posted file and the current texts of its items. The second result identifies what was read, so that nothing else is stored than what was
// shown.
func (s Services) readImport(r *desk.Request) (list []found, shown string, err error) {
	raw, err := postedFile(r)
	if err != nil {
		return nil, "", err
	}
	units, err := transfile.Read(raw)
	if err != nil {
		return nil, "", err
	}
	hash := sha256.New()
	hash.Write(raw)
	items := map[string]notice.ItemDetails{}
	for _, one := range grouped(units) {
		number := one[0].Item
		item, read := items[number]
		if !read && len(items) == maxImported {
			return nil, "", transfile.ErrSize
		}
		if !read {
			item, err = s.Notices.Get(ctxOf(r), caseengine.Numbered(number, "N-"))
			if err != nil && !errors.Is(err, notice.ErrItem) {
				return nil, "", err
			}
			items[number] = item
			_, _ = fmt.Fprintf(hash, " %s %d", number, item.Item.Version)
		}
		if text, why, empty := translated(item, one); !empty {
			list = append(list, found{item, number, text, why})
		}
	}
	return list, hex.EncodeToString(hash.Sum(nil)), nil
}

// grouped are the units of each item and language together, in the order of the file.
func grouped(units []transfile.Unit) (out [][]transfile.Unit) {
	at := map[[2]string]int{}
	for _, u := range units {
		key := [2]string{u.Item, u.To}
		i, known := at[key]
		if !known {
			i = len(out)
			at[key], out = i, append(out, nil)
		}
		out[i] = append(out[i], u)
	}
	return out
}

// translated is the text that the units make of the current one, or why it is refused. A text without any translated part is empty.
func translated(w notice.ItemDetails, units []transfile.Unit) (text notice.Text, why error, empty bool) {
	to, from := localeOf(units[0].To), localeOf(units[0].From)
	text, empty = w.Text(to).Text, true
	for _, u := range units {
		i := slices.IndexFunc(parts, func(p struct {
			name string
			of   func(*notice.Text) *string
		}) bool {
			return p.name == u.Part
		})
		if i < 0 {
			return text, transfile.ErrFormat, false
		}
		if strings.TrimSpace(u.Target) != "" {
			*parts[i].of(&text), empty = u.Target, false
		}
	}
	source := w.Text(from).Text
	switch {
	case empty:
		return text, nil, true
	case w.Item.ID == 0:
		return text, notice.ErrItem, false
	case to == "" || from == "" || to == from:
		return text, errs.Field("language", "field.choice"), false
	case source.Fingerprint() != units[0].Version:
		return text, notice.ErrSource, false
	}
	text, why = w.Item.Kind.CheckTranslation(source, text)
	return text, why, false
}

// localeOf is the language of a tag; empty for any that the product lacks.
func localeOf(word string) string {
	for _, locale := range notice.Locales {
		if strings.EqualFold(tag(locale), word) || strings.EqualFold(locale, word) {
			return locale
		}
	}
	return ""
}

// postedFile reads the file of the form. Refusals: fields, transfile.ErrSize.
func postedFile(r *desk.Request) ([]byte, error) {
	request := r.Request()
	if err := request.ParseMultipartForm(transfile.MaxBytes + formOverhead); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, transfile.ErrSize
		}
		return nil, errs.Field("file", "field.required")
	}
	file, _, err := request.FormFile("file")
	if err != nil {
		return nil, errs.Field("file", "field.required")
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, transfile.MaxBytes+1))
}

package bankdesk

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"candor/admin/desk"
	"candor/app/banking"
	"candor/app/platform/bankfile"
	"candor/app/platform/errs"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// formOverhead is room for what a form has beside its file, in bytes.
const formOverhead = 64 << 10

// openImport opens the dialog that imports a file.
func (s Services) openImport(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return s.importDialog(r, http.StatusOK, nil, nil)
}

// importDialog asks for the file.
func (s Services) importDialog(r *desk.Request, status int, fields map[string]string, alert *ui.AlertView) error {
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Alert: alert,
		Frame: ui.DialogView{
			Title: r.Word("bankline.import.title"), Note: r.Word("bankline.import.note"),
			Form: ui.FormView{Post: ui.To("/admin/statements/import"), Target: ui.At("dialog"), Swap: ui.SwapInside, Files: true},
			Act:  ui.ButtonView{Label: r.Word("bankline.import.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("bankline.import.busy")},
		},
		Fields: []ui.FieldView{
			{Name: "file", Label: r.Word("bankline.import.file"), Hint: r.Word("bankline.import.file.hint"), Accept: ".xml,.sta,.mt940,.940,.txt", Error: fields["file"], Required: true},
		},
	}))
}

// importFile imports the posted file, and opens the list of its lines.
func (s Services) importFile(r *desk.Request) error {
	raw, err := posted(r)
	if err != nil {
		return s.importDialog(r, http.StatusUnprocessableEntity, r.FieldTexts(err), nil)
	}
	out, err := s.Banking.Import(ctxOf(r), r.Actor(), 0, raw)
	if refusal := errs.As(err); refusal != nil {
		return s.importDialog(r, http.StatusUnprocessableEntity, r.FieldTexts(err), &ui.AlertView{Tone: ui.ToneError, Title: r.Text(err), Text: r.Word("bankline.import.nothing")})
	}
	if err != nil {
		return err
	}
	r.Context.Response().Header().Set("HX-Redirect", s.importedAddress(out))
	return r.Context.NoContent(http.StatusNoContent)
}

// importedAddress is the list after an import: that of the statement if the file had one.
func (s Services) importedAddress(out banking.Imported) string {
	address := home.String() + "?new=" + strconv.Itoa(out.New) + "&known=" + strconv.Itoa(out.Known)
	if len(out.Statements) == 1 {
		address += "&tab=all&statement=" + decimal(out.Statements[0].ID)
	}
	return address
}

// posted reads the file of the form. Refusals: fields.
func posted(r *desk.Request) ([]byte, error) {
	request := r.Context.Request()
	if err := request.ParseMultipartForm(bankfile.MaxBytes + formOverhead); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, errs.Field("file", "upload.too_large")
		}
		return nil, errs.Field("file", "field.required")
	}
	file, _, err := request.FormFile("file")
	if err != nil {
		return nil, errs.Field("file", "field.required")
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(io.LimitReader(file, bankfile.MaxBytes+1))
	if err != nil || len(raw) == 0 {
		return nil, errs.Field("file", "field.required")
	}
	return raw, nil
}

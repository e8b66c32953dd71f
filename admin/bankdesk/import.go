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

// importDialog asks for the file, and for the account of a file that does not name it.
func (s Services) importDialog(r *desk.Request, status int, fields map[string]string, alert *ui.AlertView) error {
	accounts, err := s.Banking.Accounts(ctxOf(r))
	if err != nil {
		return err
	}
	account := ui.FieldView{
		Name: "account", Label: r.Word("bankline.import.account"), Hint: r.Word("bankline.import.account.hint"), Error: fields["account"],
		Options: []ui.Option{{Value: "0", Label: r.Word("bankline.import.account.file")}},
	}
	for _, a := range accounts {
		if a.Open {
			account.Options = append(account.Options, ui.Option{Value: strconv.Itoa(a.ID), Label: a.Name + ", " + a.Currency})
		}
	}
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Alert: alert,
		Frame: ui.DialogView{
			Title: r.Word("bankline.import.title"), Note: r.Word("bankline.import.note"),
			Form: ui.FormView{Post: ui.To("/admin/statements/import"), Target: ui.At("dialog"), Swap: ui.SwapInside, Files: true},
			Act:  ui.ButtonView{Label: r.Word("bankline.import.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("bankline.import.busy")},
		},
		Fields: []ui.FieldView{
			{Name: "file", Label: r.Word("bankline.import.file"), Hint: r.Word("bankline.import.file.hint"), Accept: ".xml,.sta,.mt940,.940,.txt,.csv", Error: fields["file"], Required: true},
			account,
		},
	}))
}

// importFile imports the posted file, and opens the list of its lines.
func (s Services) importFile(r *desk.Request) error {
	accountID, raw, err := posted(r)
	if err != nil {
		return s.importDialog(r, http.StatusUnprocessableEntity, r.FieldTexts(err), nil)
	}
	out, err := s.Banking.Import(ctxOf(r), r.Actor(), accountID, raw)
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

// posted reads the file and the account of the form. Refusals: fields.
func posted(r *desk.Request) (accountID int, raw []byte, err error) {
	request := r.Context.Request()
	if err := request.ParseMultipartForm(bankfile.MaxBytes + formOverhead); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return 0, nil, errs.Field("file", "upload.too_large")
		}
		return 0, nil, errs.Field("file", "field.required")
	}
	if accountID, err = strconv.Atoi(request.FormValue("account")); err != nil || accountID < 0 {
		return 0, nil, errs.Field("account", "field.choice")
	}
	file, _, err := request.FormFile("file")
	if err != nil {
		return 0, nil, errs.Field("file", "field.required")
	}
	defer func() { _ = file.Close() }()
	if raw, err = io.ReadAll(io.LimitReader(file, bankfile.MaxBytes+1)); err != nil || len(raw) == 0 {
		return 0, nil, errs.Field("file", "field.required")
	}
	return accountID, raw, nil
}

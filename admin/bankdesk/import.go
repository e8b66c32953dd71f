package bankdesk

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
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
	return s.importDialog(r, http.StatusOK, caseengine.Typed{})
}

// importDialog asks for the file.
func (s Services) importDialog(r *desk.Request, status int, in caseengine.Typed) error {
	accounts, err := s.openAccounts(r)
	if err != nil {
		return err
	}
	account := ui.FieldView{Name: "account", Label: r.Word("bankline.import.account"), Hint: r.Word("bankline.import.account.hint"), Error: in.Errors["account"]}
	account.Options = []ui.Option{{Label: r.Word("bankline.import.account.named")}}
	for _, a := range accounts {
		id := strconv.Itoa(a.ID)
		account.Options = append(account.Options, ui.Option{Value: id, Label: a.Name + " " + a.Currency, Selected: id == in.Values["account"]})
	}
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Alert: in.Alert,
		Frame: ui.DialogView{
			Title: r.Word("bankline.import.title"), Note: r.Word("bankline.import.note"),
			Form: ui.FormView{Post: ui.To("/admin/statements/import"), Target: ui.At("dialog"), Swap: ui.SwapInside, Files: true},
			Act:  ui.ButtonView{Label: r.Word("bankline.import.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("bankline.import.busy")},
		},
		Fields: []ui.FieldView{
			{Name: "file", Label: r.Word("bankline.import.file"), Hint: r.Word("bankline.import.file.hint"), Accept: ".xml,.sta,.mt940,.940,.txt,.csv", Error: in.Errors["file"], Required: true},
			account,
		},
	}))
}

// openAccounts are the accounts whose statements can be imported.
func (s Services) openAccounts(r *desk.Request) (out []banking.Account, err error) {
	all, err := s.Banking.Accounts(ctxOf(r))
	for _, a := range all {
		if a.Open {
			out = append(out, a)
		}
	}
	return out, err
}

// importFile imports the posted file, and opens the list of its lines. A CSV file whose columns are not known asks for them.
func (s Services) importFile(r *desk.Request) error {
	raw, err := posted(r)
	in := caseengine.Typed{Values: map[string]string{"account": r.PostFormValue("account")}}
	if err != nil {
		in.Errors = r.FieldTexts(err)
		return s.importDialog(r, http.StatusUnprocessableEntity, in)
	}
	f := banking.File{Raw: raw}
	if bankfile.IsCSV(raw) {
		account, ok, err := s.typedAccount(r)
		if err != nil {
			return err
		}
		if !ok {
			in.Errors = map[string]string{"account": r.Word("bankline.import.account.csv")}
			return s.importDialog(r, http.StatusUnprocessableEntity, in)
		}
		f.AccountID = account.ID
		mapping, err := account.CSV()
		if err != nil {
			return err
		}
		if mapping == nil || len(mapping.Headings(raw)) == 0 {
			return s.askMapping(r, http.StatusOK, account, raw, nil, caseengine.Typed{})
		}
	}
	out, err := s.Banking.Import(ctxOf(r), r.Actor(), f)
	if refusal := errs.As(err); refusal != nil {
		in.Errors, in.Alert = r.FieldTexts(err), &ui.AlertView{Tone: ui.ToneError, Title: r.Text(err), Text: r.Word("bankline.import.nothing")}
		return s.importDialog(r, http.StatusUnprocessableEntity, in)
	}
	return s.imported(r, out, err)
}

// typedAccount is the open account that the form names.
func (s Services) typedAccount(r *desk.Request) (banking.Account, bool, error) {
	accounts, err := s.openAccounts(r)
	for _, a := range accounts {
		if strconv.Itoa(a.ID) == r.PostFormValue("account") {
			return a, true, err
		}
	}
	return banking.Account{}, false, err
}

// imported opens the list of the new lines.
func (s Services) imported(r *desk.Request, out banking.Imported, err error) error {
	if err != nil {
		return err
	}
	r.Context.Response().Header().Set("HX-Redirect", s.importedAddress(out))
	return r.Context.NoContent(http.StatusNoContent)
}

// importedAddress is the list after an import: that of the statement if the file had one.
func (s Services) importedAddress(out banking.Imported) string {
	address := home.String() + "?new=" + strconv.Itoa(out.New) + "&known=" + strconv.Itoa(out.Known)
	if slices.ContainsFunc(out.Statements, func(st banking.Statement) bool { return st.Gap }) {
		address += "&gap=yes"
	}
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

package bankdesk

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/banking"
	"candor/app/platform/bankfile"
	"candor/app/platform/errs"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// mappingLimit is how large the file may be whose columns are chosen, in bytes: the dialog carries it.
const mappingLimit = 1 << 20

// mappedColumns are the parts of a mapping that name a column, in the order of the dialog.
var mappedColumns = []string{"date", "value", "amount", "credit", "debit", "indicator", "currency", "counterparty", "account", "reference", "text", "bank_reference", "balance"}

// askMapping asks for the columns of a CSV file. The choices begin with what its headings suggest.
func (s Services) askMapping(r *desk.Request, status int, account banking.Account, raw []byte, m *bankfile.Mapping, in caseengine.Typed) error {
	if len(raw) > mappingLimit {
		in.Errors = map[string]string{"file": r.Word("bankline.mapping.large")}
		return s.importDialog(r, http.StatusUnprocessableEntity, in)
	}
	if m == nil {
		guess, err := bankfile.GuessMapping(raw)
		if err != nil {
			return err
		}
		if guess.Delimiter == "" {
			guess.Delimiter = ";"
		}
		m = &guess
	}
	d := caseview.Dialog{
		Alert: in.Alert,
		Frame: ui.DialogView{
			Title: r.Word("bankline.mapping.title"), Note: r.Word("bankline.mapping.note", "account", account.Name),
			Form: ui.FormView{
				Post: ui.To("/admin/statements/import/columns"), Target: ui.At("dialog"), Swap: ui.SwapInside, Files: true,
				Hidden: []ui.Hidden{{Name: "account", Value: strconv.Itoa(account.ID)}, {Name: "content", Value: base64.StdEncoding.EncodeToString(raw)}},
			},
			Act: ui.ButtonView{Label: r.Word("bankline.mapping.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("bankline.import.busy")},
		},
		Facts: firstLine(r, account, raw, *m),
	}
	return r.Dialog(status, caseview.Columns(d, mappingFields(r, raw, *m, in.Errors)))
}

// firstLine is how the first line of the file is read; empty while it can't be.
func firstLine(r *desk.Request, account banking.Account, raw []byte, m bankfile.Mapping) []ui.Fact {
	file, err := bankfile.Read(raw, bankfile.Options{Mapping: inCurrency(m, account), Account: account.IBAN})
	if err != nil || len(file.Statements[0].Lines) == 0 {
		return nil
	}
	line := file.Statements[0].Lines[0]
	return []ui.Fact{{
		Label: r.Word("bankline.mapping.first"), Value: strings.Join(slices.DeleteFunc([]string{
			line.Booked.String(), bankfile.FormatAmount(line.Amount, line.Currency) + " " + line.Currency, line.Counterparty, line.BankReference,
		}, func(part string) bool { return part == "" }), " · "),
	}}
}

// inCurrency is the mapping with the account's currency where the file has none.
func inCurrency(m bankfile.Mapping, account banking.Account) *bankfile.Mapping {
	if m.FixedCurrency = ""; m.Currency == "" {
		m.FixedCurrency = account.Currency
	}
	return &m
}

// asMap is a mapping by its JSON names.
func asMap(m bankfile.Mapping) map[string]string {
	raw, _ := json.Marshal(m) // strings and numbers only
	values := map[string]any{}
	_ = json.Unmarshal(raw, &values)
	out := map[string]string{}
	for name, value := range values {
		switch value := value.(type) {
		case string:
			out[name] = value
		case float64:
			out[name] = strconv.Itoa(int(value))
		}
	}
	if len(m.Text) > 0 {
		out["text"] = m.Text[0]
	}
	return out
}

// mappingFields are the fields of the dialog: how the file is written, and which column is what.
func mappingFields(r *desk.Request, raw []byte, m bankfile.Mapping, errors map[string]string) (fields []ui.FieldView) {
	values, headings := asMap(m), m.Headings(raw)
	add := func(name string, f ui.FieldView) {
		f.Name, f.Label, f.Value, f.Error = fieldOf(name), r.Word("bankline.mapping.field."+name), values[name], errors[name]
		fields = append(fields, f)
	}
	choice := func(name string, options ...string) {
		var f ui.FieldView
		for _, value := range options {
			f.Options = append(f.Options, ui.Option{Value: value, Label: r.Word("bankline.mapping." + name + "." + optionNames[value]), Selected: values[name] == value})
		}
		add(name, f)
	}
	choice("delimiter", ",", ";", "\t", "|")
	choice("decimal", ".", ",")
	add("date_layout", ui.FieldView{Hint: r.Word("bankline.mapping.field.date_layout.hint"), MaxLength: 20, Required: true})
	add("header_row", ui.FieldView{Hint: r.Word("bankline.mapping.field.header_row.hint"), InputMode: "numeric", MaxLength: 4, Required: true})
	choice("sign", string(bankfile.Signed), string(bankfile.Inverted), string(bankfile.Separate), string(bankfile.Indicated))
	for _, name := range mappedColumns {
		f := ui.FieldView{Options: []ui.Option{{Label: r.Word("bankline.mapping.none"), Selected: values[name] == ""}}}
		for _, heading := range headings {
			f.Options = append(f.Options, ui.Option{Value: heading, Label: heading, Selected: values[name] == heading})
		}
		add(name, f)
	}
	add("credit_word", ui.FieldView{MaxLength: 40})
	add("debit_word", ui.FieldView{MaxLength: 40})
	return fields
}

// fieldOf is the field of a part of a mapping; the form's "account" is the bank account itself.
func fieldOf(name string) string {
	if name == "account" {
		return "account_column"
	}
	return name
}

// optionNames are the names of the choices in the keys of their texts.
var optionNames = map[string]string{
	",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ".": "point",
	string(bankfile.Signed): "signed", string(bankfile.Inverted): "inverted", string(bankfile.Separate): "separate", string(bankfile.Indicated): "indicator",
}

// readMapping reads the posted mapping. Columns that its sign does not use are dropped.
func readMapping(r *desk.Request) bankfile.Mapping {
	value := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	row, err := strconv.Atoi(value("header_row"))
	if err != nil {
		row = -1
	}
	m := bankfile.Mapping{
		Delimiter: r.PostFormValue("delimiter"), Decimal: value("decimal"), DateLayout: strings.ToUpper(value("date_layout")), HeaderRow: row, Sign: bankfile.Sign(value("sign")),
		Date: value("date"), Value: value("value"), Currency: value("currency"), Counterparty: value("counterparty"), Account: value(fieldOf("account")),
		Reference: value("reference"), BankReference: value("bank_reference"), Balance: value("balance"),
	}
	if text := value("text"); text != "" {
		m.Text = []string{text}
	}
	switch m.Sign {
	case bankfile.Separate:
		m.Credit, m.Debit = value("credit"), value("debit")
	case bankfile.Indicated:
		m.Amount, m.Indicator, m.CreditWord, m.DebitWord = value("amount"), value("indicator"), value("credit_word"), value("debit_word")
	default:
		m.Amount = value("amount")
	}
	return m
}

// importMapped imports the file with the chosen columns, and keeps them for the account's next files.
func (s Services) importMapped(r *desk.Request) error {
	if err := r.Context.Request().ParseMultipartForm(2*mappingLimit + formOverhead); err != nil {
		return errs.Field("file", "upload.too_large")
	}
	account, ok, err := s.typedAccount(r)
	if err != nil {
		return err
	}
	raw, bad := base64.StdEncoding.DecodeString(r.PostFormValue("content"))
	if !ok || bad != nil || len(raw) == 0 {
		return s.importDialog(r, http.StatusUnprocessableEntity, caseengine.Typed{})
	}
	m := readMapping(r)
	out, err := s.Banking.Import(ctxOf(r), r.Actor(), banking.File{Raw: raw, AccountID: account.ID, Mapping: inCurrency(m, account)})
	if errs.As(err) == nil {
		return s.imported(r, out, err)
	}
	in := caseengine.Typed{Errors: r.FieldTexts(err)}
	if len(in.Errors) == 0 {
		in.Alert = &ui.AlertView{Tone: ui.ToneError, Title: r.Text(err), Text: r.Word("bankline.import.nothing")}
	}
	return s.askMapping(r, http.StatusUnprocessableEntity, account, raw, &m, in)
}

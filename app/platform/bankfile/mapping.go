package bankfile

import (
	"slices"
	"strconv"
	"strings"

	"candor/app/platform/errs"
)

// Sign is how a CSV tells money in from money out.
type Sign string

// The sign conventions.
const (
	Signed    Sign = "signed"    // money out is negative
	Inverted  Sign = "inverted"  // money out is positive
	Separate  Sign = "separate"  // one column for credits and one for debits, both without sign
	Indicated Sign = "indicator" // a column of its own says credit or debit
)

// Mapping says how to read one bank's CSV. It is kept as JSON. A column is named by its heading, or by its number from 1 if there is no header row.
type Mapping struct {
	Delimiter  string `json:"delimiter"`   // one of , ; | and tab
	Decimal    string `json:"decimal"`     // . or ,
	DateLayout string `json:"date_layout"` // of YYYY or YY, MM or M, DD or D, and separators: DD.MM.YYYY
	HeaderRow  int    `json:"header_row"`  // line of the file with the headings, from 1; what stands above is skipped; 0 if there is none
	FooterRows int    `json:"footer_rows"` // rows at the end that are no lines, such as totals
	Sign       Sign   `json:"sign"`

	Date          string   `json:"date"`
	Value         string   `json:"value,omitempty"` // value date; the booking date where it is empty
	Amount        string   `json:"amount,omitempty"`
	Credit        string   `json:"credit,omitempty"`
	Debit         string   `json:"debit,omitempty"`
	Indicator     string   `json:"indicator,omitempty"`
	CreditWord    string   `json:"credit_word,omitempty"` // what the indicator says of money in
	DebitWord     string   `json:"debit_word,omitempty"`
	Currency      string   `json:"currency,omitempty"`
	FixedCurrency string   `json:"fixed_currency,omitempty"` // ISO 4217, where there is no currency column
	Counterparty  string   `json:"counterparty,omitempty"`
	Account       string   `json:"account,omitempty"` // of the counterparty
	Reference     string   `json:"reference,omitempty"`
	Text          []string `json:"text,omitempty"` // joined with spaces
	BankReference string   `json:"bank_reference,omitempty"`
	Balance       string   `json:"balance,omitempty"` // booked balance after the line
}

// Validate returns an Invalid error that names the first field that is missing or wrong by its JSON name.
func (m Mapping) Validate() error {
	for _, rule := range []struct {
		field  string
		holds  bool
		reason string
	}{
		{"delimiter", slices.Contains(delimiters, m.Delimiter), "field.choice"},
		{"decimal", m.Decimal == "." || m.Decimal == ",", "field.choice"},
		{"date_layout", m.layout() != "", "field.type"},
		{"header_row", m.HeaderRow >= 0 && m.HeaderRow <= MaxLines, "field.range"},
		{"footer_rows", m.FooterRows >= 0 && m.FooterRows <= MaxLines, "field.range"},
		{"sign", slices.Contains([]Sign{Signed, Inverted, Separate, Indicated}, m.Sign), "field.choice"},
		{"date", m.Date != "", "field.required"},
		{"amount", m.Sign == Separate || m.Amount != "", "field.required"},
		{"credit", m.Sign != Separate || m.Credit != "", "field.required"},
		{"debit", m.Sign != Separate || m.Debit != "", "field.required"},
		{"indicator", m.Sign != Indicated || m.Indicator != "", "field.required"},
		{"credit_word", m.Sign != Indicated || m.CreditWord != "", "field.required"},
		{"debit_word", m.Sign != Indicated || m.DebitWord != "" && !strings.EqualFold(m.DebitWord, m.CreditWord), "field.required"},
		{"currency", m.Currency != "" || m.FixedCurrency != "", "field.required"},
		{"fixed_currency", m.FixedCurrency == "" || m.Currency == "" && currencyCode.MatchString(m.FixedCurrency), "field.type"},
	} {
		if !rule.holds {
			return errs.Field(rule.field, rule.reason)
		}
	}
	return nil
}

// layout is the date layout in the notation of package time; empty if it isn't year, month and day, once each.
func (m Mapping) layout() string {
	var out strings.Builder
	for rest := m.DateLayout; rest != ""; {
		run := 1
		for run < len(rest) && rest[run] == rest[0] {
			run++
		}
		part, known := dateParts[rest[:run]]
		if !known && run == 1 && strings.ContainsAny(rest[:1], "./- ") {
			part, known = rest[:1], true
		}
		if !known {
			return ""
		}
		out.WriteString(part)
		rest = rest[run:]
	}
	for _, letter := range []string{"Y", "M", "D"} {
		before, after, found := strings.Cut(m.DateLayout, letter)
		if !found || strings.Contains(before, letter) || strings.Contains(strings.TrimLeft(after, letter), letter) {
			return ""
		}
	}
	return out.String()
}

var dateParts = map[string]string{"YYYY": "2006", "YY": "06", "MM": "01", "M": "1", "DD": "02", "D": "2"}

var delimiters = []string{",", ";", "\t", "|"}

// columns are the positions of the mapping's columns in a row, from 0; -1 where the mapping has none.
type columns struct {
	date, value, amount, credit, debit, indicator, currency, counterparty, account, reference, bankReference, balance int
	text                                                                                                              []int
}

// columns finds the columns by the header row, which is nil without one. It returns ErrColumn with the heading that is missing.
func (m Mapping) columns(header []string) (c columns, err error) {
	for _, one := range []struct {
		name string
		at   *int
	}{
		{m.Date, &c.date}, {m.Value, &c.value}, {m.Amount, &c.amount}, {m.Credit, &c.credit}, {m.Debit, &c.debit}, {m.Indicator, &c.indicator},
		{m.Currency, &c.currency}, {m.Counterparty, &c.counterparty}, {m.Account, &c.account}, {m.Reference, &c.reference},
		{m.BankReference, &c.bankReference}, {m.Balance, &c.balance},
	} {
		if *one.at, err = column(header, one.name); err != nil {
			return c, err
		}
	}
	for _, name := range m.Text {
		at, err := column(header, name)
		if err != nil {
			return c, err
		}
		c.text = append(c.text, at)
	}
	return c, nil
}

// maxColumns is above the number of columns of any bank.
const maxColumns = 500

func column(header []string, name string) (int, error) {
	if name == "" {
		return -1, nil
	}
	for i, heading := range header {
		if strings.EqualFold(squeeze(heading), squeeze(name)) {
			return i, nil
		}
	}
	if n, err := strconv.Atoi(name); err == nil && header == nil && n >= 1 && n <= maxColumns {
		return n - 1, nil
	}
	return -1, ErrColumn.With("column", excerpt(name))
}

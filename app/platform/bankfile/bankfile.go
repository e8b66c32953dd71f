// Package bankfile reads bank statements (camt.053, MT940, CSV) and writes payment files (pain.001). It knows files only: no account of ours, no database.
package bankfile

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"candor/app/platform/errs"
)

// Limits of a file.
const (
	MaxBytes = 10 << 20
	MaxLines = 100_000 // lines of all statements together
)

// Format is the format of a bank statement.
type Format string

// The formats that Read knows.
const (
	CAMT053 Format = "camt.053"
	MT940   Format = "mt940"
	CSV     Format = "csv"
)

// Refusals of statements. {{line}} is the line of the file, from 1, as a text editor counts it.
var (
	ErrTooLarge     = errs.New(errs.Refused, "bankfile.too_large")
	ErrTooManyLines = errs.New(errs.Refused, "bankfile.too_many_lines")
	ErrFormat       = errs.New(errs.Refused, "bankfile.format") // neither camt.053 nor MT940, and no mapping for CSV
	ErrEmpty        = errs.New(errs.Refused, "bankfile.empty")
	ErrBroken       = errs.New(errs.Refused, "bankfile.broken") // not well-formed XML or CSV, or nested too deep
	ErrMalformed    = errs.New(errs.Refused, "bankfile.malformed")
	ErrDate         = errs.New(errs.Refused, "bankfile.date")
	ErrAmount       = errs.New(errs.Refused, "bankfile.amount")
	ErrDirection    = errs.New(errs.Refused, "bankfile.direction") // neither credit nor debit
	ErrCurrency     = errs.New(errs.Refused, "bankfile.currency")  // none, or another than the statement's
	ErrDuplicate    = errs.New(errs.Refused, "bankfile.duplicate")
	ErrRepeated     = errs.New(errs.Refused, "bankfile.repeated") // the same statement twice in one file
	ErrBalance      = errs.New(errs.Refused, "bankfile.balance")  // opening and lines don't make closing
	ErrRunning      = errs.New(errs.Refused, "bankfile.running")  // a CSV line's balance doesn't follow from the line before
	ErrTotal        = errs.New(errs.Refused, "bankfile.total")    // the sum leaves int64
	ErrColumn       = errs.New(errs.Refused, "bankfile.column")   // the file lacks a column of the mapping
)

// File is a read file: one format, one or more statements.
type File struct {
	Format     Format
	Statements []Statement
}

// Statement is one statement of one account, or one page of it. From, To and the balances are missing where the file doesn't give them.
type Statement struct {
	ID               string // the bank's name of the statement; not unique at every bank
	Sequence         int64  // the bank's number of the statement; 0 if none
	Page             int64  // 0 if none
	Account          string // IBAN or other number, without spaces
	Currency         string // ISO 4217
	From, To         Date
	Opening, Closing *Balance
	Lines            []Line
	Row              int // line of the file where it begins
}

// Balance is a booked balance in the smallest unit of the statement's currency; negative if overdrawn.
type Balance struct {
	Date    Date
	Amount  int64
	Interim bool // of a page, while the statement goes on
}

// Line is one booked movement.
type Line struct {
	Index               int // from 1 within its statement, in the order of booking
	Row                 int // line of the file where it begins
	Booked, Value       Date
	Amount              int64  // smallest unit of Currency; positive is money in
	Currency            string // ISO 4217
	Counterparty        string // name of the other party
	CounterpartyAccount string // IBAN or other number, without spaces
	Reference           string // the payer's: end-to-end id, else the structured creditor reference
	BankReference       string // the bank's own; empty if it gives none
	Text                string // remittance information
	Reversal            bool   // it takes back an earlier line
	Ordinal             int    // from 0, among lines of the file with equal account, day, amount, counterparty and text
	ReferenceOrdinal    int    // from 0, among lines of the file with equal account, bank reference, day and amount
}

// Options say what a file doesn't: CSV needs both.
type Options struct {
	Mapping *Mapping // how to read CSV; nil refuses CSV
	Account string   // whose statement a CSV is; other formats name it themselves
}

// Read detects the format by the content and reads all statements of a file. Opening balance and lines must make the closing balance. It returns the
// refusals of this package; a file is read as a whole or not at all.
func Read(raw []byte, o Options) (File, error) {
	if len(raw) > MaxBytes {
		return File{}, ErrTooLarge.With("megabytes", MaxBytes>>20)
	}
	text := decode(raw)
	file := File{Format: detect(text)}
	var err error
	switch {
	case file.Format == CAMT053:
		file.Statements, err = readCAMT(raw)
	case file.Format == MT940:
		file.Statements, err = readMT940(text)
	case o.Mapping != nil:
		file.Format = CSV
		file.Statements, err = readCSV(text, *o.Mapping, compact(o.Account))
	default:
		return File{}, ErrFormat
	}
	if err != nil {
		return File{}, err
	}
	if err := check(file.Statements); err != nil {
		return File{}, err
	}
	return file, nil
}

// IsCSV reports whether a file is a table that names neither its format nor its account, so that a mapping has to say how it is read.
func IsCSV(raw []byte) bool {
	text := decode(raw)
	return detect(text) == "" && hasColumns(text)
}

// detect tells XML and SWIFT messages by what they begin with; anything else may be CSV.
func detect(text string) Format {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "<"):
		return CAMT053
	case swiftStart.MatchString(text):
		return MT940
	}
	return ""
}

// decode makes a text of UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which holds the letters of ISO-8859-1.
func decode(raw []byte) string {
	if bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) || bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) {
		if text, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(raw); err == nil {
			return string(text)
		}
	}
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	if utf8.Valid(raw) {
		return string(raw)
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(raw)
	if err != nil {
		return strings.ToValidUTF8(string(raw), "?")
	}
	return string(text)
}

// compact removes white space, as account numbers are printed in groups.
func compact(text string) string { return strings.Join(strings.Fields(text), "") }

// squeeze turns any run of white space into one space.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// placeholders stand in fields that a bank must fill but has nothing for.
var placeholders = []string{"NOTPROVIDED", "NONREF", "NOREF"}

// reference is a reference without white space around it; empty for a placeholder.
func reference(text string) string {
	if slices.Contains(placeholders, strings.ToUpper(compact(text))) {
		return ""
	}
	return squeeze(text)
}

// firstOf is the first text that isn't empty.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// excerpt shortens a value of the file for a refusal.
func excerpt(text string) string {
	const longest = 40
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

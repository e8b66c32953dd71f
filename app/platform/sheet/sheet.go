// Package sheet writes tables as CSV files (RFC 4180, UTF-8) that people open in a spreadsheet.
package sheet

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Writer writes one table, a row after the other.
type Writer struct{ csv *csv.Writer }

// New writes to w; Flush ends it.
func New(w io.Writer) *Writer {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	return &Writer{c}
}

// Row writes one row. A cell that a spreadsheet could take for a formula gets an apostrophe before it.
func (w *Writer) Row(cells ...string) error {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = harmless(cell)
	}
	return w.csv.Write(row)
}

// Flush writes the remaining rows and returns the first error of all rows.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

// Moment is a time in UTC, as spreadsheets and programs read it; empty when there is none.
func Moment(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// formula are the characters that make a cell a formula, the wide ones for East Asian keyboards among them.
const formula = "=+-@\t\r\n＝＋－＠"

var plainNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// harmless is a cell that a spreadsheet can't take for a formula: a negative number stays one.
func harmless(cell string) string {
	first, _ := utf8.DecodeRuneInString(cell)
	if strings.ContainsRune(formula, first) && !plainNumber.MatchString(cell) {
		return "'" + cell
	}
	return cell
}

// Bare is a cell as it was before Row made it harmless.
func Bare(cell string) string {
	rest, marked := strings.CutPrefix(cell, "'")
	if marked && harmless(rest) == cell {
		return rest
	}
	return cell
}

// Package transfile writes texts for translators and reads them back: XLIFF 1.2 files, which translation tools open, and CSV files, which spreadsheets open.
package transfile

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"candor/app/platform/errs"
)

// MaxBytes is the size limit of a file that is read.
const MaxBytes = 4 << 20

// maxUnits is the limit of texts in a file that is read.
const maxUnits = 20_000

// Refusals of Read.
var (
	ErrFormat = errs.New(errs.Invalid, "transfile.format")    // neither XLIFF 1.2 nor our CSV, or broken
	ErrMarkup = errs.New(errs.Invalid, "transfile.markup")    // XLIFF with inline elements, which our texts never have
	ErrSize   = errs.New(errs.Invalid, "upload.too_large")    // larger than MaxBytes, or too many texts
	ErrTwice  = errs.New(errs.Invalid, "transfile.duplicate") // the same part of a text comes twice
)

// Unit is one part of a text, such as its title. An empty Target is not translated yet.
type Unit struct {
	Item           string // the number of the item
	Version        string // of the text that is translated from
	Part           string
	From, To       string // language tags
	Source, Target string
}

// Read reads a file in either format. Refusals: ErrFormat, ErrMarkup, ErrSize, ErrTwice.
func Read(raw []byte) ([]Unit, error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	switch {
	case len(raw) > MaxBytes:
		return nil, ErrSize
	case !utf8.Valid(raw) || bytes.ContainsRune(raw, 0):
		return nil, ErrFormat
	}
	read := readCSV
	if strings.HasPrefix(strings.TrimSpace(string(raw[:min(len(raw), 200)])), "<") {
		read = readXLIFF
	}
	units, err := read(raw)
	if err != nil {
		return nil, err
	}
	seen := map[[3]string]bool{}
	for _, u := range units {
		key := [3]string{u.Item, u.To, u.Part}
		if seen[key] {
			return nil, ErrTwice
		}
		seen[key] = true
	}
	return units, nil
}

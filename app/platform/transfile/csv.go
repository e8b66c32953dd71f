package transfile

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"candor/app/platform/sheet"
)

// columns never change their names or order.
var columns = []string{"item", "version", "part", "source_language", "target_language", "source", "target"}

// WriteCSV writes a CSV file with one row for each part of a text.
func WriteCSV(w io.Writer, units []Unit) error {
	out := sheet.New(w)
	if err := out.Row(columns...); err != nil {
		return err
	}
	for _, u := range units {
		if err := out.Row(u.Item, u.Version, u.Part, u.From, u.To, u.Source, u.Target); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readCSV reads such a file, also as spreadsheets save it in countries whose numbers have a decimal comma: with semicolons.
func readCSV(raw []byte) ([]Unit, error) {
	rows := csv.NewReader(bytes.NewReader(raw))
	if head, _, _ := bytes.Cut(raw, []byte("\n")); bytes.Contains(head, []byte(";")) {
		rows.Comma = ';'
	}
	rows.FieldsPerRecord = len(columns)
	all, err := rows.ReadAll()
	switch {
	case err != nil || len(all) == 0 || !slices.Equal(all[0], columns):
		return nil, ErrFormat
	case len(all) > maxUnits:
		return nil, ErrSize
	}
	units := make([]Unit, 0, len(all))
	for _, row := range all[1:] {
		for i, cell := range row {
			row[i] = sheet.Bare(strings.ReplaceAll(cell, "\r\n", "\n"))
		}
		units = append(units, Unit{row[0], row[1], row[2], row[3], row[4], row[5], row[6]})
	}
	return units, nil
}

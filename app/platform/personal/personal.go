// Package personal declares what each domain keeps about a person: what the copy contains that the person may have, and what is erased when the account closes.
package personal

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/sheet"
)

// Treatment is what happens to a table's rows about a person when the account closes.
type Treatment string

// The treatments.
const (
	Erased  Treatment = "erased"  // with the account
	Kept    Treatment = "kept"    // as long as the law asks; compliance reads it
	Figures Treatment = "figures" // numbers and references that name nobody: the books, and what proves them
)

// Source is what a domain keeps about a person.
type Source struct {
	Tables map[string]Treatment
	// Export adds the person's data to the copy; nil when there is nothing to read in it.
	Export func(ctx context.Context, traderID int64, a *Archive) error
	// Erase deletes what may go; nil when nothing may.
	Erase func(ctx context.Context, tx *db.Tx, traderID int64) error
}

// Archive is the copy of a person's data: a ZIP file of tables and pictures.
type Archive struct{ zip *zip.Writer }

// NewArchive writes a copy to w; Close ends it.
func NewArchive(w io.Writer) *Archive { return &Archive{zip.NewWriter(w)} }

// Close writes the end of the file.
func (a *Archive) Close() error { return a.zip.Close() }

// Create begins a file.
func (a *Archive) Create(name string) (io.Writer, error) { return a.zip.Create(name) }

// File adds a whole file.
func (a *Archive) File(name string, content []byte) error {
	w, err := a.zip.Create(name)
	if err == nil {
		_, err = w.Write(content)
	}
	return err
}

// Picture adds a picture. One that is missing on the disk is logged and left out: the copy has what there is.
func (a *Archive) Picture(name string, read func() ([]byte, error)) error {
	picture, err := read()
	if errors.Is(err, fs.ErrNotExist) {
		slog.Error("a picture is missing in a copy of data", "name", name, "error", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return a.File(name, picture)
}

// JSON adds facts as a JSON file.
func (a *Archive) JSON(name string, facts map[string]any) error {
	text, err := json.MarshalIndent(facts, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return a.File(name, append(text, '\n'))
}

// Table adds the rows of a query as a CSV file with the names of its columns; no file without rows. It holds a connection while it reads: callers write to
// memory or to a disk.
func (a *Archive) Table(ctx context.Context, q db.Querier, name, query string, args ...any) error {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	defer rows.Close()
	if err := a.rows(name, rows); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func (a *Archive) rows(name string, rows pgx.Rows) error {
	var columns []string
	for _, field := range rows.FieldDescriptions() {
		columns = append(columns, field.Name)
	}
	return a.Rows(name, columns, func(row func(cells ...any) error) error {
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				return err
			}
			if err := row(values...); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// Amount is the SQL of a column that holds an amount in 10^-6, as a decimal with the column's name.
func Amount(column string) string {
	return "trim_scale(" + column + "::numeric / 1000000)::text AS " + column
}

// Rows adds the rows that write writes as a CSV file; no file without rows.
func (a *Archive) Rows(name string, columns []string, write func(row func(cells ...any) error) error) error {
	var out *sheet.Writer
	err := write(func(values ...any) error {
		if out == nil {
			w, err := a.zip.Create(name)
			if err != nil {
				return err
			}
			out = sheet.New(w)
			if err := out.Row(columns...); err != nil {
				return err
			}
		}
		cells := make([]string, len(values))
		for i, value := range values {
			var err error
			if cells[i], err = cell(value); err != nil {
				return err
			}
		}
		return out.Row(cells...)
	})
	if err != nil || out == nil {
		return err
	}
	return out.Flush()
}

// cell is a value of the database as text.
func cell(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return strings.ToValidUTF8(v, "\uFFFD"), nil
	case time.Time:
		return sheet.Moment(&v), nil
	case bool:
		return strconv.FormatBool(v), nil
	case int16, int32, int64:
		return fmt.Sprint(v), nil
	}
	return "", fmt.Errorf("%T is not written: convert it in the query", value)
}

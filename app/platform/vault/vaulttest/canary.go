package vaulttest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Querier reads rows of the database.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Dump is every row of every table as text, bytes in hexadecimal.
func Dump(t testing.TB, q Querier) string {
	t.Helper()
	read := func(sql string) []string {
		rows, err := q.Query(t.Context(), sql)
		require.NoError(t, err)
		list, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return list
	}
	tables := read(`SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`)
	require.Contains(t, tables, "kyc_applications")
	var out strings.Builder
	for _, table := range tables {
		out.WriteString(strings.Join(read(`SELECT t::text FROM `+table+` t`), "\n"))
	}
	return out.String()
}

// Files is everything below a folder, one after another.
func Files(t testing.TB, dir string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		out.Write(raw)
		return err
	}))
	return out.String()
}

// disguises are the forms in which a text may hide.
func disguises(text string) (out []string) {
	for _, one := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
		out = append(out, one, hex.EncodeToString([]byte(one)))
		for lead := range 3 { // wherever it begins in a run of base64
			encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, lead), one...))
			out = append(out, encoded[(lead*8+5)/6:len(encoded)-2])
		}
	}
	return out
}

// Found reports whether a text is found, in any disguise.
func Found(haystack, text string) bool {
	for _, one := range disguises(text) {
		if strings.Contains(haystack, one) {
			return true
		}
	}
	return false
}

// Log collects the log lines of many goroutines.
type Log struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write writes one line.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

// String is all that was logged.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.String()
}

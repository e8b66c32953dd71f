package dbtest

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// RequireLabels requires that an enum type of the database has the values of Go constants in folder as its labels, and no others. The constants are named
// by their type, or those without a type by the beginning of their names and a star; more are labels that no constant names.
func (d *DB) RequireLabels(t testing.TB, enum, folder, constants string, more ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), d.OwnerURL)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	rows, err := conn.Query(t.Context(), `SELECT enumlabel::text FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid WHERE typname = $1`, enum)
	require.NoError(t, err)
	labels, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NotEmpty(t, labels, enum)
	require.ElementsMatch(t, slices.Concat(constantsOf(t, folder, constants), more), labels, enum)
}

// constantsOf lists the values of the text constants of a type, or of those without one whose names begin with the text before a star.
func constantsOf(t testing.TB, folder, which string) (values []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), folder+"/"+file.Name(), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			declared, ok := n.(*ast.GenDecl)
			if !ok || declared.Tok != token.CONST {
				return true
			}
			for _, one := range declared.Specs {
				if value, ok := named(one.(*ast.ValueSpec), which); ok {
					values = append(values, value)
				}
			}
			return false
		})
	}
	return values
}

// named is the text of a constant, if it is one of those named.
func named(one *ast.ValueSpec, which string) (value string, ok bool) {
	prefix, byName := strings.CutSuffix(which, "*")
	of, typed := one.Type.(*ast.Ident)
	if byName != (one.Type == nil) || byName && !strings.HasPrefix(one.Names[0].Name, prefix) || !byName && (!typed || of.Name != which) || len(one.Values) != 1 {
		return "", false
	}
	text, ok := one.Values[0].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return "", false
	}
	value, err := strconv.Unquote(text.Value)
	return value, err == nil
}

package dbtest

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
)

// Explained records the executed plan of every query for one row.
type Explained struct {
	db.Querier
	plans []string
}

// Explain queries through q.
func Explain(q db.Querier) *Explained { return &Explained{Querier: q} }

// QueryRow runs the query twice: once for its plan.
func (e *Explained) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := e.Query(ctx, `EXPLAIN (ANALYZE, TIMING OFF) `+sql, args...)
	if err == nil {
		var lines []string
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		e.plans = append(e.plans, strings.Join(lines, "\n"))
	}
	if err != nil {
		e.plans = append(e.plans, err.Error())
	}
	return e.Querier.QueryRow(ctx, sql, args...)
}

var removedRows = regexp.MustCompile(`Rows Removed by (?:Join )?Filter: (\d+)`)

// RequireNoSquare requires at least one query, and that no plan compared each row of one table with each row of another: tables of thousands of rows would
// remove millions.
func (e *Explained) RequireNoSquare(t testing.TB) {
	t.Helper()
	require.NotEmpty(t, e.plans)
	for _, plan := range e.plans {
		require.Contains(t, plan, "actual rows")
		for _, n := range removedRows.FindAllStringSubmatch(plan, -1) {
			require.Less(t, len(n[1]), 6, plan) // the square has seven digits
		}
	}
}

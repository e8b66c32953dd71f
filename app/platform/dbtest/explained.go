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

// Explained keeps the plan of every question for one row that is asked through it, as it was run.
type Explained struct {
	db.Querier
	plans []string
}

// Explain asks through q.
func Explain(q db.Querier) *Explained { return &Explained{Querier: q} }

// QueryRow runs the question twice: once for its plan.
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

var thrownAway = regexp.MustCompile(`Rows Removed by (?:Join )?Filter: (\d+)`)

// RequireNoSquare wants questions, and none of their plans to compare each row of a table with each of another: tables of thousands of rows would throw
// millions away.
func (e *Explained) RequireNoSquare(t testing.TB) {
	t.Helper()
	require.NotEmpty(t, e.plans)
	for _, plan := range e.plans {
		require.Contains(t, plan, "actual rows")
		for _, n := range thrownAway.FindAllStringSubmatch(plan, -1) {
			require.Less(t, len(n[1]), 6, plan) // the square has seven digits
		}
	}
}

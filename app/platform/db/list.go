package db

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Stretch is the most rows of a long list that one page scans. A page that finds few matches ends early and returns where the next one
// continues, so that a rarely matching filter never makes one query read a million rows.
const Stretch = 1_000

// List is a page of a long list of rows that have an id. It is planned in two parts: an index returns the rows of the list in order, then
// filters keep some of them.
type List struct {
	Columns string // separated by commas
	Table   string
	Join    string // of tables that only Columns and Keep use; may be empty
	Order   string // of the list, as an index of the table has it
	Limit   int    // of kept rows
	Offset  int    // in kept rows, for numbered pages
	Whole   bool   // scans everything: for files, which have time
	rows    conditions
	kept    conditions
}

// conditions must all hold. Each has one question mark per value.
type conditions struct {
	sql    []string
	values []any
}

// Querier reads rows: the pool, or a transaction's connection.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Rows restricts the list by columns of the index that gives its order.
func (l *List) Rows(condition string, values ...any) { l.rows.add(condition, values) }

// RowsIf is Rows, if asked is true.
func (l *List) RowsIf(asked bool, condition string, values ...any) {
	if asked {
		l.rows.add(condition, values)
	}
}

// KeepIf filters the rows of the list, if asked is true.
func (l *List) KeepIf(asked bool, condition string, values ...any) {
	if asked {
		l.kept.add(condition, values)
	}
}

func (c *conditions) add(condition string, values []any) {
	c.sql, c.values = append(c.sql, condition), append(c.values, values...)
}

// after joins the conditions, with their values numbered from n+1.
func (c *conditions) after(n int) string {
	if len(c.sql) == 0 {
		return "true"
	}
	var out strings.Builder
	for i, part := range strings.Split(strings.Join(c.sql, " AND "), "?") {
		if i > 0 {
			fmt.Fprintf(&out, "$%d", n+i)
		}
		out.WriteString(part)
	}
	return out.String()
}

// Read reads the page, and the id after which the next one begins: 0 after the last.
func Read[Row any](ctx context.Context, q Querier, l List, scan pgx.RowToFunc[Row], id func(Row) int64) (list []Row, next int64, err error) {
	rows, err := q.Query(ctx, l.page(), l.values(l.kept.values...)...)
	if err != nil {
		return nil, 0, fmt.Errorf("list %s: %w", l.Table, err)
	}
	if list, err = pgx.CollectRows(rows, scan); err != nil {
		return nil, 0, fmt.Errorf("list %s: %w", l.Table, err)
	}
	if len(list) > l.Limit {
		list = list[:l.Limit]
		return list, id(list[l.Limit-1]), nil
	}
	if len(l.kept.sql) == 0 || l.Whole {
		return list, 0, nil
	}
	next, err = l.end(ctx, q)
	return list, next, err
}

// Count counts the kept rows among the first Stretch rows of the list; more reports whether the list is longer.
func Count(ctx context.Context, q Querier, l List) (total int, more bool, err error) {
	sql := fmt.Sprintf(`SELECT count(*) FILTER (WHERE %s), count(*) > %d FROM (%s LIMIT %d) %s %s`,
		l.kept.after(len(l.rows.values)), Stretch, l.ordered("*"), Stretch+1, l.Table, l.Join)
	if err := q.QueryRow(ctx, sql, l.values(l.kept.values...)...).Scan(&total, &more); err != nil {
		return 0, false, fmt.Errorf("count %s: %w", l.Table, err)
	}
	return min(total, Stretch), more, nil
}

// page selects one row more than it shows, to know whether there is a next page.
func (l *List) page() string {
	stretch := fmt.Sprintf(" LIMIT %d", max(Stretch, l.Offset+l.Limit+1))
	if l.Whole {
		stretch = ""
	}
	return fmt.Sprintf(`SELECT %s FROM (%s%s) %s %s WHERE %s ORDER BY %s OFFSET %d LIMIT %d`,
		l.Columns, l.ordered("*"), stretch, l.Table, l.Join, l.kept.after(len(l.rows.values)), l.Order, l.Offset, l.Limit+1)
}

// end is the last row of the scanned stretch, if another row follows.
func (l *List) end(ctx context.Context, q Querier) (id int64, err error) {
	rows, err := q.Query(ctx, fmt.Sprintf(`%s OFFSET %d LIMIT 2`, l.ordered(l.Table+".id"), max(Stretch, l.Offset+l.Limit+1)-1), l.values()...)
	if err != nil {
		return 0, fmt.Errorf("list %s: %w", l.Table, err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil || len(ids) < 2 {
		return 0, err
	}
	return ids[0], nil
}

func (l *List) ordered(columns string) string {
	return fmt.Sprintf(`SELECT %s FROM %s WHERE %s ORDER BY %s`, columns, l.Table, l.rows.after(0), l.Order)
}

// values are the arguments of a query of l. It is planned for these exact values each time: a generic plan may suit most accounts or kinds of rows
// and read a million rows for one.
func (l *List) values(more ...any) []any {
	return slices.Concat([]any{pgx.QueryExecModeCacheDescribe}, l.rows.values, more)
}

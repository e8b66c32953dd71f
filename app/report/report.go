// Package report adds up what the other domains have written: money in and out, trading, identity checks and conversations, by day. It changes nothing but
// its subscriptions.
package report

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// MaxDays is the longest span of a report: a leap year.
const MaxDays = 366

// maxRows is how many cases a report adds up one by one, for medians.
const maxRows = 200_000

// Refusals.
var (
	ErrSpan    = errs.New(errs.Invalid, "report.span")      // it ends before it begins, or has more than MaxDays
	ErrTooMany = errs.New(errs.Refused, "report.too_many")  // more than maxRows cases: choose a shorter span
	ErrUnknown = errs.New(errs.NotFound, "report.unknown")  // no such subscription of the member
	ErrTwice   = errs.New(errs.Conflict, "report.twice")    // the member has subscribed the report already
	ErrRhythm  = errs.New(errs.Invalid, "report.rhythm")    // neither daily nor weekly, or not an hour of the day
	ErrZone    = errs.New(errs.Invalid, "report.zone_name") // not a zone of the IANA list
)

// Service reads the reports for the back office, and keeps the subscriptions.
type Service struct {
	db    *db.DB
	clock clock.Clock
}

// New makes the service.
func New(d *db.DB, c clock.Clock) *Service { return &Service{db: d, clock: c} }

// Span is a run of whole days in a zone.
type Span struct {
	days []time.Time // when each day begins, and at the end when the day after the last one begins
}

// NewSpan is the span of the days from first to last, both included, as the zone has them. Only the dates of first and last count. It returns ErrSpan.
func NewSpan(first, last time.Time, zone *time.Location) (Span, error) {
	s := Span{}
	for n := 0; ; n++ {
		day := time.Date(first.Year(), first.Month(), first.Day()+n, 0, 0, 0, 0, zone)
		s.days = append(s.days, day)
		if over := time.Date(last.Year(), last.Month(), last.Day()+1, 0, 0, 0, 0, zone); !day.Before(over) {
			break
		}
		if n > MaxDays {
			return Span{}, ErrSpan
		}
	}
	if n := len(s.days) - 1; n < 1 || n > MaxDays {
		return Span{}, ErrSpan
	}
	return s, nil
}

// From is the beginning of the first day, and To the end of the last.
func (s Span) From() time.Time { return s.days[0] }

// To is the end of the last day, which is no more of the span.
func (s Span) To() time.Time { return s.days[len(s.days)-1] }

// Days are the beginnings of the days.
func (s Span) Days() []time.Time { return s.days[:len(s.days)-1] }

// Weeks are the Mondays on which the weeks of the span begin, the first one on or before the first day.
func (s Span) Weeks() (weeks []time.Time) {
	for _, day := range s.Days() {
		if monday := mondayOf(day); len(weeks) == 0 || !monday.Equal(weeks[len(weeks)-1]) {
			weeks = append(weeks, monday)
		}
	}
	return weeks
}

// mondayOf is the beginning of a day's week.
func mondayOf(day time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d-(int(day.Weekday())+6)%7, 0, 0, 0, 0, day.Location())
}

// args are the arguments of a query: the beginnings of the days for width_bucket, the beginning and the end.
func (s Span) args(more ...any) []any { return append([]any{s.Days(), s.From(), s.To()}, more...) }

// Unit is what a figure counts.
type Unit string

// The units. Money is in the smallest unit of the row's currency; Lots in 10^-6; Share in hundredths of a percent; Seconds; Rating in hundredths of a star.
const (
	Count   Unit = "count"
	Money   Unit = "money"
	Result  Unit = "result" // money with its sign
	Lots    Unit = "lots"
	Share   Unit = "share"
	Seconds Unit = "seconds"
	Rating  Unit = "rating"
)

// Column is a column of figures. Its name is its key in texts and files.
type Column struct {
	Name string
	Unit Unit
	// Drawn columns are in the picture.
	Drawn bool
}

// Figure is a value, or none: a median of nothing.
type Figure struct {
	Value int64
	None  bool
}

// Row is a line of a report: its place, and a figure for each column.
type Row struct {
	Day      time.Time // zero in a report that is not by day
	Key      string    // a word of ours, as texts name it: a product class, a stage
	Name     string    // a name as it is: a channel, a colleague
	Currency string    // of the row's money; empty: of the house
	Figures  []Figure
}

// Table is a report's answer.
type Table struct {
	Columns []Column
	Rows    []Row
	// Totals are the sums of rows, one for each currency, or one; none where figures do not add up.
	Totals []Row
}

// figures turns sums into figures.
func figures(values ...int64) []Figure {
	list := make([]Figure, len(values))
	for i, v := range values {
		list[i].Value = v
	}
	return list
}

// line is a row as a query adds it up.
type line struct {
	day      int
	name     string
	key      string
	currency string
	sums     []int64
}

// lines reads rows of day, name, key, currency and n sums.
func (s *Service) lines(ctx context.Context, about string, n int, sql string, args ...any) ([]line, error) {
	rows, err := s.db.Pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("report on %s: %w", about, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (l line, err error) {
		l.sums = make([]int64, n)
		into := []any{&l.day, &l.name, &l.key, &l.currency}
		for i := range l.sums {
			into = append(into, &l.sums[i])
		}
		return l, row.Scan(into...)
	})
	if err != nil {
		return nil, fmt.Errorf("report on %s: %w", about, err)
	}
	return list, nil
}

// table is a table of sums. Days count from 1, as width_bucket does; 0 is no day.
func table(span Span, columns []Column, list []line) Table {
	t := Table{Columns: columns}
	for _, l := range list {
		row := Row{Name: l.name, Key: l.key, Currency: l.currency, Figures: figures(l.sums...)}
		if l.day > 0 {
			row.Day = span.days[l.day-1]
		}
		t.Rows = append(t.Rows, row)
	}
	t.total()
	return t
}

// total adds the rows up, by currency.
func (t *Table) total() {
	t.Totals = nil
	for _, row := range t.Rows {
		at := slices.IndexFunc(t.Totals, func(sum Row) bool { return sum.Currency == row.Currency })
		if at < 0 {
			t.Totals, at = append(t.Totals, Row{Currency: row.Currency, Figures: make([]Figure, len(t.Columns))}), len(t.Totals)
		}
		for i, f := range row.Figures {
			t.Totals[at].Figures[i].Value += f.Value
		}
	}
}

// everyDay adds the days without a line, so that a picture by day has no gaps.
func everyDay(span Span, list []line, sums int) []line {
	out := make([]line, 0, len(span.Days()))
	for i := range span.Days() {
		at := slices.IndexFunc(list, func(l line) bool { return l.day == i+1 })
		if at < 0 {
			out = append(out, line{day: i + 1, sums: make([]int64, sums)})
			continue
		}
		out = append(out, list[at])
	}
	return out
}

// share is a part of a whole in hundredths of a percent, rounded down; none of nothing.
func share(part, whole int64) Figure {
	if whole == 0 {
		return Figure{None: true}
	}
	return Figure{Value: part * 10_000 / whole}
}

// quantile is the smallest value that a share of all, in percent, does not exceed; none of nothing. It sorts the values.
func quantile(values []int64, percent int) Figure {
	if len(values) == 0 {
		return Figure{None: true}
	}
	slices.Sort(values)
	at := (len(values)*percent + 99) / 100
	return Figure{Value: values[max(at, 1)-1]}
}

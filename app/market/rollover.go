package market

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Rollover is the end of a trading day: 17:00 in New York.
type Rollover struct {
	Day      time.Time // the New York date, at midnight UTC
	At       time.Time
	Nights   int   // charged to a position held over it; none at weekends and on holidays: the day before charges those
	Terms    Terms // the product's terms at that moment
	Dividend int64 // going ex before the next trading day, in 10^-6 of the quote currency per unit; 0 is none
}

// Settling is the time from pricing to the rollover: within it every earlier quote has arrived.
const Settling = time.Second

// PricedAt is the moment whose prices the rollover uses.
func (r Rollover) PricedAt() time.Time { return r.At.Add(-Settling) }

// RolloverOn is the rollover of a New York date.
func RolloverOn(day time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, rolloverHour, 0, 0, 0, newYorkTime).UTC()
}

// LastRollover is the last rollover at or before a moment. It belongs to no product, so it has no nights.
func LastRollover(at time.Time) Rollover {
	local := at.In(newYorkTime)
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	if RolloverOn(day).After(at) {
		day = day.AddDate(0, 0, -1)
	}
	return Rollover{Day: day, At: RolloverOn(day)}
}

// Schedule gives the rollovers of products from their hours, terms and dividends.
type Schedule struct {
	hours     *Hours
	versions  map[int]Versions
	dividends map[int]map[civilDay]int64
}

// ReadSchedule reads the schedule of all products.
func ReadSchedule(ctx context.Context, q querier) (*Schedule, error) {
	var s Schedule
	var err error
	if s.hours, err = readHours(ctx, q); err != nil {
		return nil, err
	}
	if s.versions, err = ReadVersions(ctx, q); err != nil {
		return nil, err
	}
	s.dividends, err = readDividends(ctx, q)
	return &s, err
}

// Rollovers lists a product's rollovers after a day, up to a moment, oldest first.
func (s *Service) Rollovers(p Product, after, until time.Time) []Rollover {
	return s.schedule.Load().Rollovers(p, after, until)
}

// Rollovers lists a product's rollovers after a day, up to a moment, oldest first.
func (s *Schedule) Rollovers(p Product, after, until time.Time) (out []Rollover) {
	last := LastRollover(until).Day
	for day := after.AddDate(0, 0, 1); !day.After(last); day = day.AddDate(0, 0, 1) {
		r := Rollover{Day: day, At: RolloverOn(day)}
		r.Terms = s.versions[p.ID].At(r.At)
		if r.Nights = s.hours.nights(p.Calendar, r.Terms.TripleDay, day); r.Nights > 0 {
			r.Dividend = s.exBetween(p, day, s.hours.tradingDay(p.Calendar, r.Terms.TripleDay, day))
		}
		out = append(out, r)
	}
	return out
}

// Terms is one version of a product's terms.
func (s *Schedule) Terms(productID, version int) (Terms, bool) {
	return s.versions[productID].Number(version)
}

// TermsAt is the version of a product's terms at a moment of market time.
func (s *Schedule) TermsAt(productID int, at time.Time) Terms { return s.versions[productID].At(at) }

// exBetween sums the dividends that go ex after one day, up to and including another.
func (s *Schedule) exBetween(p Product, after, until time.Time) (sum int64) {
	for day := after.AddDate(0, 0, 1); !day.After(until); day = day.AddDate(0, 0, 1) {
		sum += s.dividends[p.ID][civil(day)]
	}
	return sum
}

// tradingDay is the next day after day on which a product with this triple day has a rollover with nights.
func (h *Hours) tradingDay(calendar string, triple *int, day time.Time) time.Time {
	if triple == nil {
		return day.AddDate(0, 0, 1)
	}
	return h.businessDay(calendar, day, 1)
}

// nights is the number of nights charged to a position held over a day's rollover: the days by which its value date moves. The value date is as many
// business days ahead as puts three nights on the triple day; holidays of its calendar move them with it. A product without a triple day
// trades on weekends too, and each day is charged by itself.
func (h *Hours) nights(calendar string, triple *int, day time.Time) int {
	if triple == nil {
		return 1
	}
	if !h.business(calendar, day) {
		return 0
	}
	ahead := int(time.Friday) - *triple
	now, next := h.businessDay(calendar, day, ahead), h.businessDay(calendar, day, ahead+1)
	return int(next.Sub(now).Hours() / 24)
}

// businessDay is the n-th business day after a day.
func (h *Hours) businessDay(calendar string, day time.Time, n int) time.Time {
	for n > 0 {
		if day = day.AddDate(0, 0, 1); h.business(calendar, day) {
			n--
		}
	}
	return day
}

// business reports whether a day is neither a weekend nor a full holiday of a calendar.
func (h *Hours) business(calendar string, day time.Time) bool {
	if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		return false
	}
	c := h.calendars[calendar]
	if c == nil {
		return true
	}
	holiday, ok := c.holidays[civil(day)]
	return !ok || holiday.CloseMinute != nil
}

// crossing is the last quote before a rollover's pricing and the time of the first quote after it.
type crossing struct {
	last    Quote
	afterMS int64
}

// cross stores the last quote before a rollover's pricing when the next quote arrives.
func (i *instrument) cross(q Quote) {
	last := i.newest.Load()
	if last != nil && !rollover(last.At().Add(Settling)).After(q.At().Add(Settling)) {
		i.crossed.Store(&crossing{*last, q.AtMS})
	}
}

// ForgottenError says that a past quote is not in memory. Recall reads it from the tape; after that Before finds it.
type ForgottenError struct {
	ProductID int
	At        time.Time
}

func (e ForgottenError) Error() string {
	return fmt.Sprintf("the last quote of product %d at %s is not in memory", e.ProductID, e.At)
}

// Before is a product's last quote at or before a moment. It never queries the database, so it may be called inside a transaction.
// It returns ErrNoPrice when there is none, or a ForgottenError.
func (s *Service) Before(productID int, at time.Time) (Quote, error) {
	i := s.byID[productID]
	if i == nil {
		return Quote{}, ErrNoPrice
	}
	if q := i.newest.Load(); q != nil && q.AtMS <= at.UnixMilli() {
		return *q, nil
	}
	if c := i.crossed.Load(); c != nil && c.last.AtMS <= at.UnixMilli() && at.UnixMilli() < c.afterMS {
		return c.last, nil
	}
	recalled, ok := i.recalled.Load(at.UnixMilli())
	if !ok {
		return Quote{}, ForgottenError{productID, at}
	}
	if q, ok := recalled.(Quote); ok {
		return q, nil
	}
	return Quote{}, ErrNoPrice
}

// Recall reads from the tape the quote that Before did not have.
func (s *Service) Recall(ctx context.Context, e ForgottenError) error {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+quoteColumns+` FROM tape_quotes WHERE product_id = $1 AND at_ms <= $2 ORDER BY at_ms DESC, seq DESC LIMIT 1`,
		e.ProductID, e.At.UnixMilli())
	if err != nil {
		return fmt.Errorf("read the tape: %w", err)
	}
	q, err := pgx.CollectExactlyOneRow(rows, scanQuote)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		s.byID[e.ProductID].recalled.Store(e.At.UnixMilli(), nil)
	case err != nil:
		return fmt.Errorf("read the tape: %w", err)
	default:
		s.byID[e.ProductID].recalled.Store(e.At.UnixMilli(), q)
	}
	return nil
}

// readDividends reads the dividends by product and ex-date.
func readDividends(ctx context.Context, q querier) (map[int]map[civilDay]int64, error) {
	rows, err := q.Query(ctx, `SELECT product_id, ex_date, amount FROM dividends`)
	if err != nil {
		return nil, fmt.Errorf("read the dividends: %w", err)
	}
	out := map[int]map[civilDay]int64{}
	var id int
	var day time.Time
	var amount int64
	_, err = pgx.ForEachRow(rows, []any{&id, &day, &amount}, func() error {
		if out[id] == nil {
			out[id] = map[civilDay]int64{}
		}
		out[id][civil(day)] += amount
		return nil
	})
	return out, err
}

package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// ErrZone refuses a time zone that the database does not know.
var ErrZone = errs.Field("zone", "field.choice")

// Earnings are what closed positions brought, in units of 10^-6 USDT. Net is profit, less commission, with swaps and dividends.
type Earnings struct {
	Trades     int
	Wins       int // with a positive net
	Losses     int // with a negative net
	Net        int64
	Profit     int64
	Commission int64
	Charges    int64 // swaps and dividends; negative when paid
	Won        int64 // sum of the positive nets
	Lost       int64 // sum of the negative nets
	Largest    int64 // net of the best position; 0 without a win
	Smallest   int64 // net of the worst position; 0 without a loss
}

// DayEarnings is the result of the positions closed on a day.
type DayEarnings struct {
	Day time.Time
	Earnings
}

// ProductEarnings is the result of a product.
type ProductEarnings struct {
	ProductID int
	Earnings
}

// Performance is the result of a period: in all, by day and by product.
type Performance struct {
	Earnings
	Days     []DayEarnings     // only days with a closing, oldest first
	Products []ProductEarnings // highest net first
}

func (r *Earnings) add(o Earnings) {
	r.Trades, r.Wins, r.Losses = r.Trades+o.Trades, r.Wins+o.Wins, r.Losses+o.Losses
	r.Net, r.Profit, r.Commission, r.Charges = r.Net+o.Net, r.Profit+o.Profit, r.Commission+o.Commission, r.Charges+o.Charges
	r.Won, r.Lost = r.Won+o.Won, r.Lost+o.Lost
	r.Largest, r.Smallest = max(r.Largest, o.Largest), min(r.Smallest, o.Smallest)
}

// AverageWin is the mean net of the winning positions; 0 without one.
func (r Earnings) AverageWin() (int64, error) { return mean(r.Won, r.Wins) }

// AverageLoss is the mean net of the losing positions, zero or negative.
func (r Earnings) AverageLoss() (int64, error) { return mean(r.Lost, r.Losses) }

// WinRate is the share of winning positions in hundredths of a percent; 0 without positions.
func (r Earnings) WinRate() (int64, error) { return mean(int64(r.Wins)*10_000, r.Trades) }

// ProfitFactor is what was won per unit lost, in hundredths; nil when nothing was lost.
func (r Earnings) ProfitFactor() (*int64, error) {
	if r.Lost == 0 {
		return nil, nil
	}
	factor, err := money.MulDiv(r.Won, 100, -r.Lost, money.HalfAway)
	return &factor, err
}

func mean(sum int64, of int) (int64, error) {
	if of == 0 {
		return 0, nil
	}
	return money.MulDiv(sum, 1, int64(of), money.HalfAway)
}

// Performance sums up the closed positions that match the filter; days are those of the zone, an IANA name. It returns ErrZone.
func (s *Service) Performance(ctx context.Context, accountID int64, f HistoryFilter, zone string) (out Performance, err error) {
	rows, err := s.db.Pool.Query(ctx, `
		WITH closed AS (
			SELECT (closed_at AT TIME ZONE $2)::date AS day, product_id, realised, commission, swap + dividends AS charges, realised - commission + swap + dividends AS net
			FROM positions WHERE account_id = $1 AND state = 'closed' AND closed_at >= $3 AND closed_at < $4
				AND ($5 = 0 OR product_id = $5) AND ($6 = '' OR side::text = $6) AND ($7 = '' OR close_reason::text = $7) AND ($8 = '' OR opened_by::text = $8))
		SELECT day, product_id, count(*), count(*) FILTER (WHERE net > 0), count(*) FILTER (WHERE net < 0), sum(net)::bigint, sum(realised)::bigint, sum(commission)::bigint,
			sum(charges)::bigint, coalesce(sum(net) FILTER (WHERE net > 0), 0)::bigint, coalesce(sum(net) FILTER (WHERE net < 0), 0)::bigint, greatest(max(net), 0)::bigint,
			least(min(net), 0)::bigint
		FROM closed GROUP BY day, product_id ORDER BY day, product_id`,
		accountID, zone, f.From, f.To, f.ProductID, string(f.Side), string(f.Reason), string(f.OpenedBy))
	if err != nil {
		return out, fmt.Errorf("read performance of account %d: %w", accountID, err)
	}
	products := map[int]*Earnings{}
	var day time.Time
	var product int
	var r Earnings
	_, err = pgx.ForEachRow(rows, []any{
		&day, &product, &r.Trades, &r.Wins, &r.Losses, &r.Net, &r.Profit, &r.Commission, &r.Charges, &r.Won, &r.Lost, &r.Largest, &r.Smallest,
	}, func() error {
		if last := len(out.Days) - 1; last < 0 || !out.Days[last].Day.Equal(day) {
			out.Days = append(out.Days, DayEarnings{Day: day})
		}
		if products[product] == nil {
			products[product] = &Earnings{}
		}
		out.Days[len(out.Days)-1].add(r)
		products[product].add(r)
		out.add(r)
		return nil
	})
	if db.IsInvalid(err) {
		return out, ErrZone
	}
	if err != nil {
		return out, fmt.Errorf("read performance of account %d: %w", accountID, err)
	}
	for id, one := range products {
		out.Products = append(out.Products, ProductEarnings{ProductID: id, Earnings: *one})
	}
	slices.SortFunc(out.Products, func(a, b ProductEarnings) int {
		return cmp.Or(cmp.Compare(b.Net, a.Net), cmp.Compare(a.ProductID, b.ProductID))
	})
	return out, nil
}

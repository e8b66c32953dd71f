package score

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/deposit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/support"
	"candor/app/trader"
	"candor/app/trading/engine"
)

// Config configures the service.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Messenger *trader.Messenger
	// Conversation reads a conversation; a flag is made in one.
	Conversation func(ctx context.Context, id int64) (support.Conversation, error)
}

// Service is the package's entry point.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{c} }

// batchSize is how many traders are computed in one transaction.
const batchSize = 200

// ComputeDue computes the scores of today that are missing, and returns how many those were.
func (s *Service) ComputeDue(ctx context.Context) (computed int, err error) {
	for after := int64(0); ; {
		list, err := trader.ListHolders(ctx, s.DB.Pool, after, batchSize)
		if err != nil || len(list) == 0 {
			return computed, err
		}
		n, err := s.compute(ctx, list)
		if err != nil {
			return computed, err
		}
		computed += n
		after = list[len(list)-1].ID
	}
}

// Of is a trader's score of today; it is computed when there is none yet. Refusal: ErrNone.
func (s *Service) Of(ctx context.Context, traderID int64) (Score, error) {
	list, err := trader.FindHolder(ctx, s.DB.Pool, traderID)
	if err != nil {
		return Score{}, err
	}
	if len(list) == 0 {
		return Score{}, ErrNone
	}
	if _, err := s.compute(ctx, list); err != nil {
		return Score{}, err
	}
	return s.Latest(ctx, traderID)
}

// Latest is a trader's last computed score. Refusal: ErrNone.
func (s *Service) Latest(ctx context.Context, traderID int64) (latest Score, err error) {
	rows, err := s.DB.Pool.Query(ctx, `SELECT `+columns+` FROM credit_scores WHERE trader_id = $1 ORDER BY day DESC LIMIT 1`, traderID)
	if err == nil {
		latest, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Score])
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return latest, ErrNone
	}
	if err != nil {
		return latest, fmt.Errorf("read the score of trader %d: %w", traderID, err)
	}
	return latest, nil
}

// History lists a trader's scores, newest first, before a day (the zero time begins at the newest), with the day before which the next page begins, the zero time
// after the last.
func (s *Service) History(ctx context.Context, traderID int64, before time.Time, limit int) (list []Score, next time.Time, err error) {
	if newest := s.Clock.Now().AddDate(0, 0, 2); before.IsZero() || before.After(newest) {
		before = newest
	}
	if before.Before(earliest) { // a time that no column holds
		return nil, next, nil
	}
	rows, err := s.DB.Pool.Query(ctx, `SELECT `+columns+` FROM credit_scores WHERE trader_id = $1 AND day < $2 ORDER BY day DESC LIMIT $3`, traderID, day(before), limit+1)
	if err == nil {
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Score])
	}
	if err != nil {
		return nil, next, fmt.Errorf("list the scores of trader %d: %w", traderID, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Day
	}
	return list, next, nil
}

// earliest is before every score.
var earliest = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

const columns = `trader_id, day, rules, score, identity_level, age_days, settled_deposits, bounced_deposits, disputed_deposits, margin_calls, conduct_flags, computed_at`

// compute adds today's scores of those traders who have none yet.
func (s *Service) compute(ctx context.Context, list []trader.Holder) (computed int, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		due, err := missing(ctx, tx.Conn, list, day(now))
		if err != nil || len(due) == 0 {
			return err
		}
		facts, err := count(ctx, tx.Conn, due, now)
		if err != nil {
			return err
		}
		computed = len(due)
		return insertTx(ctx, tx, facts, now)
	})
	if err != nil {
		return 0, fmt.Errorf("compute scores: %w", err)
	}
	return computed, nil
}

// missing are the traders without a score of a day.
func missing(ctx context.Context, q db.Querier, list []trader.Holder, day time.Time) (out []trader.Holder, err error) {
	rows, err := q.Query(ctx, `SELECT trader_id FROM credit_scores WHERE trader_id = ANY($1) AND day = $2`, ids(list), day)
	if err != nil {
		return nil, err
	}
	done := map[int64]bool{}
	var id int64
	if _, err := pgx.ForEachRow(rows, []any{&id}, func() error { done[id] = true; return nil }); err != nil {
		return nil, err
	}
	for _, t := range list {
		if !done[t.ID] {
			out = append(out, t)
		}
	}
	return out, nil
}

func ids(list []trader.Holder) []int64 {
	out := make([]int64, len(list))
	for i, t := range list {
		out[i] = t.ID
	}
	return out
}

// count asks the domains for the facts of traders.
func count(ctx context.Context, q db.Querier, list []trader.Holder, now time.Time) (map[int64]Facts, error) {
	since := now.AddDate(-lookBack, 0, 0)
	deposits, err := deposit.CountOutcomes(ctx, q, ids(list))
	if err != nil {
		return nil, err
	}
	calls, err := engine.CountMarginCalls(ctx, q, ids(list), since)
	if err != nil {
		return nil, err
	}
	flags, err := countFlags(ctx, q, ids(list), since)
	if err != nil {
		return nil, err
	}
	out := map[int64]Facts{}
	for _, t := range list {
		d := deposits[t.ID]
		out[t.ID] = Facts{
			IdentityLevel: t.Level, AgeDays: max(0, int(now.Sub(t.CreatedAt).Hours()/24)), SettledDeposits: d.Settled, BouncedDeposits: d.Bounced, DisputedDeposits: d.Disputed,
			MarginCalls: calls[t.ID], ConductFlags: flags[t.ID],
		}
	}
	return out, nil
}

// insertTx adds the scores of a day; of two at the same time the first stays.
func insertTx(ctx context.Context, tx *db.Tx, facts map[int64]Facts, now time.Time) error {
	var batch pgx.Batch
	for id, f := range facts {
		batch.Queue(`INSERT INTO credit_scores (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`,
			id, day(now), Current, compute(Current, f), f.IdentityLevel, f.AgeDays, f.SettledDeposits, f.BouncedDeposits, f.DisputedDeposits, f.MarginCalls, f.ConductFlags, now)
	}
	return tx.Conn.SendBatch(ctx, &batch).Close()
}

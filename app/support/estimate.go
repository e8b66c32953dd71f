package support

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	estimateSample = 20                 // the newest first replies that an estimate considers
	estimateFewest = 5                  // with fewer there is no estimate
	estimateSince  = 7 * 24 * time.Hour // older first replies are not considered
)

// Estimate is how long the customer at a place in the queue (from 1) will probably wait for the first reply, in working time: the median interval × place. An
// interval is the time that the whole team took for one more first reply; see intervals. It is 0 if unknown, which it is with fewer than 5 intervals.
func Estimate(intervals []time.Duration, place int) time.Duration {
	if len(intervals) < estimateFewest || place < 1 {
		return 0
	}
	return median(intervals) * time.Duration(place)
}

// median is the mean of the two middle ones of an even number.
func median(list []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// estimate is the Estimate for a place in the queue now; 0 without an agent who takes conversations.
func (s *Service) estimate(ctx context.Context, place int) (time.Duration, error) {
	agents, err := s.Agents(ctx)
	if err != nil || !slices.ContainsFunc(agents, func(a Agent) bool { return a.Accepting }) {
		return 0, err
	}
	list, err := s.intervals(ctx)
	return Estimate(list, place), err
}

// intervals lists the working time before each of the newest estimateSample first replies within estimateSince, since the customer had begun and the reply
// before it was given: a customer who waited behind others counts only what the reply added.
func (s *Service) intervals(ctx context.Context) (list []time.Duration, err error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT language, greatest(created_at, lag(answered_at, 1, created_at) OVER (ORDER BY answered_at, id)) AS since, answered_at
		FROM conversations WHERE answered_at > $1 ORDER BY answered_at DESC, id DESC LIMIT $2`,
		s.clock.Now().Add(-estimateSince), estimateSample)
	if err != nil {
		return nil, fmt.Errorf("list first replies: %w", err)
	}
	type reply struct {
		Language          string
		Since, AnsweredAt time.Time
	}
	replies, err := pgx.CollectRows(rows, pgx.RowToStructByPos[reply])
	if err != nil {
		return nil, fmt.Errorf("read first replies: %w", err)
	}
	table, err := s.Timetable(ctx)
	for _, r := range replies {
		list = append(list, table.For(r.Language).Worked(r.Since, r.AnsweredAt))
	}
	return list, err
}

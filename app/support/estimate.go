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

// Estimate is how long the customer at a place in the queue (from 1) will probably wait for the first reply, in working time: the median of first-reply times
// × ⌈place ÷ agents⌉. Agents are those who take conversations now. It is 0, which says nothing, for fewer than 5 times or without such an agent.
func Estimate(firstReplies []time.Duration, place, agents int) time.Duration {
	if len(firstReplies) < estimateFewest || place < 1 || agents < 1 {
		return 0
	}
	rounds := (place + agents - 1) / agents
	return median(firstReplies) * time.Duration(rounds)
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

// estimate is the Estimate for a place in the queue now.
func (s *Service) estimate(ctx context.Context, place int) (time.Duration, error) {
	if place == 0 {
		return 0, nil
	}
	times, err := s.firstReplies(ctx)
	if err != nil {
		return 0, err
	}
	agents, err := s.Agents(ctx)
	taking := slices.DeleteFunc(agents, func(a Agent) bool { return !a.Accepting })
	return Estimate(times, place, len(taking)), err
}

// firstReplies lists the times from the begin of a conversation to its first answer, in working time: of the newest estimateSample within estimateSince.
func (s *Service) firstReplies(ctx context.Context) (list []time.Duration, err error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT language, created_at, answered_at FROM conversations WHERE answered_at > $1 ORDER BY answered_at DESC LIMIT $2`,
		s.clock.Now().Add(-estimateSince), estimateSample)
	if err != nil {
		return nil, fmt.Errorf("list first replies: %w", err)
	}
	type reply struct {
		Language          string
		Begun, AnsweredAt time.Time
	}
	replies, err := pgx.CollectRows(rows, pgx.RowToStructByPos[reply])
	if err != nil {
		return nil, fmt.Errorf("read first replies: %w", err)
	}
	table, err := s.Timetable(ctx)
	for _, r := range replies {
		list = append(list, table.For(r.Language).Worked(r.Begun, r.AnsweredAt))
	}
	return list, err
}

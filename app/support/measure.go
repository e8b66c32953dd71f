package support

import (
	"context"
	"fmt"
	"time"

	"candor/app/platform/db"
)

// Rules are the support hours and service times in force: what measures a conversation.
type Rules struct {
	Hours Timetable
	Times ServiceTable
}

// Rules returns the rules in force.
func (s *Service) Rules(ctx context.Context) (Rules, error) { return readRules(ctx, s.db.Pool) }

func readRules(ctx context.Context, q db.Querier) (r Rules, err error) {
	if r.Hours, err = readTimetable(ctx, q); err != nil {
		return r, err
	}
	r.Times, err = readServiceTable(ctx, q)
	return r, err
}

// ServiceClock is a service time of a conversation that runs.
type ServiceClock struct {
	Target Target
	Limit  time.Duration // in support hours
	Spent  time.Duration // in support hours
}

// Left is the remaining time; negative after a breach.
func (c ServiceClock) Left() time.Duration { return c.Limit - c.Spent }

// Clock returns the running service time of a conversation that is due first; ok is false if none runs. A snooze stops the clocks, and an answer stops that of
// the reply.
func (r Rules) Clock(c Conversation, now time.Time) (clock ServiceClock, ok bool) {
	if !c.Live() || c.State == Snoozed {
		return clock, false
	}
	for _, t := range Targets {
		limit := r.Times.For(c.Language)[c.Priority][t]
		since, runs := c.runs(t)
		if !runs || limit == 0 {
			continue
		}
		next := ServiceClock{t, limit, r.Hours.For(c.Language).Worked(since, now)}
		if !ok || next.Left() < clock.Left() {
			clock, ok = next, true
		}
	}
	return clock, ok
}

// runs returns since when a target of a live conversation runs; false if it doesn't.
func (c Conversation) runs(t Target) (since time.Time, runs bool) {
	switch t {
	case Resolution:
		return c.begun(), true
	case FirstReply:
		return given(c.WaitingSince), c.WaitingSince != nil && c.AnsweredAt == nil
	case NextReply:
		return given(c.WaitingSince), c.WaitingSince != nil && c.AnsweredAt != nil
	}
	return since, false
}

// begun is when the conversation began or was last reopened.
func (c Conversation) begun() time.Time {
	if c.ReopenedAt != nil {
		return *c.ReopenedAt
	}
	return c.CreatedAt
}

// measureTx returns the changes that keep how long a target took, in columns such as answered_in and answered_late: later changes of the rules change no report.
func (s *Service) measureTx(ctx context.Context, tx *db.Tx, c Conversation, t Target, since, until time.Time) (map[string]any, error) {
	rules, err := readRules(ctx, tx.Conn)
	if err != nil {
		return nil, err
	}
	spent, limit := rules.Hours.For(c.Language).Worked(since, until), rules.Times.For(c.Language)[c.Priority][t]
	column := map[Target]string{FirstReply: "answered", Resolution: "resolved"}[t]
	return map[string]any{column + "_in": int(spent.Seconds()), column + "_late": limit > 0 && spent > limit}, nil
}

// Queue is how many customers wait for an answer.
type Queue struct {
	Waiting int64
	Longest time.Duration // in support hours
	Late    bool          // a service time was missed
}

// mostMeasured is how many of the longest waits are measured.
const mostMeasured = 200

// Queue measures the customers who wait for an answer.
func (s *Service) Queue(ctx context.Context) (q Queue, err error) {
	const waiting = "waiting_since IS NOT NULL AND state IN ('queued', 'open', 'offline_message')"
	if err = s.db.Rows(ctx).Model(&Conversation{}).Where(waiting).Count(&q.Waiting).Error; err != nil || q.Waiting == 0 {
		return q, err
	}
	var list []Conversation
	if err := s.db.Rows(ctx).Where(waiting).Order("waiting_since").Limit(mostMeasured).Find(&list).Error; err != nil {
		return q, fmt.Errorf("list the customers who wait: %w", err)
	}
	rules, err := s.Rules(ctx)
	now := s.clock.Now()
	for _, c := range list {
		q.Longest = max(q.Longest, rules.Hours.For(c.Language).Worked(*c.WaitingSince, now))
		clock, runs := rules.Clock(c, now)
		q.Late = q.Late || runs && clock.Left() <= 0
	}
	return q, err
}

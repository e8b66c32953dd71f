package task

import (
	"context"
	"fmt"
	"time"
)

// Group is a part of the list.
type Group string

// The groups.
const (
	ForMe    Group = "me"    // by name, or taken
	ForTeams Group = "teams" // of the reader's teams
	Asked    Group = "asked" // by the reader
	AllOpen  Group = "open"
	AllEnded Group = "ended" // the newest first
)

// Search narrows the list.
type Search struct {
	Group    Group
	Priority Priority
	Team     Team
	TraderID int64
	Late     bool // past the deadline
}

// Place is a place in the list: the deadline and id of its last row; the zero value is the start. Ended tasks are in the order of their ids.
type Place struct {
	DueAt time.Time
	ID    int64
}

const (
	stillOpen = "(state = 'open' OR state = 'taken')"
	hasEnded  = "(state <> 'open' AND state <> 'taken')"
)

// List reads the tasks of a group after a place that the reader may read, at most limit: the earliest deadline first.
func (s *Service) List(ctx context.Context, by Reader, q Search, after Place, limit int) (list []Task, err error) {
	rows := by.visible(s.db.Rows(ctx)).Limit(limit)
	switch q.Group {
	case ForMe:
		rows = rows.Where("(assignee_id = ? OR taken_by = ?)", by.ID, by.ID)
	case ForTeams:
		rows = rows.Where("team::text IN ?", by.teams())
	case Asked:
		rows = rows.Where("asked_by = ?", by.ID)
	case AllOpen, AllEnded:
	}
	if q.Group == AllEnded {
		rows = rows.Where(hasEnded).Order("id DESC")
		if after.ID != 0 {
			rows = rows.Where("id < ?", after.ID)
		}
	} else {
		rows = rows.Where(stillOpen).Order("due_at, id")
		if after.ID != 0 {
			rows = rows.Where("(due_at, id) > (?, ?)", after.DueAt, after.ID)
		}
	}
	if q.Priority != "" {
		rows = rows.Where("priority = ?", q.Priority)
	}
	if q.Team != "" {
		rows = rows.Where("team = ?", q.Team)
	}
	if q.TraderID != 0 {
		rows = rows.Where("trader_id = ?", q.TraderID)
	}
	if q.Late {
		rows = rows.Where("due_at <= ?", s.clock.Now())
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the tasks: %w", err)
	}
	return list, nil
}

// About reads the newest tasks about a subject that the reader may read, at most limit.
func (s *Service) About(ctx context.Context, by Reader, kind Kind, id int64, limit int) (list []Task, err error) {
	err = by.visible(s.db.Rows(ctx)).Where("subject_kind = ? AND subject_id = ?", kind, id).Order("id DESC").Limit(limit).Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read the tasks about %s %d: %w", kind, id, err)
	}
	return list, nil
}

// OfTrader reads the tasks that concern a trader and that the reader may read, the newest first, below an id (0 begins), at most limit.
func (s *Service) OfTrader(ctx context.Context, by Reader, traderID, below int64, limit int) (list []Task, err error) {
	rows := by.visible(s.db.Rows(ctx)).Where("trader_id = ?", traderID).Order("id DESC").Limit(limit)
	if below != 0 {
		rows = rows.Where("id < ?", below)
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the tasks about trader %d: %w", traderID, err)
	}
	return list, nil
}

// Read reads a task. It returns ErrUnknown also for one that the reader may not read.
func (s *Service) Read(ctx context.Context, by Reader, id int64) (t Task, err error) {
	if err := s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&t).Error; err != nil {
		return t, fmt.Errorf("read task %d: %w", id, err)
	}
	if t.ID == 0 || !by.Sees(t) {
		return Task{}, ErrUnknown
	}
	return t, nil
}

// Comments reads the comments on a task, the oldest first; the caller has read the task.
func (s *Service) Comments(ctx context.Context, id int64) (list []Comment, err error) {
	if err := s.db.Rows(ctx).Where("task_id = ?", id).Order("id").Limit(200).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the comments on task %d: %w", id, err)
	}
	return list, nil
}

// Counts are the open tasks of a reader.
type Counts struct {
	Me, Teams, Asked int64
	Waiting          int64 // for the reader: by name, taken, or of a team and taken by nobody
	Late             bool  // one of those is past its deadline
	Unread           int64 // mentions
}

// Count counts the open tasks of a reader and the mentions not yet opened.
func (s *Service) Count(ctx context.Context, by Reader) (n Counts, err error) {
	err = s.db.Pool.QueryRow(ctx, `
		WITH mine AS (
			SELECT due_at, asked_by = $1 AS asked, assignee_id IS NOT DISTINCT FROM $1 OR taken_by IS NOT DISTINCT FROM $1 AS me, coalesce(team::text = ANY($2), false) AS team, state = 'open' AS free
			FROM tasks WHERE (state = 'open' OR state = 'taken') AND (asked_by = $1 OR assignee_id = $1 OR taken_by = $1 OR team::text = ANY($2))
		)
		SELECT count(*) FILTER (WHERE me), count(*) FILTER (WHERE team), count(*) FILTER (WHERE asked), count(*) FILTER (WHERE me OR team AND free),
		       coalesce(bool_or(due_at <= $3) FILTER (WHERE me OR team AND free), false), (SELECT count(*) FROM mentions WHERE staff_id = $1 AND read_at IS NULL)
		FROM mine`, by.ID, by.teams(), s.clock.Now()).Scan(&n.Me, &n.Teams, &n.Asked, &n.Waiting, &n.Late, &n.Unread)
	if err != nil {
		return n, fmt.Errorf("count the tasks of %d: %w", by.ID, err)
	}
	return n, nil
}

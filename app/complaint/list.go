package complaint

import (
	"context"
	"fmt"
	"time"
)

// Group is a part of the register.
type Group string

// The groups. Those that await an answer are in the order of their last day, the others the newest first.
const (
	Waiting Group = "waiting" // for the acknowledgement or the answer
	Ended   Group = "ended"
	All     Group = "all"
)

// Search narrows the register.
type Search struct {
	Group    Group
	State    State
	Category Category
	TraderID int64
	DueUntil time.Time // the last day of what comes next is this day or before it; zero is any
	Overdue  bool
}

// Place is a place in the list: the last day for the answer and the id of its last row; the zero value is the start.
type Place struct {
	AnswerDue time.Time
	ID        int64
}

const (
	awaits = "(state <> 'answered' AND state <> 'closed')"
	due    = "CASE WHEN state = 'received' THEN acknowledge_due ELSE answer_due END"
)

// List reads the complaints of a group after a place, at most limit.
func (s *Service) List(ctx context.Context, q Search, after Place, limit int) (list []Complaint, err error) {
	rows := s.db.Rows(ctx).Limit(limit)
	if q.Group == Waiting {
		rows = rows.Where(awaits).Order("answer_due, id")
		if after.ID != 0 {
			rows = rows.Where("(answer_due, id) > (?, ?)", after.AnswerDue, after.ID)
		}
	} else {
		rows = rows.Order("id DESC")
		if after.ID != 0 {
			rows = rows.Where("id < ?", after.ID)
		}
	}
	if q.Group == Ended {
		rows = rows.Where("NOT " + awaits)
	}
	if q.State != "" {
		rows = rows.Where("state = ?", q.State)
	}
	if q.Category != "" {
		rows = rows.Where("category = ?", q.Category)
	}
	if q.TraderID != 0 {
		rows = rows.Where("trader_id = ?", q.TraderID)
	}
	if !q.DueUntil.IsZero() {
		rows = rows.Where(awaits+" AND "+due+" <= ?", q.DueUntil)
	}
	if q.Overdue {
		rows = rows.Where(awaits+" AND "+due+" < ?", Day(s.clock.Now(), nil))
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the complaints: %w", err)
	}
	return list, nil
}

// Read reads a complaint. It returns ErrUnknown.
func (s *Service) Read(ctx context.Context, id int64) (c Complaint, err error) {
	if err := s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&c).Error; err != nil {
		return c, fmt.Errorf("read complaint %d: %w", id, err)
	}
	if c.ID == 0 {
		return c, ErrUnknown
	}
	return c, nil
}

// Told reads what the trader was told before the final answer, the oldest first.
func (s *Service) Told(ctx context.Context, id int64) (list []Told, err error) {
	if err := s.db.Rows(ctx).Where("complaint_id = ?", id).Order("id").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read what the trader of complaint %d was told: %w", id, err)
	}
	return list, nil
}

// Count counts the complaints that await an answer, and reports whether one of them is overdue.
func (s *Service) Count(ctx context.Context) (n int64, overdue bool, err error) {
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*), coalesce(bool_or(`+due+` < $1), false) FROM complaints WHERE `+awaits, Day(s.clock.Now(), nil)).Scan(&n, &overdue)
	if err != nil {
		return 0, false, fmt.Errorf("count the complaints: %w", err)
	}
	return n, overdue, nil
}

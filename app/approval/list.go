package approval

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"candor/app/platform/db"
)

// Search narrows a list.
type Search struct {
	Uses        []string // empty: the service's own
	Open        bool     // undecided ones alone
	NewestFirst bool     // undecided ones are listed longest waiting first without it
	State       State    // empty for every state
	Subject     string   // empty for all
	Subjects    []string // nil for all
	TraderID    int64    // 0 for all
	Proposal    string   // JSON that the proposal contains; empty for all
}

// List lists the use's approvals after an id (0 begins the list): undecided ones longest waiting first, others newest first.
func (s *Service) List(ctx context.Context, q Search, after int64, limit int) (list []Approval, err error) {
	if len(q.Uses) == 0 {
		q.Uses = []string{s.use.Name}
	}
	rows := s.engine.db.Rows(ctx).Where("use IN ?", q.Uses)
	if q.Open {
		rows = rows.Where("state IN ('requested', 'confirmed')")
	}
	if q.Open && !q.NewestFirst {
		rows = rows.Where("id > ?", after).Order("id")
	} else {
		rows = rows.Where("(?::bigint = 0 OR id < ?)", after, after).Order("id DESC")
	}
	if q.State != "" {
		rows = rows.Where("state = ?", q.State)
	}
	if q.Subject != "" {
		rows = rows.Where("subject = ?", q.Subject)
	}
	if len(q.Subjects) > 0 {
		rows = rows.Where("subject IN ?", q.Subjects)
	}
	if q.TraderID != 0 {
		rows = rows.Where("trader_id = ?", q.TraderID)
	}
	if q.Proposal != "" {
		rows = rows.Where("proposal @> ?::jsonb", q.Proposal)
	}
	if err := rows.Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list approvals of %s: %w", s.use.Name, err)
	}
	return list, nil
}

// Find reads one approval of the use. It returns ErrUnknown.
func (s *Service) Find(ctx context.Context, id int64) (Approval, error) {
	return s.find(s.engine.db.Rows(ctx), id)
}

// FindTx is Find inside a transaction.
func (s *Service) FindTx(tx *db.Tx, id int64) (Approval, error) { return s.find(tx.Rows, id) }

func (s *Service) find(rows *gorm.DB, id int64) (a Approval, err error) {
	err = rows.Where("id = ? AND use = ?", id, s.use.Name).Limit(1).Find(&a).Error
	switch {
	case err != nil:
		return a, fmt.Errorf("read approval %d: %w", id, err)
	case a.ID == 0:
		return a, ErrUnknown
	}
	return a, nil
}

// Named reads the approvals that cases name, by their ids.
func (s *Service) Named(ctx context.Context, named ...*int64) (map[int64]Approval, error) {
	var ids []int64
	for _, id := range named {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	found := make(map[int64]Approval, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	var list []Approval
	if err := s.engine.db.Rows(ctx).Where("id IN ? AND use = ?", ids, s.use.Name).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read approvals of %s: %w", s.use.Name, err)
	}
	for _, a := range list {
		found[a.ID] = a
	}
	return found, nil
}

// ByCase reads the approvals that cases name, by the id of the case; a case that names none is absent.
func ByCase[C any](ctx context.Context, s *Service, cases []C, named func(C) *int64) (map[int64]Approval, error) {
	ids := make([]*int64, len(cases))
	for i, one := range cases {
		ids[i] = named(one)
	}
	list, err := s.Named(ctx, ids...)
	if err != nil {
		return nil, err
	}
	found := make(map[int64]Approval, len(list))
	for _, a := range list {
		subject, err := strconv.ParseInt(a.Subject, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read what approval %d is about: %w", a.ID, err)
		}
		found[subject] = a
	}
	return found, nil
}

// OpenTx lists the approvals about a subject that have not taken effect yet.
func (s *Service) OpenTx(tx *db.Tx, subject string) (list []Approval, err error) {
	err = tx.Rows.Where("use = ? AND subject = ? AND state IN ('requested', 'confirmed', 'scheduled')", s.use.Name, subject).Order("id").Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read the open approvals of %s %s: %w", s.use.Name, subject, err)
	}
	return list, nil
}

// CountOpenTx counts the undecided approvals about a trader.
func (s *Service) CountOpenTx(tx *db.Tx, traderID int64) (n int64, err error) {
	err = tx.Rows.Model(&Approval{}).Where("use = ? AND trader_id = ? AND state IN ('requested', 'confirmed')", s.use.Name, traderID).Count(&n).Error
	return n, err
}

// Count counts the undecided approvals, up to db.Stretch, and returns since when the first of them waits; zero without one.
func (s *Service) Count(ctx context.Context) (n int64, oldest time.Time, err error) {
	var since *time.Time
	err = s.engine.db.Pool.QueryRow(ctx, `
		SELECT count(*), min(requested_at) FROM (SELECT requested_at FROM approvals WHERE use = $1 AND state IN ('requested', 'confirmed') ORDER BY id LIMIT $2) first`,
		s.use.Name, db.Stretch).Scan(&n, &since)
	if since != nil {
		oldest = *since
	}
	return n, oldest, err
}

package banking

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// Group is a part of the list of lines.
type Group string

// The groups of lines.
const (
	GroupSuggested Group = "suggested"
	GroupUnclaimed Group = "unclaimed" // unmatched, and nothing is suggested
	GroupMatched   Group = "matched"
	GroupExplained Group = "explained"
	GroupAll       Group = "all"
)

// Search narrows the list of lines.
type Search struct {
	Group       Group
	AccountID   int
	StatementID int64
	From, Until time.Time // booked on these days; zero does not narrow
}

// Place is the last line that was read; its zero value begins the list.
type Place struct {
	BookedOn time.Time
	ID       int64
}

// Lines lists lines, the newest first.
func (s *Service) Lines(ctx context.Context, q Search, after Place, limit int) (list []Line, err error) {
	rows := s.db.Rows(ctx).Order("booked_on DESC, id DESC").Limit(limit)
	switch q.Group {
	case GroupSuggested:
		rows = rows.Where("state = 'unmatched' AND suggested_id IS NOT NULL")
	case GroupUnclaimed:
		rows = rows.Where("state = 'unmatched' AND suggested_id IS NULL")
	case GroupMatched, GroupExplained:
		rows = rows.Where("state = ?", q.Group)
	}
	if q.AccountID != 0 {
		rows = rows.Where("account_id = ?", q.AccountID)
	}
	if q.StatementID != 0 {
		rows = rows.Where("statement_id = ?", q.StatementID)
	}
	if !q.From.IsZero() {
		rows = rows.Where("booked_on >= ?", q.From)
	}
	if !q.Until.IsZero() {
		rows = rows.Where("booked_on <= ?", q.Until)
	}
	if after.ID != 0 {
		rows = rows.Where("(booked_on, id) < (?, ?)", after.BookedOn, after.ID)
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list bank lines: %w", err)
	}
	return list, nil
}

// countLimit is the number from which a count says "more".
const countLimit = 10_000

// Counts counts the unmatched lines with and without a suggestion.
func (s *Service) Counts(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{}
	for group, condition := range map[Group]string{GroupSuggested: "suggested_id IS NOT NULL", GroupUnclaimed: "suggested_id IS NULL"} {
		var n int64
		err := s.db.Rows(ctx).Raw(`SELECT count(*) FROM (SELECT 1 FROM bank_lines WHERE state = 'unmatched' AND `+condition+` LIMIT ?) l`, countLimit).Scan(&n).Error
		if err != nil {
			return nil, fmt.Errorf("count bank lines: %w", err)
		}
		counts[string(group)] = n
	}
	return counts, nil
}

// CountOpen counts the unmatched lines, and returns since when the oldest waits.
func (s *Service) CountOpen(ctx context.Context) (n int64, oldest time.Time, err error) {
	var since *time.Time
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*), min(imported_at) FROM (SELECT s.imported_at FROM bank_lines l JOIN bank_statements s ON s.id = l.statement_id
		WHERE l.state = 'unmatched' ORDER BY l.id LIMIT $1) open`, countLimit).Scan(&n, &since)
	if since != nil {
		oldest = *since
	}
	return n, oldest, err
}

// Statements lists the statements of an account, or of all for 0, the newest first.
func (s *Service) Statements(ctx context.Context, accountID int, before int64, limit int) (list []Statement, err error) {
	rows := s.db.Rows(ctx).Order("id DESC").Limit(limit)
	if accountID != 0 {
		rows = rows.Where("account_id = ?", accountID)
	}
	if before != 0 {
		rows = rows.Where("id < ?", before)
	}
	return list, rows.Find(&list).Error
}

// Statement reads a statement. It returns ErrUnknown.
func (s *Service) Statement(ctx context.Context, id int64) (st Statement, err error) {
	err = s.db.Rows(ctx).Where("id = ?", id).Take(&st).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = ErrUnknown
	}
	return st, err
}

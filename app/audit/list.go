package audit

import (
	"context"
	"fmt"
	"strings"
	"time"

	"candor/app/platform/db"
)

// ListLimit is how many entries one page holds at most.
const ListLimit = 200

// Log reads the entries for staff, and records acts that change nothing else.
type Log struct{ db *db.DB }

// NewLog makes the log of a database.
func NewLog(d *db.DB) *Log { return &Log{db: d} }

// Filter narrows a list of entries; zero values do not.
type Filter struct {
	ActorKind  ActorKind
	ActorID    int64
	ActorName  string // how the name begins, in any case
	TargetKind string
	TargetID   string
	Action     string // how the action begins: "deposit." is all about deposits
	Result     Result
	From, To   time.Time // From is included, To is not
	Before     int64     // keyset: entries with a smaller id
	Limit      int       // ListLimit when zero or above it
}

// List reads entries, newest first.
func (l *Log) List(ctx context.Context, f Filter) (list []Entry, err error) {
	rows := l.db.Rows(ctx)
	for _, c := range f.conditions() {
		rows = rows.Where(c.sql, c.value)
	}
	limit := f.Limit
	if limit <= 0 || limit > ListLimit {
		limit = ListLimit
	}
	if err := rows.Order("id DESC").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list audit entries: %w", err)
	}
	return list, nil
}

type condition struct {
	sql   string
	value any
}

func (f Filter) conditions() (out []condition) {
	add := func(set bool, sql string, value any) {
		if set {
			out = append(out, condition{sql, value})
		}
	}
	add(f.ActorKind != "", "actor_kind = ?", f.ActorKind)
	add(f.ActorID != 0, "actor_id = ?", f.ActorID)
	add(f.ActorName != "", "lower(actor_name) LIKE ?", db.Prefix(strings.ToLower(f.ActorName)))
	add(f.TargetKind != "", "target_kind = ?", f.TargetKind)
	add(f.TargetID != "", "target_id = ?", f.TargetID)
	add(f.Action != "", "action LIKE ?", db.Prefix(f.Action))
	add(f.Result != "", "result = ?", f.Result)
	add(!f.From.IsZero(), "at >= ?", f.From)
	add(!f.To.IsZero(), "at < ?", f.To)
	add(f.Before != 0, "id < ?", f.Before)
	return out
}

// Record writes an entry in a transaction of its own: an act that only looks at something has no other.
func (l *Log) Record(ctx context.Context, e Entry) error {
	return l.db.InTx(ctx, func(tx *db.Tx) error { return RecordTx(ctx, tx, e) })
}

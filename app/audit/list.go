package audit

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// ListLimit is the maximum number of entries per page.
const ListLimit = 200

// WholeLimit is the maximum number of entries per page of a file.
const WholeLimit = 1_000

// Log reads the entries for staff, and records acts that change nothing else.
type Log struct{ db *db.DB }

// NewLog makes the log of a database.
func NewLog(d *db.DB) *Log { return &Log{db: d} }

// Filter filters a list of entries; zero values match all.
type Filter struct {
	ActorKind  ActorKind
	ActorID    int64
	ActorName  string // prefix of the name, in any case
	Role       string // role of the staff member, alone or among others
	TargetKind string
	TargetID   string
	IP         string
	Action     string // prefix of the action: "deposit." matches all deposit acts
	Result     Result
	From, To   time.Time // From is included, To is not
	Before     int64     // keyset: only entries after this one in the list
	UpTo       int64     // only this entry and those after it
	Limit      int       // ListLimit when zero or above it
	Whole      bool      // scans everything, with pages of WholeLimit: for files
}

// List reads entries, newest first, and returns the entry after which the next page begins: 0 after the last.
// A page may be shorter than its limit when few entries match.
func (l *Log) List(ctx context.Context, f Filter) (list []Entry, next int64, err error) {
	return db.Read(ctx, l.db.Pool, f.list(), pgx.RowToStructByPos[Entry], func(e Entry) int64 { return e.ID })
}

// Work reads the newest acts of staff and of the system in some areas, such as "deposit", but for some verbs. Of each area it looks at db.Stretch entries at most.
func (l *Log) Work(ctx context.Context, areas, but []string, limit int) ([]Entry, error) {
	rows, err := l.db.Pool.Query(ctx, `
		SELECT `+columns+` FROM unnest($1::text[]) area, LATERAL (
			SELECT * FROM (SELECT * FROM audit_entries WHERE split_part(action, '.', 1) = area ORDER BY at DESC, id DESC LIMIT $4) newest
			WHERE actor_kind <> 'trader' AND result = 'done' AND split_part(action, '.', 2) <> ALL ($2) LIMIT $3) e
		ORDER BY at DESC, id DESC LIMIT $3`, areas, but, limit, db.Stretch)
	if err != nil {
		return nil, fmt.Errorf("list the newest work: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Entry])
	if err != nil {
		return nil, fmt.Errorf("list the newest work: %w", err)
	}
	return list, nil
}

const columns = `id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after, actor_roles, agent`

func (f Filter) list() db.List {
	limit, most := f.Limit, ListLimit
	if f.Whole {
		most = WholeLimit
	}
	if limit <= 0 || limit > most {
		limit = most
	}
	l := db.List{Columns: columns, Table: "audit_entries", Order: "at DESC, id DESC", Limit: limit, Whole: f.Whole}
	l.RowsIf(!f.From.IsZero(), "at >= ?", f.From)
	l.RowsIf(!f.To.IsZero(), "at < ?", f.To)
	l.RowsIf(f.Before != 0, "(at, id) < ((SELECT at FROM audit_entries WHERE id = ?), ?)", f.Before, f.Before)
	l.RowsIf(f.UpTo != 0, "(at, id) <= ((SELECT at FROM audit_entries WHERE id = ?), ?)", f.UpTo, f.UpTo)
	found := false
	for _, c := range f.indexed() {
		l.RowsIf(c.set && !found, c.sql, c.values...)
		l.KeepIf(c.set && found, c.sql, c.values...)
		found = found || c.set
	}
	l.KeepIf(f.ActorKind != "", "actor_kind = ?", f.ActorKind)
	l.KeepIf(f.Role != "", "? = ANY (string_to_array(actor_roles, ','))", f.Role)
	l.KeepIf(f.ActorName != "", "lower(actor_name) LIKE ?", db.Prefix(strings.ToLower(f.ActorName)))
	l.KeepIf(f.Action != "" && !f.wholeArea(), "action LIKE ?", db.Prefix(f.Action))
	return l
}

type condition struct {
	set    bool
	sql    string
	values []any
}

// indexed lists the conditions with an index in list order, the most selective first: the list is read along one.
func (f Filter) indexed() []condition {
	area, _, dotted := strings.Cut(f.Action, ".")
	return []condition{
		{f.TargetID != "", "target_id = ?", []any{f.TargetID}},
		{f.IP != "", "ip <> '' AND ip = ?", []any{f.IP}},
		{f.ActorID != 0, "actor_id = ?", []any{f.ActorID}},
		{f.Result != "" && f.Result != Done, "result <> 'done' AND result = ?", []any{f.Result}},
		{f.Role != "", "actor_roles <> ''", nil},
		{dotted, "split_part(action, '.', 1) = ?", []any{area}},
		{f.TargetKind != "", "target_kind = ?", []any{f.TargetKind}},
		{f.Result == Done, "result = ?", []any{f.Result}},
	}
}

// wholeArea reports whether the filter asks for all acts of an area: "deposit.".
func (f Filter) wholeArea() bool { return strings.Index(f.Action, ".") == len(f.Action)-1 }

// Record writes an entry in its own transaction, for an act that only reads.
func (l *Log) Record(ctx context.Context, e Entry) error {
	return l.db.InTx(ctx, func(tx *db.Tx) error { return RecordTx(ctx, tx, e) })
}

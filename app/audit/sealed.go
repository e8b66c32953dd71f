package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/errs"
	"candor/app/platform/seal"
)

// ErrNoEntry is returned for an unknown entry id.
var ErrNoEntry = errs.New(errs.NotFound, "route_unknown")

// Seal is the batch of the chain that covers an entry. Batch 0 means not sealed yet.
type Seal struct {
	Batch    int64
	At       time.Time
	Entries  int64
	Previous seal.Hash
	Hash     seal.Hash
	Leaf     seal.Hash // the entry's own hash
}

// Read finds one entry with its seal. It returns ErrNoEntry.
func (l *Log) Read(ctx context.Context, id int64) (e Entry, s Seal, err error) {
	if err = l.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&e).Error; err != nil {
		return e, s, fmt.Errorf("read audit entry %d: %w", id, err)
	}
	if e.ID == 0 {
		return e, s, ErrNoEntry
	}
	var previous, hash []byte
	err = l.db.Pool.QueryRow(ctx, `
		SELECT h.batch, h.sealed_at, h.count, h.previous, h.hash FROM audit_heads h, audit_entries e
		WHERE e.id = $1 AND h.until_xid >= e.xid AND e.id = ANY(h.ids) ORDER BY h.batch LIMIT 1`, id).
		Scan(&s.Batch, &s.At, &s.Entries, &previous, &hash)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	e.At = e.At.UTC()
	s.Leaf = e.leaf()
	copy(s.Previous[:], previous)
	copy(s.Hash[:], hash)
	return e, s, err
}

// Chained returns the chain's last batch, its sealing time, and the number of entries that wait for the next one.
func (l *Log) Chained(ctx context.Context) (batch int64, at time.Time, waiting int64, err error) {
	err = l.db.Pool.QueryRow(ctx, `
		SELECT coalesce(h.batch, 0), coalesce(h.sealed_at, 'epoch'), (SELECT count(*) FROM audit_entries WHERE xid > coalesce(h.until_xid, '0'::xid8))
		FROM (SELECT 1) one LEFT JOIN (SELECT batch, sealed_at, until_xid FROM audit_heads ORDER BY batch DESC LIMIT 1) h ON true`).Scan(&batch, &at, &waiting)
	if err != nil {
		return 0, at, 0, fmt.Errorf("read the state of the chain: %w", err)
	}
	return batch, at.UTC(), waiting, nil
}

package drawing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/clock"
	"candor/app/platform/db"
)

// Service is the package's entry point.
type Service struct {
	db    *db.DB
	clock clock.Clock
}

// New makes the service.
func New(d *db.DB, c clock.Clock) *Service { return &Service{db: d, clock: c} }

// Of lists a trader's drawings on a product, the oldest change first, with those that were deleted in the last thirty days.
func (s *Service) Of(ctx context.Context, traderID int64, productID int) ([]Drawing, error) {
	return read(ctx, s.db.Pool, traderID, productID)
}

// Save stores every change of drawings on one product that is newer than the stored one, all or none, and returns the trader's drawings on it. A time in the
// future counts as now. A drawing stays on its product and keeps its tool. It is not audited: nothing of value changes. Refusals: fields, ErrTooMany.
func (s *Service) Save(ctx context.Context, traderID int64, productID int, changes []Drawing) (saved []Drawing, err error) {
	if len(changes) > mostOfAChange {
		return nil, ErrTooMany
	}
	seen := map[string]bool{}
	for _, d := range changes {
		if err := d.check(); err != nil {
			return nil, err
		}
		if seen[d.ID] {
			return nil, errRepeated
		}
		seen[d.ID] = true
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		// one device at a time, so that two can't pass the limit together
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('drawings', $1))`, traderID); err != nil {
			return err
		}
		if err := saveTx(ctx, tx, traderID, productID, changes, s.clock.Now()); err != nil {
			return err
		}
		saved, err = read(ctx, tx.Conn, traderID, productID)
		if err != nil {
			return err
		}
		if living(saved) > mostOfAProduct {
			return ErrTooMany
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return saved, nil
}

func living(list []Drawing) (n int) {
	for _, d := range list {
		if !d.Deleted {
			n++
		}
	}
	return n
}

// columns are the changes of a statement, column by column.
type columns struct {
	ids, tools, anchors, styles, notes []string
	locked, hidden, deleted            []bool
	changedAt                          []time.Time
}

// columnsOf sorts changes by id, so that two devices that save at once wait for each other instead of a deadlock.
func columnsOf(changes []Drawing, now time.Time) (c columns, err error) {
	for _, d := range slices.SortedFunc(slices.Values(changes), func(a, b Drawing) int { return strings.Compare(a.ID, b.ID) }) {
		anchors, err := json.Marshal(d.Anchors)
		if err != nil {
			return c, err
		}
		style, err := json.Marshal(d.Style)
		if err != nil {
			return c, err
		}
		at := d.ChangedAt
		if at.After(now) {
			at = now
		}
		c.ids, c.tools, c.notes = append(c.ids, d.ID), append(c.tools, d.Tool), append(c.notes, d.Note)
		c.anchors, c.styles = append(c.anchors, string(anchors)), append(c.styles, string(style))
		c.locked, c.hidden, c.deleted = append(c.locked, d.Locked), append(c.hidden, d.Hidden), append(c.deleted, d.Deleted)
		c.changedAt = append(c.changedAt, at)
	}
	return c, nil
}

func saveTx(ctx context.Context, tx *db.Tx, traderID int64, productID int, changes []Drawing, now time.Time) error {
	c, err := columnsOf(changes, now)
	if err != nil {
		return err
	}
	_, err = tx.Conn.Exec(ctx, `
		INSERT INTO drawings (trader_id, id, product_id, tool, anchors, style, note, locked, hidden, changed_at, deleted_at)
		SELECT $1, id, $2, tool, anchors, style, note, locked, hidden, changed_at, CASE WHEN deleted THEN $3::timestamptz END
		FROM unnest($4::text[], $5::text[], $6::jsonb[], $7::jsonb[], $8::text[], $9::boolean[], $10::boolean[], $11::boolean[], $12::timestamptz[])
			AS c (id, tool, anchors, style, note, locked, hidden, deleted, changed_at) ORDER BY id
		ON CONFLICT (trader_id, id) DO UPDATE SET
			anchors = excluded.anchors, style = excluded.style, note = excluded.note, locked = excluded.locked, hidden = excluded.hidden,
			changed_at = excluded.changed_at, deleted_at = excluded.deleted_at, version = drawings.version + 1
		WHERE drawings.changed_at < excluded.changed_at AND drawings.product_id = excluded.product_id AND drawings.tool = excluded.tool`,
		traderID, productID, now, c.ids, c.tools, c.anchors, c.styles, c.notes, c.locked, c.hidden, c.deleted, c.changedAt)
	if err != nil {
		return fmt.Errorf("save drawings: %w", err)
	}
	return nil
}

func read(ctx context.Context, q db.Querier, traderID int64, productID int) ([]Drawing, error) {
	rows, err := q.Query(ctx, `
		SELECT id, product_id, tool, anchors, style, note, locked, hidden, deleted_at IS NOT NULL, version, changed_at
		FROM drawings WHERE trader_id = $1 AND product_id = $2 ORDER BY changed_at, id`, traderID, productID)
	if err != nil {
		return nil, fmt.Errorf("read drawings: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Drawing])
}

// Sweep removes what was deleted thirty days ago; it is work for a schedule.
func (s *Service) Sweep(ctx context.Context) error {
	if _, err := s.db.Pool.Exec(ctx, `DELETE FROM drawings WHERE deleted_at < $1`, s.clock.Now().Add(-keptDeleted)); err != nil {
		return fmt.Errorf("remove deleted drawings: %w", err)
	}
	return nil
}

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

// row is what a change stores.
type row struct {
	ID        string    `json:"id"`
	Tool      string    `json:"tool"`
	Anchors   []Anchor  `json:"anchors"`
	Style     Style     `json:"style"`
	Note      string    `json:"note"`
	Locked    bool      `json:"locked"`
	Hidden    bool      `json:"hidden"`
	Deleted   bool      `json:"deleted"`
	ChangedAt time.Time `json:"changed_at"`
}

func saveTx(ctx context.Context, tx *db.Tx, traderID int64, productID int, changes []Drawing, now time.Time) error {
	rows := make([]row, len(changes))
	for i, d := range changes {
		at := d.ChangedAt
		if at.After(now) {
			at = now
		}
		rows[i] = row{d.ID, d.Tool, d.Anchors, d.Style, d.Note, d.Locked, d.Hidden, d.Deleted, at}
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.ID, b.ID) })
	data, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = tx.Conn.Exec(ctx, `
		INSERT INTO drawings (trader_id, id, product_id, tool, anchors, style, note, locked, hidden, changed_at, deleted_at)
		SELECT $1, id, $2, tool, anchors, style, note, locked, hidden, changed_at, CASE WHEN deleted THEN $4::timestamptz END
		FROM jsonb_to_recordset($3) AS c (id text, tool text, anchors jsonb, style jsonb, note text, locked boolean, hidden boolean, deleted boolean, changed_at timestamptz) ORDER BY id
		ON CONFLICT (trader_id, id) DO UPDATE SET
			anchors = excluded.anchors, style = excluded.style, note = excluded.note, locked = excluded.locked, hidden = excluded.hidden,
			changed_at = excluded.changed_at, deleted_at = excluded.deleted_at, version = drawings.version + 1
		WHERE drawings.changed_at < excluded.changed_at AND drawings.product_id = excluded.product_id AND drawings.tool = excluded.tool`, traderID, productID, data, now)
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

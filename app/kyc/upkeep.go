package kyc

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff"
)

// scheduledStep is a scheduled step: due selects the applications, step returns their changes.
type scheduledStep struct {
	action string
	due    string
	step   func(a Application) map[string]any
}

// pageOfUpkeep is the number of rows that one round of upkeep reads.
const pageOfUpkeep = 500

// Expire marks approvals as expiring before their documents expire, asks for new documents after that, and ends the limits when none come. It returns the
// number of changed applications.
func (s *Service) Expire(ctx context.Context) (n int, err error) {
	now := s.clock.Now()
	for _, p := range []scheduledStep{
		{"kyc.expiring", `state = 'approved' AND renew_on <= @soon`, func(a Application) map[string]any {
			changes := map[string]any{"state": Expiring}
			if a.LevelAsked() {
				return withLevel(changes, a.Level)
			}
			return changes
		}},
		{"kyc.reverify", `state = 'expiring' AND renew_on <= @now`, func(Application) map[string]any {
			return staff.Released(map[string]any{"state": Reverify, "kept_until": now.Add(keepLimits)})
		}},
		{"kyc.lapse", `state = 'reverify_required' AND kept_until <= @now`, func(Application) map[string]any {
			return map[string]any{"kept_until": nil}
		}},
	} {
		rows, err := s.db.Pool.Query(ctx, `SELECT id FROM kyc_applications WHERE `+p.due+fmt.Sprintf(` ORDER BY id LIMIT %d`, pageOfUpkeep), moments(now, 0))
		if err != nil {
			return n, fmt.Errorf("look for %s: %w", p.action, err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return n, fmt.Errorf("look for %s: %w", p.action, err)
		}
		for _, id := range ids {
			moved, err := s.takeStep(ctx, id, p)
			if err != nil {
				return n, err
			}
			if moved {
				n++
			}
		}
	}
	return n, nil
}

// moments are the arguments of the due conditions.
func moments(now time.Time, id int64) pgx.NamedArgs {
	return pgx.NamedArgs{"now": now, "soon": now.Add(renewBefore), "id": id}
}

// takeStep takes one step, unless the application has changed since it was found.
func (s *Service) takeStep(ctx context.Context, id int64, p scheduledStep) (moved bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		moved = false
		a, _, err := lockTx(ctx, tx, id)
		if err != nil {
			return err
		}
		now := s.clock.Now()
		var due bool
		err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM kyc_applications WHERE id = @id AND `+p.due+`)`, moments(now, id)).Scan(&due)
		if err != nil || !due {
			return err
		}
		before, from := summary(a, nil), a.State
		changes := p.step(a)
		if err := s.lapseLevelTx(ctx, tx, a, changes); err != nil {
			return err
		}
		if err := moveTx(tx, &a, changes); err != nil {
			return err
		}
		moved = true
		if err := s.updateStatusTx(tx, a.TraderID); err != nil {
			return err
		}
		if a.State != from {
			if err := s.remindTx(ctx, tx, a); err != nil {
				return err
			}
		}
		return s.recordTx(ctx, tx, audit.Actor{Kind: audit.System, Name: "expiry"}, p.action, before, a, nil)
	})
	return moved, err
}

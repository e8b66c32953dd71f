package kyc

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/vault"
	"candor/app/staff"
)

// passage is what the clock does to applications: those that due finds take the step.
type passage struct {
	action string
	due    string
	step   func(a Application) map[string]any
}

// pageOfUpkeep is how many rows one round of upkeep reads.
const pageOfUpkeep = 500

// Expire lets approvals count as expiring before their documents expire, asks for new papers after that, and takes the limits back when none have come.
// It returns how many applications moved.
func (s *Service) Expire(ctx context.Context) (n int, err error) {
	now := s.clock.Now()
	for _, p := range []passage{
		{"kyc.expiring", `state = 'approved' AND renew_on <= @soon`, func(Application) map[string]any {
			return map[string]any{"state": Expiring}
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
			moved, err := s.pass(ctx, id, p)
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

// moments are what the questions of passages ask with.
func moments(now time.Time, id int64) pgx.NamedArgs {
	return pgx.NamedArgs{"now": now, "soon": now.Add(renewBefore), "id": id}
}

// pass takes one step, unless somebody has moved the application since it was found.
func (s *Service) pass(ctx context.Context, id int64, p passage) (moved bool, err error) {
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
		before := summary(a, nil)
		if err := moveTx(tx, &a, p.step(a)); err != nil {
			return err
		}
		moved = true
		if err := s.showTx(ctx, tx, a.TraderID); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, audit.Actor{Kind: audit.System, Name: "expiry"}, p.action, before, a, nil)
	})
	return moved, err
}

// wrapped are the columns of wrapped keys.
var wrapped = []struct{ table, column string }{
	{"kyc_applications", "name_key"}, {"kyc_applications", "number_key"}, {"kyc_applications", "birth_key"}, {"kyc_applications", "expiry_key"},
	{"kyc_documents", "sealed_key"},
}

// Rewrap wraps, with the vault's newest key, every data key that an older one has wrapped; no ciphertext changes. It returns how many there were.
func (s *Service) Rewrap(ctx context.Context) (n int, err error) {
	fresh, err := s.vault.Fresh()
	if err != nil {
		return 0, err
	}
	for _, w := range wrapped {
		for after := int64(0); ; {
			done, last, err := s.rewrap(ctx, w.table, w.column, fresh, after)
			if n += done; err != nil {
				return n, err
			}
			if last == 0 {
				break
			}
			after = last
		}
	}
	if n == 0 {
		return 0, nil
	}
	return n, s.db.InTx(ctx, func(tx *db.Tx) error {
		entry := audit.By(audit.Actor{Kind: audit.System, Name: "vault"}, s.clock.Now(), "kyc.rewrap", "kyc", "all")
		entry.After = fmt.Sprintf(`{"keys":%d}`, n)
		return audit.RecordTx(ctx, tx, entry)
	})
}

// rewrap is one page of Rewrap; last is 0 after the last one. A key that has changed since it was read is left alone: it is fresh, or shredded.
func (s *Service) rewrap(ctx context.Context, table, column string, fresh []byte, after int64) (done int, last int64, err error) {
	rows, err := s.db.Pool.Query(ctx, fmt.Sprintf(`SELECT id, %[1]s FROM %[2]s WHERE %[1]s IS NOT NULL AND id > $1 ORDER BY id LIMIT %[3]d`, column, table, pageOfUpkeep), after)
	if err != nil {
		return 0, 0, fmt.Errorf("read %s of %s: %w", column, table, err)
	}
	type row struct {
		ID  int64
		Key []byte
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		return 0, 0, fmt.Errorf("read %s of %s: %w", column, table, err)
	}
	for _, r := range list {
		last = r.ID
		if bytes.HasPrefix(r.Key, fresh) {
			continue
		}
		secret, err := s.vault.Rewrap(vault.Sealed{WrappedKey: r.Key})
		if err != nil {
			return done, last, fmt.Errorf("wrap %s of %s %d: %w", column, table, r.ID, err)
		}
		tag, err := s.db.Pool.Exec(ctx, fmt.Sprintf(`UPDATE %[1]s SET %[2]s = $1 WHERE id = $2 AND %[2]s = $3`, table, column), secret.WrappedKey, r.ID, r.Key)
		if err != nil {
			return done, last, fmt.Errorf("store %s of %s %d: %w", column, table, r.ID, err)
		}
		done += int(tag.RowsAffected())
	}
	return done, last, nil
}

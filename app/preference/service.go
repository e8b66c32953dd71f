package preference

import (
	"context"
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
	rules map[string]rule
}

// New makes the service. languages are the codes of the app's languages.
func New(d *db.DB, c clock.Clock, languages []string) *Service {
	return &Service{db: d, clock: c, rules: rulesFor(languages)}
}

// Of lists a trader's preferences by name; those that the trader has never changed are not among them.
func (s *Service) Of(ctx context.Context, traderID int64) ([]Field, error) {
	return read(ctx, s.db.Pool, traderID)
}

// Save stores every change that is newer than the stored one of its field, all or none, and returns the trader's preferences after it. A time in the future
// counts as now. It is not audited: nothing of value changes. Refusals: ErrName, ErrRepeated, ErrTime, and a field error that names the preference.
func (s *Service) Save(ctx context.Context, traderID int64, changes []Field) (saved []Field, err error) {
	if err := s.check(changes); err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := saveTx(ctx, tx, traderID, changes, s.clock.Now()); err != nil {
			return err
		}
		saved, err = read(ctx, tx.Conn, traderID)
		return err
	})
	return saved, err
}

func (s *Service) check(changes []Field) error {
	seen := map[string]bool{}
	for _, change := range changes {
		rule, known := s.rules[change.Name]
		switch {
		case !known:
			return ErrName
		case seen[change.Name]:
			return ErrRepeated
		case change.ChangedAt.Before(time.UnixMilli(0)):
			return ErrTime
		case len(change.Value) > rule.maxBytes:
			return errSize(change.Name)
		case !rule.allows(change.Value):
			return errValue(change.Name)
		}
		seen[change.Name] = true
	}
	return nil
}

func read(ctx context.Context, q db.Querier, traderID int64) ([]Field, error) {
	rows, err := q.Query(ctx, `SELECT name, value, changed_at FROM trader_preferences WHERE trader_id = $1 ORDER BY name`, traderID)
	if err != nil {
		return nil, fmt.Errorf("read preferences: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Field])
}

// saveTx writes in the order of the names, so that two devices that save at once wait for each other instead of a deadlock.
func saveTx(ctx context.Context, tx *db.Tx, traderID int64, changes []Field, now time.Time) error {
	var names, values []string
	var times []time.Time
	for _, change := range slices.SortedFunc(slices.Values(changes), func(a, b Field) int { return strings.Compare(a.Name, b.Name) }) {
		at := change.ChangedAt
		if at.After(now) {
			at = now
		}
		names, values, times = append(names, change.Name), append(values, string(change.Value)), append(times, at)
	}
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO trader_preferences (trader_id, name, value, changed_at)
		SELECT $1, name, value, changed_at FROM unnest($2::text[], $3::jsonb[], $4::timestamptz[]) AS changed (name, value, changed_at) ORDER BY name
		ON CONFLICT (trader_id, name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at WHERE trader_preferences.changed_at < excluded.changed_at`,
		traderID, names, values, times)
	if err != nil {
		return fmt.Errorf("save preferences: %w", err)
	}
	return nil
}

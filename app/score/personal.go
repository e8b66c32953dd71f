package score

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader. The notes of staff stay at the desk.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"credit_scores": personal.Erased, "conduct_flags": personal.Erased},
		Export: s.exportTo,
		Erase: func(ctx context.Context, tx *db.Tx, traderID int64) error {
			for _, statement := range []string{`DELETE FROM credit_scores WHERE trader_id = $1`, `DELETE FROM conduct_flags WHERE trader_id = $1`} {
				if _, err := tx.Conn.Exec(ctx, statement, traderID); err != nil {
					return fmt.Errorf("erase the scores of trader %d: %w", traderID, err)
				}
			}
			return nil
		},
	}
}

func (s *Service) exportTo(ctx context.Context, traderID int64, a *personal.Archive) error {
	err := a.Table(ctx, s.DB.Pool, "credit-scores.csv", `
		SELECT day::text, rules, score, identity_level, age_days, settled_deposits, bounced_deposits, disputed_deposits, margin_calls, conduct_flags, computed_at
		FROM credit_scores WHERE trader_id = $1 ORDER BY day`, traderID)
	if err != nil {
		return err
	}
	return a.Table(ctx, s.DB.Pool, "conduct-flags.csv", `
		SELECT id AS flag, conversation_id AS conversation, reason::text, made_at, appeal, appealed_at, outcome::text, decided_at FROM conduct_flags WHERE trader_id = $1 ORDER BY id`, traderID)
}

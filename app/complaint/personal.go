package complaint

import (
	"context"

	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader: the law asks for complaints and their answers.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"complaints": personal.Kept},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.db.Pool, "complaints.csv", `
				SELECT id AS complaint, channel::text, category::text, product, summary, received_on::text, `+personal.Amount("claimed")+`, state::text, outcome::text, redress, answer, answered_at, closed_at
				FROM complaints WHERE trader_id = $1 ORDER BY id`, traderID)
		},
	}
}

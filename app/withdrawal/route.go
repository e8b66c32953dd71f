package withdrawal

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// Route is who sends the withdrawals of a kind, on a chain if it is coins: the same for everybody.
type Route struct {
	Kind     Kind
	Chain    string
	Provider string
}

// SeedSandbox lets a sandbox provider send coins and pay as an agent, in development; an empty id ends that. Bank transfers stay with the desk.
func SeedSandbox(ctx context.Context, d *db.DB, id string) error {
	if id == "" {
		_, err := d.Pool.Exec(ctx, `UPDATE payout_routes SET enabled = false WHERE enabled AND provider = 'sandbox'`)
		return err
	}
	for _, r := range []Route{{OnChain, "tron", id}, {OnChain, "ethereum", id}, {ByAgent, "", id}} {
		_, err := d.Pool.Exec(ctx, `INSERT INTO payout_routes (kind, chain, provider, enabled) VALUES ($1, $2, $3, true) ON CONFLICT (kind, chain) DO UPDATE SET provider = $3, enabled = true`,
			r.Kind, r.Chain, r.Provider)
		if err != nil {
			return fmt.Errorf("seed the routes of payouts: %w", err)
		}
	}
	return nil
}

// agentTx refuses payments by an agent while there is none.
func (s *Service) agentTx(ctx context.Context, tx *db.Tx) error {
	id, err := s.routeTx(ctx, tx, ByAgent, "")
	if err == nil && id == "" {
		err = ErrKind
	}
	return err
}

package withdrawal

import (
	"context"
	"fmt"

	"gorm.io/gorm/clause"

	"candor/app/platform/db"
	"candor/app/provider"
)

// Route is the provider for withdrawals of a kind, and for crypto of a chain.
type Route struct {
	Kind     Kind
	Chain    string
	Provider string
	Enabled  bool
}

// TableName is GORM's name of the table.
func (Route) TableName() string { return "payout_routes" }

// SeedSandbox routes crypto and agent payouts to the first sandbox provider of the list, in development, and disables routes of removed providers. Staff keep
// sending bank transfers.
func SeedSandbox(ctx context.Context, d *db.DB, list []provider.Provider) error {
	known := []string{}
	for _, p := range list {
		known = append(known, p.ID)
	}
	if _, err := d.Pool.Exec(ctx, `UPDATE payout_routes SET enabled = false WHERE provider <> ALL($1)`, known); err != nil {
		return fmt.Errorf("close the routes of providers that are gone: %w", err)
	}
	p, ok := provider.Sandbox(list)
	if !ok {
		return nil
	}
	routes := []Route{{Crypto, "tron", p.ID, true}, {Crypto, "ethereum", p.ID, true}, {ByAgent, "", p.ID, true}}
	upsert := clause.OnConflict{Columns: []clause.Column{{Name: "kind"}, {Name: "chain"}}, DoUpdates: clause.AssignmentColumns([]string{"provider", "enabled"})}
	if err := d.Rows(ctx).Clauses(upsert).Create(&routes).Error; err != nil {
		return fmt.Errorf("seed the routes of payouts: %w", err)
	}
	return nil
}

// agentTx refuses agent payouts without a route. It returns ErrKind.
func (s *Service) agentTx(tx *db.Tx) error {
	id, err := s.routeTx(tx, ByAgent, "")
	if err == nil && id == "" {
		err = ErrKind
	}
	return err
}

package deposit

import (
	"context"
	"fmt"

	"gorm.io/gorm/clause"

	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/provider"
)

// Ids of the channels that development makes for sandboxes; production refuses to start while one of them is enabled.
const (
	firstSandboxID = 101
	lastSandboxID  = 199
)

// sandboxConfirmations is the number of confirmations that a sandbox requires.
const sandboxConfirmations = 3

// sandboxChannels are the channels of a sandbox: one of each kind, and a crypto channel for each chain.
func sandboxChannels(p provider.Provider) []Channel {
	return []Channel{
		{ID: firstSandboxID, Kind: ThirdParty, Name: p.Name, Maximum: 100_000 * money.Unit},
		{ID: firstSandboxID + 1, Kind: OTC, Name: p.Name + " merchants", Maximum: 100_000 * money.Unit},
		{ID: firstSandboxID + 10, Kind: Crypto, Name: "USDT, TRON (TRC-20)", Maximum: 1_000_000 * money.Unit, Coin: "USDT", Chain: "tron", Confirmations: sandboxConfirmations},
		{ID: firstSandboxID + 11, Kind: Crypto, Name: "USDT, Ethereum (ERC-20)", Maximum: 1_000_000 * money.Unit, Coin: "USDT", Chain: "ethereum", Confirmations: sandboxConfirmations},
	}
}

// SeedSandbox gives the first sandbox provider of the list a channel of each kind, for development; without one, these channels are disabled.
func SeedSandbox(ctx context.Context, d *db.DB, list []provider.Provider) error {
	if err := d.Rows(ctx).Model(&Channel{}).Where("id BETWEEN ? AND ?", firstSandboxID, lastSandboxID).Update("enabled", false).Error; err != nil {
		return fmt.Errorf("close the channels of the sandbox: %w", err)
	}
	p, ok := provider.Sandbox(list)
	if !ok {
		return nil
	}
	for _, c := range sandboxChannels(p) {
		c.Provider, c.Currency, c.Minimum, c.Sort, c.Enabled = p.ID, "USDT", 10*money.Unit, c.ID, true
		upsert := clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns([]string{"enabled", "provider", "name", "confirmations"})}
		if err := d.Rows(ctx).Clauses(upsert).Create(&c).Error; err != nil {
			return fmt.Errorf("seed the channel %d of the sandbox: %w", c.ID, err)
		}
	}
	return nil
}

// SandboxEnabled reports whether a sandbox channel is enabled.
func SandboxEnabled(ctx context.Context, d *db.DB) (on bool, err error) {
	return on, d.Rows(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM pay_channels WHERE id BETWEEN ? AND ? AND enabled)`, firstSandboxID, lastSandboxID).Scan(&on).Error
}

package deposit

import (
	"context"
	"fmt"

	"gorm.io/gorm/clause"

	"candor/app/platform/db"
	"candor/app/platform/money"
)

// specimenID is the channel of a new development installation; production refuses to start while it is enabled.
const specimenID = 1

// The fictitious bank account of a development installation; its IBAN is the standard's own example.
const (
	SpecimenBank   = "Specimen Bank (development only)"
	SpecimenHolder = "Candor client money (development only)"
	SpecimenIBAN   = "DE89370400440532013000"
	SpecimenBIC    = "SPECDEFFXXX"
)

// SeedSpecimen adds a fictitious bank account (its IBAN is the standard's own example), so that a development installation has a channel.
func SeedSpecimen(ctx context.Context, d *db.DB) error {
	channel := Channel{
		ID: specimenID, Kind: "bank", Name: "Bank transfer", Currency: "USD", Minimum: 10 * money.Unit, Maximum: 1_000_000 * money.Unit,
		Bank: SpecimenBank, Holder: SpecimenHolder, IBAN: SpecimenIBAN, BIC: SpecimenBIC, Sort: 1, Enabled: true,
	}
	if err := d.Rows(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&channel).Error; err != nil {
		return fmt.Errorf("seed the specimen channel: %w", err)
	}
	return nil
}

// SpecimenEnabled reports whether the specimen channel is enabled.
func SpecimenEnabled(ctx context.Context, d *db.DB) (on bool, err error) {
	return on, d.Rows(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM pay_channels WHERE id = ? AND enabled)`, specimenID).Scan(&on).Error
}

// PaidInto names the bank account that the specimen channel pays into.
func PaidInto(ctx context.Context, d *db.DB, accountID int) error {
	return d.Rows(ctx).Model(&Channel{}).Where("id = ? AND bank_account_id IS NULL", specimenID).Update("bank_account_id", accountID).Error
}

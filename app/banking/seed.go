package banking

import (
	"context"
	"fmt"

	"gorm.io/gorm/clause"

	"candor/app/deposit"
	"candor/app/platform/db"
)

// SpecimenID is the bank account of a new development installation. The database takes it without an approval, no other.
const SpecimenID = 1

// SeedSpecimen adds the bank account of the specimen channel, so that a development installation can import statements.
func SeedSpecimen(ctx context.Context, d *db.DB) error {
	account := Account{
		ID: SpecimenID, Name: "Specimen client account", Bank: deposit.SpecimenBank, Holder: deposit.SpecimenHolder, IBAN: deposit.SpecimenIBAN, BIC: deposit.SpecimenBIC,
		Currency: "USD", Client: true, Open: true, Version: 1,
	}
	if err := d.Rows(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&account).Error; err != nil {
		return fmt.Errorf("seed the specimen bank account: %w", err)
	}
	return deposit.PaidInto(ctx, d, SpecimenID)
}

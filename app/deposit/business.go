package deposit

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// HasOpen reports whether a deposit of the trader has not ended, or is gone and not reversed yet.
func HasOpen(ctx context.Context, q db.Querier, traderID int64) (has bool, err error) {
	err = q.QueryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM deposits WHERE trader_id = $1 AND (NOT (`+endedCondition+`) OR `+missingCondition+`))`, traderID).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("look for open deposits of trader %d: %w", traderID, err)
	}
	return has, nil
}

// IsHouseAccount reports whether an IBAN, in capitals without spaces, is of an account of the house that takes or took deposits.
func (s *Service) IsHouseAccount(ctx context.Context, q db.Querier, iban string) (ours bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pay_channels WHERE iban <> '' AND upper(replace(iban, ' ', '')) = $1)`, iban).Scan(&ours)
	if err != nil {
		return false, fmt.Errorf("look for an account among the house's: %w", err)
	}
	return ours, nil
}

// IsHouseAddress reports whether an address, in its chain's canonical form, is one that the house gave a trader for deposits.
func (s *Service) IsHouseAddress(ctx context.Context, q db.Querier, chain, address string) (ours bool, err error) {
	err = q.QueryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM deposit_addresses a JOIN pay_channels c ON c.id = a.channel_id WHERE c.chain = $1 AND a.address = $2)`, chain, address).Scan(&ours)
	if err != nil {
		return false, fmt.Errorf("look for an address among the house's: %w", err)
	}
	return ours, nil
}

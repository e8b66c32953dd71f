package deposit

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

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

// Outcomes is how many of a trader's deposits were credited, and what became of them.
type Outcomes struct {
	TraderID int64
	Settled  int // credited, and still there
	Bounced  int // reversed: the money did not stay
	Disputed int // charged back by the payer
}

// CountOutcomes counts the credited deposits of traders. A trader without any is absent.
func CountOutcomes(ctx context.Context, q db.Querier, traderIDs []int64) (map[int64]Outcomes, error) {
	rows, err := q.Query(ctx, `
		SELECT trader_id, count(*) FILTER (WHERE state = 'credited' AND gone_at IS NULL), count(*) FILTER (WHERE state = 'reversed'), count(*) FILTER (WHERE state = 'charged_back')
		FROM deposits WHERE trader_id = ANY($1) AND transaction_id IS NOT NULL GROUP BY trader_id`, traderIDs)
	if err != nil {
		return nil, fmt.Errorf("count the outcomes of deposits: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Outcomes])
	if err != nil {
		return nil, fmt.Errorf("count the outcomes of deposits: %w", err)
	}
	out := map[int64]Outcomes{}
	for _, o := range list {
		out[o.TraderID] = o
	}
	return out, nil
}

package kyc

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/trader"
)

// Hint is a reason for a second review. Traders are the other traders involved, at most five.
type Hint struct {
	Risk    Risk
	Traders []int64
}

// with adds the hints that are not among the risks yet.
func (r Risks) with(hints []Hint) Risks {
	out := slices.Clone(r)
	for _, h := range hints {
		if !slices.Contains(out, h.Risk) {
			out = append(out, h.Risk)
		}
	}
	return out
}

// shared are the queries for other traders with the same number, picture, device or payee.
var shared = []struct {
	risk Risk
	sql  string
}{
	{NumberSeen, `SELECT DISTINCT trader_id FROM kyc_applications WHERE number_hash = @number AND trader_id <> @trader ORDER BY 1 LIMIT 5`},
	{PictureSeen, `
		SELECT DISTINCT a.trader_id FROM kyc_documents mine JOIN kyc_documents same ON same.picture_hash = mine.picture_hash
		JOIN kyc_applications a ON a.id = same.application_id
		WHERE mine.application_id = @application AND mine.current AND a.trader_id <> @trader ORDER BY 1 LIMIT 5`},
	{DeviceShared, `
		SELECT DISTINCT same.trader_id FROM devices mine JOIN devices same ON same.fingerprint = mine.fingerprint AND same.trader_id <> mine.trader_id
		JOIN traders t ON t.id = same.trader_id AND NOT t.guest WHERE mine.trader_id = @trader ORDER BY 1 LIMIT 5`},
	{PayeeShared, `
		SELECT same.trader_id FROM payees mine JOIN payees same ON same.iban = mine.iban AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = @trader AND mine.kind = 'bank' AND same.kind = 'bank'
		UNION SELECT same.trader_id FROM payees mine JOIN payees same ON (same.address, same.memo) = (mine.address, mine.memo) AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = @trader AND mine.kind = 'address' AND same.kind = 'address' ORDER BY 1 LIMIT 5`},
}

// hints finds the reasons for a second review of an application.
func hints(ctx context.Context, q db.Querier, a Application, data Data, country string, now time.Time) (out []Hint, err error) {
	for _, one := range shared {
		rows, err := q.Query(ctx, one.sql, pgx.NamedArgs{"trader": a.TraderID, "application": a.ID, "number": a.NumberHash})
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", one.risk, err)
		}
		traders, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", one.risk, err)
		}
		if len(traders) > 0 {
			out = append(out, Hint{one.risk, traders})
		}
	}
	var phone string
	if err := q.QueryRow(ctx, `SELECT coalesce(phone, '') FROM traders WHERE id = $1`, a.TraderID).Scan(&phone); err != nil {
		return nil, fmt.Errorf("read the telephone number of trader %d: %w", a.TraderID, err)
	}
	phoneCountry := trader.PhoneCountry(phone)
	for _, one := range []struct {
		found bool
		risk  Risk
	}{{a.Country != country, CountryDiffers}, {phoneCountry != "" && a.Country != phoneCountry, PhoneDiffers}, {data.expired(now), DocumentExpired}, {!data.ofAge(now), UnderAge}} {
		if one.found {
			out = append(out, Hint{Risk: one.risk})
		}
	}
	return out, nil
}

package kyc

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/switches"
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

// hinted is the largest number of traders in a hint.
const hinted = 5

// shared find other traders with the same number, picture, device or payee as the trader of an application, by rising id, at most hinted.
var shared = []struct {
	risk Risk
	find func(ctx context.Context, q db.Querier, a Application) ([]int64, error)
}{
	{NumberSeen, sameNumber},
	{PictureSeen, samePicture},
	{DeviceShared, sameDevice},
	{PayeeShared, func(ctx context.Context, q db.Querier, a Application) ([]int64, error) {
		return payee.Sharing(ctx, q, a.TraderID, hinted)
	}},
}

func sameNumber(ctx context.Context, q db.Querier, a Application) ([]int64, error) {
	return traders(q.Query(ctx, `SELECT DISTINCT trader_id FROM kyc_applications WHERE number_hash = $1 AND trader_id <> $2 ORDER BY 1 LIMIT $3`, a.NumberHash, a.TraderID, hinted))
}

func samePicture(ctx context.Context, q db.Querier, a Application) ([]int64, error) {
	return traders(q.Query(ctx, `
		SELECT DISTINCT a.trader_id FROM kyc_documents mine JOIN kyc_documents same ON same.picture_hash = mine.picture_hash
		JOIN kyc_applications a ON a.id = same.application_id
		WHERE mine.application_id = $1 AND mine.current AND a.trader_id <> $2 ORDER BY 1 LIMIT $3`, a.ID, a.TraderID, hinted))
}

// sameDevice leaves guests out: a guest is the same person before registering.
func sameDevice(ctx context.Context, q db.Querier, a Application) ([]int64, error) {
	sharing, err := session.SharingDevices(ctx, q, a.TraderID)
	if err != nil {
		return nil, err
	}
	return trader.Registered(ctx, q, sharing, hinted)
}

func traders(rows pgx.Rows, err error) ([]int64, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

func has(hints []Hint, risk Risk) bool {
	return slices.ContainsFunc(hints, func(h Hint) bool { return h.Risk == risk })
}

// CountryRisk is the risk of a country by the broker's lists; empty for none.
func (s *Service) CountryRisk(iso string) Risk {
	if s.switches == nil || iso == "" {
		return ""
	}
	for _, list := range []struct {
		key  string
		risk Risk
	}{{switches.ProhibitedKey, Prohibited}, {switches.HighRiskKey, HighRisk}} {
		if slices.Contains(switches.CountryList(s.switches.Value(list.key)), iso) {
			return list.risk
		}
	}
	return ""
}

// ListsCountries reports whether the broker lists any country as prohibited or of high risk.
func (s *Service) ListsCountries() bool {
	return s.switches != nil && s.switches.Value(switches.ProhibitedKey)+s.switches.Value(switches.HighRiskKey) != ""
}

// hints finds the reasons for a second review of an application. Country is that of the registration.
func (s *Service) hints(ctx context.Context, q db.Querier, a Application, data Data, country string, now time.Time) (out []Hint, err error) {
	for _, one := range shared {
		found, err := one.find(ctx, q, a)
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", one.risk, err)
		}
		if len(found) > 0 {
			out = append(out, Hint{one.risk, found})
		}
	}
	phone, err := trader.Phone(ctx, q, a.TraderID)
	if err != nil {
		return nil, err
	}
	phoneCountry := trader.PhoneCountry(phone)
	countries := []Risk{s.CountryRisk(a.Country), s.CountryRisk(country)}
	for _, one := range []struct {
		found bool
		risk  Risk
	}{{slices.Contains(countries, Prohibited), Prohibited}, {slices.Contains(countries, HighRisk), HighRisk}, {a.Country != country, CountryDiffers}, {phoneCountry != "" && a.Country != phoneCountry, PhoneDiffers}, {data.expired(now), DocumentExpired}, {!data.ofAge(now), UnderAge}} {
		if one.found {
			out = append(out, Hint{Risk: one.risk})
		}
	}
	return out, nil
}

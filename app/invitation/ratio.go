package invitation

import (
	"context"
	"fmt"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/switches"
	"candor/app/trader"
)

// activeWindow is how recent a fill makes an invited trader count for a partner's tier.
const activeWindow = 30 * 24 * time.Hour

// Tier is a partner's rebate from a number of active invited traders on.
type Tier struct{ From, RatioBps int }

// Tiers are the tiers of partners, the lowest first.
func (s *Service) Tiers() []Tier {
	tiers := make([]Tier, switches.PartnerTiers)
	for i := range tiers {
		tiers[i] = Tier{s.Switches.Count(switches.PartnerFromKey(i + 1)), s.ratio(switches.PartnerRateKey(i + 1))}
	}
	return tiers
}

// ratio is a rate in percent as basis points.
func (s *Service) ratio(key string) int {
	return int(s.Switches.Amount(key) * 100 / money.Unit)
}

// ratioTx is the part of the costs that an inviter gets now: everybody's, or that of a partner's tier; 0 while invitations are switched off.
func (s *Service) ratioTx(ctx context.Context, tx *db.Tx, inviterID int64, inviterType int) (int, error) {
	if !s.Switches.On(switches.InvitationKey) {
		return 0, nil
	}
	ratio := s.ratio(switches.RebateRateKey)
	if inviterType != trader.PartnerType {
		return ratio, nil
	}
	active, err := s.active(ctx, tx.Conn, inviterID)
	if err != nil {
		return 0, err
	}
	for _, tier := range s.Tiers() {
		if active >= tier.From {
			ratio = max(ratio, tier.RatioBps)
		}
	}
	return ratio, nil
}

// active counts the invited traders whose fills earned a rebate lately.
func (s *Service) active(ctx context.Context, q db.Querier, inviterID int64) (n int, err error) {
	err = q.QueryRow(ctx, `SELECT count(DISTINCT invited_id) FROM rebates WHERE inviter_id = $1 AND filled_at > $2`, inviterID, s.Clock.Now().Add(-activeWindow)).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count whom %d invited: %w", inviterID, err)
	}
	return n, nil
}

package bonus

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
)

// Stop ends a campaign for traders who have not accepted it; one person is enough. Refusals: ErrUnknown, ErrStopped.
func (s *Service) Stop(ctx context.Context, by audit.Actor, id int64) error {
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		c, err := campaignBy(tx.Rows, id)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		if !c.Open(now) {
			return ErrStopped
		}
		err = db.MustAffect(tx.Rows.Model(&Campaign{}).Where("id = ? AND stopped_at IS NULL", id).Updates(map[string]any{"stopped_at": now, "stopped_by": by.ID}))
		if err != nil {
			return db.OrRefusal(err, ErrStopped)
		}
		return audit.RecordTx(ctx, tx, audit.By(by, now, "bonus.stop", "bonus_request", id))
	})
}

// Campaign reads a campaign. Refusal: ErrUnknown.
func (s *Service) Campaign(ctx context.Context, id int64) (Campaign, error) {
	return campaignBy(s.DB.Rows(ctx), id)
}

func campaignBy(rows *gorm.DB, id int64) (c Campaign, err error) {
	if err := rows.Where("id = ?", id).Limit(1).Find(&c).Error; err != nil {
		return c, fmt.Errorf("read campaign %d: %w", id, err)
	}
	if c.ID == 0 {
		return c, ErrUnknown
	}
	return c, nil
}

// promised is what a campaign has granted, and promised to those who accepted it, in 10^-6 USDT.
const promised = `coalesce(sum(amount) FILTER (WHERE state NOT IN ('lapsed', 'declined')), 0)::bigint`

// promiseTx locks the campaign and refuses an acceptance that its budget does not cover, or that comes too late. It serialises all acceptances of a campaign.
func (s *Service) promiseTx(ctx context.Context, tx *db.Tx, id int64) (c Campaign, err error) {
	if _, err := tx.Conn.Exec(ctx, `SELECT 1 FROM bonus_campaigns WHERE id = $1 FOR NO KEY UPDATE`, id); err != nil {
		return c, fmt.Errorf("lock campaign %d: %w", id, err)
	}
	if c, err = campaignBy(tx.Rows, id); err != nil {
		return c, err
	}
	if !c.Open(s.Clock.Now()) {
		return c, ErrOver
	}
	var sum int64
	if err := tx.Conn.QueryRow(ctx, `SELECT `+promised+` FROM bonuses WHERE campaign_id = $1`, id).Scan(&sum); err != nil {
		return c, fmt.Errorf("sum up campaign %d: %w", id, err)
	}
	if sum+c.Amount > c.Budget {
		return c, ErrOver
	}
	return c, nil
}

// Figures is what became of a campaign, in traders and 10^-6 USDT.
type Figures struct {
	CampaignID int64
	Accepted   int   // in all
	Granted    int   // of them
	Promised   int64 // granted, and promised to those whose deposit has not come yet
	GrantedSum int64
	Remaining  int64 // of what was granted, not yet lost, expired or given up
}

// FiguresOf adds up a campaign.
func (s *Service) FiguresOf(ctx context.Context, campaignID int64) (f Figures, err error) {
	f.CampaignID = campaignID
	err = s.DB.Pool.QueryRow(ctx, `
		SELECT count(*), count(grant_id), `+promised+`, coalesce(sum(amount) FILTER (WHERE grant_id IS NOT NULL), 0)::bigint, coalesce(sum(remaining), 0)::bigint
		FROM bonuses WHERE campaign_id = $1`, campaignID).Scan(&f.Accepted, &f.Granted, &f.Promised, &f.GrantedSum, &f.Remaining)
	if err != nil {
		return f, fmt.Errorf("add up campaign %d: %w", campaignID, err)
	}
	return f, nil
}

// GiftOf is the bonus that a request for one trader has become; nil while nobody approved it.
func (s *Service) GiftOf(ctx context.Context, r Request) (*Bonus, error) {
	list, _, err := s.Of(ctx, *r.TraderID)
	if err != nil {
		return nil, err
	}
	for _, b := range list {
		if b.ApprovalID != nil && *b.ApprovalID == r.ID {
			return &b, nil
		}
	}
	return nil, nil
}

// today is the day of a moment in UTC, as the database writes it.
func today(now time.Time) string { return now.UTC().Format(time.DateOnly) }

package bonus

import (
	"context"
	"fmt"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/trader"
)

// Offers are the campaigns that a trader may accept now, the ones that end first in front. Budgets that are used up are not offered.
func (s *Service) Offers(ctx context.Context, t trader.Trader) (list []Campaign, err error) {
	if !s.OfferedIn(t.Country) || t.Guest() {
		return nil, nil
	}
	err = s.DB.Rows(ctx).Where(`stopped_at IS NULL AND last_day >= ?::date AND NOT EXISTS (SELECT 1 FROM bonuses b WHERE b.campaign_id = bonus_campaigns.id AND b.trader_id = ?)
		AND amount + (SELECT `+promised+` FROM bonuses b WHERE b.campaign_id = bonus_campaigns.id) <= budget`, today(s.Clock.Now()), t.ID).
		Order("last_day, id").Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list the bonuses offered to trader %d: %w", t.ID, err)
	}
	return list, nil
}

// mostListed is how many of a trader's bonuses are listed.
const mostListed = 500

// Of lists a trader's bonuses, newest first, with what losses have taken until now, and the campaigns that they are of.
func (s *Service) Of(ctx context.Context, traderID int64) (list []Bonus, campaigns map[int64]Campaign, err error) {
	if err := s.DB.Rows(ctx).Where("trader_id = ?", traderID).Order("id DESC").Limit(mostListed).Find(&list).Error; err != nil {
		return nil, nil, fmt.Errorf("list the bonuses of trader %d: %w", traderID, err)
	}
	var found []Campaign
	if err := s.DB.Rows(ctx).Where("id IN (SELECT campaign_id FROM bonuses WHERE trader_id = ?)", traderID).Find(&found).Error; err != nil {
		return nil, nil, fmt.Errorf("read the campaigns of trader %d: %w", traderID, err)
	}
	campaigns = map[int64]Campaign{}
	for _, c := range found {
		campaigns[c.ID] = c
	}
	return list, campaigns, s.current(ctx, list)
}

// AcceptCampaign accepts a campaign's bonus under the terms that were shown, once. A welcome is granted at once, a deposit's with the deposit. Refusals: ErrUnknown,
// ErrTerms, ErrOff, ErrUnverified, ErrPerson, ErrOver, ErrTaken, trader.ErrGuest.
func (s *Service) AcceptCampaign(ctx context.Context, by audit.Actor, campaignID int64, terms int) error {
	if terms != Terms {
		return ErrTerms
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.lockTx(tx, by.ID)
		if err != nil {
			return err
		}
		var taken int64
		if err := tx.Rows.Model(&Bonus{}).Where("trader_id = ? AND campaign_id = ?", t.ID, campaignID).Count(&taken).Error; err != nil {
			return fmt.Errorf("look for the bonus of trader %d: %w", t.ID, err)
		}
		if taken > 0 {
			return ErrTaken
		}
		c, err := s.promiseTx(ctx, tx, campaignID)
		if err != nil {
			return err
		}
		if err := s.checkPersonTx(ctx, tx, t.ID, c.ID); err != nil {
			return err
		}
		now := s.Clock.Now()
		b := Bonus{TraderID: t.ID, CampaignID: &c.ID, Amount: c.Amount, Days: c.Days, State: Accepted, Terms: &terms, AcceptBy: c.EndsAt(), OfferedAt: c.CreatedAt, AcceptedAt: &now}
		if err := tx.Rows.Create(&b).Error; err != nil {
			return fmt.Errorf("accept campaign %d: %w", c.ID, err)
		}
		return s.acceptedTx(ctx, tx, by, t, b, c.Rule == Welcome)
	})
}

// acceptedTx records an acceptance, and grants a bonus that waits for nothing more.
func (s *Service) acceptedTx(ctx context.Context, tx *db.Tx, by audit.Actor, t trader.Trader, b Bonus, atOnce bool) error {
	if err := audit.RecordTx(ctx, tx, audit.By(t.Acting(by), s.Clock.Now(), "bonus.accept", "bonus", b.ID)); err != nil {
		return err
	}
	if !atOnce {
		return nil
	}
	account, err := ledger.OpenTx(ctx, tx, t.ID, ledger.Real, t.Type, s.Clock.Now())
	if err != nil {
		return err
	}
	return s.grantTx(ctx, tx, b, account.ID, b.Amount, nil)
}

// checkPersonTx refuses a campaign that the same person has had by another account.
func (s *Service) checkPersonTx(ctx context.Context, tx *db.Tx, traderID, campaignID int64) error {
	others, err := s.SamePerson(ctx, tx.Conn, traderID)
	if err != nil || len(others) == 0 {
		return err
	}
	var had int64
	if err := tx.Rows.Model(&Bonus{}).Where("campaign_id = ? AND trader_id IN ?", campaignID, others).Count(&had).Error; err != nil {
		return fmt.Errorf("look for bonuses of the same person as trader %d: %w", traderID, err)
	}
	if had > 0 {
		return ErrPerson
	}
	return nil
}

// AcceptOffer accepts the trader's own offered bonus under the terms that were shown, once; it is granted at once. Refusals: ErrUnknown, ErrTerms, ErrOff,
// ErrUnverified, ErrOver, ErrTaken.
func (s *Service) AcceptOffer(ctx context.Context, by audit.Actor, bonusID int64, terms int) error {
	if terms != Terms {
		return ErrTerms
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.lockTx(tx, by.ID)
		if err != nil {
			return err
		}
		b, err := ownTx(tx, t.ID, bonusID)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		switch {
		case b.State == Lapsed || b.State == Offered && now.After(b.AcceptBy):
			return ErrOver
		case b.State != Offered:
			return ErrTaken
		}
		b.Terms, b.AcceptedAt = &terms, &now
		return s.acceptedTx(ctx, tx, by, t, b, true)
	})
}

// Decline declines the trader's own bonus before it is granted, or gives up what is left of it. Seen is the state that the trader has read; nothing happens to a
// bonus that is in another one. Refusals: the field, ErrUnknown, ErrEnded, ErrChanged for a bonus that was accepted or granted meanwhile.
func (s *Service) Decline(ctx context.Context, by audit.Actor, bonusID int64, seen State) error {
	if !seen.open() {
		return errs.Field("state", "field.choice")
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.Traders.LockedTx(tx, by.ID)
		if err != nil {
			return err
		}
		b, err := ownTx(tx, t.ID, bonusID)
		if err != nil {
			return err
		}
		if b.State.open() && b.State != seen {
			return ErrChanged
		}
		now := s.Clock.Now()
		action := "bonus.decline"
		switch b.State {
		case Offered, Accepted:
			err = tx.Rows.Model(&Bonus{}).Where("id = ? AND state = ?", b.ID, b.State).Updates(map[string]any{"state": Declined, "ended_at": now}).Error
		case Active:
			action = "bonus.give_up"
			var ended bool
			if ended, err = s.endTx(ctx, tx, b, GivenUp); err == nil && !ended {
				err = ErrEnded
			}
		default:
			err = ErrEnded
		}
		if err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, audit.By(t.Acting(by), now, action, "bonus", b.ID))
	})
}

func ownTx(tx *db.Tx, traderID, bonusID int64) (Bonus, error) {
	b, err := bonusTx(tx, bonusID)
	if err == nil && b.TraderID != traderID {
		err = ErrUnknown
	}
	return b, err
}

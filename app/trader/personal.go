package trader

import (
	"context"
	"fmt"

	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader. It erases its part last: the contacts are needed to find the rest.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{
			"traders": personal.Erased, "trader_profiles": personal.Erased, "payment_passwords": personal.Erased, "notification_settings": personal.Erased, "favourites": personal.Erased, "granted_contacts": personal.Erased,
			"trader_notes": personal.Kept, "trader_tags": personal.Kept, "trader_restrictions": personal.Kept, "withdrawal_locks": personal.Kept, "staff_duties": personal.Kept,
		},
		Export: s.exportTo,
	}
}

func (s *Service) exportTo(ctx context.Context, traderID int64, a *personal.Archive) error {
	t, err := s.Trader(ctx, traderID)
	if err != nil {
		return err
	}
	var profile Profile
	if err := s.db.Rows(ctx).Where("trader_id = ?", t.ID).Limit(1).Find(&profile).Error; err != nil {
		return fmt.Errorf("read the profile of trader %d: %w", t.ID, err)
	}
	err = a.JSON("profile.json", map[string]any{
		"id": t.ID, "email": t.Email, "phone": t.Phone, "wallet": t.Wallet, "name": t.Name, "nickname": profile.Nickname, "country": t.Country, "language": t.Language, "type": t.Type, "level": t.Level,
		"invitation_code": t.InviteCode, "accepted_terms_at": t.AcceptedAt, "created_at": t.CreatedAt, "phrase": t.Phrase, "agreed_to_offers_at": profile.MarketingAt,
	})
	if err != nil {
		return err
	}
	if profile.AvatarAt != nil {
		if err := a.File("avatar.jpg", profile.Avatar); err != nil {
			return err
		}
	}
	for _, table := range []struct{ name, query string }{
		{"notification-settings.csv", `SELECT category::text, in_app, mail FROM notification_settings WHERE trader_id = $1 ORDER BY category`},
		{"withdrawal-locks.csv", `SELECT reason::text, from_at, until_at FROM withdrawal_locks WHERE trader_id = $1 ORDER BY id`},
		{"restrictions.csv", `SELECT kind::text, reason::text, set_at, until_at, ended_at FROM trader_restrictions WHERE trader_id = $1 ORDER BY id`},
		{"favourites.csv", `SELECT product_id AS product FROM favourites WHERE trader_id = $1`},
	} {
		if err := a.Table(ctx, s.db.Pool, table.name, table.query, traderID); err != nil {
			return err
		}
	}
	return nil
}

package trader

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// longestNickname is the longest nickname in characters.
const longestNickname = 40

// Profile is what traders tell about themselves. Nobody else sees it but staff.
type Profile struct {
	TraderID    int64  `gorm:"primaryKey"`
	Nickname    string `gorm:"default:null"`
	Avatar      []byte `gorm:"default:null"` // a JPEG
	AvatarAt    *time.Time
	MarketingAt *time.Time // when the trader agreed to be told of offers; nil: not agreed
}

// TableName is GORM's name of the table.
func (Profile) TableName() string { return "trader_profiles" }

// Profile reads a trader's profile, without the picture. Refusal: ErrGuest.
func (s *Service) Profile(ctx context.Context, p session.Principal) (profile Profile, err error) {
	if p.Guest() {
		return profile, ErrGuest
	}
	if err = s.db.Rows(ctx).Omit("avatar").Where("trader_id = ?", p.TraderID).Limit(1).Find(&profile).Error; err != nil {
		return profile, fmt.Errorf("read the profile of trader %d: %w", p.TraderID, err)
	}
	return profile, nil
}

// ChangeProfile sets the nickname, empty for none, and the consent to offers. Refusals: ErrGuest, the field.
func (s *Service) ChangeProfile(ctx context.Context, p session.Principal, nickname string, marketing bool, from audit.Actor) error {
	nickname = strings.Join(strings.Fields(nickname), " ")
	if utf8.RuneCountInString(nickname) > longestNickname || !db.IsText(nickname) {
		return errs.Field("nickname", "field.length")
	}
	return s.changeProfileTx(ctx, p, from, func(now time.Time, before Profile) (map[string]any, map[string]any) {
		consent := before.MarketingAt
		switch {
		case !marketing:
			consent = nil
		case consent == nil:
			consent = &now
		}
		columns := map[string]any{"nickname": nil, "marketing_at": consent}
		if nickname != "" {
			columns["nickname"] = nickname
		}
		return columns, map[string]any{"nickname": nickname != before.Nickname, "marketing": marketing} // what the name is, is not recorded: it can be erased
	})
}

// SetAvatar sets the picture, a JPEG of our own encoding; nil removes it. Refusal: ErrGuest.
func (s *Service) SetAvatar(ctx context.Context, p session.Principal, picture []byte, from audit.Actor) error {
	return s.changeProfileTx(ctx, p, from, func(now time.Time, _ Profile) (map[string]any, map[string]any) {
		columns := map[string]any{"avatar": nil, "avatar_at": nil}
		if picture != nil {
			columns = map[string]any{"avatar": picture, "avatar_at": now}
		}
		return columns, map[string]any{"avatar": picture != nil}
	})
}

// changeProfileTx changes columns of a profile, which begins with its first change. An entry of the audit log has the facts that change returns.
func (s *Service) changeProfileTx(ctx context.Context, p session.Principal, from audit.Actor, change func(now time.Time, before Profile) (columns, facts map[string]any)) error {
	if p.Guest() {
		return ErrGuest
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.LockedTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		before := Profile{TraderID: t.ID}
		if err := tx.Rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&before).Error; err != nil {
			return fmt.Errorf("begin the profile of trader %d: %w", t.ID, err)
		}
		if err := tx.Rows.Omit("avatar").Where("trader_id = ?", t.ID).Find(&before).Error; err != nil {
			return fmt.Errorf("read the profile of trader %d: %w", t.ID, err)
		}
		now := s.clock.Now()
		columns, facts := change(now, before)
		if err := db.MustAffect(tx.Rows.Model(&Profile{}).Where("trader_id = ?", t.ID).Updates(columns)); err != nil {
			return fmt.Errorf("change the profile of trader %d: %w", t.ID, err)
		}
		after, err := json.Marshal(facts)
		if err != nil {
			return fmt.Errorf("describe a change of profile: %w", err)
		}
		entry := audit.By(t.Acting(from), now, "trader.change_profile", "trader", t.ID)
		entry.After = string(after)
		return audit.RecordTx(ctx, tx, entry)
	})
}

// ErrNoAvatar means that the trader has no picture.
var ErrNoAvatar = errs.New(errs.NotFound, "profile.no_avatar")

// Avatar reads the trader's picture. Refusals: ErrGuest, ErrNoAvatar.
func (s *Service) Avatar(ctx context.Context, p session.Principal) ([]byte, error) {
	if p.Guest() {
		return nil, ErrGuest
	}
	var profile Profile
	if err := s.db.Rows(ctx).Where("trader_id = ?", p.TraderID).Limit(1).Find(&profile).Error; err != nil {
		return nil, fmt.Errorf("read the picture of trader %d: %w", p.TraderID, err)
	}
	if profile.AvatarAt == nil {
		return nil, ErrNoAvatar
	}
	return profile.Avatar, nil
}

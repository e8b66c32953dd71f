package trader

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// Category is what messages are about. A trader chooses for each category whether messages go to the app and to the own contact.
type Category string

// The categories.
const (
	OrderMessages      Category = "orders"     // fills and ends of pending orders
	ProtectionMessages Category = "protection" // closes by stop loss, take profit and trailing stop
	MarginMessages     Category = "margin"     // margin calls and stop-outs
	ChargeMessages     Category = "charges"    // swaps and dividends
	MoneyMessages      Category = "money"
	IdentityMessages   Category = "identity"
	SecurityMessages   Category = "security"
)

// Categories lists the categories in the order in which a trader sees them.
var Categories = []Category{OrderMessages, ProtectionMessages, MarginMessages, ChargeMessages, MoneyMessages, IdentityMessages, SecurityMessages}

// MessageGroup names the categories that the app lists together.
type MessageGroup string

// The groups.
const (
	TradingGroup MessageGroup = "trading"
	MoneyGroup   MessageGroup = "money"
	AccountGroup MessageGroup = "account"
)

// Categories are the group's categories; none for the empty group, which is all messages.
func (g MessageGroup) Categories() []string {
	switch g {
	case TradingGroup:
		return []string{string(OrderMessages), string(ProtectionMessages), string(MarginMessages), string(ChargeMessages)}
	case MoneyGroup:
		return []string{string(MoneyMessages)}
	case AccountGroup:
		return []string{string(IdentityMessages), string(SecurityMessages)}
	}
	return nil
}

// NotificationSetting is how a trader receives the messages of a category.
type NotificationSetting struct {
	TraderID int64    `gorm:"primaryKey"`
	Category Category `gorm:"primaryKey"`
	InApp    bool
	Mail     bool
}

// TableName is GORM's name of the table.
func (NotificationSetting) TableName() string { return "notification_settings" }

// InAppLocked reports whether messages of the category always go to the app.
func (c Category) InAppLocked() bool {
	return c != OrderMessages && c != ProtectionMessages && c != ChargeMessages
}

// MailLocked reports whether messages of the category always go to the trader's contact.
func (c Category) MailLocked() bool { return c == MarginMessages || c == SecurityMessages }

// byDefault is the setting of a trader who has not chosen any.
func (c Category) byDefault(traderID int64) NotificationSetting {
	return NotificationSetting{TraderID: traderID, Category: c, InApp: true, Mail: c != OrderMessages && c != ChargeMessages}
}

// Refusals of notification settings.
var (
	ErrCategory    = errs.Field("category", "field.choice")
	ErrInAppLocked = errs.Field("inApp", "field.always_on")
	ErrMailLocked  = errs.Field("mail", "field.always_on")
)

// check returns ErrCategory, ErrInAppLocked and ErrMailLocked.
func (n NotificationSetting) check() error {
	known := false
	for _, c := range Categories {
		known = known || c == n.Category
	}
	switch {
	case !known:
		return ErrCategory
	case !n.InApp && n.Category.InAppLocked():
		return ErrInAppLocked
	case !n.Mail && n.Category.MailLocked():
		return ErrMailLocked
	}
	return nil
}

// NotificationSettings lists the trader's setting of every category. Refusal: ErrGuest.
func (s *Service) NotificationSettings(ctx context.Context, p session.Principal) (out []NotificationSetting, err error) {
	if p.Guest() {
		return nil, ErrGuest
	}
	var chosen []NotificationSetting
	if err := s.db.Rows(ctx).Where("trader_id = ?", p.TraderID).Limit(len(Categories)).Find(&chosen).Error; err != nil {
		return nil, fmt.Errorf("read notification settings: %w", err)
	}
	for _, c := range Categories {
		setting := c.byDefault(p.TraderID)
		for _, one := range chosen {
			if one.Category == c {
				setting = one
			}
		}
		out = append(out, setting)
	}
	return out, nil
}

// SetNotification stores the trader's setting of a category. Refusals: ErrGuest, ErrCategory, ErrInAppLocked, ErrMailLocked.
func (s *Service) SetNotification(ctx context.Context, p session.Principal, category Category, inApp, mail bool, from audit.Actor) error {
	if p.Guest() {
		return ErrGuest
	}
	setting := NotificationSetting{TraderID: p.TraderID, Category: category, InApp: inApp, Mail: mail}
	if err := setting.check(); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.traderTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		first := category.byDefault(p.TraderID)
		if err := tx.Rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&first).Error; err != nil {
			return fmt.Errorf("write a notification setting: %w", err)
		}
		var before NotificationSetting
		if err := tx.ForUpdate().Where("trader_id = ? AND category = ?", p.TraderID, category).First(&before).Error; err != nil {
			return fmt.Errorf("lock a notification setting: %w", err)
		}
		if before == setting {
			return nil
		}
		err = db.MustAffect(tx.Rows.Model(&NotificationSetting{}).Where("trader_id = ? AND category = ?", p.TraderID, category).
			Updates(map[string]any{"in_app": inApp, "mail": mail}))
		if err != nil {
			return fmt.Errorf("save a notification setting: %w", err)
		}
		return recordNotificationTx(ctx, tx, audit.By(t.Acting(from), s.clock.Now(), "trader.notifications", "trader", p.TraderID), before, setting)
	})
}

func recordNotificationTx(ctx context.Context, tx *db.Tx, entry audit.Entry, before, after NotificationSetting) error {
	text := func(n NotificationSetting) (string, error) {
		bytes, err := json.Marshal(map[string]any{"category": n.Category, "in_app": n.InApp, "mail": n.Mail})
		return string(bytes), err
	}
	var err error
	if entry.Before, err = text(before); err != nil {
		return err
	}
	if entry.After, err = text(after); err != nil {
		return err
	}
	return audit.RecordTx(ctx, tx, entry)
}

// settingTx is a trader's setting of a category.
func settingTx(tx *db.Tx, traderID int64, c Category) (NotificationSetting, error) {
	chosen := NotificationSetting{}
	if err := tx.Rows.Where("trader_id = ? AND category = ?", traderID, c).Limit(1).Find(&chosen).Error; err != nil {
		return chosen, fmt.Errorf("read a notification setting: %w", err)
	}
	if chosen.TraderID == 0 {
		return c.byDefault(traderID), nil
	}
	return chosen, nil
}

package trader

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/db"
)

// What staff do for a trader who has lost the second factor or a contact. Package accountchange calls it when two people have agreed.

// grantLife is how long a granted contact can be taken into use.
const grantLife = 72 * time.Hour

// grantedContact is the new contact of a trader who has lost the old one.
type grantedContact struct {
	ID, TraderID int64
	Contact      string
	AskedAt      time.Time
	ExpiresAt    *time.Time // none until two people agreed
	UsedAt       *time.Time
}

// TableName is GORM's name of the table.
func (grantedContact) TableName() string { return "granted_contacts" }

// AskContactTx stores the contact that a trader names in place of a lost one. It returns its number, and the contact with its middle hidden. Refusals: the field,
// ErrPhone, ErrContactTaken.
func (s *Service) AskContactTx(tx *db.Tx, t Trader, contact string, phone bool) (id int64, masked string, err error) {
	a, err := s.reachable(strings.TrimSpace(contact))
	if err != nil {
		return 0, "", errContactForm
	}
	if a.phone != phone {
		return 0, "", errContactForm
	}
	_, known, err := find(tx.Rows, a)
	if err != nil {
		return 0, "", fmt.Errorf("find a trader: %w", err)
	}
	if known {
		return 0, "", ErrContactTaken
	}
	row := grantedContact{TraderID: t.ID, Contact: a.text, AskedAt: s.clock.Now()}
	if err := tx.Rows.Create(&row).Error; err != nil {
		return 0, "", fmt.Errorf("store a contact of trader %d: %w", t.ID, err)
	}
	return row.ID, Mask(a.text), nil
}

// CheckAskedContactTx refuses a contact that is not the stored one, with the field: a second person reads it where the trader wrote it.
func (s *Service) CheckAskedContactTx(tx *db.Tx, id int64, contact string) error {
	row, err := grantTx(tx, id)
	if err != nil {
		return err
	}
	if a, err := parseAddress(strings.TrimSpace(contact)); err != nil || a.text != row.Contact {
		return ErrContactDiffers
	}
	return nil
}

// GrantContactTx lets a trader take the stored contact into use for 72 hours. Withdrawals are held as long; the old contacts and the new one are told. Refusal:
// ErrContactTaken.
func (s *Service) GrantContactTx(ctx context.Context, tx *db.Tx, by audit.Actor, t Trader, id int64) error {
	row, err := grantTx(tx, id)
	if err != nil {
		return err
	}
	a, err := parseAddress(row.Contact)
	if err != nil {
		return err
	}
	_, known, err := find(tx.Rows, a)
	switch {
	case err != nil:
		return fmt.Errorf("find a trader: %w", err)
	case known:
		return ErrContactTaken
	}
	until := s.clock.Now().Add(grantLife)
	if err := db.MustAffect(tx.Rows.Model(&grantedContact{}).Where("id = ? AND expires_at IS NULL", id).Update("expires_at", until)); err != nil {
		return fmt.Errorf("grant contact %d: %w", id, err)
	}
	if err := s.LockWithdrawalsTx(ctx, tx, t.ID, LockRecovery, contactLockLife); err != nil {
		return err
	}
	if err := s.tellEverywhereTx(ctx, tx, t, "message.contact_granted_old", map[string]any{"contact": Mask(a.text)}); err != nil {
		return err
	}
	if err := s.sendTx(ctx, tx, t.recipientAt(a), "message.contact_granted", map[string]any{"hours": int(grantLife / time.Hour)}); err != nil {
		return err
	}
	entry := audit.By(by, s.clock.Now(), "trader.grant_contact", "trader", t.ID)
	entry.After = facts{"contact": Mask(a.text)}.json()
	return audit.RecordTx(ctx, tx, entry)
}

// DropContactTx forgets a stored contact that nobody granted.
func (s *Service) DropContactTx(tx *db.Tx, id int64) error {
	if err := tx.Rows.Where("id = ? AND expires_at IS NULL", id).Delete(&grantedContact{}).Error; err != nil {
		return fmt.Errorf("forget contact %d: %w", id, err)
	}
	return nil
}

func grantTx(tx *db.Tx, id int64) (row grantedContact, err error) {
	if err = tx.ForUpdate().Where("id = ?", id).Take(&row).Error; err != nil {
		err = fmt.Errorf("read contact %d: %w", id, err)
	}
	return row, err
}

// granted finds the trader who may take a contact into use now.
func (s *Service) granted(rows *gorm.DB, a address) (t Trader, ok bool, err error) {
	var row grantedContact
	now := s.clock.Now()
	err = rows.Where("contact = ? AND used_at IS NULL AND expires_at > ?", a.text, now).Order("id DESC").Limit(1).Find(&row).Error
	if err != nil || row.ID == 0 {
		return t, false, err
	}
	err = rows.Where("id = ? AND closed_at IS NULL", row.TraderID).Limit(1).Find(&t).Error
	return t, t.ID != 0, err
}

// takeGrantTx makes a granted contact the trader's own. A grant is used once. It is no contact that the trader changed: whoever lost the wallet unlinks it without
// its signature.
func (s *Service) takeGrantTx(ctx context.Context, tx *db.Tx, t Trader, a address, from audit.Actor) error {
	used := tx.Rows.Model(&grantedContact{}).Where("trader_id = ? AND contact = ? AND used_at IS NULL AND expires_at > ?", t.ID, a.text, s.clock.Now()).Update("used_at", s.clock.Now())
	if err := db.MustAffect(used); err != nil {
		return fmt.Errorf("take a contact of trader %d into use: %w", t.ID, err)
	}
	return s.contactChangedTx(ctx, tx, t, a, LockRecovery, from)
}

// ResetFactorTx removes every second factor of a trader who has lost them, ends all sessions, holds withdrawals for 72 hours, and tells the trader at every contact.
// Refusal: ErrNoFactor.
func (s *Service) ResetFactorTx(ctx context.Context, tx *db.Tx, by audit.Actor, t Trader) error {
	had, err := s.factors.RemoveAllTx(ctx, tx, factor.Trader(t.ID))
	if err != nil {
		return err
	}
	if !had {
		return ErrNoFactor
	}
	if _, err := s.sessions.EndAllTx(ctx, tx, t.ID); err != nil {
		return err
	}
	if err := s.LockWithdrawalsTx(ctx, tx, t.ID, LockRecovery, contactLockLife); err != nil {
		return err
	}
	if err := audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "trader.reset_factor", "trader", t.ID)); err != nil {
		return err
	}
	return s.tellEverywhereTx(ctx, tx, t, "message.factor_reset", nil)
}

// TellOfRequestTx tells a trader at every contact that staff were asked to remove the second factors, or to grant another contact.
func (s *Service) TellOfRequestTx(ctx context.Context, tx *db.Tx, t Trader, contact bool) error {
	key := "message.factor_reset_asked"
	if contact {
		key = "message.contact_asked"
	}
	return s.tellEverywhereTx(ctx, tx, t, key, nil)
}

// HasFactorTx refuses a trader without a second factor. Refusal: ErrNoFactor.
func (s *Service) HasFactorTx(ctx context.Context, tx *db.Tx, t Trader) error {
	f, err := s.factorsTx(ctx, tx, t)
	if err == nil && !f.Any() {
		err = ErrNoFactor
	}
	return err
}

func (s *Service) factorsTx(ctx context.Context, tx *db.Tx, t Trader) (f factor.Factors, err error) {
	if s.factors == nil {
		return f, nil
	}
	return s.factors.Of(ctx, tx.Conn, factor.Trader(t.ID))
}

// tellEverywhereTx tells a trader something at every contact; in the app without one.
func (s *Service) tellEverywhereTx(ctx context.Context, tx *db.Tx, t Trader, key string, args map[string]any) error {
	if t.contactless() {
		return s.tellTx(ctx, tx, t, key, args)
	}
	for _, to := range t.contacts() {
		if err := s.sendTx(ctx, tx, to, key, args); err != nil {
			return err
		}
	}
	return nil
}

// SetPartnerTx makes a trader a partner, or ends it. Refusal: ErrPartnerState.
func (s *Service) SetPartnerTx(ctx context.Context, tx *db.Tx, by audit.Actor, t Trader, partner bool) error {
	from, to, action, message := Ordinary, PartnerType, "trader.make_partner", "message.partner"
	if !partner {
		from, to, action, message = PartnerType, Ordinary, "trader.end_partner", "message.partner_ended"
	}
	result := tx.Rows.Model(&Trader{}).Where("id = ? AND type = ?", t.ID, from).Update("type", to)
	if result.Error == nil && result.RowsAffected == 0 {
		return ErrPartnerState
	}
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("change the type of trader %d: %w", t.ID, err)
	}
	return s.recordTx(ctx, tx, t, by, action, message)
}

// AccessTx is the trader's way in as text: it changes when the trader uses a second factor, and when a contact changes.
func (s *Service) AccessTx(ctx context.Context, tx *db.Tx, t Trader) (string, error) {
	f, err := s.factorsTx(ctx, tx, t)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%d|%q|%q|%d|%d|%d|%d", t.ID, t.Contact(MailContact), t.Contact(PhoneContact), t.Type, t.AuthStatus, f.AuthenticatorStep, f.RecoveryCodes)
	for _, p := range f.Passkeys {
		text += fmt.Sprintf("|%d %v", p.ID, p.LastUsedAt)
	}
	return text, nil
}

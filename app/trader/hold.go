package trader

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/session"
)

// The reasons of a withdrawal lock.
const (
	LockPaymentPasswordReset  = "payment_password_reset"
	LockPaymentPasswordChange = "payment_password_change"
	LockPasswordChange        = "password_change"
	LockContactChange         = "contact_change"
	LockNewDevice             = "new_device"
	LockAuthenticatorChange   = "authenticator_change"
	LockRecoveryCode          = "recovery_code"
	LockWalletChange          = "wallet_change"
	LockRecovery              = "account_recovery" // staff let the trader in again
)

// securityLockLife is the length of a withdrawal lock after an act that an account thief would do first.
const securityLockLife = 24 * time.Hour

type withdrawalLock struct {
	ID, TraderID    int64
	Reason          string
	FromAt, UntilAt time.Time
}

// TableName is GORM's name of the table.
func (withdrawalLock) TableName() string { return "withdrawal_locks" }

// LockWithdrawalsTx locks a trader's withdrawals from now on for a time. Existing locks continue beside it.
func (s *Service) LockWithdrawalsTx(ctx context.Context, tx *db.Tx, traderID int64, reason string, life time.Duration) error {
	now := s.clock.Now()
	until := now.Add(life)
	if err := tx.Rows.Create(&withdrawalLock{TraderID: traderID, Reason: reason, FromAt: now, UntilAt: until}).Error; err != nil {
		return fmt.Errorf("lock the withdrawals of trader %d: %w", traderID, err)
	}
	entry := audit.By(audit.Actor{Kind: audit.System, Name: "security"}, now, "trader.hold", "trader", traderID)
	after, err := json.Marshal(map[string]string{"reason": reason, "until": until.UTC().Format(time.RFC3339)})
	if err != nil {
		return err
	}
	entry.After = string(after)
	return audit.RecordTx(ctx, tx, entry)
}

// lockForDeviceTx locks withdrawals after a log-in from a new device and notifies the owner, because the log-in may not be theirs.
func (s *Service) lockForDeviceTx(ctx context.Context, tx *db.Tx, t Trader, d session.Device) error {
	if err := s.LockWithdrawalsTx(ctx, tx, t.ID, LockNewDevice, securityLockLife); err != nil {
		return err
	}
	return s.tellTx(ctx, tx, t, "message.new_device", map[string]any{
		"device": d.Name(), "ip": s.from(d.IP, t.Language), "time": s.clock.Now().UTC().Format("2006-01-02 15:04") + " UTC",
	})
}

// WithdrawalLock returns the end of a trader's withdrawal lock and the reason of the lock that lasts longest; the zero time without a lock. Every act that moves money
// out, or prepares it, checks here or with Prove. Refusal: ErrMoneyRestricted while staff restrict withdrawals, which may have no end.
func (s *Service) WithdrawalLock(ctx context.Context, traderID int64) (until time.Time, reason string, err error) {
	return s.readWithdrawalLock(s.db.Rows(ctx), traderID)
}

// WithdrawalLockTx is WithdrawalLock inside the caller's transaction.
func (s *Service) WithdrawalLockTx(tx *db.Tx, traderID int64) (until time.Time, reason string, err error) {
	return s.readWithdrawalLock(tx.Rows, traderID)
}

// readWithdrawalLock needs rows without conditions: it asks twice.
func (s *Service) readWithdrawalLock(rows *gorm.DB, traderID int64) (until time.Time, reason string, err error) {
	if err := s.mayMoveMoney(rows, traderID); err != nil {
		return time.Time{}, "", err
	}
	return s.securityLock(rows, traderID)
}

// securityLock is WithdrawalLock without restrictions by staff.
func (s *Service) securityLock(rows *gorm.DB, traderID int64) (until time.Time, reason string, err error) {
	now := s.clock.Now()
	var longest withdrawalLock
	err = rows.Where("trader_id = ? AND from_at <= ? AND until_at > ?", traderID, now, now).Order("until_at DESC, id DESC").Limit(1).Find(&longest).Error
	if err != nil {
		return time.Time{}, "", fmt.Errorf("read the withdrawal lock of trader %d: %w", traderID, err)
	}
	return longest.UntilAt, longest.Reason, nil
}

package banking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/vault"
	"candor/app/withdrawal"
)

// Service implements the bank accounts and statements for the desk and its job.
type Service struct {
	db           *db.DB
	clock        clock.Clock
	vault        *vault.Vault
	deposits     *deposit.Service
	withdrawals  *withdrawal.Service
	accounts     *approval.Settings[Account]
	explanations *approval.Service
	days         *approval.Service
}

// New makes the service.
func New(d *db.DB, c clock.Clock, v *vault.Vault, deposits *deposit.Service, withdrawals *withdrawal.Service, e *approval.Engine) *Service {
	s := &Service{db: d, clock: c, vault: v, deposits: deposits, withdrawals: withdrawals}
	s.accounts = accountSettings(e)
	s.explanations = e.For(approval.Use{Name: "bank_line", Area: "banking", About: "line", Lasts: requestLasts, Apply: s.explainTx, Closed: s.unexplainedTx})
	s.days = e.For(approval.Use{Name: "bank_day", Area: "banking", About: "day", Target: "bank_account", Lasts: requestLasts, People: peopleOfDay, Apply: s.closeDayTx})
	if deposits != nil {
		deposits.WhenDeclined(s.unmatchTx)
	}
	return s
}

// Detail opens what a line says of people. It returns vault.ErrUnreadable.
func (s *Service) Detail(ctx context.Context, l Line) (d Detail, err error) {
	return s.detail(ctx, s.db.Pool, l)
}

// PayerOf is what the bank said of the payer of a deposit: that of the line that is matched with it; empty without one. It returns vault.ErrUnreadable.
func (s *Service) PayerOf(ctx context.Context, depositID int64) (name, account, text string, err error) {
	var l Line
	if err := s.db.Rows(ctx).Where("deposit_id = ?", depositID).Limit(1).Find(&l).Error; err != nil || l.ID == 0 {
		return "", "", "", err
	}
	d, err := s.Detail(ctx, l)
	return d.Counterparty, d.Account, d.Text, err
}

// Owners are the traders whose deposits or withdrawals lines are matched with, by the line; other lines have none.
func (s *Service) Owners(ctx context.Context, list ...Line) (map[int64]int64, error) {
	ids := make([]int64, len(list))
	for i, l := range list {
		ids[i] = l.ID
	}
	rows, err := s.db.Pool.Query(ctx, `
		SELECT l.id, coalesce(d.trader_id, w.trader_id) FROM bank_lines l LEFT JOIN deposits d ON d.id = l.deposit_id LEFT JOIN withdrawals w ON w.id = l.withdrawal_id
		WHERE l.id = ANY($1) AND coalesce(d.trader_id, w.trader_id) IS NOT NULL`, ids)
	if err != nil {
		return nil, fmt.Errorf("read whose payments bank lines are: %w", err)
	}
	owners, line, trader := map[int64]int64{}, int64(0), int64(0)
	_, err = pgx.ForEachRow(rows, []any{&line, &trader}, func() error {
		owners[line] = trader
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read whose payments bank lines are: %w", err)
	}
	return owners, nil
}

func (s *Service) detail(ctx context.Context, q db.Querier, l Line) (d Detail, err error) {
	words, err := detailKey.Open(ctx, q, s.vault, l.ID, owner(l.ID), vault.Sealed{WrappedKey: l.DetailKey, Ciphertext: l.DetailSealed})
	if err != nil {
		return d, fmt.Errorf("open the detail of bank line %d: %w", l.ID, err)
	}
	return d, json.Unmarshal(words, &d)
}

// act locks a line, calls decide for the changes, and writes them with an audit entry in one transaction. An action approval.InEngine has the engine's entry.
// Refusals: ErrUnknown, ErrChanged and those of decide.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, *Line) (map[string]any, error)) (l Line, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if l, err = lockTx(tx, id); err != nil {
			return err
		}
		if l.Version != version {
			return ErrChanged
		}
		before := l.summary()
		changes, err := decide(tx, &l)
		if err != nil {
			return err
		}
		if err := moveTx(tx, &l, changes); err != nil {
			return err
		}
		if action == approval.InEngine {
			return nil
		}
		entry := audit.By(by, s.clock.Now(), action, "bank_line", l.ID)
		entry.Before, entry.After = before, l.summary()
		return audit.RecordTx(ctx, tx, entry)
	})
	return l, err
}

// summary is the line in the audit log.
func (l Line) summary() string {
	text, _ := json.Marshal(map[string]any{"state": l.State, "deposit": l.DepositID, "withdrawal": l.WithdrawalID, "cause": l.Cause})
	return string(text)
}

// lockTx reads and locks a line. It returns ErrUnknown.
func lockTx(tx *db.Tx, id int64) (l Line, err error) {
	if err = tx.Rows.Raw(`SELECT * FROM bank_lines WHERE id = ? FOR UPDATE`, id).Scan(&l).Error; err != nil {
		return l, fmt.Errorf("lock bank line %d: %w", id, err)
	}
	if l.ID == 0 {
		err = ErrUnknown
	}
	return l, err
}

// moveTx writes the changes of a locked line and reads it again.
func moveTx(tx *db.Tx, l *Line, changes map[string]any) error {
	changes["version"] = l.Version + 1
	err := tx.Rows.Model(&Line{}).Where("id = ? AND version = ?", l.ID, l.Version).Updates(changes).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) { // another line was matched with the case at the same time
		return ErrChanged
	}
	if err != nil {
		return fmt.Errorf("change bank line %d: %w", l.ID, err)
	}
	return tx.Rows.Where("id = ?", l.ID).Take(l).Error
}

package payee

import (
	"context"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
	"candor/app/platform/mail"
	"candor/app/platform/names"
	"candor/app/platform/vault"
	"candor/app/switches"
	"candor/app/trader"
)

// Prover checks whether the request comes from the trader. Its refusals are shown unchanged.
type Prover interface {
	Prove(ctx context.Context, traderID int64, p trader.Proof) error
}

// House knows where the house itself receives money.
type House interface {
	// IsHouseAccount reports whether an IBAN, in capitals without spaces, is the house's own.
	IsHouseAccount(ctx context.Context, q db.Querier, iban string) (bool, error)
	// IsHouseAddress reports whether an address, in its chain's canonical form, is one of the house's for deposits.
	IsHouseAddress(ctx context.Context, q db.Querier, chain, address string) (bool, error)
}

// Service implements payees for the API and the back office.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	switches  *switches.Service
	messenger *trader.Messenger
	prover    Prover
	house     House
	keys      *vault.Vault
	names     vault.Names
	words     names.Index
}

// Config is the dependencies of a Service.
type Config struct {
	DB       *db.DB
	Clock    clock.Clock
	Switches *switches.Service
	Outbox   *mail.Outbox
	Vault    *vault.Vault // seals the names of account holders
	Texts    trader.Texts
	Prover   Prover
	House    House
}

// New makes the service.
func New(c Config) *Service {
	return &Service{
		db: c.DB, clock: c.Clock, switches: c.Switches, messenger: trader.NewMessenger(c.Clock, c.Outbox, c.Texts, nil), prover: c.Prover, house: c.House,
		keys: c.Vault, names: vault.NewNames(c.Vault, "payees", "holder"), words: names.NewIndex(c.Vault, "payee_name_words", "payee_id"),
	}
}

// Result is the result of a keyed write on a payee.
type Result = idempotency.Result[Payee]

// Add saves an address, once per key, and returns the Payee. Money can go there after Cooldown.
// Refusals: ErrOff, ErrMock, fields, ErrChain, ErrOnlySaved, ErrTooMany, ErrExists, ErrRemoved, ErrLookalike, those of the proof.
func (s *Service) Add(ctx context.Context, o ledger.Owner, a Address, proof trader.Proof, r idempotency.Request) (Result, error) {
	p, err := a.payee()
	if err != nil {
		return Result{}, err
	}
	return proven(ctx, s, o, proof.Of(trader.MoneyOut{Act: trader.SaveAddress, Place: a.Address}), r, func(tx *db.Tx) (Payee, error) {
		living, err := s.lockOpenTx(tx, o.TraderID)
		if err != nil {
			return Payee{}, err
		}
		for _, other := range living {
			if !a.Confirmed && other.Chain == p.Chain && lookalike(other.Address, p.Address) {
				return Payee{}, ErrLookalike.With("label", other.Label)
			}
		}
		if err := s.notRemovedTx(tx, o.TraderID, p); err != nil {
			return Payee{}, err
		}
		return s.addTx(ctx, tx, o, living, p, "")
	})
}

// Bind saves a bank account, once per key, and returns the Payee. The first one is the preferred one. Money can go there after Cooldown.
// Refusals: ErrOff, ErrMock, fields, ErrOnlySaved, ErrTooMany, ErrExists, ErrRemoved, ErrHouse, those of the proof.
func (s *Service) Bind(ctx context.Context, o ledger.Owner, a Account, proof trader.Proof, r idempotency.Request) (Result, error) {
	p, holder, err := a.payee()
	if err != nil {
		return Result{}, err
	}
	return proven(ctx, s, o, proof.Of(trader.MoneyOut{Act: trader.SaveAccount, Place: a.IBAN}), r, func(tx *db.Tx) (Payee, error) {
		living, err := s.lockOpenTx(tx, o.TraderID)
		if err != nil {
			return Payee{}, err
		}
		if err := s.notRemovedTx(tx, o.TraderID, p); err != nil {
			return Payee{}, err
		}
		p.Preferred = !anyPreferred(living)
		return s.addTx(ctx, tx, o, living, p, holder)
	})
}

func anyPreferred(living []Payee) bool {
	for _, p := range living {
		if p.Preferred {
			return true
		}
	}
	return false
}

// Rebind changes a bank account, once per key, and returns the Payee. A payee's destination never changes: another account becomes a new payee, which
// replaces the old one and cools. A new label alone changes nothing else.
// Refusals: ErrOff, ErrMock, fields, ErrUnknown, ErrOnlySaved (not for a new label alone), ErrExists, ErrRemoved, ErrHouse, those of the proof.
func (s *Service) Rebind(ctx context.Context, o ledger.Owner, id int64, a Account, proof trader.Proof, r idempotency.Request) (Result, error) {
	wanted, holder, err := a.payee()
	if err != nil {
		return Result{}, err
	}
	return proven(ctx, s, o, proof.Of(trader.MoneyOut{Act: trader.SaveAccount, Place: a.IBAN}), r, func(tx *db.Tx) (Payee, error) {
		settings, living, err := lockTx(tx, o.TraderID)
		if err != nil {
			return Payee{}, err
		}
		p, others, err := pick(living, AtBank, id)
		if err != nil {
			return Payee{}, err
		}
		held, err := s.HolderTx(ctx, tx, p)
		if err != nil {
			return Payee{}, err
		}
		if held == holder && p.Bank == wanted.Bank && p.IBAN == wanted.IBAN && p.BIC == wanted.BIC {
			err := s.changeTx(ctx, tx, o, &p, "payee.label", map[string]any{"label": wanted.Label})
			return p, err
		}
		if err := settings.open(s.clock.Now()); err != nil {
			return Payee{}, err
		}
		if wanted.IBAN != p.IBAN {
			if err := s.notRemovedTx(tx, o.TraderID, wanted); err != nil {
				return Payee{}, err
			}
		}
		replaced := p
		wanted.Preferred = p.Preferred
		if err := s.retireTx(ctx, tx, o, &replaced); err != nil {
			return Payee{}, err
		}
		return s.addTx(ctx, tx, o, others, wanted, holder)
	})
}

// Remove removes a payee, once per key, and returns the Payee: it can't be paid from now on. Its owner may restore it for Cooldown.
// Refusals: ErrOff, ErrMock, ErrUnknown, those of the proof.
func (s *Service) Remove(ctx context.Context, o ledger.Owner, kind Kind, id int64, proof trader.Proof, r idempotency.Request) (Result, error) {
	return proven(ctx, s, o, proof.Of(trader.MoneyOut{Act: trader.DeletePayee, Payee: id}), r, func(tx *db.Tx) (Payee, error) {
		_, living, err := lockTx(tx, o.TraderID)
		if err != nil {
			return Payee{}, err
		}
		p, _, err := pick(living, kind, id)
		if err != nil {
			return Payee{}, err
		}
		err = s.retireTx(ctx, tx, o, &p)
		return p, err
	})
}

// Restore restores a payee removed within Cooldown, once per key, and returns the Payee. The rest of its own cooling period still applies. Refusals:
// ErrOff, ErrMock, ErrOnlySaved, ErrUnknown, ErrExists, ErrTooMany, ErrHouse, those of the proof.
func (s *Service) Restore(ctx context.Context, o ledger.Owner, kind Kind, id int64, proof trader.Proof, r idempotency.Request) (Result, error) {
	return proven(ctx, s, o, proof.Of(trader.MoneyOut{Act: trader.RestorePayee, Payee: id}), r, func(tx *db.Tx) (Payee, error) {
		living, err := s.lockOpenTx(tx, o.TraderID)
		if err != nil {
			return Payee{}, err
		}
		var p Payee
		if err := tx.Rows.Where("id = ? AND trader_id = ? AND kind = ? AND removed_at > ?", id, o.TraderID, kind, s.restorable()).Limit(1).Find(&p).Error; err != nil {
			return Payee{}, fmt.Errorf("read a removed payee: %w", err)
		}
		if p.ID == 0 {
			return Payee{}, ErrUnknown
		}
		if err := s.roomTx(ctx, tx, living, p); err != nil {
			return Payee{}, err
		}
		now := s.clock.Now()
		if err := moveTx(tx, &p, map[string]any{"removed_at": nil, "preferred": kind == AtBank && !anyPreferred(living)}); err != nil {
			return Payee{}, err
		}
		if err := audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "payee.restore", "payee", p.ID)); err != nil {
			return Payee{}, err
		}
		return p, s.messenger.SendTx(ctx, tx, trader.Message{TraderID: o.TraderID, Category: trader.SecurityMessages, Key: "message.payee_restored", Words: p.named})
	})
}

// restorable is the time since which a payee must have been removed to be restored now.
func (s *Service) restorable() time.Time { return s.clock.Now().Add(-Cooldown) }

// notRemovedTx returns ErrRemoved for a destination that was removed and can be restored.
func (s *Service) notRemovedTx(tx *db.Tx, traderID int64, p Payee) error {
	var old Payee
	err := tx.Rows.Where("trader_id = ? AND kind = ? AND chain = ? AND address = ? AND iban = ? AND removed_at > ?",
		traderID, p.Kind, p.Chain, p.Address, p.IBAN, s.restorable()).Order("id DESC").Limit(1).Find(&old).Error
	switch {
	case err != nil:
		return fmt.Errorf("look for a removed payee: %w", err)
	case old.ID != 0:
		return ErrRemoved.With("label", old.Label)
	}
	return nil
}

// Prefer sets the bank account that a withdrawal proposes. Refusals: ErrOff, ErrMock, ErrUnknown.
func (s *Service) Prefer(ctx context.Context, o ledger.Owner, id int64) (p Payee, err error) {
	if err := s.admit(ctx, o); err != nil {
		return p, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		_, living, err := lockTx(tx, o.TraderID)
		if err != nil {
			return err
		}
		var others []Payee
		if p, others, err = pick(living, AtBank, id); err != nil || p.Preferred {
			return err
		}
		for _, other := range others {
			if !other.Preferred {
				continue
			}
			if err := moveTx(tx, &other, map[string]any{"preferred": false}); err != nil {
				return err
			}
		}
		return s.changeTx(ctx, tx, o, &p, "payee.prefer", map[string]any{"preferred": true})
	})
	return p, err
}

// proven runs act once per key, after the trader has proved their identity.
func proven[T any](ctx context.Context, s *Service, o ledger.Owner, proof trader.Proof, r idempotency.Request, act func(*db.Tx) (T, error)) (idempotency.Result[T], error) {
	if err := s.admit(ctx, o); err != nil {
		return idempotency.Result[T]{}, err
	}
	return idempotency.DoProven(ctx, s.db, r, func(ctx context.Context) error { return s.prover.Prove(ctx, o.TraderID, proof) }, act)
}

// admit allows only real accounts, and only while the module is on.
func (s *Service) admit(ctx context.Context, o ledger.Owner) error {
	if !s.switches.On(switches.AddressKey) {
		return ErrOff
	}
	account, err := ledger.Find(ctx, s.db.Pool, o.TraderID, o.AccountID)
	if err != nil {
		return err
	}
	if account.Mock() {
		return ErrMock
	}
	return nil
}

// lockTx serialises the caller with every other write to a trader's payees or settings, and reads the settings and the current payees.
func lockTx(tx *db.Tx, traderID int64) (settings Settings, living []Payee, err error) {
	if settings, err = lockSettingsTx(tx, traderID); err != nil {
		return settings, nil, err
	}
	return settings, living, tx.Rows.Where("trader_id = ? AND removed_at IS NULL", traderID).Order("id DESC").Find(&living).Error
}

// lockOpenTx is lockTx for saving a new payee. It returns ErrOnlySaved.
func (s *Service) lockOpenTx(tx *db.Tx, traderID int64) (living []Payee, err error) {
	settings, living, err := lockTx(tx, traderID)
	if err != nil {
		return nil, err
	}
	return living, settings.open(s.clock.Now())
}

// pick returns a current payee of a kind, and the others. It returns ErrUnknown.
func pick(living []Payee, kind Kind, id int64) (p Payee, others []Payee, err error) {
	for _, one := range living {
		if one.ID == id && one.Kind == kind {
			p = one
			continue
		}
		others = append(others, one)
	}
	if p.ID == 0 {
		return p, nil, ErrUnknown
	}
	return p, others, nil
}

// roomTx checks whether a payee may be added to the current ones. It returns ErrExists, ErrTooMany and ErrHouse.
func (s *Service) roomTx(ctx context.Context, tx *db.Tx, living []Payee, p Payee) error {
	for _, other := range living {
		if other.Kind == p.Kind && other.Chain == p.Chain && other.Address == p.Address && other.IBAN == p.IBAN {
			return ErrExists.With("label", other.Label)
		}
	}
	if len(living) >= MaxLiving {
		return ErrTooMany.With("limit", MaxLiving)
	}
	return s.refuseHouse(ctx, tx.Conn, p)
}

// addTx adds a payee to the current ones, with the holder's name for a bank account.
func (s *Service) addTx(ctx context.Context, tx *db.Tx, o ledger.Owner, living []Payee, p Payee, holder string) (Payee, error) {
	if err := s.roomTx(ctx, tx, living, p); err != nil {
		return Payee{}, err
	}
	now := s.clock.Now()
	p.TraderID, p.CreatedAt, p.UsableFrom, p.Version = o.TraderID, now, now.Add(Cooldown), 1
	if err := s.sealTx(ctx, tx, &p, holder); err != nil {
		return Payee{}, err
	}
	if err := tx.Rows.Create(&p).Error; err != nil {
		return Payee{}, fmt.Errorf("write a payee: %w", err)
	}
	if err := s.words.AddTx(ctx, tx, p.TraderID, p.ID, holder); err != nil {
		return Payee{}, err
	}
	if err := audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "payee.add", "payee", p.ID)); err != nil {
		return Payee{}, err
	}
	return p, s.messenger.SendTx(ctx, tx, trader.Message{TraderID: o.TraderID, Category: trader.SecurityMessages, Key: "message.payee_added", Words: p.named})
}

// refuseHouse refuses the house's own accounts and addresses for deposits: nobody would own a payout to one of them.
func (s *Service) refuseHouse(ctx context.Context, q db.Querier, p Payee) (err error) {
	var ours bool
	if p.Kind == OnChain {
		ours, err = s.house.IsHouseAddress(ctx, q, p.Chain, p.Address)
	} else {
		ours, err = s.house.IsHouseAccount(ctx, q, p.IBAN)
	}
	if err == nil && ours {
		err = ErrHouse
	}
	return err
}

// retireTx removes a payee.
func (s *Service) retireTx(ctx context.Context, tx *db.Tx, o ledger.Owner, p *Payee) error {
	now := s.clock.Now()
	if err := moveTx(tx, p, map[string]any{"removed_at": now, "preferred": false}); err != nil {
		return err
	}
	if err := audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "payee.remove", "payee", p.ID)); err != nil {
		return err
	}
	return s.messenger.SendTx(ctx, tx, trader.Message{TraderID: o.TraderID, Category: trader.SecurityMessages, Key: "message.payee_removed", Words: p.named})
}

// changeTx changes a payee's label or preference; its destination stays.
func (s *Service) changeTx(ctx context.Context, tx *db.Tx, o ledger.Owner, p *Payee, action string, columns map[string]any) error {
	if err := moveTx(tx, p, columns); err != nil {
		return err
	}
	if err := audit.RecordTx(ctx, tx, audit.By(o.Actor(), s.clock.Now(), action, "payee", p.ID)); err != nil {
		return err
	}
	return s.messenger.SendTx(ctx, tx, trader.Message{TraderID: o.TraderID, Category: trader.SecurityMessages, Key: "message.payee_changed", Words: p.named})
}

// moveTx writes changed columns of a payee if the row still has the version that was read, raises it, and reads the row back.
func moveTx(tx *db.Tx, p *Payee, columns map[string]any) error {
	columns["version"] = p.Version + 1
	result := tx.Rows.Model(&Payee{}).Where("id = ? AND version = ?", p.ID, p.Version).Updates(columns)
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("move payee %d: %w", p.ID, err)
	}
	var moved Payee
	if err := tx.Rows.Where("id = ?", p.ID).First(&moved).Error; err != nil {
		return fmt.Errorf("read payee %d back: %w", p.ID, err)
	}
	*p = moved
	return nil
}

// named returns the arguments of a message about the payee.
func (p Payee) named(func(string) string) map[string]any { return map[string]any{"payee": p.short()} }

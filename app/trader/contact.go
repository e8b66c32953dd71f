package trader

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// contactLockLife is the length of a withdrawal lock after a change of contact: codes go to another place from then on.
const contactLockLife = 72 * time.Hour

// Refusals of contacts.
var (
	ErrContact      = errs.New(errs.Refused, "contact.not_possible") // without revealing whether it is another trader's
	ErrContactCode  = errs.New(errs.Refused, "contact.code_wrong")   // the code that was sent to it is wrong, expired or used up
	ErrContactFirst = errs.New(errs.Refused, "contact.first")        // a contact must be bound before
)

// ContactChange is a trader's request to bind a contact, or to replace the one of its kind: the new contact with the code that was sent to it, and a proof. Wallet
// is the text of NewWalletConfirmation, for the first contact.
type ContactChange struct {
	Contact, Code string
	Proof         SecurityProof
	Wallet        *SignedText
}

// Limits of the codes that go to new contacts, which may be strangers'.
const (
	contactCodesAnHour   = 5  // per trader, over all contacts
	contactCodesADay     = 10 // per trader, over all contacts
	contactCodesAnywhere = 10 // a day per contact, of all traders together
)

// SendContactCode sends a code to a new contact. A contact that is another trader's gets a notice instead, and the response is the same. Refusals: ErrGuest, the
// field, ErrPhone, session.ErrThrottle, the throttles of codes.
func (s *Service) SendContactCode(ctx context.Context, p session.Principal, contact, ip string) error {
	if p.Guest() {
		return ErrGuest
	}
	a, err := s.reachable(contact)
	if err != nil {
		return err
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return err
	}
	if t.has(a) {
		return errs.Field("account", "field.contact_same")
	}
	to := recipient{address: a, language: t.Language}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.countContactCodeTx(ctx, tx, t, a); err != nil {
			return err
		}
		if err := s.countTextTx(ctx, tx, a, session.Stranger(ip)); err != nil {
			return err
		}
		code, err := s.sessions.IssueCodeTx(ctx, tx, contactCode(t, a), session.Owner(ip))
		if err != nil {
			return err
		}
		_, known, err := find(tx.Rows, a)
		if err != nil {
			return fmt.Errorf("find a trader: %w", err)
		}
		if known {
			m := s.message(to, "message.contact_known", nil)
			m.LowPriority = true
			return s.outbox.SendTx(ctx, tx, m)
		}
		return s.sendCodeTx(ctx, tx, session.Stranger(ip), to, "message.contact_code", code, nil) // to a contact that nobody has confirmed yet
	})
}

// countContactCodeTx counts a code for a new contact. All traders share a contact's day, but a trader's first code of the day always passes: strangers can't block
// its owner. A refused request doesn't count. Refusals: session.ErrThrottle, session.ErrCodeCap.
func (s *Service) countContactCodeTx(ctx context.Context, tx *db.Tx, t Trader, a address) error {
	const (
		day  = 24 * time.Hour
		hour = "contact_codes_hour"
	)
	id := fmt.Sprint(t.ID)
	hourly, err := s.sessions.CountTx(ctx, tx, hour, id, time.Hour)
	if err != nil {
		return err
	}
	daily, err := s.sessions.CountTx(ctx, tx, "contact_codes_day", id, day)
	if err != nil {
		return err
	}
	own, err := s.sessions.CountTx(ctx, tx, "contact_codes_own", id+" "+a.text, day)
	if err != nil {
		return err
	}
	anywhere, err := s.sessions.CountTx(ctx, tx, "contact_codes", a.text, day)
	switch {
	case err != nil:
		return err
	case daily > contactCodesADay, anywhere > contactCodesAnywhere && own > 1:
		return session.ErrCodeCap
	case hourly > contactCodesAnHour:
		return s.sessions.ThrottledTx(ctx, tx, hour, id, time.Hour)
	}
	return nil
}

// contactCode is bound to the trader who asked: the code proves the contact for nobody else, and others' requests don't affect it.
func contactCode(t Trader, a address) session.CodeFor {
	return session.ContactCode.To(a.text).With(fmt.Sprint(t.ID)).Of(t.ID)
}

func (t Trader) has(a address) bool {
	for _, own := range t.contacts() {
		if own.address == a {
			return true
		}
	}
	return false
}

// contact is the trader's contact of an address's kind.
func (t *Trader) contact(a address) **string {
	if a.phone {
		return &t.Phone
	}
	return &t.Email
}

// ChangeContact binds a contact, or replaces the one of its kind. It locks withdrawals for 72 hours, and tells the old contacts and the new one. The linked
// wallet confirms the first contact, whose password is the new log-in password. Refusals: ErrGuest, the field, those of a proof, those of checkWallet,
// ErrContactCode, ErrContact.
func (s *Service) ChangeContact(ctx context.Context, p session.Principal, c ContactChange) error {
	a, err := s.reachable(c.Contact)
	if err != nil {
		return err
	}
	switch t, err := s.Trader(ctx, p.TraderID); {
	case err != nil:
		return err
	case t.contactless() && !t.Guest():
		return s.bindFirstContact(ctx, t, a, c)
	}
	return s.secured(ctx, p, ChangeContact, c.Proof, func(t Trader) (int64, error) {
		id, err := s.tryCode(ctx, t, contactCode(t, a), session.Owner(c.Proof.From.IP), c.Code, c.Proof.From)
		if errors.Is(err, session.ErrCode) {
			err = fmt.Errorf("%w: %w", ErrContactCode, err)
		}
		return id, err
	}, func(tx *db.Tx, t Trader) error {
		return s.contactChangedTx(ctx, tx, t, a, LockContactChange, c.Proof.From)
	})
}

// bindFirstContact binds the first contact of a trader whose only way in is a wallet, which confirms it: a session alone is not the owner. The password becomes
// the log-in password, and from then on the account is guarded like any other. Refusals: the fields, those of checkWallet, session.ErrCode, ErrContact.
func (s *Service) bindFirstContact(ctx context.Context, t Trader, a address, c ContactChange) error {
	if err := CheckPassword(c.Proof.Password); err != nil {
		return err
	}
	if err := s.checkWallet(ctx, t, firstContactAct(t, a), c.Wallet); err != nil {
		return err
	}
	codeID, err := s.tryCode(ctx, t, contactCode(t, a), session.Owner(c.Proof.From.IP), c.Code, c.Proof.From)
	if err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, Account(t.ID), c.Proof.Password)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.sessions.UseWalletTextTx(ctx, tx, c.Wallet.ID); err != nil {
			return err
		}
		if err := s.sessions.UseCodeTx(ctx, tx, codeID); err != nil {
			return err
		}
		t.PasswordHash = hash
		return s.contactChangedTx(ctx, tx, t, a, LockContactChange, c.Proof.From)
	})
}

// contactChangedTx sets a contact, locks withdrawals for 72 hours for a reason, and tells the old contacts and the new one.
func (s *Service) contactChangedTx(ctx context.Context, tx *db.Tx, t Trader, a address, reason string, from audit.Actor) error {
	before := t.contacts()
	if err := moveContactTx(tx, &t, a); err != nil {
		return err
	}
	if err := s.LockWithdrawalsTx(ctx, tx, t.ID, reason, contactLockLife); err != nil {
		return err
	}
	for _, to := range append(before, t.recipientAt(a)) {
		if err := s.sendTx(ctx, tx, to, "message.contact_changed", map[string]any{"contact": Mask(a.text)}); err != nil {
			return err
		}
	}
	entry := audit.By(t.Acting(from), s.clock.Now(), "trader.change_contact", "trader", t.ID)
	entry.After = facts{"contact": Mask(a.text)}.json()
	return audit.RecordTx(ctx, tx, entry)
}

// moveContactTx sets a contact where the one that was read still stands. The name follows, where it was the contact or the wallet; the first contact brings the
// password.
func moveContactTx(tx *db.Tx, t *Trader, a address) error {
	column, field := "email", t.contact(a)
	if a.phone {
		column = "phone"
	}
	before := *field
	columns := map[string]any{column: a.text}
	stands := tx.Rows.Model(&Trader{}).Where("id = ? AND "+column+" IS NOT DISTINCT FROM ?", t.ID, before)
	if t.contactless() {
		columns["password_hash"] = t.PasswordHash
		stands = stands.Where("password_hash IS NULL")
	}
	if t.contactless() || before != nil && t.Name == *before {
		columns["name"], t.Name = a.text, a.text
	}
	result := stands.Updates(columns)
	if errors.Is(result.Error, gorm.ErrDuplicatedKey) {
		return ErrContact
	}
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("change a contact of trader %d: %w", t.ID, err)
	}
	*field = &a.text
	return nil
}

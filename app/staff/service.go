package staff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/mail"
	"candor/app/platform/vault"
	"candor/app/session"
	"candor/app/staff/member"
	"candor/app/trader"
)

// Texts formats the messages to staff.
type Texts interface {
	T(lang, key string, args map[string]any) string
}

// Config configures the service.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Hasher    *trader.Hasher
	Sessions  *session.Service // counts tries
	Factors   *factor.Service  // keeps passkeys and recovery codes
	Outbox    *mail.Outbox
	Vault     *vault.Vault // seals the authenticators' secrets
	Texts     Texts
	Address   string // links in messages begin with it; it comes from the configuration and never from a request
	Approvals *approval.Engine
}

// Service is the package's entry point.
type Service struct {
	db       *db.DB
	clock    clock.Clock
	hasher   *trader.Hasher
	throttle *session.Service
	factors  *factor.Service
	outbox   *mail.Outbox
	keys     *vault.Vault
	texts    Texts
	address  string
	requests *approval.Service // of roles
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, clock: c.Clock, hasher: c.Hasher, throttle: c.Sessions, factors: c.Factors, outbox: c.Outbox, keys: c.Vault, texts: c.Texts, address: c.Address,
	}
	s.declare(c.Approvals)
	return s
}

// Person reads one member of staff with their roles. It returns ErrUnknown.
func (s *Service) Person(ctx context.Context, id int64) (Person, error) {
	return person(s.db.Rows(ctx), id)
}

// Signed returns the person of a session. It returns ErrSignedOut when the session has ended.
func (s *Service) Signed(ctx context.Context, id int64, epoch int) (Person, error) {
	p, err := person(s.db.Rows(ctx), id)
	if errors.Is(err, ErrUnknown) || err == nil && (!p.Ready() || p.SessionEpoch != epoch) {
		return Person{}, ErrSignedOut
	}
	return p, err
}

// Names returns people's names by id; unknown ids are absent.
func (s *Service) Names(ctx context.Context, ids []int64) (map[int64]string, error) {
	return member.Names(ctx, s.db.Pool, ids...)
}

// CheckInvitation checks an invitation before its step-up, so that a refused one uses up no code. Refusals: fields, ErrTaken.
func (s *Service) CheckInvitation(ctx context.Context, email, name string) error {
	email, err := checkEmail(email)
	if err != nil {
		return err
	}
	if _, err := checkName(name); err != nil {
		return err
	}
	p, err := byEmail(s.db.Rows(ctx), email)
	if err == nil && p.ID != 0 {
		err = ErrTaken
	}
	return err
}

// CheckPhone checks a typed telephone number before its step-up. Refusal: the field.
func CheckPhone(typed string) error {
	_, err := checkPhone(typed)
	return err
}

// Invite adds a person and sends an invitation link, valid once and for 24 hours. Refusals: fields, ErrTaken.
func (s *Service) Invite(ctx context.Context, actor audit.Actor, email, name string) (Person, error) {
	email, err := checkEmail(email)
	if err != nil {
		return Person{}, err
	}
	if name, err = checkName(name); err != nil {
		return Person{}, err
	}
	p := Person{Email: email, Name: name, State: Invited, SessionEpoch: 1, Version: 1, CreatedAt: s.clock.Now()}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		p.ID = 0
		switch err := tx.Rows.Create(&p).Error; {
		case errors.Is(err, gorm.ErrDuplicatedKey):
			return ErrTaken
		case err != nil:
			return fmt.Errorf("add a person: %w", err)
		}
		if err := s.sendLinkTx(ctx, tx, inviteLink, p); err != nil {
			return err
		}
		if err := s.announceTx(ctx, tx, actor, p, "staff.invite", ""); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, actor, "staff.invite", p.ID, nil, facts{"email": p.Email, "name": p.Name})
	})
	return p, err
}

// InviteAgain replaces the link of an invited person. Refusals: ErrUnknown, ErrState, db.ErrChanged.
func (s *Service) InviteAgain(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.invite_again", func(ctx context.Context, tx *db.Tx, p *Person) error {
		if p.State != Invited {
			return ErrState
		}
		return s.sendLinkTx(ctx, tx, inviteLink, *p)
	})
}

// Disable blocks a person at once, ends their sessions and removes their passkeys and recovery codes. Refusals: ErrUnknown, ErrSelf, ErrState, ErrLastAdmin, db.ErrChanged.
func (s *Service) Disable(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.disable", func(ctx context.Context, tx *db.Tx, p *Person) error {
		if p.State == Disabled {
			return ErrState
		}
		if err := s.loseAdminTx(ctx, tx, actor, *p); err != nil {
			return err
		}
		p.State, p.SessionEpoch = Disabled, p.SessionEpoch+1
		if err := s.removeFactorsTx(ctx, tx, p.ID); err != nil {
			return err
		}
		return s.voidLinksTx(tx, p.ID)
	})
}

// Enable unblocks a person; earlier sessions stay ended. Refusals: ErrUnknown, ErrSelf, ErrState, db.ErrChanged.
func (s *Service) Enable(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.enable", func(_ context.Context, _ *db.Tx, p *Person) error {
		if p.State != Disabled {
			return ErrState
		}
		p.State = Active
		if p.PasswordHash == "" {
			p.State = Invited
		}
		return nil
	})
}

// ResetAuthenticator removes the authenticator, the passkeys and the recovery codes, ends the sessions and sends a link to set up a new authenticator, which
// also requires the password. Refusals: ErrUnknown, ErrSelf, ErrState, db.ErrChanged.
func (s *Service) ResetAuthenticator(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.reset_authenticator", func(ctx context.Context, tx *db.Tx, p *Person) error {
		if p.State != Active {
			return ErrState
		}
		p.removeAuthenticator()
		p.SessionEpoch++
		if err := s.removeFactorsTx(ctx, tx, p.ID); err != nil {
			return err
		}
		return s.sendLinkTx(ctx, tx, totpLink, *p)
	})
}

// ResetAccess resets a person who forgot the password: it removes the password, second factors, sessions and roles, and sends an invitation. The roles are
// removed so that no single administrator can pass a colleague's permissions to a reader of the mailbox. Refusals: ErrUnknown, ErrSelf, ErrState,
// ErrLastAdmin, db.ErrChanged.
func (s *Service) ResetAccess(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.start_afresh", func(ctx context.Context, tx *db.Tx, p *Person) error {
		if p.State != Active {
			return ErrState
		}
		if err := s.loseAdminTx(ctx, tx, actor, *p); err != nil {
			return err
		}
		if err := tx.Rows.Where("staff_id = ?", id).Delete(&staffRole{}).Error; err != nil {
			return fmt.Errorf("take the roles away: %w", err)
		}
		p.removeAuthenticator()
		p.State, p.PasswordHash, p.Roles, p.SessionEpoch = Invited, "", nil, p.SessionEpoch+1
		if err := s.removeFactorsTx(ctx, tx, p.ID); err != nil {
			return err
		}
		return s.sendLinkTx(ctx, tx, inviteLink, *p)
	})
}

// SetPhone sets or clears a person's telephone number: a trader account with the number is a conflict of interest. Refusals: fields, ErrUnknown, ErrSelf,
// db.ErrChanged.
func (s *Service) SetPhone(ctx context.Context, actor audit.Actor, id int64, version int, phone string) error {
	number, err := checkPhone(phone)
	if err != nil {
		return err
	}
	return s.changeTx(ctx, actor, id, version, "staff.set_phone", func(_ context.Context, _ *db.Tx, p *Person) error {
		p.Phone = nil
		if number != "" {
			p.Phone = &number
		}
		return nil
	})
}

// SetLanguage sets the language of the member's own pages.
func (s *Service) SetLanguage(ctx context.Context, actor audit.Actor, language string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err := lockTx(ctx, tx, actor.ID)
		if err != nil {
			return err
		}
		if err := db.MustAffect(tx.Rows.Model(&Person{}).Where("id = ?", actor.ID).Update("language", language)); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, actor, "staff.set_language", actor.ID, facts{"language": p.Language}, facts{"language": language})
	})
}

// changeTx locks a person, applies change, and stores the result with an audit entry; the super admins and the person are told.
func (s *Service) changeTx(ctx context.Context, actor audit.Actor, id int64, version int, action string, change func(context.Context, *db.Tx, *Person) error) error {
	if actor.ID == id {
		return ErrSelf
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err := lockTx(ctx, tx, id)
		if err != nil {
			return err
		}
		if p.Version != version {
			return db.ErrChanged
		}
		before := p
		if err := change(ctx, tx, &p); err != nil {
			return err
		}
		err = db.MustAffect(tx.Rows.Model(&Person{}).Where("id = ? AND version = ?", id, version).Updates(map[string]any{
			"state": p.State, "session_epoch": p.SessionEpoch, "phone": p.Phone, "password_hash": p.PasswordHash, "totp_key": p.TOTPKey, "totp_sealed": p.TOTPSealed, "version": version + 1,
		}))
		if err != nil {
			return err
		}
		if err := s.announceTx(ctx, tx, actor, before, action, ""); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, actor, action, id, before.facts(), p.facts())
	})
}

// facts are the details of an audit entry.
type facts map[string]any

func (p Person) facts() facts {
	out := facts{"state": p.State, "authenticator": p.HasAuthenticator(), "session_epoch": p.SessionEpoch, "roles": p.Roles}
	if p.Phone != nil {
		out["phone"] = trader.Mask(*p.Phone)
	}
	return out
}

func (f facts) json() string {
	if len(f) == 0 {
		return ""
	}
	raw, err := json.Marshal(f)
	if err != nil {
		panic(err) // can't fail: only strings, numbers and booleans
	}
	return string(raw)
}

func (s *Service) recordTx(ctx context.Context, tx *db.Tx, actor audit.Actor, action string, id int64, before, after facts) error {
	entry := audit.By(actor, s.clock.Now(), action, "staff", id)
	entry.Before, entry.After = before.json(), after.json()
	return audit.RecordTx(ctx, tx, entry)
}

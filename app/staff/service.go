package staff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/mail"
	"candor/app/platform/vault"
	"candor/app/session"
	"candor/app/trader"
)

// Texts writes the messages that staff get.
type Texts interface {
	T(lang, key string, args map[string]any) string
}

// Service is what the doors call.
type Service struct {
	db       *db.DB
	clock    clock.Clock
	hasher   *trader.Hasher
	throttle *session.Service
	outbox   *mail.Outbox
	keys     *vault.Vault
	texts    Texts
	address  string
}

// New makes the service; the vault seals the secrets of authenticators, and links in messages begin with address, which comes from the configuration and never from a request.
func New(d *db.DB, c clock.Clock, h *trader.Hasher, throttle *session.Service, o *mail.Outbox, keys *vault.Vault, t Texts, address string) *Service {
	return &Service{db: d, clock: c, hasher: h, throttle: throttle, outbox: o, keys: keys, texts: t, address: address}
}

// Person reads one member of staff with their roles. It returns ErrUnknown.
func (s *Service) Person(ctx context.Context, id int64) (Person, error) {
	return person(s.db.Rows(ctx), id)
}

// Signed is the person of a session. It returns ErrSignedOut when the session is older than what ended it.
func (s *Service) Signed(ctx context.Context, id int64, epoch int) (Person, error) {
	p, err := person(s.db.Rows(ctx), id)
	if errors.Is(err, ErrUnknown) || err == nil && (!p.Ready() || p.SessionEpoch != epoch) {
		return Person{}, ErrSignedOut
	}
	return p, err
}

// List reads people in the order of their ids, after a keyset cursor (zero for the start), at most limit.
func (s *Service) List(ctx context.Context, after int64, limit int) (list []Person, err error) {
	rows := s.db.Rows(ctx)
	if err = rows.Where("id > ?", after).Order("id").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list staff: %w", err)
	}
	ids := make([]int64, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	roles, err := rolesOf(s.db.Rows(ctx), ids...)
	for i := range list {
		list[i].Roles = roles[list[i].ID]
	}
	return list, err
}

// Names are the names of people by id; unknown ids have none.
func (s *Service) Names(ctx context.Context, ids []int64) (map[int64]string, error) {
	var list []Person
	if err := s.db.Rows(ctx).Select("id", "name").Where("id IN ?", ids).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read names: %w", err)
	}
	names := make(map[int64]string, len(list))
	for _, p := range list {
		names[p.ID] = p.Name
	}
	return names, nil
}

// Invite adds a person and sends the link to come in, which works once and for 24 hours. Refusals: fields, ErrTaken.
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
		return s.recordTx(ctx, tx, actor, "staff.invite", p.ID, nil, facts{"email": p.Email, "name": p.Name})
	})
	return p, err
}

// InviteAgain replaces the link of somebody who has not come yet. Refusals: ErrUnknown, ErrState, db.ErrChanged.
func (s *Service) InviteAgain(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.invite_again", func(ctx context.Context, tx *db.Tx, p *Person) error {
		if p.State != Invited {
			return ErrState
		}
		return s.sendLinkTx(ctx, tx, inviteLink, *p)
	})
}

// Disable shuts a person out at once, sessions included. Refusals: ErrUnknown, ErrSelf, ErrState, ErrLastAdmin, db.ErrChanged.
func (s *Service) Disable(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.disable", func(ctx context.Context, tx *db.Tx, p *Person) error {
		if p.State == Disabled {
			return ErrState
		}
		if err := lastAdminTx(tx, *p); err != nil {
			return err
		}
		p.State, p.SessionEpoch = Disabled, p.SessionEpoch+1
		return s.voidLinksTx(ctx, tx, p.ID)
	})
}

// Enable lets a person in again; sessions of before stay dead. Refusals: ErrUnknown, ErrSelf, ErrState, db.ErrChanged.
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

// ResetAuthenticator takes the authenticator away, ends the sessions and sends a link to set up a new one, for which the password is asked too.
// Refusals: ErrUnknown, ErrSelf, ErrState, db.ErrChanged.
func (s *Service) ResetAuthenticator(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.reset_authenticator", func(ctx context.Context, tx *db.Tx, p *Person) error {
		if p.State != Active {
			return ErrState
		}
		p.removeAuthenticator()
		p.SessionEpoch++
		return s.sendLinkTx(ctx, tx, totpLink, *p)
	})
}

// StartAfresh is for somebody who forgot the password: password, authenticator, sessions and roles are gone, and an invitation is sent.
// The roles go too, so that no single administrator can hand a colleague's powers to whoever reads the mail.
// Refusals: ErrUnknown, ErrSelf, ErrState, ErrLastAdmin, db.ErrChanged.
func (s *Service) StartAfresh(ctx context.Context, actor audit.Actor, id int64, version int) error {
	return s.changeTx(ctx, actor, id, version, "staff.start_afresh", func(ctx context.Context, tx *db.Tx, p *Person) error {
		if p.State != Active {
			return ErrState
		}
		if err := lastAdminTx(tx, *p); err != nil {
			return err
		}
		if _, err := tx.Conn.Exec(ctx, `DELETE FROM staff_roles WHERE staff_id = $1`, id); err != nil {
			return fmt.Errorf("take the roles away: %w", err)
		}
		p.removeAuthenticator()
		p.State, p.PasswordHash, p.Roles, p.SessionEpoch = Invited, "", nil, p.SessionEpoch+1
		return s.sendLinkTx(ctx, tx, inviteLink, *p)
	})
}

// SetPhone notes the telephone number of a person, or that none is known: a trader account with the number is their own.
// Refusals: fields, ErrUnknown, ErrSelf, db.ErrChanged.
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

// changeTx locks a person, lets change set new values, and stores them with an entry in the log.
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
		return s.recordTx(ctx, tx, actor, action, id, before.facts(), p.facts())
	})
}

// facts is what an entry of the log tells of a thing.
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
		panic(err) // only words, numbers and truths go in
	}
	return string(raw)
}

func (s *Service) recordTx(ctx context.Context, tx *db.Tx, actor audit.Actor, action string, id int64, before, after facts) error {
	entry := audit.By(actor, s.clock.Now(), action, "staff", id)
	entry.Before, entry.After = before.json(), after.json()
	return audit.RecordTx(ctx, tx, entry)
}

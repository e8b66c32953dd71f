package staff

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/trader"
)

// Purpose is the purpose of a one-time link.
type Purpose string

const (
	firstLink  Purpose = "first"
	inviteLink Purpose = "invite"
	totpLink   Purpose = "totp"
)

// Lifetimes of links.
const (
	FirstLinkLife    = 15 * time.Minute
	RecoveryLinkLife = 15 * time.Minute // opened at once, by the browser that entered the recovery code
	LinkLife         = 24 * time.Hour
)

// paths are the links' paths by purpose.
var paths = map[Purpose]string{firstLink: "/admin/first/", inviteLink: "/admin/invitation/", totpLink: "/admin/authenticator/"}

func linkHash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// FirstLink makes the first administrator's link and voids an older one. ok is false once the installation has staff.
func (s *Service) FirstLink(ctx context.Context) (token string, ok bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if ok, err = emptyTx(ctx, tx); err != nil || !ok {
			return err
		}
		if err := tx.Rows.Model(&Link{}).Where("purpose = 'first' AND used_at IS NULL").Update("used_at", s.clock.Now()).Error; err != nil {
			return fmt.Errorf("void the former link: %w", err)
		}
		if token, err = s.makeLinkTx(tx, firstLink, nil, FirstLinkLife); err != nil {
			return err
		}
		system := audit.Actor{Kind: audit.System, Name: "candor"}
		return s.recordTx(ctx, tx, system, "staff.first_link", 0, nil, nil)
	})
	if err != nil || !ok {
		return "", false, err
	}
	return token, true, nil
}

// FirstPath is the path of the first administrator's link.
func FirstPath(token string) string { return paths[firstLink] + token }

// LinkPath is the path of a purpose's links without the token.
func LinkPath(p Purpose) string { return paths[p] }

func emptyTx(ctx context.Context, tx *db.Tx) (empty bool, err error) {
	if err := lockStaffTx(ctx, tx); err != nil {
		return false, err
	}
	err = tx.Conn.QueryRow(ctx, `SELECT NOT EXISTS (SELECT 1 FROM staff)`).Scan(&empty)
	return empty, err
}

func (s *Service) makeLinkTx(tx *db.Tx, purpose Purpose, staffID *int64, life time.Duration) (token string, err error) {
	token = rand.Text()
	if err := tx.Rows.Create(&Link{Purpose: purpose, StaffID: staffID, Hash: linkHash(token), ExpiresAt: s.clock.Now().Add(life)}).Error; err != nil {
		return "", fmt.Errorf("make a link: %w", err)
	}
	return token, nil
}

// sendLinkTx replaces a person's links with a new one and sends it.
func (s *Service) sendLinkTx(ctx context.Context, tx *db.Tx, purpose Purpose, p Person) error {
	if err := s.voidLinksTx(tx, p.ID); err != nil {
		return err
	}
	token, err := s.makeLinkTx(tx, purpose, &p.ID, LinkLife)
	if err != nil {
		return err
	}
	return s.messageTx(ctx, tx, "staff_"+string(purpose), p.recipient(), map[string]any{"name": p.Name, "link": s.address + paths[purpose] + token}, LinkLife)
}

func (s *Service) voidLinksTx(tx *db.Tx, staffID int64) error {
	if err := tx.Rows.Model(&Link{}).Where("staff_id = ? AND used_at IS NULL", staffID).Update("used_at", s.clock.Now()).Error; err != nil {
		return fmt.Errorf("void links: %w", err)
	}
	return nil
}

// Link is a one-time link. The first administrator's has no person.
type Link struct {
	ID        int64
	Purpose   Purpose
	StaffID   *int64
	Hash      []byte
	ExpiresAt time.Time
	UsedAt    *time.Time
	Person    Person `gorm:"-"`
}

// TableName is GORM's name of the table.
func (Link) TableName() string { return "staff_links" }

// Asks reports what the person of a link must enter: name and e-mail, and a new password or else the current one.
func (l Link) Asks() (name, newPassword bool) { return l.Purpose == firstLink, l.Purpose != totpLink }

// Link reads a link without using it. It returns ErrLink.
func (s *Service) Link(ctx context.Context, token string) (l Link, err error) {
	err = s.db.Rows(ctx).Where("hash = ? AND used_at IS NULL AND expires_at > ?", linkHash(token), s.clock.Now()).Limit(1).Find(&l).Error
	switch {
	case err != nil:
		return l, fmt.Errorf("read a link: %w", err)
	case l.ID == 0:
		return l, ErrLink
	case l.StaffID == nil:
		return l, nil
	}
	l.Person, err = s.Person(ctx, *l.StaffID)
	if err == nil && !l.usable() {
		return Link{}, ErrLink
	}
	return l, err
}

func (l Link) usable() bool {
	switch l.Purpose {
	case inviteLink:
		return l.Person.State == Invited
	case totpLink: // after a recovery code the old authenticator works until the new one does
		return l.Person.State == Active
	default:
		return true
	}
}

// Entry is the form of a person with a link.
type Entry struct {
	Email, Name string // the first administrator only
	Password    string
	IP          string
}

// Enrolment is a person who has entered a password and not yet a code. The back office keeps it on the server until then.
type Enrolment struct {
	Token        string
	Email        string
	Name         string
	PasswordHash string // empty keeps the old one
	Secret       string
}

// Begin is the first step of a link: it checks the form and makes the authenticator's secret. Nothing is stored. Refusals: ErrLink, fields, ErrSignIn for a
// wrong password, session.ErrThrottle.
func (s *Service) Begin(ctx context.Context, token string, e Entry) (Enrolment, error) {
	link, err := s.Link(ctx, token)
	if err != nil {
		return Enrolment{}, err
	}
	out := Enrolment{Token: token, Email: link.Person.Email, Name: link.Person.Name}
	if link.Purpose == firstLink {
		if out.Name, err = checkName(e.Name); err != nil {
			return out, err
		}
		if out.Email, err = checkEmail(e.Email); err != nil {
			return out, err
		}
	}
	if link.Purpose == totpLink {
		err = s.checkPassword(ctx, link.Person, e.Password, session.Attempt{Account: throttleName + out.Email, IP: e.IP, Proven: true, Staff: true}) // the link was sent to them
	} else if err = trader.CheckPassword(e.Password); err == nil {
		out.PasswordHash, err = s.hasher.Hash(ctx, trader.Invited(e.IP), e.Password)
	}
	if err != nil {
		return Enrolment{}, err
	}
	out.Secret = factor.NewSecret()
	return out, nil
}

// Finish is the second step: the code proves that the authenticator works, the link is used up and the person is active. Refusals: ErrCode, ErrLink.
func (s *Service) Finish(ctx context.Context, e Enrolment, code string, from audit.Actor) (p Person, err error) {
	step, ok := factor.MatchStep(e.Secret, code, s.clock.Now(), 0)
	if !ok {
		return p, ErrCode
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		link, err := s.useLinkTx(ctx, tx, e.Token)
		if err != nil {
			return err
		}
		if link.Purpose == firstLink {
			p, err = s.createFirstTx(ctx, tx, e, step)
		} else {
			p, err = s.equipTx(ctx, tx, link, e, step)
		}
		if err != nil {
			return err
		}
		return s.recordTx(ctx, tx, p.Acting(from), "staff.accept_"+string(link.Purpose), p.ID, nil, p.facts())
	})
	return p, err
}

// useLinkTx uses up a link; of two concurrent calls one gets ErrLink.
func (s *Service) useLinkTx(ctx context.Context, tx *db.Tx, token string) (l Link, err error) {
	if err := lockStaffTx(ctx, tx); err != nil {
		return l, err
	}
	now := s.clock.Now()
	err = tx.Rows.Model(&l).Clauses(clause.Returning{}).Where("hash = ? AND used_at IS NULL AND expires_at > ?", linkHash(token), now).Update("used_at", now).Error
	switch {
	case err != nil:
		return l, fmt.Errorf("use a link: %w", err)
	case l.ID == 0:
		return l, ErrLink
	}
	return l, nil
}

func (s *Service) createFirstTx(ctx context.Context, tx *db.Tx, e Enrolment, step int64) (Person, error) {
	empty, err := emptyTx(ctx, tx)
	if err != nil {
		return Person{}, err
	}
	if !empty {
		return Person{}, ErrLink
	}
	now := s.clock.Now()
	p := Person{
		Email: e.Email, Name: e.Name, PasswordHash: e.PasswordHash, TOTPStep: step,
		State: Active, SessionEpoch: 1, Version: 1, SignedInAt: &now, CreatedAt: now, Roles: []Role{SuperAdmin},
	}
	if err := tx.Rows.Create(&p).Error; err != nil {
		return p, fmt.Errorf("add the first person: %w", err)
	}
	if err := s.sealTx(ctx, tx, &p, e.Secret); err != nil {
		return p, err
	}
	if err := db.MustAffect(tx.Rows.Model(&Person{}).Where("id = ?", p.ID).Updates(map[string]any{"totp_key": p.TOTPKey, "totp_sealed": p.TOTPSealed})); err != nil {
		return p, err
	}
	return p, s.addRoleTx(tx, p.ID, SuperAdmin)
}

// equipTx gives an invited person a password and an authenticator, or an active one a new authenticator, which ends the passkeys and the sessions of the lost one.
func (s *Service) equipTx(ctx context.Context, tx *db.Tx, link Link, e Enrolment, step int64) (Person, error) {
	p, err := person(tx.Rows, *link.StaffID)
	if err != nil {
		return p, err
	}
	if link.Person = p; !link.usable() {
		return p, ErrLink
	}
	if e.PasswordHash != "" {
		p.PasswordHash = e.PasswordHash
	}
	if err := s.sealTx(ctx, tx, &p, e.Secret); err != nil {
		return p, err
	}
	p.State, p.TOTPStep = Active, step
	if link.Purpose == totpLink {
		p.SessionEpoch++
		if err := s.factors.RemovePasskeysTx(ctx, tx, factor.Staff(p.ID)); err != nil {
			return p, err
		}
	}
	err = db.MustAffect(tx.Rows.Model(&Person{}).Where("id = ? AND version = ?", p.ID, p.Version).Updates(map[string]any{
		"state": p.State, "password_hash": p.PasswordHash, "totp_key": p.TOTPKey, "totp_sealed": p.TOTPSealed, "totp_step": step,
		"session_epoch": p.SessionEpoch, "signed_in_at": s.clock.Now(), "version": p.Version + 1,
	}))
	p.Version++
	return p, err
}

package trader

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/ledger"
	"candor/app/platform/admission"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/ethereum"
	"candor/app/platform/mail"
	"candor/app/platform/personal"
	"candor/app/session"
	"candor/app/switches"
)

// Texts formats the messages to traders in their language.
type Texts interface {
	T(lang, key string, args map[string]any) string
	Languages() []string
}

// Service is the package's entry point.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	sessions  *session.Service
	factors   *factor.Service
	outbox    *mail.Outbox
	switches  *switches.Service
	hasher    *Hasher
	comparing *admission.Limiter // concurrent password checks of log-ins, by source
	texts     Texts
	changed   func(accountID int64)
	messenger *Messenger
	bornOn    func(ctx context.Context, traderID int64) (time.Time, error)
	positions Positions
	business  []Business        // what must have ended before an account closes
	sources   []personal.Source // what is erased then
	site      ethereum.Site
}

// Config is the service's configuration.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Sessions  *session.Service
	Factors   *factor.Service // nil: nobody has a second factor
	Outbox    *mail.Outbox
	Switches  *switches.Service
	Hasher    *Hasher
	Texts     Texts
	Messenger *Messenger                                                   // nil sends traders no messages
	BornOn    func(ctx context.Context, traderID int64) (time.Time, error) // a trader's verified date of birth, or the zero time; nil skips the check
	Positions Positions                                                    // nil where no mock account is topped up
	Site      ethereum.Site                                                // where wallets log in
	Changed   func(accountID int64)                                        // called after the commit for every account with changed balances
}

// Positions answers for a trader's open positions.
type Positions interface {
	// OpenTx reports whether an account has an open position.
	OpenTx(ctx context.Context, tx *db.Tx, accountID int64) (bool, error)
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, clock: c.Clock, sessions: c.Sessions, factors: c.Factors, outbox: c.Outbox, switches: c.Switches, hasher: c.Hasher, comparing: admission.New(comparisons), texts: c.Texts,
		messenger: c.Messenger, bornOn: c.BornOn, positions: c.Positions, changed: c.Changed, site: c.Site,
	}
	if s.sessions != nil {
		s.sessions.OnMoved(s.sessionMovedTx)
	}
	return s
}

// Opened is a new session.
type Opened struct {
	Token   string
	Trader  Trader
	Account ledger.Account
}

// SendRegisterCode sends a code to a new address after a solved challenge. A known address gets a notice instead, and the response is the same. Refusals: the
// field, ErrPhone, session.ErrVerify, session.ErrVerifyWrong, the throttles of codes.
func (s *Service) SendRegisterCode(ctx context.Context, account, language, solution, ip string) error {
	a, err := s.reachable(account)
	if err != nil {
		return err
	}
	if err := s.sessions.UseSolution(ctx, solution, ip); err != nil {
		return err
	}
	by := session.Stranger(ip)
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.countTextTx(ctx, tx, a, by); err != nil {
			return err
		}
		code, err := s.sessions.IssueCodeTx(ctx, tx, session.RegisterCode.To(a.text), by)
		if errors.Is(err, session.ErrCodeSent) {
			return nil
		}
		if err != nil {
			return err
		}
		_, known, err := find(tx.Rows, a)
		if err != nil {
			return err
		}
		if known {
			m := s.message(recipient{address: a, language: language}, "message.register_known", nil)
			m.LowPriority = true
			return s.outbox.SendTx(ctx, tx, m)
		}
		return s.sendCodeTx(ctx, tx, by, recipient{address: a, language: language}, "message.register_code", code, nil)
	})
}

func (s *Service) sendTx(ctx context.Context, tx *db.Tx, to recipient, key string, args map[string]any) error {
	return s.outbox.SendTx(ctx, tx, s.message(to, key, args))
}

// tellTx tells a trader what happened to the account: at the contact, or in the app without one.
func (s *Service) tellTx(ctx context.Context, tx *db.Tx, t Trader, key string, args map[string]any) error {
	if !t.contactless() {
		return s.sendTx(ctx, tx, t.recipient(), key, args)
	}
	return s.messenger.SendTx(ctx, tx, Message{
		TraderID: t.ID, Category: SecurityMessages, Key: key, Cause: fmt.Sprintf("security:%d", s.clock.Now().UnixNano()), AppOnly: true,
		Words: func(func(string) string) map[string]any { return args },
	})
}

// sendCodeTx sends a code. The message expires with the code; a stranger's has low priority. Refusal: ErrPhone.
func (s *Service) sendCodeTx(ctx context.Context, tx *db.Tx, by session.Requester, to recipient, key, code string, words map[string]any) error {
	if err := s.reaches(to.address); err != nil {
		return err
	}
	args := map[string]any{"code": code}
	maps.Copy(args, words)
	m := s.message(to, key, words) // the subject is stored in clear, so it never contains the code
	m.Body = to.phrased(s.texts, s.texts.T(to.language, key+".body", args))
	m.ExpiresAt, m.LowPriority = m.CreatedAt.Add(session.CodeLife), !by.Own
	return s.outbox.SendTx(ctx, tx, m)
}

func (s *Service) message(to recipient, key string, args map[string]any) mail.Message {
	return mail.Message{
		Kind: messageKind(key), Channel: to.channel(), Recipient: to.text, CreatedAt: s.clock.Now(),
		Subject: s.texts.T(to.language, key+".subject", args), Body: to.phrased(s.texts, s.texts.T(to.language, key+".body", args)),
	}
}

// messageKind is the outbox's kind of a message's text key.
func messageKind(key string) string { return strings.TrimPrefix(key, "message.") }

// reachable parses the address for a code. Refusals: the field, ErrPhone.
func (s *Service) reachable(account string) (address, error) {
	a, err := parseAddress(account)
	if err == nil {
		err = s.reaches(a)
	}
	return a, err
}

// reaches refuses an address that no sender serves, whether or not it has an account.
func (s *Service) reaches(a address) error {
	if a.phone && !s.outbox.Offers(mail.SMS) {
		return ErrPhone
	}
	return nil
}

// Registration is a new trader's request.
type Registration struct {
	Account, Password, Code string
	Enrolment
	Device  session.Device
	TraceID string
}

// Enrolment is what every new trader tells and agrees to.
type Enrolment struct {
	Country, Language string
	Invitation        string
	Accepted          bool // of age, and the terms
}

func (e Enrolment) check() error {
	switch {
	case !e.Accepted:
		return errs.Field("accepted", "field.accepted")
	case !isCountry(e.Country):
		return errs.Field("country", "field.choice")
	}
	return nil
}

func (r Registration) check() (address, error) {
	a, err := parseAddress(r.Account)
	if err != nil {
		return a, err
	}
	if err := CheckPassword(r.Password); err != nil {
		return a, err
	}
	if err := r.Enrolment.check(); err != nil {
		return a, err
	}
	return a, checkDevice(r.Device)
}

func checkDevice(d session.Device) error {
	if !d.Valid() {
		return errs.Field("deviceId", "field.length")
	}
	return nil
}

// Register creates a trader with a real account and logs in. Refusals: fields, session.ErrCode, ErrInvitation, ErrTaken.
func (s *Service) Register(ctx context.Context, r Registration) (Opened, error) {
	a, err := r.check()
	if err != nil {
		return Opened{}, err
	}
	codeID, err := s.tryCode(ctx, Trader{}, session.RegisterCode.To(a.text), session.Stranger(r.Device.IP), r.Code, audit.Actor{IP: r.Device.IP, Agent: r.Device.UserAgent, TraceID: r.TraceID})
	if err != nil {
		return Opened{}, err
	}
	hash, err := s.hasher.Hash(ctx, Invited(r.Device.IP), r.Password)
	if err != nil {
		return Opened{}, err
	}
	var out Opened
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.sessions.UseCodeTx(ctx, tx, codeID); err != nil {
			return err
		}
		t := Trader{Name: a.text, PasswordHash: hash}
		*t.contact(a) = &a.text
		out, err = s.createTx(ctx, tx, t, r.Enrolment, r.Device, r.TraceID)
		return err
	})
	return out, err
}

// createTx creates a trader, of whom the way in is given, with a real account. Refusals: ErrInvitation, ErrOwnInvitation, ErrTaken.
func (s *Service) createTx(ctx context.Context, tx *db.Tx, t Trader, e Enrolment, d session.Device, traceID string) (Opened, error) {
	now := s.clock.Now()
	t.Country, t.Language, t.Type, t.AuthStatus = e.Country, e.Language, Ordinary, AuthNone
	t.InviteCode, t.AcceptedAt, t.CreatedAt = newInvite(), now, now
	if e.Invitation != "" {
		inviter, err := inviter(tx.Rows, e.Invitation)
		if err != nil {
			return Opened{}, err
		}
		used, err := s.sessions.UsedTx(ctx, tx, inviter, d)
		if err != nil {
			return Opened{}, err
		}
		if used {
			return Opened{}, ErrOwnInvitation
		}
		t.InvitedBy = &inviter
	}
	err := tx.Rows.Create(&t).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return Opened{}, ErrTaken
	}
	if err != nil {
		return Opened{}, fmt.Errorf("create a trader: %w", err)
	}
	account, err := ledger.OpenTx(ctx, tx, t.ID, ledger.Real, Ordinary, now)
	if err != nil {
		return Opened{}, err
	}
	return s.openTx(ctx, tx, t, account, d, traceID, "trader.register", s.placeFacts(d.IP))
}

func inviter(rows *gorm.DB, code string) (id int64, err error) {
	if !db.IsText(code) {
		return 0, ErrInvitation
	}
	var t Trader
	if err := rows.Where("invite_code = ? AND closed_at IS NULL", strings.ToUpper(strings.TrimSpace(code))).Limit(1).Find(&t).Error; err != nil {
		return 0, fmt.Errorf("find an inviter: %w", err)
	}
	if t.ID == 0 {
		return 0, ErrInvitation
	}
	return t.ID, nil
}

func newInvite() string {
	raw := make([]byte, 5)
	_, _ = rand.Read(raw)
	return base32.StdEncoding.EncodeToString(raw)
}

func find(rows *gorm.DB, a address) (t Trader, ok bool, err error) {
	column := "email = ?"
	if a.phone {
		column = "phone = ?"
	}
	err = rows.Where(column, a.text).Limit(1).Find(&t).Error
	return t, t.ID != 0, err
}

func (s *Service) openRealTx(ctx context.Context, tx *db.Tx, t Trader, d session.Device, traceID string) (Opened, error) {
	account, err := ledger.OpenTx(ctx, tx, t.ID, ledger.Real, t.Type, s.clock.Now())
	if err != nil {
		return Opened{}, err
	}
	strange, err := s.sessions.StrangeTx(ctx, tx, t.ID, d)
	if err != nil {
		return Opened{}, fmt.Errorf("look for the device: %w", err)
	}
	about := s.placeFacts(d.IP)
	if strange {
		about["new_device"] = true
	}
	out, err := s.openTx(ctx, tx, t, account, d, traceID, "trader.login", about)
	if err == nil && strange {
		err = s.lockForDeviceTx(ctx, tx, t, d)
	}
	return out, err
}

// openTx opens a session on an account and records it in the audit log, with what there is to say about it.
func (s *Service) openTx(ctx context.Context, tx *db.Tx, t Trader, account ledger.Account, d session.Device, traceID, action string, about facts) (Opened, error) {
	if err := s.mayLogInTx(tx, t.ID); err != nil {
		return Opened{}, err
	}
	actor := t.Acting(audit.Actor{IP: d.IP, Agent: d.UserAgent, TraceID: traceID})
	entry := audit.By(actor, s.clock.Now(), action, "trader", t.ID)
	entry.After = about.json()
	if err := audit.RecordTx(ctx, tx, entry); err != nil {
		return Opened{}, err
	}
	token, err := s.sessions.OpenTx(ctx, tx, t.ID, account.ID, d)
	return Opened{token, t, account}, err
}

// Find reads a trader with the account of a session.
func (s *Service) Find(ctx context.Context, p session.Principal) (Trader, ledger.Account, error) {
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return t, ledger.Account{}, err
	}
	account, err := ledger.Find(ctx, s.db.Pool, p.TraderID, p.AccountID)
	return t, account, err
}

// LockExclusiveTx locks a trader until the transaction ends: other transactions can't change the trader meanwhile, nor add rows that refer to them. It does nothing for
// an unknown id.
func LockExclusiveTx(tx *db.Tx, id int64) error {
	_, err := lockRowTx(tx, clause.LockingStrengthUpdate, id)
	return err
}

// Trader reads one trader by id.
func (s *Service) Trader(ctx context.Context, id int64) (t Trader, err error) {
	if err = s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&t).Error; err != nil {
		return t, fmt.Errorf("read a trader: %w", err)
	}
	if t.ID == 0 {
		return t, ledger.ErrAccount
	}
	return t, nil
}

package trader

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"candor/app/audit"
	"candor/app/platform/admission"
	"candor/app/platform/clientip"
	"candor/app/platform/db"
	"candor/app/session"
)

// Credentials are a log-in request; Code is needed from a new device, or after too many wrong passwords.
type Credentials struct {
	Account, Password, Code string
	Language                string
	Factor                  string // a code of the authenticator, or a recovery code
	Solution                string // of a challenge, when a code is requested while passwords are not compared
	Device                  session.Device
	TraceID                 string
}

func (c Credentials) from() audit.Actor {
	return audit.Actor{IP: c.Device.IP, Agent: c.Device.UserAgent, TraceID: c.TraceID}
}

// loginAttempt is a trader during a log-in.
type loginAttempt struct {
	Trader
	address address
	guess   session.Attempt
	codeID  int64 // a correct code, used up when the log-in succeeds
}

// Login opens a session on the real account. Refusals: ErrCredentials, session.ErrThrottle, session.ErrCodeFirst, ErrLoginRestricted, ErrFactorRequired,
// factor.ErrCode, ErrCodeRequired, session.ErrCode.
func (s *Service) Login(ctx context.Context, c Credentials) (Opened, error) {
	e, err := s.authenticate(ctx, c)
	if err != nil {
		return Opened{}, err
	}
	if err := checkDevice(c.Device); err != nil {
		return Opened{}, err
	}
	passed, err := s.passFactor(ctx, e.Trader, c)
	if err != nil {
		return Opened{}, err
	}
	if c.Code != "" && e.codeID == 0 {
		if e.codeID, err = s.tryCode(ctx, e.Trader, session.LoginCode.To(e.address.text), session.Owner(c.Device.IP), c.Code, c.from()); err != nil {
			return Opened{}, err
		}
	}
	var out Opened
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		known, err := s.sessions.KnownTx(ctx, tx, e.ID, c.Device)
		if err != nil {
			return err
		}
		if e.codeID != 0 {
			err = s.sessions.UseCodeTx(ctx, tx, e.codeID)
		} else if !known && !passed {
			err = ErrCodeRequired
		}
		if err != nil {
			return err
		}
		out, err = s.openRealTx(ctx, tx, e.Trader, c.Device, c.TraceID)
		return err
	})
	return out, err
}

// SendLoginCode sends a code after a correct password; while too many were wrong for any to be compared, after a solved challenge. Refusals: ErrPhone,
// ErrCredentials, the throttles, ErrLoginRestricted, session.ErrVerify, session.ErrVerifyWrong.
func (s *Service) SendLoginCode(ctx context.Context, c Credentials) error {
	if _, err := s.reachable(c.Account); errors.Is(err, ErrPhone) {
		return err
	}
	e, err := s.authenticate(ctx, c)
	by := session.Owner(c.Device.IP)
	unproven := errors.Is(err, session.ErrCodeFirst)
	if err != nil && !unproven {
		return err
	}
	if unproven {
		by = session.Stranger(c.Device.IP)
		if err := s.sessions.UseSolution(ctx, c.Solution, c.Device.IP); err != nil {
			return err
		}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		code, err := s.sessions.IssueCodeTx(ctx, tx, session.LoginCode.To(e.address.text), by)
		if errors.Is(err, session.ErrCodeSent) {
			return nil
		}
		if err != nil || e.ID == 0 {
			return err
		}
		return s.sendCodeTx(ctx, tx, by, e.Trader.recipientAt(e.address), "message.login_code", code, nil)
	})
}

// comparisons limits the concurrent password checks from unknown devices. A source's share stays below the number of accounts that it may try: until a check
// succeeds it counts as a wrong guess, and an office that logs in at once must not look like an attack.
var comparisons = admission.Limits{Running: 8, Waiting: 120, Total: 48, Crowd: 2048, Patience: 10 * time.Second}

// authenticate compares the password; an unknown account takes the same time and gets the same response. The reason of a login restriction is returned only
// after a correct password.
func (s *Service) authenticate(ctx context.Context, c Credentials) (e loginAttempt, err error) {
	if e.address, err = parseAddress(c.Account); err != nil {
		return e, ErrCredentials
	}
	if e.Trader, _, err = find(s.db.Rows(ctx), e.address); err != nil {
		return e, fmt.Errorf("find a trader: %w", err)
	}
	known, err := s.sessions.Known(ctx, e.ID, c.Device)
	if err != nil {
		return e, err
	}
	if !known {
		leave, err := s.comparing.Enter(ctx, clientip.Source(c.Device.IP))
		if err != nil {
			return e, err
		}
		defer leave()
	}
	e.guess = session.Attempt{Account: e.address.text, IP: c.Device.IP, Known: known}
	if err := s.admitGuess(ctx, &e, c); err != nil {
		return e, err
	}
	match, by := false, Stranger(c.Device.IP)
	if known {
		by = Account(e.ID)
	}
	if len(c.Password) <= 4*maxLength {
		if match, err = s.hasher.Matches(ctx, by, c.Password, e.PasswordHash); err != nil {
			return e, errors.Join(err, s.sessions.GuessNotCompared(context.WithoutCancel(ctx), e.guess))
		}
	}
	compared := context.WithoutCancel(ctx) // a guess counts even if the caller has disconnected
	if !match {
		return e, errors.Join(ErrCredentials, s.recordWrong(compared, e, c))
	}
	if err := s.sessions.GuessRight(compared, e.guess); err != nil {
		return e, err
	}
	return e, s.mayLogIn(s.db.Rows(ctx), e.ID)
}

// admitGuess counts the password before it is compared. When passwords are no longer compared, a code sent to the account's contact allows this one.
// Refusals: session.ErrThrottle, session.ErrCodeFirst, session.ErrCode.
func (s *Service) admitGuess(ctx context.Context, e *loginAttempt, c Credentials) error {
	counting := context.WithoutCancel(ctx) // a cancelled query would leave it unknown whether it was counted
	err := s.sessions.Guess(counting, e.guess)
	if !errors.Is(err, session.ErrCodeFirst) || c.Code == "" {
		return err
	}
	if err := s.sessions.CountCodeTry(ctx, c.Device.IP); err != nil {
		return err
	}
	if e.codeID, err = s.tryCode(ctx, e.Trader, session.LoginCode.To(e.address.text), session.Stranger(c.Device.IP), c.Code, c.from()); err != nil {
		return err
	}
	e.guess.Proven = true
	return s.sessions.Guess(counting, e.guess)
}

// recordWrong records a wrong password and notifies the trader of the fifth in a day.
func (s *Service) recordWrong(ctx context.Context, e loginAttempt, c Credentials) error {
	slog.WarnContext(ctx, "a log-in was refused", "reason", "password", "trader", e.ID, "source", c.Device.IP, "known_device", e.guess.Known, "trace", c.TraceID)
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		notify, err := s.sessions.WrongTx(ctx, tx, e.address.text)
		if err != nil || e.ID == 0 {
			return err
		}
		by := audit.Visitor(c.from())
		if e.guess.Known {
			by = e.Acting(c.from())
		}
		entry := audit.By(by, s.clock.Now(), "trader.refuse_login", "trader", e.ID)
		entry.After = s.placeFacts(c.Device.IP).json()
		if err := audit.RecordTx(ctx, tx, entry); err != nil || !notify {
			return err
		}
		return s.tellTx(ctx, tx, e.Trader, "message.login_failures", map[string]any{
			"ip": s.from(c.Device.IP, e.Trader.Language), "time": s.clock.Now().UTC().Format("2006-01-02 15:04") + " UTC",
		})
	})
	if err != nil {
		return fmt.Errorf("record a wrong password: %w", err)
	}
	return nil
}

// tryOwnCode is tryCode for a logged-in trader. With a second factor, a confirmation takes the place of the code. Refusals: ErrContactFirst, ErrConfirm, session.ErrCode.
func (s *Service) tryOwnCode(ctx context.Context, t Trader, f session.CodeFor, code string, from audit.Actor) (id int64, err error) {
	if t.contactless() {
		return 0, ErrContactFirst
	}
	switch needed, err := s.confirms(ctx, t.ID, f.Purpose); {
	case err != nil:
		return 0, err
	case needed && !session.IsConfirmation(code):
		return 0, ErrConfirm
	case needed:
		f = f.Confirmed(t.ID)
	}
	return s.tryCode(ctx, t, f, session.Owner(from.IP), code, from)
}

// tryCode is session.TryCode and records a refused code for the trader.
func (s *Service) tryCode(ctx context.Context, t Trader, f session.CodeFor, by session.Requester, code string, from audit.Actor) (id int64, err error) {
	id, err = s.sessions.TryCode(ctx, f, by, code)
	return id, s.noteRefusedCode(ctx, t, f.Purpose, by, err, from)
}

// noteRefusedCode records a refused code in the trader's audit log; a stranger's only when a code was compared. It returns err, the result of trying the
// code.
func (s *Service) noteRefusedCode(ctx context.Context, t Trader, purpose session.Purpose, by session.Requester, err error, from audit.Actor) error {
	if !errors.Is(err, session.ErrCode) {
		return err
	}
	slog.WarnContext(ctx, "a code was refused", "purpose", purpose, "trader", t.ID, "source", from.IP, "trace", from.TraceID)
	if t.ID == 0 || !by.Own && !session.WasCompared(err) {
		return err
	}
	actor := audit.Visitor(from)
	if by.Own {
		actor = t.Acting(from)
	}
	entry := audit.By(actor, s.clock.Now(), "trader.refuse_code", "trader", t.ID)
	about := s.placeFacts(from.IP)
	about["purpose"] = purpose
	entry.After = about.json()
	return errors.Join(err, s.db.InTx(ctx, func(tx *db.Tx) error { return audit.RecordTx(ctx, tx, entry) }))
}

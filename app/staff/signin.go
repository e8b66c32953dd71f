package staff

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"strconv"
	"time"

	"github.com/pquerna/otp"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/trader"
)

const (
	maxPassword  = 512              // bytes; a longer one is not hashed
	codeTries    = factor.CodeTries // consecutive wrong codes, per person
	codeWindow   = factor.CodeWindow
	throttleName = "staff:"
)

// Wrong codes at a sign-in are counted apart from those before an act: whoever guesses at a sign-in must not stop a member who is signed in.
const (
	signInCodes = "staff_code"
	stepUpCodes = "staff_step_code"
)

// SignIn checks e-mail and password; a code or a passkey must follow. Unknown, wrong, invited and disabled take the same time and get the same response. The throttle of
// an address does not block a browser that the person has signed in with before. Refusals: ErrSignIn, session.ErrThrottle, session.ErrStaffGuesses.
func (s *Service) SignIn(ctx context.Context, email, password string, device session.Device, from audit.Actor) (Person, error) {
	return s.signIn(ctx, signingIn{email: email, password: password, device: device, from: from})
}

// SignInWithRecovery is SignIn with a printed recovery code, which is not used up: with a right one the password counts whatever others have guessed.
func (s *Service) SignInWithRecovery(ctx context.Context, email, password, recoveryCode string, device session.Device, from audit.Actor) (Person, error) {
	return s.signIn(ctx, signingIn{email, password, recoveryCode, device, from})
}

type signingIn struct {
	email, password, recoveryCode string
	device                        session.Device
	from                          audit.Actor
}

func (s *Service) signIn(ctx context.Context, in signingIn) (Person, error) {
	address, err := checkEmail(in.email)
	if err != nil {
		address = "" // matches no person, so the response is the same
	}
	p, err := byEmail(s.db.Rows(ctx), address)
	if err != nil {
		return Person{}, err
	}
	known, err := s.knownDevice(ctx, p.ID, in.device)
	if err != nil {
		return Person{}, err
	}
	proven, err := s.factors.HasRecoveryCode(ctx, factor.Staff(p.ID), in.recoveryCode)
	if err != nil {
		return Person{}, err
	}
	err = s.checkPassword(ctx, p, in.password, session.Attempt{Account: throttleName + address, IP: in.from.IP, Known: known, Proven: proven, Staff: true})
	if errors.Is(err, ErrSignIn) && !known {
		err = cmp.Or(s.countWrong(ctx, p, address, in.from), err)
	}
	if err == nil && !p.Ready() {
		err = ErrSignIn
	}
	if err != nil {
		return Person{}, err // no audit entry: entries for known accounts only would reveal them by their response time
	}
	return p, nil
}

// tellAfter is the number of wrong passwords in a day, from unknown browsers, that the person is told of.
const tellAfter = 5

// countWrong counts a wrong password. It takes as long for an account that there is not, except at the one that is told.
func (s *Service) countWrong(ctx context.Context, p Person, address string, from audit.Actor) error {
	ctx = context.WithoutCancel(ctx)
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		n, err := s.throttle.CountTx(ctx, tx, "staff_wrong", address, 24*time.Hour)
		if err != nil || n != tellAfter || !p.Ready() {
			return err
		}
		return s.tellTx(ctx, tx, p, "staff_wrong_passwords", p.Acting(from), map[string]any{"count": tellAfter, "limit": session.GuessesPerDay})
	})
}

// checkPassword counts the guess before the comparison, so that parallel guesses can't outrun the counter.
func (s *Service) checkPassword(ctx context.Context, p Person, password string, guess session.Attempt) error {
	counting := context.WithoutCancel(ctx) // a cancelled query would leave it unknown whether it was counted
	err := s.throttle.Guess(counting, guess)
	if errors.Is(err, session.ErrCodeFirst) { // staff get no code by mail: the source must wait
		err = session.ErrThrottle.With("seconds", int(time.Hour.Seconds()))
	}
	if err != nil {
		return err
	}
	if len(password) > maxPassword {
		return ErrSignIn
	}
	by := trader.Stranger(guess.IP)
	if guess.Known || guess.Proven {
		by = trader.Invited(guess.IP)
	}
	match, err := s.hasher.Matches(ctx, by, password, p.PasswordHash)
	if err != nil {
		return errors.Join(err, s.throttle.GuessNotCompared(counting, guess))
	}
	if !match {
		return ErrSignIn
	}
	return s.throttle.GuessRight(counting, guess)
}

// SignInCode is the second step of a sign-in. The person is told of the last allowed wrong code: somebody knows the password. Refusals: ErrSignedOut when the
// person can no longer sign in, ErrCode, session.ErrThrottle.
func (s *Service) SignInCode(ctx context.Context, id int64, code string, from audit.Actor) (p Person, err error) {
	tries, err := s.countCode(ctx, signInCodes, id)
	if err != nil {
		return p, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if p, err = s.useCodeTx(ctx, tx, signInCodes, id, code); err != nil {
			return err
		}
		return s.signedInTx(ctx, tx, p, from, nil)
	})
	if errors.Is(err, ErrCode) {
		if known, found := s.Person(ctx, id); found == nil {
			err = cmp.Or(s.recordWrong(ctx, known, wrongCode{"staff.sign_in", "staff_wrong_codes", tries >= codeTries}, from), err)
		}
	}
	if err != nil {
		return Person{}, err
	}
	return p, nil
}

// wrongCode is what a wrong code after the right password is recorded as, and the message that its person gets of the last allowed one.
type wrongCode struct {
	action, message string
	last            bool
}

func (s *Service) recordWrong(ctx context.Context, p Person, w wrongCode, from audit.Actor) error {
	by := p.Acting(from)
	err := s.recordFailed(ctx, by, w.action, nil)
	if err != nil || !w.last {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		return s.tellTx(ctx, tx, p, w.message, by, map[string]any{"count": codeTries, "minutes": int(codeWindow.Minutes())})
	})
}

// signedInTx records a sign-in. It proves that the member is back, so that wrong codes before an act no longer count.
func (s *Service) signedInTx(ctx context.Context, tx *db.Tx, p Person, from audit.Actor, how facts) error {
	if err := db.MustAffect(tx.Rows.Model(&Person{}).Where("id = ?", p.ID).Update("signed_in_at", s.clock.Now())); err != nil {
		return err
	}
	if err := s.throttle.ClearTx(ctx, tx, stepUpCodes, strconv.FormatInt(p.ID, 10)); err != nil {
		return err
	}
	return s.recordTx(ctx, tx, p.Acting(from), "staff.sign_in", p.ID, nil, how)
}

// SignedOut records a sign-out.
func (s *Service) SignedOut(ctx context.Context, actor audit.Actor) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.recordTx(ctx, tx, actor, "staff.sign_out", actor.ID, nil, nil) })
}

// countCode counts a try before its comparison and returns the count; a correct code resets it. It counts per person, for all sources, because the password
// was already correct.
func (s *Service) countCode(ctx context.Context, counter string, id int64) (n int, err error) {
	return s.throttle.Throttle(ctx, counter, strconv.FormatInt(id, 10), codeTries, codeWindow)
}

// useCodeTx compares a code and uses up its step; of two concurrent calls one gets ErrCode.
func (s *Service) useCodeTx(ctx context.Context, tx *db.Tx, counter string, id int64, code string) (Person, error) {
	p, err := person(tx.Rows, id)
	if err != nil {
		return p, err
	}
	if !p.Ready() {
		return p, ErrSignedOut
	}
	secret, err := s.secret(ctx, tx.Conn, p)
	if err != nil {
		return p, err
	}
	step, ok := factor.MatchStep(secret, code, s.clock.Now(), p.TOTPStep)
	if !ok {
		return p, ErrCode
	}
	used := tx.Rows.Model(&Person{}).Where("id = ? AND totp_step < ? AND totp_sealed = ? AND state = 'active'", id, step, p.TOTPSealed).Update("totp_step", step)
	if used.Error != nil {
		return p, fmt.Errorf("use a code: %w", used.Error)
	}
	if used.RowsAffected != 1 {
		return p, ErrCode
	}
	return p, s.throttle.ClearTx(ctx, tx, counter, strconv.FormatInt(id, 10))
}

// recordFailed records a wrong second factor of a known person, even when they have gone meanwhile.
func (s *Service) recordFailed(ctx context.Context, by audit.Actor, action string, after facts) error {
	ctx = context.WithoutCancel(ctx)
	entry := audit.By(by, s.clock.Now(), action, "staff", by.ID)
	entry.Result, entry.After = audit.Failed, after.json()
	return s.db.InTx(ctx, func(tx *db.Tx) error { return audit.RecordTx(ctx, tx, entry) })
}

// QR is the QR code for an authenticator, as PNG.
func (e Enrolment) QR() ([]byte, error) {
	key, err := otp.NewKeyFromURL(factor.SecretAddress(e.Secret, e.Email))
	if err != nil {
		return nil, fmt.Errorf("name the authenticator: %w", err)
	}
	code, err := key.Image(codeSize, codeSize)
	if err != nil {
		return nil, fmt.Errorf("draw the authenticator: %w", err)
	}
	frame := image.NewGray(image.Rect(0, 0, codeSize+2*codeMargin, codeSize+2*codeMargin))
	draw.Draw(frame, frame.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(frame, code.Bounds().Add(image.Pt(codeMargin, codeMargin)), code, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := png.Encode(&out, frame); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Size of the QR code and its white margin in pixels. A camera does not find it on a dark page without the margin.
const codeSize, codeMargin = 196, 22

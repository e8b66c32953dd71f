package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Purpose binds a code to one act.
type Purpose string

// The purposes of codes.
const (
	RegisterCode          Purpose = "register"
	LoginCode             Purpose = "login"
	ForgottenPasswordCode Purpose = "forgotten_password" // to replace the log-in password
	PaymentPasswordCode   Purpose = "payment_password"   // to set, change or reset it
	MoneyOutCode          Purpose = "money_out"          // every act that takes money out, or prepares it
	FreezeCode            Purpose = "freeze"             // to freeze one's own account
)

// CodeFor is what a code is good for, and whom it goes to. About binds it to one request: the same code proves no other.
type CodeFor struct {
	Purpose        Purpose
	Address, About string
}

// To is a code of the purpose for an address, which binds it to no request.
func (p Purpose) To(address string) CodeFor { return CodeFor{Purpose: p, Address: address} }

// With binds a code to a request, by whatever names it.
func (f CodeFor) With(about string) CodeFor {
	f.About = about
	return f
}

// Limits of codes.
const (
	CodeLife    = 10 * time.Minute
	ResendAfter = 60 * time.Second
	codeTries   = 5
	codesPerDay = 10 // to one address
	codesPerIP  = 50 // a day
)

// Refusals of codes.
var (
	ErrCode     = errs.New(errs.Refused, "code.wrong")     // wrong, expired or used up: one answer for all
	ErrCodeSoon = errs.New(errs.TooMany, "code.too_soon")  // ask again later
	ErrCodeCap  = errs.New(errs.TooMany, "code.too_many")  // the day's cap
	ErrThrottle = errs.New(errs.TooMany, "login.too_many") // wait
)

// IssueCodeTx makes the one live code of a purpose and address. It returns ErrCodeSoon or ErrCodeCap.
func (s *Service) IssueCodeTx(ctx context.Context, tx *db.Tx, f CodeFor, ip string) (code string, err error) {
	now := s.clock.Now()
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`, f.Address); err != nil {
		return "", err
	}
	var newest *time.Time
	var today int
	err = tx.Conn.QueryRow(ctx, `SELECT max(created_at) FILTER (WHERE purpose = $3), count(*) FROM codes WHERE address = $1 AND created_at > $2`, f.Address, now.Add(-24*time.Hour), f.Purpose).Scan(&newest, &today)
	if err != nil {
		return "", fmt.Errorf("count codes: %w", err)
	}
	if newest != nil && now.Sub(*newest) < ResendAfter {
		return "", ErrCodeSoon.With("seconds", seconds(ResendAfter-now.Sub(*newest)))
	}
	if today >= codesPerDay {
		return "", ErrCodeCap
	}
	n, err := s.CountTx(ctx, tx, "codes_ip", ip, 24*time.Hour)
	if err != nil {
		return "", err
	}
	if n > codesPerIP {
		return "", ErrCodeCap
	}
	code = sixDigits()
	_, err = tx.Conn.Exec(ctx, `UPDATE codes SET used_at = $3 WHERE address = $1 AND purpose = $2 AND used_at IS NULL`, f.Address, f.Purpose, now)
	if err == nil {
		_, err = tx.Conn.Exec(ctx, `INSERT INTO codes (purpose, address, hash, expires_at, created_at) VALUES ($1, $2, $3, $4, $5)`,
			f.Purpose, f.Address, f.hash(code), now.Add(CodeLife), now)
	}
	if err != nil {
		return "", fmt.Errorf("store a code: %w", err)
	}
	return code, nil
}

// seconds is how many whole ones a wait takes.
func seconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }

func sixDigits() string {
	n, _ := rand.Int(rand.Reader, big.NewInt(1_000_000)) // never fails: see crypto/rand
	return fmt.Sprintf("%06d", n)
}

func (f CodeFor) hash(code string) []byte {
	sum := sha256.Sum256([]byte(string(f.Purpose) + "\x00" + f.Address + "\x00" + f.About + "\x00" + code))
	return sum[:]
}

// TryCode counts a try of the live code before comparing, in a transaction of its own, so that parallel guesses can't outrun the counter
// and a refused act does not give the try back. A code that was bound to another request is a wrong one. It returns the code's id for UseCodeTx, or ErrCode.
func (s *Service) TryCode(ctx context.Context, f CodeFor, code string) (id int64, err error) {
	var hash []byte
	err = s.db.Pool.QueryRow(ctx, `
		UPDATE codes SET tries = tries + 1
		WHERE id = (SELECT id FROM codes WHERE address = $1 AND purpose = $2 AND used_at IS NULL ORDER BY id DESC LIMIT 1)
		  AND used_at IS NULL AND tries < $3 AND expires_at > $4
		RETURNING id, hash`, f.Address, f.Purpose, codeTries, s.clock.Now()).Scan(&id, &hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrCode
	}
	if err != nil {
		return 0, fmt.Errorf("try a code: %w", err)
	}
	if subtle.ConstantTimeCompare(hash, f.hash(code)) != 1 {
		return 0, ErrCode
	}
	return id, nil
}

// UseCodeTx uses a tried code up; of two at once one gets ErrCode.
func (s *Service) UseCodeTx(ctx context.Context, tx *db.Tx, id int64) error {
	tag, err := tx.Conn.Exec(ctx, `UPDATE codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL`, id, s.clock.Now())
	if err != nil {
		return fmt.Errorf("use a code: %w", err)
	}
	if tag.RowsAffected() != 1 {
		return ErrCode
	}
	return nil
}

// CountTx adds one to a counter that starts again after its window, and returns the count.
func (s *Service) CountTx(ctx context.Context, tx *db.Tx, name, subject string, window time.Duration) (n int, err error) {
	now := s.clock.Now()
	err = tx.Conn.QueryRow(ctx, `
		INSERT INTO throttles (name, subject, count, since) VALUES ($1, $2, 1, $3)
		ON CONFLICT (name, subject) DO UPDATE SET
			count = CASE WHEN throttles.since < $4 THEN 1 ELSE throttles.count + 1 END,
			since = CASE WHEN throttles.since < $4 THEN $3 ELSE throttles.since END
		RETURNING count`, name, subject, now, now.Add(-window)).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", name, err)
	}
	return n, nil
}

// Waits after wrong passwords, per account and source.
const (
	firstWaitAfter, firstWait   = 5, 60 * time.Second
	secondWaitAfter, secondWait = 10, 15 * time.Minute
	wrongWindow                 = 24 * time.Hour
)

// Guess counts a password that is about to be tried for an account from a source, before it is compared, so that parallel guesses can't outrun
// the counter. It returns ErrThrottle with the seconds to wait, and then nothing is counted. A right password is told to GuessRight.
// The source is part of the subject, so that an outsider can't lock the owner out.
func (s *Service) Guess(ctx context.Context, account, ip string) error {
	now := s.clock.Now()
	tag, err := s.db.Pool.Exec(ctx, `
		INSERT INTO throttles (name, subject, count, since) VALUES ('password', $1, 1, $2)
		ON CONFLICT (name, subject) DO UPDATE SET
			count = CASE WHEN throttles.since < $3 THEN 1 ELSE throttles.count + 1 END, since = $2
		WHERE throttles.since <= CASE WHEN throttles.count >= $4 THEN $5::timestamptz WHEN throttles.count >= $6 THEN $7 ELSE throttles.since END`,
		account+"|"+ip, now, now.Add(-wrongWindow), secondWaitAfter, now.Add(-secondWait), firstWaitAfter, now.Add(-firstWait))
	if err != nil {
		return fmt.Errorf("count a guess: %w", err)
	}
	if tag.RowsAffected() == 1 {
		return nil
	}
	if err := s.guessAllowed(ctx, account, ip); err != nil {
		return err
	}
	return ErrThrottle.With("seconds", 1) // the wait has just ended
}

// guessAllowed tells whether a password may be tried for an account from a source now; it returns ErrThrottle with the seconds to wait.
func (s *Service) guessAllowed(ctx context.Context, account, ip string) error {
	var count int
	var last time.Time
	err := s.db.Pool.QueryRow(ctx, `SELECT count, since FROM throttles WHERE name = 'password' AND subject = $1`, account+"|"+ip).Scan(&count, &last)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a throttle: %w", err)
	}
	wait := time.Duration(0)
	switch {
	case count >= secondWaitAfter:
		wait = secondWait
	case count >= firstWaitAfter:
		wait = firstWait
	}
	if left := wait - s.clock.Now().Sub(last); left > 0 {
		return ErrThrottle.With("seconds", seconds(left))
	}
	return nil
}

// GuessRight forgets the wrong passwords.
func (s *Service) GuessRight(ctx context.Context, account, ip string) error {
	_, err := s.db.Pool.Exec(ctx, `DELETE FROM throttles WHERE name = 'password' AND subject = $1`, account+"|"+ip)
	return err
}

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

	"candor/app/platform/clientip"
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
	SecurityCode          Purpose = "security"           // to change what guards the account
	ContactCode           Purpose = "contact"            // to bind a contact; it goes to the new one
)

// CodeFor is a code's purpose and recipient. About binds the code to one request: it proves no other.
type CodeFor struct {
	Purpose        Purpose
	Address, About string
	traderID       *int64 // see Of
}

// To is the CodeFor of an address, bound to no request.
func (p Purpose) To(address string) CodeFor { return CodeFor{Purpose: p, Address: address} }

// With binds a code to a request by a text that identifies it.
func (f CodeFor) With(about string) CodeFor {
	f.About = about
	return f
}

// Of makes a code one trader's: it is counted, replaced and tried apart from other traders' codes for the address.
func (f CodeFor) Of(traderID int64) CodeFor {
	f.traderID = &traderID
	return f
}

// Limits of codes.
const (
	CodeLife    = 10 * time.Minute
	ResendAfter = 60 * time.Second
	codeTries   = 5
	codesPerDay = 10 // per purpose and address: for its owner, and as many for all strangers together
)

// Refusals of codes.
var (
	ErrCode     = errs.New(errs.Refused, "code.wrong")     // wrong, expired or used up: one answer for all
	ErrCodeSoon = errs.New(errs.TooMany, "code.too_soon")  // ask again later
	ErrCodeCap  = errs.New(errs.TooMany, "code.too_many")  // the day's cap
	ErrThrottle = errs.New(errs.TooMany, "login.too_many") // wait
)

// errNoCode is ErrCode without a comparison: no code is live, its tries are used up, or the stranger may try none.
var errNoCode = fmt.Errorf("%w: none to compare with", ErrCode)

// WasCompared reports, for an ErrCode, whether a code was compared and was wrong.
func WasCompared(refusal error) bool { return !errors.Is(refusal, errNoCode) }

// ErrCodeSent means that a code requested by another stranger is on its way to the address: no second one is sent, and the reply must look as if one were.
var ErrCodeSent = errors.New("a code is on its way already")

// Requester is who requests or tries a code. Own means that it is probably the owner: a session, the right password, or an IP address that they have logged in
// from. Strangers' codes are separate from the owner's: counted, replaced and tried on their own.
type Requester struct {
	Own    bool
	Source string // clientip.Source
}

// Owner is a requester identified as the owner by a session or a password.
func Owner(ip string) Requester { return Requester{Own: true, Source: clientip.Source(ip)} }

// Usual is the default requester for a purpose: a stranger where nobody can have proved to be the owner.
func (p Purpose) Usual(ip string) Requester {
	if p == RegisterCode || p == ForgottenPasswordCode {
		return Stranger(ip)
	}
	return Owner(ip)
}

// Stranger is a requester about whom nothing is known.
func Stranger(ip string) Requester { return Requester{Source: clientip.Source(ip)} }

// IssueCodeTx makes the one live code of a purpose and address for a kind of requester. It returns ErrCodeSoon, ErrCodeCap or ErrCodeSent. After ErrCodeSent,
// commit the transaction: the stranger may try the code that is on its way.
func (s *Service) IssueCodeTx(ctx context.Context, tx *db.Tx, f CodeFor, by Requester) (code string, err error) {
	now := s.clock.Now()
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`, f.Address); err != nil {
		return "", err
	}
	if !by.Own {
		if err := s.noteRequestTx(ctx, tx, f, by); err != nil {
			return "", err
		}
	}
	var newest *time.Time
	var today int
	var another bool
	err = tx.Conn.QueryRow(ctx, `
		SELECT max(created_at), count(*), coalesce(bool_or(source <> $5 AND used_at IS NULL AND tries < $6 AND expires_at > $7), false)
		FROM codes WHERE address = $1 AND purpose = $2 AND own = $3 AND created_at > $4 AND trader_id IS NOT DISTINCT FROM $8`,
		f.Address, f.Purpose, by.Own, now.Add(-24*time.Hour), by.Source, codeTries, now, f.traderID).Scan(&newest, &today, &another)
	switch {
	case err != nil:
		return "", fmt.Errorf("count codes: %w", err)
	case another && !by.Own:
		return "", ErrCodeSent
	case newest != nil && now.Sub(*newest) < ResendAfter:
		return "", ErrCodeSoon.With("seconds", seconds(ResendAfter-now.Sub(*newest)))
	case today >= codesPerDay:
		return "", ErrCodeCap
	}
	code = sixDigits()
	_, err = tx.Conn.Exec(ctx, `
		UPDATE codes SET used_at = $4 WHERE address = $1 AND purpose = $2 AND own = $3 AND trader_id IS NOT DISTINCT FROM $5 AND used_at IS NULL`,
		f.Address, f.Purpose, by.Own, now, f.traderID)
	if err == nil {
		_, err = tx.Conn.Exec(ctx, `INSERT INTO codes (purpose, address, own, source, hash, expires_at, created_at, trader_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			f.Purpose, f.Address, by.Own, by.Source, f.hash(code), now.Add(CodeLife), now, f.traderID)
	}
	if err != nil {
		return "", fmt.Errorf("store a code: %w", err)
	}
	return code, nil
}

// AskTx records that a source requests a code for an address, where nobody may learn whether the address is known. Its refusals, ErrCodeSoon and ErrCodeCap,
// depend only on the source's own requests. Those of IssueCodeTx depend on other requests: answer them as if a code were sent.
func (s *Service) AskTx(ctx context.Context, tx *db.Tx, f CodeFor, ip string) error {
	by, now := Stranger(ip), s.clock.Now()
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`, f.Address); err != nil {
		return err
	}
	var last time.Time
	err := tx.Conn.QueryRow(ctx, `SELECT at FROM code_requests WHERE address = $1 AND purpose = $2 AND source = $3`, f.Address, f.Purpose, by.Source).Scan(&last)
	switch {
	case err != nil && !errors.Is(err, pgx.ErrNoRows):
		return fmt.Errorf("read what a source has asked for: %w", err)
	case err == nil && now.Sub(last) < ResendAfter:
		return ErrCodeSoon.With("seconds", seconds(ResendAfter-now.Sub(last)))
	}
	asked, err := s.CountTx(ctx, tx, "codes_asked_for", string(f.Purpose)+" "+by.Source+" "+f.Address, 24*time.Hour)
	switch {
	case err != nil:
		return err
	case asked > codesPerDay:
		return ErrCodeCap
	}
	return s.noteRequestTx(ctx, tx, f, by)
}

// noteRequestTx gives a stranger's source a fresh set of tries.
func (s *Service) noteRequestTx(ctx context.Context, tx *db.Tx, f CodeFor, by Requester) error {
	_, err := tx.Conn.Exec(ctx, `INSERT INTO code_requests (address, purpose, source, at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (address, purpose, source) DO UPDATE SET tries = 0, at = EXCLUDED.at`, f.Address, f.Purpose, by.Source, s.clock.Now())
	if err != nil {
		return fmt.Errorf("note who asked for a code: %w", err)
	}
	return nil
}

// seconds rounds a wait up to whole seconds.
func seconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }

func sixDigits() string {
	n, _ := rand.Int(rand.Reader, big.NewInt(1_000_000)) // never fails: see crypto/rand
	return fmt.Sprintf("%06d", n)
}

func (f CodeFor) hash(code string) []byte {
	sum := sha256.Sum256([]byte(string(f.Purpose) + "\x00" + f.Address + "\x00" + f.About + "\x00" + code))
	return sum[:]
}

// counted is the counter of tries that a comparison raises.
type counted string

const (
	usual      counted = "tries"
	byStranger counted = "stranger_tries" // for a code that was sent to the owner
)

// TryCode counts a try of the live code before comparing, in a separate transaction, so that parallel guesses can't outrun the counter and a refused act does
// not give the try back. A code bound to another request is wrong. An owner may also use a code that they requested as a stranger; a stranger may try only
// strangers' codes, and only while their source has requested one. It returns the code's id for UseCodeTx, or ErrCode.
func (s *Service) TryCode(ctx context.Context, f CodeFor, by Requester, code string) (id int64, err error) {
	if !by.Own {
		return s.tryStrangersCode(ctx, f, by, code)
	}
	own, err := s.compare(ctx, f, true, usual, code)
	if !errors.Is(err, ErrCode) {
		return own, err
	}
	return orElse(err, func() (int64, error) { return s.compare(ctx, f, false, usual, code) })
}

// orElse compares with another code after a refusal. Its own refusal counts as compared if either was.
func orElse(refusal error, compare func() (int64, error)) (id int64, err error) {
	id, err = compare()
	if err != nil && errors.Is(err, ErrCode) && WasCompared(refusal) {
		err = refusal
	}
	return id, err
}

// TryCodeElsewhere is TryCode that also accepts, from a new IP address, a code sent to the owner: by staff, or on request from a usual address. Strangers'
// tries of it don't use up the owner's.
func (s *Service) TryCodeElsewhere(ctx context.Context, f CodeFor, by Requester, code string) (id int64, err error) {
	id, err = s.TryCode(ctx, f, by, code)
	if by.Own || !errors.Is(err, ErrCode) {
		return id, err
	}
	return orElse(err, func() (int64, error) { return s.compare(ctx, f, true, byStranger, code) })
}

// tryStrangersCode compares a code for a source that has requested one and has tries left.
func (s *Service) tryStrangersCode(ctx context.Context, f CodeFor, by Requester, code string) (id int64, err error) {
	tag, err := s.db.Pool.Exec(ctx, `UPDATE code_requests SET tries = tries + 1 WHERE address = $1 AND purpose = $2 AND source = $3 AND tries < $4 AND at > $5`,
		f.Address, f.Purpose, by.Source, codeTries, s.clock.Now().Add(-CodeLife))
	if err != nil {
		return 0, fmt.Errorf("count a try of a source: %w", err)
	}
	if tag.RowsAffected() != 1 {
		return 0, errNoCode
	}
	return s.compare(ctx, f, false, usual, code)
}

// compare counts a try and compares the code.
func (s *Service) compare(ctx context.Context, f CodeFor, own bool, tries counted, code string) (id int64, err error) {
	var hash []byte
	err = s.db.Pool.QueryRow(ctx, `
		UPDATE codes SET `+string(tries)+` = `+string(tries)+` + 1
		WHERE id = (SELECT id FROM codes WHERE address = $1 AND purpose = $2 AND own = $5 AND trader_id IS NOT DISTINCT FROM $6 AND used_at IS NULL ORDER BY id DESC LIMIT 1)
		  AND used_at IS NULL AND `+string(tries)+` < $3 AND expires_at > $4
		RETURNING id, hash`, f.Address, f.Purpose, codeTries, s.clock.Now(), own, f.traderID).Scan(&id, &hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, errNoCode
	}
	if err != nil {
		return 0, fmt.Errorf("try a code: %w", err)
	}
	if subtle.ConstantTimeCompare(hash, f.hash(code)) != 1 {
		return 0, ErrCode
	}
	return id, nil
}

// UseCodeTx uses up a tried code; of two concurrent calls, one gets ErrCode.
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

// CountTx raises a counter that restarts after its window, and returns the count.
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

// Throttle counts once for a subject and returns the count. After as many as allowed within the window, it counts nothing and returns ErrThrottle with the seconds
// until the window ends.
func (s *Service) Throttle(ctx context.Context, name, subject string, allowed int, window time.Duration) (n int, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		n, err = s.CountTx(ctx, tx, name, subject, window)
		if err != nil || n <= allowed {
			return err
		}
		return s.ThrottledTx(ctx, tx, name, subject, window)
	})
	return n, err
}

// ThrottledTx is ErrThrottle with the seconds until the window of what CountTx has counted ends.
func (s *Service) ThrottledTx(ctx context.Context, tx *db.Tx, name, subject string, window time.Duration) error {
	left, err := s.windowLeftTx(ctx, tx, name, subject, window)
	if err != nil {
		return err
	}
	return ErrThrottle.With("seconds", max(1, seconds(left)))
}

// windowLeftTx is how much of the window of what CountTx has counted is left.
func (s *Service) windowLeftTx(ctx context.Context, tx *db.Tx, name, subject string, window time.Duration) (time.Duration, error) {
	var since time.Time
	if err := tx.Conn.QueryRow(ctx, `SELECT since FROM throttles WHERE name = $1 AND subject = $2`, name, subject).Scan(&since); err != nil {
		return 0, fmt.Errorf("read the counter %s: %w", name, err)
	}
	return window - s.clock.Now().Sub(since), nil
}

// Requester returns the requester at an IP address; it is Own if one of the trader's devices was last seen there.
func (s *Service) Requester(ctx context.Context, traderID int64, ip string) (Requester, error) {
	return requester(ctx, s.db.Pool, traderID, ip)
}

// RequesterTx is Requester inside the caller's transaction.
func (s *Service) RequesterTx(ctx context.Context, tx *db.Tx, traderID int64, ip string) (Requester, error) {
	return requester(ctx, tx.Conn, traderID, ip)
}

func requester(ctx context.Context, q db.Querier, traderID int64, ip string) (Requester, error) {
	by := Stranger(ip)
	err := q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM devices WHERE trader_id = $1 AND last_ip = $2 AND removed_at IS NULL)`, traderID, ip).Scan(&by.Own)
	if err != nil {
		return by, fmt.Errorf("look for a place of trader %d: %w", traderID, err)
	}
	return by, nil
}

// ClearTx clears a counter of CountTx or Throttle.
func (s *Service) ClearTx(ctx context.Context, tx *db.Tx, name, subject string) error {
	if _, err := tx.Conn.Exec(ctx, `DELETE FROM throttles WHERE name = $1 AND subject = $2`, name, subject); err != nil {
		return fmt.Errorf("clear %s: %w", name, err)
	}
	return nil
}

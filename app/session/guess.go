package session

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/clientip"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Waits after wrong passwords, per account and source.
const (
	firstWaitAfter, firstWait   = 5, 60 * time.Second
	secondWaitAfter, secondWait = 10, 15 * time.Minute
	wrongWindow                 = 24 * time.Hour
)

// Limits of guesses that come from many sources, or go to many accounts. Devices that the trader has logged in from do not count, nor does what was right.
const (
	guessesPerDay  = 100 // compared for one account
	accountsAnHour = 20  // tried with a wrong password from one source
	codesAnHour    = 300 // tried from one source instead of a password that does not count any more
)

// ErrCodeFirst is returned instead of comparing a password: too many were wrong for the account, or from the source. A code that is sent to the account's
// contact shows who it is, and then the password counts again.
var ErrCodeFirst = errs.New(errs.Refused, "login.code_first")

// Attempt is a log-in that is about to be compared.
type Attempt struct {
	Account string // as it was typed, in its one form
	IP      string
	Known   bool // the device is one that the trader has logged in from
	Proven  bool // a code that was sent to the account's contact came with it
	Staff   bool // of the back office, where an authenticator stands behind the password: guesses count by source alone, apart from traders'
}

func (a Attempt) source() string { return clientip.Source(a.IP) }
func (a Attempt) limited() bool  { return !a.Known && !a.Proven }

// subject is what wrong passwords are counted under. Those from known devices have a count of their own: a neighbour at the same address makes no owner wait.
func (a Attempt) subject() string {
	if a.Known {
		return a.Account + "|" + a.source() + "|known"
	}
	return a.Account + "|" + a.source()
}

// tries is what the accounts that a source tries are counted under: an office behind one address has colleagues and, in its guest network, traders.
func (a Attempt) tries() string {
	if a.Staff {
		return "staff " + a.source()
	}
	return a.source()
}

func (a Attempt) hash() []byte {
	sum := sha256.Sum256([]byte(a.Account))
	return sum[:]
}

// Guess counts a password that is about to be tried, before it is compared, so that parallel guesses can't outrun the counters. It returns ErrThrottle with
// the seconds to wait, or ErrCodeFirst, and then nothing is compared. A right password is told to GuessRight. No outsider can lock the owner out: waits are
// counted by source, and a known device or a code goes past the other limits.
func (s *Service) Guess(ctx context.Context, a Attempt) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.waitTx(ctx, tx, a); err != nil || !a.limited() {
			return err
		}
		if err := s.countSourceTx(ctx, tx, a); err != nil || a.Staff {
			return err
		}
		return s.countAccountTx(ctx, tx, a)
	})
}

// waitTx counts a guess of an account from a source, unless it has to wait: then nothing is counted.
func (s *Service) waitTx(ctx context.Context, tx *db.Tx, a Attempt) error {
	now := s.clock.Now()
	tag, err := tx.Conn.Exec(ctx, `
		INSERT INTO throttles (name, subject, count, since) VALUES ('password', $1, 1, $2)
		ON CONFLICT (name, subject) DO UPDATE SET
			count = CASE WHEN throttles.since < $3 THEN 1 ELSE throttles.count + 1 END, since = $2
		WHERE throttles.since <= CASE WHEN throttles.count >= $4 THEN $5::timestamptz WHEN throttles.count >= $6 THEN $7 ELSE throttles.since END`,
		a.subject(), now, now.Add(-wrongWindow), secondWaitAfter, now.Add(-secondWait), firstWaitAfter, now.Add(-firstWait))
	if err != nil {
		return fmt.Errorf("count a guess: %w", err)
	}
	if tag.RowsAffected() == 1 {
		return nil
	}
	var count int
	var last time.Time
	err = tx.Conn.QueryRow(ctx, `SELECT count, since FROM throttles WHERE name = 'password' AND subject = $1`, a.subject()).Scan(&count, &last)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("read a throttle: %w", err)
	}
	wait := firstWait
	if count >= secondWaitAfter {
		wait = secondWait
	}
	return ErrThrottle.With("seconds", max(1, seconds(wait-now.Sub(last))))
}

// countSourceTx notes that the source tries the account. It returns ErrCodeFirst when it has tried too many others lately; one by one, so that many at once
// can't pass together.
func (s *Service) countSourceTx(ctx context.Context, tx *db.Tx, a Attempt) error {
	now := s.clock.Now()
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`, a.tries()); err != nil {
		return err
	}
	var others int
	err := tx.Conn.QueryRow(ctx, `SELECT count(*) FROM wrong_logins WHERE source = $1 AND at > $2 AND account <> $3`, a.tries(), now.Add(-time.Hour), a.hash()).Scan(&others)
	if err != nil {
		return fmt.Errorf("count the accounts that a source has tried: %w", err)
	}
	if others >= accountsAnHour {
		return ErrCodeFirst
	}
	_, err = tx.Conn.Exec(ctx, `INSERT INTO wrong_logins (source, account, at) VALUES ($1, $2, $3) ON CONFLICT (source, account) DO UPDATE SET at = EXCLUDED.at`, a.tries(), a.hash(), now)
	if err != nil {
		return fmt.Errorf("note the account that a source tries: %w", err)
	}
	return nil
}

// countAccountTx counts a guess of the account from wherever. It returns ErrCodeFirst when the day's are used up.
func (s *Service) countAccountTx(ctx context.Context, tx *db.Tx, a Attempt) error {
	n, err := s.CountTx(ctx, tx, "account_guesses", a.Account, wrongWindow)
	if err == nil && n > guessesPerDay {
		err = ErrCodeFirst
	}
	return err
}

// CountCodeTry counts a code that comes with a password that does not count any more. It returns ErrThrottle when the source has tried too many.
func (s *Service) CountCodeTry(ctx context.Context, ip string) error {
	_, err := s.Throttle(ctx, "code_tries", clientip.Source(ip), codesAnHour, time.Hour)
	return err
}

// GuessRight forgets what Guess has counted for a password that was right.
func (s *Service) GuessRight(ctx context.Context, a Attempt) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `DELETE FROM throttles WHERE name = 'password' AND subject = $1`, a.subject()); err != nil {
			return fmt.Errorf("forget wrong passwords: %w", err)
		}
		return s.uncountTx(ctx, tx, a, true)
	})
}

// GuessNotCompared takes back what Guess has counted for a password that could not be compared, because the server is busy or the caller has left: the next one
// need not wait. What others have guessed of the account from the source stays counted.
func (s *Service) GuessNotCompared(ctx context.Context, a Attempt) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		var left int
		err := tx.Conn.QueryRow(ctx, `
			UPDATE throttles SET count = greatest(0, count - 1), since = since - $2::interval WHERE name = 'password' AND subject = $1 RETURNING count`, a.subject(), secondWait).Scan(&left)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("take a guess back: %w", err)
		}
		return s.uncountTx(ctx, tx, a, left == 0)
	})
}

// uncountTx takes a guess from the counts beside that of the account from the source; none tells whether the source has no other guess of the account.
func (s *Service) uncountTx(ctx context.Context, tx *db.Tx, a Attempt, none bool) (err error) {
	if !a.limited() {
		return nil
	}
	if none {
		_, err = tx.Conn.Exec(ctx, `DELETE FROM wrong_logins WHERE source = $1 AND account = $2`, a.tries(), a.hash())
	}
	if err == nil && !a.Staff {
		_, err = tx.Conn.Exec(ctx, `UPDATE throttles SET count = greatest(0, count - 1) WHERE name = 'account_guesses' AND subject = $1`, a.Account)
	}
	if err != nil {
		return fmt.Errorf("take a guess from the counts: %w", err)
	}
	return nil
}

// WrongTx counts a password that was wrong for a trader, and tells whether it is the one of the day at which the trader is told.
func (s *Service) WrongTx(ctx context.Context, tx *db.Tx, account string) (tell bool, err error) {
	n, err := s.CountTx(ctx, tx, "account_wrong", account, wrongWindow)
	return n == tellAfter, err
}

// tellAfter is how many wrong passwords in a day a trader is told of.
const tellAfter = 5

// SweepGuesses forgets what no limit looks at any more; it is work for a schedule.
func (s *Service) SweepGuesses(ctx context.Context) error {
	now := s.clock.Now()
	for _, old := range []struct {
		sql    string
		before time.Time
	}{
		{`DELETE FROM wrong_logins WHERE at < $1`, now.Add(-time.Hour)},
		{`DELETE FROM code_requests WHERE at < $1`, now.Add(-CodeLife)},
		{`DELETE FROM solved_challenges WHERE expires_at < $1`, now},
		{`DELETE FROM throttles WHERE since < $1`, now.Add(-2 * wrongWindow)},
	} {
		if _, err := s.db.Pool.Exec(ctx, old.sql, old.before); err != nil {
			return fmt.Errorf("forget old guesses: %w", err)
		}
	}
	return nil
}

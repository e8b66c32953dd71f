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

// Limits on guesses from many sources or for many accounts. Known devices and right passwords don't count.
const (
	GuessesPerDay  = 100 // compared per account
	accountsAnHour = 20  // tried with a wrong password per source
	codesAnHour    = 300 // tried per source when the password no longer counts
)

// accountGuesses names the counter of guesses for an account from unknown devices.
const accountGuesses = "account_guesses"

// ErrCodeFirst is returned instead of comparing a password, after too many wrong ones for the account or from the source. With a code sent to the account's
// contact, the password counts again.
var ErrCodeFirst = errs.New(errs.Refused, "login.code_first")

// Attempt is a log-in before its password is compared.
type Attempt struct {
	Account string // as typed, normalised
	IP      string
	Known   bool // the trader has logged in from the device before
	Proven  bool // it includes a code that was sent to the account's contact
	Staff   bool // a back-office sign-in: sources are counted apart from those of traders, and no mailed code makes the password count again
}

func (a Attempt) source() string { return clientip.Source(a.IP) }
func (a Attempt) limited() bool  { return !a.Known && !a.Proven }

// subject is the key for counting wrong passwords. Known devices have their own count: a neighbour at the same address can't make the owner wait.
func (a Attempt) subject() string {
	if a.Known {
		return a.Account + "|" + a.source() + "|known"
	}
	return a.Account + "|" + a.source()
}

// tries is the key for counting the accounts that a source tries: an office address may serve staff and, on its guest network, traders.
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

// Guess counts a password before it is compared, so that parallel guesses can't outrun the counters. After ErrThrottle, with the seconds to wait,
// ErrCodeFirst or ErrStaffGuesses, the password must not be compared. Report a right password to GuessRight. No outsider can lock a trader out: waits are counted by source,
// and a known device or a code bypasses the other limits. Staff get no code: an outsider can keep a member's new browsers out for a day, but neither the known ones
// nor whoever has a one-time link.
func (s *Service) Guess(ctx context.Context, a Attempt) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.waitTx(ctx, tx, a); err != nil || !a.limited() {
			return err
		}
		if err := s.countSourceTx(ctx, tx, a); err != nil {
			return err
		}
		return s.countAccountTx(ctx, tx, a)
	})
}

// waitTx counts a guess for an account from a source. If the source has to wait, nothing is counted.
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

// countSourceTx records that the source tries the account. It returns ErrCodeFirst if the source has tried too many others lately. Calls run one at a time, so
// that concurrent ones can't pass together.
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

// countAccountTx counts a guess for the account from any source. It returns ErrCodeFirst when the day's guesses are used up; ErrStaffGuesses for staff.
func (s *Service) countAccountTx(ctx context.Context, tx *db.Tx, a Attempt) error {
	n, err := s.CountTx(ctx, tx, accountGuesses, a.Account, wrongWindow)
	if err != nil || n <= GuessesPerDay {
		return err
	}
	if a.Staff {
		return s.staffGuessesTx(ctx, tx, a.Account)
	}
	return ErrCodeFirst
}

// CountCodeTry counts a code that comes with a password that no longer counts. It returns ErrThrottle when the source has tried too many.
func (s *Service) CountCodeTry(ctx context.Context, ip string) error {
	_, err := s.Throttle(ctx, "code_tries", clientip.Source(ip), codesAnHour, time.Hour)
	return err
}

// GuessRight clears what Guess has counted, after a right password.
func (s *Service) GuessRight(ctx context.Context, a Attempt) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `DELETE FROM throttles WHERE name = 'password' AND subject = $1`, a.subject()); err != nil {
			return fmt.Errorf("forget wrong passwords: %w", err)
		}
		return s.uncountTx(ctx, tx, a, true)
	})
}

// GuessNotCompared takes back what Guess has counted for a password that was not compared, because the server is busy or the caller has left: the next one need
// not wait. Other guesses for the account from the source stay counted.
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

// uncountTx takes a guess off the counts of the source and of the account; none means that the source has no other guess for the account.
func (s *Service) uncountTx(ctx context.Context, tx *db.Tx, a Attempt, none bool) (err error) {
	if !a.limited() {
		return nil
	}
	if none {
		_, err = tx.Conn.Exec(ctx, `DELETE FROM wrong_logins WHERE source = $1 AND account = $2`, a.tries(), a.hash())
	}
	if err == nil {
		_, err = tx.Conn.Exec(ctx, `UPDATE throttles SET count = greatest(0, count - 1) WHERE name = $2 AND subject = $1`, a.Account, accountGuesses)
	}
	if err != nil {
		return fmt.Errorf("take a guess from the counts: %w", err)
	}
	return nil
}

// WrongTx counts a wrong password for a trader and reports whether it is the one of the day that triggers a notice.
func (s *Service) WrongTx(ctx context.Context, tx *db.Tx, account string) (tell bool, err error) {
	n, err := s.CountTx(ctx, tx, "account_wrong", account, wrongWindow)
	return n == tellAfter, err
}

// tellAfter is the number of wrong passwords in a day that triggers a notice to the trader.
const tellAfter = 5

// SweepGuesses deletes what no limit uses any more; it is work for a schedule.
func (s *Service) SweepGuesses(ctx context.Context) error {
	now := s.clock.Now()
	for _, old := range []struct {
		sql    string
		before time.Time
	}{
		{`DELETE FROM wrong_logins WHERE at < $1`, now.Add(-time.Hour)},
		{`DELETE FROM code_requests WHERE at < $1`, now.Add(-CodeLife)},
		{`DELETE FROM solved_challenges WHERE expires_at < $1`, now},
		{`DELETE FROM wallet_texts WHERE expires_at < $1`, now},
		{`DELETE FROM throttles WHERE since < $1`, now.Add(-2 * wrongWindow)},
	} {
		if _, err := s.db.Pool.Exec(ctx, old.sql, old.before); err != nil {
			return fmt.Errorf("forget old guesses: %w", err)
		}
	}
	return nil
}

package session_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/platform/db"
	"candor/app/session"
)

func (b *bundle) guess(account, from string) error {
	return b.sessions.Guess(b.Context(), session.Attempt{Account: account, IP: from})
}

func (b *bundle) guesses(n int) {
	b.Helper()
	for range n {
		require.NoError(b, b.guess(address, ip))
	}
}

func TestGuess(t *testing.T) {
	t.Parallel()

	t.Run("WaitsAMinuteAfterFive", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.guesses(5)
		requireWait(t, session.ErrThrottle, "60", b.guess(address, ip))
		b.clock.Advance(59*time.Second + 500*time.Millisecond)
		requireWait(t, session.ErrThrottle, "1", b.guess(address, ip))
		b.clock.Advance(500 * time.Millisecond)
		b.guesses(1)
		requireWait(t, session.ErrThrottle, "60", b.guess(address, ip))
	})
	t.Run("WaitsAQuarterOfAnHourAfterTen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.guesses(5)
		for range 5 {
			b.clock.Advance(time.Minute)
			b.guesses(1)
		}
		for range 3 {
			requireWait(t, session.ErrThrottle, "900", b.guess(address, ip))
			b.clock.Advance(15*time.Minute - time.Second)
			requireWait(t, session.ErrThrottle, "1", b.guess(address, ip))
			b.clock.Advance(time.Second)
			b.guesses(1)
		}
	})
	t.Run("ARefusedOneDoesNotProlongTheWait", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.guesses(5)
		for range 30 {
			b.clock.Advance(time.Second)
			require.ErrorIs(t, b.guess(address, ip), session.ErrThrottle)
		}
		b.clock.Advance(30 * time.Second)
		b.guesses(1)
	})
	t.Run("AnotherSourceOrAccountIsNotAffected", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.guesses(5)
		require.ErrorIs(t, b.guess(address, ip), session.ErrThrottle)
		require.NoError(t, b.guess(address, "198.51.100.1"))
		require.NoError(t, b.guess("other@example.com", ip))
	})
	t.Run("ARightOneForgetsTheWrongOnes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.guesses(5)
		require.NoError(t, b.sessions.GuessRight(t.Context(), session.Attempt{Account: address, IP: "198.51.100.1"}))
		require.ErrorIs(t, b.guess(address, ip), session.ErrThrottle, "from elsewhere it forgets nothing")
		require.NoError(t, b.sessions.GuessRight(t.Context(), session.Attempt{Account: address, IP: ip}))
		b.guesses(5)
		require.ErrorIs(t, b.guess(address, ip), session.ErrThrottle)
	})
	t.Run("OneThatWasNotComparedCostsNoWait", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.guesses(5)
		for range 3 {
			requireWait(t, session.ErrThrottle, "60", b.guess(address, ip))
			b.clock.Advance(time.Minute)
			for range 2 {
				b.guesses(1)
				require.NoError(t, b.sessions.GuessNotCompared(t.Context(), session.Attempt{Account: address, IP: ip}))
			}
			b.guesses(1)
		}
	})
	t.Run("ADayForgetsThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.guesses(5)
		b.clock.Advance(day + time.Second)
		b.guesses(5)
		require.ErrorIs(t, b.guess(address, ip), session.ErrThrottle)
	})
	t.Run("TwentyAtOnceTryFive", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var allowed atomic.Int32
		var group errgroup.Group
		for range 20 {
			group.Go(func() error {
				err := b.guess(address, ip)
				if err == nil {
					allowed.Add(1)
				} else if !errors.Is(err, session.ErrThrottle) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 5, allowed.Load())
	})
}

func TestGuessesFromManySources(t *testing.T) {
	t.Parallel()
	t.Run("AHundredADayOfOneAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for n := range 100 {
			require.NoError(t, b.guess(address, fmt.Sprint("198.51.100.", n)))
		}
		require.ErrorIs(t, b.guess(address, "203.0.113.1"), session.ErrCodeFirst)
		require.NoError(t, b.guess("other@example.com", "203.0.113.1"))
		for _, past := range []session.Attempt{{Account: address, IP: "203.0.113.1", Known: true}, {Account: address, IP: "203.0.113.2", Proven: true}} {
			require.NoError(t, b.sessions.Guess(t.Context(), past), "%+v", past)
		}
		b.clock.Advance(day + time.Second)
		require.NoError(t, b.guess(address, "203.0.113.1"))
	})
	t.Run("RightOnesDoNotCount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for n := range 150 {
			from := fmt.Sprint("198.51.100.", n)
			require.NoError(t, b.guess(address, from))
			require.NoError(t, b.sessions.GuessRight(t.Context(), session.Attempt{Account: address, IP: from}))
		}
	})
	t.Run("TwentyAccountsAnHourOfOneSource", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		account := func(n int) string { return fmt.Sprint(n, "@example.com") }
		for n := range 20 {
			require.NoError(t, b.guess(account(n), ip))
		}
		require.ErrorIs(t, b.guess(account(20), ip), session.ErrCodeFirst)
		require.NoError(t, b.guess(account(3), ip), "one of the twenty")
		require.NoError(t, b.guess(account(20), "198.51.100.1"), "another source")
		require.NoError(t, b.sessions.Guess(t.Context(), session.Attempt{Account: account(21), IP: ip, Known: true}))
		require.NoError(t, b.sessions.GuessRight(t.Context(), session.Attempt{Account: account(3), IP: ip}))
		require.NoError(t, b.guess(account(22), ip), "what was right is forgotten")
		b.clock.Advance(time.Hour + time.Second)
		require.NoError(t, b.guess(account(23), ip))
	})
	t.Run("StaffAndTradersOfOneAddressAreCountedApart", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for n := range 20 {
			require.NoError(t, b.guess(fmt.Sprint(n, "@example.com"), ip))
			require.NoError(t, b.sessions.Guess(t.Context(), session.Attempt{Account: fmt.Sprint("staff:", n), IP: ip, Staff: true}))
		}
		require.ErrorIs(t, b.guess(address, ip), session.ErrCodeFirst)
		staff := session.Attempt{Account: "staff:another", IP: ip, Staff: true}
		require.ErrorIs(t, b.sessions.Guess(t.Context(), staff), session.ErrCodeFirst)
		require.NoError(t, b.sessions.GuessRight(t.Context(), session.Attempt{Account: "staff:3", IP: ip, Staff: true}))
		require.NoError(t, b.sessions.Guess(t.Context(), staff))
		require.ErrorIs(t, b.guess(address, ip), session.ErrCodeFirst)
	})
	t.Run("OneCustomerOfAProviderIsOneSource", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for n := range 20 {
			require.NoError(t, b.guess(fmt.Sprint(n, "@example.com"), fmt.Sprintf("2001:db8:1:2::%d", n)))
		}
		require.ErrorIs(t, b.guess(address, "2001:db8:1:2:ffff::1"), session.ErrCodeFirst)
		require.NoError(t, b.guess(address, "2001:db8:1:3::1"))
	})
	t.Run("ManyAtOnceDoNotOutrunTheLimits", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var allowed atomic.Int32
		var group errgroup.Group
		for n := range 60 {
			group.Go(func() error {
				err := b.guess(fmt.Sprint(n, "@example.com"), ip)
				if err == nil {
					allowed.Add(1)
				} else if !errors.Is(err, session.ErrCodeFirst) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 20, allowed.Load())
	})
	t.Run("OldOnesAreSwept", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.guess(address, ip))
		b.clock.Advance(3 * day)
		require.NoError(t, b.sessions.SweepGuesses(t.Context()))
		var left int
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM wrong_logins) + (SELECT count(*) FROM throttles)`).Scan(&left))
		require.Zero(t, left)
	})
}

func TestCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	count := func(subject string) (n int) {
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
			n, err = b.sessions.CountTx(t.Context(), tx, "codes", subject, time.Hour)
			return err
		}))
		return n
	}
	require.Equal(t, []int{1, 2, 1}, []int{count("a"), count("a"), count("b")})
	b.clock.Advance(time.Hour)
	require.Equal(t, 3, count("a"))
	b.clock.Advance(time.Second)
	require.Equal(t, []int{1, 2}, []int{count("a"), count("a")}, "the window runs from its first")
	refusal := errors.New("no")
	require.ErrorIs(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := b.sessions.CountTx(t.Context(), tx, "codes", "a", time.Hour)
		return errors.Join(err, refusal)
	}), refusal)
	require.Equal(t, 3, count("a"))
}

func TestCodesTriedFromOneSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 300 {
		require.NoError(t, b.sessions.CountCodeTry(t.Context(), ip))
	}
	requireWait(t, session.ErrThrottle, "3600", b.sessions.CountCodeTry(t.Context(), ip))
	require.NoError(t, b.sessions.CountCodeTry(t.Context(), "198.51.100.9"), "others try theirs")
	b.clock.Advance(time.Hour + time.Second)
	require.NoError(t, b.sessions.CountCodeTry(t.Context(), ip))
}

func TestThrottleSaysHowLongToWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	try := func() error {
		_, err := b.sessions.Throttle(t.Context(), "codes", "anna", 2, time.Minute)
		return err
	}
	require.NoError(t, try())
	require.NoError(t, try())
	requireWait(t, session.ErrThrottle, "60", try())
	b.clock.Advance(40 * time.Second)
	requireWait(t, session.ErrThrottle, "20", try())
	b.clock.Advance(21 * time.Second)
	require.NoError(t, try())
}

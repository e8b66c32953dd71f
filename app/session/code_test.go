package session_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/session"
)

const address = "anna@example.com"

// awaitWaiting returns once a connection of the test's database waits for a lock, or an answer has arrived.
func (b *bundle) awaitWaiting(answer chan error) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute) // patience
	defer cancel()
	for waiting := 0; waiting == 0 && len(answer) == 0; {
		require.NoError(b, b.db.Pool.QueryRow(ctx, `
			SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting))
	}
}

func TestIssueCode(t *testing.T) {
	t.Parallel()

	t.Run("IsSixDigitsAndKeptHashed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		require.Regexp(t, `^\d{6}$`, code)
		var plain int
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM codes WHERE hash = convert_to($1, 'UTF8') OR octet_length(hash) <> 32`, code).Scan(&plain))
		require.Zero(t, plain)
	})
	t.Run("AnotherOneIsRefusedForAMinute", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.mustIssue(session.RegisterCode, address)
		_, err := b.issue(session.RegisterCode, address, ip)
		requireWait(t, session.ErrCodeSoon, "60", err)
		b.clock.Advance(59*time.Second + 500*time.Millisecond)
		_, err = b.issue(session.RegisterCode, address, ip)
		requireWait(t, session.ErrCodeSoon, "1", err)
		b.mustIssue(session.RegisterCode, "other@example.com")
		b.mustIssue(session.LoginCode, address)
		b.clock.Advance(500 * time.Millisecond)
		b.mustIssue(session.RegisterCode, address)
	})
	t.Run("TenADayOfAPurposeAndAddress", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, purpose := range []session.Purpose{session.RegisterCode, session.MoneyOutCode} {
			b.clock.Set(start)
			for range 10 {
				b.mustIssue(purpose, address)
				b.clock.Advance(session.ResendAfter)
			}
			_, err := b.issue(purpose, address, ip)
			require.ErrorIs(t, err, session.ErrCodeCap)
			b.mustIssue(purpose, "other@example.com")
			b.clock.Set(start.Add(day - time.Second))
			_, err = b.issue(purpose, address, ip)
			require.ErrorIs(t, err, session.ErrCodeCap)
			b.clock.Set(start.Add(day))
			b.mustIssue(purpose, address)
		}
	})
	t.Run("WhatAStrangerUsesUpIsNotTheOwners", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		stranger := func(purpose session.Purpose) (err error) {
			return b.db.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := b.sessions.IssueCodeTx(t.Context(), tx, purpose.To(address), session.Stranger("198.51.100.1"))
				return err
			})
		}
		everyPurpose := []session.Purpose{
			session.RegisterCode, session.LoginCode, session.ForgottenPasswordCode, session.PaymentPasswordCode, session.MoneyOutCode, session.FreezeCode,
		}
		for range 10 {
			for _, purpose := range everyPurpose {
				require.NoError(t, stranger(purpose))
			}
			b.clock.Advance(session.ResendAfter)
		}
		for _, purpose := range everyPurpose {
			require.ErrorIs(t, stranger(purpose), session.ErrCodeCap)
			code, err := b.issueAs(purpose, address, session.Owner(ip))
			require.NoError(t, err, "the owner's of %s", purpose)
			for range 10 {
				_, err = b.sessions.TryCode(t.Context(), purpose.To(address), session.Stranger("198.51.100.1"), code)
				require.ErrorIs(t, err, session.ErrCode, "a stranger tries none of the owner's, and uses none of its tries up")
			}
			_, err = b.sessions.TryCode(t.Context(), purpose.To(address), session.Owner(ip), code)
			require.NoError(t, err)
		}
	})
	t.Run("StrangersOfOneAddressShareOneMail", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		_, err := b.issue(session.RegisterCode, address, "198.51.100.1")
		require.ErrorIs(t, err, session.ErrCodeSent)
		_, err = b.sessions.TryCode(t.Context(), session.RegisterCode.To(address), session.Stranger("198.51.100.1"), code)
		require.NoError(t, err, "whoever reads the mail uses the code")
		b.clock.Advance(session.ResendAfter)
		again := b.mustIssue(session.RegisterCode, address)
		_, err = b.issue(session.RegisterCode, address, "198.51.100.1")
		require.ErrorIs(t, err, session.ErrCodeSent, "who asked first may have it sent again; the others wait for it")
		for range 5 {
			_, _ = b.try(session.RegisterCode, address, wrongFor(again))
		}
		_, err = b.issue(session.RegisterCode, address, "198.51.100.1")
		require.ErrorIs(t, err, session.ErrCodeSoon, "one that was tried too often is in nobody's way for long")
		b.clock.Advance(session.ResendAfter)
		_, err = b.issue(session.RegisterCode, address, "198.51.100.1")
		require.NoError(t, err)
	})
	t.Run("ASourceHasNoCap", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for n := range 60 {
			b.mustIssue(session.RegisterCode, fmt.Sprintf("%d@example.com", n))
		}
	})
	t.Run("OfEightAsksAtOnceOneIsAnswered", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var issued atomic.Int32
		var group errgroup.Group
		for n := range 8 {
			group.Go(func() error {
				_, err := b.issue(session.RegisterCode, address, fmt.Sprint("192.0.2.", n))
				if err == nil {
					issued.Add(1)
				} else if !errors.Is(err, session.ErrCodeSent) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, issued.Load())
	})
	t.Run("TwoAtOnceDoNotOutrunTheDaysCap", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 9 {
			b.mustIssue(session.RegisterCode, address)
			b.clock.Advance(session.CodeLife)
		}
		second := make(chan error, 1)
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			if _, err := b.sessions.IssueCodeTx(t.Context(), tx, session.RegisterCode.To(address), session.Stranger(ip)); err != nil {
				return err
			}
			go func() {
				b.clock.Advance(session.CodeLife + time.Second)
				_, err := b.issue(session.RegisterCode, address, "198.51.100.1")
				second <- err
			}()
			return dbtest.Concurrently(func() error {
				b.awaitWaiting(second)
				return nil
			})
		}))
		require.ErrorIs(t, <-second, session.ErrCodeCap)
	})
	t.Run("ANewOneKillsTheOneBeforeIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.mustIssue(session.RegisterCode, address)
		b.clock.Advance(session.ResendAfter)
		code := b.mustIssue(session.RegisterCode, address)
		if old != code {
			_, err := b.try(session.RegisterCode, address, old)
			require.ErrorIs(t, err, session.ErrCode)
		}
		_, err := b.try(session.RegisterCode, address, code)
		require.NoError(t, err)
	})
	t.Run("ANewOneLeavesOtherPurposesAlone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		b.clock.Advance(session.ResendAfter)
		b.mustIssue(session.LoginCode, address)
		_, err := b.try(session.RegisterCode, address, code)
		require.NoError(t, err)
	})
}

func TestTryCode(t *testing.T) {
	t.Parallel()

	t.Run("RightIsUsedOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		id, err := b.try(session.RegisterCode, address, code)
		require.NoError(t, err)
		require.NoError(t, b.use(id))
		require.ErrorIs(t, b.use(id), session.ErrCode)
		_, err = b.try(session.RegisterCode, address, code)
		require.ErrorIs(t, err, session.ErrCode)
	})
	t.Run("FourWrongOnesLeaveAFifthTry", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		for range 4 {
			_, err := b.try(session.RegisterCode, address, wrong(code))
			require.ErrorIs(t, err, session.ErrCode)
		}
		_, err := b.try(session.RegisterCode, address, code)
		require.NoError(t, err)
	})
	t.Run("FiveWrongOnesKillIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, purpose := range []session.Purpose{session.RegisterCode, session.MoneyOutCode} { // a stranger's, and the owner's
			code := b.mustIssue(purpose, address)
			for range 5 {
				_, err := b.try(purpose, address, wrong(code))
				require.ErrorIs(t, err, session.ErrCode)
			}
			_, err := b.try(purpose, address, code)
			require.ErrorIs(t, err, session.ErrCode)
		}
	})
	t.Run("NoOtherFormOfTheDigitsFits", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for n, form := range []func(string) string{
			func(string) string { return "" }, func(c string) string { return c + " " }, func(c string) string { return "0" + c },
			func(c string) string { return c[:5] }, func(c string) string { return c + "\x00" }, func(string) string { return "\xff" },
		} {
			to := fmt.Sprintf("%d@example.com", n)
			_, err := b.try(session.RegisterCode, to, form(b.mustIssue(session.RegisterCode, to)))
			require.ErrorIs(t, err, session.ErrCode)
		}
	})
	t.Run("TwentyAtOnceCompareFive", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		var compared atomic.Int32
		var group errgroup.Group
		for range 20 {
			group.Go(func() error {
				_, err := b.try(session.RegisterCode, address, code) // the right one, so that each comparison succeeds
				if err == nil {
					compared.Add(1)
				} else if !errors.Is(err, session.ErrCode) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 5, compared.Load())
	})
	t.Run("TwentyWrongOnesAtOnceKillIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		var group errgroup.Group
		for range 20 {
			group.Go(func() error {
				if _, err := b.try(session.RegisterCode, address, wrong(code)); !errors.Is(err, session.ErrCode) {
					return fmt.Errorf("a wrong code: %w", err)
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		_, err := b.try(session.RegisterCode, address, code)
		require.ErrorIs(t, err, session.ErrCode)
	})
	t.Run("OfEightUsesAtOnceOneCounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id, err := b.try(session.LoginCode, address, b.mustIssue(session.LoginCode, address))
		require.NoError(t, err)
		var used atomic.Int32
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				err := b.use(id)
				if err == nil {
					used.Add(1)
				} else if !errors.Is(err, session.ErrCode) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, used.Load())
	})
	t.Run("AnotherPurposeOrAddressIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		for range 6 {
			_, err := b.try(session.LoginCode, address, code)
			require.ErrorIs(t, err, session.ErrCode)
			_, err = b.try(session.RegisterCode, "other@example.com", code)
			require.ErrorIs(t, err, session.ErrCode)
			_, err = b.try("link", address, code)
			require.ErrorIs(t, err, session.ErrCode)
		}
		_, err := b.try(session.RegisterCode, address, code)
		require.NoError(t, err, "tries of others do not count")
	})
	t.Run("TheSameDigitsForAnotherPurposeHashDifferently", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		b.clock.Advance(session.ResendAfter)
		b.mustIssue(session.LoginCode, address)
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE codes SET hash = (SELECT hash FROM codes WHERE purpose = 'register') WHERE purpose = 'login'`)
		require.NoError(t, err)
		_, err = b.try(session.LoginCode, address, code)
		require.ErrorIs(t, err, session.ErrCode)
	})
	t.Run("LivesTenMinutes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.mustIssue(session.RegisterCode, address)
		b.clock.Advance(session.CodeLife - time.Millisecond)
		_, err := b.try(session.RegisterCode, address, code)
		require.NoError(t, err)
		b.clock.Advance(time.Millisecond)
		_, err = b.try(session.RegisterCode, address, code)
		require.ErrorIs(t, err, session.ErrCode)
	})
}

// wrongFor returns a code other than the given one.
func wrongFor(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

// TestStrangersTryWhatTheyAskedFor: a source that has not requested a code, by solving a challenge, uses up nobody's tries; no stranger uses up the owner's.
func TestStrangersTryWhatTheyAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const purpose, elsewhere = session.ForgottenPasswordCode, "198.51.100.1"
	try := func(by session.Requester, code string) error {
		_, err := b.sessions.TryCodeElsewhere(t.Context(), purpose.To(address), by, code)
		return err
	}
	code := b.mustIssue(purpose, address)
	for range 10 {
		err := try(session.Stranger(elsewhere), code)
		require.ErrorIs(t, err, session.ErrCode, "their source has asked for none")
		require.False(t, session.WasCompared(err))
	}
	_, err := b.issue(purpose, address, elsewhere)
	require.ErrorIs(t, err, session.ErrCodeSent)
	b.clock.Advance(session.CodeLife)
	require.False(t, session.WasCompared(try(session.Stranger(elsewhere), code)), "it is too long ago")

	b.clock.Advance(session.ResendAfter)
	own, err := b.issueAs(purpose, address, session.Owner(ip))
	require.NoError(t, err)
	require.NoError(t, try(session.Stranger(elsewhere), own), "the owner may be elsewhere")
	for range 10 {
		require.ErrorIs(t, try(session.Stranger(elsewhere), wrong(own)), session.ErrCode)
	}
	require.ErrorIs(t, try(session.Stranger(elsewhere), own), session.ErrCode, "after five")
	require.NoError(t, try(session.Owner(ip), own))
}

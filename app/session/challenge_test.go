package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/session"
)

func (b *bundle) challenge(from string) session.Challenge {
	b.Helper()
	c, err := b.sessions.NewChallenge(b.Context(), from)
	require.NoError(b, err)
	return c
}

func (b *bundle) solve(solution, from string) error {
	return b.sessions.UseSolution(b.Context(), solution, from)
}

// hasSolved sets how many challenges ip has solved within the hour.
func (b *bundle) hasSolved(n int) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), `
		INSERT INTO throttles (name, subject, count, since) VALUES ('solved', $1, $2, $3) ON CONFLICT (name, subject) DO UPDATE SET count = EXCLUDED.count`, ip, n, b.clock.Now())
	require.NoError(b, err)
}

func TestChallenges(t *testing.T) {
	t.Parallel()
	t.Run("ASolutionCountsOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		solution := b.challenge(ip).Solve()
		require.NoError(t, b.solve(solution, ip))
		require.ErrorIs(t, b.solve(solution, ip), session.ErrVerifyWrong)
		require.NoError(t, b.solve(b.challenge(ip).Solve(), "198.51.100.1"), "a phone may change its network meanwhile")
	})
	t.Run("WhatIsNoneIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.challenge(ip)
		unsolved := fmt.Sprint(c.Text, ".no")
		easier := c
		easier.Difficulty = 1
		first := "A"
		if c.Text[:1] == first {
			first = "B"
		}
		forged := session.Challenge{Text: first + c.Text[1:], Difficulty: c.Difficulty}
		require.ErrorIs(t, b.solve("", ip), session.ErrVerify)
		for _, solution := range []string{unsolved, easier.Text, forged.Solve(), "x", ".", c.Text + "." + strings.Repeat("0 ", 500)} {
			require.ErrorIs(t, b.solve(solution, ip), session.ErrVerifyWrong, solution)
		}
	})
	t.Run("ItExpires", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		solution := b.challenge(ip).Solve()
		b.clock.Advance(session.ChallengeLife + time.Second)
		require.ErrorIs(t, b.solve(solution, ip), session.ErrVerifyWrong)
	})
	t.Run("AnotherServerTakesIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		solution := b.challenge(ip).Solve()
		other := *b
		other.sessions = session.New(b.db, b.clock, nil)
		require.NoError(t, other.solve(solution, ip))
		require.ErrorIs(t, b.solve(solution, ip), session.ErrVerifyWrong)
	})
	t.Run("EasyOnesAreNotKeptForLater", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var kept []string
		for range 3 {
			kept = append(kept, b.challenge(ip).Solve())
		}
		b.hasSolved(200)
		require.NoError(t, b.solve(kept[0], ip), "neighbours may have solved some meanwhile")
		b.hasSolved(400)
		require.ErrorIs(t, b.solve(kept[1], ip), session.ErrVerifyWrong)
		require.NoError(t, b.solve(b.challenge(ip).Solve(), ip))
		require.NoError(t, b.solve(kept[2], "198.51.100.1"), "a source that is not busy")
	})
	t.Run("ItGrowsHarderForABusySource", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		usual := b.challenge(ip).Difficulty
		for solved, harder := range map[int]int{199: 0, 200: 1, 400: 2, 6_400: 6, 1_000_000: 8} {
			b.hasSolved(solved)
			require.Equal(t, usual+harder, b.challenge(ip).Difficulty, solved)
			require.Equal(t, usual, b.challenge("198.51.100.1").Difficulty)
		}
	})
}

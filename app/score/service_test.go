package score_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/score"
)

const aDay = 24 * time.Hour

// TestTheFactsOfATrader counts what other domains keep, and leaves out what is not the trader's or is too old.
func TestTheFactsOfATrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, other := b.trader(100), b.trader(0)
	b.exec(`UPDATE traders SET level = 2, auth_status = 3 WHERE id = $1`, one)
	account := b.scan(`INSERT INTO accounts (trader_id, kind, book, type, currency) VALUES ($1, 'contract', 'real', 1, 'USDT') RETURNING id`, one)
	mock := b.scan(`INSERT INTO accounts (trader_id, kind, book, type, currency) VALUES ($1, 'contract', 'mock', 5, 'USDT') RETURNING id`, one)
	call := func(account int64, at time.Time) {
		b.scan(`INSERT INTO margin_calls (account_id, equity, used_margin, created_at, at_ms, recovered_at) VALUES ($1, 1, 1, $2, 1, $2) RETURNING id`, account, at)
	}
	call(account, start)
	call(account, start.AddDate(-1, 0, 1))
	call(account, start.AddDate(-1, 0, -1)) // too old
	call(mock, start)                       // demo money
	b.flag(one)

	s := b.of(one)
	require.Equal(t, score.Facts{IdentityLevel: 2, AgeDays: 100, MarginCalls: 2, ConductFlags: 1}, s.Facts)
	require.Equal(t, 500+120+10-10-60, s.Score)
	require.Equal(t, score.Current, s.Rules)
	require.Equal(t, "2026-11-20", s.Day.Format(time.DateOnly))
	require.Equal(t, score.Facts{}, b.of(other).Facts)
}

// TestADayIsComputedOnce keeps the first score of a day: neither a second run nor a new fact changes it, and the next day counts the fact.
func TestADayIsComputedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one := b.trader(10)
	b.trader(20)
	b.guest()
	compute := func() int {
		n, err := b.scores.ComputeDue(t.Context())
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 2, compute(), "guests have no score")
	require.Equal(t, 0, compute())
	require.Equal(t, 501, b.of(one).Score)
	b.flag(one)
	require.Equal(t, 0, compute())
	require.Equal(t, 501, b.of(one).Score, "today stays")
	b.clock.Advance(aDay)
	require.Equal(t, 2, compute())
	require.Equal(t, 441, b.of(one).Score)

	list, next, err := b.scores.History(t.Context(), one, time.Time{}, 10)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []int{441, 501}, []int{list[0].Score, list[1].Score})
	require.True(t, next.IsZero())
	list, next, err = b.scores.History(t.Context(), one, time.Time{}, 1)
	require.NoError(t, err)
	require.Equal(t, 441, list[0].Score)
	for _, far := range []time.Time{time.UnixMilli(math.MaxInt64), time.UnixMilli(math.MinInt64)} {
		_, _, err := b.scores.History(t.Context(), one, far, 1)
		require.NoError(t, err, "a time that no column holds")
	}
	list, next, err = b.scores.History(t.Context(), one, next, 1)
	require.NoError(t, err)
	require.Equal(t, 501, list[0].Score)
	require.True(t, next.IsZero())
}

// TestWhoHasNoScore refuses guests, unknown traders and those whose account closes for good; one that can still be kept open has a score.
func TestWhoHasNoScore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	leaving, closing := b.trader(0), b.trader(0)
	b.exec(`UPDATE traders SET closes_at = $2, told_at = $2 WHERE id = $1`, leaving, start)
	b.exec(`UPDATE traders SET closes_at = $2 WHERE id = $1`, closing, start)
	for _, id := range []int64{b.guest(), leaving, 4711} {
		_, err := b.scores.Of(t.Context(), id)
		require.ErrorIs(t, err, score.ErrNone)
	}
	require.Equal(t, 500, b.of(closing).Score)
	n, err := b.scores.ComputeDue(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
}

// TestManyReadersComputeOne lets the first reads of a day race.
func TestManyReadersComputeOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one := b.trader(0)
	var group errgroup.Group
	for range 12 {
		group.Go(func() error {
			_, err := b.scores.Of(t.Context(), one)
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM credit_scores`))
}

// TestNobodyChangesAScore tries what the server's role may not do.
func TestNobodyChangesAScore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one := b.trader(0)
	b.of(one)
	for _, statement := range []string{
		`UPDATE credit_scores SET score = 850`, `DELETE FROM credit_scores`, `TRUNCATE credit_scores`, `DELETE FROM conduct_flags`, `UPDATE conduct_flags SET reason = 'spam'`,
	} {
		b.flagOnce(one)
		_, err := b.db.Pool.Exec(t.Context(), statement)
		require.Error(t, err, statement)
	}
	_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO credit_scores SELECT trader_id, day + 1, rules, 299, 0, 0, 0, 0, 0, 0, 0, computed_at FROM credit_scores`)
	require.ErrorContains(t, err, "credit_scores_score_check")
	require.Equal(t, 500, b.of(one).Score)
}

// flagOnce flags a trader who has no flag yet.
func (b *bundle) flagOnce(traderID int64) {
	b.Helper()
	if len(b.flags(traderID)) == 0 {
		b.flag(traderID)
	}
}

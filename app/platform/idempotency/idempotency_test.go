package idempotency_test

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/idempotency"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

type bundle struct {
	*testing.T
	db  *db.DB
	url string
	own string // as the database's owner
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return &bundle{T: t, db: d, url: test.URL, own: test.OwnerURL}
}

func request() idempotency.Request {
	return idempotency.Request{
		TraderID: 10000001, Call: "/client/recharge/bank", Key: "key-1", Body: []byte(`{"amount":"5"}`), TraceID: rand.Text(),
		At: time.Date(2026, 11, 26, 12, 0, 0, 123456789, time.FixedZone("", 3600)).Add(time.Duration(arrived.Add(1)) * time.Second),
	}
}

// arrived counts the requests: each arrives a second after the one before.
var arrived atomic.Int64

// result is what work has done. JSON leaves the secret out.
type result struct {
	Text, Empty string
	At          time.Time
	Sums        []int64
	Secret      string `json:"-"`
}

// work has one effect, a row that counts, and a result that never comes twice.
func work(tx *db.Tx) (result, error) {
	_, err := tx.Conn.Exec(tx.Rows.Statement.Context, `
		INSERT INTO throttles (name, subject, count, since) VALUES ('effect', '', 1, now())
		ON CONFLICT (name, subject) DO UPDATE SET count = throttles.count + 1`)
	return result{Text: rand.Text(), At: time.Now(), Sums: []int64{1 << 62}}, err
}

func (b *bundle) do(r idempotency.Request) (idempotency.Result[result], error) {
	return idempotency.Do(b.Context(), b.db, r, work)
}

func (b *bundle) effects() (n int) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT coalesce(sum(count), 0) FROM throttles WHERE name = 'effect'`).Scan(&n))
	return n
}

// awaitWaiting returns when n connections of the test's database wait for a lock.
func (b *bundle) awaitWaiting(n int) error {
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute) // patience, for when they never come
	defer cancel()
	for waiting := -1; waiting < n; {
		err := b.db.Pool.QueryRow(ctx, `
			SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting)
		if err != nil {
			return err
		}
	}
	return nil
}

func TestDo(t *testing.T) {
	t.Parallel()

	t.Run("TheSecondGetsTheResultTraceAndTimeOfTheFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, err := b.do(request())
		require.NoError(t, err)
		for range 3 {
			again, err := b.do(request())
			require.NoError(t, err)
			require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		}
		require.Equal(t, 1, b.effects())
	})
	t.Run("AnotherServerReplaysIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, err := b.do(request())
		require.NoError(t, err)
		other, err := db.Open(t.Context(), b.url)
		require.NoError(t, err)
		defer other.Close()
		again, err := idempotency.Do(t.Context(), other, request(), work)
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		require.Equal(t, 1, b.effects())
	})
	t.Run("AnotherBodyIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, err := b.do(request())
		require.NoError(t, err)
		other := request()
		other.Body = []byte(`{"amount":"50"}`)
		answer, err := b.do(other)
		require.ErrorIs(t, err, idempotency.ErrKeyReused)
		require.Zero(t, answer)
		again, err := b.do(request())
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		require.Equal(t, 1, b.effects())
	})
	t.Run("AnotherTraderCallOrKeyIsIndependent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		trader, call, key := request(), request(), request()
		trader.TraderID, call.Call, key.Key = 10000002, "/client/recharge/cancel", "key-2"
		trader.Body = []byte(`{"amount":"7"}`)
		answers := map[string]bool{}
		for _, r := range []idempotency.Request{request(), trader, call, key} {
			answer, err := b.do(r)
			require.NoError(t, err)
			answers[answer.Value.Text] = true
		}
		require.Len(t, answers, 4)
		require.Equal(t, 4, b.effects())
	})
	t.Run("EightAtOnceHaveOneEffectAndOneAnswer", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		const parallel = 8
		var group errgroup.Group
		answers := make([]string, parallel)
		for i := range parallel {
			group.Go(func() error {
				answer, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (result, error) {
					if err := dbtest.Concurrently(func() error { return b.awaitWaiting(parallel - 1) }); err != nil {
						return result{}, err
					}
					return work(tx)
				})
				answers[i] = dbtest.JSON(t, answer)
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.Equal(t, 1, b.effects())
		require.NotEmpty(t, answers[0])
		require.Len(t, slices.Compact(answers), 1)
	})
	t.Run("OneThatWaitsTakesOverWhenTheFirstFails", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		refusal := errors.New("no")
		var group errgroup.Group
		var started atomic.Int32
		var refused atomic.Int32
		for range 2 {
			group.Go(func() error {
				_, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (result, error) {
					if started.Add(1) > 1 {
						return work(tx)
					}
					if _, err := work(tx); err != nil {
						return result{}, err
					}
					return result{}, errors.Join(refusal, dbtest.Concurrently(func() error { return b.awaitWaiting(1) }))
				})
				if errors.Is(err, refusal) {
					refused.Add(1)
					return nil
				}
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, refused.Load())
		require.Equal(t, 1, b.effects())
	})
	t.Run("AnErrorUndoesTheEffectAndFreesTheKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		refusal := errors.New("no")
		answer, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (result, error) {
			done, err := work(tx)
			return done, errors.Join(err, refusal)
		})
		require.ErrorIs(t, err, refusal)
		require.Zero(t, answer)
		require.Zero(t, b.effects())
		other := request()
		other.Body = []byte(`{"amount":"50"}`)
		_, err = b.do(other)
		require.NoError(t, err)
		require.Equal(t, 1, b.effects())
	})
	t.Run("WhatJSONLeavesOutIsStoredNowhere", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		secretive := func(*db.Tx) (result, error) { return result{Text: "known", Secret: "hidden"}, nil }
		first, err := idempotency.Do(t.Context(), b.db, request(), secretive)
		require.NoError(t, err)
		require.Equal(t, result{Text: "known", Secret: "hidden"}, first.Value)
		again, err := idempotency.Do(t.Context(), b.db, request(), secretive)
		require.NoError(t, err)
		require.Equal(t, result{Text: "known"}, again.Value)
		var stored string
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT convert_from(result, 'UTF8') FROM idempotency_keys`).Scan(&stored))
		require.Equal(t, `{"Text":"known"}`, stored)
	})
	t.Run("AResultThatCannotBeStoredUndoesTheEffectAndFreesTheKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (func(), error) {
			_, err := work(tx)
			return func() {}, err
		})
		require.ErrorContains(t, err, "store the result")
		require.Zero(t, b.effects())
		_, err = b.do(request())
		require.NoError(t, err)
		require.Equal(t, 1, b.effects())
	})
	t.Run("ACommitThatFailsGivesNoAnswerAndFreesTheKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		owner, err := db.Open(t.Context(), b.own)
		require.NoError(t, err)
		defer owner.Close()
		_, err = owner.Pool.Exec(t.Context(), `CREATE TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED); GRANT INSERT ON late TO PUBLIC`)
		require.NoError(t, err)
		answer, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (result, error) {
			_, err := tx.Conn.Exec(t.Context(), `INSERT INTO late VALUES (1), (1)`)
			return result{Text: "never"}, err // the database refuses it at the commit
		})
		require.ErrorContains(t, err, "commit")
		require.Zero(t, answer)
		_, err = b.do(request())
		require.NoError(t, err)
	})
	t.Run("APanicUndoesTheEffectAndFreesTheKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Panics(t, func() {
			_, _ = idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (result, error) {
				_, _ = work(tx)
				panic("boom")
			})
		})
		require.Zero(t, b.effects())
		_, err := b.do(request())
		require.NoError(t, err)
	})
	t.Run("AKeyIsOneToSixtyFourCharacters", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, key := range []string{"", strings.Repeat("k", 65), "\xff\xfe", "a\x00b"} {
			r := request()
			r.Key = key
			_, err := b.do(r)
			require.ErrorIs(t, err, idempotency.ErrKeyMissing, "%q", key)
		}
		require.Zero(t, b.effects())
		for _, key := range []string{"k", strings.Repeat("k", 64), "ключ"} {
			r := request()
			r.Key = key
			_, err := b.do(r)
			require.NoError(t, err, "%q", key)
		}
		require.Equal(t, 3, b.effects())
	})
}

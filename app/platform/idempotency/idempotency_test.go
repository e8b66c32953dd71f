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
		TraderID: 10000001, Call: "/client/recharge/bank", Key: "key-1", Body: []byte(`{"amount":"5"}`),
		Encode: func(result any) ([]byte, error) { return []byte(`{"answer":"` + result.(string) + `"}`), nil },
	}
}

// work has one effect, a row that counts, and a result that never comes twice.
func work(tx *db.Tx) (any, error) {
	_, err := tx.Conn.Exec(tx.Rows.Statement.Context, `
		INSERT INTO throttles (name, subject, count, since) VALUES ('effect', '', 1, now())
		ON CONFLICT (name, subject) DO UPDATE SET count = throttles.count + 1`)
	return rand.Text(), err
}

func (b *bundle) do(r idempotency.Request) ([]byte, error) {
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

	t.Run("TheSecondReplaysTheFirstByteForByte", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, err := b.do(request())
		require.NoError(t, err)
		for range 3 {
			again, err := b.do(request())
			require.NoError(t, err)
			require.Equal(t, string(first), string(again))
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
		require.Equal(t, string(first), string(again))
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
		require.Nil(t, answer)
		again, err := b.do(request())
		require.NoError(t, err)
		require.Equal(t, string(first), string(again))
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
			answers[string(answer)] = true
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
				answer, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (any, error) {
					if err := dbtest.Concurrently(func() error { return b.awaitWaiting(parallel - 1) }); err != nil {
						return nil, err
					}
					return work(tx)
				})
				answers[i] = string(answer)
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
				_, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (any, error) {
					if started.Add(1) > 1 {
						return work(tx)
					}
					if _, err := work(tx); err != nil {
						return nil, err
					}
					return nil, errors.Join(refusal, dbtest.Concurrently(func() error { return b.awaitWaiting(1) }))
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
		answer, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (any, error) {
			result, err := work(tx)
			return result, errors.Join(err, refusal)
		})
		require.ErrorIs(t, err, refusal)
		require.Nil(t, answer)
		require.Zero(t, b.effects())
		other := request()
		other.Body = []byte(`{"amount":"50"}`)
		_, err = b.do(other)
		require.NoError(t, err)
		require.Equal(t, 1, b.effects())
	})
	t.Run("AnAnswerThatCannotBeEncodedUndoesTheEffectAndFreesTheKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		broken := request()
		broken.Encode = func(any) ([]byte, error) { return nil, errors.New("no") }
		_, err := b.do(broken)
		require.ErrorContains(t, err, "encode")
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
		answer, err := idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (any, error) {
			_, err := tx.Conn.Exec(t.Context(), `INSERT INTO late VALUES (1), (1)`)
			return "never", err // the database refuses it at the commit
		})
		require.ErrorContains(t, err, "commit")
		require.Nil(t, answer)
		_, err = b.do(request())
		require.NoError(t, err)
	})
	t.Run("APanicUndoesTheEffectAndFreesTheKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Panics(t, func() {
			_, _ = idempotency.Do(t.Context(), b.db, request(), func(tx *db.Tx) (any, error) {
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

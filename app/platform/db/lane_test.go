package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
)

var everyLane = []db.Lane{db.House, db.Sessions, db.Traders, db.Strangers, db.Staff}

func open(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

// occupy takes every connection of a lane until the test ends, and counts them.
func occupy(t *testing.T, d *db.DB, lane db.Lane) (n int) {
	t.Helper()
	ctx := db.WithLane(t.Context(), lane)
	for n = range int(d.Pool.Of(lane).Config().MaxConns) {
		conn, err := d.Pool.Acquire(ctx)
		require.NoError(t, err)
		t.Cleanup(conn.Release)
	}
	return n + 1
}

func TestLanes(t *testing.T) {
	t.Parallel()
	t.Run("NoneTakesAConnectionOfAnother", func(t *testing.T) {
		t.Parallel()
		d := open(t)
		total := 0
		for _, taken := range []db.Lane{db.Traders, db.Strangers, db.Staff} {
			total += occupy(t, d, taken)
		}
		for _, lane := range []db.Lane{db.House, db.Sessions} {
			ctx := db.WithLane(t.Context(), lane)
			require.NoError(t, d.Pool.Ping(ctx))
			require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error { return tx.Rows.Exec(`SELECT 1`).Error }))
			require.NoError(t, d.Rows(ctx).Exec(`SELECT 1`).Error)
		}
		require.NoError(t, d.Hot(t.Context(), func(conn *pgx.Conn) error { return conn.Ping(t.Context()) }))
		require.Less(t, total, 80, "with the house's, the sessions' and the orders' they fit into PostgreSQL's usual hundred")
	})
	t.Run("WhoeverWaitsTooLongIsTold", func(t *testing.T) {
		t.Parallel()
		d := open(t)
		occupy(t, d, db.Strangers)
		limit, cancel := context.WithTimeout(t.Context(), 40*time.Second)
		t.Cleanup(cancel)
		ctx := db.WithLane(limit, db.Strangers)
		began := false
		waits := map[string]func() error{
			"Query": func() error { return d.Pool.QueryRow(ctx, `SELECT 1`).Scan(new(int)) },
			"Exec":  func() error { _, err := d.Pool.Exec(ctx, `SELECT 1`); return err },
			"Rows":  func() error { return d.Rows(ctx).Exec(`SELECT 1`).Error },
			"InTx": func() error {
				return d.InTx(ctx, func(*db.Tx) error { began = true; return nil })
			},
		}
		for name, wait := range waits {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				err := wait()
				require.ErrorIs(t, err, db.ErrBusy)
				require.True(t, db.IsBusy(err))
				require.False(t, db.IsDown(err), "the database is there")
			})
		}
		t.Cleanup(func() { require.False(t, began) })
	})
	t.Run("WhoeverGivesUpIsNotToldThatItIsBusy", func(t *testing.T) {
		t.Parallel()
		d := open(t)
		occupy(t, d, db.Strangers)
		ctx, cancel := context.WithCancel(db.WithLane(t.Context(), db.Strangers))
		cancel()
		_, err := d.Pool.Exec(ctx, `SELECT 1`)
		require.ErrorIs(t, err, context.Canceled)
		require.False(t, db.IsBusy(err))
	})
	t.Run("ThereIsRoomForAllOfThem", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, open(t).CheckRoom(t.Context()))
	})
	t.Run("TheDatabaseEndsWhatTakesTooLong", func(t *testing.T) {
		t.Parallel()
		d := open(t)
		setting := func(lane db.Lane, name string) (limit time.Duration) {
			var ms int64
			require.NoError(t, d.Pool.QueryRow(db.WithLane(t.Context(), lane), `SELECT setting::bigint FROM pg_settings WHERE name = $1`, name).Scan(&ms))
			return time.Duration(ms) * time.Millisecond
		}
		for _, lane := range everyLane {
			require.Positive(t, setting(lane, "lock_timeout"), lane)
			require.Positive(t, setting(lane, "idle_in_transaction_session_timeout"), lane)
			if lane != db.House { // proofs and exports of the whole database have no limit that fits every size
				require.Positive(t, setting(lane, "statement_timeout"), lane)
			}
		}
		require.NoError(t, d.Hot(t.Context(), func(conn *pgx.Conn) error {
			var limits int
			require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_settings WHERE setting <> '0'
				AND name IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')`).Scan(&limits))
			require.Equal(t, 3, limits)
			return nil
		}))
	})
	t.Run("AWaitForALockEnds", func(t *testing.T) {
		t.Parallel()
		d := open(t)
		ctx := db.WithLane(t.Context(), db.Traders)
		require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error {
			_, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(7)`)
			require.NoError(t, err)
			return dbtest.Concurrently(func() error {
				err := d.InTx(ctx, func(other *db.Tx) error {
					_, err := other.Conn.Exec(ctx, `SET LOCAL lock_timeout = '10ms'; SELECT pg_advisory_xact_lock(7)`)
					return err
				})
				require.True(t, db.IsBusy(err), "%v", err)
				return nil
			})
		}))
	})
}

func TestASecondConnectionInsideATransactionIsRefused(t *testing.T) {
	// Not parallel: the nested calls recorded here must not fail the package.
	d := open(t)
	ctx := t.Context()
	gather := db.NewGather(func(context.Context, []int) (map[int]int, error) { return map[int]int{}, nil })
	for name, ask := range map[string]func() error{
		"Query":    func() error { return d.Pool.QueryRow(ctx, `SELECT 1`).Scan(new(int)) },
		"Another":  func() error { return d.InTx(ctx, func(*db.Tx) error { return nil }) },
		"Rows":     func() error { return d.Rows(ctx).Exec(`SELECT 1`).Error },
		"Hot":      func() error { return d.Hot(ctx, func(*pgx.Conn) error { return nil }) },
		"Gathered": func() error { _, _, err := gather.Find(ctx, 1); return err },
	} {
		require.ErrorIs(t, d.InTx(ctx, func(*db.Tx) error { return ask() }), db.ErrNested, name)
		require.ErrorIs(t, d.Hot(ctx, func(*pgx.Conn) error { return ask() }), db.ErrNested, name)
		require.NotEmpty(t, db.Nested(), name)
		require.NoError(t, ask(), "%s outside", name)
		require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error {
			tx.AfterCommit(func() { require.NoError(t, ask(), "%s afterwards", name) })
			return nil
		}))
		require.Empty(t, db.Nested(), name)
	}
}

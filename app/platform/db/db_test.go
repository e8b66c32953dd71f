package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

func TestTransaction(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	setup := func(t *testing.T) *db.DB {
		d, err := db.Open(ctx, dbtest.New(t).OwnerURL)
		require.NoError(t, err)
		t.Cleanup(d.Close)
		_, err = d.Pool.Exec(ctx, `CREATE TABLE marks (n int)`)
		require.NoError(t, err)
		return d
	}
	count := func(t *testing.T, d *db.DB) (n int) {
		require.NoError(t, d.Pool.QueryRow(ctx, `SELECT count(*) FROM marks`).Scan(&n))
		return n
	}
	bothFaces := func(tx *db.Tx) error {
		if err := tx.Rows.Exec(`INSERT INTO marks VALUES (1)`).Error; err != nil {
			return err
		}
		var seen int
		if err := tx.Conn.QueryRow(ctx, `SELECT count(*) FROM marks`).Scan(&seen); err != nil {
			return err
		}
		if seen != 1 {
			return errors.New("pgx does not see what gorm wrote")
		}
		_, err := tx.Conn.Exec(ctx, `INSERT INTO marks VALUES (2)`)
		return err
	}

	t.Run("GormAndPgxShareOneTransaction", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		require.NoError(t, d.InTx(ctx, bothFaces))
		require.Equal(t, 2, count(t, d))
	})
	t.Run("AnErrorUndoesBoth", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		refusal := errors.New("no")
		err := d.InTx(ctx, func(tx *db.Tx) error {
			require.NoError(t, bothFaces(tx))
			return refusal
		})
		require.ErrorIs(t, err, refusal)
		require.Zero(t, count(t, d))
	})
	t.Run("APanicUndoesBothAndFreesTheConnection", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		require.Panics(t, func() {
			_ = d.InTx(ctx, func(tx *db.Tx) error {
				_ = bothFaces(tx)
				panic("boom")
			})
		})
		require.Zero(t, count(t, d))
	})
}

package db_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
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
	t.Run("AfterCommitRunsWhenItIsDurable", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		seen := -1
		require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error {
			tx.AfterCommit(func() { seen = count(t, d) })
			return bothFaces(tx)
		}))
		require.Equal(t, 2, seen)
	})
	t.Run("AfterCommitNeverRunsWithoutOne", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		ran := false
		work := func(statement string, err error) error {
			return d.InTx(ctx, func(tx *db.Tx) error {
				tx.AfterCommit(func() { ran = true })
				_, failed := tx.Conn.Exec(ctx, statement)
				return errors.Join(failed, err)
			})
		}
		require.Error(t, work(`SELECT 1`, errors.New("no")))
		_, err := d.Pool.Exec(ctx, `ALTER TABLE marks ADD UNIQUE (n) DEFERRABLE INITIALLY DEFERRED`)
		require.NoError(t, err)
		require.ErrorContains(t, work(`INSERT INTO marks VALUES (1), (1)`, nil), "commit")
		require.False(t, ran)
		require.Zero(t, count(t, d))
	})
	for _, code := range []string{"40001", "40P01"} {
		t.Run("RunsAgainAfter"+code, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			attempts, after := 0, 0
			require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error {
				attempts++
				tx.AfterCommit(func() { after++ })
				if err := bothFaces(tx); err != nil {
					return err
				}
				if attempts < 3 {
					return fmt.Errorf("wrapped: %w", &pgconn.PgError{Code: code})
				}
				return nil
			}))
			require.Equal(t, []int{3, 1, 2}, []int{attempts, after, count(t, d)})
		})
	}
	t.Run("GivesUpAfterThreeAndNeverRunsARefusalAgain", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		for want, refusal := range map[int]error{3: &pgconn.PgError{Code: "40001"}, 1: &pgconn.PgError{Code: "23505"}} {
			attempts := 0
			err := d.InTx(ctx, func(*db.Tx) error {
				attempts++
				return refusal
			})
			require.ErrorIs(t, err, refusal)
			require.Equal(t, want, attempts)
		}
		require.Zero(t, count(t, d))
	})
	t.Run("AGuardedUpdateMustMeetItsRow", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		require.NoError(t, d.InTx(ctx, bothFaces))
		update := func(sql string) error { return db.MustAffect(d.Rows(ctx).Exec(sql)) }
		require.NoError(t, update(`UPDATE marks SET n = 3 WHERE n = 1`))
		require.ErrorIs(t, update(`UPDATE marks SET n = 4 WHERE n = 1`), db.ErrChanged)
		require.ErrorIs(t, update(`UPDATE marks SET n = 4`), db.ErrChanged)
		require.NotErrorIs(t, update(`UPDATE nothing SET n = 4`), db.ErrChanged)
	})
	t.Run("AUniqueViolationIsKnownByItsConstraint", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		_, err := d.Pool.Exec(ctx, `ALTER TABLE marks ADD CONSTRAINT one_each UNIQUE (n); INSERT INTO marks VALUES (1)`)
		require.NoError(t, err)
		_, err = d.Pool.Exec(ctx, `INSERT INTO marks VALUES (1)`)
		require.True(t, db.IsUnique(err, "one_each"))
		require.False(t, db.IsUnique(err, "another"))
		require.False(t, db.IsUnique(errors.New("no"), "one_each"))
	})
}

func TestIsText(t *testing.T) {
	t.Parallel()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	for text, want := range map[string]bool{
		"": true, "plain": true, "Ünïcödé 文字 \U0001F600": true, "tab\tand\nline": true,
		"zero\x00byte": false, "\x00": false, "cut \xe2\x82": false, "\xff": false, "\xed\xa0\x80": false,
	} {
		require.Equal(t, want, db.IsText(text), "%q", text)
		var back string
		err := d.Pool.QueryRow(t.Context(), `SELECT $1::text`, text).Scan(&back)
		require.Equal(t, want, err == nil, "%q: PostgreSQL says %v", text, err)
	}
}

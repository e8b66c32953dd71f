package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/dbtest"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// folder is a data folder on whose database a server would run.
func folder(t *testing.T, owner string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := json.Marshal(map[string]string{"owner": owner})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run.json"), text, 0o600))
	return dir
}

// save stores a trader with a waiting payee, and one that was deleted while it waited.
func save(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	_, err := conn.Exec(t.Context(), `
		WITH one AS (INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ('tess@trader.example', 'Tess', '', 'CH', 'T', now()) RETURNING id)
		INSERT INTO payees (trader_id, kind, coin, chain, address, label, usable_from, created_at, removed_at)
		SELECT id, 'address', 'USDT', 'tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'Exchange', now() + interval '24 hours', now(), gone FROM one, (VALUES (NULL), (now())) AS v(gone)`)
	require.NoError(t, err)
}

func TestRun(t *testing.T) {
	t.Parallel()

	t.Run("APayeeThatWaitsCanBeUsedAndWaitedForItsDay", func(t *testing.T) {
		t.Parallel()
		d := dbtest.New(t)
		conn, err := pgx.Connect(t.Context(), d.OwnerURL)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(t.Context()) })
		save(t, conn)
		n, err := run(t.Context(), folder(t, d.OwnerURL))
		require.NoError(t, err)
		require.EqualValues(t, 1, n, "the deleted one is left alone")
		var usable bool
		var waited time.Duration
		err = conn.QueryRow(t.Context(), `SELECT usable_from <= now(), usable_from - created_at FROM payees WHERE removed_at IS NULL`).Scan(&usable, &waited)
		require.NoError(t, err)
		require.True(t, usable)
		require.Equal(t, 24*time.Hour, waited)

		_, err = run(t.Context(), folder(t, d.OwnerURL))
		require.ErrorIs(t, err, errNobody, "none waits any more")
	})
	t.Run("TheServersOwnRoleCanNot", func(t *testing.T) {
		t.Parallel()
		d := dbtest.New(t)
		conn, err := pgx.Connect(t.Context(), d.OwnerURL)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(t.Context()) })
		save(t, conn)
		_, err = run(t.Context(), folder(t, d.URL))
		require.ErrorContains(t, err, "permission denied")
	})
	t.Run("WithoutAServerThereIsNothingToChange", func(t *testing.T) {
		t.Parallel()
		_, err := run(t.Context(), t.TempDir())
		require.ErrorIs(t, err, os.ErrNotExist)
		_, err = run(t.Context(), folder(t, ""))
		require.ErrorContains(t, err, "names no owner")
	})
}

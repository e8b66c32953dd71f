package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/dbtest"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// folder makes a data folder as a running server leaves it.
func folder(t *testing.T, owner string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := json.Marshal(map[string]string{"owner": owner})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run.json"), text, 0o600))
	return dir
}

// fixture is a database with a pending wait of each kind.
func fixture(t *testing.T) (*dbtest.DB, *pgx.Conn) {
	t.Helper()
	d := dbtest.New(t)
	conn, err := pgx.Connect(t.Context(), d.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	for _, statement := range []string{`
		WITH one AS (INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ('tess@trader.example', 'Tess', '', 'CH', 'T', now()) RETURNING id)
		INSERT INTO payees (trader_id, kind, coin, chain, address, label, usable_from, created_at, removed_at)
		SELECT id, 'address', 'USDT', 'tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'Exchange', now() + interval '24 hours', now(), gone FROM one, (VALUES (NULL), (now())) AS v(gone)`, `
		INSERT INTO codes (purpose, address, own, source, hash, expires_at, created_at)
		SELECT 'login', 'tess@trader.example', true, '', '', now() - age + interval '10 minutes', now() - age FROM (VALUES (interval '0'), ('2 minutes')) AS v(age)`, `
		INSERT INTO staff (email, name, password_hash, totp_step, state, session_epoch, version, created_at)
		SELECT email, email, '', step, 'disabled', 1, 1, now() FROM (VALUES ('new@desk.example', 1 + floor(extract(epoch FROM now()) / 30)), ('old@desk.example', 7)) AS v(email, step)`, `
		INSERT INTO credit_scores SELECT id, (now() AT TIME ZONE 'UTC')::date - age, 1, 500, 0, 0, 0, 0, 0, 0, 0, now() FROM traders, (VALUES (0), (7)) AS v(age)`,
	} {
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	return d, conn
}

func TestRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ wait, over, kept string }{
		{"payees", `SELECT usable_from <= now() AND usable_from - created_at = '24 hours' FROM payees WHERE removed_at IS NULL`, `SELECT usable_from > now() FROM payees WHERE removed_at IS NOT NULL`},
		{
			"codes", `SELECT count(*) = 2 FROM codes WHERE created_at <= now() - interval '1 minute' AND expires_at - created_at = '10 minutes'`,
			`SELECT min(created_at) > now() - interval '150 seconds' FROM codes`,
		},
		{
			"authenticators", `SELECT totp_step < floor(extract(epoch FROM now()) / 30) FROM staff WHERE email = 'new@desk.example'`,
			`SELECT totp_step = 7 FROM staff WHERE email = 'old@desk.example'`,
		},
		{"scores", `SELECT count(*) = 0 FROM credit_scores WHERE day >= (now() AT TIME ZONE 'UTC')::date`, `SELECT count(*) = 1 FROM credit_scores WHERE day = (now() AT TIME ZONE 'UTC')::date - 7`},
	} {
		t.Run(tt.wait, func(t *testing.T) {
			t.Parallel()
			d, conn := fixture(t)
			is := func(question string) (yes bool) {
				require.NoError(t, conn.QueryRow(t.Context(), question).Scan(&yes), question)
				return yes
			}
			require.False(t, is(tt.over))
			n, err := run(t.Context(), folder(t, d.OwnerURL), tt.wait)
			require.NoError(t, err)
			require.EqualValues(t, 1, n)
			require.True(t, is(tt.over))
			require.True(t, is(tt.kept), "what does not wait is left alone")
		})
	}
	t.Run("TheServersOwnRoleCanNot", func(t *testing.T) {
		t.Parallel()
		d, _ := fixture(t)
		_, err := run(t.Context(), folder(t, d.URL), "payees")
		require.ErrorContains(t, err, "permission denied")
	})
	t.Run("AnUnknownWaitIsRefused", func(t *testing.T) {
		t.Parallel()
		d, _ := fixture(t)
		_, err := run(t.Context(), folder(t, d.OwnerURL), "holds")
		require.ErrorContains(t, err, `"holds" is none of authenticators, codes, notices, payees, scores`)
	})
	t.Run("WithoutAServerThereIsNothingToChange", func(t *testing.T) {
		t.Parallel()
		_, err := run(t.Context(), t.TempDir(), "payees")
		require.ErrorIs(t, err, os.ErrNotExist)
		_, err = run(t.Context(), folder(t, ""), "payees")
		require.ErrorContains(t, err, "names no owner")
	})
}

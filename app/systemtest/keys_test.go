package systemtest

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/bench"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault"
	"candor/app/server"
)

// TestOutboxCommand lists waiting messages on a development server, and none in production.
func TestOutboxCommand(t *testing.T) {
	t.Parallel()
	url := dbtest.New(t).URL
	p := newProgram(t, "DATABASE_URL="+url)
	d, err := db.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	keys, err := server.OpenVault(t.Context(), server.Config{DataDir: p.dataDir}, d)
	require.NoError(t, err)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	o := mail.New(mail.Config{DB: d, Clock: clock.Real{}, Queue: queue, Vault: keys, KeepUnsent: true})
	require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		return o.SendTx(t.Context(), tx, mail.Message{Kind: "login_code", Channel: mail.Mail, Recipient: "anna@example.com", Subject: "Your code", Body: "It is 864209.", CreatedAt: time.Now()})
	}))
	code, stdout, stderr := p.run(t, "outbox", "--json", "--to", "anna@example.com")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, `"kind":"login_code"`)
	require.Contains(t, stdout, "It is 864209.")

	p.env = append(p.env, "CANDOR_MODE=production")
	for _, args := range [][]string{{"outbox"}, {"outbox", "--json"}, {"outbox", "--to", "anna@example.com"}} {
		code, stdout, stderr = p.run(t, args...)
		require.Equal(t, 1, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "production mode shows no messages")
	}

	p.env = append(p.env, "CANDOR_MODE=development")
	code, stdout, stderr = p.run(t, "keys", "rotate")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "rewrapped: 1", "bodies that wait are rotated")
	code, _, stderr = p.run(t, "keys", "retire")
	require.Zero(t, code, stderr)
	_, stdout, _ = p.run(t, "outbox")
	require.Contains(t, stdout, "It is 864209.")
}

// TestEverySealedColumnIsRotated compares the rotated columns with the wrapped-key columns of the schema.
func TestEverySealedColumnIsRotated(t *testing.T) {
	t.Parallel()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	rows, err := d.Pool.Query(t.Context(), `
		SELECT table_name, column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name LIKE '%\_key' AND table_name <> 'river_job' ORDER BY 1, 2`)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[vault.Column])
	require.NoError(t, err)
	require.ElementsMatch(t, found, server.SealedColumns)
}

// TestKeysCommand rotates, retires and shreds with the program's own command while a server keeps sealing.
func TestKeysCommand(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "DATABASE_URL="+dbtest.New(t).URL)
	keys := func(want int, says string, args ...string) {
		t.Helper()
		code, stdout, stderr := p.run(t, append([]string{"keys"}, args...)...)
		require.Equal(t, want, code, "%s%s", stdout, stderr)
		require.Contains(t, stdout+stderr, says)
		require.NotContains(t, stdout+stderr, "Canaryson")
	}
	config := server.Config{DataDir: p.dataDir, Database: ""}
	for _, entry := range p.env {
		if url, ok := strings.CutPrefix(entry, "DATABASE_URL="); ok {
			config.Database = url
		}
	}
	d, err := server.OpenDatabase(t.Context(), config, io.Discard)
	require.NoError(t, err)
	t.Cleanup(d.DB.Close)
	folder := vault.NewFolder(t.TempDir())
	server, err := server.OpenVault(t.Context(), config, d.DB)
	require.NoError(t, err)
	identities := kyc.New(kyc.Config{DB: d.DB, Clock: clock.Real{}, Vault: server, Folder: folder})
	owner, _, err := bench.FundTrader(t.Context(), d.DB, "keys", "real", 0)
	require.NoError(t, err)
	name := "Wiremann Canaryson"
	save := func() {
		_, err := identities.Save(t.Context(), ledger.Owner{TraderID: owner.TraderID, Name: "k***"}, kyc.Filled{FullName: &name})
		require.NoError(t, err)
	}
	save()

	keys(1, "say what to do")
	keys(1, "say what to do", "melt")
	keys(1, "say what to do", "rotate", "now")
	keys(0, "keys in the file: 1; wrapped by older ones than the newest: 0", "status")
	keys(0, "rewrapped: 1", "rotate")
	save() // a running server finds the new key without being told
	keys(0, "keys in the file: 2; wrapped by older ones than the newest: 0", "status")
	keys(0, "rewrapped: 0", "rewrap")
	keys(0, "the older keys are gone", "retire")
	v, err := identities.Find(t.Context(), owner.TraderID)
	require.NoError(t, err)
	require.Equal(t, name, v.Data.FullName)

	trader := []string{"shred", "--trader", fmt.Sprint(owner.TraderID)}
	keys(1, "say why", trader...)
	keys(1, "there is no such trader", "shred", "--trader", "1", "--reason", "asked for by the trader")
	keys(1, "say what to do", "shred", "--reason", "asked for by the trader")
	keys(0, "shredded: 1 applications", append(trader, "--reason", "asked for by the trader")...)
	v, err = identities.Find(t.Context(), owner.TraderID)
	require.NoError(t, err)
	require.Empty(t, v.Data)
	var entries int
	require.NoError(t, d.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action IN ('kyc.rotate', 'kyc.rewrap', 'kyc.retire', 'kyc.shred') AND actor_name = 'operator'`).Scan(&entries))
	require.Equal(t, 4, entries)
}

package main

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
	"candor/app/platform/clock"
	"candor/app/platform/dbtest"
	"candor/app/platform/vault"
)

// TestKeysCommand rotates, retires and shreds by the program's own command, beside somebody who keeps sealing.
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
	config := Config{DataDir: p.dataDir, Database: ""}
	for _, entry := range p.env {
		if url, ok := strings.CutPrefix(entry, "DATABASE_URL="); ok {
			config.Database = url
		}
	}
	d, err := openDatabase(t.Context(), config, io.Discard)
	require.NoError(t, err)
	t.Cleanup(d.DB.Close)
	folder := vault.NewFolder(t.TempDir())
	server, err := openVault(t.Context(), config, d.DB)
	require.NoError(t, err)
	identities := kyc.New(d.DB, clock.Real{}, server, folder, nil)
	owner, _, err := fundTrader(t.Context(), d.DB, "keys", "real", 0)
	require.NoError(t, err)
	name := "Wiremann Canaryson"
	save := func() {
		_, err := identities.Save(t.Context(), kyc.Owner{TraderID: owner.TraderID, Name: "k***"}, kyc.Filled{FullName: &name})
		require.NoError(t, err)
	}
	save()

	keys(1, "say what to do")
	keys(1, "say what to do", "melt")
	keys(1, "say what to do", "rotate", "now")
	keys(0, "keys in the file: 1; wrapped by older ones than the newest: 0", "status")
	keys(0, "wrapped anew: 1", "rotate")
	save() // whoever seals has not been told, and looks
	keys(0, "keys in the file: 2; wrapped by older ones than the newest: 0", "status")
	keys(0, "wrapped anew: 0", "rewrap")
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

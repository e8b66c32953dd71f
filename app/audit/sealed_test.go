package audit_test

import (
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/seal"
)

func TestAnEntryNamesItsSeal(t *testing.T) {
	t.Parallel()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	_, key, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	chain, log := audit.NewChain(audit.Entries, d, clock.NewFixed(start), key, seal.NewOutside(t.TempDir(), "audit")), audit.NewLog(d)

	batch, _, waiting, err := log.Chained(t.Context())
	require.NoError(t, err)
	require.Zero(t, batch+waiting, "nothing has happened")
	record(t, log, 0, audit.Actor{Kind: audit.System, Name: "x"}, "staff.first_link", "staff", 0)
	list, err := log.List(t.Context(), audit.Filter{})
	require.NoError(t, err)
	e, s, err := log.Read(t.Context(), list[0].ID)
	require.NoError(t, err)
	require.Equal(t, "staff.first_link", e.Action)
	require.Zero(t, s.Batch, "not sealed yet")
	_, _, waiting, err = log.Chained(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, waiting)

	require.Eventually(t, func() bool {
		n, err := chain.Seal(t.Context())
		return err == nil && n == 1
	}, 10*time.Second, 10*time.Millisecond)
	_, s, err = log.Read(t.Context(), list[0].ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, s.Batch)
	require.Equal(t, start, s.At.UTC())
	require.NotZero(t, s.Hash)
	batch, at, waiting, err := log.Chained(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, batch)
	require.Equal(t, start, at)
	require.Zero(t, waiting)

	_, _, err = log.Read(t.Context(), 999)
	require.ErrorIs(t, err, audit.ErrNoEntry)
}

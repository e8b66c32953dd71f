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
	chain, log := audit.NewChain(audit.Entries, d, clock.NewFixed(start), key, seal.NewCheckpointStore(t.TempDir(), "audit")), audit.NewLog(d)

	batch, _, waiting, err := log.Chained(t.Context())
	require.NoError(t, err)
	require.Zero(t, batch+waiting, "nothing has happened")
	record(t, log, 0, audit.Actor{Kind: audit.System, Name: "x"}, "staff.first_link", "staff", 0)
	list, _, err := log.List(t.Context(), audit.Filter{})
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

func TestProofsLeadToPublishedHeads(t *testing.T) {
	t.Parallel()
	b := setup(t).fill()
	proofs, err := audit.Entries.Proofs(t.Context(), b.db.Pool, []int64{2, 4, 6, 9, 77})
	require.NoError(t, err)
	require.Len(t, proofs, 4, "an id that no row has has no place")
	heads, err := audit.Heads(t.Context(), b.db.Pool, audit.Entries.Heads, 0, 2)
	require.NoError(t, err)
	require.Len(t, heads, 2)
	older, err := audit.Heads(t.Context(), b.db.Pool, audit.Entries.Heads, heads[1].Batch, 2)
	require.NoError(t, err)
	require.Len(t, older, 1, "the page after that is the last")
	heads = append(heads, older...)
	require.Equal(t, []int64{3, 2, 1}, []int64{heads[0].Batch, heads[1].Batch, heads[2].Batch}, "newest first")
	log := audit.NewLog(b.db)
	for id, batch := range map[int64]int64{2: 1, 4: 2, 6: 2, 9: 3} {
		_, s, err := log.Read(t.Context(), id)
		require.NoError(t, err)
		proof := proofs[id]
		require.Equal(t, batch, proof.Head.Batch)
		require.Equal(t, heads[3-batch].Hash, proof.Head.Hash)
		require.Equal(t, proof.Head.Root, seal.Climb(s.Leaf, proof.Path), id)
		require.NotEqual(t, proof.Head.Root, seal.Climb(s.Previous, proof.Path), "another leaf leads elsewhere")
	}
	b.record(1)
	proofs, err = audit.Entries.Proofs(t.Context(), b.db.Pool, []int64{10})
	require.NoError(t, err)
	require.Empty(t, proofs, "not sealed yet")
}

package adjustment_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/platform/upload"
)

// TestEvidenceIsSealed keeps pictures of the requester's own undecided request, encrypted, and records each view.
func TestEvidenceIsSealed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(b.trader(100), 5)
	p := upload.Picture{Bytes: bytes.Repeat([]byte("a bank line "), 50), Width: 640, Height: 480}
	for want, who := range map[error]int64{approval.ErrNotRequester: b.checker.ID} {
		by := b.maker
		by.ID = who
		_, err := b.adjustments.AddEvidence(t.Context(), by, a.ID, p)
		require.ErrorIs(t, err, want)
	}
	_, err := b.adjustments.AddEvidence(t.Context(), b.maker, 999, p)
	require.ErrorIs(t, err, approval.ErrUnknown)
	var added []adjustment.Evidence
	for range adjustment.MaxEvidence {
		e, err := b.adjustments.AddEvidence(t.Context(), b.maker, a.ID, p)
		require.NoError(t, err)
		added = append(added, e)
	}
	_, err = b.adjustments.AddEvidence(t.Context(), b.maker, a.ID, p)
	require.ErrorIs(t, err, adjustment.ErrTooMuchEvidence)
	files, err := filepath.Glob(filepath.Join(b.dir, "adjustments", "*"))
	require.NoError(t, err)
	require.Len(t, files, adjustment.MaxEvidence, "what is refused leaves nothing behind")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(raw), "bank line")
	}

	raw, err := b.adjustments.ViewEvidence(t.Context(), b.checker, a.ID, added[0].ID)
	require.NoError(t, err)
	require.Equal(t, p.Bytes, raw)
	other := b.requested(b.trader(100), 5)
	_, err = b.adjustments.ViewEvidence(t.Context(), b.checker, other.ID, added[0].ID)
	require.ErrorIs(t, err, adjustment.ErrEvidence, "of another adjustment")
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'adjustment.view_evidence' AND actor_id = $1 AND target_id = $2`, b.checker.ID, fmt.Sprint(a.ID)))
	list, err := b.adjustments.EvidenceOf(t.Context(), a.ID)
	require.NoError(t, err)
	require.Len(t, list, adjustment.MaxEvidence)

	_, err = b.confirm(b.checker, other)
	require.NoError(t, err)
	_, err = b.adjustments.AddEvidence(t.Context(), b.maker, other.ID, p)
	require.ErrorIs(t, err, approval.ErrState, "it is decided")
	_, err = b.db.Pool.Exec(t.Context(), `DELETE FROM adjustment_evidence`)
	require.ErrorContains(t, err, "permission denied")
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE adjustment_evidence SET approval_id = $1`, other.ID)
	require.ErrorContains(t, err, "permission denied")
}

package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
)

// TestReferencesAreComparedTheSameWay requires that the program and the database take the same references for one payment.
func TestReferencesAreComparedTheSameWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for text, want := range map[string]string{
		"AB-12 34": "AB1234", "ab1234": "AB1234", " a.b/1\t2_3'4\n": "AB1234", "AB–12—34\u00a0": "AB1234", "AB\u200b1234": "AB1234", "AB\u30001234−": "AB1234",
		"AB1235": "AB1235", "Überweisung-7": "ÜBERWEISUNG7", "überweisung 7": "üBERWEISUNG7", "перевод 7": "перевод7", "---": "", "٣٤": "٣٤",
	} {
		require.Equal(t, want, ledger.ReferenceKey(text), text)
		var kept string
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT reference_key($1)`, text).Scan(&kept))
		require.Equal(t, want, kept, text)
	}
}

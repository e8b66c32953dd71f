package deposit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadBack(t *testing.T) {
	t.Parallel()
	reference := "SPB-2026-77AX"
	d := Deposit{BankReference: &reference}
	for _, right := range []string{"77AX", "77ax", " 77ax "} {
		require.NoError(t, d.ReadBack(right), right)
	}
	for _, wrong := range []string{"", "7AX", "X77AX", "77AY", reference} {
		require.ErrorIs(t, d.ReadBack(wrong), ErrProof, wrong)
	}
	require.ErrorIs(t, Deposit{}.ReadBack("77AX"), ErrProof, "nothing was typed yet")
	line := "BL-40005"
	require.NoError(t, Deposit{BankReference: &line}.ReadBack(""), "the bank gave no reference to read")
	_, err := Statement{Received: 1, Reference: "bl-40005", Sender: "Somebody"}.typed()
	require.Error(t, err, "nobody types the number of a line as a reference")
}

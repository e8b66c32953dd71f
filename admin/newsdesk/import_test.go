package newsdesk

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOneItemHoldsUpNoOther: the items after one that fails are stored too, and only that one is named.
func TestOneItemHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	var stored []int64
	broken := errors.New("changed")
	failed := each([]int64{1, 2, 3}, func(id int64) error {
		if id == 2 {
			return broken
		}
		stored = append(stored, id)
		return nil
	})
	require.Equal(t, []int64{1, 3}, stored)
	require.Equal(t, []failure{{2, broken}}, failed)
	require.Empty(t, each([]int64{1}, func(int64) error { return nil }))
}

package controldesk

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWhatIsKept: within its time a value is read once for all who ask, afterwards anew; a failure is not kept, and names don't share values.
func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	k := &keeper{kept: map[string]*keptValue{}}
	now, reads := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), 0
	get := func(name string, after time.Duration) int {
		value, err := keep(k, now.Add(after), name, time.Second, func() (int, error) { reads++; return reads, nil })
		require.NoError(t, err)
		return value
	}
	_, err := keep(k, now, "a", time.Second, func() (int, error) { return 0, errors.New("away") })
	require.Error(t, err)
	require.Equal(t, []int{1, 1, 2}, []int{get("a", 0), get("a", 999*time.Millisecond), get("a", time.Second)})
	require.Equal(t, 3, get("b", time.Second))
	get("c", time.Hour)
	require.Len(t, k.kept, 1, "what nobody asks for is forgotten")
}

package refusals_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/refusals"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// TestEachTenfoldCountIsLogged: per kind and minute, whatever happens to other kinds.
func TestEachTenfoldCountIsLogged(t *testing.T) {
	t.Parallel()
	var c refusals.Counter
	wrong := refusals.Kind{Subject: "7", Reason: "password", Source: "192.0.2.1"}
	var logged []int
	for range 1_000 {
		as, n, log := c.Count(wrong, noon)
		require.Equal(t, wrong, as)
		if log {
			logged = append(logged, n)
		}
	}
	require.Equal(t, []int{1, 10, 100, 1_000}, logged)
	for _, another := range []refusals.Kind{{"8", "password", "192.0.2.1"}, {"7", "throttle", "192.0.2.1"}, {"7", "password", "192.0.2.2"}} {
		_, n, log := c.Count(another, noon)
		require.True(t, log && n == 1, "%v", another)
	}
	_, _, log := c.Count(wrong, noon.Add(59*time.Second))
	require.False(t, log)
	_, n, log := c.Count(wrong, noon.Add(time.Minute))
	require.True(t, log && n == 1, "another minute")
}

// TestKindsBeyondTheMostAreOne: a minute's log lines and the memory stay bounded, and the earlier kinds stay separate.
func TestKindsBeyondTheMostAreOne(t *testing.T) {
	t.Parallel()
	var c refusals.Counter
	lines, kinds := 0, map[refusals.Kind]bool{}
	for n := range 50_000 {
		as, _, log := c.Count(refusals.Kind{Source: fmt.Sprint(n)}, noon)
		kinds[as] = true
		if log {
			lines++
		}
	}
	require.LessOrEqual(t, lines, refusals.Most+6)
	require.Len(t, kinds, refusals.Most+1)
	as, n, _ := c.Count(refusals.Kind{Source: "7"}, noon)
	require.Equal(t, refusals.Kind{Source: "7"}, as)
	require.Equal(t, 2, n)
}

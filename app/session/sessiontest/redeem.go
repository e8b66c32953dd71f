// Package sessiontest redeems secrets that work once, many times at once.
package sessiontest

import (
	"cmp"
	"encoding/json"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainRedemptions is how many calls there are at once, and how many trials, in an ordinary test run; REDEMPTIONS sets another number.
const plainRedemptions = "6"

// Redeem prepares a secret for each trial and redeems it many times at once: exactly one call may work.
func Redeem(t *testing.T, prepare func() (redeem func() error)) {
	t.Helper()
	many, err := strconv.Atoi(cmp.Or(os.Getenv("REDEMPTIONS"), plainRedemptions))
	require.NoError(t, err)
	for range many {
		redeem := prepare()
		var group sync.WaitGroup
		var worked atomic.Int64
		for range many {
			group.Go(func() {
				if redeem() == nil {
					worked.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, worked.Load())
	}
	line, err := json.Marshal(map[string]any{"goal": "G11", "secret": t.Name(), "trials": many, "atOnce": many})
	require.NoError(t, err)
	t.Log(string(line))
}

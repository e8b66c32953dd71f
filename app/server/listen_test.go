package server

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/netlimit"
)

// TestEveryAddressIsBounded: accepted connections leave a reserve of descriptors for the database, the checkpoints and events.
func TestEveryAddressIsBounded(t *testing.T) {
	t.Parallel()
	all, err := netlimit.Connections()
	require.NoError(t, err)
	listening, err := listen(Config{Addr: "127.0.0.1:0", AdminAddr: "127.0.0.1:0"})
	require.NoError(t, err)
	defer listening.close()
	require.IsType(t, &netlimit.Listener{}, listening.customer)
	require.IsType(t, &netlimit.Listener{}, listening.admin)
	limits, err := Config{}.socketLimits()
	require.NoError(t, err)
	require.Less(t, limits.Sockets, all, "calls find connections beside the sockets")
}

package db

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoomForEveryConnection(t *testing.T) {
	t.Parallel()
	all := 58 + int(hotConnections()) + spare
	require.NoError(t, fits(all))
	require.ErrorContains(t, fits(all-3), "raise max_connections by 3")
}

package server

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAFileOfPlacesThatCantBeRead stops the start with the name of the setting and of the file.
func TestAFileOfPlacesThatCantBeRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "city.mmdb")
	_, err := openPlaces(path)
	require.ErrorContains(t, err, "CANDOR_GEO_DB: open "+path)
	require.NoError(t, os.WriteFile(path, []byte("not a database"), 0o600))
	_, err = openPlaces(path)
	require.ErrorContains(t, err, "CANDOR_GEO_DB: "+path+" is no MaxMind DB file")
	none, err := openPlaces("")
	require.NoError(t, err)
	require.Zero(t, none.Of("203.0.113.24"))
}

package geo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/geo"
	"candor/app/platform/geo/geotest"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "city.mmdb")
	require.NoError(t, geotest.Write(path))
	places, err := geo.Open(path)
	require.NoError(t, err)
	require.NoError(t, os.Remove(path), "the file is kept in memory")
	for ip, want := range map[string]geo.Place{
		"203.0.113.24":        {Country: "PT", City: "Lisbon"},
		"::ffff:203.0.113.24": {Country: "PT", City: "Lisbon"},
		"198.51.100.7":        {Country: "ES"},
		"192.0.2.1":           {},
		"2001:db8::1":         {},
		"10.1.2.3":            {},
		"127.0.0.1":           {},
		"::1":                 {},
		"":                    {},
		"nowhere":             {},
	} {
		require.Equal(t, want, places.Of(ip), ip)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	none, err := geo.Open("")
	require.NoError(t, err)
	require.Zero(t, none.Of("203.0.113.24"))

	path := filepath.Join(t.TempDir(), "city.mmdb")
	_, err = geo.Open(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte("not a database"), 0o600))
	_, err = geo.Open(path)
	require.ErrorContains(t, err, path+" is no MaxMind DB file")
}

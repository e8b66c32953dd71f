package names_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/names"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"José NÚÑEZ": {"jose", "nunez"}, "O'Neill, Seán": {"oneill", "sean"}, "Søren Weiß-Łuk": {"soren", "weiss", "luk"}, "王小明": {"王小明"}, " \u202e ": {}, "": {},
	} {
		require.Equal(t, want, names.Words(name), name)
	}
}

func TestSearchable(t *testing.T) {
	t.Parallel()
	for search, want := range map[string]bool{
		"Ada Lovelace": true, "Li Bo": true, "Ada": true, "王明": true, "김민": true,
		"": false, "Li": false, "Li li": false, "王": false, "12345": false, "Ada 12345": false, "7": false,
	} {
		require.Equal(t, want, names.Searchable(names.Words(search)), search)
	}
}

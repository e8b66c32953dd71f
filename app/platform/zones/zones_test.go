package zones

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTheListIsGos: the list has the places that Go's zones have. UPDATE_GOLDEN=1 writes it anew.
func TestTheListIsGos(t *testing.T) {
	t.Parallel()
	goRoot, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	archive, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(goRoot)), "lib/time/zoneinfo.zip"))
	require.NoError(t, err)
	defer archive.Close()
	place := regexp.MustCompile(`^((Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/.*[^/]|UTC)$`)
	var want []string
	for _, file := range archive.File {
		if place.MatchString(file.Name) {
			want = append(want, file.Name)
		}
	}
	slices.Sort(want)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile("zones.txt", []byte(strings.Join(want, "\n")+"\n"), 0o600))
		return
	}
	require.Equal(t, want, Names())
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		_, ok := Load(name)
		require.True(t, ok, name)
	}
	name, ok := Listed("europe/BERLIN")
	require.True(t, ok)
	require.Equal(t, "Europe/Berlin", name)
	for _, other := range []string{"", "Local", "CET", "US/Eastern", "Etc/GMT+5", "Mars/Olympus", "Europe"} {
		_, ok := Listed(other)
		require.False(t, ok, other)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	zone, ok := Load("US/Eastern")
	require.True(t, ok, "an old name of a device is a zone too")
	require.Equal(t, "US/Eastern", zone.String())
	again, _ := Load("US/Eastern")
	require.Same(t, zone, again)
	for _, nonsense := range []string{"", "Local", "Mars/Olympus", "../../etc/passwd", strings.Repeat("x", 65)} {
		zone, ok := Load(nonsense)
		require.False(t, ok, nonsense)
		require.Same(t, time.UTC, zone)
	}
}

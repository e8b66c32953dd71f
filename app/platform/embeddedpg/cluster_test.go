//go:build linux || darwin

package embeddedpg

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestInterruptedInitdb(t *testing.T) {
	t.Parallel()

	t.Run("LeftoversAreRemovedAndTheStartIsMadeAnew", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		half := filepath.Join(b.dir, "draft-123", "cluster")
		require.NoError(t, os.MkdirAll(half, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(half, "postgresql.conf"), nil, 0o600))
		b.start(t)
		require.NoDirExists(t, half)
	})
	t.Run("UnfinishedClusterIsSetAsideNotDeleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, os.MkdirAll(filepath.Join(b.dir, "cluster", "base"), 0o711))
		b.start(t)
		aside, err := filepath.Glob(filepath.Join(b.dir, "cluster-unfinished-*", "base"))
		require.NoError(t, err)
		require.Len(t, aside, 1)
		require.Contains(t, b.log.String(), "was not finished")
	})
	t.Run("CancelledStartLeavesNothingHalf", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := Start(ctx, b.config())
		require.ErrorIs(t, err, context.DeadlineExceeded)
		left, err := filepath.Glob(filepath.Join(b.dir, "*"))
		require.NoError(t, err)
		require.Equal(t, []string{filepath.Join(b.dir, "lock")}, left)
		b.start(t)
	})
}

func TestMajorVersion(t *testing.T) {
	t.Parallel()

	t.Run("OtherMajorIsRefusedAndUntouched", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s := b.start(t)
		stop(t, s)
		version := filepath.Join(b.dir, "cluster", "PG_VERSION")
		require.NoError(t, os.WriteFile(version, []byte("12\n"), 0o600))
		_, err := Start(t.Context(), b.config())
		require.ErrorContains(t, err, "holds data of PostgreSQL 12 but")
		require.ErrorContains(t, err, fmt.Sprintf("is PostgreSQL %d: install PostgreSQL 12, or move", s.Major()))
		require.FileExists(t, filepath.Join(b.dir, "cluster", passwordFile))
	})
	t.Run("RealClusterOfTheSystemIsRefusedByTheNpmBinaries", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		system := b.config()
		system.ModuleDirs = []string{t.TempDir()}
		s, err := Start(t.Context(), system)
		if err != nil {
			t.Skipf("no system PostgreSQL: %v", err)
		}
		require.Equal(t, "Ж", query[string](t, s.SuperURL(Database), `SELECT upper('ж')`))
		stop(t, s)
		if _, ok := npmPackage(nil); !ok {
			t.Skip("no npm package")
		}
		_, err = Start(t.Context(), b.config())
		require.ErrorContains(t, err, fmt.Sprintf("holds data of PostgreSQL %d but", s.Major()))
	})
}

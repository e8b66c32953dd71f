//go:build linux || darwin

package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	t.Parallel()

	t.Run("ReturnsTheCommandsCodeAndStopsTheServer", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "address")
		code, err := run([]string{"sh", "-c", `echo "$CANDOR_TEST_POSTGRES" > "$0"; exit 7`, file})
		require.NoError(t, err)
		require.Equal(t, 7, code)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		address, err := url.Parse(strings.TrimSpace(string(text)))
		require.NoError(t, err)
		require.Equal(t, "postgres", address.User.Username())
		_, err = pgx.Connect(t.Context(), address.String())
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
	})
	t.Run("UnknownCommandIsAnError", func(t *testing.T) {
		t.Parallel()
		_, err := run([]string{"/no/such/command"})
		require.ErrorIs(t, err, os.ErrNotExist)
	})
	t.Run("CommandThatDiesOfASignalFollowsTheShellsRule", func(t *testing.T) {
		t.Parallel()
		code, err := run([]string{"sh", "-c", "kill -KILL $$"})
		require.NoError(t, err)
		require.Equal(t, 128+9, code)
	})
}

func TestRunPassesSignalsOn(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	go func() {
		for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if _, err := os.Stat(ready); err == nil {
				_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
				return
			}
		}
	}()
	code, err := run([]string{"sh", "-c", `trap 'exit 9' TERM; : > "$0"; while :; do sleep 0.05; done`, ready})
	require.NoError(t, err)
	require.Equal(t, 9, code)
}

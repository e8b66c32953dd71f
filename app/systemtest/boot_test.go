package systemtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"candor/app/platform/dbtest"
	"candor/app/server"
	"candor/app/trader"
)

// TestEmbeddedStart starts the program in an empty folder, stops it with Ctrl-C and starts it again.
func TestEmbeddedStart(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.start(t)
	said := p.output.String()
	for _, want := range []string{"Candor is running", "trader app", "/admin\n", "/admin/first/", "bin/candor outbox", "prices       simulated"} {
		require.Contains(t, said, want)
	}
	t.Run("OtherCommandsUseTheRunningOne", func(t *testing.T) {
		code, stdout, stderr := p.run(t, "verify")
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, "all is proved")
		code, stdout, stderr = p.run(t, "outbox", "--json")
		require.Zero(t, code, stderr)
		require.Equal(t, "[]\n", stdout)
		code, stdout, stderr = p.run(t, "staff", "link")
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, p.address+"/admin/first/")
	})
	t.Run("OtherProcessesCompareItsPasswords", func(t *testing.T) {
		workers := hashingProcesses(t, p.process.Process.Pid)
		require.Len(t, workers, trader.HashWorkers())
		for _, pid := range workers {
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		}
		answer, err := p.ask(http.MethodPost, "user/login", `{"account":"nobody@example.com","password":"wrong password","deviceId":"fingerprint-00000001"}`)
		require.NoError(t, err)
		require.Contains(t, answer, "Wrong account or password")
		require.Contains(t, p.output.String(), "a process that compares passwords is replaced")
	})
	t.Run("ASecondServerOnTheAddressIsRefused", func(t *testing.T) {
		code, _, stderr := p.run(t, "serve")
		require.Equal(t, 1, code)
		require.Equal(t, "candor: "+p.address+" is in use: stop the other program, or set CANDOR_ADDR to another address\n", stderr)
	})
	t.Run("ASecondServerOnTheDataIsRefused", func(t *testing.T) {
		other := *p
		other.env = append(append([]string{}, p.env...), "CANDOR_ADDR=127.0.0.1:0")
		code, _, stderr := other.run(t, "serve")
		require.Equal(t, 1, code)
		require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
		require.Contains(t, stderr, "another server runs on")
	})
	socket := dialSocket(t, p.url, http.Header{"Origin": {p.url}})
	send(t, socket, 1, map[string]any{})
	await(t, socket, 1) // the server has registered the socket
	require.NoError(t, p.interrupt(t), "Ctrl-C is an orderly end")
	require.Equal(t, websocket.CloseGoingAway, closeCode(t, socket))
	_, err := os.Stat(filepath.Join(p.dataDir, "postgres", "cluster", "postmaster.pid"))
	require.ErrorIs(t, err, os.ErrNotExist, "its PostgreSQL has ended too")
	p.start(t)
	require.NoError(t, p.interrupt(t))
	code, stdout, stderr := p.run(t, "verify")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "all is proved")
}

// hashingProcesses are the child processes in which a program compares passwords. Only Linux lists them.
func hashingProcesses(t *testing.T, parent int) (pids []int) {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
	require.NoError(t, err)
	if len(lists) == 0 {
		t.Skip("this system does not tell whose child a process is")
	}
	for _, list := range lists {
		children, _ := os.ReadFile(list) //nolint:gosec // a thread may have ended since
		for _, child := range strings.Fields(string(children)) {
			line, _ := os.ReadFile("/proc/" + child + "/cmdline")
			if pid, err := strconv.Atoi(child); err == nil && strings.HasSuffix(string(line), "\x00"+server.HashCommand+"\x00") {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

func TestRefusedStarts(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	test := dbtest.New(t)
	empty := strings.Replace(test.URL, "candor_test_", "no_such_database_", 1)
	tests := []struct {
		name string
		env  []string
		says string
	}{
		{"AnAddressInUse", []string{"CANDOR_ADDR=" + taken.Addr().String()}, "is in use: stop the other program, or set CANDOR_ADDR to"},
		{"AnAdminAddressInUse", []string{"DATABASE_URL=" + test.URL, "CANDOR_ADMIN_ADDR=" + taken.Addr().String()}, "is in use: stop the other program, or set CANDOR_ADMIN_ADDR"},
		{"AnUnknownMode", []string{"CANDOR_MODE=fast"}, "it is development or production"},
		{"AnUnknownFeed", []string{"CANDOR_FEED=invented"}, "it is simulated or replay:DIR"},
		{"ARecordingThatIsNotThere", []string{"DATABASE_URL=" + test.URL, "CANDOR_FEED=replay:/nowhere"}, "/nowhere"},
		{"ARecordingWithoutANumber", []string{"DATABASE_URL=" + test.URL, "CANDOR_FEED=replay:" + recordingOf(t, "ts_ms,bid,ask\n1767603600000,NaN,1.1\n")}, "NaN"},
		{"AProxyOfEverybody", []string{"CANDOR_TRUSTED_PROXIES=0.0.0.0/0"}, "CANDOR_TRUSTED_PROXIES"},
		{"ACertificateWithoutAKey", []string{"CANDOR_TLS_CERT=/nowhere.pem"}, "belong together"},
		{"ACertificateThatIsNotThere", []string{"DATABASE_URL=" + test.URL, "CANDOR_TLS_CERT=/nowhere.pem", "CANDOR_TLS_KEY=/nowhere.key"}, "CANDOR_TLS_CERT"},
		{"ASpeedOfNothing", []string{"CANDOR_FEED_SPEED=0"}, "it must be a number above 0"},
		{"ASpeedThatIsNoNumber", []string{"CANDOR_FEED_SPEED=NaN"}, "it must be a number above 0"},
		{"ADatabaseThatIsNotThere", []string{"DATABASE_URL=" + empty}, "DATABASE_URL"},
		{"ADatabaseThatNobodyServes", []string{"DATABASE_URL=postgres://candor_server:secret@127.0.0.1:1/candor"}, "DATABASE_URL"},
		{"Production", []string{"CANDOR_MODE=production"}, "production mode refuses to start:\n  - CANDOR_FEED"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, test.env...)
			began := time.Now()
			code, stdout, stderr := p.run(t, "serve")
			require.Equal(t, 1, code)
			require.Empty(t, stdout)
			require.Less(t, time.Since(began), time.Minute, "it does not hang: a person waits for the reason")
			require.Contains(t, stderr, test.says)
			require.NotContains(t, stderr, "secret", "a password is nothing to print")
			if test.name != "Production" {
				require.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
			}
		})
	}
}

// recordingOf writes a folder with a recording of one day of one product.
func recordingOf(t *testing.T, text string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "recordings")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "forex", "EURUSD"), 0o755))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(filepath.Join(folder, "forex", "EURUSD", "2026-01-05.csv.gz"), packed.Bytes(), 0o600))
	return folder
}

// TestAnotherMajor checks the message for a data folder of an older PostgreSQL version.
func TestAnotherMajor(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.start(t)
	require.NoError(t, p.interrupt(t))
	files, err := filepath.Glob(filepath.Join(p.dataDir, "postgres", "*", "PG_VERSION"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.WriteFile(files[0], []byte("12\n"), 0o600))
	code, _, stderr := p.run(t, "serve")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "PostgreSQL 12")
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
}

func TestOnAPostgresOfYourOwn(t *testing.T) {
	t.Parallel()
	test := dbtest.New(t)
	p := newProgram(t, "DATABASE_URL="+test.URL)
	p.start(t)
	require.NotContains(t, p.output.String(), "PostgreSQL", "nothing of an embedded one")
	require.NoError(t, p.interrupt(t))
	_, err := os.Stat(filepath.Join(p.dataDir, "postgres"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

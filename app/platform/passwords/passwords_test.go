package passwords_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/admission"
	"candor/app/platform/passwords"
)

// TestMain also runs as a worker, when it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "burn" {
		for n := 0; ; n++ { // until it is killed
			runtime.KeepAlive(n)
		}
	}
	if len(os.Args) == 2 && os.Args[1] == "work" {
		if err := passwords.Work(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func start(t testing.TB, workers int) *passwords.Workers {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	w, err := passwords.Start(workers, self, "work")
	require.NoError(t, err)
	t.Cleanup(w.Close)
	return w
}

// TestArgon2 runs the same checks against both implementations.
func TestArgon2(t *testing.T) {
	t.Parallel()
	for name, argon2 := range map[string]passwords.Argon2{"InProcess": passwords.InProcess{}, "Workers": start(t, 2)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, password := range []string{"correct horse battery", "", "\xff\x00\xfe", "a\nb", strings.Repeat("ü", 5_000)} {
				hash, err := argon2.Hash([]byte(password))
				require.NoError(t, err)
				require.True(t, strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$"), hash)
				match, err := argon2.Matches([]byte(password), hash)
				require.NoError(t, err)
				require.True(t, match, "%q", password)
				match, err = argon2.Matches([]byte(password+"x"), hash)
				require.NoError(t, err)
				require.False(t, match, "%q", password)
				again, err := argon2.Hash([]byte(password))
				require.NoError(t, err)
				require.NotEqual(t, hash, again, "salted")
			}
			for _, none := range []string{"", "no hash"} {
				_, err := argon2.Matches([]byte("x"), none)
				require.Error(t, err)
			}
			match, err := argon2.Matches([]byte("x"), "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$qkUAVvVZBN5lBqvgWVDc9a8b6gMRZw5cnZc9SfvjMnc")
			require.NoError(t, err, "it goes on")
			require.False(t, match)
		})
	}
}

// TestManyAskAtOnce: more callers than workers ask, and each gets the answer to its own question.
func TestManyAskAtOnce(t *testing.T) {
	t.Parallel()
	w := start(t, 2)
	hash, err := w.Hash([]byte("7"))
	require.NoError(t, err)
	var group sync.WaitGroup
	matches := make([]bool, 40)
	for n := range matches {
		group.Go(func() { matches[n], _ = w.Matches(fmt.Append(nil, n), hash) })
	}
	group.Wait()
	for n, match := range matches {
		require.Equal(t, n == 7, match, n)
	}
}

// TestAKilledWorkerIsStartedAgain: the next caller does not notice.
func TestAKilledWorkerIsStartedAgain(t *testing.T) {
	t.Parallel()
	w := start(t, 1)
	hash, err := w.Hash([]byte("correct"))
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, syscall.Kill(w.PID(), syscall.SIGKILL))
		match, err := w.Matches([]byte("correct"), hash)
		require.NoError(t, err)
		require.True(t, match)
	}
}

// TestAWorkerEndsWithItsParent: it ends when its input does, as the parent's end closes the pipe, and reports a question that it can't read.
func TestAWorkerEndsWithItsParent(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	work := func(questions string) ([]byte, error) {
		worker := exec.CommandContext(t.Context(), self, "work")
		worker.Stdin = strings.NewReader(questions)
		worker.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Linux refuses to change the priority of the session that it started itself
		return worker.CombinedOutput()
	}
	out, err := work("")
	require.NoError(t, err)
	require.Empty(t, out)
	out, err = work("no question")
	require.Error(t, err)
	require.Contains(t, string(out), "read a question")
}

// TestNoWorkers: Start returns the reason, and leaves no worker behind.
func TestNoWorkers(t *testing.T) {
	t.Parallel()
	_, err := passwords.Start(2, "/no/such/program", "work")
	require.ErrorContains(t, err, "start the processes that compare passwords")
	_, err = passwords.Start(2, "/bin/true")
	require.ErrorContains(t, err, "start the processes that compare passwords", "it starts and answers nothing")
}

// TestAFrozenWorkerIsReplaced: its caller gets ErrBusy, the next one gets an answer, and Close does not wait for it.
func TestAFrozenWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	w := start(t, 1)
	hash, err := w.Hash([]byte("correct"))
	require.NoError(t, err)
	w.SetPatience(200 * time.Millisecond)
	require.NoError(t, syscall.Kill(w.PID(), syscall.SIGSTOP))
	_, err = w.Matches([]byte("correct"), hash)
	require.ErrorIs(t, err, admission.ErrBusy)
	w.SetPatience(time.Minute)
	match, err := w.Matches([]byte("correct"), hash)
	require.NoError(t, err)
	require.True(t, match)
	require.NoError(t, syscall.Kill(w.PID(), syscall.SIGSTOP))
	w.Close()
	_, err = w.Hash([]byte("correct"))
	require.ErrorIs(t, err, admission.ErrBusy)
}

// TestAWorkerIsGivenNothing of this process's environment, and all its threads run at a lower priority.
func TestAWorkerIsGivenNothing(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("it reads /proc")
	}
	w := start(t, 1)
	_, err := w.Hash([]byte("correct"))
	require.NoError(t, err)
	folder := fmt.Sprint("/proc/", w.PID())
	environment, err := os.ReadFile(folder + "/environ")
	require.NoError(t, err)
	require.Equal(t, "GOMAXPROCS=1\x00", string(environment))
	threads, err := os.ReadDir(folder + "/task")
	require.NoError(t, err)
	for _, thread := range threads {
		stat, err := os.ReadFile(folder + "/task/" + thread.Name() + "/stat")
		require.NoError(t, err)
		_, rest, _ := strings.Cut(string(stat), ") ")
		require.Equal(t, strconv.Itoa(passwords.Niceness), strings.Fields(rest)[16], "nice")
	}
}

// BenchmarkHash compares a free machine with one on which every core has other work, each in a session of its own.
func BenchmarkHash(b *testing.B) {
	for _, busy := range []int{0, 1, 2} {
		b.Run(fmt.Sprint("OthersPerCore=", busy), func(b *testing.B) {
			w := start(b, 1)
			self, err := os.Executable()
			require.NoError(b, err)
			for range busy * runtime.NumCPU() {
				other := exec.CommandContext(b.Context(), self, "burn")
				other.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
				require.NoError(b, other.Start())
				defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
			}
			for b.Loop() {
				_, err := w.Hash([]byte("correct"))
				require.NoError(b, err)
			}
		})
	}
}

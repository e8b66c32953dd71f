package systemtest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/api"
	"candor/app/platform/dbtest"
	"candor/app/server"
)

// The real program is built once for all tests of the package, into a folder that TestMain removes.
var (
	programBinary = sync.OnceValue(func() string {
		dir, err := os.MkdirTemp("", "candor-program-")
		if err != nil {
			panic(err)
		}
		return filepath.Join(dir, "candor")
	})
	buildProgram = sync.OnceValues(func() ([]byte, error) {
		return exec.Command("go", "build", "-o", programBinary(), "candor/app/cmd/candor").CombinedOutput() //nolint:gosec // a folder of our own
	})
)

// program is the real program with its own data folder and address.
type program struct {
	binary, url, dataDir, address string
	env                           []string
	process                       *exec.Cmd
	output                        *output
}

type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// newProgram makes a program with the default settings of a new installation, overridden by env.
func newProgram(t *testing.T, env ...string) *program {
	t.Helper()
	said, err := buildProgram()
	require.NoError(t, err, "%s", said)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	p := &program{binary: programBinary(), url: "http://" + address, dataDir: dataFolder(t), address: address}
	p.env = append(os.Environ(), "DATABASE_URL=", "CANDOR_OWNER_URL=", "CANDOR_ADMIN_ADDR=", "CANDOR_MODE=", "SMTP_URL=", "SMS_URL=", "NATS_URL=",
		"CANDOR_ADDR="+address, "CANDOR_DATA_DIR="+p.dataDir, "CANDOR_FEED=simulated")
	p.env = append(p.env, env...)
	return p
}

// dataFolder is a folder that other users may traverse: when root runs the test, the database runs as another user.
func dataFolder(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp(dbtest.Scratch(), "candor-data-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(parent) })
	require.NoError(t, os.Chmod(parent, 0o755)) //nolint:gosec // as it says
	return filepath.Join(parent, "var")
}

// start runs the program and waits until it serves.
func (p *program) start(t *testing.T) {
	t.Helper()
	p.process, p.output = exec.Command(p.binary, "serve"), &output{}
	p.process.Env, p.process.Stdout, p.process.Stderr = p.env, p.output, p.output
	p.process.Dir = p.moduleDir(t)
	require.NoError(t, p.process.Start())
	process := p.process
	t.Cleanup(func() {
		if process.ProcessState == nil {
			_ = process.Process.Kill()
			_ = process.Wait()
		}
	})
	deadline := time.After(startTimeout)
	for {
		answer, err := p.get("common/platformRunningStatus")
		if err == nil && strings.Contains(answer, `"data":1`) && strings.Contains(p.output.String(), "Candor is running") {
			return
		}
		select {
		case <-deadline:
			_ = process.Process.Signal(syscall.SIGQUIT) // it prints where every goroutine waits
			_ = process.Wait()
			t.Fatalf("it did not start within %s: %v\n%s", startTimeout, err, p.output)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// startTimeout is long: a new installation makes up a history of prices, and the journeys leave the chaos run little of the machine.
const startTimeout = 5 * time.Minute

// moduleDir is the project folder, which contains node_modules.
func (p *program) moduleDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	return dir
}

// interrupt sends Ctrl-C and waits for the end.
func (p *program) interrupt(t *testing.T) error {
	t.Helper()
	require.NoError(t, p.process.Process.Signal(os.Interrupt))
	ended := make(chan error, 1)
	go func() { ended <- p.process.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(server.StopTimeout):
		t.Fatalf("it did not end within %s:\n%s", server.StopTimeout, p.output)
		return nil
	}
}

func (p *program) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.process.Process.Kill())
	_ = p.process.Wait()
}

// run runs another command of the program and waits for its end.
func (p *program) run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return p.runWith(t, "", args...)
}

// runWith is run with text on standard input.
func (p *program) runWith(t *testing.T, input string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, bad bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, p.binary, args...)
	command.Env, command.Stdin, command.Stdout, command.Stderr, command.Dir = p.env, strings.NewReader(input), &out, &bad, p.moduleDir(t)
	err := command.Run()
	if err != nil && command.ProcessState == nil {
		require.NoError(t, err)
	}
	return command.ProcessState.ExitCode(), out.String(), bad.String()
}

func (p *program) get(path string) (string, error) { return p.ask(http.MethodGet, path, "") }

func (p *program) ask(method, path, body string) (string, error) {
	request, err := http.NewRequest(method, p.url+"/client/"+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	sign(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

func sign(r *http.Request) {
	now := strconv.FormatInt(time.Now().UnixMilli(), 10)
	r.Header.Set("localtimes", now)
	r.Header.Set("newsign", apiSign(now))
}

func apiSign(localtimes string) string { return api.Sign(localtimes, "candor-web") }

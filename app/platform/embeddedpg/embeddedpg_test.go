//go:build linux || darwin

package embeddedpg

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

type bundle struct {
	dir string
	log *logBuffer
}

// setup returns a data directory that does not exist yet, where every user may pass.
func setup(t *testing.T) *bundle {
	t.Helper()
	parent, err := os.MkdirTemp("/tmp", "candor-embeddedpg-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(parent) })
	require.NoError(t, os.Chmod(parent, 0o755))
	return &bundle{dir: filepath.Join(parent, "postgres"), log: &logBuffer{}}
}

func (b *bundle) config() Config { return Config{DataDir: b.dir, Fast: true, Log: b.log} }

func (b *bundle) start(t *testing.T) *Server { return b.startWith(t, b.config()) }

func (b *bundle) startWith(t *testing.T, cfg Config) *Server {
	t.Helper()
	s, err := Start(t.Context(), cfg)
	require.NoError(t, err, b.log)
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	require.NoError(t, s.Stop(context.Background()))
	<-s.Done()
}

func query[T any](t *testing.T, url, sql string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var value T
	require.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&value))
	return value
}

func execute(t *testing.T, url, sql string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), sql)
	return err
}

func TestFirstStart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.startWith(t, Config{DataDir: b.dir, Log: b.log})
	require.Equal(t, b.dir, s.Dir())

	t.Run("OwnerOwnsTheDatabaseAndIsNoSuperuser", func(t *testing.T) {
		require.NoError(t, execute(t, s.OwnerURL(Database), `CREATE TABLE thing (id bigint)`))
		require.Equal(t, "candor_owner", query[string](t, s.OwnerURL(Database),
			`SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'candor'`))
		require.False(t, query[bool](t, s.OwnerURL(Database),
			`SELECT rolsuper OR rolcreaterole OR rolbypassrls FROM pg_roles WHERE rolname = current_user`))
	})
	t.Run("OwnerMayCreateDatabases", func(t *testing.T) {
		require.NoError(t, execute(t, s.OwnerURL(Database), `CREATE DATABASE another`))
	})
	t.Run("ServerRoleMayOnlyLogIn", func(t *testing.T) {
		require.ErrorContains(t, execute(t, s.ServerURL(Database), `CREATE DATABASE mine`), "permission denied")
		require.ErrorContains(t, execute(t, s.ServerURL(Database), `CREATE TABLE mine (id bigint)`), "permission denied")
		require.ErrorContains(t, execute(t, s.ServerURL(Database), `SELECT * FROM thing`), "permission denied")
		require.False(t, query[bool](t, s.ServerURL(Database),
			`SELECT rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname = current_user`))
	})
	t.Run("WrongPasswordIsRefused", func(t *testing.T) {
		wrong, err := url.Parse(s.ServerURL(Database))
		require.NoError(t, err)
		wrong.User = url.UserPassword("candor_server", "guess")
		_, err = pgx.Connect(t.Context(), wrong.String())
		require.ErrorContains(t, err, "password authentication failed")
	})
	t.Run("PasswordsAreForTheOwnerOfTheFileOnly", func(t *testing.T) {
		info, err := os.Stat(filepath.Join(b.dir, "cluster", passwordFile))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	})
	t.Run("TextKnowsEveryAlphabet", func(t *testing.T) {
		require.Equal(t, "UTF8", query[string](t, s.SuperURL(Database), `SHOW server_encoding`))
		require.Equal(t, "ÄЖ", query[string](t, s.SuperURL(Database), `SELECT upper('äж')`))
		require.Equal(t, "B,a,ä", query[string](t, s.SuperURL(Database),
			`SELECT string_agg(x, ',' ORDER BY x) FROM unnest(ARRAY['ä', 'a', 'B']) x`))
	})
	t.Run("ListensOnLoopbackAndOnASocketInTheCluster", func(t *testing.T) {
		require.Equal(t, "127.0.0.1", query[string](t, s.SuperURL(Database), `SHOW listen_addresses`))
		require.FileExists(t, filepath.Join(b.dir, "cluster", ".s.PGSQL."+strconv.Itoa(s.Port())+".lock"))
	})
	t.Run("SurvivesACrashOfTheMachine", func(t *testing.T) {
		require.Equal(t, "on", query[string](t, s.SuperURL(Database), `SHOW fsync`))
		require.Equal(t, "200", query[string](t, s.SuperURL(Database), `SHOW max_connections`))
	})
	t.Run("SaysItsMajorVersion", func(t *testing.T) {
		require.Equal(t, s.Major(), query[int](t, s.SuperURL(Database), `SELECT current_setting('server_version_num')::int / 10000`))
	})
}

func TestFastIsForTestsOnly(t *testing.T) {
	t.Parallel()
	s := setup(t).start(t)
	for setting, want := range map[string]string{
		"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
	} {
		require.Equal(t, want, query[string](t, s.SuperURL("postgres"), "SHOW "+setting))
	}
}

func TestPort(t *testing.T) {
	t.Parallel()

	t.Run("WantedPortIsUsed", func(t *testing.T) {
		t.Parallel()
		port, err := choosePort(0)
		require.NoError(t, err)
		b := setup(t)
		cfg := b.config()
		cfg.Port = port
		require.Equal(t, port, b.startWith(t, cfg).Port())
	})
	t.Run("WantedPortThatIsTakenIsRefused", func(t *testing.T) {
		t.Parallel()
		listener, err := net.Listen("tcp4", "127.0.0.1:0")
		require.NoError(t, err)
		defer listener.Close()
		cfg := setup(t).config()
		cfg.Port = listener.Addr().(*net.TCPAddr).Port
		_, err = Start(t.Context(), cfg)
		require.ErrorContains(t, err, fmt.Sprintf("port %d is not free", cfg.Port))
	})
}

func TestPortLostBetweenTheLookAndTheUseIsNoticed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.start(t)
	stop(t, s)
	require.False(t, s.process.lostPort())
	s.port = setup(t).start(t).Port()
	again, err := startProcess(s.command(b.config()), b.log)
	require.NoError(t, err)
	<-again.done
	require.True(t, again.lostPort(), b.log)
}

func TestLongPathGetsAShortSocket(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.dir = filepath.Join(b.dir, strings.Repeat("long/", 20))
	s := b.start(t)
	require.True(t, s.socket.temporary)
	require.FileExists(t, filepath.Join(s.socket.path, fmt.Sprintf(".s.PGSQL.%d.lock", s.Port())))
	stop(t, s)
	require.NoDirExists(t, s.socket.path)
}

func TestServerThatCannotRunSaysWhy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stop(t, b.start(t))
	conf := filepath.Join(b.dir, "cluster", "postgresql.conf")
	file, err := os.OpenFile(conf, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString("no_such_setting = 1\n")
	require.NoError(t, err)
	require.NoError(t, file.Close())

	_, err = Start(t.Context(), b.config())
	require.ErrorContains(t, err, "no_such_setting")
}

// logBuffer is read by the test while the server writes.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

package dbtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { Run(m) }

func query[T any](t *testing.T, url, sql string, args ...any) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var value T
	require.NoError(t, conn.QueryRow(t.Context(), sql, args...).Scan(&value))
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

func TestNew(t *testing.T) {
	t.Parallel()

	t.Run("DatabaseIsMigratedAndOwnedByTheOwner", func(t *testing.T) {
		t.Parallel()
		d := New(t)
		require.Positive(t, query[int](t, d.OwnerURL, `SELECT count(*) FROM goose_db_version WHERE is_applied`))
		require.Equal(t, ownerRole, query[string](t, d.OwnerURL,
			`SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()`))
	})
	t.Run("AddressesDifferInTheRole", func(t *testing.T) {
		t.Parallel()
		d := New(t)
		require.Equal(t, serverRole, query[string](t, d.URL, `SELECT current_user::text`))
		require.Equal(t, ownerRole, query[string](t, d.OwnerURL, `SELECT current_user::text`))
		require.True(t, query[bool](t, d.SuperURL, `SELECT rolsuper FROM pg_roles WHERE rolname = current_user`))
		require.False(t, query[bool](t, d.SuperURL, `SELECT bool_or(rolsuper) FROM pg_roles WHERE rolname LIKE 'candor\_%'`))
	})
	t.Run("ServerRoleMayNotChangeTheSchema", func(t *testing.T) {
		t.Parallel()
		require.ErrorContains(t, execute(t, New(t).URL, `CREATE TABLE mine (id bigint)`), "permission denied")
	})
	t.Run("TestsDoNotSeeEachOther", func(t *testing.T) {
		t.Parallel()
		one, two := New(t), New(t)
		require.NoError(t, execute(t, one.OwnerURL, `CREATE TABLE mine (id bigint)`))
		require.False(t, query[bool](t, two.OwnerURL, `SELECT to_regclass('mine') IS NOT NULL`))
	})
	t.Run("DatabaseIsDroppedWithTheTestEvenWhileInUse", func(t *testing.T) {
		t.Parallel()
		var name string
		var open *pgx.Conn
		t.Run("Inner", func(t *testing.T) {
			d := New(t)
			name = query[string](t, d.URL, `SELECT current_database()::text`)
			var err error
			open, err = pgx.Connect(t.Context(), d.URL)
			require.NoError(t, err)
		})
		require.Error(t, open.Ping(t.Context()))
		require.False(t, query[bool](t, New(t).SuperURL,
			`SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name))
	})
}

// newSource returns a source with a unique hash, and a counter of its uses.
func newSource(t *testing.T, up func(ctx context.Context, ownerURL string) error) (source, *atomic.Int32) {
	calls := &atomic.Int32{}
	src := source{hash: "test_" + strings.ToLower(rand.Text()), up: func(ctx context.Context, ownerURL string) error {
		calls.Add(1)
		return up(ctx, ownerURL)
	}}
	t.Cleanup(func() {
		pg, err := shared.get()
		require.NoError(t, err)
		name := "candor_tmpl_" + src.hash
		_, _ = pg.pool.Exec(context.Background(), "ALTER DATABASE "+name+" IS_TEMPLATE false")
		_, err = pg.pool.Exec(context.Background(), "DROP DATABASE IF EXISTS "+name)
		require.NoError(t, err)
	})
	return src, calls
}

func migrateOneTable(ctx context.Context, ownerURL string) error {
	conn, err := pgx.Connect(ctx, ownerURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `CREATE TABLE made (id bigint)`)
	return err
}

func TestTemplate(t *testing.T) {
	t.Parallel()
	pg, err := shared.get()
	require.NoError(t, err)

	t.Run("ProcessesThatBeginTogetherMakeItOnce", func(t *testing.T) {
		t.Parallel()
		src, calls := newSource(t, migrateOneTable)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if _, err := prepare(t.Context(), pg.url, src); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, calls.Load())
	})
	t.Run("HalfMadeTemplateIsMadeAnew", func(t *testing.T) {
		t.Parallel()
		fail := true
		src, calls := newSource(t, func(ctx context.Context, ownerURL string) error {
			err := migrateOneTable(ctx, ownerURL)
			if fail {
				err = errors.Join(err, errors.New("broken migration"))
			}
			return err
		})
		_, err := prepare(t.Context(), pg.url, src)
		require.ErrorContains(t, err, "migrate the template: broken migration")
		fail = false
		_, err = prepare(t.Context(), pg.url, src)
		require.NoError(t, err)
		require.EqualValues(t, 2, calls.Load())
	})
	t.Run("NobodyCanConnectToIt", func(t *testing.T) {
		t.Parallel()
		src, _ := newSource(t, migrateOneTable)
		name, err := prepare(t.Context(), pg.url, src)
		require.NoError(t, err)
		_, err = pgx.Connect(t.Context(), pg.url.as(ownerRole, name))
		require.ErrorContains(t, err, "not currently accepting connections")
	})
}

func TestAnotherServer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a server")
	}
	super, stop, err := StartServer(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, stop()) })
	src := source{hash: "external", up: migrateOneTable}

	t.Run("GetsTheRolesThatAreMissing", func(t *testing.T) {
		for _, statement := range []string{
			`ALTER DATABASE candor OWNER TO postgres`, `DROP ROLE candor_owner`, `DROP ROLE candor_server`,
		} {
			require.NoError(t, execute(t, super, statement))
		}
		pg, err := connect(t.Context(), super, src)
		require.NoError(t, err)
		defer pg.pool.Close()
		require.NoError(t, pg.clone(t.Context(), "candor_test_external"))
		require.Equal(t, 0, query[int](t, pg.url.as(ownerRole, "candor_test_external"), `SELECT count(*) FROM made`))
	})
	t.Run("KeepsRolesWithForeignPasswordsAndIsRefused", func(t *testing.T) {
		require.NoError(t, execute(t, super, `ALTER ROLE candor_server PASSWORD 'somebody else''s'`))
		_, err := connect(t.Context(), super, src)
		require.ErrorContains(t, err, "the role candor_server on that server is not ours")
	})
}

func TestVariableMustBeAnAddress(t *testing.T) {
	t.Parallel()
	_, err := parseAddress("host=localhost user=postgres")
	require.ErrorContains(t, err, "CANDOR_TEST_POSTGRES must be an address")

	u, err := parseAddress("postgres://postgres:secret@127.0.0.1:5432?sslmode=disable")
	require.NoError(t, err)
	require.Equal(t, "postgres://postgres:secret@127.0.0.1:5432/x?sslmode=disable", u.database("x"))
	require.Equal(t, "postgres", u.main())
}

func TestLeftoversOfDeadProcessesAreRemoved(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	child := exec.Command("true")
	require.NoError(t, child.Run())
	ours := filepath.Join(parent, leftoverPrefix+strconv.Itoa(os.Getpid())+"-abc")
	dead := filepath.Join(parent, fmt.Sprintf("%s%d-abc", leftoverPrefix, child.Process.Pid))
	foreign := filepath.Join(parent, leftoverPrefix+"notes")
	for _, dir := range []string{ours, dead, foreign} {
		require.NoError(t, os.Mkdir(dir, 0o700))
	}
	removeLeftovers(parent)
	require.DirExists(t, ours)
	require.NoDirExists(t, dead)
	require.DirExists(t, foreign)
}

func TestScratch(t *testing.T) {
	t.Parallel()
	require.Zero(t, free(filepath.Join(t.TempDir(), "none")))
	require.DirExists(t, Scratch())
	if runtime.GOOS == "linux" {
		require.Positive(t, free(t.TempDir()))
	}
}

// Package dbtest gives each test its own migrated PostgreSQL database.
package dbtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/migrations"
)

// DB is one test's database. The addresses differ in the role.
type DB struct {
	URL      string // candor_server: the rights of the running program
	OwnerURL string // candor_owner: may change the schema
	SuperURL string // the superuser: for tests that tamper with data
}

// patience is the time limit for creating or dropping a test's database; a slower server is broken.
const patience = time.Minute

var (
	running atomic.Bool // Run was called, so a server started here will be stopped
	shared  = lazyPostgres{source: source{hash: migrations.Hash(), up: migrations.Up}}
)

// Run is a package's whole TestMain: it runs the tests, stops the server that they started, runs the cleanups, and exits. A second connection requested inside
// a transaction fails the run.
func Run(m *testing.M, cleanups ...func() error) {
	running.Store(true)
	db.ForbidNested()
	code := m.Run()
	for _, stack := range db.Nested() {
		fmt.Fprintln(os.Stderr, db.ErrNested, "\n"+stack)
		code = max(code, 1)
	}
	for _, end := range append(cleanups, shared.close) {
		if err := end(); err != nil {
			fmt.Fprintln(os.Stderr, "dbtest:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// New makes a database with the current schema and drops it when the test ends. Parallel
// tests may call it.
func New(t testing.TB) *DB {
	t.Helper()
	if !running.Load() {
		t.Fatal("dbtest: the package needs func TestMain(m *testing.M) { dbtest.Run(m) }")
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	pg, err := shared.get()
	if err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	name := "candor_test_" + strings.ToLower(rand.Text()[:12])
	if err := pg.clone(ctx, name); err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	t.Cleanup(func() { pg.drop(t, name) })
	return &DB{
		URL:      pg.url.as(serverRole, name),
		OwnerURL: pg.url.as(ownerRole, name),
		SuperURL: pg.url.database(name),
	}
}

// Tamper runs statements as the superuser with triggers disabled, which the program itself cannot do.
func (d *DB) Tamper(t testing.TB, statements string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), d.SuperURL)
	if err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if _, err := conn.Exec(t.Context(), "SET session_replication_role = replica; "+statements); err != nil {
		t.Fatalf("dbtest: %s: %v", statements, err)
	}
}

// Concurrently runs work on another goroutine and waits for it: another database client acts while the caller is inside a transaction.
func Concurrently(work func() error) error {
	done := make(chan error)
	go func() { done <- work() }()
	return <-done
}

// clone copies the template. With file_copy the server copies the files without logging them.
func (p *postgres) clone(ctx context.Context, name string) error {
	_, err := p.pool.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s OWNER %s STRATEGY file_copy",
		pgx.Identifier{name}.Sanitize(), pgx.Identifier{p.template}.Sanitize(), ownerRole))
	if err != nil {
		return fmt.Errorf("make a database for the test: %w", err)
	}
	return nil
}

func (p *postgres) drop(t testing.TB, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := p.pool.Exec(ctx, "DROP DATABASE "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)"); err != nil {
		t.Errorf("dbtest: drop the database of the test: %v", err)
	}
}

// FailCommits makes every transaction that inserts into a table fail at its commit, until allow is called.
func (d *DB) FailCommits(t testing.TB, table string) (allow func()) {
	t.Helper()
	d.Tamper(t, `
		CREATE OR REPLACE FUNCTION planted_fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a planted fault'; END $$;
		CREATE CONSTRAINT TRIGGER planted_fault AFTER INSERT ON `+table+` DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION planted_fault()`)
	return func() { d.Tamper(t, `DROP TRIGGER planted_fault ON `+table) }
}

// DeadlockOnce makes the first transaction that inserts into a table fail as one does that PostgreSQL chose to end a deadlock.
func (d *DB) DeadlockOnce(t testing.TB, table string) {
	t.Helper()
	d.Tamper(t, `
		CREATE SEQUENCE planted_deadlocks; -- a failed transaction doesn't set it back
		CREATE FUNCTION planted_deadlock() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
			IF nextval('planted_deadlocks') = 1 THEN RAISE EXCEPTION 'a planted deadlock' USING ERRCODE = '40P01'; END IF;
			RETURN NULL;
		END $$;
		CREATE TRIGGER planted_deadlock AFTER INSERT ON `+table+` FOR EACH ROW EXECUTE FUNCTION planted_deadlock()`)
}

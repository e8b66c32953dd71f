package dbtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"candor/app/platform/embeddedpg"
)

// Variable names the environment variable with a superuser's address of a running server. If it is set, all test processes use that server; otherwise each
// starts its own.
const Variable = "CANDOR_TEST_POSTGRES"

// lazyPostgres starts when the first test asks for it.
type lazyPostgres struct {
	source source

	mu   sync.Mutex
	pg   *postgres
	err  error
	stop func() error
}

// postgres is a server with prepared roles and template.
type postgres struct {
	url      address
	pool     *pgxpool.Pool
	template string
}

func (l *lazyPostgres) get() (*postgres, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pg == nil && l.err == nil {
		l.pg, l.err = l.open()
	}
	return l.pg, l.err
}

// open has its own deadline: the end of one test must not break the server for the others.
func (l *lazyPostgres) open() (*postgres, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	super := os.Getenv(Variable)
	if super == "" {
		var err error
		if super, l.stop, err = StartServer(ctx); err != nil {
			return nil, err
		}
	}
	return connect(ctx, super, l.source)
}

func connect(ctx context.Context, super string, src source) (*postgres, error) {
	u, err := parseAddress(super)
	if err != nil {
		return nil, err
	}
	template, err := prepare(ctx, u, src)
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(super)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", Variable, err)
	}
	config.MaxConns = 4
	pool, err := pgxpool.NewWithConfig(ctx, config)
	return &postgres{url: u, pool: pool, template: template}, err
}

func (l *lazyPostgres) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pg != nil {
		l.pg.pool.Close()
	}
	if l.stop == nil {
		return nil
	}
	return l.stop()
}

// StartServer starts a throwaway server and returns a superuser's address for Variable. stop ends the server and removes its directory.
func StartServer(ctx context.Context) (super string, stop func() error, err error) {
	removeLeftovers(os.TempDir())
	removeLeftovers(memory)
	dir := filepath.Join(Scratch(), fmt.Sprintf("%s%d-%s", leftoverPrefix, os.Getpid(), rand.Text()[:8]))
	server, err := embeddedpg.Start(ctx, embeddedpg.Config{DataDir: dir, Fast: true})
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	stop = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		return errors.Join(server.Stop(ctx), os.RemoveAll(server.Dir()), os.RemoveAll(dir))
	}
	if err := setTestPasswords(ctx, server.SuperURL("postgres")); err != nil {
		return "", nil, errors.Join(err, stop())
	}
	return server.SuperURL("postgres"), stop, nil
}

const leftoverPrefix = "candor-dbtest-"

// removeLeftovers deletes the directories of test processes that were killed or timed out before deleting them. The names contain the process id.
func removeLeftovers(parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, leftoverPrefix+"*"))
	for _, dir := range dirs {
		first, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), leftoverPrefix), "-")
		if pid, err := strconv.Atoi(first); err == nil && !alive(pid) {
			_ = os.RemoveAll(dir)
		}
	}
}

// address is a superuser's address of the server.
type address struct{ super url.URL }

func parseAddress(super string) (address, error) {
	u, err := url.Parse(super)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return address{}, fmt.Errorf("%s must be an address like postgres://postgres:…@127.0.0.1:5432/postgres", Variable)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/postgres"
	}
	return address{super: *u}, nil
}

// database is the superuser's address of another database.
func (a address) database(name string) string {
	u := a.super
	u.Path = "/" + name
	return u.String()
}

// as is the address of a database for another role.
func (a address) as(role, name string) string {
	a.super.User = url.UserPassword(role, testPassword)
	return a.database(name)
}

// main is the database named by the superuser's address.
func (a address) main() string { return strings.Trim(a.super.Path, "/") }

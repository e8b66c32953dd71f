// Package db opens PostgreSQL once and gives every transaction two faces: GORM for rows, pgx for locks, batches and hot paths.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"candor/app/platform/errs"
)

// ErrChanged is the refusal of a guarded update that met another version than it expected.
var ErrChanged = errs.New(errs.Conflict, "changed_meanwhile")

// DB is one pool of connections.
type DB struct {
	Pool *pgxpool.Pool
	hot  *pgxpool.Pool
	gorm *gorm.DB
	sql  *sql.DB
}

// Open connects and checks that the database answers.
func Open(ctx context.Context, url string) (*DB, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	config.MaxConns = max(config.MaxConns, 24)
	config.MaxConnIdleTime = 5 * time.Minute
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.ConnConfig.RuntimeParams["application_name"] = "candor"
	config.AfterConnect = learnRows
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("reach the database: %w", plain(err))
	}
	hot, err := openHot(ctx, config)
	if err != nil {
		pool.Close()
		return nil, err
	}
	sqlDB := stdlib.OpenDBFromPool(pool)
	sqlDB.SetMaxIdleConns(0) // the pool keeps the idle ones
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: sqlDB}), &gorm.Config{
		TranslateError:         true,
		SkipDefaultTransaction: true,
		Logger:                 logger.Discard,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start gorm: %w", err), sqlDB.Close())
	}
	return &DB{Pool: pool, hot: hot, gorm: g, sql: sqlDB}, nil
}

// plain is the last word of a failed connection: what the server answered, or why it did not. pgx lists every attempt with the user's name.
func plain(err error) error {
	var answered *pgconn.PgError
	var silent *net.OpError
	switch {
	case errors.As(err, &answered):
		return errors.New(answered.Message)
	case errors.As(err, &silent):
		return silent
	}
	return err
}

// Close ends every connection.
func (d *DB) Close() {
	_ = d.sql.Close()
	d.hot.Close()
	d.Pool.Close()
}

// Rows is GORM outside a transaction, for reads.
func (d *DB) Rows(ctx context.Context) *gorm.DB { return d.gorm.WithContext(ctx) }

// Tx is one running transaction. Rows and Conn speak on the same connection, so both see and share one fate. One goroutine uses it.
type Tx struct {
	Rows  *gorm.DB
	Conn  pgx.Tx
	after []func()
}

// AfterCommit runs f once the transaction is durable, and never when it is not; events are published there.
func (t *Tx) AfterCommit(f func()) { t.after = append(t.after, f) }

// InTx runs work in one transaction, commits when it returns nil and rolls back otherwise.
// A serialization failure or deadlock runs it again, three times at most.
func (d *DB) InTx(ctx context.Context, work func(*Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := d.try(ctx, work)
		if attempt == 3 || !Retryable(err) {
			return err
		}
	}
}

func (d *DB) try(ctx context.Context, work func(*Tx) error) error {
	conn, err := d.sql.Conn(ctx)
	if err != nil {
		return fmt.Errorf("take a connection: %w", err)
	}
	defer func() { _ = conn.Close() }()
	raw, err := rawConn(conn)
	if err != nil {
		return err
	}
	pgxTx, err := raw.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = pgxTx.Rollback(context.WithoutCancel(ctx)) }()
	rows := d.gorm.Session(&gorm.Session{NewDB: true, Context: ctx})
	rows.Statement.ConnPool = conn // the same connection: what gorm runs is inside the transaction that pgx began
	tx := &Tx{Rows: rows, Conn: pgxTx}
	if err := work(tx); err != nil {
		return err
	}
	if err := pgxTx.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	for _, f := range tx.after {
		f()
	}
	return nil
}

// rawConn is the pgx connection under conn.
func rawConn(conn *sql.Conn) (raw *pgx.Conn, err error) {
	err = conn.Raw(func(driver any) error {
		std, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("unexpected driver %T", driver)
		}
		raw = std.Conn()
		return nil
	})
	return raw, err
}

// Retryable tells whether a transaction that failed may succeed when it is run again: two had waited for each other.
func Retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// IsUnique tells whether err is the violation of the named unique constraint or index.
func IsUnique(err error, constraint string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505" && pg.ConstraintName == constraint
}

// IsDown tells whether err says that the database can't be reached or is going away, so that nothing was committed by this call
// unless the error came from the commit itself.
func IsDown(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code[:2] == "57" || pg.Code[:2] == "08" || pg.Code[:2] == "53"
	}
	var connect *pgconn.ConnectError
	var cut *net.OpError
	return errors.As(err, &connect) || errors.As(err, &cut) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, sql.ErrConnDone) || pgconn.SafeToRetry(err)
}

// MustAffect turns a guarded UPDATE that met no row into ErrChanged.
func MustAffect(result *gorm.DB) error {
	if result.Error != nil {
		return result.Error
	}
	if result.RowsAffected != 1 {
		return ErrChanged
	}
	return nil
}

// Package db opens PostgreSQL once and gives every transaction two interfaces: GORM for rows that people edit and their locks, pgx for batches, hot paths and statements that
// compute.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"

	"candor/app/platform/errs"
)

// ErrChanged is returned when a guarded update finds another version than it expected.
var ErrChanged = errs.New(errs.Conflict, "changed_meanwhile")

// DB is an open database.
type DB struct {
	Pool *Pool
	hot  *pgxpool.Pool
	gorm *gorm.DB
	// Publish sends the events of transactions, once these are durable. It is set before the first transaction; nil sends none.
	Publish func(subject string, data []byte) error
}

// Open connects and checks that the database answers.
func Open(ctx context.Context, url string) (*DB, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	config.MaxConnIdleTime = 5 * time.Minute
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.AfterConnect = learnRows
	pool, err := openPool(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.close()
		return nil, fmt.Errorf("reach the database: %w", plain(err))
	}
	hot, err := openHot(ctx, config)
	if err != nil {
		pool.close()
		return nil, err
	}
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: pool.sql[House]}), &gorm.Config{
		TranslateError:         true,
		SkipDefaultTransaction: true,
		Logger:                 logger.Discard,
	})
	if err != nil {
		pool.close()
		hot.Close()
		return nil, fmt.Errorf("start gorm: %w", err)
	}
	return &DB{Pool: pool, hot: hot, gorm: g}, nil
}

// plain is the end of a failed connection's error: the server's answer, or why there was none. pgx lists every attempt with the user's name.
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

// closeWithin is how long Close waits for connections in use.
const closeWithin = 5 * time.Second

// Close closes every connection. One that is not returned in time stays open until the program exits.
func (d *DB) Close() {
	closed := make(chan struct{})
	go func() {
		d.hot.Close()
		d.Pool.close()
		close(closed)
	}()
	timer := time.NewTimer(closeWithin)
	defer timer.Stop()
	select {
	case <-closed:
	case <-timer.C:
		slog.Warn("connections of the database are still in use at the end")
	}
}

// Rows is GORM outside a transaction: for reads, and for a write that stands alone.
func (d *DB) Rows(ctx context.Context) *gorm.DB { return d.rowsOn(ctx, d.Pool.sql[laneOf(ctx)]) }

// rowsOn is GORM on the given connections.
func (d *DB) rowsOn(ctx context.Context, conns gorm.ConnPool) *gorm.DB {
	rows := d.gorm.Session(&gorm.Session{NewDB: true, Context: ctx})
	rows.Statement.ConnPool = conns
	return rows
}

// Tx is one running transaction. Rows and Conn share its connection: they see each other's writes, and commit or roll back together. One goroutine uses it.
type Tx struct {
	Rows  *gorm.DB
	Conn  pgx.Tx
	after []func()
	db    *DB // nil for a transaction that InTx did not begin
}

// ForUpdate locks the rows that the query reads until the transaction ends.
func (t *Tx) ForUpdate() *gorm.DB {
	return t.Rows.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
}

// AfterCommit runs f once the transaction is durable, and never if it rolls back; events are published there.
func (t *Tx) AfterCommit(f func()) { t.after = append(t.after, f) }

// Publish sends an event once the transaction is durable. An event that can't be sent is only logged: events are hints.
func (t *Tx) Publish(subject string, data []byte) {
	if t.db != nil && t.db.Publish != nil {
		t.AfterCommit(func() {
			if err := t.db.Publish(subject, data); err != nil {
				slog.Warn("an event was not sent", "subject", subject, "error", err)
			}
		})
	}
}

// InTx runs work in one transaction, commits when it returns nil and rolls back otherwise.
// A serialization failure or deadlock runs it again, three times at most. Inside, no code asks the pool for a connection: see ErrNested.
func (d *DB) InTx(ctx context.Context, work func(*Tx) error) error {
	for attempt := 1; ; attempt++ {
		tx, err := d.try(ctx, work)
		if err == nil {
			for _, f := range tx.after { // the connection was returned: they may use the pool
				f()
			}
			return nil
		}
		if attempt == 3 || !Retryable(err) {
			return err
		}
	}
}

func (d *DB) try(ctx context.Context, work func(*Tx) error) (*Tx, error) {
	conn, err := d.Pool.sql[laneOf(ctx)].Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("take a connection: %w", err)
	}
	defer func() { _ = conn.Close() }()
	raw, err := rawConn(conn)
	if err != nil {
		return nil, err
	}
	pgxTx, err := raw.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = pgxTx.Rollback(context.WithoutCancel(ctx)) }()
	// gorm gets the connection of pgx's transaction, so its statements run inside it.
	tx := &Tx{Rows: d.rowsOn(ctx, conn), Conn: pgxTx, db: d}
	if err := holding(func() error { return work(tx) }); err != nil {
		return nil, err
	}
	if err := pgxTx.Commit(ctx); err != nil {
		return nil, fmt.Errorf("commit: %w", err)
	}
	return tx, nil
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

// Retryable reports whether a failed transaction may succeed when it is run again: a serialization failure or a deadlock.
func Retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// IsUnique reports whether err is the violation of the named unique constraint or index.
func IsUnique(err error, constraint string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505" && pg.ConstraintName == constraint
}

// IsInvalid reports whether err means that a parameter has a value that the database doesn't know, such as the name of a time zone.
func IsInvalid(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "22023"
}

// IsBusy reports whether err means that a connection, a lock or a statement took too long. The transaction did nothing.
func IsBusy(err error) bool {
	var pg *pgconn.PgError
	return errors.Is(err, ErrBusy) || errors.As(err, &pg) && (pg.Code == "55P03" || pg.Code == "57014" || pg.Code == "25P03")
}

// IsMalformed reports whether err means that the database can't store a text that was sent.
func IsMalformed(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "22021" || pg.Code == "22P05")
}

// IsDown reports whether err means that the database can't be reached or is shutting down: nothing was committed by this call
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

// OrRefusal is the refusal where another request was first, and otherwise the error itself.
func OrRefusal(err, refusal error) error {
	if errors.Is(err, ErrChanged) {
		return refusal
	}
	return err
}

// MustAffect turns a guarded UPDATE that matched no row into ErrChanged.
func MustAffect(result *gorm.DB) error {
	if result.Error != nil {
		return result.Error
	}
	if result.RowsAffected != 1 {
		return ErrChanged
	}
	return nil
}

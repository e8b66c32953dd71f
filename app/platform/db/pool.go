package db

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Pool holds the connections of every lane. Its calls use the lane that their context names, and return ErrBusy when no connection is free in time.
type Pool struct {
	lanes [lanes]*pgxpool.Pool
	sql   [lanes]*sql.DB // the same connections for GORM
}

// openPool makes the pools; connections are opened when they are needed.
func openPool(ctx context.Context, config *pgxpool.Config) (*Pool, error) {
	p := &Pool{}
	for lane, s := range shares {
		own := config.Copy()
		s.apply(own)
		pool, err := pgxpool.NewWithConfig(ctx, own)
		if err != nil {
			p.close()
			return nil, fmt.Errorf("open the connections of %s: %w", s.name, err)
		}
		p.lanes[lane], p.sql[lane] = pool, stdlib.OpenDBFromPool(pool)
		p.sql[lane].SetMaxIdleConns(0) // the pool keeps the idle ones
	}
	return p, nil
}

func (p *Pool) close() {
	for lane, pool := range p.lanes {
		if pool != nil {
			_ = p.sql[lane].Close()
			pool.Close()
		}
	}
}

// Of is the pool of one lane, for libraries that need a pgxpool.
func (p *Pool) Of(lane Lane) *pgxpool.Pool { return p.lanes[lane] }

func (p *Pool) of(ctx context.Context) *pgxpool.Pool { return p.lanes[laneOf(ctx)] }

// Query asks for rows.
func (p *Pool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return p.of(ctx).Query(ctx, sql, args...)
}

// QueryRow asks for one row.
func (p *Pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return p.of(ctx).QueryRow(ctx, sql, args...)
}

// Exec runs a statement, which is a transaction of its own.
func (p *Pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return p.of(ctx).Exec(ctx, sql, args...)
}

// SendBatch sends several statements at once.
func (p *Pool) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	return p.of(ctx).SendBatch(ctx, batch)
}

// Begin begins a transaction; use InTx where nothing more is needed.
func (p *Pool) Begin(ctx context.Context) (pgx.Tx, error) { return p.of(ctx).Begin(ctx) }

// BeginTx begins a transaction with options, such as a snapshot to read.
func (p *Pool) BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	return p.of(ctx).BeginTx(ctx, options)
}

// Acquire takes a connection until it is released.
func (p *Pool) Acquire(ctx context.Context) (*pgxpool.Conn, error) { return p.of(ctx).Acquire(ctx) }

// Ping checks that the database answers.
func (p *Pool) Ping(ctx context.Context) error { return p.of(ctx).Ping(ctx) }

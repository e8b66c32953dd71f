package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// openHot makes the pool of the hot path: few connections that no other work can take. They plan each statement once, and read rows by index only: a plan
// from when a table was small would otherwise scan all of it for a while after it has grown.
func openHot(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error) {
	config = config.Copy()
	own := orders
	own.connections = hotConnections()
	own.apply(config)
	for _, setting := range []string{"enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"} {
		config.ConnConfig.RuntimeParams[setting] = "off"
	}
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the hot path: %w", err)
	}
	return pool, nil
}

// hotConnections is two for each core, and 32 at most.
func hotConnections() int32 { return int32(min(2*runtime.GOMAXPROCS(0), 32)) }

// Hot runs work on a connection of the hot path. Work sends its own begin and commit; a transaction that it leaves open is
// rolled back.
func (d *DB) Hot(ctx context.Context, work func(*pgx.Conn) error) error {
	conn, err := d.hot.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("take a connection: %w", err)
	}
	defer conn.Release()
	if err := holding(func() error { return work(conn.Conn()) }); err != nil {
		rollback, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, _ = conn.Exec(rollback, "rollback") // a connection that can't roll back is not used again
		return err
	}
	return nil
}

// ChangedMeanwhile is the code with which the database refuses to overwrite a row that has changed since it was read.
const ChangedMeanwhile = "CD001"

// Raised reports whether err was raised by a rule of the database under a code of ours.
func Raised(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}

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

// openHot makes the pool of the hot path: few connections that no other work can take. They plan each statement once, and find every row by its index: a
// plan that was made while a table was small would otherwise read all of it for a while after it has grown.
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

// Hot runs work on a connection of the hot path. Work begins and ends its transaction by itself, as part of what it sends; whatever it leaves open is
// rolled back.
func (d *DB) Hot(ctx context.Context, work func(*pgx.Conn) error) error {
	conn, err := d.hot.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("take a connection: %w", err)
	}
	defer conn.Release()
	defer enter()()
	if err := work(conn.Conn()); err != nil {
		rollback, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, _ = conn.Exec(rollback, "rollback") // a connection that can't is not used again
		return err
	}
	return nil
}

// ChangedMeanwhile is the code under which the database refuses to write over what is not as it was read.
const ChangedMeanwhile = "CD001"

// Raised tells whether err is what a rule of the database raised under a code of ours.
func Raised(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}

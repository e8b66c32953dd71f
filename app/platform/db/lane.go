package db

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"candor/app/platform/errs"
)

// ErrBusy is returned when no connection was free in time. Nothing was done.
var ErrBusy = errs.New(errs.Unavailable, "busy")

// Lane is a share of the connections that the work of other lanes can't take. The root of a piece of work sets its lane in the context.
type Lane int

// The lanes. Orders have their own connections: see Hot.
const (
	House     Lane = iota // internal work: feed, tape, seals, jobs, commands; the lane of a context that names none
	Sessions              // session lookups by token
	Traders               // calls with a session
	Strangers             // calls without one: log-in, registration, public lists, the chat of visitors
	Staff                 // the back office
	lanes
)

// share is the number of connections of a lane and the time limits of its work. Zero means no limit.
type share struct {
	name        string
	connections int32
	acquire     time.Duration // waiting for a connection
	lock        time.Duration // waiting for a row or an advisory lock
	statement   time.Duration
	idle        time.Duration // open transactions that send nothing
}

// shares add up to 58 connections; the hot path adds two for each core.
var shares = [lanes]share{
	House:     {"house", 20, 30 * time.Second, 30 * time.Second, 0, 5 * time.Minute},
	Sessions:  {"sessions", 4, 5 * time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second},
	Traders:   {"traders", 16, 5 * time.Second, 5 * time.Second, 15 * time.Second, 15 * time.Second},
	Strangers: {"strangers", 10, 5 * time.Second, 5 * time.Second, 15 * time.Second, 15 * time.Second},
	Staff:     {"staff", 8, 10 * time.Second, 5 * time.Second, time.Minute, 30 * time.Second},
}

// spare is how many connections others need besides this program: commands, proofs, backups.
const spare = 20

// CheckRoom returns an error when PostgreSQL allows fewer connections than all lanes may open, which would otherwise fail requests at peak load.
func (d *DB) CheckRoom(ctx context.Context) error {
	var room int
	err := d.Pool.QueryRow(ctx, `SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END)::int FROM pg_settings
		WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`).Scan(&room)
	if err != nil {
		return fmt.Errorf("ask how many connections there may be: %w", err)
	}
	return fits(room)
}

func fits(room int) error {
	need := int(hotConnections()) + spare
	for _, s := range shares {
		need += int(s.connections)
	}
	if room < need {
		return fmt.Errorf("PostgreSQL allows %d connections, but the server needs %d on this machine: raise max_connections by %d", room, need, need-room)
	}
	return nil
}

// orders is the share of the hot path; the number of its connections depends on the cores.
var orders = share{"orders", 0, 5 * time.Second, 5 * time.Second, 15 * time.Second, 15 * time.Second}

type laneKey struct{}

// WithLane makes the database work under ctx use the connections of a lane.
func WithLane(ctx context.Context, lane Lane) context.Context {
	return context.WithValue(ctx, laneKey{}, lane)
}

func laneOf(ctx context.Context) Lane {
	lane, _ := ctx.Value(laneKey{}).(Lane)
	return lane
}

// apply limits the connections of a pool to a share. The database ends overdue work, whatever this program does.
func (s share) apply(config *pgxpool.Config) {
	config.MaxConns = s.connections
	parameters := config.ConnConfig.RuntimeParams
	parameters["application_name"] = "candor " + s.name
	for name, limit := range map[string]time.Duration{
		"lock_timeout": s.lock, "statement_timeout": s.statement, "idle_in_transaction_session_timeout": s.idle,
	} {
		parameters[name] = strconv.FormatInt(limit.Milliseconds(), 10)
	}
	config.ConnConfig.Tracer = patience(s.acquire)
	config.PrepareConn = refuseNested
}

// patience limits the wait for a connection of a pool.
type patience time.Duration

// waiting is the context of a wait for a connection.
type waiting struct {
	context.Context
	cancel context.CancelFunc
}

// Err is ErrBusy when the wait was too long, otherwise the error of the caller's context.
func (w waiting) Err() error {
	if context.Cause(w.Context) == error(ErrBusy) { //nolint:errorlint // it is this exact value
		return ErrBusy
	}
	return w.Context.Err()
}

// TraceAcquireStart begins the wait.
func (p patience) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	limited, cancel := context.WithTimeoutCause(ctx, time.Duration(p), ErrBusy)
	return waiting{limited, cancel}
}

// TraceAcquireEnd ends the wait.
func (p patience) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	if w, ok := ctx.(waiting); ok {
		w.cancel()
	}
}

// TraceQueryStart does nothing; pgx requires it of a tracer.
func (p patience) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd does nothing; pgx requires it of a tracer.
func (p patience) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

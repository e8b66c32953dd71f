package market

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"candor/app/platform/db"
)

// Several servers may share a database; one of them leads: it runs the feed, numbers the quotes and seals the tape. The others receive its quotes.

// The advisory locks of the database: the leader holds one as long as it leads; the other separates the terms of leaders.
const (
	leaderLock = 0x63616e646f72_01
	termLock   = 0x63616e646f72_02
)

// Leadership is this server's claim to lead. The database's lock decides; it is lost with its connection.
type Leadership struct {
	db   *db.DB
	mu   sync.Mutex
	conn *pgxpool.Conn // holds the lock; nil while another server leads
}

// NewLeadership makes a claim on a database.
func NewLeadership(d *db.DB) *Leadership { return &Leadership{db: d} }

// try takes the lead if it is free, and begins a term: from then on no quote of a former term is written.
func (l *Leadership) try(ctx context.Context) (term int64, ok bool, err error) {
	conn, err := l.db.Pool.Acquire(ctx)
	if err != nil {
		return 0, false, fmt.Errorf("claim the feed: %w", err)
	}
	if err = conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, leaderLock).Scan(&ok); err != nil || !ok {
		conn.Release()
		return 0, false, err
	}
	if term, err = beginTerm(ctx, l.db); err != nil {
		giveBack(conn)
		return 0, false, err
	}
	l.mu.Lock()
	l.conn = conn
	l.mu.Unlock()
	return term, true, nil
}

// beginTerm waits for running writes of the former term.
func beginTerm(ctx context.Context, d *db.DB) (term int64, err error) {
	name, _ := os.Hostname()
	err = d.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, termLock); err != nil {
			return err
		}
		return tx.Conn.QueryRow(ctx, `INSERT INTO feed_terms (server) VALUES ($1) RETURNING term`, fmt.Sprint(name, " ", os.Getpid())).Scan(&term)
	})
	if err != nil {
		return 0, fmt.Errorf("begin a term: %w", err)
	}
	return term, nil
}

// giveBack ends a connection's session, which releases its locks.
func giveBack(conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Hijack().Close(ctx)
}

// release ends the lead.
func (l *Leadership) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		giveBack(l.conn)
		l.conn = nil
	}
}

// held reports whether the lock is still held: its connection answers.
func (l *Leadership) held(ctx context.Context) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, leadPatience)
	defer cancel()
	return l.conn.Ping(ctx) == nil
}

const (
	leadEvery    = 250 * time.Millisecond // interval at which a leader checks its lock and the others try to take it
	leadPatience = time.Second
)

// formerLeader is the code with which the database refuses quotes of a former leader.
const formerLeader = "CD002"

// queueTerm adds to a batch a check that a term is current, and keeps it current until the transaction ends. A separate statement reads the term:
// a statement that had waited for the lock would still see the term from before the wait.
func queueTerm(batch *pgx.Batch, term int64) {
	batch.Queue(`SELECT pg_advisory_xact_lock_shared($1)`, termLock)
	batch.Queue(`SELECT must_be((SELECT term FROM feed_terms ORDER BY term DESC LIMIT 1), $1, $2)`, term, formerLeader)
}

// Refusal is the refusal behind an error of a transaction that stored quotes: ErrStale for quotes of a former leader.
func Refusal(err error) error {
	if db.Raised(err, formerLeader) {
		return ErrStale
	}
	return err
}

// withinTerm is queueTerm for a transaction that runs step by step. It returns ErrStale.
func withinTerm(ctx context.Context, tx *db.Tx, term int64) error {
	var batch pgx.Batch
	queueTerm(&batch, term)
	return Refusal(tx.Conn.SendBatch(ctx, &batch).Close())
}

// lead makes this server the leader: it seals unsealed quotes, continues where the tape ends, and starts the feed.
func (s *Service) lead(ctx context.Context, term int64) error {
	s.term = term
	s.tape.reset(term)
	if err := s.tape.recover(ctx); err != nil {
		return err
	}
	if err := s.loadInstruments(ctx); err != nil {
		return err
	}
	if term > 0 {
		for _, i := range s.byID {
			i.seq += lostQuotes
		}
	}
	if err := s.feed.Start(s.products, s.hours, s.lastQuotes()); err != nil {
		return fmt.Errorf("start the feed: %w", err)
	}
	for _, i := range s.byID {
		i.guard.stale = s.feed.StaleLimit(s.product(i, s.Now()))
	}
	s.tryToLead()
	s.leading.Store(true)
	return nil
}

// lostQuotes is more than one product's published quotes that may never reach the tape, although orders used them. Sequences are never reused.
const lostQuotes = 1 << 16

// follow waits for the lead while receiving the leader's quotes; false when ctx has ended.
func (s *Service) follow(ctx context.Context) (bool, error) {
	ticker := time.NewTicker(leadEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false, nil
		}
		term, ok, err := s.leadership.try(ctx)
		if err != nil || !ok {
			continue // the database may be unavailable; quotes grow stale and can't be traded on
		}
		return true, s.lead(ctx, term)
	}
}

// untilLost is ctx, canceled when the lead is lost.
func (s *Service) untilLost(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	if s.leadership == nil {
		return ctx, cancel
	}
	go func() {
		ticker := time.NewTicker(leadEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if !s.leadership.held(ctx) {
					cancel()
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, cancel
}

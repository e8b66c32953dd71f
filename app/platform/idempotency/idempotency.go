// Package idempotency makes a write happen once per key: its result is stored in the transaction that has the effect, and given again to every later request
// with the key.
package idempotency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Refusals of keys.
var (
	ErrKeyMissing = errs.New(errs.Invalid, "idempotency.missing")      // a money write came without a key
	ErrKeyReused  = errs.New(errs.Refused, "idempotency.another_body") // the key came before with another body
)

// Request is one write as a client sent it.
type Request struct {
	TraderID int64
	Call     string // the call's path
	Key      string // 1 to 64 characters, chosen by the client
	Body     []byte
	TraceID  string
	At       time.Time // when it arrived
}

// Result is the result of a write, with the trace id and the time of the first request with its key.
type Result[T any] struct {
	Value   T
	TraceID string
	At      time.Time
}

// Do runs work in one transaction unless the key has a result; then it returns that.
// A duplicate that arrives meanwhile waits for the first. An error of work is no result: nothing is stored and the key stays free.
// A result is stored as JSON: fields that JSON leaves out, such as keys of sealed values, are in the first result only.
func Do[T any](ctx context.Context, d *db.DB, r Request, work func(*db.Tx) (T, error)) (Result[T], error) {
	if err := r.Check(); err != nil {
		return Result[T]{}, err
	}
	var result *Result[T]
	err := d.InTx(ctx, func(tx *db.Tx) error {
		stored, err := r.claim(ctx, tx)
		if err != nil {
			return err
		}
		if stored != nil {
			result, err = Replay[T](*stored, r)
			return err
		}
		value, err := work(tx)
		if err != nil {
			return err
		}
		record, err := NewRecord(r, value)
		if err != nil {
			return err
		}
		result = &Result[T]{value, record.TraceID, record.At}
		_, err = tx.Conn.Exec(ctx, `UPDATE idempotency_keys SET result = $4 WHERE trader_id = $1 AND call = $2 AND key = $3`,
			r.TraderID, r.Call, r.Key, record.Result)
		return err
	})
	if err != nil {
		return Result[T]{}, err
	}
	return *result, nil
}

// errRehearsed undoes work that would have been done.
var errRehearsed = errors.New("this was a rehearsal")

// DoProven is Do for work that somebody must prove to be allowed to ask for. What would be refused anyway is refused before the proof, so that a typing
// error costs no code; and no transaction is open while the proof is checked, for that takes connections and time.
func DoProven[T any](ctx context.Context, d *db.DB, r Request, prove func(context.Context) error, work func(*db.Tx) (T, error)) (Result[T], error) {
	switch result, err := stored[T](ctx, d, r); {
	case err != nil:
		return Result[T]{}, err
	case result != nil:
		return *result, nil
	}
	err := d.InTx(ctx, func(tx *db.Tx) error {
		if _, err := work(tx); err != nil {
			return err
		}
		return errRehearsed
	})
	if !errors.Is(err, errRehearsed) {
		if result, found := stored[T](ctx, d, r); found == nil && result != nil { // a duplicate that came at the same time has done it: that is why it is refused now
			return *result, nil
		}
		return Result[T]{}, err
	}
	refusal := prove(ctx)
	return Do(ctx, d, r, func(tx *db.Tx) (zero T, err error) {
		if refusal != nil { // unless a duplicate that came at the same time used the proof up and has a result
			return zero, refusal
		}
		return work(tx)
	})
}

// stored is the result of an earlier request with the key; nil for none.
func stored[T any](ctx context.Context, d *db.DB, r Request) (*Result[T], error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	var batch pgx.Batch
	found := map[ID]Record{}
	QueueFind(&batch, []ID{r.ID()}, found)
	if err := d.Pool.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, fmt.Errorf("look for the result of %s: %w", r.Call, err)
	}
	if record, ok := found[r.ID()]; ok {
		return Replay[T](record, r)
	}
	return nil, nil
}

// claim takes the key, waiting for another holder. It returns the earlier request's record, or nil.
func (r Request) claim(ctx context.Context, tx *db.Tx) (*Record, error) {
	record := r.record()
	tag, err := tx.Conn.Exec(ctx, `INSERT INTO idempotency_keys (trader_id, call, key, body_hash, trace_id, created_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
		r.TraderID, r.Call, r.Key, record.BodyHash[:], record.TraceID, record.At)
	if err != nil {
		return nil, fmt.Errorf("claim the key of %s: %w", r.Call, err)
	}
	if tag.RowsAffected() == 1 {
		return nil, nil
	}
	var hash []byte
	err = tx.Conn.QueryRow(ctx, `SELECT body_hash, trace_id, created_at, result FROM idempotency_keys WHERE trader_id = $1 AND call = $2 AND key = $3`,
		r.TraderID, r.Call, r.Key).Scan(&hash, &record.TraceID, &record.At, &record.Result)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, db.ErrChanged
	}
	if err != nil {
		return nil, fmt.Errorf("read the result of %s: %w", r.Call, err)
	}
	record.BodyHash, record.At = [len(record.BodyHash)]byte(hash), record.At.UTC()
	return &record, nil
}

// Package idempotency makes a write happen once per key: the first answer is stored in the transaction that has the effect and replayed byte for byte.
package idempotency

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Refusals of keys.
var (
	ErrKeyMissing = errs.New(errs.Invalid, "idempotency.missing")      // a money write came without a key
	ErrKeyReused  = errs.New(errs.Refused, "idempotency.another_body") // the key came before with another body
)

// Request is one write as a client sent it. Encode turns the result into the answer that is stored.
type Request struct {
	TraderID int64
	Call     string // the call's path
	Key      string // 1 to 64 characters, chosen by the client
	Body     []byte
	Encode   func(result any) ([]byte, error)
}

// Do runs work in one transaction unless the key was answered before; then it replays that answer.
// A duplicate that arrives meanwhile waits for the first. An error of work is no answer: nothing is stored and the key stays free.
func Do(ctx context.Context, d *db.DB, r Request, work func(*db.Tx) (any, error)) (answer []byte, err error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	err = d.InTx(ctx, func(tx *db.Tx) error {
		answer, err = r.claim(ctx, tx)
		if err != nil || answer != nil {
			return err
		}
		result, err := work(tx)
		if err != nil {
			return err
		}
		given, err := r.Answer(result)
		if err != nil {
			return err
		}
		answer = given.Body
		_, err = tx.Conn.Exec(ctx, `UPDATE answers SET answer = $4 WHERE trader_id = $1 AND call = $2 AND key = $3`,
			r.TraderID, r.Call, r.Key, answer)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// errRehearsed undoes work that would have been done.
var errRehearsed = errors.New("this was a rehearsal")

// DoProven is Do for work that somebody must prove to be allowed to ask for. What would be refused anyway is refused before the proof, so that a typing
// error costs no code; and no transaction is open while the proof is checked, for that takes connections and time.
func DoProven(ctx context.Context, d *db.DB, r Request, prove func(context.Context) error, work func(*db.Tx) (any, error)) ([]byte, error) {
	if answer, err := r.answered(ctx, d); err != nil || answer != nil {
		return answer, err
	}
	err := d.InTx(ctx, func(tx *db.Tx) error {
		if _, err := work(tx); err != nil {
			return err
		}
		return errRehearsed
	})
	if !errors.Is(err, errRehearsed) {
		if answer, found := r.answered(ctx, d); found == nil && answer != nil { // a duplicate that came at the same time has done it: that is why it is refused now
			return answer, nil
		}
		return nil, err
	}
	refusal := prove(ctx)
	return Do(ctx, d, r, func(tx *db.Tx) (any, error) {
		if refusal != nil { // unless a duplicate that came at the same time used the proof up and has been answered
			return nil, refusal
		}
		return work(tx)
	})
}

// answered is the answer to a key that was answered before.
func (r Request) answered(ctx context.Context, d *db.DB) ([]byte, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	var batch pgx.Batch
	found := map[ID]Answer{}
	QueueFind(&batch, []ID{r.ID()}, found)
	if err := d.Pool.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, fmt.Errorf("look for the answer of %s: %w", r.Call, err)
	}
	if answer, ok := found[r.ID()]; ok {
		return answer.Replay(r)
	}
	return nil, nil
}

// claim takes the key, waiting for whoever holds it; answer is set when the key was answered before.
func (r Request) claim(ctx context.Context, tx *db.Tx) (answer []byte, err error) {
	hash := sha256.Sum256(r.Body)
	tag, err := tx.Conn.Exec(ctx, `INSERT INTO answers (trader_id, call, key, body_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
		r.TraderID, r.Call, r.Key, hash[:])
	if err != nil {
		return nil, fmt.Errorf("claim the key of %s: %w", r.Call, err)
	}
	if tag.RowsAffected() == 1 {
		return nil, nil
	}
	var before []byte
	err = tx.Conn.QueryRow(ctx, `SELECT body_hash, answer FROM answers WHERE trader_id = $1 AND call = $2 AND key = $3`,
		r.TraderID, r.Call, r.Key).Scan(&before, &answer)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, db.ErrChanged
	}
	if err != nil {
		return nil, fmt.Errorf("read the answer of %s: %w", r.Call, err)
	}
	return Answer{[sha256.Size]byte(before), answer}.Replay(r)
}

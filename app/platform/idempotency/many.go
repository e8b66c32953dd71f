package idempotency

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Check demands a key that can be stored. It returns ErrKeyMissing.
func (r Request) Check() error {
	if r.Key == "" || len(r.Key) > 64 || !db.IsText(r.Key) {
		return ErrKeyMissing
	}
	return nil
}

// ID names what an answer is stored under.
type ID struct {
	TraderID  int64
	Call, Key string
}

// ID is the request's.
func (r Request) ID() ID { return ID{r.TraderID, r.Call, r.Key} }

// Answer is what a request was answered.
type Answer struct {
	Hash [sha256.Size]byte // of the body that it came with
	Body []byte
}

// Replay is the answer for a request that may have been answered before: ErrKeyReused when it came with another body.
func (a Answer) Replay(r Request) ([]byte, error) {
	if hash := sha256.Sum256(r.Body); !bytes.Equal(a.Hash[:], hash[:]) {
		return nil, ErrKeyReused
	}
	return a.Body, nil
}

// Answer encodes a result as the request's answer.
func (r Request) Answer(result any) (Answer, error) {
	body, err := r.Encode(result)
	if err != nil {
		return Answer{}, fmt.Errorf("encode the answer of %s: %w", r.Call, err)
	}
	return Answer{sha256.Sum256(r.Body), body}, nil
}

// QueueFind adds to a batch the question which of many requests were answered before, and puts their answers into found.
func QueueFind(batch *pgx.Batch, ids []ID, found map[ID]Answer) {
	traders, calls, keys := make([]int64, len(ids)), make([]string, len(ids)), make([]string, len(ids))
	for i, id := range ids {
		traders[i], calls[i], keys[i] = id.TraderID, id.Call, id.Key
	}
	batch.Queue(`
		SELECT trader_id, call, key, body_hash, answer FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (trader_id, call, key)
		JOIN answers USING (trader_id, call, key)`, traders, calls, keys).Query(func(rows pgx.Rows) error {
		var id ID
		var hash, body []byte
		_, err := pgx.ForEachRow(rows, []any{&id.TraderID, &id.Call, &id.Key, &hash, &body}, func() error {
			found[id] = Answer{[sha256.Size]byte(hash), bytes.Clone(body)}
			return nil
		})
		return err
	})
}

// QueueStore adds the answers of new requests to a batch. A key that somebody else took meanwhile ends the transaction.
func QueueStore(batch *pgx.Batch, answers map[ID]Answer) {
	var rows db.Records
	for id, a := range answers {
		rows.Row(5)
		rows.Bigint(id.TraderID)
		rows.Text(id.Call)
		rows.Text(id.Key)
		rows.Bytes(a.Hash[:])
		rows.Bytes(a.Body)
	}
	rows.Queue(batch, `INSERT INTO answers (trader_id, call, key, body_hash, answer) SELECT * FROM unnest($1::answer_row[])`)
}

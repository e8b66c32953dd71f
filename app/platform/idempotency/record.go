package idempotency

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Check requires a key that can be stored. It returns ErrKeyMissing.
func (r Request) Check() error {
	if r.Key == "" || len(r.Key) > 64 || !db.IsText(r.Key) {
		return ErrKeyMissing
	}
	return nil
}

// ID identifies a stored result.
type ID struct {
	TraderID  int64
	Call, Key string
}

// ID is the request's.
func (r Request) ID() ID { return ID{r.TraderID, r.Call, r.Key} }

// Record is a stored result with what identifies its request.
type Record struct {
	BodyHash [sha256.Size]byte // SHA-256 of the request's body
	TraceID  string
	At       time.Time // of the request, to the microsecond
	Result   []byte    // JSON, without zero fields
}

func (r Request) record() Record {
	return Record{BodyHash: sha256.Sum256(r.Body), TraceID: r.TraceID, At: r.At.UTC().Truncate(time.Microsecond)} // as PostgreSQL stores it
}

// NewRecord is the request's record with its result.
func NewRecord[T any](r Request, value T) (Record, error) {
	out := r.record()
	var err error
	if out.Result, err = json.Marshal(value, json.OmitZeroStructFields(true), json.Deterministic(true)); err != nil {
		return out, fmt.Errorf("store the result of %s: %w", r.Call, err)
	}
	return out, nil
}

// Replay is the recorded result for a later request with the key: ErrKeyReused when its body differs.
func Replay[T any](record Record, r Request) (*Result[T], error) {
	if r.record().BodyHash != record.BodyHash {
		return nil, ErrKeyReused
	}
	out := &Result[T]{TraceID: record.TraceID, At: record.At}
	if err := json.Unmarshal(record.Result, &out.Value); err != nil {
		return nil, fmt.Errorf("read the result of %s: %w", r.Call, err)
	}
	return out, nil
}

// QueueFind adds the query for the records of many requests to a batch, and puts them into found.
func QueueFind(batch *pgx.Batch, ids []ID, found map[ID]Record) {
	traders, calls, keys := make([]int64, len(ids)), make([]string, len(ids)), make([]string, len(ids))
	for i, id := range ids {
		traders[i], calls[i], keys[i] = id.TraderID, id.Call, id.Key
	}
	batch.Queue(`
		SELECT trader_id, call, key, body_hash, trace_id, created_at, result FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (trader_id, call, key)
		JOIN idempotency_keys USING (trader_id, call, key)`, traders, calls, keys).Query(func(rows pgx.Rows) error {
		var id ID
		var record Record
		var hash, result []byte
		_, err := pgx.ForEachRow(rows, []any{&id.TraderID, &id.Call, &id.Key, &hash, &record.TraceID, &record.At, &result}, func() error {
			record.BodyHash, record.At, record.Result = [sha256.Size]byte(hash), record.At.UTC(), bytes.Clone(result)
			found[id] = record
			return nil
		})
		return err
	})
}

// QueueStore adds new records to a batch. A key that somebody else took meanwhile ends the transaction.
func QueueStore(batch *pgx.Batch, records map[ID]Record) {
	var rows db.Records
	for id, record := range records {
		rows.Row(7)
		rows.Bigint(id.TraderID)
		rows.Text(id.Call)
		rows.Text(id.Key)
		rows.Bytes(record.BodyHash[:])
		rows.Text(record.TraceID)
		rows.Time(record.At)
		rows.Bytes(record.Result)
	}
	rows.Queue(batch, `INSERT INTO idempotency_keys (trader_id, call, key, body_hash, trace_id, created_at, result) SELECT * FROM unnest($1::idempotency_key_row[])`)
}

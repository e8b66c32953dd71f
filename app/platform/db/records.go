package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"database/sql/driver"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Records is an array of one of the database's own row types, whose names end in _row, in PostgreSQL's binary form. It lets one statement write any
// number of rows: INSERT … SELECT … FROM unnest($1::…_row[]). Fields are added in the order of the type; the database refuses a row that does not fit.
type Records struct {
	count int
	row   int // offset of the length of the row that is being written
	data  []byte
}

// Row begins a row with a number of fields.
func (r *Records) Row(fields int) {
	r.close()
	r.count++
	r.row = len(r.data)
	r.data = binary.BigEndian.AppendUint32(r.data, 0)
	r.data = binary.BigEndian.AppendUint32(r.data, uint32(fields))
}

func (r *Records) close() {
	if r.count > 0 {
		binary.BigEndian.PutUint32(r.data[r.row:], uint32(len(r.data)-r.row-4))
	}
}

// Len is the number of rows.
func (r *Records) Len() int { return r.count }

// Queue adds a statement that stores the rows to a batch, if there are any.
func (r *Records) Queue(batch *pgx.Batch, sql string) {
	if r.count > 0 {
		batch.Queue(sql, r)
	}
}

// QueueUpdate adds an update that must match every row to a batch, if there are any: a row that changed since it was read ends the transaction.
func (r *Records) QueueUpdate(batch *pgx.Batch, update string) {
	if r.count > 0 {
		batch.Queue(`WITH met AS (UPDATE `+update+`) SELECT must_be((SELECT count(*) FROM met), $2, $3)`, r, r.count, ChangedMeanwhile)
	}
}

func (r *Records) field(oid uint32, size int) {
	r.data = binary.BigEndian.AppendUint32(r.data, oid)
	r.data = binary.BigEndian.AppendUint32(r.data, uint32(int32(size)))
}

const absent = -1 // the size of NULL

// Bigint adds a bigint.
func (r *Records) Bigint(v int64) {
	r.field(pgtype.Int8OID, 8)
	r.data = binary.BigEndian.AppendUint64(r.data, uint64(v))
}

// MaybeBigint adds a bigint, or NULL.
func (r *Records) MaybeBigint(v *int64) {
	if v == nil {
		r.field(pgtype.Int8OID, absent)
		return
	}
	r.Bigint(*v)
}

// Int adds an int.
func (r *Records) Int(v int) {
	r.field(pgtype.Int4OID, 4)
	r.data = binary.BigEndian.AppendUint32(r.data, uint32(int32(v)))
}

// MaybeInt adds an int, or NULL.
func (r *Records) MaybeInt(v *int) {
	if v == nil {
		r.field(pgtype.Int4OID, absent)
		return
	}
	r.Int(*v)
}

// Bool adds a boolean.
func (r *Records) Bool(v bool) {
	r.field(pgtype.BoolOID, 1)
	if v {
		r.data = append(r.data, 1)
	} else {
		r.data = append(r.data, 0)
	}
}

// MaybeBool adds a boolean, or NULL.
func (r *Records) MaybeBool(v *bool) {
	if v == nil {
		r.field(pgtype.BoolOID, absent)
		return
	}
	r.Bool(*v)
}

// Text adds a text.
func (r *Records) Text(v string) {
	r.field(pgtype.TextOID, len(v))
	r.data = append(r.data, v...)
}

// MaybeText adds a text, or NULL.
func MaybeText[T ~string](r *Records, v *T) {
	if v == nil {
		r.field(pgtype.TextOID, absent)
		return
	}
	r.Text(string(*v))
}

// Bytes adds a bytea.
func (r *Records) Bytes(v []byte) {
	r.field(pgtype.ByteaOID, len(v))
	r.data = append(r.data, v...)
}

// MaybeJSON adds a jsonb, or NULL where there is no text.
func (r *Records) MaybeJSON(text []byte) {
	if text == nil {
		r.field(pgtype.JSONBOID, absent)
		return
	}
	r.field(pgtype.JSONBOID, len(text)+1)
	r.data = append(r.data, 1) // format version
	r.data = append(r.data, text...)
}

// epoch is the start of PostgreSQL's time.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Time adds a timestamptz.
func (r *Records) Time(v time.Time) {
	r.field(pgtype.TimestamptzOID, 8)
	r.data = binary.BigEndian.AppendUint64(r.data, uint64(v.UnixMicro()-epoch.UnixMicro()))
}

// MaybeTime adds a timestamptz, or NULL.
func (r *Records) MaybeTime(v *time.Time) {
	if v == nil {
		r.field(pgtype.TimestamptzOID, absent)
		return
	}
	r.Time(*v)
}

// Date adds the date of a moment in UTC.
func (r *Records) Date(v time.Time) {
	r.field(pgtype.DateOID, 4)
	r.data = binary.BigEndian.AppendUint32(r.data, uint32(int32((v.Unix()-epoch.Unix())/(24*60*60))))
}

// learnRows registers the row types with a connection.
func learnRows(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `SELECT typname::text, oid, typarray FROM pg_type WHERE typtype = 'c' AND typnamespace = 'public'::regnamespace AND typname LIKE '%\_row'`)
	if err != nil {
		return fmt.Errorf("read the types of rows: %w", err)
	}
	var name string
	var one, many uint32
	_, err = pgx.ForEachRow(rows, []any{&name, &one, &many}, func() error {
		conn.TypeMap().RegisterType(&pgtype.Type{Name: name + "[]", OID: many, Codec: recordsCodec{row: one}})
		return nil
	})
	return err
}

// recordsCodec sends Records; nothing reads them back.
type recordsCodec struct{ row uint32 }

func (recordsCodec) FormatSupported(format int16) bool { return format == pgtype.BinaryFormatCode }
func (recordsCodec) PreferredFormat() int16            { return pgtype.BinaryFormatCode }

func (c recordsCodec) PlanEncode(_ *pgtype.Map, _ uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(*Records); !ok || format != pgtype.BinaryFormatCode {
		return nil
	}
	return c
}

// Encode writes the array: one dimension from 1, no NULL among its rows.
func (c recordsCodec) Encode(value any, buf []byte) ([]byte, error) {
	r := value.(*Records)
	r.close()
	dimensions := uint32(1)
	if r.count == 0 {
		dimensions = 0
	}
	for _, n := range []uint32{dimensions, 0, c.row} {
		buf = binary.BigEndian.AppendUint32(buf, n)
	}
	if r.count == 0 {
		return buf, nil
	}
	buf = binary.BigEndian.AppendUint32(buf, uint32(r.count))
	buf = binary.BigEndian.AppendUint32(buf, 1)
	return append(buf, r.data...), nil
}

func (recordsCodec) PlanScan(*pgtype.Map, uint32, int16, any) pgtype.ScanPlan { return nil }

func (recordsCodec) DecodeDatabaseSQLValue(*pgtype.Map, uint32, int16, []byte) (driver.Value, error) {
	return nil, errSendOnly
}

func (recordsCodec) DecodeValue(*pgtype.Map, uint32, int16, []byte) (any, error) {
	return nil, errSendOnly
}

var errSendOnly = fmt.Errorf("rows are only sent")

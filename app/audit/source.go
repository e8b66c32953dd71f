package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/seal"
)

// Source is a table that a chain seals: its rows are only added, and each stores its transaction (columns id and xid).
type Source struct {
	Table   string
	Heads   string // the table of the chain's signed heads
	Columns string // the columns that Scan reads
	Scan    func(pgx.CollectableRow) (Row, error)
}

// Row is one row of a source, in the form the chain needs.
type Row struct {
	ID   int64
	XID  uint64 // the transaction that wrote it
	Leaf seal.Hash
}

// Entries is the audit log as a source.
var Entries = Source{
	Table: "audit_entries", Heads: "audit_heads",
	Columns: `id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after, actor_roles, agent, xid`,
	Scan: func(row pgx.CollectableRow) (r Row, err error) {
		var e Entry
		err = row.Scan(&e.ID, &e.At, &e.ActorKind, &e.ActorID, &e.ActorName, &e.Action, &e.TargetKind, &e.TargetID, &e.Result,
			&e.IP, &e.TraceID, &e.Before, &e.After, &e.ActorRoles, &e.Agent, &r.XID)
		r.ID, r.Leaf = e.ID, e.leaf()
		return r, err
	},
}

// Querier reads rows: a pool or a transaction.
type Querier = db.Querier

// Heads lists the signed heads of a table before a batch (0 for the newest), newest first.
func Heads(ctx context.Context, q Querier, table string, before int64, limit int) ([]seal.Head, error) {
	rows, err := q.Query(ctx, `SELECT `+headColumns+` FROM `+pgx.Identifier{table}.Sanitize()+` WHERE $1::bigint = 0 OR batch < $1 ORDER BY batch DESC LIMIT $2`, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", table, err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (seal.Head, error) { return scanHead(row) })
}

// Proof is a row's position in the chain: the head that seals it and its path to the head's root.
type Proof struct {
	Head seal.Head
	Path []seal.Step
}

// Proofs finds the positions of rows in the chain; an unsealed row has none.
func (s Source) Proofs(ctx context.Context, q Querier, ids []int64) (map[int64]Proof, error) {
	rows, err := q.Query(ctx, `
		SELECT `+headColumns+`, ids FROM `+s.Heads+` WHERE batch IN (
			SELECT (SELECT batch FROM `+s.Heads+` h WHERE h.until_xid >= r.xid ORDER BY h.until_xid LIMIT 1) FROM `+s.Table+` r WHERE r.id = ANY($1))`, ids)
	if err != nil {
		return nil, fmt.Errorf("find the heads of %s: %w", s.Table, err)
	}
	batches, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (b sealedBatch, err error) {
		b.Head, err = scanHead(row, &b.ids)
		return b, err
	})
	if err != nil {
		return nil, fmt.Errorf("find the heads of %s: %w", s.Table, err)
	}
	out := make(map[int64]Proof, len(ids))
	for _, b := range batches {
		sealed, err := s.read(ctx, q, "id = ANY($1)", b.ids)
		if err != nil {
			return nil, err
		}
		leaves := make([]seal.Hash, len(sealed))
		for i, row := range sealed {
			leaves[i] = row.Leaf
		}
		for i, row := range sealed {
			if slices.Contains(ids, row.ID) {
				out[row.ID] = Proof{b.Head, seal.Path(leaves, i)}
			}
		}
	}
	return out, nil
}

// finalAfter reads rows of whole transactions after the given one, up to the first transaction that is still running.
func (s Source) finalAfter(ctx context.Context, conn pgx.Tx, after uint64) ([]Row, error) {
	return s.read(ctx, conn, `xid > $1 AND xid < pg_snapshot_xmin(pg_current_snapshot()) AND
		xid <= coalesce((SELECT xid FROM `+s.Table+` WHERE xid > $1 ORDER BY xid, id OFFSET $2 LIMIT 1), pg_snapshot_xmin(pg_current_snapshot()))`, after, batchLimit-1)
}

// read lists rows in sealing order.
func (s Source) read(ctx context.Context, q Querier, where string, args ...any) ([]Row, error) {
	rows, err := q.Query(ctx, `SELECT `+s.Columns+` FROM `+s.Table+` WHERE `+where+` ORDER BY xid, id`, args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.Table, err)
	}
	list, err := pgx.CollectRows(rows, s.Scan)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.Table, err)
	}
	return list, nil
}

func (s Source) last(ctx context.Context, conn pgx.Tx) (head seal.Head, untilXID uint64, err error) {
	head, err = scanHead(conn.QueryRow(ctx, `SELECT `+headColumns+`, until_xid FROM `+s.Heads+` ORDER BY batch DESC LIMIT 1`), &untilXID)
	if errors.Is(err, pgx.ErrNoRows) {
		return seal.Head{}, 0, nil
	}
	return head, untilXID, err
}

func (s Source) wrong(id int64, what string) *Problem {
	return &Problem{s.Table, fmt.Sprint("id ", id), what}
}

const headColumns = `batch, previous, root, count, sealed_at, hash, signature`

// scanHead reads headColumns and the columns after them.
func scanHead(row pgx.Row, more ...any) (h seal.Head, err error) {
	var previous, root, hash []byte
	err = row.Scan(append([]any{&h.Batch, &previous, &root, &h.Count, &h.SealedAt, &hash, &h.Signature}, more...)...)
	copy(h.Previous[:], previous)
	copy(h.Root[:], root)
	copy(h.Hash[:], hash)
	return h, err
}

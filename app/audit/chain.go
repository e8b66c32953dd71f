package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/seal"
)

const (
	batchLimit = 5_000
	prefixSize = 8
)

// Chain seals the rows of a source and verifies sealed rows.
type Chain struct {
	source      Source
	db          *db.DB
	clock       clock.Clock
	key         ed25519.PrivateKey
	checkpoints *seal.CheckpointStore
}

// NewChain makes the chain over source that signs with key and writes checkpoints to outside.
func NewChain(source Source, d *db.DB, c clock.Clock, key ed25519.PrivateKey, outside *seal.CheckpointStore) *Chain {
	return &Chain{source: source, db: d, clock: c, key: key, checkpoints: outside}
}

// Seal chains the rows that are final and not yet sealed, and returns their number.
func (c *Chain) Seal(ctx context.Context) (sealed int, err error) {
	var outside error
	err = c.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext($1))`, c.source.Heads); err != nil {
			return err
		}
		last, after, err := c.source.last(ctx, tx.Conn)
		if err != nil {
			return err
		}
		rows, err := c.source.finalAfter(ctx, tx.Conn, after)
		if err != nil || len(rows) == 0 {
			return err
		}
		head, err := c.append(ctx, tx, last, rows)
		if err != nil {
			return err
		}
		sealed = len(rows)
		tx.AfterCommit(func() { outside = c.checkpoints.Append(head) })
		return nil
	})
	return sealed, errors.Join(err, outside)
}

func (c *Chain) append(ctx context.Context, tx *db.Tx, last seal.Head, rows []Row) (seal.Head, error) {
	leaves, ids, prefixes := make([]seal.Hash, len(rows)), make([]int64, len(rows)), make([]byte, 0, prefixSize*len(rows))
	for i, row := range rows {
		leaves[i], ids[i] = row.Leaf, row.ID
		prefixes = append(prefixes, row.Leaf[:prefixSize]...)
	}
	head := seal.Next(last, last.Batch+1, leaves, c.clock.Now(), c.key)
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO `+c.source.Heads+` (batch, previous, root, count, sealed_at, hash, signature, until_xid, ids, leaves)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		head.Batch, head.Previous[:], head.Root[:], head.Count, head.SealedAt, head.Hash[:], head.Signature,
		rows[len(rows)-1].XID, ids, prefixes)
	if err != nil {
		return head, fmt.Errorf("write to %s: %w", c.source.Heads, err)
	}
	return head, nil
}

// Problem is the first record that does not fit.
type Problem struct {
	Table string
	Row   string
	What  string
}

// FindProblem returns the first row that a query finds wrong in a table, nil when there is none. The query returns (id, row, what) for each, in
// any order. All rows are found before sorting: asked for the first one alone, PostgreSQL expects an early match and walks the table by its key,
// row by row against the other tables, which takes quadratic time when nothing is wrong.
func FindProblem(ctx context.Context, q Querier, table, sql string, args ...any) (*Problem, error) {
	p := Problem{Table: table}
	err := q.QueryRow(ctx, `WITH wrong (id, row, what) AS MATERIALIZED (`+sql+`) SELECT row, what FROM wrong ORDER BY id LIMIT 1`, args...).Scan(&p.Row, &p.What)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for what is wrong in %s: %w", table, err)
	}
	return &p, nil
}

// Verify walks the chain from its first head and names the first record that does not fit; nil when all do. It also counts the proved rows.
func (c *Chain) Verify(ctx context.Context) (problem *Problem, proved int64, err error) {
	kept := ReadCheckpoints(c.checkpoints)
	heads, err := c.batches(ctx)
	if err != nil {
		return nil, 0, err
	}
	previous, known := seal.Head{}, make(map[int64]seal.Hash, len(heads))
	for _, h := range heads {
		if problem = c.checkLink(previous, h.Head); problem != nil {
			return problem, proved, nil
		}
		problem, err = c.checkRows(ctx, h)
		if err != nil || problem != nil {
			return problem, proved, err
		}
		previous, proved, known[h.Batch] = h.Head, proved+h.Count, h.Hash
	}
	if problem, err = c.checkUncovered(ctx, c.db.Pool); err != nil || problem != nil {
		return problem, proved, err
	}
	return kept.Check(c.source.Heads, known), proved, nil
}

// checkUncovered finds a row inserted behind the sealed ones.
func (c *Chain) checkUncovered(ctx context.Context, q Querier) (*Problem, error) {
	return FindProblem(ctx, q, c.source.Table, `
		SELECT e.id, 'id ' || e.id, 'was added behind the sealed ones' FROM `+c.source.Table+` e
		LEFT JOIN (SELECT unnest(ids) AS id FROM `+c.source.Heads+`) sealed ON sealed.id = e.id
		WHERE e.xid <= (SELECT until_xid FROM `+c.source.Heads+` ORDER BY batch DESC LIMIT 1) AND sealed.id IS NULL`)
}

func (c *Chain) checkLink(previous, h seal.Head) *Problem {
	row := fmt.Sprint("batch ", h.Batch)
	switch {
	case h.Batch != previous.Batch+1:
		return &Problem{c.source.Heads, fmt.Sprint("batch ", previous.Batch+1), "is missing"}
	case h.Previous != previous.Hash:
		return &Problem{c.source.Heads, row, "does not follow the head before it"}
	case !h.Genuine(c.key.Public().(ed25519.PublicKey)):
		return &Problem{c.source.Heads, row, "its hash or signature does not fit"}
	}
	return nil
}

// Checkpoints is the content of the checkpoint store at one moment. It is read before the database, which may continue meanwhile.
type Checkpoints struct {
	store *seal.CheckpointStore
	heads []seal.Head
	err   error
}

// ReadCheckpoints reads all checkpoints.
func ReadCheckpoints(outside *seal.CheckpointStore) Checkpoints {
	k := Checkpoints{store: outside}
	k.err = outside.Each(func(h seal.Head) { k.heads = append(k.heads, h) })
	return k
}

// Check compares every checkpoint with the database's signed heads, known by batch, and names the lowest batch that does not
// fit: this reveals a cut tail.
func (k Checkpoints) Check(table string, known map[int64]seal.Hash) *Problem {
	if len(k.heads) == 0 && k.err == nil && len(known) > 0 {
		k = ReadCheckpoints(k.store) // the first checkpoint may have been written meanwhile
	}
	var wrong, last seal.Head
	for _, kept := range k.heads {
		if kept.Batch > last.Batch {
			last = kept
		}
		hash, ok := known[kept.Batch]
		if (!ok || hash != kept.Hash) && (wrong.Batch == 0 || kept.Batch < wrong.Batch) {
			wrong = kept
		}
	}
	_, found := known[wrong.Batch]
	row := fmt.Sprint("batch ", wrong.Batch)
	switch {
	case k.err != nil:
		return &Problem{table, k.store.Path(), "the heads kept outside can't be read: " + k.err.Error()}
	case last.Batch == 0 && len(known) > 0:
		return &Problem{table, k.store.Path(), "no head is kept outside the database, so a cut tail would not show"}
	case wrong.Batch == 0:
		return nil
	case found:
		return &Problem{table, row, "differs from the head kept outside"}
	}
	return &Problem{table, row, fmt.Sprintf("is missing: the heads kept outside go on to batch %d", last.Batch)}
}

// sealedBatch is a signed head with the ids and hash prefixes of its rows; their transactions come after one and end at until.
type sealedBatch struct {
	seal.Head
	ids          []int64
	prefixes     []byte
	after, until uint64
}

func (c *Chain) batches(ctx context.Context) ([]sealedBatch, error) {
	rows, err := c.db.Pool.Query(ctx, `
		SELECT `+headColumns+`, ids, leaves, until_xid, coalesce(lag(until_xid) OVER (ORDER BY batch), '0') FROM `+c.source.Heads+` ORDER BY batch`)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.source.Heads, err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (b sealedBatch, err error) {
		b.Head, err = scanHead(row, &b.ids, &b.prefixes, &b.until, &b.after)
		return b, err
	})
}

func (c *Chain) checkRows(ctx context.Context, b sealedBatch) (*Problem, error) {
	rows, err := c.source.read(ctx, c.db.Pool, "id = ANY($1)", b.ids)
	if err != nil {
		return nil, err
	}
	found := make(map[int64]Row, len(rows))
	for _, row := range rows {
		found[row.ID] = row
	}
	return c.source.compare(b, found), nil
}

func (s Source) compare(b sealedBatch, found map[int64]Row) *Problem {
	leaves := make([]seal.Hash, len(b.ids))
	var first *Problem
	for i, id := range b.ids {
		row, ok := found[id]
		leaves[i] = row.Leaf
		switch {
		case first != nil:
		case !ok:
			first = s.wrong(id, "is missing")
		case !b.fits(i, leaves[i]):
			first = s.wrong(id, "was altered after it was sealed")
		}
	}
	switch fits, batch := seal.Root(leaves) == b.Root, fmt.Sprint("batch ", b.Batch); {
	case !fits && first != nil:
		return first
	case !fits:
		return &Problem{s.Heads, batch, "its root does not fit its rows"}
	case first != nil || len(b.prefixes) != prefixSize*len(b.ids):
		return &Problem{s.Heads, batch, "its leaves do not fit its root"}
	}
	return s.checkOrder(b, found)
}

// fits reports whether a row's hash still begins as it did when it was sealed.
func (b sealedBatch) fits(place int, leaf seal.Hash) bool {
	from := place * prefixSize
	return len(b.prefixes) >= from+prefixSize && bytes.Equal(leaf[:prefixSize], b.prefixes[from:from+prefixSize])
}

// checkOrder finds a changed transaction number: the head must end with its last row's, or later rows would be sealed twice or never.
func (s Source) checkOrder(b sealedBatch, found map[int64]Row) *Problem {
	last := b.after
	for _, id := range b.ids {
		if found[id].XID < last || found[id].XID <= b.after {
			return s.wrong(id, "is said to be of another transaction than when it was sealed")
		}
		last = found[id].XID
	}
	if last != b.until {
		return &Problem{s.Heads, fmt.Sprint("batch ", b.Batch), "does not end with its last row's transaction"}
	}
	return nil
}

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
	chainLock  = 7201 // the advisory lock that lets one server seal at a time
	batchLimit = 5_000
	prefixSize = 8
)

// Chain seals entries and checks what was sealed.
type Chain struct {
	db      *db.DB
	clock   clock.Clock
	key     ed25519.PrivateKey
	outside *seal.Outside
}

// NewChain makes the chain that signs with key and writes its heads to outside too.
func NewChain(d *db.DB, c clock.Clock, key ed25519.PrivateKey, outside *seal.Outside) *Chain {
	return &Chain{db: d, clock: c, key: key, outside: outside}
}

// Seal chains the entries that are final and not sealed yet, and tells how many there were.
func (c *Chain) Seal(ctx context.Context) (sealed int, err error) {
	var outside error
	err = c.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, chainLock); err != nil {
			return err
		}
		last, after, err := lastHead(ctx, tx.Conn)
		if err != nil {
			return err
		}
		entries, err := finalAfter(ctx, tx.Conn, after)
		if err != nil || len(entries) == 0 {
			return err
		}
		head, err := c.append(ctx, tx, last, entries)
		if err != nil {
			return err
		}
		sealed = len(entries)
		tx.AfterCommit(func() { outside = c.outside.Append(head) })
		return nil
	})
	return sealed, errors.Join(err, outside)
}

func (c *Chain) append(ctx context.Context, tx *db.Tx, last seal.Head, entries []sealable) (seal.Head, error) {
	leaves, ids, prefixes := make([]seal.Hash, len(entries)), make([]int64, len(entries)), make([]byte, 0, prefixSize*len(entries))
	for i, e := range entries {
		leaves[i], ids[i] = e.leaf(), e.ID
		prefixes = append(prefixes, leaves[i][:prefixSize]...)
	}
	head := seal.Next(last, last.Batch+1, leaves, c.clock.Now(), c.key)
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO audit_heads (batch, previous, root, count, sealed_at, hash, signature, until_xid, ids, leaves)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		head.Batch, head.Previous[:], head.Root[:], head.Count, head.SealedAt, head.Hash[:], head.Signature,
		entries[len(entries)-1].xid, ids, prefixes)
	if err != nil {
		return head, fmt.Errorf("write the audit head: %w", err)
	}
	return head, nil
}

// sealable is an entry with the transaction that wrote it.
type sealable struct {
	Entry
	xid uint64
}

// finalAfter reads the entries of transactions after the given one that no running transaction can still add to,
// whole transactions at a time.
func finalAfter(ctx context.Context, conn pgx.Tx, after uint64) ([]sealable, error) {
	rows, err := conn.Query(ctx, `
		SELECT id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after, xid
		FROM audit_entries WHERE xid > $1 AND xid < pg_snapshot_xmin(pg_current_snapshot())
		ORDER BY xid, id`, after)
	if err != nil {
		return nil, fmt.Errorf("read unsealed entries: %w", err)
	}
	defer rows.Close()
	var out []sealable
	for rows.Next() {
		var e sealable
		if err := e.scan(rows); err != nil {
			return nil, err
		}
		if len(out) >= batchLimit && e.xid != out[len(out)-1].xid {
			break
		}
		out = append(out, e)
	}
	return out, rows.Err()
}

func (e *sealable) scan(rows pgx.Rows) error {
	err := rows.Scan(&e.ID, &e.At, &e.ActorKind, &e.ActorID, &e.ActorName, &e.Action, &e.TargetKind, &e.TargetID, &e.Result,
		&e.IP, &e.TraceID, &e.Before, &e.After, &e.xid)
	e.At = e.At.UTC()
	return err
}

func lastHead(ctx context.Context, conn pgx.Tx) (head seal.Head, untilXID uint64, err error) {
	var previous, root, hash []byte
	err = conn.QueryRow(ctx, `
		SELECT batch, previous, root, count, sealed_at, hash, signature, until_xid FROM audit_heads ORDER BY batch DESC LIMIT 1`).
		Scan(&head.Batch, &previous, &root, &head.Count, &head.SealedAt, &hash, &head.Signature, &untilXID)
	if errors.Is(err, pgx.ErrNoRows) {
		return seal.Head{}, 0, nil
	}
	copy(head.Previous[:], previous)
	copy(head.Root[:], root)
	copy(head.Hash[:], hash)
	return head, untilXID, err
}

// Problem is the first record that does not fit.
type Problem struct {
	Table string
	Row   string
	What  string
}

// Verify walks the chain from its first head and names the first record that does not fit; nil when all does. It also counts the entries it proved.
func (c *Chain) Verify(ctx context.Context) (problem *Problem, proved int64, err error) {
	kept := ReadKept(c.outside)
	heads, err := c.heads(ctx)
	if err != nil {
		return nil, 0, err
	}
	previous, known := seal.Head{}, make(map[int64]seal.Hash, len(heads))
	for _, h := range heads {
		if problem = c.checkLink(previous, h.Head); problem != nil {
			return problem, proved, nil
		}
		problem, err = c.checkEntries(ctx, h)
		if err != nil || problem != nil {
			return problem, proved, err
		}
		previous, proved, known[h.Batch] = h.Head, proved+h.Count, h.Hash
	}
	if problem, err = c.checkUncovered(ctx); err != nil || problem != nil {
		return problem, proved, err
	}
	return kept.Check("audit_heads", known), proved, nil
}

// checkUncovered finds an entry that was slipped in behind the sealed ones.
func (c *Chain) checkUncovered(ctx context.Context) (*Problem, error) {
	var id int64
	err := c.db.Pool.QueryRow(ctx, `
		SELECT e.id FROM audit_entries e
		WHERE e.xid <= (SELECT until_xid FROM audit_heads ORDER BY batch DESC LIMIT 1)
		  AND NOT EXISTS (SELECT 1 FROM (SELECT unnest(ids) AS id FROM audit_heads) sealed WHERE sealed.id = e.id)
		ORDER BY e.id LIMIT 1`).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &Problem{"audit_entries", fmt.Sprint("id ", id), "was added behind the sealed entries"}, err
}

func (c *Chain) checkLink(previous, h seal.Head) *Problem {
	row := fmt.Sprint("batch ", h.Batch)
	switch {
	case h.Batch != previous.Batch+1:
		return &Problem{"audit_heads", fmt.Sprint("batch ", previous.Batch+1), "is missing"}
	case h.Previous != previous.Hash:
		return &Problem{"audit_heads", row, "does not follow the head before it"}
	case !h.Genuine(c.key.Public().(ed25519.PublicKey)):
		return &Problem{"audit_heads", row, "its hash or signature does not fit"}
	}
	return nil
}

// Kept is what the file outside held at one moment. It is read before the database, which may go on meanwhile.
type Kept struct {
	outside *seal.Outside
	heads   []seal.Head
	err     error
}

// ReadKept reads the heads that were written outside.
func ReadKept(outside *seal.Outside) Kept {
	k := Kept{outside: outside}
	k.err = outside.Each(func(h seal.Head) { k.heads = append(k.heads, h) })
	return k
}

// Check compares every head that was written outside with the database's, known by batch, and names the lowest batch that does not
// fit: a cut tail shows there.
func (k Kept) Check(table string, known map[int64]seal.Hash) *Problem {
	if len(k.heads) == 0 && k.err == nil && len(known) > 0 {
		k = ReadKept(k.outside) // the first head may have been written meanwhile
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
		return &Problem{table, k.outside.Path(), "the heads kept outside can't be read: " + k.err.Error()}
	case last.Batch == 0 && len(known) > 0:
		return &Problem{table, k.outside.Path(), "no head is kept outside the database, so a cut tail would not show"}
	case wrong.Batch == 0:
		return nil
	case found:
		return &Problem{table, row, "differs from the head kept outside"}
	}
	return &Problem{table, row, fmt.Sprintf("is missing: the heads kept outside go on to batch %d", last.Batch)}
}

// sealedBatch is a head with the ids and hash prefixes of the entries it covers, all of transactions after one and until another.
type sealedBatch struct {
	seal.Head
	ids          []int64
	prefixes     []byte
	after, until uint64
}

func (c *Chain) heads(ctx context.Context) ([]sealedBatch, error) {
	rows, err := c.db.Pool.Query(ctx, `
		SELECT batch, previous, root, count, sealed_at, hash, signature, ids, leaves, until_xid,
		       coalesce(lag(until_xid) OVER (ORDER BY batch), '0') FROM audit_heads ORDER BY batch`)
	if err != nil {
		return nil, fmt.Errorf("read the audit heads: %w", err)
	}
	defer rows.Close()
	var out []sealedBatch
	for rows.Next() {
		var b sealedBatch
		var previous, root, hash []byte
		if err := rows.Scan(&b.Batch, &previous, &root, &b.Count, &b.SealedAt, &hash, &b.Signature, &b.ids, &b.prefixes, &b.until, &b.after); err != nil {
			return nil, err
		}
		copy(b.Previous[:], previous)
		copy(b.Root[:], root)
		copy(b.Hash[:], hash)
		out = append(out, b)
	}
	return out, rows.Err()
}

func (c *Chain) checkEntries(ctx context.Context, b sealedBatch) (*Problem, error) {
	rows, err := c.db.Pool.Query(ctx, `
		SELECT id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after, xid
		FROM audit_entries WHERE id = ANY($1)`, b.ids)
	if err != nil {
		return nil, fmt.Errorf("read audit entries: %w", err)
	}
	defer rows.Close()
	found := make(map[int64]sealable, len(b.ids))
	for rows.Next() {
		var e sealable
		if err := e.scan(rows); err != nil {
			return nil, err
		}
		found[e.ID] = e
	}
	if rows.Err() != nil {
		return nil, rows.Err()
	}
	return b.compare(found), nil
}

func (b sealedBatch) compare(found map[int64]sealable) *Problem {
	leaves := make([]seal.Hash, len(b.ids))
	var first *Problem
	for i, id := range b.ids {
		e, ok := found[id]
		leaves[i] = e.leaf()
		switch {
		case first != nil:
		case !ok:
			first = &Problem{"audit_entries", fmt.Sprint("id ", id), "is missing"}
		case !b.fits(i, leaves[i]):
			first = &Problem{"audit_entries", fmt.Sprint("id ", id), "was altered after it was sealed"}
		}
	}
	switch fits, batch := seal.Root(leaves) == b.Root, fmt.Sprint("batch ", b.Batch); {
	case !fits && first != nil:
		return first
	case !fits:
		return &Problem{"audit_heads", batch, "its root does not fit its entries"}
	case first != nil || len(b.prefixes) != prefixSize*len(b.ids):
		return &Problem{"audit_heads", batch, "its leaves do not fit its root"}
	}
	return b.checkOrder(found)
}

// fits tells whether the hash of the entry at a place begins as it did when it was sealed.
func (b sealedBatch) fits(place int, leaf seal.Hash) bool {
	from := place * prefixSize
	return len(b.prefixes) >= from+prefixSize && bytes.Equal(leaf[:prefixSize], b.prefixes[from:from+prefixSize])
}

// checkOrder finds a changed transaction number: the head must end with its last entry's, or what comes next would be sealed twice or never.
func (b sealedBatch) checkOrder(found map[int64]sealable) *Problem {
	last := b.after
	for _, id := range b.ids {
		if found[id].xid < last || found[id].xid <= b.after {
			return &Problem{"audit_entries", fmt.Sprint("id ", id), "is said to be of another transaction than when it was sealed"}
		}
		last = found[id].xid
	}
	if last != b.until {
		return &Problem{"audit_heads", fmt.Sprint("batch ", b.Batch), "does not end with its last entry's transaction"}
	}
	return nil
}

package market

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/seal"
)

// TapeHeads is the table of the tape's signed heads.
const TapeHeads = "tape_heads"

const (
	prefixSize   = 8
	batchQuotes  = 20_000  // a batch of this size is closed early
	pendingLimit = 400_000 // quotes buffered while the database is unavailable; beyond it quotes are refused
)

// Leaf is the quote's Merkle leaf: product, sequence, bid, ask, market time and source time as 8 bytes big endian each, then the source's name.
func (q Quote) Leaf() seal.Hash {
	var b bytes.Buffer
	for _, v := range []int64{int64(q.ProductID), q.Seq, q.Bid, q.Ask, q.AtMS, q.SourceMS} {
		_ = binary.Write(&b, binary.BigEndian, v)
	}
	b.WriteString(q.Source)
	return seal.Leaf(b.Bytes())
}

// batch is a run of quotes with the candles at its end, and the history that comes before it.
type batch struct {
	number  int64
	quotes  []Quote
	candles []Candle
	history []historyCandle
}

// tape collects accepted quotes and stores them in sealed batches: quotes, candles and head in one transaction.
type tape struct {
	db          *db.DB
	clock       clock.Clock // real time, for the time of sealing
	key         ed25519.PrivateKey
	checkpoints *seal.CheckpointStore
	term        int64 // the leader's term; 0 on a single server

	mu      sync.Mutex
	open    batch
	candles map[int]*candleSet
	waiting []batch
	pending int

	writing sync.Mutex // one writer at a time; guards head
	head    seal.Head
}

func newTape(d *db.DB, c clock.Clock, key ed25519.PrivateKey, outside *seal.CheckpointStore) *tape {
	return &tape{db: d, clock: c, key: key, checkpoints: outside, candles: map[int]*candleSet{}}
}

// reset drops quotes that were not stored: a new leader continues where the database ends.
func (t *tape) reset(term int64) {
	t.writing.Lock()
	defer t.writing.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.term, t.open, t.waiting, t.pending, t.candles = term, batch{}, nil, 0, map[int]*candleSet{}
}

// add appends an accepted quote to the open batch and returns it with the batch's number; false when the backlog is full.
func (t *tape) add(q Quote) (Quote, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending >= pendingLimit {
		return q, false
	}
	q.Batch = t.open.number
	t.open.quotes = append(t.open.quotes, q)
	t.pending++
	set := t.candles[q.ProductID]
	if set == nil {
		set = newCandleSet()
		t.candles[q.ProductID] = set
	}
	set.add(q)
	if len(t.open.quotes) >= batchQuotes {
		t.closeOpen()
	}
	return q, true
}

// addHistory puts history before the quotes of the open batch, which are the ones that it ends with: one transaction stores both, so a start that was cut off
// leaves neither.
func (t *tape) addHistory(history []historyCandle) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open.history = append(t.open.history, history...)
}

// crowded reports whether the backlog is so large that history should pause.
func (t *tape) crowded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pending >= pendingLimit/4
}

func (t *tape) closeOpen() {
	if len(t.open.quotes) == 0 {
		return
	}
	for _, set := range t.candles {
		t.open.candles = set.take(t.open.candles)
	}
	slices.SortFunc(t.open.candles, func(a, b Candle) int { // sorted here: unsaved reads the slice later, so it must not move
		return cmp.Or(cmp.Compare(a.ProductID, b.ProductID), cmp.Compare(a.Period, b.Period), byStart(a, b))
	})
	t.waiting = append(t.waiting, t.open)
	t.open = batch{number: t.open.number + 1}
}

// unsaved lists the candles of one product and period that may be newer than the table, oldest first.
func (t *tape) unsaved(productID, period int, beforeMS int64) []Candle {
	t.mu.Lock()
	defer t.mu.Unlock()
	newest := map[int64]Candle{}
	keep := func(c Candle) {
		if c.ProductID == productID && c.Period == period && c.StartMS < beforeMS {
			newest[c.StartMS] = c
		}
	}
	for _, b := range t.waiting {
		for _, c := range b.candles {
			keep(c)
		}
	}
	if set := t.candles[productID]; set != nil {
		for _, c := range set.changed {
			keep(*c)
		}
	}
	return slices.SortedFunc(maps.Values(newest), byStart)
}

// flush stores and seals everything collected so far. After an error the rest waits for the next flush.
func (t *tape) flush(ctx context.Context) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	t.mu.Lock()
	t.closeOpen()
	t.mu.Unlock()
	for {
		t.mu.Lock()
		if len(t.waiting) == 0 {
			t.mu.Unlock()
			return nil
		}
		next := t.waiting[0]
		t.mu.Unlock()
		if err := t.store(ctx, next); err != nil {
			return err
		}
		t.mu.Lock()
		t.waiting = t.waiting[1:]
		t.pending -= len(next.quotes)
		t.mu.Unlock()
	}
}

// store writes one batch in one transaction. Quotes that a fill already wrote stay as they are: they are identical. A failed
// checkpoint is only logged: the next one covers it.
func (t *tape) store(ctx context.Context, b batch) error {
	head := t.head
	err := t.db.InTx(ctx, func(tx *db.Tx) error {
		if t.term > 0 {
			if err := withinTerm(ctx, tx, t.term); err != nil {
				return err
			}
		}
		if err := insertQuotes(ctx, tx.Conn, b.quotes); err != nil {
			return err
		}
		if err := upsertCandles(ctx, tx.Conn, b.candles); err != nil {
			return err
		}
		if err := copyHistory(ctx, tx.Conn, b); err != nil {
			return err
		}
		var err error
		head, err = sealBatch(ctx, tx.Conn, t.head, b, t.clock, t.key)
		return err
	})
	if db.IsUnique(err, "tape_heads_pkey") {
		head, err = t.stored(ctx, b)
	}
	if err != nil {
		return fmt.Errorf("store tape batch %d: %w", b.number, err)
	}
	t.head = head
	if err := t.checkpoints.Append(head); err != nil {
		slog.Error("a head of the tape was not written outside the database", "batch", head.Batch, "error", err)
	}
	return nil
}

// stored finds the signed head of a batch whose commit succeeded although its reply was lost.
func (t *tape) stored(ctx context.Context, b batch) (seal.Head, error) {
	last, err := lastTapeHead(ctx, t.db)
	if err != nil {
		return last, err
	}
	leaves, _ := leavesOf(b.quotes)
	if last.Batch != b.number || last.Previous != t.head.Hash || last.Root != seal.Root(leaves) {
		return last, errors.New("another server seals this tape")
	}
	return last, nil
}

func sealBatch(ctx context.Context, conn pgx.Tx, last seal.Head, b batch, c clock.Clock, key ed25519.PrivateKey) (seal.Head, error) {
	sortQuotes(b.quotes)
	leaves, prefixes := leavesOf(b.quotes)
	head := seal.Next(last, b.number, leaves, c.Now(), key)
	_, err := conn.Exec(ctx, `
		INSERT INTO tape_heads (batch, previous, root, count, sealed_at, hash, signature, leaves) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		head.Batch, head.Previous[:], head.Root[:], head.Count, head.SealedAt, head.Hash[:], head.Signature, prefixes)
	if err != nil {
		return last, fmt.Errorf("seal: %w", err)
	}
	return head, nil
}

// sortQuotes orders a batch by product and sequence: the order of its leaves and of the insert's row locks.
func sortQuotes(quotes []Quote) {
	slices.SortFunc(quotes, func(a, b Quote) int {
		if a.ProductID != b.ProductID {
			return a.ProductID - b.ProductID
		}
		return int(a.Seq - b.Seq)
	})
}

func leavesOf(quotes []Quote) (leaves []seal.Hash, prefixes []byte) {
	leaves, prefixes = make([]seal.Hash, len(quotes)), make([]byte, 0, prefixSize*len(quotes))
	for i, q := range quotes {
		leaves[i] = q.Leaf()
		prefixes = append(prefixes, leaves[i][:prefixSize]...)
	}
	return leaves, prefixes
}

func insertQuotes(ctx context.Context, conn pgx.Tx, quotes []Quote) error {
	var batch pgx.Batch
	queueQuotes(&batch, quotes)
	if err := conn.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("insert quotes: %w", err)
	}
	return nil
}

// queueQuotes adds the quotes that the tape lacks. Whoever stores a quote names the same month for it, whose index refuses it a second time.
func queueQuotes(batch *pgx.Batch, quotes []Quote) {
	sortQuotes(quotes)
	n := len(quotes)
	products, seqs, bids, asks := make([]int32, n), make([]int64, n), make([]int64, n), make([]int64, n)
	ats, sources, names, batches, days := make([]int64, n), make([]int64, n), make([]string, n), make([]int64, n), make([]int32, n)
	for i, q := range quotes {
		products[i], seqs[i], bids[i], asks[i] = int32(q.ProductID), q.Seq, q.Bid, q.Ask
		ats[i], sources[i], names[i], batches[i], days[i] = q.AtMS, q.SourceMS, q.Source, q.Batch, int32(q.StoredOn)
	}
	batch.Queue(`
		INSERT INTO tape_quotes (product_id, seq, bid, ask, at_ms, source_ms, source, batch, stored_on)
		SELECT product, seq, bid, ask, at, source, name, batch, CASE day WHEN 0 THEN (now() AT TIME ZONE 'UTC')::date ELSE date '1970-01-01' + day END
		FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[], $9::int[])
		     q (product, seq, bid, ask, at, source, name, batch, day)
		ON CONFLICT DO NOTHING`, products, seqs, bids, asks, ats, sources, names, batches, days)
}

// upsertCandles writes candles in key order, so all writers take row locks in one order.
func upsertCandles(ctx context.Context, conn pgx.Tx, candles []Candle) error {
	n := len(candles)
	products, periods, starts, ticks := make([]int32, n), make([]int32, n), make([]int64, n), make([]int32, n)
	opens, highs, lows, closes := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	for i, c := range candles {
		products[i], periods[i], starts[i], ticks[i] = int32(c.ProductID), int32(c.Period), c.StartMS, int32(c.Ticks)
		opens[i], highs[i], lows[i], closes[i] = c.Open, c.High, c.Low, c.Close
	}
	_, err := conn.Exec(ctx, `
		INSERT INTO candles (product_id, period, start_ms, open, high, low, close, ticks)
		SELECT * FROM unnest($1::int[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::int[])
		ON CONFLICT (product_id, period, start_ms) DO UPDATE
		SET high = EXCLUDED.high, low = EXCLUDED.low, close = EXCLUDED.close, ticks = EXCLUDED.ticks`,
		products, periods, starts, opens, highs, lows, closes, ticks)
	if err != nil {
		return fmt.Errorf("draw candles: %w", err)
	}
	return nil
}

// QueueQuotes adds the quotes that fills name to a batch. A fill's own transaction stores its quotes unless the tape has them, so no fill lacks its quote.
// A quote of a former leader ends the transaction; Refusal turns that error into ErrStale.
func QueueQuotes(batch *pgx.Batch, quotes []Quote) {
	if len(quotes) == 0 {
		return
	}
	checked := int64(0)
	for _, q := range quotes {
		if q.Term == checked || q.Term == 0 {
			continue
		}
		queueTerm(batch, q.Term)
		checked = q.Term
	}
	queueQuotes(batch, slices.Clone(quotes))
}

// recover seals quotes that fills wrote before a crash, loads the running candles, and numbers the next batch.
func (t *tape) recover(ctx context.Context) error {
	last, err := lastTapeHead(ctx, t.db)
	if err != nil {
		return err
	}
	t.head = last
	if err := t.loadCandles(ctx); err != nil {
		return err
	}
	rows, err := t.db.Pool.Query(ctx, `SELECT `+quoteColumns+` FROM tape_quotes WHERE batch > $1 ORDER BY batch, at_ms, product_id, seq`, last.Batch)
	if err != nil {
		return fmt.Errorf("read the unsealed tape: %w", err)
	}
	left, err := pgx.CollectRows(rows, scanQuote)
	if err != nil {
		return fmt.Errorf("read the unsealed tape: %w", err)
	}
	t.open.number = last.Batch + 1
	for _, q := range left {
		if q.Batch != t.open.number {
			t.closeOpen()
			t.open.number = q.Batch
		}
		t.add(q)
	}
	if len(left) > 0 {
		slog.Info("sealing quotes that were written by fills before their batch", "quotes", len(left))
	}
	if err := t.flush(ctx); err != nil {
		return err
	}
	return t.catchUpOutside()
}

// catchUpOutside writes the last checkpoint when a crash came between the commit and the checkpoint.
func (t *tape) catchUpOutside() error {
	kept, _, err := t.checkpoints.Last()
	if err != nil {
		return err
	}
	if kept.Batch > t.head.Batch {
		slog.Error("the tape ends before the heads kept outside: run candor verify", "database", t.head.Batch, "outside", kept.Batch)
		t.open.number = max(t.open.number, kept.Batch+1)
		return nil
	}
	if kept.Batch < t.head.Batch {
		return t.checkpoints.Append(t.head)
	}
	return nil
}

func (t *tape) loadCandles(ctx context.Context) error {
	rows, err := t.db.Pool.Query(ctx, `
		SELECT c.product_id, c.period, c.start_ms, c.open, c.high, c.low, c.close, c.ticks
		FROM products p CROSS JOIN unnest($1::int[]) AS periods (period)
		CROSS JOIN LATERAL (SELECT * FROM candles c WHERE c.product_id = p.id AND c.period = periods.period ORDER BY start_ms DESC LIMIT 1) c`, Periods)
	if err != nil {
		return fmt.Errorf("read the running candles: %w", err)
	}
	running, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Candle])
	if err != nil {
		return fmt.Errorf("read the running candles: %w", err)
	}
	for _, c := range running {
		if t.candles[c.ProductID] == nil {
			t.candles[c.ProductID] = newCandleSet()
		}
		t.candles[c.ProductID].current[c.Period] = &c
	}
	return nil
}

const quoteColumns = `product_id, seq, bid, ask, at_ms, source_ms, source, batch, stored_on - date '1970-01-01'`

func scanQuote(row pgx.CollectableRow) (q Quote, err error) {
	err = row.Scan(&q.ProductID, &q.Seq, &q.Bid, &q.Ask, &q.AtMS, &q.SourceMS, &q.Source, &q.Batch, &q.StoredOn)
	return q, err
}

func lastTapeHead(ctx context.Context, d *db.DB) (seal.Head, error) {
	h, _, err := scanHead(d.Pool.QueryRow(ctx, `SELECT `+headColumns+` FROM tape_heads ORDER BY batch DESC LIMIT 1`))
	if errors.Is(err, pgx.ErrNoRows) {
		return seal.Head{}, nil
	}
	return h, err
}

const headColumns = `batch, previous, root, count, sealed_at, hash, signature, leaves`

func scanHead(row pgx.Row) (h seal.Head, prefixes []byte, err error) {
	var previous, root, hash []byte
	err = row.Scan(&h.Batch, &previous, &root, &h.Count, &h.SealedAt, &hash, &h.Signature, &prefixes)
	copy(h.Previous[:], previous)
	copy(h.Root[:], root)
	copy(h.Hash[:], hash)
	return h, prefixes, err
}

package market

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/seal"
)

// VerifyTape walks the chain of signed heads, recomputes every root from the quotes, compares the end with the checkpoints, and
// names the first row that does not fit; nil when all do. It counts the proved quotes. It skips quotes that the next flush will seal.
func VerifyTape(ctx context.Context, d *db.DB, key ed25519.PublicKey, outside *seal.CheckpointStore) (*audit.Problem, int64, error) {
	kept := audit.ReadCheckpoints(outside)
	rows, err := d.Pool.Query(ctx, `SELECT `+headColumns+` FROM tape_heads ORDER BY batch`)
	if err != nil {
		return nil, 0, fmt.Errorf("read the tape's heads: %w", err)
	}
	heads, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (h headWithLeaves, err error) {
		h.Head, h.prefixes, err = scanHead(row)
		return h, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read the tape's heads: %w", err)
	}
	previous, proved, known := seal.Head{}, int64(0), make(map[int64]seal.Hash, len(heads))
	for _, h := range heads {
		if problem := h.checkLink(previous, key); problem != nil {
			return problem, proved, nil
		}
		problem, err := h.checkQuotes(ctx, d)
		if err != nil || problem != nil {
			return problem, proved, err
		}
		previous, proved, known[h.Batch] = h.Head, proved+h.Count, h.Hash
	}
	if problem, err := checkUncovered(ctx, d, previous.Batch); err != nil || problem != nil {
		return problem, proved, err
	}
	return kept.Check("tape_heads", known), proved, nil
}

// checkUncovered finds a quote inserted behind the sealed ones: its batch should have a signed head and has none.
func checkUncovered(ctx context.Context, d *db.DB, last int64) (*audit.Problem, error) {
	var productID int
	var seq, number int64
	err := d.Pool.QueryRow(ctx, `
		SELECT product_id, seq, batch FROM tape_quotes q
		WHERE batch <= $1 AND NOT EXISTS (SELECT 1 FROM tape_heads h WHERE h.batch = q.batch) ORDER BY product_id, seq LIMIT 1`, last).
		Scan(&productID, &seq, &number)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &audit.Problem{
		Table: "tape_quotes", Row: fmt.Sprintf("product %d, seq %d", productID, seq), What: fmt.Sprintf("is of batch %d, which was never sealed", number),
	}, err
}

type headWithLeaves struct {
	seal.Head
	prefixes []byte
}

func (h headWithLeaves) checkLink(previous seal.Head, key ed25519.PublicKey) *audit.Problem {
	row := fmt.Sprint("batch ", h.Batch)
	if h.Previous != previous.Hash {
		return &audit.Problem{Table: "tape_heads", Row: row, What: "does not follow the head before it: one is missing or altered"}
	}
	if !h.Genuine(key) {
		return &audit.Problem{Table: "tape_heads", Row: row, What: "its hash or signature does not fit"}
	}
	return nil
}

func (h headWithLeaves) checkQuotes(ctx context.Context, d *db.DB) (*audit.Problem, error) {
	rows, err := d.Pool.Query(ctx, `SELECT `+quoteColumns+` FROM tape_quotes WHERE batch = $1 ORDER BY product_id, seq`, h.Batch)
	if err != nil {
		return nil, fmt.Errorf("read tape batch %d: %w", h.Batch, err)
	}
	quotes, err := pgx.CollectRows(rows, scanQuote)
	if err != nil {
		return nil, fmt.Errorf("read tape batch %d: %w", h.Batch, err)
	}
	leaves, prefixes := leavesOf(quotes)
	switch fits := bytes.Equal(prefixes, h.prefixes); {
	case seal.Root(leaves) == h.Root && fits:
		return nil, nil
	case seal.Root(leaves) == h.Root:
		return &audit.Problem{Table: "tape_heads", Row: fmt.Sprint("batch ", h.Batch), What: "its leaves do not fit its root"}, nil
	}
	for i, q := range quotes {
		if (i+1)*prefixSize > len(h.prefixes) || !bytes.Equal(prefixes[i*prefixSize:(i+1)*prefixSize], h.prefixes[i*prefixSize:(i+1)*prefixSize]) {
			return &audit.Problem{
				Table: "tape_quotes", Row: fmt.Sprintf("product %d, seq %d, or one right before it", q.ProductID, q.Seq),
				What: fmt.Sprintf("is not what batch %d sealed (%d quotes sealed, %d found)", h.Batch, h.Count, len(quotes)),
			}, nil
		}
	}
	return &audit.Problem{
		Table: "tape_quotes", Row: fmt.Sprint("the end of batch ", h.Batch),
		What: fmt.Sprintf("%d quotes were sealed, %d are found", h.Count, len(quotes)),
	}, nil
}

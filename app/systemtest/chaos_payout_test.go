//go:build chaos

package systemtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/errs"
	"candor/app/provider"
	"candor/app/withdrawal"
)

// payout is a withdrawal with the states that the firm will report, in order.
type payout struct {
	id   int64
	ends []string
}

// payoutEnds counts the payouts by outcome: paid, failed, returned, or never sent to the firm because the server was killed.
type payoutEnds struct{ Paid, Failed, Returned, Unsent int64 }

// schedulePayout schedules the outcome of a withdrawal for when the server sends it to the firm.
func (f *chaosProvider) schedulePayout(p payout) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.payouts = append(f.payouts, p)
	f.sendAll()
}

// sendAll advances each payout known to the firm by one state. The caller holds the lock.
func (f *chaosProvider) sendAll() {
	kept := f.payouts[:0]
	for _, p := range f.payouts {
		if f.Advance(fmt.Sprint("WD-", p.id), p.ends[0]) != nil { // the server has not sent it yet
			kept = append(kept, p)
			continue
		}
		if len(p.ends) > 1 {
			kept = append(kept, payout{p.id, p.ends[1:]})
			continue
		}
		switch p.ends[0] {
		case provider.Confirmed:
			f.ended.Paid++
		case provider.Failed:
			f.ended.Failed++
		default:
			f.ended.Returned++
		}
	}
	f.payouts = kept
}

// payOut has a withdrawal approved, or sometimes rejected. The server then sends it to the firm.
func (w *chaosWorker) payOut(id int64, kind withdrawal.Kind) error {
	end := withdrawal.Queued
	if w.random.IntN(8) == 0 {
		end = withdrawal.Rejected
	}
	if err := w.processWithdrawal(id, end, w.chance); err != nil || end == withdrawal.Rejected {
		return err
	}
	ways := [][]string{{provider.Sent, provider.Confirmed}, {provider.Sent, provider.Confirmed}, {provider.Failed}, {provider.Sent, provider.Returned}, {provider.Sent, provider.Confirmed, provider.Returned}}
	if kind == withdrawal.Crypto { // on-chain payouts are not returned
		ways = ways[:3]
	}
	w.provider.schedulePayout(payout{id, ways[w.random.IntN(len(ways))]})
	w.withdrawn.Add(1)
	return nil
}

// allSent queries the firm about open payouts and reports whether none remain. Two people settle a payout that never reached the firm as failed.
func (c *chaos) allSent(t *testing.T) bool {
	t.Helper()
	ctx := context.Background()
	rows, err := c.db.Pool.Query(ctx, `SELECT id FROM withdrawals WHERE provider <> '' AND state IN ('processing', 'sent', 'outcome_unknown')`)
	require.NoError(t, err)
	open, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(t, err)
	desk := newChaosWorker(c, 0, make([]*chaosClient, tradersPerWorker))
	for _, id := range open {
		if err := c.withdrawals.AskProvider(ctx, id); errs.As(err) == nil {
			require.NoError(t, err)
		}
		now, err := c.withdrawals.Read(ctx, id)
		require.NoError(t, err)
		if now.State == withdrawal.OutcomeUnknown {
			require.NoError(t, desk.processWithdrawal(id, withdrawal.Failed, nil))
		}
	}
	return c.storedPayouts(t) == payoutEnds{c.provider.ended.Paid, c.provider.ended.Failed, c.provider.ended.Returned, int64(len(c.provider.payouts))}
}

// storedPayouts counts the outcomes of provider withdrawals in the database.
func (c *chaos) storedPayouts(t *testing.T) (e payoutEnds) {
	t.Helper()
	require.NoError(t, c.db.Pool.QueryRow(t.Context(), `
		SELECT count(*) FILTER (WHERE state = 'completed'), count(*) FILTER (WHERE state = 'failed' AND outcome_approval IS NULL), count(*) FILTER (WHERE state = 'returned'),
		       count(*) FILTER (WHERE state = 'failed' AND outcome_approval IS NOT NULL) FROM withdrawals WHERE provider <> ''`).Scan(&e.Paid, &e.Failed, &e.Returned, &e.Unsent))
	return e
}

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

// payout is what the firm shall make of a withdrawal that it is asked to send, one state after the other.
type payout struct {
	id   int64
	ends []string
}

// payoutEnds are how what the firm was asked to send has ended: with the payee, not paid, back again; or nobody has asked it, because the server was killed.
type payoutEnds struct{ Paid, Failed, Returned, Unsent int64 }

// promise has the firm send a withdrawal as soon as the server has asked for it.
func (f *firm) promise(p payout) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.payouts = append(f.payouts, p)
	f.sendAll()
}

// sendAll brings each payout that the firm knows one state on. The lock is held.
func (f *firm) sendAll() {
	kept := f.payouts[:0]
	for _, p := range f.payouts {
		if f.Advance(fmt.Sprint("WD-", p.id), p.ends[0]) != nil { // it was not asked yet
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

// payOut has a withdrawal approved, or now and then rejected. Then the server asks the firm to send it.
func (w *chaosWorker) payOut(id int64, kind withdrawal.Kind) error {
	end := withdrawal.Queued
	if w.random.IntN(8) == 0 {
		end = withdrawal.Rejected
	}
	if err := w.desk(id, end, w.chance); err != nil || end == withdrawal.Rejected {
		return err
	}
	ways := [][]string{{provider.Sent, provider.Confirmed}, {provider.Sent, provider.Confirmed}, {provider.Failed}, {provider.Sent, provider.Returned}, {provider.Sent, provider.Confirmed, provider.Returned}}
	if kind == withdrawal.OnChain { // no chain gives money back
		ways = ways[:3]
	}
	w.firm.promise(payout{id, ways[w.random.IntN(len(ways))]})
	w.withdrawn.Add(1)
	return nil
}

// allSent asks about what the firm has not ended, and tells whether there is none. What it was never asked for comes back when two people have said so.
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
			require.NoError(t, desk.desk(id, withdrawal.Failed, nil))
		}
	}
	return c.storedPayouts(t) == payoutEnds{c.firm.ended.Paid, c.firm.ended.Failed, c.firm.ended.Returned, int64(len(c.firm.payouts))}
}

// storedPayouts are the ends of withdrawals through the firm that the database holds.
func (c *chaos) storedPayouts(t *testing.T) (e payoutEnds) {
	t.Helper()
	require.NoError(t, c.db.Pool.QueryRow(t.Context(), `
		SELECT count(*) FILTER (WHERE state = 'completed'), count(*) FILTER (WHERE state = 'failed' AND outcome_by IS NULL), count(*) FILTER (WHERE state = 'returned'),
		       count(*) FILTER (WHERE state = 'failed' AND outcome_by IS NOT NULL) FROM withdrawals WHERE provider <> ''`).Scan(&e.Paid, &e.Failed, &e.Returned, &e.Unsent))
	return e
}

//go:build chaos

package systemtest

import (
	"context"
	"errors"
	"fmt"

	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// noPositions replaces the engine: the chaos traders open no positions with real money.
type noPositions struct{}

func (noPositions) WithdrawableTx(_ context.Context, _ *db.Tx, account ledger.Account) (int64, error) {
	return account.Cash, nil
}

func (noPositions) TradedTx(context.Context, *db.Tx, int64) (bool, error) { return false, nil }

// adjust requests a manual correction; it is then posted by two or three people, refused, or withdrawn.
func (w *chaosWorker) adjust(client *chaosClient) error {
	w.keys++
	ctx, key := context.Background(), fmt.Sprintf("%d-%d-%d", w.seed, w.number, w.keys)
	sum := []int64{25 * money.Unit, -25 * money.Unit, 1, -1, 6_000 * money.Unit, -6_000 * money.Unit}[w.random.IntN(6)]
	var a adjustment.Adjustment
	err := w.retry(func() (err error) {
		a, err = w.adjustments.Request(ctx, w.members[0], adjustment.Request{
			TraderID: client.traderID, Amount: sum, Reason: "system_fault", Case: caseOf(client.traderID), Note: "What the harness wants", Key: key,
		})
		return err
	})
	if err != nil {
		if errs.As(err) != nil {
			return nil
		}
		return err
	}
	w.toAdjust.Add(1)
	end := []approval.State{approval.Applied, approval.Applied, approval.Applied, approval.Refused, approval.Withdrawn}[w.random.IntN(5)]
	return w.adjustTo(a.ID, end)
}

// adjustTo brings an adjustment to its end state. It reads the state before each step: a step whose answer was lost may have been taken. An adjustment that
// funds no longer cover is withdrawn.
func (w *chaosWorker) adjustTo(id int64, end approval.State) error {
	ctx := context.Background()
	for range 20 {
		var now adjustment.Adjustment
		err := w.retry(func() (err error) {
			if now, err = w.adjustments.Read(ctx, id); err != nil || !now.Undecided() {
				return err
			}
			switch end {
			case approval.Refused:
				_, err = w.adjustments.Refuse(ctx, w.members[1], id, now.Version, "The harness says no")
			case approval.Withdrawn:
				_, err = w.adjustments.Withdraw(ctx, w.members[0], id, now.Version)
			default:
				by := w.members[1]
				if now.State == approval.Confirmed {
					by = w.lead
				}
				_, err = w.adjustments.Approve(ctx, by, id, now.Version, now.State, now.Facts)
			}
			return err
		})
		switch {
		case errors.Is(err, adjustment.ErrFunds):
			end = approval.Withdrawn
		case err != nil && errs.As(err) == nil:
			return err
		case !now.Undecided() && now.State != end:
			return fmt.Errorf("adjustment %d is %s, and should be %s", id, now.State, end)
		case !now.Undecided():
			if end == approval.Applied {
				w.posted.Add(1)
			}
			return nil
		}
	}
	return fmt.Errorf("adjustment %d did not come to be %s", id, end)
}

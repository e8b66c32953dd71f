package support

import (
	"context"
	"errors"
	"fmt"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/trader"
)

// MergeVisitor gives a device's visitor conversations to the trader who registers or logs in on it. The device's secret id is the proof; conversations of
// traders never move. The visitor's thread continues as the trader's, unless the trader has an unresolved one: then that one continues, waiting since the
// earlier of the two. Refusals: ErrVisitor.
func (s *Service) MergeVisitor(ctx context.Context, by audit.Actor, device string) error {
	visitor := Customer{Visitor: device}
	if err := visitor.read(); err != nil {
		return err
	}
	var some bool // few traders chat before they log in
	if err := s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM conversations WHERE visitor = $1::uuid)`, visitor.Visitor).Scan(&some); err != nil || !some {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		// A concurrent new conversation of the trader waits: it refers to this row.
		if err := trader.LockExclusiveTx(tx, by.ID); err != nil {
			return err
		}
		own, err := ofCustomer(tx.ForUpdate(), Customer{TraderID: by.ID})
		if err != nil {
			return err
		}
		theirs, err := ofCustomer(tx.ForUpdate(), visitor)
		if err != nil {
			return err
		}
		if theirs.ID != 0 {
			if err := s.joinTx(ctx, tx, by, own, theirs); err != nil {
				return err
			}
		}
		return s.mergeClosedTx(ctx, tx, by, visitor)
	})
}

// joinTx gives a visitor's current conversation to the trader. If the trader has one too, one of the two is closed.
func (s *Service) joinTx(ctx context.Context, tx *db.Tx, by audit.Actor, own, theirs Conversation) error {
	if own.ID != 0 && own.Live() {
		return s.joinBehindTx(ctx, tx, by, own, theirs)
	}
	if own.ID != 0 {
		if err := s.doTx(ctx, tx, by, &own, "chat.merge", map[string]any{"state": Closed}); err != nil {
			return err
		}
	}
	changes := map[string]any{"trader_id": by.ID, "visitor": nil}
	if theirs.AgentID != nil {
		err := trader.CheckConflict(ctx, tx.Conn, *theirs.AgentID, by.ID)
		if err != nil && !errors.Is(err, trader.ErrOwn) {
			return err
		}
		if err != nil { // another agent continues
			changes["agent_id"] = nil
			if theirs.Live() {
				changes["state"], changes["snoozed_until"] = Queued, nil
			}
		}
	}
	return s.doTx(ctx, tx, by, &theirs, "chat.adopt", changes)
}

// joinBehindTx closes the visitor's conversation as an earlier one of the trader, whose own continues and has to answer both.
func (s *Service) joinBehindTx(ctx context.Context, tx *db.Tx, by audit.Actor, own, theirs Conversation) error {
	changes := map[string]any{}
	if waits := theirs.WaitingSince; waits != nil {
		changes["waiting_since"] = waits
		if own.WaitingSince != nil && own.WaitingSince.Before(*waits) {
			changes["waiting_since"] = own.WaitingSince
		}
		if own.State == WaitingCustomer || own.State == Snoozed {
			changes["state"], changes["snoozed_until"] = Open, nil
		}
	}
	if err := s.doTx(ctx, tx, by, &own, "chat.join", changes); err != nil {
		return err
	}
	if theirs.Live() {
		resolved := map[string]any{"state": Resolved, "resolved_at": s.clock.Now(), "resolved_by": nil, "resolved_in": nil, "resolved_late": false, "waiting_since": nil, "snoozed_until": nil, "woken_at": nil}
		if err := s.doTx(ctx, tx, by, &theirs, "chat.merge", resolved); err != nil {
			return err
		}
	}
	return s.doTx(ctx, tx, by, &theirs, "chat.adopt", map[string]any{"trader_id": by.ID, "visitor": nil, "state": Closed})
}

// mergeClosedTx gives the visitor's closed conversations to the trader.
func (s *Service) mergeClosedTx(ctx context.Context, tx *db.Tx, by audit.Actor, visitor Customer) error {
	var closed []Conversation
	if err := tx.ForUpdate().Where("visitor = ? AND state = 'closed'", visitor.Visitor).Order("id").Find(&closed).Error; err != nil {
		return fmt.Errorf("read what a visitor said: %w", err)
	}
	for _, c := range closed {
		if err := s.doTx(ctx, tx, by, &c, "chat.adopt", map[string]any{"trader_id": by.ID, "visitor": nil}); err != nil {
			return err
		}
	}
	return nil
}

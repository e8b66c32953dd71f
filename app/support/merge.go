package support

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/trader"
)

// MergeVisitor makes what a device said as a visitor the conversations of the trader who registers or logs in on it. The device's secret id is the proof; what is a trader's
// already is nobody else's. The visitor's thread goes on as the trader's, unless the trader has one that somebody is to work on: then that one goes on, and waits
// since the earlier of the two. Refusals: ErrVisitor.
func (s *Service) MergeVisitor(ctx context.Context, by audit.Actor, device string) error {
	visitor := Customer{Visitor: device}
	if err := visitor.read(); err != nil {
		return err
	}
	var some bool // few who log in have talked before
	if err := s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM conversations WHERE visitor = $1::uuid)`, visitor.Visitor).Scan(&some); err != nil || !some {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		// Whoever begins a conversation of the trader's meanwhile waits: it refers to this row.
		if _, err := tx.Conn.Exec(ctx, `SELECT 1 FROM traders WHERE id = $1 FOR UPDATE`, by.ID); err != nil {
			return fmt.Errorf("lock a trader: %w", err)
		}
		own, err := ofCustomer(ctx, tx.Conn, Customer{TraderID: by.ID}, " FOR UPDATE")
		if err != nil {
			return err
		}
		theirs, err := ofCustomer(ctx, tx.Conn, visitor, " FOR UPDATE")
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

// joinTx makes a visitor's living conversation the trader's; of two that are both the trader's then one is closed.
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
		if err != nil { // another agent goes on
			changes["agent_id"] = nil
			if theirs.Live() {
				changes["state"], changes["snoozed_until"] = Queued, nil
			}
		}
	}
	return s.doTx(ctx, tx, by, &theirs, "chat.adopt", changes)
}

// joinBehindTx closes a visitor's conversation as an earlier one of the trader's, whose own goes on and has to answer for both.
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
		resolved := map[string]any{"state": Resolved, "resolved_at": s.clock.Now(), "resolved_by": nil, "waiting_since": nil, "snoozed_until": nil, "woken_at": nil}
		if err := s.doTx(ctx, tx, by, &theirs, "chat.merge", resolved); err != nil {
			return err
		}
	}
	return s.doTx(ctx, tx, by, &theirs, "chat.adopt", map[string]any{"trader_id": by.ID, "visitor": nil, "state": Closed})
}

// mergeClosedTx makes the visitor's closed conversations the trader's too.
func (s *Service) mergeClosedTx(ctx context.Context, tx *db.Tx, by audit.Actor, visitor Customer) error {
	rows, err := tx.Conn.Query(ctx, `SELECT `+conversationColumns+` FROM conversations WHERE visitor = $1::uuid AND state = 'closed' ORDER BY id FOR UPDATE`, visitor.Visitor)
	if err != nil {
		return fmt.Errorf("read what a visitor said: %w", err)
	}
	closed, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Conversation])
	if err != nil {
		return err
	}
	for _, c := range closed {
		if err := s.doTx(ctx, tx, by, &c, "chat.adopt", map[string]any{"trader_id": by.ID, "visitor": nil}); err != nil {
			return err
		}
	}
	return nil
}

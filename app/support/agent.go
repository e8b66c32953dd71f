package support

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/trader"
)

// Claim makes an agent the owner of a conversation that nobody owns. Refusals: ErrUnknown, ErrOwned, ErrState, trader.ErrOwn.
func (s *Service) Claim(ctx context.Context, by audit.Actor, id int64) (Conversation, error) {
	return s.act(ctx, by, id, 0, "chat.claim", func(tx *db.Tx, c *Conversation) (map[string]any, error) {
		switch {
		case c.OwnedBy(by.ID):
			return nil, nil
		case c.AgentID != nil && c.State != Resolved:
			return nil, ErrOwned
		}
		return map[string]any{"state": Open, "agent_id": by.ID}, nil
	})
}

// TakeOver makes an agent the owner of a conversation that another one owns; the thread says so. Refusals: ErrUnknown, ErrState, ErrChanged, trader.ErrOwn.
func (s *Service) TakeOver(ctx context.Context, by audit.Actor, id int64, version int) (Conversation, error) {
	return s.act(ctx, by, id, version, "chat.take_over", func(_ *db.Tx, c *Conversation) (map[string]any, error) {
		if c.AgentID == nil || c.OwnedBy(by.ID) {
			return nil, ErrState
		}
		return map[string]any{"state": Open, "agent_id": by.ID, "snoozed_until": nil}, nil
	})
}

// Transfer hands a conversation to another agent, or back to the queue with agent 0, with a note for whoever has it next.
// Refusals: fields, ErrUnknown, ErrNotOwned, ErrChanged, ErrAgent.
func (s *Service) Transfer(ctx context.Context, by audit.Actor, id int64, version int, to int64, note string) (Conversation, error) {
	return s.act(ctx, by, id, version, "chat.transfer", func(tx *db.Tx, c *Conversation) (map[string]any, error) {
		if !c.OwnedBy(by.ID) {
			return nil, ErrNotOwned
		}
		if note != "" {
			m := Message{ConversationID: c.ID, ClientID: uuid.NewString(), Author: ByAgent, StaffID: &by.ID, Kind: Note, Body: note, At: s.clock.Now()}
			if err := s.writeTx(ctx, tx, &m); err != nil {
				return nil, err
			}
		}
		if to == 0 {
			return map[string]any{"state": Queued, "agent_id": nil, "snoozed_until": nil}, nil
		}
		if !s.desk.online(to, s.clock.Now()) {
			return nil, ErrAgent
		}
		return map[string]any{"state": Open, "agent_id": to, "snoozed_until": nil}, nil
	})
}

// Snooze puts a conversation off until a moment, or until its customer writes. Refusals: ErrUnknown, ErrNotOwned, ErrChanged, a field.
func (s *Service) Snooze(ctx context.Context, by audit.Actor, id int64, version int, until time.Time) (Conversation, error) {
	if now := s.clock.Now(); !until.After(now) || until.After(now.Add(30*24*time.Hour)) {
		return Conversation{}, errs.Field("until", "field.range")
	}
	return s.act(ctx, by, id, version, "chat.snooze", func(_ *db.Tx, c *Conversation) (map[string]any, error) {
		if !c.OwnedBy(by.ID) {
			return nil, ErrNotOwned
		}
		return map[string]any{"state": Snoozed, "snoozed_until": until}, nil
	})
}

// Resolve ends a conversation; its customer may rate it, or write again. Refusals: ErrUnknown, ErrNotOwned, ErrChanged, ErrWaiting.
func (s *Service) Resolve(ctx context.Context, by audit.Actor, id int64, version int, seen int64) (Conversation, error) {
	return s.act(ctx, by, id, version, "chat.resolve", func(_ *db.Tx, c *Conversation) (map[string]any, error) {
		switch {
		case !c.OwnedBy(by.ID):
			return nil, ErrNotOwned
		case c.LastMessageID > seen:
			return nil, ErrWaiting
		}
		return map[string]any{
			"state": Resolved, "resolved_at": s.clock.Now(), "resolved_by": by.ID, "waiting_since": nil, "snoozed_until": nil, "rating": nil, "rating_comment": "",
		}, nil
	})
}

// Answer keeps an agent's message, once for its id. Only the owner answers. Refusals: ErrUnknown, ErrNotOwned, ErrState, ErrMessageID, ErrText, ErrReused.
func (s *Service) Answer(ctx context.Context, by audit.Actor, id int64, d Draft) (Message, error) {
	return s.write(ctx, by, id, d, Text, func(c Conversation, m Message) map[string]any {
		changes := map[string]any{"state": WaitingCustomer, "waiting_since": nil, "snoozed_until": nil, "last_message_id": m.ID, "agent_read": m.ID}
		if c.FirstAnswerAt == nil {
			changes["first_answer_at"] = m.At
		}
		if c.State == WaitingCustomer {
			delete(changes, "state")
		}
		return changes
	})
}

// Remark keeps a note between agents, once for its id; whoever may read the thread may write one. Refusals: ErrUnknown, ErrMessageID, ErrText, ErrReused.
func (s *Service) Remark(ctx context.Context, by audit.Actor, id int64, d Draft) (Message, error) {
	return s.write(ctx, by, id, d, Note, func(Conversation, Message) map[string]any { return nil })
}

func (s *Service) write(ctx context.Context, by audit.Actor, id int64, d Draft, kind Kind, move func(Conversation, Message) map[string]any) (m Message, err error) {
	if err := d.read(); err != nil {
		return m, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c, err := lockTx(tx, id)
		if err != nil {
			return err
		}
		if again, found, err := sentTx(ctx, tx, c.ID, d.ID); err != nil || found {
			m = again
			if err == nil && (again.Body != d.Text || again.StaffID == nil || *again.StaffID != by.ID) {
				err = ErrReused
			}
			return err
		}
		if kind != Note && !c.OwnedBy(by.ID) {
			return ErrNotOwned
		}
		m = Message{ConversationID: c.ID, ClientID: d.ID, Author: ByAgent, StaffID: &by.ID, Kind: kind, Body: d.Text, At: s.clock.Now()}
		if err := s.writeTx(ctx, tx, &m); err != nil {
			return err
		}
		changes := move(c, m)
		if changes == nil {
			return nil
		}
		changes["moved_at"] = m.At
		return moveTx(tx, &c, changes)
	})
	return m, err
}

func lockTx(tx *db.Tx, id int64) (c Conversation, err error) {
	err = tx.Rows.Raw(`SELECT * FROM conversations WHERE id = ? FOR UPDATE`, id).Scan(&c).Error
	if err == nil && c.ID == 0 {
		err = ErrUnknown
	}
	return c, err
}

// act locks a conversation, lets decide say what changes, and writes it with its audit entry and the thread's own line in one transaction. Version is what
// the agent saw; 0 asks for none. Nobody acts on a conversation of their own, or of somebody they introduced.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, *Conversation) (map[string]any, error)) (c Conversation, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if c, err = lockTx(tx, id); err != nil {
			return err
		}
		if version != 0 && c.Version != version {
			return ErrChanged
		}
		if c.TraderID != nil {
			if err := trader.NotOwn(ctx, tx.Conn, by.ID, *c.TraderID); err != nil {
				return err
			}
		}
		changes, err := decide(tx, &c)
		if err != nil || changes == nil {
			return err
		}
		now := s.clock.Now()
		m := Message{ConversationID: c.ID, ClientID: uuid.NewString(), Author: BySystem, StaffID: &by.ID, Kind: Event, Body: action, At: now}
		if err := s.writeTx(ctx, tx, &m); err != nil {
			return err
		}
		changes["moved_at"] = now
		if err := moveTx(tx, &c, changes); err != nil {
			return err
		}
		entry := audit.By(by, now, action, "conversation", c.ID)
		entry.After = fmt.Sprintf(`{"state":%q}`, c.State)
		return audit.RecordTx(ctx, tx, entry)
	})
	return c, err
}

package support

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/trader"
)

// Refusals to agents.
var (
	ErrState    = errs.New(errs.Conflict, "chat.state")     // the state no longer allows the action
	ErrChanged  = errs.New(errs.Conflict, "chat.changed")   // the shown version is outdated
	ErrOwned    = errs.New(errs.Conflict, "chat.owned")     // another agent owns it: take it over first
	ErrNotOwned = errs.New(errs.Conflict, "chat.not_owned") // claim it first
	ErrVariable = errs.New(errs.Refused, "chat.unresolved") // Args name: a variable without a value
	ErrAgent    = errs.New(errs.Refused, "chat.agent_away") // the receiving agent is not online, or takes no chats
	ErrWaiting  = errs.New(errs.Conflict, "chat.no_longer") // the customer has written since: read that first
	ErrUntil    = errs.Field("until", "field.snooze")       // not in the future, or more than 30 days ahead
	ErrLabel    = errs.Field("label", "field.unknown")
	ErrPriority = errs.Field("priority", "field.unknown")
)

// Get returns a conversation. Refusals: ErrUnknown.
func (s *Service) Get(ctx context.Context, id int64) (Conversation, error) {
	c, err := one(s.db.Rows(ctx), "id = ?", id)
	if err == nil && c.ID == 0 {
		err = ErrUnknown
	}
	return c, err
}

// Messages returns a page of a conversation after a message for staff, notes included, oldest first. More is true before the last page.
func (s *Service) Messages(ctx context.Context, id, after int64) (list []Message, more bool, err error) {
	return s.page(ctx, "id", "conversation_id = ? AND id > ?", id, after)
}

// MarkSeen records the newest message that the owner's page received, and read if read is true. Other agents leave no receipts.
func (s *Service) MarkSeen(ctx context.Context, agentID, id, upTo int64, read bool) error {
	return s.mark(ctx, "agent", upTo, read, "id = ? AND agent_id = ?", id, agentID)
}

// Claim makes an agent the owner of a conversation that nobody owns. Refusals: ErrUnknown, ErrOwned, ErrState, trader.ErrOwn.
func (s *Service) Claim(ctx context.Context, by audit.Actor, id int64) (Conversation, error) {
	return s.act(ctx, by, id, 0, "chat.claim", func(_ *db.Tx, c Conversation) (map[string]any, error) {
		switch {
		case c.OwnedBy(by.ID) && c.Live():
			return nil, nil
		case c.AgentID != nil && c.Live():
			return nil, ErrOwned
		}
		return map[string]any{"state": Open, "agent_id": by.ID}, nil
	})
}

// TakeOver makes an agent the owner of a conversation that another one owns; the thread shows it. Refusals: ErrUnknown, ErrState, ErrChanged, trader.ErrOwn.
func (s *Service) TakeOver(ctx context.Context, by audit.Actor, id int64, version int) (Conversation, error) {
	return s.act(ctx, by, id, version, "chat.take_over", func(_ *db.Tx, c Conversation) (map[string]any, error) {
		if c.AgentID == nil || c.OwnedBy(by.ID) || !c.Live() {
			return nil, ErrState
		}
		return map[string]any{"state": owned(c), "agent_id": by.ID, "snoozed_until": nil}, nil
	})
}

// owned is the state under a new owner: Open while the customer waits for an answer, else WaitingCustomer.
func owned(c Conversation) State {
	if c.WaitingSince == nil && c.LastMessageID != 0 {
		return WaitingCustomer
	}
	return Open
}

// Transfer hands a conversation to an online agent who takes chats, or back to the queue if to is 0, with a note for the next owner. Only the owner or a lead may.
// Refusals: ErrUnknown, ErrNotOwned, ErrChanged, ErrAgent, ErrText, trader.ErrOwn.
func (s *Service) Transfer(ctx context.Context, by audit.Actor, lead bool, id int64, version int, to int64, note string) (Conversation, error) {
	note = strings.TrimSpace(note)
	if len([]rune(note)) > LongestText || !db.IsText(note) {
		return Conversation{}, ErrText
	}
	action := "chat.transfer"
	if to == 0 {
		action = "chat.release"
	}
	return s.act(ctx, by, id, version, action, func(tx *db.Tx, c Conversation) (map[string]any, error) {
		changes, err := s.transferTx(ctx, tx, by, lead, c, to)
		if err != nil || note == "" {
			return changes, err
		}
		m := Message{ConversationID: c.ID, ClientID: uuid.NewString(), Author: ByAgent, StaffID: &by.ID, Kind: Note, Private: true, Body: note, At: s.clock.Now()}
		if _, err := s.writeTx(ctx, tx, &m); err != nil {
			return nil, err
		}
		s.publishTx(tx, c, m)
		return changes, nil
	})
}

// transferTx returns the changes of a transfer.
func (s *Service) transferTx(ctx context.Context, tx *db.Tx, by audit.Actor, lead bool, c Conversation, to int64) (map[string]any, error) {
	if !c.OwnedBy(by.ID) && !lead {
		return nil, ErrNotOwned
	}
	if to == 0 {
		return map[string]any{"state": Queued, "agent_id": nil, "snoozed_until": nil}, nil
	}
	takes, err := s.takesTx(ctx, tx.Conn, to)
	if err == nil && !takes {
		err = ErrAgent
	}
	if err == nil && c.TraderID != nil {
		err = trader.CheckConflict(ctx, tx.Conn, to, *c.TraderID)
	}
	return map[string]any{"state": owned(c), "agent_id": to, "snoozed_until": nil}, err
}

// Snooze snoozes a conversation until a given time, or until its customer writes. Refusals: ErrUnknown, ErrNotOwned, ErrChanged, ErrUntil.
func (s *Service) Snooze(ctx context.Context, by audit.Actor, id int64, version int, until time.Time) (Conversation, error) {
	return s.act(ctx, by, id, version, "chat.snooze", func(_ *db.Tx, c Conversation) (map[string]any, error) { return s.snoozeChanges(by, c, until) })
}

// snoozeChanges returns the changes of a snooze.
func (s *Service) snoozeChanges(by audit.Actor, c Conversation, until time.Time) (map[string]any, error) {
	if now := s.clock.Now(); !until.After(now) || until.After(now.Add(LongestSnooze)) {
		return nil, ErrUntil
	}
	if !c.OwnedBy(by.ID) {
		return nil, ErrNotOwned
	}
	return map[string]any{"state": Snoozed, "snoozed_until": until, "woken_at": nil}, nil
}

// Wake lets the owner end a snooze early. Refusals: ErrUnknown, ErrNotOwned, ErrState.
func (s *Service) Wake(ctx context.Context, by audit.Actor, id int64) (Conversation, error) {
	return s.act(ctx, by, id, 0, "chat.wake", func(_ *db.Tx, c Conversation) (map[string]any, error) {
		switch {
		case !c.OwnedBy(by.ID):
			return nil, ErrNotOwned
		case c.State != Snoozed:
			return nil, ErrState
		}
		return map[string]any{"state": owned(c), "snoozed_until": nil}, nil
	})
}

// Resolve ends a conversation; its customer may rate it, or write again. Seen is the newest message on the agent's page.
// Refusals: ErrUnknown, ErrNotOwned, ErrChanged, ErrWaiting, ErrState.
func (s *Service) Resolve(ctx context.Context, by audit.Actor, id int64, version int, seen int64) (Conversation, error) {
	return s.act(ctx, by, id, version, "chat.resolve", func(tx *db.Tx, c Conversation) (map[string]any, error) { return s.resolveTx(ctx, tx, by, c, seen) })
}

// resolveTx returns the changes of a resolution.
func (s *Service) resolveTx(ctx context.Context, tx *db.Tx, by audit.Actor, c Conversation, seen int64) (map[string]any, error) {
	if !c.OwnedBy(by.ID) {
		return nil, ErrNotOwned
	}
	newer, err := newerTx(ctx, tx, c, seen)
	if err != nil || newer != nil {
		return nil, firstOf(err, ErrWaiting)
	}
	now := s.clock.Now()
	changes, err := s.measureTx(ctx, tx, c, Resolution, c.begun(), now)
	if err != nil {
		return nil, err
	}
	maps.Copy(changes, map[string]any{
		"state": Resolved, "resolved_at": now, "resolved_by": by.ID, "waiting_since": nil, "snoozed_until": nil, "woken_at": nil, "rating": nil, "rated_at": nil,
	})
	return changes, nil
}

// newerTx returns when the customer first wrote after the message that an agent had seen; nil if never.
func newerTx(ctx context.Context, tx *db.Tx, c Conversation, seen int64) (at *time.Time, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT min(at) FROM chat_messages WHERE conversation_id = $1 AND id > $2 AND author = 'customer'`, c.ID, seen).Scan(&at)
	return at, err
}

// Reopen reopens a resolved conversation and makes the agent its owner. Refusals: ErrUnknown, ErrState, ErrChanged, trader.ErrOwn.
func (s *Service) Reopen(ctx context.Context, by audit.Actor, id int64, version int) (Conversation, error) {
	return s.act(ctx, by, id, version, "chat.reopen", func(_ *db.Tx, c Conversation) (map[string]any, error) {
		if c.State != Resolved {
			return nil, ErrState
		}
		return map[string]any{"state": Open, "agent_id": by.ID, "reopened_at": s.clock.Now()}, nil
	})
}

// Label replaces a conversation's labels and sets its priority. Refusals: ErrUnknown, ErrChanged, ErrLabel, ErrPriority.
func (s *Service) Label(ctx context.Context, by audit.Actor, id int64, version int, labels []string, p Priority) (Conversation, error) {
	if !slices.Contains(Priorities, p) {
		return Conversation{}, ErrPriority
	}
	var kept []string
	for _, label := range Labels { // in their own order, each once
		if slices.Contains(labels, label) {
			kept = append(kept, label)
		}
	}
	if len(kept) != len(labels) {
		return Conversation{}, ErrLabel
	}
	return s.act(ctx, by, id, version, "chat.label", func(*db.Tx, Conversation) (map[string]any, error) {
		return map[string]any{"labels": strings.Join(kept, ","), "priority": p}, nil
	})
}

// Answer stores an agent's message, once per id. Only the owner may answer, and a text with an unfilled variable is refused.
// Customer messages newer than d.Seen stay unanswered and unread.
// Refusals: ErrUnknown, ErrNotOwned, ErrState, ErrMessageID, ErrText, ErrReused, ErrPicture, ErrVariable.
func (s *Service) Answer(ctx context.Context, by audit.Actor, id int64, d Draft) (Message, error) {
	if left := Variables(d.Text); len(left) > 0 {
		return Message{}, ErrVariable.With("name", left[0])
	}
	if d.Picture != "" {
		if err := s.ownPicture(ctx, d.Picture, `staff_id = $2`, by.ID); err != nil {
			return Message{}, err
		}
	}
	return s.write(ctx, by, id, d, func(tx *db.Tx, c Conversation, m *Message) (map[string]any, error) {
		return s.answerTx(ctx, tx, by, c, m.At, d.Seen)
	})
}

// answerTx returns the changes of an answer.
func (s *Service) answerTx(ctx context.Context, tx *db.Tx, by audit.Actor, c Conversation, at time.Time, seen int64) (map[string]any, error) {
	if !c.OwnedBy(by.ID) {
		return nil, ErrNotOwned
	}
	if !c.Live() {
		return nil, ErrState
	}
	changes, err := s.firstAnswerTx(ctx, tx, c, at)
	if err != nil {
		return nil, err
	}
	changes["snoozed_until"], changes["woken_at"] = nil, nil
	changes["state"], changes["waiting_since"] = WaitingCustomer, nil
	newer, err := newerTx(ctx, tx, c, seen)
	if err == nil && newer != nil && c.WaitingSince != nil {
		changes["state"], changes["waiting_since"], changes["agent_read"] = Open, later(*newer, *c.WaitingSince), max(c.AgentRead, seen)
	}
	return changes, err
}

// firstAnswerTx returns the changes of an answer that is the first one; none of a later one. Nobody waited for an answer to nothing.
func (s *Service) firstAnswerTx(ctx context.Context, tx *db.Tx, c Conversation, at time.Time) (map[string]any, error) {
	if c.AnsweredAt != nil {
		return map[string]any{}, nil
	}
	if c.WaitingSince == nil {
		return map[string]any{"answered_at": at}, nil
	}
	changes, err := s.measureTx(ctx, tx, c, FirstReply, *c.WaitingSince, at)
	if err == nil {
		changes["answered_at"] = at
	}
	return changes, err
}

func firstOf(err, refusal error) error {
	if err != nil {
		return err
	}
	return refusal
}

// AddNote stores a note between agents, once per id; everyone who may answer may write one. Refusals: ErrUnknown, ErrMessageID, ErrText, ErrReused.
func (s *Service) AddNote(ctx context.Context, by audit.Actor, id int64, d Draft) (Message, error) {
	return s.write(ctx, by, id, d, func(_ *db.Tx, _ Conversation, m *Message) (map[string]any, error) {
		m.Kind, m.Private = Note, true
		return nil, nil
	})
}

// write stores an agent's message once; move returns the changes to the conversation, or refuses.
func (s *Service) write(ctx context.Context, by audit.Actor, id int64, d Draft, move func(*db.Tx, Conversation, *Message) (map[string]any, error)) (m Message, err error) {
	if err := d.read(); err != nil {
		return m, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c, err := lockTx(tx, id)
		if err != nil {
			return err
		}
		m = d.message(c, ByAgent, s.clock.Now())
		m.StaffID = &by.ID
		changes, refused := move(tx, c, &m)
		if refused == nil && c.TraderID != nil {
			refused = trader.CheckConflict(ctx, tx.Conn, by.ID, *c.TraderID)
		}
		if refused != nil { // a message stored before is still returned
			before, err := sentTx(ctx, tx, m)
			if err != nil || before.ID == 0 {
				return firstOf(err, refused)
			}
			m = before
			return nil
		}
		again, err := s.writeTx(ctx, tx, &m)
		switch {
		case err != nil || again:
			return err
		case changes == nil:
			s.publishTx(tx, c, m)
			if d.Then == nil {
				return nil
			}
			return d.Then(ctx, tx, m)
		}
		return s.saidTx(tx, &c, changes, m)
	})
	return m, err
}

// saidTx writes the changes of a conversation in which an agent has just said something.
func (s *Service) saidTx(tx *db.Tx, c *Conversation, changes map[string]any, m Message) error {
	changes["last_message_id"] = m.ID
	if _, blind := changes["agent_read"]; !blind {
		changes["agent_got"], changes["agent_read"] = m.ID, m.ID
	}
	return s.moveTx(tx, c, changes, m)
}

func lockTx(tx *db.Tx, id int64) (Conversation, error) {
	c, err := one(tx.ForUpdate(), "id = ?", id)
	if err == nil && c.ID == 0 {
		err = ErrUnknown
	}
	return c, err
}

// act locks a conversation, asks decide for the changes, and writes them with the audit entry and a thread event in one transaction. Version is what the agent
// saw; 0 skips the check. Nobody may act on their own conversation, or on that of a trader they introduced.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, Conversation) (map[string]any, error)) (c Conversation, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if c, err = lockTx(tx, id); err != nil {
			return err
		}
		if version != 0 && c.Version != version {
			return ErrChanged
		}
		if c.TraderID != nil && by.Kind == audit.Staff {
			if err := trader.CheckConflict(ctx, tx.Conn, by.ID, *c.TraderID); err != nil {
				return err
			}
		}
		changes, err := decide(tx, c)
		if err != nil || changes == nil {
			return err
		}
		return s.doTx(ctx, tx, by, &c, action, changes)
	})
	return c, err
}

// doTx writes an action's changes with its thread event and audit entry.
func (s *Service) doTx(ctx context.Context, tx *db.Tx, by audit.Actor, c *Conversation, action string, changes map[string]any) error {
	before := c.State
	if err := s.stepTx(ctx, tx, by, c, action, changes); err != nil {
		return err
	}
	return s.auditTx(ctx, tx, by, action, before, *c)
}

// stepTx writes an action's changes with its thread event.
func (s *Service) stepTx(ctx context.Context, tx *db.Tx, by audit.Actor, c *Conversation, action string, changes map[string]any) error {
	m := Message{ConversationID: c.ID, ClientID: uuid.NewString(), Author: BySystem, Kind: System, Private: !slices.Contains(told, action), Body: action, At: s.clock.Now()}
	switch to, handed := changes["agent_id"].(int64); {
	case handed:
		m.StaffID = &to // the new owner
	case by.Kind == audit.Staff:
		m.StaffID = &by.ID
	}
	if _, err := s.writeTx(ctx, tx, &m); err != nil {
		return err
	}
	if !m.Private {
		changes["last_message_id"] = m.ID
	}
	return s.moveTx(tx, c, changes, m)
}

// auditTx writes an action's audit entry.
func (s *Service) auditTx(ctx context.Context, tx *db.Tx, by audit.Actor, action string, before State, c Conversation) error {
	entry := audit.By(by, s.clock.Now(), action, "conversation", c.ID)
	entry.Before, entry.After = fmt.Sprintf(`{"state":%q}`, before), fmt.Sprintf(`{"state":%q,"agent":%d,"labels":%q,"priority":%q}`, c.State, given(c.AgentID), c.Labels, c.Priority)
	return audit.RecordTx(ctx, tx, entry)
}

package support

import (
	"context"

	"github.com/google/uuid"

	"candor/app/audit"
	"candor/app/platform/db"
)

// TellTx adds a line for agents to a thread in the caller's transaction: what happened elsewhere to a thing that is about the conversation. Event names it, such
// as "chat.task_finish", and number is the thing's. Refusal: ErrUnknown.
func (s *Service) TellTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, event, number string) error {
	c, err := lockTx(tx, id)
	if err != nil {
		return err
	}
	m := Message{
		ConversationID: c.ID, ClientID: uuid.NewString(), Author: BySystem, StaffID: &by.ID, Kind: System, Private: true, Body: event + " " + number, At: s.clock.Now(),
	}
	if _, err := s.writeTx(ctx, tx, &m); err != nil {
		return err
	}
	s.publishTx(tx, c, m)
	return nil
}

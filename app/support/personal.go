package support

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader. Conversations are kept: they are about orders and money.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"conversations": personal.Kept, "chat_pictures": personal.Kept, "chat_uploads": personal.Kept},
		Export: s.exportTo,
		Erase:  s.endTx,
	}
}

// endTx resolves the trader's live conversation: there is nobody to answer any more.
func (s *Service) endTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	_, err := tx.Conn.Exec(ctx, `
		UPDATE conversations SET state = 'resolved', resolved_at = $2, resolved_by = NULL, resolved_in = NULL, resolved_late = false, waiting_since = NULL, snoozed_until = NULL, woken_at = NULL, version = version + 1
		WHERE trader_id = $1 AND state NOT IN ('resolved', 'closed')`, traderID, s.clock.Now())
	if err != nil {
		return fmt.Errorf("end the conversation of trader %d: %w", traderID, err)
	}
	return nil
}

// exportTo adds what both sides wrote, without what stays at the desk, and the pictures.
func (s *Service) exportTo(ctx context.Context, traderID int64, a *personal.Archive) error {
	err := a.Table(ctx, s.db.Pool, "chat.csv", `
		SELECT m.conversation_id AS conversation, m.id AS message, m.at, m.author::text, m.kind::text, m.body, m.picture
		FROM chat_messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.trader_id = $1 AND NOT m.private ORDER BY m.id`, traderID)
	if err != nil {
		return err
	}
	rows, err := s.db.Pool.Query(ctx, `
		SELECT m.picture FROM chat_messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.trader_id = $1 AND NOT m.private AND m.picture IS NOT NULL ORDER BY m.id`, traderID)
	if err != nil {
		return fmt.Errorf("list the pictures of trader %d: %w", traderID, err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("list the pictures of trader %d: %w", traderID, err)
	}
	for _, name := range names {
		if err := a.Picture("chat/"+name+".jpg", func() ([]byte, error) { return s.pictures.Get(name) }); err != nil {
			return err
		}
	}
	return nil
}

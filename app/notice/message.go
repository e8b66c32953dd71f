package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Message is a message to one trader: a key with arguments, which the app translates.
type Message struct {
	ID     int64
	Key    string
	Args   map[string]string
	At     time.Time
	ReadAt *time.Time
}

// Messages lists a trader's messages, newest first; next is 0 at the end.
func (s *Service) Messages(ctx context.Context, traderID, before int64, offset, limit int) (list []Message, next int64, err error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT id, key, args, at, read_at FROM user_messages WHERE trader_id = $1 AND ($2::bigint = 0 OR id < $2) ORDER BY id DESC OFFSET $3 LIMIT $4`,
		traderID, before, offset, limit+1)
	if err == nil {
		list, err = pgx.CollectRows(rows, pgx.RowToStructByName[Message])
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read messages: %w", err)
	}
	if len(list) > limit {
		list, next = list[:limit], list[limit-1].ID
	}
	return list, next, nil
}

// CountMessages counts a trader's messages; more reports that the total exceeds the count.
func (s *Service) CountMessages(ctx context.Context, traderID int64) (total int, more bool, err error) {
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT 1 FROM user_messages WHERE trader_id = $1 LIMIT $2) counted`, traderID, maxCounted+1).Scan(&total)
	if err != nil {
		return 0, false, fmt.Errorf("count messages: %w", err)
	}
	return min(total, maxCounted), total > maxCounted, nil
}

// UnreadMessages counts a trader's unread messages.
func (s *Service) UnreadMessages(ctx context.Context, traderID int64) (int, error) {
	n, err := one[int](ctx, s.db.Pool, `SELECT count(*) FROM user_messages WHERE trader_id = $1 AND read_at IS NULL`, traderID)
	if err != nil {
		return 0, fmt.Errorf("count messages: %w", err)
	}
	return n, nil
}

// ReadMessages marks a trader's messages as read; without ids, all of them. Other traders' messages are not affected. Refusal: field ids.
func (s *Service) ReadMessages(ctx context.Context, traderID int64, ids []int64) error {
	if len(ids) > 100 {
		return errs.Field("ids", "field.range")
	}
	_, err := s.db.Pool.Exec(ctx, `UPDATE user_messages SET read_at = $2 WHERE trader_id = $1 AND read_at IS NULL AND ($3::bigint[] IS NULL OR id = ANY ($3))`,
		traderID, s.clock.Now(), ids)
	if err != nil {
		return fmt.Errorf("note what was read: %w", err)
	}
	return nil
}

// MessageAdded is the subject of events about a trader's new message; the data is the trader's id.
const MessageAdded = "notice.told"

// AddMessageTx adds a message to a trader's mailbox in the event's transaction. The cause names the event and makes the message idempotent.
func (s *Service) AddMessageTx(ctx context.Context, tx *db.Tx, traderID int64, key string, args map[string]string, cause string) error {
	if args == nil {
		args = map[string]string{}
	}
	text, err := json.Marshal(args)
	if err != nil {
		return err
	}
	_, err = tx.Conn.Exec(ctx, `INSERT INTO user_messages (trader_id, key, args, cause, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (trader_id, cause) DO NOTHING`,
		traderID, key, text, cause, s.clock.Now())
	if err != nil {
		return fmt.Errorf("tell trader %d of %s: %w", traderID, cause, err)
	}
	tx.AfterCommit(func() {
		if err := s.bus.Publish(MessageAdded, []byte(strconv.FormatInt(traderID, 10))); err != nil {
			slog.ErrorContext(ctx, "a message can't be told", "error", err)
		}
	})
	return nil
}

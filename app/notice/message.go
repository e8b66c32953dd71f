package notice

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"gorm.io/gorm/clause"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Message is a message to one trader: a key with arguments, which the app translates.
type Message struct {
	ID       int64
	TraderID int64
	Category string
	Key      string
	Args     map[string]string `gorm:"serializer:json"`
	Cause    string            // the event's name, unique per trader
	At       time.Time
	ReadAt   *time.Time
	InApp    bool // false for a message that is only mailed, which no list shows
}

// TableName is GORM's name of the table.
func (Message) TableName() string { return "user_messages" }

// Messages lists a trader's messages of some categories, all without any, newest first; next is 0 at the end.
func (s *Service) Messages(ctx context.Context, traderID int64, categories []string, before int64, offset, limit int) (list []Message, next int64, err error) {
	rows := s.db.Rows(ctx).Where("in_app AND trader_id = ? AND (?::bigint = 0 OR id < ?)", traderID, before, before)
	if len(categories) > 0 {
		rows = rows.Where("category::text IN ?", categories)
	}
	if err = rows.Order("id DESC").Offset(offset).Limit(limit + 1).Find(&list).Error; err != nil {
		return nil, 0, fmt.Errorf("read messages: %w", err)
	}
	if len(list) > limit {
		list, next = list[:limit], list[limit-1].ID
	}
	return list, next, nil
}

// CountMessages counts a trader's messages of some categories, all without any; more reports that the total exceeds the count.
func (s *Service) CountMessages(ctx context.Context, traderID int64, categories []string) (total int, more bool, err error) {
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*) FROM (SELECT 1 FROM user_messages WHERE in_app AND trader_id = $1 AND (cardinality($3::text[]) = 0 OR category = ANY($3::message_category[])) LIMIT $2) counted`,
		traderID, maxCounted+1, append([]string{}, categories...)).Scan(&total)
	if err != nil {
		return 0, false, fmt.Errorf("count messages: %w", err)
	}
	return min(total, maxCounted), total > maxCounted, nil
}

// UnreadMessages counts a trader's unread messages.
func (s *Service) UnreadMessages(ctx context.Context, traderID int64) (int, error) {
	var n int64
	if err := s.db.Rows(ctx).Model(&Message{}).Where("in_app AND trader_id = ? AND read_at IS NULL", traderID).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("count messages: %w", err)
	}
	return int(n), nil
}

// ReadMessages marks a trader's messages as read; without ids, all of them. Other traders' messages are not affected. Refusal: field ids.
func (s *Service) ReadMessages(ctx context.Context, traderID int64, ids []int64) error {
	if len(ids) > 100 {
		return errs.Field("ids", "field.range")
	}
	unread := s.db.Rows(ctx).Model(&Message{}).Where("in_app AND trader_id = ? AND read_at IS NULL", traderID)
	if ids != nil {
		unread = unread.Where("id IN ?", ids)
	}
	if err := unread.Update("read_at", s.clock.Now()).Error; err != nil {
		return fmt.Errorf("mark messages as read: %w", err)
	}
	return nil
}

// MessageAdded is the subject of events about a trader's new message; the data is the trader's id.
const MessageAdded = "notice.told"

// AddMessageTx adds a message to its trader's mailbox in the event's transaction and reports whether it is new: the cause names the event and makes the
// message idempotent.
func (s *Service) AddMessageTx(ctx context.Context, tx *db.Tx, m Message) (added bool, err error) {
	if m.Args == nil {
		m.Args = map[string]string{}
	}
	m.At = s.clock.Now()
	result := tx.Rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&m)
	if result.Error != nil {
		return false, fmt.Errorf("add a message to trader %d about %s: %w", m.TraderID, m.Cause, result.Error)
	}
	if result.RowsAffected == 0 {
		return false, nil
	}
	if m.InApp {
		tx.AfterCommit(func() {
			if err := s.bus.Publish(MessageAdded, []byte(strconv.FormatInt(m.TraderID, 10))); err != nil {
				slog.ErrorContext(ctx, "a message can't be told", "error", err)
			}
		})
	}
	return true, nil
}

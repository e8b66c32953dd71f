package support

import (
	"context"
	"fmt"
	"time"
)

// PicturesSent counts the pictures that the customer of a conversation has sent since a time, and tells who the customer is; nil is a visitor. Refusal: ErrUnknown.
func (s *Service) PicturesSent(ctx context.Context, conversationID int64, since time.Time) (owner *int64, count int, err error) {
	c, err := s.Get(ctx, conversationID)
	if err != nil {
		return nil, 0, err
	}
	err = s.db.Pool.QueryRow(ctx, `SELECT count(DISTINCT picture) FROM chat_messages WHERE conversation_id = $1 AND author = 'customer' AND picture IS NOT NULL AND at > $2`, c.ID, since).Scan(&count)
	if err != nil {
		return nil, 0, fmt.Errorf("count the pictures of conversation %d: %w", c.ID, err)
	}
	return c.TraderID, count, nil
}

package mail

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// ErrUnknown is returned for an id without a message.
var ErrUnknown = errs.New(errs.NotFound, "route_unknown")

// Filter restricts a page of messages to a recipient: by the beginning of the address, or the whole of it.
type Filter struct{ Beginning, Recipient string }

// Page reads messages without their bodies, at most limit after a message (0 for the first page), and returns the message after which the next page
// begins, 0 after the last. They come newest first; with the beginning of a recipient's address, recipient by recipient.
func (o *Outbox) Page(ctx context.Context, f Filter, after int64, limit int) (list []Message, next int64, err error) {
	if f.Beginning != "" {
		list, err = o.toRecipients(ctx, f.Beginning, after, limit+1)
	} else {
		list, err = o.newest(ctx, f.Recipient, after, limit+1)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read the outbox: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	return list, next, nil
}

// columns are those that a list needs; has_body replaces the body.
const columns = "id, kind, channel, recipient, subject, state, created_at, expires_at, sent_at, body_key IS NOT NULL AS has_body"

func (o *Outbox) rows(ctx context.Context) *gorm.DB {
	return o.db.Rows(ctx).Model(&Message{}).Select(columns)
}

func (o *Outbox) newest(ctx context.Context, recipient string, before int64, limit int) (list []Message, err error) {
	rows := o.rows(ctx).Order("id DESC").Limit(limit)
	if recipient != "" {
		rows = rows.Where("recipient = ?", recipient)
	}
	if before > 0 {
		rows = rows.Where("id < ?", before)
	}
	return list, rows.Find(&list).Error
}

// toRecipients reads the remaining messages to the recipient of message after, then those to the following recipients.
func (o *Outbox) toRecipients(ctx context.Context, prefix string, after int64, limit int) (list []Message, err error) {
	first, behind := db.PrefixRange(prefix)
	from := "recipient ~>=~ ?"
	if after > 0 {
		from = "recipient ~>~ ?"
		if err := o.db.Rows(ctx).Raw(`SELECT recipient FROM outbox WHERE id = ?`, after).Scan(&first).Error; err != nil {
			return nil, err
		}
		err := o.rows(ctx).Where("recipient = ? AND id < ?", first, after).Order("id DESC").Limit(limit).Find(&list).Error
		if err != nil || len(list) == limit {
			return list, err
		}
	}
	var others []Message
	err = o.rows(ctx).Where(from, first).Where("recipient ~<~ ?", behind).Order("recipient USING ~<~, id DESC").Limit(limit - len(list)).Find(&others).Error
	return append(list, others...), err
}

// States reads the delivery states of messages, by id.
func (o *Outbox) States(ctx context.Context, ids []int64) (map[int64]State, error) {
	var list []Message
	if err := o.db.Rows(ctx).Model(&Message{}).Select("id", "state").Where("id IN ?", ids).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the states of messages: %w", err)
	}
	states := make(map[int64]State, len(list))
	for _, m := range list {
		states[m.ID] = m.State
	}
	return states, nil
}

// Read reads one message with its body decrypted; production code never calls it. It returns ErrUnknown.
func (o *Outbox) Read(ctx context.Context, id int64) (Message, error) {
	var m stored
	if err := o.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&m).Error; err != nil {
		return Message{}, fmt.Errorf("read message %d: %w", id, err)
	}
	if m.ID == 0 {
		return Message{}, ErrUnknown
	}
	return o.opened(ctx, m)
}

// Head reads one message without its body. It returns ErrUnknown.
func (o *Outbox) Head(ctx context.Context, id int64) (m Message, err error) {
	if err = o.rows(ctx).Where("id = ?", id).Limit(1).Find(&m).Error; err != nil {
		return m, fmt.Errorf("read message %d: %w", id, err)
	}
	if m.ID == 0 {
		return m, ErrUnknown
	}
	return m, nil
}

// List reads the newest messages with decrypted bodies, at most limit, to one recipient if it is named; production code never calls it.
func (o *Outbox) List(ctx context.Context, recipient string, limit int) ([]Message, error) {
	rows := o.db.Rows(ctx).Order("id DESC").Limit(limit)
	if recipient != "" {
		rows = rows.Where("recipient = ?", recipient)
	}
	var sealed []stored
	if err := rows.Find(&sealed).Error; err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	list := make([]Message, len(sealed))
	for i, m := range sealed {
		var err error
		if list[i], err = o.opened(ctx, m); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// opened is a message with its decrypted body, which is empty once deleted.
func (o *Outbox) opened(ctx context.Context, m stored) (Message, error) {
	m.HasBody = m.BodyKey != nil
	if !m.HasBody {
		return m.Message, nil
	}
	if err := o.open(ctx, &m); err != nil {
		return Message{}, fmt.Errorf("open message %d: %w", m.ID, err)
	}
	return m.Message, nil
}

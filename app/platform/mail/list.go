package mail

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// ErrUnknown is the answer to an id that no message has.
var ErrUnknown = errs.New(errs.NotFound, "route_unknown")

// Page reads messages without their bodies: those behind one of them (0 for the first), at most limit, and the message behind which the next page
// begins, 0 after the last. They come newest first; with the beginning of a recipient's address, recipient by recipient.
func (o *Outbox) Page(ctx context.Context, recipient string, after int64, limit int) (list []Message, next int64, err error) {
	if recipient == "" {
		list, err = o.newest(ctx, after, limit+1)
	} else {
		list, err = o.toRecipients(ctx, recipient, after, limit+1)
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

func (o *Outbox) rows(ctx context.Context) *gorm.DB { return o.db.Rows(ctx).Omit("body") }

func (o *Outbox) newest(ctx context.Context, before int64, limit int) (list []Message, err error) {
	rows := o.rows(ctx).Order("id DESC").Limit(limit)
	if before > 0 {
		rows = rows.Where("id < ?", before)
	}
	return list, rows.Find(&list).Error
}

// toRecipients reads what is left to the recipient of the message it goes on behind, then the recipients after that one.
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

// Read reads one message with its body. It returns ErrUnknown.
func (o *Outbox) Read(ctx context.Context, id int64) (m Message, err error) {
	if err = o.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&m).Error; err != nil {
		return m, fmt.Errorf("read message %d: %w", id, err)
	}
	if m.ID == 0 {
		return m, ErrUnknown
	}
	return m, nil
}

package mail

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// ErrUnknown is the answer to an id that no message has.
var ErrUnknown = errs.New(errs.NotFound, "route_unknown")

// Page reads messages without their bodies, newest first: those before a keyset cursor (0 for the newest), at most limit,
// to recipients whose address begins with the given words.
func (o *Outbox) Page(ctx context.Context, recipient string, before int64, limit int) (list []Message, err error) {
	rows := o.db.Rows(ctx).Omit("body").Order("id DESC").Limit(limit)
	if recipient != "" {
		rows = rows.Where("recipient LIKE ?", db.Prefix(recipient))
	}
	if before > 0 {
		rows = rows.Where("id < ?", before)
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	return list, nil
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

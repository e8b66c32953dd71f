package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// StoredEvent is a stored event with its outcome, which is empty until the event is handled.
type StoredEvent struct {
	Event
	Body    string // the message as it was received
	Status  string `gorm:"column:state"` // unhandled or done
	Outcome string
	DoneAt  *time.Time
}

// unhandled is the status of an event that is still to be handled.
const unhandled = "new"

// TableName is GORM's name of the table.
func (StoredEvent) TableName() string { return "provider_events" }

// eventsLimit is the maximum number of events shown for one reference.
const eventsLimit = 20

// Events lists a provider's last events about a reference, newest first.
func (s *Service) Events(ctx context.Context, id, reference string) (list []StoredEvent, err error) {
	if err = s.db.Rows(ctx).Where("reference = ? AND provider = ?", reference, id).Order("id DESC").Limit(eventsLimit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the events about %s: %w", reference, err)
	}
	for i := range list {
		if err = json.Unmarshal([]byte(list[i].Body), &list[i].Message); err != nil {
			return nil, fmt.Errorf("read event %d: %w", list[i].ID, err)
		}
	}
	return list, nil
}

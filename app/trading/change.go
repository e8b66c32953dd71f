package trading

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	changedSubject = "account.changed."
	// AnyChanged is the subject of every account's changes.
	AnyChanged = changedSubject + "*"
)

// Change is the event that an account changed: by a fill, a pending order, both, a margin call, or otherwise (all zero). Subscribers read the new state from
// the database. From identifies the engine that decided it; 0 is any other source.
type Change struct{ AccountID, FillID, OrderID, CallID, From int64 }

// Message encodes the change for the bus.
func (c Change) Message() (subject string, data []byte) {
	return changedSubject + strconv.FormatInt(c.AccountID, 10), fmt.Append(nil, c.FillID, c.OrderID, c.CallID, c.From)
}

// ReadChange decodes a bus message.
func ReadChange(subject string, data []byte) (c Change, err error) {
	if c.AccountID, err = strconv.ParseInt(subject[min(len(changedSubject), len(subject)):], 10, 64); err != nil {
		return c, fmt.Errorf("event %q: %w", subject, err)
	}
	parts := strings.Fields(string(data))
	if len(parts) != 4 {
		return c, fmt.Errorf("event %q: %d parts", subject, len(parts))
	}
	for i, into := range []*int64{&c.FillID, &c.OrderID, &c.CallID, &c.From} {
		if *into, err = strconv.ParseInt(parts[i], 10, 64); err != nil {
			return c, fmt.Errorf("event %q: %w", subject, err)
		}
	}
	return c, nil
}

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

// Change is the event that an account changed: by a fill, by what became of a resting order, by both, by a margin call, or otherwise (zeros). Whoever
// hears it reads the truth from the database. From is the engine that decided it; 0 is somebody else.
type Change struct{ AccountID, FillID, OrderID, CallID, From int64 }

// Message is the change as it goes over the bus.
func (c Change) Message() (subject string, data []byte) {
	return changedSubject + strconv.FormatInt(c.AccountID, 10), fmt.Append(nil, c.FillID, c.OrderID, c.CallID, c.From)
}

// ReadChange reads a message of the bus.
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

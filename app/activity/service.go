package activity

import (
	"context"
	"log/slog"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/trader"
	"candor/app/trading"
)

const (
	// pace is the shortest time between two batches: however many orders there are, this is the package's whole load.
	pace = time.Second
	// fallback is the longest time between two batches, should an event be lost.
	fallback = 15 * time.Second
	// batchSize is the number of rows of each kind after which a batch ends with its transaction.
	batchSize = 200
)

// Service follows the trading journal.
type Service struct {
	db        *db.DB
	bus       *events.Bus
	messenger *trader.Messenger
	batch     int
}

// New makes a service that sends by a messenger.
func New(d *db.DB, bus *events.Bus, m *trader.Messenger) *Service {
	return &Service{db: d, bus: bus, messenger: m, batch: batchSize}
}

// Follow writes the messages about what commits, until ctx ends. Every server runs it: the cursor's lock lets one at a time write.
func (s *Service) Follow(ctx context.Context) error {
	changed := make(chan struct{}, 1)
	stop, err := s.bus.Subscribe(trading.AnyChanged, func(string, []byte) {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	for {
		behind, err := s.WriteBatch(ctx)
		if err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "messages about trading wait", "error", err)
		}
		if !wait(ctx, changed, behind || err != nil) {
			return nil
		}
	}
}

// wait pauses between two batches: for the pace, and unless more rows are known, until a change or the fallback. It returns false when ctx ends.
func wait(ctx context.Context, changed <-chan struct{}, more bool) bool {
	select {
	case <-time.After(pace):
	case <-ctx.Done():
		return false
	}
	if more {
		return true
	}
	select {
	case <-changed:
	case <-time.After(fallback):
	case <-ctx.Done():
		return false
	}
	return true
}

// WriteBatch writes the messages about the next transactions and moves the cursor behind them, in one transaction. It reports whether later rows are committed
// already. The first batch ever only sets the cursor: what happened before is not told.
func (s *Service) WriteBatch(ctx context.Context) (behind bool, err error) {
	ctx = db.WithLane(ctx, db.House)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		behind = false
		cursor, began, err := lockCursorTx(ctx, tx)
		if err != nil || began {
			return err
		}
		next, err := nextSpanTx(ctx, tx, cursor, s.batch)
		if err != nil {
			return err
		}
		behind = next.behind
		if !next.found {
			return nil
		}
		j, err := readTx(ctx, tx, cursor, next.until)
		if err != nil {
			return err
		}
		for _, m := range j.messages() {
			if err := s.messenger.SendTx(ctx, tx, m); err != nil {
				return err
			}
		}
		return moveCursorTx(ctx, tx, next.until)
	})
	return behind, err
}

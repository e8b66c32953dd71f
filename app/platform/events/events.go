// Package events carries events between the parts of one server, and between servers, over NATS: embedded in the process, or a cluster.
//
// Events are hints: a subscriber reads the truth from the database. A lost event causes delay, never a loss of money.
package events

import (
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Bus publishes to subjects and delivers to subscribers, in order for one publisher and subject.
type Bus struct {
	conn     *nats.Conn
	embedded *server.Server
}

// Open connects to the cluster at url, or starts an embedded server without a listener when url is empty.
func Open(url string) (*Bus, error) {
	if url != "" {
		conn, err := nats.Connect(url, nats.MaxReconnects(-1), nats.Name("candor"))
		if err != nil {
			return nil, fmt.Errorf("reach NATS: %w", err)
		}
		return &Bus{conn: conn}, nil
	}
	embedded, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true})
	if err != nil {
		return nil, fmt.Errorf("make the embedded NATS: %w", err)
	}
	embedded.Start()
	if !embedded.ReadyForConnections(5 * time.Second) {
		return nil, fmt.Errorf("start the embedded NATS: not ready within 5 s")
	}
	conn, err := nats.Connect("", nats.InProcessServer(embedded))
	if err != nil {
		return nil, fmt.Errorf("join the embedded NATS: %w", err)
	}
	return &Bus{conn: conn, embedded: embedded}, nil
}

// Shared reports whether other servers may subscribe too.
func (b *Bus) Shared() bool { return b.embedded == nil }

// Publish sends data to the subscribers of subject; it does not wait.
func (b *Bus) Publish(subject string, data []byte) error { return b.conn.Publish(subject, data) }

// Subscribe calls handle for each event of subject, one after the other, until stop is called.
func (b *Bus) Subscribe(subject string, handle func(subject string, data []byte)) (stop func(), err error) {
	sub, err := b.conn.Subscribe(subject, func(m *nats.Msg) { handle(m.Subject, m.Data) })
	if err != nil {
		return nil, fmt.Errorf("subscribe to %s: %w", subject, err)
	}
	if err := b.conn.Flush(); err != nil {
		return nil, fmt.Errorf("subscribe to %s: %w", subject, err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

// Close delivers pending events and ends.
func (b *Bus) Close() {
	_ = b.conn.Drain()
	for range 100 {
		if b.conn.IsClosed() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if b.embedded != nil {
		b.embedded.Shutdown()
	}
}

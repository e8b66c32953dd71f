package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/jobs"
	"candor/app/platform/refusals"
)

// Kinds of events, by subject.
const (
	AboutPayment  = "payment"
	AboutTransfer = "transfer"
	AboutPayout   = "payout"
)

// Message is a provider's notice of a change of the reference. Its state, amount and currency are informative; the provider is queried for the binding ones.
type Message struct {
	Event     string `json:"event"` // the provider's unique id of the event
	Kind      string `json:"kind"`
	Reference string `json:"reference"`
	State     string `json:"state"`
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
}

// Event is an accepted message.
type Event struct {
	ID       int64
	Provider string
	At       time.Time
	Message
}

// Handle acts on an event: it queries the provider, books the answer and calls DoneTx in one transaction. After an error the event is retried later.
type Handle func(ctx context.Context, e Event) error

// Service holds the providers and handles their events.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	queue     *jobs.Queue
	public    string
	providers map[string]Provider
	gateways  map[string]Gateway
	handles   map[string]Handle
	refused   refusals.Counter
}

// New makes the service; public is the address at which providers reach us.
func New(d *db.DB, c clock.Clock, queue *jobs.Queue, public string, list []Provider) *Service {
	s := &Service{db: d, clock: c, queue: queue, public: public, providers: map[string]Provider{}, gateways: map[string]Gateway{}, handles: map[string]Handle{}}
	for _, p := range list {
		s.providers[p.ID], s.gateways[p.ID] = p, NewClient(p, c)
	}
	jobs.Handle(queue, func(ctx context.Context, args act) error { return s.Act(ctx, args.ID) })
	return s
}

// HandleEvents sets the handler for the events of a kind; it must be called before the first event.
func (s *Service) HandleEvents(kind string, handle Handle) { s.handles[kind] = handle }

// Provider returns a provider, and whether it is configured.
func (s *Service) Provider(id string) (Provider, bool) {
	p, ok := s.providers[id]
	return p, ok
}

// IDs lists the configured providers.
func (s *Service) IDs() []string { return slices.Sorted(maps.Keys(s.providers)) }

// Gateway is a provider's gateway. It returns ErrUnavailable for one that is not configured.
func (s *Service) Gateway(id string) (Gateway, error) {
	g, ok := s.gateways[id]
	if !ok {
		return nil, ErrUnavailable
	}
	return g, nil
}

// EventPath is the path of a provider's event endpoint.
func EventPath(id string) string { return "/provider/" + id + "/events" }

// NotifyURL is the URL of EventPath at the public address.
func (s *Service) NotifyURL(id string) string { return s.public + EventPath(id) }

// ReturnURL is the page of the trader app to which a provider's page sends the trader back.
func (s *Service) ReturnURL(page string) string { return s.public + "/#" + page }

// act is the job that acts on one event.
type act struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (act) Kind() string { return "provider_event" }

// maxIDLength is the maximum length of an id or a reference, in bytes.
const maxIDLength = 64

// Accept accepts an event: after nil it is stored and will be handled, also when it is a repetition. Refusals: ErrEvent, ErrMalformed, ErrAltered.
func (s *Service) Accept(ctx context.Context, id, at, signature string, body []byte) error {
	p := s.providers[id]
	if !VerifySignature(p.Secret, at, http.MethodPost, EventPath(id), body, signature, s.clock.Now()) {
		return ErrEvent
	}
	var m Message
	if err := json.Unmarshal(body, &m); err != nil || !m.valid() {
		return ErrMalformed
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		var row int64
		err := tx.Conn.QueryRow(ctx, `
			INSERT INTO provider_events (provider, event, kind, reference, body, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
			id, m.Event, m.Kind, m.Reference, string(body), s.clock.Now()).Scan(&row)
		if errors.Is(err, pgx.ErrNoRows) {
			return s.repeatedTx(ctx, tx, id, m.Event, body)
		}
		if err != nil {
			return fmt.Errorf("keep an event of %s: %w", id, err)
		}
		return s.queue.AddTx(ctx, tx, act{row})
	})
}

func (m Message) valid() bool {
	kinds := map[string]bool{AboutPayment: true, AboutTransfer: true, AboutPayout: true}
	for _, text := range []string{m.Event, m.Reference} {
		if text == "" || len(text) > maxIDLength || !db.IsText(text) {
			return false
		}
	}
	return kinds[m.Kind]
}

// repeatedTx accepts a repeated event with the same content. It returns ErrAltered for another content.
func (s *Service) repeatedTx(ctx context.Context, tx *db.Tx, id, event string, body []byte) error {
	var before string
	if err := tx.Conn.QueryRow(ctx, `SELECT body FROM provider_events WHERE provider = $1 AND event = $2`, id, event).Scan(&before); err != nil {
		return fmt.Errorf("read an event of %s: %w", id, err)
	}
	if before != string(body) {
		slog.ErrorContext(ctx, "a provider sent an event again with another content", "provider", id, "event", event)
		return ErrAltered
	}
	return nil
}

// Act handles a stored event, unless it was handled already.
func (s *Service) Act(ctx context.Context, id int64) error {
	e := Event{ID: id}
	var body, state string
	err := s.db.Pool.QueryRow(ctx, `SELECT provider, at, body, state FROM provider_events WHERE id = $1`, id).Scan(&e.Provider, &e.At, &body, &state)
	if err != nil {
		return fmt.Errorf("read event %d: %w", id, err)
	}
	if state != "new" {
		return nil
	}
	if err := json.Unmarshal([]byte(body), &e.Message); err != nil {
		return fmt.Errorf("read event %d: %w", id, err)
	}
	handle := s.handles[e.Kind]
	if handle == nil {
		return s.db.InTx(ctx, func(tx *db.Tx) error { return s.DoneTx(ctx, tx, e, "nobody") })
	}
	return handle(ctx, e)
}

// DoneTx marks an event as handled, in the transaction of its effect. It returns db.ErrChanged when another server has handled it in the meantime.
func (s *Service) DoneTx(ctx context.Context, tx *db.Tx, e Event, outcome string) error {
	tag, err := tx.Conn.Exec(ctx, `UPDATE provider_events SET state = 'done', outcome = $2, done_at = $3 WHERE id = $1 AND state = 'new'`, e.ID, outcome, s.clock.Now())
	if err != nil {
		return fmt.Errorf("end event %d: %w", e.ID, err)
	}
	if tag.RowsAffected() != 1 {
		return db.ErrChanged
	}
	return nil
}

package support_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/upload"
	"candor/app/platform/vault/vaulttest"
	"candor/app/support"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) // a Friday

type bundle struct {
	*testing.T
	db         *db.DB
	clock      *clock.Fixed
	bus        *events.Bus
	chat       *support.Service
	ann, bob   support.Customer
	eve        support.Customer // a visitor
	kim, lee   audit.Actor      // agents
	people     atomic.Int64
	ownedCards map[int64]int64
	folder     string // of the pictures
	outbox     *mail.Outbox
}

func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	b := &bundle{T: t, db: d, clock: clock.NewFixed(start), bus: bus, ownedCards: map[int64]int64{}, folder: t.TempDir()}
	owns := func(_ context.Context, kind string, traderID, id int64) (bool, error) {
		return kind == "withdrawal" && b.ownedCards[id] == traderID, nil
	}
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	b.outbox = mail.New(mail.Config{DB: d, Clock: b.clock, Queue: queue, Vault: vaulttest.New(t), KeepUnsent: true})
	b.chat = support.New(d, b.clock, bus, upload.NewStore(b.folder), owns, trader.NewMessenger(b.clock, b.outbox, texts, nil))
	stop, err := b.chat.FollowActivities()
	require.NoError(t, err)
	t.Cleanup(stop)
	b.ann, b.bob = b.trader(), b.trader()
	b.eve = support.Customer{Visitor: uuid.NewString(), Language: "de", IP: "192.0.2.1"}
	b.kim, b.lee = b.agent("kim"), b.agent("lee")
	return b
}

func (b *bundle) trader() support.Customer {
	b.Helper()
	n := b.people.Add(1)
	c := support.Customer{Language: "en", IP: "192.0.2.1"}
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'T', '', 'DE', $2, now()) RETURNING id`,
		fmt.Sprintf("t%d@trader.example", n), fmt.Sprint("INV", n)).Scan(&c.TraderID))
	return c
}

// agent hires an agent who takes chats in any language; they are not there before present.
func (b *bundle) agent(name string) audit.Actor {
	b.Helper()
	a := audit.Actor{Kind: audit.Staff, Name: name}
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'active', now()) RETURNING id`, name+"@desk.example", name).Scan(&a.ID))
	_, err := b.db.Pool.Exec(b.Context(), `INSERT INTO chat_agents (staff_id, seen_at, accepting, languages) VALUES ($1, '2000-01-01', true, $2)`, a.ID, support.AnyLanguage)
	require.NoError(b, err)
	return a
}

func words(text string) support.Draft { return support.Draft{ID: uuid.NewString(), Text: text} }

// says sends a customer's message.
func (b *bundle) says(from support.Customer, text string) support.Message {
	b.Helper()
	b.tick()
	m, err := b.chat.Send(b.Context(), from, words(text))
	require.NoError(b, err)
	return m
}

// asks begins a conversation.
func (b *bundle) asks(from support.Customer) support.Conversation {
	b.Helper()
	return b.get(b.says(from, "hello").ConversationID)
}

// claimed returns a conversation that kim owns.
func (b *bundle) claimed(from support.Customer) support.Conversation {
	b.Helper()
	c, err := b.chat.Claim(b.Context(), b.kim, b.asks(from).ID)
	require.NoError(b, err)
	return c
}

func (b *bundle) answers(by audit.Actor, id int64, text string) support.Message {
	b.Helper()
	b.tick()
	draft := words(text)
	draft.Seen = b.get(id).LastMessageID
	m, err := b.chat.Answer(b.Context(), by, id, draft)
	require.NoError(b, err)
	return m
}

func (b *bundle) resolved(from support.Customer) support.Conversation {
	b.Helper()
	c := b.claimed(from)
	m := b.answers(b.kim, c.ID, "done")
	c, err := b.chat.Resolve(b.Context(), b.kim, c.ID, 0, m.ID)
	require.NoError(b, err)
	return c
}

func (b *bundle) tick() { b.clock.Set(b.clock.Now().Add(time.Second)) }

func (b *bundle) get(id int64) support.Conversation {
	b.Helper()
	c, err := b.chat.Get(b.Context(), id)
	require.NoError(b, err)
	return c
}

func (b *bundle) thread(from support.Customer) support.Thread {
	b.Helper()
	t, err := b.chat.Read(b.Context(), from, 0)
	require.NoError(b, err)
	return t
}

func (b *bundle) present(agents ...audit.Actor) {
	b.Helper()
	for _, a := range agents {
		require.NoError(b, b.chat.Present(b.Context(), a.ID))
	}
}

// why is the reason that nobody gets a conversation in a language.
func (b *bundle) why(language string) support.Unassigned {
	b.Helper()
	agents, err := b.chat.Agents(b.Context())
	require.NoError(b, err)
	return support.WhyUnassigned(agents, language)
}

// written returns a visitor at an IP address who has written something.
func (b *bundle) written(ip string) support.Customer {
	b.Helper()
	v := support.Customer{Visitor: uuid.NewString(), IP: ip}
	_, err := b.chat.Send(b.Context(), v, words("hello"))
	require.NoError(b, err)
	return v
}

// files lists the stored pictures.
func (b *bundle) files() (names []string) {
	b.Helper()
	names, err := filepath.Glob(filepath.Join(b.folder, "*"))
	require.NoError(b, err)
	return names
}

// uploads stores a picture that nobody has sent yet, and returns its name.
func (b *bundle) uploads(from support.Customer) string {
	b.Helper()
	name, err := b.chat.Upload(b.Context(), from, picture(b))
	require.NoError(b, err)
	return name
}

func (b *bundle) file(name string) string { return filepath.Join(b.folder, name) }

func bodies(list []support.Message) (out []string) {
	for _, m := range list {
		out = append(out, m.Body)
	}
	return out
}

func picture(t testing.TB) upload.Picture {
	t.Helper()
	var raw bytes.Buffer
	require.NoError(t, png.Encode(&raw, image.NewRGBA(image.Rect(0, 0, 8, 8))))
	p, err := upload.New(upload.DefaultLimits(), nil).Take(t.Context(), upload.Sender{}, upload.Photo, -1, &raw)
	require.NoError(t, err)
	return p
}

package chatdesk_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/chatdesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/seal"
	"candor/app/platform/upload"
	"candor/app/score"
	"candor/app/session"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/task"
	"candor/app/trader"
	"candor/app/trading/engine"
	"candor/app/withdrawal"
	"candor/locales"
)

// quietFeed is a feed without quotes.
type quietFeed struct{ clock clock.Clock }

func (f quietFeed) Name() string       { return "quiet" }
func (f quietFeed) Clock() clock.Clock { return f.clock }

func (f quietFeed) Start([]market.Product, *market.Hours, map[string]market.Last) error { return nil }

func (f quietFeed) History(context.Context, func(market.Raw)) ([]market.Candle, error) {
	return nil, nil
}

func (f quietFeed) Run(context.Context, func(market.Raw)) error { return nil }

func (f quietFeed) StaleLimit(market.Product) time.Duration { return time.Hour }

// bundle is a chat desk with two agents, a lead and a trader.
type bundle struct {
	*testing.T
	*desktest.Office
	chat           *support.Service
	scores         *score.Service
	ann            support.Customer
	kim, lee, lead *desktest.Browser
}

func setup(t *testing.T) *bundle {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o}
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	pictures, nobody := upload.NewStore(t.TempDir()), func(int64) {}
	owns := func(context.Context, string, int64, int64) (bool, error) { return false, nil }
	b.chat = support.New(o.DB, o.Clock, o.Bus, pictures, owns, trader.NewMessenger(o.Clock, o.Outbox, texts, nil))
	b.scores = score.New(score.Config{DB: o.DB, Clock: o.Clock, Messenger: trader.NewMessenger(o.Clock, o.Outbox, texts, nil), Conversation: b.chat.Get})
	stop, err := b.chat.FollowActivities()
	require.NoError(t, err)
	t.Cleanup(stop)
	sessions := session.New(o.DB, o.Clock, nil)
	o.Frame.MountPublic(o.Echo, []desk.Public{{Method: http.MethodPost, Path: "/test/out", Handle: func(v *desk.Visitor) error {
		if err := v.SignOut(); err != nil {
			return err
		}
		return v.NoContent(http.StatusNoContent)
	}}})
	require.NoError(t, market.Seed(t.Context(), o.DB))
	prices := market.New(market.Config{DB: o.DB, Feed: quietFeed{o.Clock}, Clock: o.Clock, Key: ed25519.NewKeyFromSeed(make([]byte, 32)), Checkpoints: seal.NewCheckpointStore(t.TempDir(), "tape")})
	require.NoError(t, prices.Load(t.Context()))
	o.Mount(chatdesk.Routes(chatdesk.Services{
		Trading: engine.New(o.DB, prices, o.Clock, o.Bus),
		Uploads: upload.New(upload.DefaultLimits(), nil),
		Chat:    b.chat, Sessions: sessions, Ledger: o.DB.Pool, Texts: texts, Identities: kyc.New(kyc.Config{DB: o.DB, Clock: o.Clock}),
		Traders:     trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Sessions: sessions, Outbox: o.Outbox, Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Changed: nobody}),
		Deposits:    deposit.New(deposit.Config{DB: o.DB, Clock: o.Clock, Switches: values, Pictures: pictures, Changed: nobody}),
		Withdrawals: withdrawal.New(withdrawal.Config{DB: o.DB, Clock: o.Clock, Switches: values, Changed: nobody}), Tasks: task.New(o.DB, o.Clock, nil), Scores: b.scores,
	}))
	o.Frame.Sources = []desk.Source{chatdesk.Source(b.chat)}
	b.ann = b.trader("Ann")
	b.kim, b.lee, b.lead = b.seat("Kim Keller", access.SupportAgent), b.seat("Lee Lang", access.SupportAgent), b.seat("Lena Lead", access.SupportLead)
	return b
}

func (b *bundle) seat(name string, roles ...access.Role) *desktest.Browser {
	b.Helper()
	return b.SignInAs(b.T, b.Hire(b.T, name, roles...))
}

// trader creates a trader with this name, which is also their language.
func (b *bundle) trader(name string) support.Customer {
	b.Helper()
	c := support.Customer{Language: "en", IP: "192.0.2.1"}
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), `INSERT INTO traders (email, name, password_hash, country, language, invite_code, accepted_at)
		VALUES (lower($1 || '@trader.example'), $1, 'x', 'DE', $1, md5($1), now()) RETURNING id`, name).Scan(&c.TraderID))
	return c
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.DB.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func actor(who *desktest.Browser) audit.Actor {
	return audit.Actor{Kind: audit.Staff, ID: who.Person.ID, Name: who.Person.Name}
}

// says sends a customer's message.
func (b *bundle) says(from support.Customer, text string) support.Message {
	b.Helper()
	b.Clock.Advance(time.Second)
	m, err := b.chat.Send(b.Context(), from, support.Draft{ID: uuid.NewString(), Text: text})
	require.NoError(b, err)
	return m
}

// claimed is a customer's conversation that an agent has claimed.
func (b *bundle) claimed(by *desktest.Browser, from support.Customer) support.Conversation {
	b.Helper()
	c, err := b.chat.Claim(b.Context(), actor(by), b.says(from, "hello").ConversationID)
	require.NoError(b, err)
	return c
}

func (b *bundle) now(id int64) support.Conversation {
	b.Helper()
	c, err := b.chat.Get(b.Context(), id)
	require.NoError(b, err)
	return c
}

// whole lists the bodies that staff read in a conversation.
func (b *bundle) whole(id int64) (bodies []string) {
	b.Helper()
	list, _, err := b.chat.Messages(b.Context(), id, 0)
	require.NoError(b, err)
	for _, m := range list {
		bodies = append(bodies, m.Body)
	}
	return bodies
}

func version(c support.Conversation) []string { return []string{strconv.Itoa(c.Version)} }

func path(id int64, words ...string) string {
	out := fmt.Sprint("/admin/chat/", id)
	for _, word := range words {
		out += "/" + word
	}
	return out
}

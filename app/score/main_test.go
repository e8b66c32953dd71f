package score_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault/vaulttest"
	"candor/app/score"
	"candor/app/support"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// bundle is a fixture with an agent, who owns every conversation, and a lead.
type bundle struct {
	*testing.T
	db          *db.DB
	clock       *clock.Fixed
	scores      *score.Service
	agent, lead audit.Actor
	made        int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	b := &bundle{T: t, db: d, clock: clock.NewFixed(start)}
	outbox := mail.New(mail.Config{DB: d, Clock: b.clock, Queue: queue, Vault: vaulttest.New(t), KeepUnsent: true})
	b.scores = score.New(score.Config{DB: d, Clock: b.clock, Messenger: trader.NewMessenger(b.clock, outbox, texts, nil), Conversation: b.conversation})
	b.agent, b.lead = b.staff("Agent"), b.staff("Lead")
	return b
}

func (b *bundle) staff(name string) audit.Actor {
	b.Helper()
	id := b.scan(`INSERT INTO staff (email, name, state, created_at) VALUES (lower($1) || '@house.example', $1, 'invited', now()) RETURNING id`, name)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name}
}

func (b *bundle) scan(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

// trader registers a trader so many days before the start.
func (b *bundle) trader(days int) int64 {
	b.Helper()
	b.made++
	return b.scan(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, created_at) VALUES ($1, 'T', '', 'DE', $1, now(), $2) RETURNING id`,
		fmt.Sprintf("t%d@example.com", b.made), start.AddDate(0, 0, -days))
}

func (b *bundle) guest() int64 {
	b.Helper()
	return b.scan(`INSERT INTO traders (name, type) VALUES ('Guest', 8) RETURNING id`)
}

// conversationOf opens a conversation of a trader with the agent.
func (b *bundle) conversationOf(traderID int64) int64 {
	b.Helper()
	return b.scan(`INSERT INTO conversations (trader_id, language, state, agent_id, created_at, moved_at) VALUES ($1, 'en', 'open', $2, now(), now()) RETURNING id`, traderID, b.agent.ID)
}

func (b *bundle) conversation(ctx context.Context, id int64) (c support.Conversation, err error) {
	err = b.db.Rows(ctx).Where("id = ?", id).First(&c).Error
	return c, err
}

const words = "You will regret that, I know where you live."

// flag flags a trader and returns the flag.
func (b *bundle) flag(traderID int64) score.Flag {
	b.Helper()
	require.NoError(b, b.scores.Flag(b.Context(), b.agent, score.Request{ConversationID: b.conversationOf(traderID), Reason: score.Threats, Note: words}))
	return b.flags(traderID)[0]
}

func (b *bundle) flags(traderID int64) []score.Flag {
	b.Helper()
	list, err := b.scores.Flags(b.Context(), traderID)
	require.NoError(b, err)
	return list
}

func (b *bundle) of(traderID int64) score.Score {
	b.Helper()
	s, err := b.scores.Of(b.Context(), traderID)
	require.NoError(b, err)
	return s
}

// acting is a trader as the author of an appeal.
func acting(traderID int64) audit.Actor {
	return audit.Actor{Kind: audit.Trader, ID: traderID, Name: "T***"}
}

// actions are the acts that the audit log has about a trader, in order.
func (b *bundle) actions(traderID int64) (out []string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT coalesce(array_agg(action ORDER BY id), '{}') FROM audit_entries WHERE target_kind = 'trader' AND target_id = $1`, fmt.Sprint(traderID)).Scan(&out))
	return out
}

func long(n int) string { return strings.Repeat("x", n) }

package complaint_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/complaint"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault/vaulttest"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// start is a Friday.
var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func day(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

// bundle is a fixture with a register, two people who handle complaints, and an agent.
type bundle struct {
	*testing.T
	dbtest               *dbtest.DB
	db                   *db.DB
	clock                *clock.Fixed
	complaints           *complaint.Service
	agent, first, second audit.Actor
	trader               int64
	keys                 int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	b := &bundle{T: t, dbtest: test, db: d, clock: clock.NewFixed(start)}
	outbox := mail.New(mail.Config{DB: d, Clock: b.clock, Queue: queue, Vault: vaulttest.New(t), KeepUnsent: true})
	b.complaints = complaint.New(d, b.clock, trader.NewMessenger(b.clock, outbox, texts, nil), approval.New(d, b.clock, trader.TakeDutyTx))
	b.agent, b.first, b.second = b.staff("Agent"), b.staff("Reviewer"), b.staff("Lead")
	b.trader = b.newTrader("t@example.com")
	return b
}

func (b *bundle) staff(name string) audit.Actor {
	b.Helper()
	id := b.scan(`INSERT INTO staff (email, name, state, created_at) VALUES (lower($1) || '@house.example', $1, 'invited', now()) RETURNING id`, name)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name}
}

func (b *bundle) newTrader(email any) int64 {
	b.Helper()
	b.keys++
	return b.scan(`INSERT INTO traders (email, phone, name, password_hash, country, invite_code, accepted_at) VALUES ($1, '+3460012341' || $2, 'T', '', 'DE', $2, now()) RETURNING id`, email, fmt.Sprint(b.keys))
}

func (b *bundle) scan(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) request() complaint.Request {
	b.keys++
	return complaint.Request{
		TraderID: b.trader, Channel: complaint.ChannelMail, Category: complaint.Execution, Summary: "The stop loss was filled ten points lower", ReceivedOn: day("2026-11-20"),
		Key: fmt.Sprintf("key-of-the-form-%03d", b.keys),
	}
}

func (b *bundle) registered() complaint.Complaint {
	b.Helper()
	c, err := b.complaints.Register(b.Context(), b.agent, b.request())
	require.NoError(b, err)
	return c
}

var letter = complaint.Letter{Way: complaint.WayMail, Text: "We have received your complaint."}

func (b *bundle) acknowledged() complaint.Complaint {
	b.Helper()
	c := b.registered()
	c, err := b.complaints.Acknowledge(b.Context(), b.first, c.ID, c.Version, letter)
	require.NoError(b, err)
	return c
}

func (b *bundle) investigating() complaint.Complaint {
	b.Helper()
	c := b.acknowledged()
	c, err := b.complaints.Investigate(b.Context(), b.first, c.ID, c.Version)
	require.NoError(b, err)
	return c
}

var answer = complaint.Answer{
	Outcome: complaint.Partly, Redress: "25 USDT", RootCause: "The quote was late by two seconds", Answer: "We credit you 25 USDT for the late quote.", AnswerWay: complaint.WayMail,
}

// asked reads the proposal that a complaint waits for.
func (b *bundle) asked(id int64) approval.Approval {
	b.Helper()
	c, err := b.complaints.Read(b.Context(), id)
	require.NoError(b, err)
	asked, _, ok, err := b.complaints.Proposed(b.Context(), c)
	require.NoError(b, err)
	require.True(b, ok)
	return asked
}

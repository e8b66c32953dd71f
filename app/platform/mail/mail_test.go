package mail_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Unix(1_790_000_000, 0).UTC()

// patience bounds a wait for the queue.
const patience = time.Minute

// fake is a sender that reports what it was given, and answers from its list.
type fake struct {
	sent    chan mail.Message
	answers chan error
}

func newFake(answers ...error) *fake {
	f := &fake{make(chan mail.Message, 100), make(chan error, 100)}
	for _, answer := range answers {
		f.answers <- answer
	}
	return f
}

func (f *fake) Send(_ context.Context, m mail.Message) error {
	f.sent <- m
	select {
	case answer := <-f.answers:
		return answer
	default:
		return nil
	}
}

type bundle struct {
	*testing.T
	db    *db.DB
	clock *clock.Fixed
	vault *vault.Vault
}

func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return &bundle{t, d, clock.NewFixed(start), vaulttest.New(t)}
}

// outbox is one server's outbox, with its queue.
func (b *bundle) outbox(senders map[mail.Channel]mail.Sender) (*mail.Outbox, *jobs.Queue) {
	b.Helper()
	return b.newOutbox(senders, true)
}

func (b *bundle) newOutbox(senders map[mail.Channel]mail.Sender, keepUnsent bool) (*mail.Outbox, *jobs.Queue) {
	b.Helper()
	queue, err := jobs.New(b.db.Pool)
	require.NoError(b, err)
	return mail.New(mail.Config{DB: b.db, Clock: b.clock, Queue: queue, Vault: b.vault, Senders: senders, KeepUnsent: keepUnsent}), queue
}

func message(n int) mail.Message {
	return mail.Message{Kind: "login_code", Channel: mail.Mail, Recipient: "anna@example.com", Subject: fmt.Sprint("Your code ", n), Body: "It is 123456.", CreatedAt: start}
}

func (b *bundle) send(o *mail.Outbox, m mail.Message) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error { return o.SendTx(b.Context(), tx, m) }))
}

// work runs a queue until done returns, and lets the running jobs end.
func (b *bundle) work(queue *jobs.Queue, done func(ctx context.Context)) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	require.NoError(b, queue.Start(ctx, b.db.Pool, nil))
	done(ctx)
	require.NoError(b, queue.Stop(ctx))
}

func (b *bundle) received(ctx context.Context, f *fake) (m mail.Message) {
	b.Helper()
	select {
	case m = <-f.sent:
	case <-ctx.Done():
		b.Fatal("nothing was delivered")
	}
	return m
}

func (b *bundle) count(sql string) (n int) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql).Scan(&n))
	return n
}

func (b *bundle) only() mail.Message {
	b.Helper()
	o, _ := b.outbox(nil)
	list, err := o.List(b.Context(), "", 10)
	require.NoError(b, err)
	require.Len(b, list, 1)
	return list[0]
}

func TestOutbox(t *testing.T) {
	t.Parallel()

	t.Run("KeepsWithoutASender", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(nil)
		b.send(o, message(1))
		kept := b.only()
		require.Equal(t, []any{mail.Kept, "It is 123456.", true}, []any{kept.State, kept.Body, kept.SentAt == nil})
		require.Zero(t, b.count(`SELECT count(*) FROM river_job`))
	})
	t.Run("KeepsOnlyTheChannelsWithoutASender", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		text := message(1)
		text.Channel, text.Recipient = mail.SMS, "+4915123456789"
		b.send(o, text)
		b.send(o, message(2))
		list, err := o.List(t.Context(), "", 10)
		require.NoError(t, err)
		require.Equal(t, []mail.State{mail.Queued, mail.Kept}, []mail.State{list[0].State, list[1].State})
		require.Equal(t, 1, b.count(`SELECT count(*) FROM river_job`))
	})
	t.Run("MessagesHaveAQueueOfTheirOwnInWhichStrangersComeLast", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		b.send(o, message(1))
		low := message(2)
		low.LowPriority = true
		b.send(o, low)
		rows, err := b.db.Pool.Query(t.Context(), `SELECT queue || ' ' || priority FROM river_job ORDER BY id`)
		require.NoError(t, err)
		queues, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Equal(t, []string{"messages 1", "messages 2"}, queues)
	})
	t.Run("DeliversThroughTheQueueAndEmptiesTheBody", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := newFake()
		o, queue := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: f})
		b.send(o, message(1))
		require.Equal(t, mail.Queued, b.only().State)
		b.work(queue, func(ctx context.Context) {
			got := b.received(ctx, f)
			require.Equal(t, []string{"anna@example.com", "Your code 1", "It is 123456."}, []string{got.Recipient, got.Subject, got.Body})
		})
		sent := b.only()
		require.Equal(t, []any{mail.Sent, "", "Your code 1"}, []any{sent.State, sent.Body, sent.Subject})
		require.NotNil(t, sent.SentAt)
		require.Empty(t, f.sent, "once")
		require.Zero(t, b.count(`SELECT count(*) FROM river_job WHERE args::text LIKE '%123456%'`), "nor is it in the queue")
	})
	t.Run("WithoutTheCommitThereIsNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		refusal := errors.New("no")
		require.ErrorIs(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			require.NoError(t, o.SendTx(t.Context(), tx, message(1)))
			return refusal
		}), refusal)
		require.Zero(t, b.count(`SELECT count(*) FROM outbox`))
		require.Zero(t, b.count(`SELECT count(*) FROM river_job`))
	})
	t.Run("TriesAgainAfterAFailure", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		down, up := newFake(slices.Repeat([]error{errors.New("450 try again later")}, 100)...), newFake()
		o, queue := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: down})
		b.send(o, message(1))
		b.work(queue, func(ctx context.Context) { b.received(ctx, down) })
		waiting := b.only()
		require.Equal(t, []any{mail.Queued, "It is 123456."}, []any{waiting.State, waiting.Body})
		require.Equal(t, 1, b.count(`SELECT count(*) FROM river_job WHERE state IN ('retryable', 'available') AND cardinality(errors) > 0`))

		_, err := b.db.Pool.Exec(t.Context(), `UPDATE river_job SET state = 'available', scheduled_at = now()`)
		require.NoError(t, err)
		_, queue = b.outbox(map[mail.Channel]mail.Sender{mail.Mail: up})
		b.work(queue, func(ctx context.Context) { b.received(ctx, up) })
		require.Equal(t, mail.Sent, b.only().State)
	})
	t.Run("WhatWasSentIsNotSentAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := newFake()
		senders := map[mail.Channel]mail.Sender{mail.Mail: f}
		o, queue := b.outbox(senders)
		b.send(o, message(1))
		b.work(queue, func(ctx context.Context) { b.received(ctx, f) })
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE river_job SET state = 'available', scheduled_at = now(), finalized_at = NULL`)
		require.NoError(t, err)
		o, queue = b.outbox(senders)
		b.send(o, message(2)) // after the first, so that its delivery shows when the first is done
		b.work(queue, func(ctx context.Context) {
			require.Equal(t, "Your code 2", b.received(ctx, f).Subject)
			for b.count(`SELECT count(*) FROM river_job WHERE state = 'completed'`) < 2 && ctx.Err() == nil {
			}
		})
		require.Empty(t, f.sent)
	})
	t.Run("KeepsWhatIsQueuedWhenItsSenderIsGone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		b.send(o, message(1))
		_, queue := b.outbox(nil)
		b.work(queue, func(ctx context.Context) {
			for b.count(`SELECT count(*) FROM river_job WHERE state = 'completed'`) < 1 && ctx.Err() == nil {
			}
		})
		kept := b.only()
		require.Equal(t, []any{mail.Kept, "It is 123456."}, []any{kept.State, kept.Body})
	})
	t.Run("ListsTheNewestOfARecipient", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(nil)
		for n := range 4 {
			m := message(n)
			if n == 3 {
				m.Recipient = "bert@example.com"
			}
			b.send(o, m)
		}
		list, err := o.List(t.Context(), "anna@example.com", 2)
		require.NoError(t, err)
		require.Equal(t, []string{"Your code 2", "Your code 1"}, []string{list[0].Subject, list[1].Subject})
		require.Len(t, list, 2)
		list, err = o.List(t.Context(), "", 10)
		require.NoError(t, err)
		require.Len(t, list, 4)
	})
}

func TestNewSMTP(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"smtp://mail.example.com?from=desk@example.com", "smtps://user:secret@mail.example.com:465?from=desk@example.com", "smtp://localhost:25?from=desk@example.com",
	} {
		_, err := mail.NewSMTP(address)
		require.NoError(t, err, address)
	}
	for _, address := range []string{"", "smtp://", "mail.example.com", "smtp://mail.example.com", "smtp://user:secret@?from=desk@example.com", "smtp://%zz"} {
		_, err := mail.NewSMTP(address)
		require.ErrorContains(t, err, "SMTP_URL", address)
		require.NotContains(t, err.Error(), "secret")
	}
}

// answerSMTP is a mail server that takes one message and returns what it received.
func answerSMTP(listener net.Listener) (said string, err error) {
	conn, err := listener.Accept()
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprint(conn, "220 test\r\n")
	var all strings.Builder
	inData := false
	for scanner := bufio.NewScanner(conn); scanner.Scan(); {
		line := scanner.Text()
		all.WriteString(line + "\n")
		answer := "250 ok"
		switch {
		case inData && line == ".":
			inData = false
		case inData:
			continue
		case line == "DATA":
			inData, answer = true, "354 go on"
		case line == "QUIT":
			fmt.Fprint(conn, "221 bye\r\n")
			return all.String(), nil
		}
		fmt.Fprint(conn, answer+"\r\n")
	}
	return all.String(), errors.New("no QUIT")
}

func TestSMTP(t *testing.T) {
	t.Parallel()

	t.Run("DeliversToTheServer", func(t *testing.T) {
		t.Parallel()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		sender, err := mail.NewSMTP("smtp://" + listener.Addr().String() + "?from=desk@example.com")
		require.NoError(t, err)
		type result struct {
			said string
			err  error
		}
		told := make(chan result, 1)
		go func() {
			said, err := answerSMTP(listener)
			told <- result{said, err}
		}()
		m := message(1)
		m.Subject += "\r\nBcc: victim@example.com"
		m.HTML = "<p>It is 654321.</p>"
		require.NoError(t, sender.Send(t.Context(), m))
		r := <-told
		require.NoError(t, r.err)
		for _, want := range []string{"MAIL FROM:<desk@example.com>", "RCPT TO:<anna@example.com>", "It is 123456.", "text/html", "<p>It is 654321.</p>"} {
			require.Contains(t, r.said, want)
		}
		require.NotContains(t, r.said, "\nBcc:")
		require.Equal(t, 1, strings.Count(r.said, "RCPT TO"))
	})
	t.Run("ARecipientThatSmugglesIsRefused", func(t *testing.T) {
		t.Parallel()
		sender, err := mail.NewSMTP("smtp://127.0.0.1:1?from=desk@example.com")
		require.NoError(t, err)
		for _, recipient := range []string{"", "anna", "anna@example.com\r\nRCPT TO:<x@example.com>", "anna@example.com, x@example.com"} {
			m := message(1)
			m.Recipient = recipient
			err := sender.Send(t.Context(), m)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "dial", "%q is refused before anything is sent", recipient)
		}
	})
}

func TestPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, _ := b.outbox(nil)
	for n, to := range []string{"ann@example.com", "anna@example.com", "bob@example.com", "anna@example.com", "ann@example.com", "an%@example.com"} {
		m := message(n)
		m.Recipient = to
		b.send(o, m)
	}
	pages := func(beginning string, limit int) (to []string, ids []int64) {
		for pages, after := 0, int64(0); pages == 0 || after != 0; pages++ {
			list, next, err := o.Page(t.Context(), mail.Filter{Beginning: beginning}, after, limit)
			require.NoError(t, err)
			require.LessOrEqual(t, len(list), limit)
			for _, m := range list {
				require.Empty(t, m.Body)
				to, ids = append(to, m.Recipient), append(ids, m.ID)
			}
			after = next
		}
		return to, ids
	}
	_, all := pages("", 10)
	require.Len(t, all, 6)
	require.True(t, slices.IsSortedFunc(all, func(a, b int64) int { return cmp.Compare(b, a) }), "newest first")
	for limit := 1; limit <= 6; limit++ {
		_, ids := pages("", limit)
		require.Equal(t, all, ids, limit)
		to, ids := pages("ann", limit)
		require.Equal(t, []string{"ann@example.com", "ann@example.com", "anna@example.com", "anna@example.com"}, to, "recipient by recipient, limit %d", limit)
		require.Equal(t, []int64{all[1], all[5], all[2], all[4]}, ids, "each newest first, limit %d", limit)
		to, _ = pages("an%", limit)
		require.Equal(t, []string{"an%@example.com"}, to, "what is typed is no wildcard")
		to, _ = pages("carl", limit)
		require.Empty(t, to)
	}
	list, _, err := o.Page(t.Context(), mail.Filter{Recipient: "anna@example.com"}, 0, 10)
	require.NoError(t, err)
	require.Len(t, list, 2)
	list, _, err = o.Page(t.Context(), mail.Filter{Recipient: "anna@example.co"}, 0, 10)
	require.NoError(t, err)
	require.Empty(t, list, "a beginning is no whole address")
}

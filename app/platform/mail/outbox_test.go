package mail_test

import (
	"context"
	"encoding/hex"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/mail"
	"candor/app/platform/vault"
)

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

// again sends a message again and reports what was recorded.
func (b *bundle) again(o *mail.Outbox, id int64) (recorded []string, err error) {
	err = o.SendAgain(b.Context(), id, func(_ *db.Tx, m mail.Message) error {
		recorded = append(recorded, m.Kind+" "+m.Recipient)
		return nil
	})
	return recorded, err
}

// code is a message that expires.
func code(n int, life time.Duration) mail.Message {
	m := message(n)
	m.ExpiresAt = m.CreatedAt.Add(life)
	return m
}

func TestBodiesAreSealed(t *testing.T) {
	t.Parallel()

	t.Run("NothingStoredHoldsTheBody", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		m := message(1)
		m.HTML = "<p>It is 654321.</p>"
		b.send(o, m)
		var row string
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT o::text FROM outbox o`).Scan(&row))
		require.Contains(t, row, "anna@example.com", "the search finds what is there")
		require.NotContains(t, row, "123456.")
		require.NotContains(t, row, hex.EncodeToString([]byte("It is ")))
		require.Equal(t, []string{"It is 123456.", "<p>It is 654321.</p>"}, []string{b.only().Body, b.only().HTML})
	})
	t.Run("ABodyBelongsToItsMessageAndRecipient", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(nil)
		b.send(o, message(1))
		b.exec(`UPDATE outbox SET recipient = 'thief@example.com'`)
		_, err := o.List(t.Context(), "", 10)
		require.ErrorIs(t, err, vault.ErrUnreadable)
		b.exec(`UPDATE outbox SET recipient = 'anna@example.com'`)
		b.send(o, message(2))
		b.exec(`UPDATE outbox SET (body_key, body_sealed) = (SELECT body_key, body_sealed FROM outbox ORDER BY id LIMIT 1)`)
		_, err = o.List(t.Context(), "", 10)
		require.ErrorIs(t, err, vault.ErrUnreadable)
	})
	t.Run("WhatCantBeOpenedIsNotSent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := newFake()
		o, queue := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: f})
		b.send(o, message(1))
		b.exec(`UPDATE outbox SET recipient = 'thief@example.com'`)
		b.work(queue, func(ctx context.Context) {
			for b.count(`SELECT count(*) FROM river_job WHERE cardinality(errors) > 0`) < 1 && ctx.Err() == nil {
			}
		})
		require.Empty(t, f.sent)
	})
}

func TestALifeEnds(t *testing.T) {
	t.Parallel()

	t.Run("AnExpiredCodeIsNotSentAndIsEmptied", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := newFake()
		o, queue := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: f})
		b.send(o, code(1, 10*time.Minute))
		b.clock.Advance(10 * time.Minute)
		b.work(queue, func(ctx context.Context) {
			for b.count(`SELECT count(*) FROM river_job WHERE state = 'completed'`) < 1 && ctx.Err() == nil {
			}
		})
		require.Empty(t, f.sent)
		require.Equal(t, []any{mail.Expired, false}, []any{b.only().State, b.only().HasBody})
	})
	t.Run("ALivingCodeIsSent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := newFake()
		o, queue := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: f})
		b.send(o, code(1, 10*time.Minute))
		b.clock.Advance(10*time.Minute - time.Second)
		b.work(queue, func(ctx context.Context) { b.received(ctx, f) })
		require.Equal(t, mail.Sent, b.only().State)
	})
	t.Run("EveryBodyIsEmptiedInTheEnd", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		kept, _ := b.outbox(nil)
		queued, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		b.send(kept, message(1))
		b.send(queued, message(2))
		b.send(queued, code(3, time.Minute))
		for at, want := range []int64{0, 1, 2} { // before expiry, after the code's, after the others'
			b.clock.Set(start.Add([]time.Duration{time.Second, time.Minute, mail.Life}[at]))
			n, err := kept.Expire(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, n)
		}
		require.Zero(t, b.count(`SELECT count(*) FROM outbox WHERE body_key IS NOT NULL OR body_sealed IS NOT NULL OR state <> 'expired'`))
	})
	t.Run("AfterADayOfFailuresItIsGivenUp", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := newFake(errors.New("450 try again later"))
		o, queue := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: f})
		b.send(o, message(1))
		b.clock.Advance(24 * time.Hour)
		b.work(queue, func(ctx context.Context) {
			b.received(ctx, f)
			for b.count(`SELECT count(*) FROM outbox WHERE state = 'failed'`) < 1 && ctx.Err() == nil {
			}
		})
		require.Equal(t, []any{mail.Failed, true}, []any{b.only().State, b.only().HasBody})
	})
}

func TestSendAgain(t *testing.T) {
	t.Parallel()

	t.Run("AFailedMessageIsQueuedAndSent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := newFake()
		o, queue := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: f})
		b.send(o, message(1))
		b.exec(`UPDATE outbox SET state = 'failed'`)
		recorded, err := b.again(o, b.only().ID)
		require.NoError(t, err)
		require.Equal(t, []string{"login_code anna@example.com"}, recorded)
		b.work(queue, func(ctx context.Context) { b.received(ctx, f) })
		require.Equal(t, mail.Sent, b.only().State)
		require.Empty(t, f.sent, "the older job has nothing to do")
	})
	t.Run("WithoutTheRecordNothingHappens", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		b.send(o, message(1))
		b.exec(`UPDATE outbox SET state = 'failed'`)
		refusal := errors.New("no")
		require.ErrorIs(t, o.SendAgain(t.Context(), b.only().ID, func(*db.Tx, mail.Message) error { return refusal }), refusal)
		require.Equal(t, mail.Failed, b.only().State)
		require.Equal(t, 1, b.count(`SELECT count(*) FROM river_job`))
	})
	t.Run("WhatItRefuses", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		without, _ := b.outbox(nil)
		b.send(o, code(1, 10*time.Minute))
		id := b.only().ID
		for _, c := range []struct {
			outbox *mail.Outbox
			id     int64
			before string
			want   error
		}{
			{o, id + 1, ``, mail.ErrUnknown},
			{without, id, ``, mail.ErrNoSender},
			{o, id, `UPDATE outbox SET expires_at = created_at`, mail.ErrGone},
			{o, id, `UPDATE outbox SET expires_at = created_at + interval '1 hour', state = 'expired', body_key = NULL, body_sealed = NULL`, mail.ErrGone},
			{o, id, `UPDATE outbox SET state = 'sent'`, mail.ErrSent},
		} {
			if c.before != "" {
				b.exec(c.before)
			}
			recorded, err := b.again(c.outbox, c.id)
			require.ErrorIs(t, err, c.want)
			require.Empty(t, recorded)
		}
		require.Equal(t, 1, b.count(`SELECT count(*) FROM river_job`))
	})
}

func TestNothingUnsentIsKept(t *testing.T) {
	t.Parallel()

	t.Run("AChannelWithoutASenderIsNotOffered", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		require.True(t, o.Offers(mail.SMS), "a development server keeps what it can't send")
		o, _ = b.newOutbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()}, false)
		require.True(t, o.Offers(mail.Mail))
		require.False(t, o.Offers(mail.SMS))
		text := message(1)
		text.Channel, text.Recipient = mail.SMS, "+4915123456789"
		b.send(o, text)
		require.Equal(t, []any{mail.Failed, false}, []any{b.only().State, b.only().HasBody})
	})
	t.Run("WhatIsQueuedFailsWhenItsSenderIsGone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, _ := b.outbox(map[mail.Channel]mail.Sender{mail.Mail: newFake()})
		b.send(o, message(1))
		_, queue := b.newOutbox(nil, false)
		b.work(queue, func(ctx context.Context) {
			for b.count(`SELECT count(*) FROM outbox WHERE state = 'failed'`) < 1 && ctx.Err() == nil {
			}
		})
		require.Equal(t, mail.Failed, b.only().State)
	})
}

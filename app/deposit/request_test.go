package deposit_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/upload"
	"candor/app/switches"
)

func TestRequest(t *testing.T) {
	t.Parallel()

	t.Run("AnnouncesATransferWithItsOwnReference", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		first, second := b.request(o, 20*usdt), b.request(o, 30*usdt)
		require.Equal(t, deposit.AwaitingTransfer, first.State)
		require.Equal(t, start.Add(72*time.Hour), first.ExpiresAt.UTC())
		require.Regexp(t, `^CD-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$`, first.Reference)
		require.NotEqual(t, first.Reference, second.Reference)
		require.Equal(t, []int64{o.TraderID, o.AccountID, 20 * usdt}, []int64{first.TraderID, first.AccountID, first.Amount})
		entries := b.acts(first.ID)
		require.Len(t, entries, 1)
		require.Equal(t, []any{"deposit.request", o.TraderID, "trace-owner"}, []any{entries[0].Action, entries[0].ActorID, entries[0].TraceID})
		require.Zero(t, b.postings())
	})
	t.Run("ArrivesOnTheMainAccountWhicheverIsInUse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		second := o
		second.AccountID = b.another(o)
		require.Equal(t, o.AccountID, b.request(second, 20*usdt).AccountID)
		third := o
		third.AccountID = b.account(o.TraderID, ledger.Mock)
		_, err := b.tryRequest(third, 20*usdt)
		require.ErrorIs(t, err, deposit.ErrMock, "but never from a demo account")
		third.AccountID = b.another(b.owner(0))
		_, err = b.tryRequest(third, 20*usdt)
		require.ErrorIs(t, err, ledger.ErrAccount, "nor another trader's")
	})
	t.Run("HappensOncePerKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		key := b.keyed(o)
		first, err := b.deposits.Request(t.Context(), o, channel, 20*usdt, key)
		require.NoError(t, err)
		again, err := b.deposits.Request(t.Context(), o, channel, 20*usdt, key)
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM deposits`))
		key.Key = ""
		_, err = b.deposits.Request(t.Context(), o, channel, 20*usdt, key)
		require.ErrorIs(t, err, idempotency.ErrKeyMissing)
	})
	t.Run("AnAmountOutsideTheLimitsIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(2)
		for _, amount := range []int64{20*usdt - 1, 100_000*usdt + 1, 0, -20 * usdt, 1<<63 - 1, -1 << 63} {
			_, err := b.tryRequest(o, amount)
			require.ErrorIs(t, err, deposit.ErrAmount, "%d", amount)
			require.Equal(t, map[string]string{"min": "20", "max": "100000"}, errs.As(err).Args)
		}
		b.request(o, 20*usdt)
		b.request(o, 100_000*usdt)
	})
	t.Run("TheNarrowerLimitCounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.exec(`INSERT INTO switches (key, value) VALUES ($1, '50'), ($2, '60.5')`, switches.RechargeMinKey, switches.RechargeMaxKey)
		require.NoError(t, b.switches.Reload(t.Context()))
		o := b.owner(1)
		for _, amount := range []int64{50*usdt - 1, 60*usdt + 500_001} {
			_, err := b.tryRequest(o, amount)
			require.ErrorIs(t, err, deposit.ErrAmount)
		}
		b.request(o, 50*usdt)
		b.request(o, 60*usdt+500_000)
	})
	t.Run("AChannelThatIsClosedOrUnknownIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		for _, id := range []int{8, 0, -1, 424242} {
			_, err := b.deposits.Request(t.Context(), o, id, 50*usdt, b.keyed(o))
			require.Equal(t, deposit.ErrChannel, err)
		}
		list, err := b.deposits.Channels(t.Context(), "DE")
		require.NoError(t, err)
		require.Len(t, list, 1)
	})
	t.Run("AMockAccountNeverGetsOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		o.AccountID = b.account(o.TraderID, ledger.Mock)
		_, err := b.tryRequest(o, 50*usdt)
		require.ErrorIs(t, err, deposit.ErrMock)
		require.Zero(t, b.count(`SELECT count(*) FROM deposits`))
	})
	t.Run("SomebodyElsesAccountLooksLikeAnUnknownOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.owner(1), b.owner(1)
		for _, account := range []int64{other.AccountID, b.account(other.TraderID, ledger.Mock), 424242, 1} {
			o.AccountID = account
			_, err := b.tryRequest(o, 50*usdt)
			require.Equal(t, ledger.ErrAccount, err)
		}
	})
	t.Run("FiveMayBeUndecided", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		var last deposit.Deposit
		for range 5 {
			last = b.request(o, 50*usdt)
		}
		_, err := b.tryRequest(o, 50*usdt)
		require.ErrorIs(t, err, deposit.ErrTooMany)
		_, err = b.tryCancel(o, last.ID)
		require.NoError(t, err)
		last = b.claimed(o, 50*usdt)
		_, err = b.tryRequest(o, 50*usdt)
		require.ErrorIs(t, err, deposit.ErrTooMany)
		_, err = b.approve(last, 50*usdt)
		require.NoError(t, err)
		b.request(o, 50*usdt)
		b.request(b.owner(1), 50*usdt)
	})
}

func TestUnverifiedTotal(t *testing.T) {
	t.Parallel()

	t.Run("EndsAtTwoThousand", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		_, err := b.tryRequest(o, 2_000*usdt+1)
		require.ErrorIs(t, err, deposit.ErrUnverified)
		b.request(o, 1_500*usdt)
		_, err = b.tryRequest(o, 500*usdt+1)
		require.ErrorIs(t, err, deposit.ErrUnverified)
		require.Equal(t, map[string]string{"limit": "2000", "left": "500"}, errs.As(err).Args)
		b.request(o, 500*usdt)
		_, err = b.tryRequest(o, 20*usdt)
		require.ErrorIs(t, err, deposit.ErrUnverified)
		b.request(b.owner(0), 2_000*usdt)
		b.request(b.owner(1), 50_000*usdt)
	})
	t.Run("CountsWhatWasCreditedAndNotWhatCameToNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		_, err := b.approve(b.claimed(o, 800*usdt), 800*usdt)
		require.NoError(t, err)
		_, err = b.tryRequest(o, 1_200*usdt+1)
		require.ErrorIs(t, err, deposit.ErrUnverified)
		b.decline(b.maker, b.claimed(o, 1_200*usdt), false)
		_, err = b.tryCancel(o, b.request(o, 1_200*usdt).ID)
		require.NoError(t, err)
		b.request(o, 1_200*usdt)
		b.expireLate()
		b.request(o, 1_200*usdt)
	})
	t.Run("CountsWhatWasReceivedWhereItDiffers", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		d, err := b.approve(b.claimed(o, 800*usdt), 900*usdt)
		require.NoError(t, err)
		require.Equal(t, deposit.Approved, d.State)
		_, err = b.tryRequest(o, 1_100*usdt+1)
		require.ErrorIs(t, err, deposit.ErrUnverified)
		b.request(o, 1_100*usdt)
	})
	t.Run("HoldsAgainstEightAtOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		var accepted atomic.Int32
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				_, err := b.tryRequest(o, 600*usdt)
				if err == nil {
					accepted.Add(1)
				} else if !errors.Is(err, deposit.ErrUnverified) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 3, accepted.Load())
		require.EqualValues(t, 1_800*usdt, b.count(`SELECT sum(amount) FROM deposits`))
	})
}

func TestPicturesOfADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(1), b.owner(1)
	save := func(o ledger.Owner) error {
		text := fmt.Append(nil, "picture ", b.next())
		_, err := b.deposits.SaveFile(t.Context(), o.TraderID, upload.Picture{Bytes: text, Width: 3, Height: 4, SHA256: sha256.Sum256(text)})
		return err
	}
	for range 25 {
		require.NoError(t, save(o))
	}
	b.clock.Advance(time.Hour)
	require.Equal(t, 5, b.atOnce(func(int) error { return save(o) }, deposit.ErrPictures), "thirty in all, however fast they come")
	require.Equal(t, "30", errs.As(save(o)).Args["limit"])
	require.EqualValues(t, 30, b.count(`SELECT count(*) FROM files WHERE trader_id = $1`, o.TraderID))
	require.NoError(t, save(other), "of somebody else")
	b.clock.Advance(23*time.Hour - time.Millisecond)
	require.ErrorIs(t, save(o), deposit.ErrPictures)
	b.clock.Advance(time.Millisecond)
	for range 25 {
		require.NoError(t, save(o), "a day later")
	}
	require.ErrorIs(t, save(o), deposit.ErrPictures)
}

func TestProve(t *testing.T) {
	t.Parallel()

	t.Run("HandsThePictureIn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		b.clock.Advance(time.Hour)
		d := b.proved(o, 50*usdt)
		require.Equal(t, []any{deposit.ProofSubmitted, 2}, []any{d.State, d.Version})
		require.Equal(t, start.Add(time.Hour), d.ProofAt.UTC())
		require.Equal(t, start.Add(time.Hour+deposit.Target), d.DueAt().UTC())
		require.NotNil(t, d.FileID)
	})
	t.Run("AfterAQuestionTheAnswerHasNoReasonLeft", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.decline(b.maker, b.claimed(o, 50*usdt), true)
		require.Equal(t, "not_received", *d.Reason)
		d, err := b.tryProve(o, d.ID, b.file(o, "another picture").Name)
		require.NoError(t, err)
		require.Nil(t, d.Reason)
		require.Equal(t, b.read(d.ID).Version, d.Version)
	})
	t.Run("SomebodyElsesDepositLooksLikeAnUnknownOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.owner(1), b.owner(1)
		theirs := b.request(other, 50*usdt)
		picture := b.file(o, "picture").Name
		for _, id := range []int64{theirs.ID, 424242, 0, -1} {
			_, err := b.tryProve(o, id, picture)
			require.Equal(t, deposit.ErrUnknown, err)
			_, err = b.tryCancel(o, id)
			require.Equal(t, deposit.ErrUnknown, err)
		}
		require.Equal(t, theirs.State, b.read(theirs.ID).State)
		require.Len(t, b.acts(theirs.ID), 1)
	})
	t.Run("SomebodyElsesPictureLooksLikeAnUnknownOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.owner(1), b.owner(1)
		d := b.request(o, 50*usdt)
		for _, name := range []string{b.file(other, "picture").Name, "", "nothing.jpg", "%", "a\x00b", "\xff", "../../etc/passwd"} {
			_, err := b.tryProve(o, d.ID, name)
			require.Equal(t, deposit.ErrFile, err, "%q", name)
		}
		require.Equal(t, deposit.AwaitingTransfer, b.read(d.ID).State)
	})
	t.Run("OfAProofAndACancellationAtOnceOneCounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.request(o, 50*usdt)
		picture := b.file(o, "picture").Name
		var done atomic.Int32
		var group errgroup.Group
		for n := range 8 {
			group.Go(func() (err error) {
				if n%2 == 0 {
					_, err = b.tryProve(o, d.ID, picture)
				} else {
					_, err = b.tryCancel(o, d.ID)
				}
				if err == nil {
					done.Add(1)
				} else if !errors.Is(err, deposit.ErrState) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, done.Load())
		require.Len(t, b.acts(d.ID), 2)
	})
}

func TestList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1)
	b.request(b.owner(1), 50*usdt)
	var ids []int64
	for n := range 5 {
		ids = append(ids, b.request(o, int64(50+n)*usdt).ID)
	}
	list, next, err := b.deposits.List(t.Context(), o.TraderID, deposit.Filter{Offset: 1, Limit: 2})
	require.NoError(t, err)
	require.Equal(t, []int64{ids[3], ids[2]}, []int64{list[0].ID, list[1].ID})
	require.Len(t, list, 2)
	require.Equal(t, fmt.Sprint("DP-", ids[3]), list[0].Number())
	require.Equal(t, ids[2], next)
	list, next, err = b.deposits.List(t.Context(), o.TraderID, deposit.Filter{Before: next, Limit: 2})
	require.NoError(t, err)
	require.Equal(t, []int64{ids[1], ids[0]}, []int64{list[0].ID, list[1].ID})
	require.Zero(t, next, "that was the last page")
	total, more, err := b.deposits.Count(t.Context(), o.TraderID)
	require.NoError(t, err)
	require.Equal(t, 5, total)
	require.False(t, more)
	list, _, err = b.deposits.List(t.Context(), 424242, deposit.Filter{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestExpire(t *testing.T) {
	t.Parallel()

	t.Run("AfterSeventyTwoHours", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.request(b.owner(1), 50*usdt)
		b.clock.Advance(72 * time.Hour)
		n, err := b.deposits.Expire(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
		b.clock.Advance(time.Millisecond)
		n, err = b.deposits.Expire(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
		require.Equal(t, deposit.Expired, b.read(d.ID).State)
		require.Equal(t, []string{"system", "expiry", "deposit.expire"}, []string{string(b.acts(d.ID)[0].ActorKind), b.acts(d.ID)[0].ActorName, b.acts(d.ID)[0].Action})
		n, err = b.deposits.Expire(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
	})
	t.Run("AQuestionGivesSeventyTwoHoursMore", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.proved(b.owner(1), 50*usdt)
		b.clock.Advance(71 * time.Hour)
		b.decline(b.maker, b.claim(b.maker, d.ID), true)
		b.clock.Advance(72 * time.Hour)
		n, err := b.deposits.Expire(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
		b.clock.Advance(time.Millisecond)
		n, err = b.deposits.Expire(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
	})
	t.Run("EightServersExpireEachOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 12 {
			b.request(b.owner(1), 50*usdt)
		}
		b.clock.Advance(73 * time.Hour)
		var expired atomic.Int64
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				n, err := b.deposits.Expire(t.Context())
				expired.Add(n)
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 12, expired.Load())
		require.EqualValues(t, 12, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'deposit.expire'`))
	})
}

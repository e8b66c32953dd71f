package withdrawal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/withdrawal"
)

// ids are the ids of a list, in its order.
func ids(list []withdrawal.Withdrawal) (out []int64) {
	for _, w := range list {
		out = append(out, w.ID)
	}
	return out
}

func TestQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(2, 10_000*usdt), b.owner(2, 10_000*usdt)
	first := b.in(o, withdrawal.Review)
	b.clock.Advance(time.Hour)
	second := b.in(other, withdrawal.Approved1)
	sent := b.in(o, withdrawal.Sent)
	asked := b.in(other, withdrawal.MoreInfo)
	ended := b.in(o, withdrawal.Rejected)
	b.database.Tamper(t, fmt.Sprintf(`UPDATE withdrawals SET risk = CASE id WHEN %d THEN 70 ELSE 69 END`, second.ID))

	queue := func(q withdrawal.Search) []int64 {
		list, _, err := b.withdrawals.Queue(t.Context(), q, 0, 10)
		require.NoError(t, err)
		return ids(list)
	}
	t.Run("WhatIsUnderWayTheLongestWaitingFirst", func(t *testing.T) {
		require.Equal(t, []int64{first.ID, second.ID, sent.ID, asked.ID}, queue(withdrawal.Search{}))
	})
	t.Run("Narrowed", func(t *testing.T) {
		require.Equal(t, []int64{first.ID, sent.ID}, queue(withdrawal.Search{States: []withdrawal.State{withdrawal.Review, withdrawal.Sent}}))
		require.Equal(t, []int64{second.ID}, queue(withdrawal.Search{Risk: 70}))
		require.Equal(t, []int64{first.ID}, queue(withdrawal.Search{Waiting: time.Minute}))
		require.Equal(t, []int64{first.ID, sent.ID}, queue(withdrawal.Search{TraderID: o.TraderID}))
		require.Empty(t, queue(withdrawal.Search{TraderID: o.TraderID, Risk: 70}))
	})
	t.Run("WhatIsNamedIsFoundWhenItHasEnded", func(t *testing.T) {
		require.Equal(t, []int64{ended.ID}, queue(withdrawal.Search{ID: ended.ID}))
		require.Equal(t, []int64{sent.ID}, queue(withdrawal.Search{Payment: " " + *sent.Payment}))
		require.Empty(t, queue(withdrawal.Search{Payment: "PAY"}), "no part of a reference")
		require.Empty(t, queue(withdrawal.Search{TraderID: o.TraderID, States: []withdrawal.State{withdrawal.Rejected}}))
	})
	t.Run("WhatHasEndedTheLastFirst", func(t *testing.T) {
		b.clock.Advance(time.Hour)
		last := b.in(other, withdrawal.Rejected)
		require.Equal(t, []int64{last.ID, ended.ID}, queue(withdrawal.Search{Ended: true}))
		require.Equal(t, []int64{ended.ID}, queue(withdrawal.Search{Ended: true, TraderID: o.TraderID}))
		require.Equal(t, []int64{last.ID, ended.ID}, queue(withdrawal.Search{Ended: true, States: []withdrawal.State{withdrawal.Rejected}}))
		require.Empty(t, queue(withdrawal.Search{Ended: true, States: []withdrawal.State{withdrawal.Completed}}))
		require.Equal(t, []int64{last.ID}, queue(withdrawal.Search{Ended: true, From: *last.EndedAt}))
		require.Equal(t, []int64{ended.ID}, queue(withdrawal.Search{Ended: true, To: *last.EndedAt}), "the end is not included")
		list, next, err := b.withdrawals.Queue(t.Context(), withdrawal.Search{Ended: true}, 0, 1)
		require.NoError(t, err)
		require.Equal(t, []any{[]int64{last.ID}, last.ID}, []any{ids(list), next})
		list, next, err = b.withdrawals.Queue(t.Context(), withdrawal.Search{Ended: true}, next, 1)
		require.NoError(t, err)
		require.Equal(t, []any{[]int64{ended.ID}, int64(0)}, []any{ids(list), next})
	})
	t.Run("ByDayKindChainAndAddress", func(t *testing.T) {
		require.Equal(t, []int64{first.ID}, queue(withdrawal.Search{To: second.CreatedAt}))
		require.Equal(t, []int64{second.ID, sent.ID, asked.ID}, queue(withdrawal.Search{From: second.CreatedAt}))
		const address = "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW"
		b.database.Tamper(t, fmt.Sprintf(`UPDATE withdrawals SET kind = 'standard', chain = 'tron', address = '%s', iban = '', bank = '', bic = '' WHERE id IN (%d, %d)`, address, second.ID, ended.ID))
		for _, q := range []withdrawal.Search{{Kind: withdrawal.Crypto}, {Chain: "tron"}, {Address: address}, {Address: address, TraderID: other.TraderID}} {
			require.Equal(t, []int64{second.ID}, queue(q), "%v", q)
			if q.Ended = true; q.TraderID != 0 {
				q.TraderID = o.TraderID
			}
			require.Equal(t, []int64{ended.ID}, queue(q), "%v", q)
		}
		require.Equal(t, []int64{first.ID, sent.ID, asked.ID}, queue(withdrawal.Search{Kind: withdrawal.ByBank}))
		for _, q := range []withdrawal.Search{{Kind: withdrawal.ByAgent}, {Chain: "bitcoin"}, {Address: address[:33]}, {Address: address, TraderID: o.TraderID}} {
			require.Empty(t, queue(q), "%v", q)
		}
		b.database.Tamper(t, fmt.Sprintf(`UPDATE withdrawals SET kind = 'bank', chain = '', address = '', iban = 'DE02120300000000202051', bank = 'B', bic = 'BYLADEM1001' WHERE id IN (%d, %d)`, second.ID, ended.ID))
	})
	t.Run("PageByPage", func(t *testing.T) {
		var seen []int64
		after := int64(0)
		for page := range 4 {
			list, next, err := b.withdrawals.Queue(t.Context(), withdrawal.Search{}, after, 1)
			require.NoError(t, err)
			require.Len(t, list, 1)
			require.Equal(t, page == 3, next == 0, "the last page says so")
			after = list[0].ID
			seen = append(seen, after)
		}
		require.Equal(t, []int64{first.ID, second.ID, sent.ID, asked.ID}, seen)
		list, next, err := b.withdrawals.Queue(t.Context(), withdrawal.Search{}, after, 1)
		require.NoError(t, err)
		require.Empty(t, list)
		require.Zero(t, next)
	})
	t.Run("WhatIsHeld", func(t *testing.T) {
		amount, more, err := b.withdrawals.UnderWay(t.Context())
		require.NoError(t, err)
		require.Equal(t, first.Amount+second.Amount+asked.Amount, amount, "what was sent is out")
		require.False(t, more)
	})
	t.Run("WhatIsUnderWayFromOneAccount", func(t *testing.T) {
		for want, of := range map[int64]owner{first.Amount: o, second.Amount + asked.Amount: other} {
			amount, err := b.withdrawals.UnderWayFrom(t.Context(), of.TraderID, of.AccountID)
			require.NoError(t, err)
			require.Equal(t, want, amount, "neither what was sent nor what is back")
		}
		amount, err := b.withdrawals.UnderWayFrom(t.Context(), o.TraderID, other.AccountID)
		require.NoError(t, err)
		require.Zero(t, amount)
	})
	t.Run("Counts", func(t *testing.T) {
		counts, err := b.withdrawals.Counts(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[withdrawal.State]int64{withdrawal.Review: 1, withdrawal.Approved1: 1, withdrawal.Sent: 1, withdrawal.MoreInfo: 1}, counts)
		n, oldest, err := b.withdrawals.CountWaiting(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 2, n, "the trader's turn and the bank's do not count")
		require.Equal(t, start, oldest.UTC())
	})
}

func TestCase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 1_000*usdt)
	earlier := b.in(o, withdrawal.Sent)
	w := b.requested(o, 100*usdt)
	stranger := b.owner(1, 1_000*usdt)
	b.requested(stranger, 100*usdt)

	c, err := b.withdrawals.Case(t.Context(), w.ID)
	require.NoError(t, err)
	require.Equal(t, w.ID, c.ID)
	require.Equal(t, []int64{earlier.ID}, ids(c.Earlier), "of this trader alone")
	require.Equal(t, 1, c.PaidBefore)
	require.Equal(t, start.Add(-25*time.Hour), c.PayeeSaved.UTC())
	require.Equal(t, c.Used.Day-200*usdt, c.Used.DayLeft)
	require.Empty(t, c.Deposits)
	_, err = b.withdrawals.Case(t.Context(), 1)
	require.ErrorIs(t, err, withdrawal.ErrUnknown)
}

func TestReadBack(t *testing.T) {
	t.Parallel()
	w := withdrawal.Withdrawal{IBAN: "GB29NWBK60161331926X"}
	for _, right := range []string{"926X", " 926x "} {
		require.NoError(t, w.ReadBack(right))
	}
	for _, wrong := range []string{"", "926", "X926", "1926X", "９２６X"} {
		require.ErrorIs(t, w.ReadBack(wrong), withdrawal.ErrProof, wrong)
	}
	require.ErrorIs(t, withdrawal.Withdrawal{}.ReadBack(""), withdrawal.ErrProof)
}

func TestOwnersOfATransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(2, 10_000*usdt)
	onBank, onChain := b.in(o, withdrawal.Sent), b.in(o, withdrawal.Sent)
	hash := "0x" + strings.Repeat("ab", 32)
	b.database.Tamper(t, fmt.Sprintf(`UPDATE withdrawals SET payment = '%s' WHERE id = %d`, hash, onChain.ID))
	owners := func(words string, below int64) []int64 {
		ids, err := b.withdrawals.TradersByHash(t.Context(), words, below, 10)
		require.NoError(t, err)
		return ids
	}
	require.Equal(t, []int64{o.TraderID}, owners(" "+strings.ToUpper(hash)+" ", 0), "in whatever letters")
	require.Empty(t, owners(hash, o.TraderID), "below its trader there is nobody")
	require.Empty(t, owners(hash[:65], 0), "no part of a hash")
	require.Empty(t, owners("0x"+strings.Repeat("cd", 32), 0))
	require.Empty(t, owners(*onBank.Payment, 0), "a bank's reference is no transaction")
}

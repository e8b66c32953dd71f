package withdrawal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
)

func TestRequest(t *testing.T) {
	t.Parallel()

	t.Run("TheMoneyLeavesAtOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.set(switches.WithdrawRateKey, "0.5")
		b.set(switches.BankFeeKey, "2")
		o := b.owner(1, 1_000*usdt)
		w := b.requested(o, 100*usdt)
		require.Equal(t, []any{withdrawal.Review, int64(100 * usdt), int64(2_500_000), int64(97_500_000)}, []any{w.State, w.Amount, w.Fee, w.Net()})
		name, err := b.withdrawals.Holder(t.Context(), b.read(w.ID))
		require.NoError(t, err)
		require.Equal(t, []string{holder, "Specimen Bank", "BYLADEM1001"}, []string{name, w.Bank, w.BIC})
		require.Equal(t, trader.MoneyOut{Act: trader.Withdraw, Payee: o.payee, Amount: 100 * usdt}, b.act, "the proof is one for this act")
		require.EqualValues(t, 900*usdt, b.cash(o.AccountID))
		require.EqualValues(t, 100*usdt, b.house("payouts"))
		require.Equal(t, []int64{o.AccountID}, b.changed)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.request' AND target_id = $1`, fmt.Sprint(w.ID)))
		b.requireProved()
	})
	t.Run("LeavesTheMainAccountWhicheverIsInUse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		second, main := o, o.AccountID
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			account, err := ledger.OpenAnotherTx(t.Context(), tx, ledger.Another{TraderID: o.TraderID, Book: ledger.Real, Type: 1}, start)
			second.AccountID = account.ID
			return err
		}))
		b.receive(second.AccountID, 5_000*usdt)
		w := b.requested(second, 100*usdt)
		require.Equal(t, []int64{main, 900 * usdt, 5_000 * usdt}, []int64{w.AccountID, b.cash(main), b.cash(second.AccountID)})
		_, err := b.request(second, 901*usdt)
		require.ErrorIs(t, err, withdrawal.ErrFunds, "what the second has is transferred first")
		quota, err := b.withdrawals.Quota(t.Context(), second.Owner)
		require.NoError(t, err)
		require.Equal(t, main, quota.Account.ID)
		b.requireProved()
	})
	t.Run("TheFeeIsRoundedUp", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.set(switches.WithdrawRateKey, "0.333333")
		w := b.requested(b.owner(1, 1_000*usdt), 100*usdt+1)
		require.EqualValues(t, 340_001, w.Fee, "a bank pays whole cents: the fee takes the rest")
		require.EqualValues(t, 99_660_000, w.Net())
		o := b.owner(1, 1_000*usdt)
		o.onChain, o.payee = true, b.address(o.TraderID, "USDT", "tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")
		require.EqualValues(t, 333_334, b.requested(o, 100*usdt+1).Fee)
	})
	t.Run("OneKeyOneWithdrawal", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		r := b.keyed(o)
		first, err := b.withdrawals.Request(t.Context(), o.Owner, o.kind(), o.payee, 100*usdt, proof, r)
		require.NoError(t, err)
		again, err := b.withdrawals.Request(t.Context(), o.Owner, o.kind(), o.payee, 100*usdt, trader.Proof{}, r)
		require.NoError(t, err, "an answered key asks for no proof")
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		require.Equal(t, 1, b.asked)
		require.EqualValues(t, 900*usdt, b.cash(o.AccountID))
	})
	t.Run("WithoutSavedPayeesThereIsNoWayOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		quota, err := b.withdrawals.Quota(t.Context(), o.Owner)
		require.NoError(t, err)
		require.NotEmpty(t, quota.Kinds)
		b.set(switches.AddressKey, "false")
		quota, err = b.withdrawals.Quota(t.Context(), o.Owner)
		require.NoError(t, err)
		require.Empty(t, quota.Kinds)
		_, err = b.request(o, 100*usdt)
		require.ErrorIs(t, err, payee.ErrOff)
		require.Zero(t, b.asked, "no code is spent on what is off")
		require.EqualValues(t, 1_000*usdt, b.cash(o.AccountID))
		b.set(switches.AddressKey, "true")
		b.requested(o, 100*usdt)
	})
	t.Run("OfEightForEverythingOneIsTaken", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		require.Equal(t, 1, b.atOnce(func(int) error {
			_, err := b.request(o, 1_000*usdt)
			return err
		}, withdrawal.ErrFunds))
		require.Zero(t, b.cash(o.AccountID))
		b.requireProved()
	})
	t.Run("EightWithOneKeyAreOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		r := b.keyed(o)
		require.Equal(t, 8, b.atOnce(func(int) error {
			_, err := b.withdrawals.Request(t.Context(), o.Owner, o.kind(), o.payee, 100*usdt, proof, r)
			return err
		}))
		require.EqualValues(t, 900*usdt, b.cash(o.AccountID))
	})
}

func TestRequestIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rich := b.owner(1, 5_000_000*usdt)
	b.set(switches.WithdrawMaxKey, "20000")
	b.set(switches.BankFeeKey, "10")
	poor, unverified, stranger := b.owner(1, 1_000*usdt), b.owner(0, 1_000*usdt), b.owner(1, 0)
	mock := rich
	mock.AccountID = b.account(rich.TraderID, ledger.Mock, 5)
	cooling := rich
	cooling.payee = b.payee(rich.TraderID, start)
	theirs := rich
	theirs.payee = poor.payee
	address := rich
	address.payee = b.address(rich.TraderID, "USDT", "tron", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW")
	standard := rich
	standard.onChain = true
	bitcoin := standard
	bitcoin.payee = b.address(rich.TraderID, "BTC", "bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
	foreign := rich
	foreign.AccountID = poor.AccountID
	for _, c := range []struct {
		what    string
		by      owner
		amount  int64
		refusal error
	}{
		{"too little", rich, 10*usdt - 1, withdrawal.ErrAmount}, {"too much", rich, 20_000*usdt + 1, withdrawal.ErrAmount}, {"nothing", rich, 0, withdrawal.ErrAmount},
		{"less than nothing", rich, -100 * usdt, withdrawal.ErrAmount}, {"the largest number", rich, 1<<63 - 1, withdrawal.ErrAmount},
		{"the fee", rich, 10 * usdt, withdrawal.ErrFee}, {"more than a day's", rich, 10_000*usdt + 1, withdrawal.ErrDay}, {"more than there is", poor, 1_000*usdt + 1, withdrawal.ErrFunds},
		{"from nothing", stranger, 100 * usdt, withdrawal.ErrFunds}, {"unverified", unverified, 100 * usdt, withdrawal.ErrUnverified}, {"mock money", mock, 100 * usdt, withdrawal.ErrMock},
		{"to what cools", cooling, 100 * usdt, payee.ErrCooling}, {"to somebody else's", theirs, 100 * usdt, payee.ErrUnknown}, {"to an address as if it were a bank", address, 100 * usdt, payee.ErrUnknown},
		{"to a bank as if it were an address", standard, 100 * usdt, payee.ErrUnknown}, {"of another coin", bitcoin, 100 * usdt, withdrawal.ErrCoin},
		{"from somebody else's", foreign, 100 * usdt, ledger.ErrAccount},
	} {
		_, err := b.request(c.by, c.amount)
		require.ErrorIs(t, err, c.refusal, c.what)
	}
	require.Zero(t, b.asked, "nobody was asked for a proof in vain")
	_, err := b.withdrawals.Request(t.Context(), rich.Owner, rich.kind(), rich.payee, 100*usdt, trader.Proof{PaymentPassword: "111111"}, b.keyed(rich))
	require.ErrorIs(t, err, errProof)
	b.until = start.Add(time.Hour)
	_, err = b.request(rich, 100*usdt)
	require.ErrorIs(t, err, withdrawal.ErrLocked)
	require.Equal(t, "1", errs.As(err).Args["hours"])
	b.until = start
	b.needed = 950 * usdt
	_, err = b.request(poor, 50*usdt+1)
	require.ErrorIs(t, err, withdrawal.ErrFunds, "positions need the rest")
	require.Zero(t, b.count(`SELECT count(*) FROM withdrawals`))
	require.Zero(t, b.house("payouts"))
	_, err = b.request(poor, 50*usdt)
	require.NoError(t, err)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(switches.WithdrawDayKey(1), "1000")
	b.set(switches.WithdrawMonthKey(1), "1500")
	o := b.owner(1, 10_000*usdt)
	first := b.requested(o, 600*usdt)
	_, err := b.request(o, 400*usdt+1)
	require.ErrorIs(t, err, withdrawal.ErrDay)
	require.Equal(t, "400", errs.As(err).Args["left"])
	_, err = valueOf(b.withdrawals.Cancel(t.Context(), o.Owner, first.ID, b.keyed(o)))
	require.NoError(t, err)
	b.requested(o, 1_000*usdt) // a refunded withdrawal does not count
	b.clock.Advance(24*time.Hour - time.Minute)
	_, err = b.request(o, 500*usdt)
	require.ErrorIs(t, err, withdrawal.ErrDay)
	b.clock.Advance(2 * time.Minute)
	_, err = b.request(o, 500*usdt+1)
	require.ErrorIs(t, err, withdrawal.ErrMonth)
	b.requested(o, 500*usdt)
	quota, err := b.withdrawals.Quota(t.Context(), o.Owner)
	require.NoError(t, err)
	require.Equal(t, withdrawal.Limits{
		Least: 10 * usdt, Most: 1_000_000 * usdt, Day: 1_000 * usdt, DayLeft: 500 * usdt, Month: 1_500 * usdt, MonthLeft: 0,
	}, quota.Limits)
	require.Equal(t, []any{int64(8_500 * usdt), true, true}, []any{quota.Free, quota.Verified, quota.LockedUntil.IsZero()})
	require.NoError(t, err)

	many := b.owner(2, 10_000*usdt)
	for range 5 {
		b.requested(many, 100*usdt)
	}
	_, err = b.request(many, 100*usdt)
	require.ErrorIs(t, err, withdrawal.ErrTooMany)
}

func TestCancelAndReply(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(1, 1_000*usdt), b.owner(1, 0)
	w := b.in(o, withdrawal.Approved1)
	_, err := valueOf(b.withdrawals.Cancel(t.Context(), other.Owner, w.ID, b.keyed(other)))
	require.ErrorIs(t, err, withdrawal.ErrUnknown)
	require.Equal(t, 1, b.atOnce(func(int) error {
		_, err := b.withdrawals.Cancel(t.Context(), o.Owner, w.ID, b.keyed(o))
		return err
	}, withdrawal.ErrState))
	require.EqualValues(t, 1_000*usdt, b.cash(o.AccountID))
	b.requireProved()

	asked := b.in(o, withdrawal.MoreInfo)
	_, err = valueOf(b.withdrawals.Reply(t.Context(), other.Owner, asked.ID, "x", b.keyed(other)))
	require.ErrorIs(t, err, withdrawal.ErrUnknown)
	_, err = valueOf(b.withdrawals.Reply(t.Context(), o.Owner, asked.ID, "", b.keyed(o)))
	require.ErrorContains(t, err, "answer:")
	answered, err := valueOf(b.withdrawals.Reply(t.Context(), o.Owner, asked.ID, "From my salary.", b.keyed(o)))
	require.NoError(t, err)
	require.Equal(t, []any{withdrawal.Review, "From my salary."}, []any{answered.State, answered.Answer})
	_, err = valueOf(b.withdrawals.Reply(t.Context(), o.Owner, asked.ID, "Again.", b.keyed(o)))
	require.ErrorIs(t, err, withdrawal.ErrState)
}

func TestRisk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 10_000*usdt)
	w := b.requested(o, 9_000*usdt)
	require.Equal(t, []any{95, "first,new_payee,no_deals,most_of_it,near_limit"}, []any{w.Risk, w.RiskReasons})
	old := b.owner(2, 10_000*usdt)
	old.payee = b.payee(old.TraderID, start.Add(-10*24*time.Hour))
	b.in(old, withdrawal.Sent)
	w = b.requested(old, 100*usdt)
	require.Equal(t, []any{20, "no_deals"}, []any{w.Risk, w.RiskReasons})

	lock := `INSERT INTO withdrawal_locks (trader_id, reason, from_at, until_at) VALUES ($1, 'new_device', $2::timestamptz - interval '1 day', $2)`
	b.exec(lock, old.TraderID, start.Add(-7*24*time.Hour))
	w = b.requested(old, 100*usdt)
	require.Equal(t, []any{20, "no_deals"}, []any{w.Risk, w.RiskReasons}, "a week ago")
	b.exec(lock, old.TraderID, start.Add(-7*24*time.Hour+time.Second))
	w = b.requested(old, 100*usdt)
	require.Equal(t, []any{40, "lately_held,no_deals"}, []any{w.Risk, w.RiskReasons})
	b.traded = true
	w = b.requested(old, 100*usdt)
	require.Equal(t, []any{20, "lately_held"}, []any{w.Risk, w.RiskReasons})
}

// TestStandard sends to an address: no bank fee, a normalized transaction hash, and no return.
func TestStandard(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(switches.BankFeeKey, "5")
	b.set(switches.WithdrawRateKey, "1")
	o := b.owner(1, 1_000*usdt)
	o.onChain, o.payee = true, b.address(o.TraderID, "USDT", "ethereum", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
	w := b.in(o, withdrawal.Processing)
	require.Equal(t, []any{withdrawal.Crypto, "ethereum", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "", int64(usdt)}, []any{w.Kind, w.Chain, w.Address, w.IBAN, w.Fee})
	hash := "0x" + strings.Repeat("aB", 32)
	for _, wrong := range []string{"", "PAY 1", strings.Repeat("ab", 32), hash + "0", hash[:65], "0x" + strings.Repeat("zz", 32)} {
		_, err := b.withdrawals.Finish(t.Context(), b.maker, w.ID, w.Version, wrong, true)
		require.ErrorContains(t, err, "payment:", wrong)
	}
	w, err := b.withdrawals.Finish(t.Context(), b.maker, w.ID, w.Version, " "+hash, true)
	require.NoError(t, err)
	require.Equal(t, strings.ToLower(hash), *w.Payment)
	_, err = b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
		return b.withdrawals.RecordReturn(t.Context(), b.maker, w.ID, w.Version, "account_closed", "")
	})
	require.ErrorIs(t, err, withdrawal.ErrReturn)
	b.clock.Advance(24*time.Hour + time.Second)
	n, err := b.withdrawals.Complete(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	b.requireProved()
}

// TestMoneyGoesToOnesOwnAccountOnly refuses a bank account in another holder's name.
func TestMoneyGoesToOnesOwnAccountOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 1_000*usdt)
	b.stranger = holder
	_, err := b.request(o, 100*usdt)
	require.ErrorIs(t, err, withdrawal.ErrHolder)
	require.EqualValues(t, 1_000*usdt, b.cash(o.AccountID))
	b.stranger = ""
	_, err = b.request(o, 100*usdt)
	require.NoError(t, err)
}

// TestNothingIsAskedForWhileNobodyCanApprove requires two active members of staff, one for each approval.
func TestNothingIsAskedForWhileNobodyCanApprove(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 1_000*usdt)
	for name, sql := range map[string][2]string{
		"TheCheckerIsGone": {`UPDATE staff SET state = 'disabled' WHERE id = $1`, `UPDATE staff SET state = 'active' WHERE id = $1`},
		"OneHasBothRoles": {`UPDATE staff_roles SET staff_id = (SELECT staff_id FROM staff_roles WHERE role = 'finance_maker') WHERE staff_id = $1`,
			`UPDATE staff_roles SET staff_id = $1 WHERE role = 'finance_checker'`},
	} {
		b.exec(sql[0], b.checker.ID)
		_, err := b.request(o, 100*usdt)
		require.ErrorIs(t, err, withdrawal.ErrUnstaffed, name)
		quota, err := b.withdrawals.Quota(t.Context(), o.Owner)
		require.NoError(t, err)
		require.Empty(t, quota.Kinds, name)
		b.exec(sql[1], b.checker.ID)
	}
	_, err := b.request(o, 100*usdt)
	require.NoError(t, err)
	quota, err := b.withdrawals.Quota(t.Context(), o.Owner)
	require.NoError(t, err)
	require.NotEmpty(t, quota.Kinds)
}

func TestHasOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(1, 1_000*usdt), b.owner(1, 1_000*usdt)
	has := func(o owner) bool {
		found, err := withdrawal.HasOpen(t.Context(), b.db.Pool, o.TraderID)
		require.NoError(t, err)
		return found
	}
	require.False(t, has(o))
	w := b.requested(o, 100*usdt)
	require.True(t, has(o))
	require.False(t, has(other))
	for id, want := range map[int64]bool{o.TraderID: true, other.TraderID: false} {
		own, err := b.withdrawals.Owns(t.Context(), id, w.ID)
		require.NoError(t, err)
		require.Equal(t, want, own)
	}
	_, err := b.withdrawals.Cancel(t.Context(), o.Owner, w.ID, b.keyed(o))
	require.NoError(t, err)
	require.False(t, has(o))
}

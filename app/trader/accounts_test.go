package trader_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
)

const thousand = 1_000 * money.Unit

// switchTo switches a token's session to an account of a type.
func (b *bundle) switchTo(token string, accountType int, target *int64) (trader.Opened, error) {
	b.Helper()
	p := b.principal(token)
	return b.traders.Switch(b.Context(), p, trader.Destination{Type: accountType, Target: target}, audit.Actor{IP: ip, TraceID: "trace-0004"})
}

// mock opens the mock account.
func (b *bundle) mock(token string) trader.Opened {
	b.Helper()
	opened, err := b.switchTo(token, trader.MockType, nil)
	require.NoError(b, err)
	return opened
}

// position inserts an open position, as the engine would store it.
func (b *bundle) position(accountID int64) {
	b.Helper()
	b.exec(`
		INSERT INTO products (id, symbol, name, class, base, quote, point, contract_size, margin_model, calendar, sort)
		VALUES (1, 'BTCUSD', 'Bitcoin', 'crypto', 'BTC', 'USD', 2, 1, 'cfd', 'crypto', 1),
		       (2, 'ETHUSD', 'Ether', 'crypto', 'ETH', 'USD', 2, 1, 'cfd', 'crypto', 2) ON CONFLICT DO NOTHING`)
	b.exec(`
		INSERT INTO positions (account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, state, opened_at, rolled_day, opened_by)
		VALUES ($1, 1, 'buy', 1, 1, 1, 1, 20, 1, 'open', now(), now(), 'market')`, accountID)
}

func TestSwitchAccount(t *testing.T) {
	t.Parallel()

	t.Run("TheMockAccountOpensOnceWithTenThousand", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		real := b.register(anna)
		mock := b.mock(real.Token)
		require.Equal(t, []any{ledger.Mock, trader.MockType, int64(10 * thousand)}, []any{mock.Account.Book, mock.Account.Type, mock.Account.Cash})
		require.Equal(t, mock.Account.Cash, b.account(mock.Account.ID).Cash)
		require.Equal(t, mock.Account.ID, b.principal(mock.Token).AccountID)
		b.requireDead(real.Token)
		again := b.mock(mock.Token)
		require.Equal(t, mock.Account.ID, again.Account.ID)
		require.EqualValues(t, 10*thousand, again.Account.Cash)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM ledger_transactions`))
		require.Equal(t, []int64{mock.Account.ID}, b.changed)
		require.Equal(t, []string{"trader.register", "account.switch", "account.switch"}, b.acts())
	})
	t.Run("EightSessionsAtOnceGetTenThousandInAll", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		registered := b.register(anna)
		sessions := make([]session.Principal, 8)
		for n := range sessions {
			opened, err := b.login(anna, password, "", device(1))
			require.NoError(t, err)
			sessions[n] = b.principal(opened.Token)
		}
		var group errgroup.Group
		for _, p := range sessions {
			group.Go(func() error {
				_, err := b.traders.Switch(t.Context(), p, trader.Destination{Type: trader.MockType}, audit.Actor{IP: ip})
				return err
			})
		}
		require.NoError(t, group.Wait())
		accounts, err := b.traders.Accounts(t.Context(), registered.Trader.ID)
		require.NoError(t, err)
		require.Len(t, accounts, 2)
		require.EqualValues(t, 10*thousand, accounts[1].Cash)
	})
	t.Run("OneSessionSwitchesOnceAtOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		var switched atomic.Int32
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				_, err := b.traders.Switch(t.Context(), p, trader.Destination{Type: trader.MockType}, audit.Actor{IP: ip})
				if err == nil {
					switched.Add(1)
				} else if !errors.Is(err, session.ErrToken) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, switched.Load())
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM trader_sessions WHERE ended_at IS NULL`))
		require.Equal(t, []string{"trader.register", "account.switch"}, b.acts())
	})
	t.Run("BackToTheRealAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		real := b.register(anna)
		mock := b.mock(real.Token)
		back, err := b.switchTo(mock.Token, trader.Ordinary, nil)
		require.NoError(t, err)
		require.Equal(t, real.Account.ID, back.Account.ID)
		require.Zero(t, back.Account.Worth())
		b.requireDead(mock.Token)
	})
	t.Run("ATargetIsNoWayToFillTheRealAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		real := b.register(anna)
		for _, accountType := range []int{trader.Ordinary, 2, 4, 0, -1, 99} {
			target := int64(thousand)
			opened, err := b.switchTo(real.Token, accountType, &target)
			require.NoError(t, err)
			require.Equal(t, real.Account.ID, opened.Account.ID, "type %d", accountType)
			real.Token = opened.Token
		}
		require.Zero(t, b.account(real.Account.ID).Worth())
		require.Zero(t, b.count(`SELECT count(*) FROM postings`))
	})
	t.Run("WhileTheSwitchIsOffThereIsNoMockAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		real := b.register(anna)
		b.set(switches.DemoKey, "false")
		_, err := b.switchTo(real.Token, trader.MockType, nil)
		require.ErrorIs(t, err, trader.ErrDemoOff)
		b.principal(real.Token)
		_, err = b.switchTo(real.Token, trader.Ordinary, nil)
		require.NoError(t, err)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM accounts WHERE kind <> 'house'`))
	})
}

func TestTopUp(t *testing.T) {
	t.Parallel()
	topUp := func(b *bundle, token *string, target int64) (ledger.Account, error) {
		b.Helper()
		opened, err := b.switchTo(*token, trader.MockType, &target)
		if err == nil {
			*token = opened.Token
		}
		return opened.Account, err
	}

	t.Run("BringsTheBalanceToTheTarget", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.mock(b.register(anna).Token).Token
		for _, step := range []struct{ target, want int64 }{{50 * thousand, 50 * thousand}, {50 * thousand, 50 * thousand}, {thousand, 50 * thousand}, {100 * thousand, 100 * thousand}} {
			account, err := topUp(b, &token, step.target)
			require.NoError(t, err)
			require.Equal(t, step.want, account.Cash)
			require.Equal(t, step.want, b.account(account.ID).Cash)
		}
		require.EqualValues(t, 3, b.count(`SELECT count(*) FROM ledger_transactions`))
	})
	t.Run("PaysWhatTheMockAccountOwes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		mock := b.mock(b.register(anna).Token)
		b.loseAll(mock.Account, 500)
		require.EqualValues(t, -500, b.account(mock.Account.ID).Deficit)
		account, err := topUp(b, &mock.Token, thousand)
		require.NoError(t, err)
		require.Equal(t, []int64{thousand, 0}, []int64{account.Cash, account.Deficit})
	})
	t.Run("AsAFirstOpeningReplacesTheTenThousand", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.register(anna).Token
		account, err := topUp(b, &token, 2*thousand)
		require.NoError(t, err)
		require.EqualValues(t, 2*thousand, account.Cash)
		require.EqualValues(t, 2*thousand, b.mock(token).Account.Cash)
	})
	t.Run("IsBounded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.mock(b.register(anna).Token).Token
		for _, target := range []int64{0, -1, -1 << 63, 100*thousand + 1, 1<<63 - 1} {
			_, err := topUp(b, &token, target)
			require.ErrorIs(t, err, trader.ErrTopUp, "%d", target)
			require.Equal(t, "100000", errs.As(err).Args["limit"])
		}
		account, err := topUp(b, &token, 100*thousand)
		require.NoError(t, err)
		require.EqualValues(t, 100*thousand, account.Cash)
	})
	t.Run("ALowLimitLowersTheFirstBalance", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.set(switches.MockTopUpKey, "5000")
		opened := b.mock(b.register(anna).Token)
		require.EqualValues(t, 5*thousand, opened.Account.Cash)
		_, err := topUp(b, &opened.Token, 5*thousand+1)
		require.ErrorIs(t, err, trader.ErrTopUp)
	})
	t.Run("IsRefusedWhileAPositionIsOpen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.mock(b.register(anna).Token)
		b.position(opened.Account.ID)
		_, err := topUp(b, &opened.Token, 50*thousand)
		require.ErrorIs(t, err, trader.ErrTopUpOpen)
		require.EqualValues(t, 10*thousand, b.account(opened.Account.ID).Cash)
		again, err := b.switchTo(opened.Token, trader.MockType, nil)
		require.NoError(t, err, "going there is no top-up")
		b.test.Tamper(t, `UPDATE positions SET state = 'closed', lots = 0, closed_at = now()`)
		_, err = topUp(b, &again.Token, 50*thousand)
		require.NoError(t, err)
	})
	t.Run("AnOpenRealPositionDoesNotMatter", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		real := b.register(anna)
		b.position(real.Account.ID)
		_, err := topUp(b, &real.Token, 50*thousand)
		require.NoError(t, err)
	})
	t.Run("LeavesAllRealMoneyAsItWas", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		real := b.register(anna)
		before := b.account(real.Account.ID)
		token := b.mock(real.Token).Token
		_, err := topUp(b, &token, 70*thousand)
		require.NoError(t, err)
		require.Equal(t, before, b.account(real.Account.ID))
		require.Zero(t, b.count(`SELECT count(*) FROM postings WHERE book = 'real'`))
		require.EqualValues(t, -70*thousand, b.count(`SELECT sum(amount) FROM postings WHERE bucket = 'house' AND account_id = 11`))
	})
}

// loseAll books a loss of all cash plus an amount beyond it.
func (b *bundle) loseAll(a ledger.Account, beyond int64) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error {
		_, err := ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "deal", Key: "deal", Cause: "test", Book: a.Book, At: start, Entries: a.Result(-a.Cash-beyond, 0)})
		return err
	}))
}

func TestFavourites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	opened := b.register(anna)
	other := b.register("other@example.com")
	b.position(opened.Account.ID) // for its products
	for _, step := range []struct{ set, want []int }{
		{[]int{2, 1}, []int{2, 1}}, {[]int{1, 2, 1, 1}, []int{1, 2}}, {nil, nil}, {[]int{1}, []int{1}},
	} {
		list, err := b.traders.SetFavourites(t.Context(), opened.Trader.ID, step.set)
		require.NoError(t, err)
		require.ElementsMatch(t, step.want, list)
		require.Equal(t, len(step.want), len(list))
		for i := range step.want {
			require.Equal(t, step.want[i], list[i], "in their order")
		}
	}
	list, err := b.traders.Favourites(t.Context(), other.Trader.ID)
	require.NoError(t, err)
	require.Empty(t, list)
}

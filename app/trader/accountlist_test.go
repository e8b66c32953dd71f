package trader_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

// openAnother opens another account with a key of its own.
func (b *bundle) openAnother(p session.Principal, wanted trader.AccountRequest, key string) (ledger.Account, error) {
	r := idempotency.Request{TraderID: p.TraderID, Call: "open", Key: key, At: start}
	result, err := b.traders.OpenAnother(b.Context(), p, wanted, audit.Actor{IP: ip, TraceID: "trace-0005"}, r)
	return result.Value, err
}

func (b *bundle) rename(p session.Principal, accountID int64, name string) (ledger.Account, error) {
	return b.traders.RenameAccount(b.Context(), p, accountID, name, audit.Actor{IP: ip, TraceID: "trace-0005"})
}

func (b *bundle) setCeiling(p session.Principal, accountID int64, ceiling int) (ledger.Account, error) {
	return b.traders.SetLeverageCeiling(b.Context(), p, accountID, ceiling, audit.Actor{IP: ip, TraceID: "trace-0005"})
}

// lastFacts are what the newest entry of the audit log says about an act.
func (b *bundle) lastFacts() (before, after string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT coalesce(before, ''), coalesce(after, '') FROM audit_entries ORDER BY id DESC LIMIT 1`).Scan(&before, &after))
	return before, after
}

func TestOpenAnotherAccount(t *testing.T) {
	t.Parallel()

	t.Run("ARealOneWithItsRules", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		second, err := b.openAnother(p, trader.AccountRequest{Name: "  Swing   trades ", LeverageCeiling: 50, Netting: true}, "1")
		require.NoError(t, err)
		require.Equal(t, []any{2, ledger.Real, 1, "Swing trades", 50, true, int64(0)}, []any{second.Number, second.Book, second.Type, second.Name, second.LeverageCeiling, second.Netting, second.Worth()})
		require.Equal(t, second.ID, b.account(second.ID).ID)
		require.Equal(t, []string{"trader.register", "account.open"}, b.acts())
		_, after := b.lastFacts()
		require.JSONEq(t, `{"book": "real", "number": 2, "leverage": 50, "netting": true}`, after, "without the name, which can be erased")
	})
	t.Run("OneKeyOpensOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		first, err := b.openAnother(p, trader.AccountRequest{}, "1")
		require.NoError(t, err)
		again, err := b.openAnother(p, trader.AccountRequest{}, "1")
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		require.EqualValues(t, 2, b.count(`SELECT count(*) FROM accounts WHERE kind = 'contract'`))
	})
	t.Run("ADemoOneHasTheOpeningBalanceAndComesAfterTheMainOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		second, err := b.openAnother(p, trader.AccountRequest{Mock: true}, "1")
		require.NoError(t, err)
		require.Equal(t, []any{2, ledger.Mock, trader.MockType, int64(10 * thousand)}, []any{second.Number, second.Book, second.Type, second.Cash})
		require.EqualValues(t, 10*thousand, b.account(second.ID).Cash, "as it is stored")
		accounts, err := b.traders.Accounts(t.Context(), p.TraderID)
		require.NoError(t, err)
		require.Len(t, accounts, 3)
		require.Equal(t, []any{1, int64(10 * thousand)}, []any{accounts[1].Number, accounts[1].Cash}, "the main demo account")
	})
	t.Run("NoDemoOneWhileTheSwitchIsOff", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		b.set(switches.DemoKey, "false")
		_, err := b.openAnother(p, trader.AccountRequest{Mock: true}, "1")
		require.ErrorIs(t, err, trader.ErrDemoOff)
		_, err = b.openAnother(p, trader.AccountRequest{}, "2")
		require.NoError(t, err, "a real one is")
	})
	t.Run("NotForGuests", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		p := b.principal(guest.Token)
		_, err := b.openAnother(p, trader.AccountRequest{Mock: true}, "1")
		require.ErrorIs(t, err, trader.ErrGuest)
		_, err = b.rename(p, guest.Account.ID, "Mine")
		require.ErrorIs(t, err, trader.ErrGuest)
		_, err = b.setCeiling(p, guest.Account.ID, 10)
		require.ErrorIs(t, err, trader.ErrGuest)
	})
	t.Run("NotForTheRestricted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		b.restrict(p.TraderID, trader.RestrictLogin, 0)
		_, err := b.openAnother(p, trader.AccountRequest{}, "1")
		require.ErrorIs(t, err, trader.ErrLoginRestricted)
	})
	t.Run("TenNotEleven", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		p := b.principal(opened.Token)
		for n := range 9 {
			_, err := b.openAnother(p, trader.AccountRequest{}, fmt.Sprint(n))
			require.NoError(t, err)
		}
		_, err := b.openAnother(p, trader.AccountRequest{}, "eleven")
		require.ErrorIs(t, err, trader.ErrAccounts)
		require.Equal(t, "10", errs.As(err).Args["limit"])
		_, err = b.switchTo(opened.Token, trader.MockType, nil)
		require.ErrorIs(t, err, trader.ErrAccounts, "a first demo account would be the eleventh, too")
		_, err = b.switchTo(opened.Token, trader.Ordinary, nil)
		require.NoError(t, err)
	})
	t.Run("BothBooksTogether", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		for n := range 8 { // with the two main accounts they are ten
			_, err := b.openAnother(p, trader.AccountRequest{Mock: true}, fmt.Sprint(n))
			require.NoError(t, err)
		}
		for _, mock := range []bool{true, false} {
			_, err := b.openAnother(p, trader.AccountRequest{Mock: mock}, fmt.Sprint(mock))
			require.ErrorIs(t, err, trader.ErrAccounts)
		}
		require.EqualValues(t, 10, b.count(`SELECT count(*) FROM accounts WHERE kind = 'contract'`))
	})
	t.Run("TheMainDemoAccountTakesAPlaceToo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		for n := range 8 {
			_, err := b.openAnother(p, trader.AccountRequest{}, fmt.Sprint(n))
			require.NoError(t, err)
		}
		_, err := b.openAnother(p, trader.AccountRequest{Mock: true}, "demo")
		require.ErrorIs(t, err, trader.ErrAccounts, "it and the main one are two")
		require.EqualValues(t, 9, b.count(`SELECT count(*) FROM accounts WHERE kind = 'contract'`), "and neither is opened")
	})
	t.Run("TwelveAtOnceMakeTen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		var worked atomic.Int32
		var group errgroup.Group
		for n := range 12 {
			group.Go(func() error {
				_, err := b.openAnother(p, trader.AccountRequest{Mock: n%2 == 0}, fmt.Sprint(n))
				if err == nil {
					worked.Add(1)
				} else if !errors.Is(err, trader.ErrAccounts) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 8, worked.Load())
		require.EqualValues(t, 10, b.count(`SELECT count(*) FROM accounts WHERE kind = 'contract'`))
		require.EqualValues(t, 10, b.count(`SELECT count(DISTINCT (book, number)) FROM accounts WHERE kind = 'contract'`))
	})
}

func TestAccountNames(t *testing.T) {
	t.Parallel()

	t.Run("OneNameOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened, other := b.register(anna), b.register("other@example.com")
		p := b.principal(opened.Token)
		second, err := b.openAnother(p, trader.AccountRequest{Name: "Scalping"}, "1")
		require.NoError(t, err)
		_, err = b.openAnother(p, trader.AccountRequest{Name: "sCALPING"}, "2")
		requireField(t, "name", "field.taken", err)
		_, err = b.rename(p, opened.Account.ID, "SCALPING")
		requireField(t, "name", "field.taken", err)
		again, err := b.rename(p, second.ID, "scalping")
		require.NoError(t, err, "its own is free to it")
		require.Equal(t, "scalping", again.Name)
		_, err = b.rename(b.principal(other.Token), other.Account.ID, "Scalping")
		require.NoError(t, err, "and to another trader")
		for _, id := range []int64{second.ID, opened.Account.ID} {
			_, err = b.rename(p, id, "")
			require.NoError(t, err, "several may have none")
		}
	})
	t.Run("NoneIsTheWordForAKindOfAccount", func(t *testing.T) {
		t.Parallel()
		texts, err := i18n.Load(locales.Customer())
		require.NoError(t, err)
		b := setup(t)
		opened := b.register(anna)
		b.config.Texts = texts
		b.traders = trader.New(b.config)
		p := b.principal(opened.Token)
		for _, name := range []string{"Demo account", "demo  ACCOUNT 2", "Real account", "Demo", "模拟账户", "模拟", "真实账户 3", "حساب تجريبي", "Ｄｅｍｏ account", "Demo\u200d account", "Demo account ٢"} {
			_, err := b.rename(p, opened.Account.ID, name)
			requireField(t, "name", "field.taken", err)
			_, err = b.openAnother(p, trader.AccountRequest{Name: name}, "kind"+name)
			requireField(t, "name", "field.taken", err)
		}
		for _, name := range []string{"Demo accounts of mine", "2026", "My demo account"} {
			_, err := b.rename(p, opened.Account.ID, name)
			require.NoError(t, err, name)
		}
	})
	t.Run("IsRecordedWithoutTheName", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		p := b.principal(opened.Token)
		renamed, err := b.rename(p, opened.Account.ID, "Swing")
		require.NoError(t, err)
		require.Equal(t, "Swing", renamed.Name)
		_, after := b.lastFacts()
		require.JSONEq(t, `{"named": true}`, after)
		_, err = b.rename(p, opened.Account.ID, " Swing ")
		require.NoError(t, err)
		require.Equal(t, []string{"trader.register", "account.rename"}, b.acts(), "what is so already changes nothing")
	})
	t.Run("IsVisibleText", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		p := b.principal(opened.Token)
		for name, reason := range map[string]string{
			strings.Repeat("ж", 31): "field.length", "\xff": "field.length", "a\x00b": "field.length", "a\u202eb": "field.type", "a\x07b": "field.type", "\u200d": "field.type", "\u0301": "field.type", "\u3164": "field.type", "\u2800\u2800": "field.type",
		} {
			_, err := b.rename(p, opened.Account.ID, name)
			requireField(t, "name", reason, err)
			_, err = b.openAnother(p, trader.AccountRequest{Name: name}, "1")
			requireField(t, "name", reason, err)
		}
		for _, name := range []string{strings.Repeat("ж", 30), "حساب\u200cها", "日内交易", "<b>&amp;"} {
			account, err := b.rename(p, opened.Account.ID, name)
			require.NoError(t, err)
			require.Equal(t, name, b.account(account.ID).Name)
		}
	})
	t.Run("NotOfOthersAccounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened, other := b.register(anna), b.register("other@example.com")
		p := b.principal(opened.Token)
		for _, id := range []int64{other.Account.ID, 0, -1, 1, 1 << 60} {
			_, err := b.rename(p, id, "Mine")
			require.ErrorIs(t, err, ledger.ErrAccount)
			_, err = b.setCeiling(p, id, 10)
			require.ErrorIs(t, err, ledger.ErrAccount)
		}
		require.Equal(t, other.Account, b.account(other.Account.ID))
	})
}

func TestLeverageCeiling(t *testing.T) {
	t.Parallel()
	b := setup(t)
	opened := b.register(anna)
	p := b.principal(opened.Token)
	changed, err := b.setCeiling(p, opened.Account.ID, 20)
	require.NoError(t, err)
	require.Equal(t, []any{20, []int64{opened.Account.ID}}, []any{changed.LeverageCeiling, b.changed}, "the engine hears of it")
	require.EqualValues(t, opened.Account.Version+1, b.account(opened.Account.ID).Version)
	before, after := b.lastFacts()
	require.JSONEq(t, `{"leverage": 0}`, before)
	require.JSONEq(t, `{"leverage": 20}`, after)
	_, err = b.setCeiling(p, opened.Account.ID, 20)
	require.NoError(t, err)
	require.Equal(t, []string{"trader.register", "account.leverage"}, b.acts(), "what is so already changes nothing")
	_, err = b.setCeiling(p, opened.Account.ID, 0)
	require.NoError(t, err)
	require.Zero(t, b.account(opened.Account.ID).LeverageCeiling)
	for _, wrong := range []int{-1, 1_001} {
		_, err = b.setCeiling(p, opened.Account.ID, wrong)
		requireField(t, "leverageCeiling", "field.range", err)
		_, err = b.openAnother(p, trader.AccountRequest{LeverageCeiling: wrong}, "1")
		requireField(t, "leverageCeiling", "field.range", err)
	}
}

func TestSwitchToAChosenAccount(t *testing.T) {
	t.Parallel()
	to := func(b *bundle, token string, d trader.Destination) (trader.Opened, error) {
		return b.traders.Switch(b.Context(), b.principal(token), d, audit.Actor{IP: ip, TraceID: "trace-0005"})
	}

	t.Run("TheIdWins", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		second, err := b.openAnother(b.principal(opened.Token), trader.AccountRequest{}, "1")
		require.NoError(t, err)
		there, err := to(b, opened.Token, trader.Destination{AccountID: second.ID, Type: trader.MockType})
		require.NoError(t, err)
		require.Equal(t, []int64{second.ID, second.ID}, []int64{there.Account.ID, b.principal(there.Token).AccountID})
		b.requireDead(opened.Token)
		back, err := to(b, there.Token, trader.Destination{Type: trader.Ordinary})
		require.NoError(t, err)
		require.Equal(t, opened.Account.ID, back.Account.ID, "the type alone means the main account")
	})
	t.Run("NotToAnothers", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened, other := b.register(anna), b.register("other@example.com")
		for _, id := range []int64{other.Account.ID, 1, -1} {
			_, err := to(b, opened.Token, trader.Destination{AccountID: id, Type: trader.Ordinary})
			require.ErrorIs(t, err, ledger.ErrAccount)
		}
		b.principal(opened.Token)
	})
	t.Run("TopsUpTheChosenDemoAccountAlone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		second, err := b.openAnother(b.principal(opened.Token), trader.AccountRequest{Mock: true}, "1")
		require.NoError(t, err)
		target := int64(20 * thousand)
		there, err := to(b, opened.Token, trader.Destination{AccountID: second.ID, Target: &target})
		require.NoError(t, err)
		require.Equal(t, target, there.Account.Cash)
		accounts, err := b.traders.Accounts(t.Context(), opened.Trader.ID)
		require.NoError(t, err)
		require.Equal(t, []int64{0, 10 * thousand, target}, []int64{accounts[0].Cash, accounts[1].Cash, accounts[2].Cash})
		_, err = to(b, there.Token, trader.Destination{AccountID: opened.Account.ID, Target: &target})
		requireField(t, "initAmount", "field.unknown", err)
	})
	t.Run("NotToADemoAccountWhileTheSwitchIsOff", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		second, err := b.openAnother(b.principal(opened.Token), trader.AccountRequest{Mock: true}, "1")
		require.NoError(t, err)
		b.set(switches.DemoKey, "false")
		_, err = to(b, opened.Token, trader.Destination{AccountID: second.ID})
		require.ErrorIs(t, err, trader.ErrDemoOff)
	})
}

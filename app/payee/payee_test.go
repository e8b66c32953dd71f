package payee_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/trader"
)

// numbered returns a distinct address for each n.
func numbered(n int) payee.Address {
	sum := sha256.Sum256([]byte(fmt.Sprint(n)))
	return payee.Address{Coin: "USDT", Chain: "ethereum", Address: fmt.Sprintf("0x%x", sum[:20]), Label: fmt.Sprint("No ", n)}
}

func TestAPayeeCoolsForADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.add(o, home)
	require.Equal(t, payee.Cooling, p.State(b.clock.Now()))
	require.Equal(t, start.Add(24*time.Hour), p.UsableFrom)
	require.Equal(t, evm, p.Address)
	_, err := b.payees.Find(t.Context(), o.TraderID, p.ID)
	require.ErrorIs(t, err, payee.ErrCooling)
	require.Equal(t, map[string]string{"until": fmt.Sprint(start.Add(24 * time.Hour).UnixMilli()), "hours": "24"}, errs.As(err).Args)

	b.clock.Advance(24*time.Hour - time.Second)
	_, err = b.payees.Find(t.Context(), o.TraderID, p.ID)
	require.ErrorIs(t, err, payee.ErrCooling)
	require.Equal(t, "1", errs.As(err).Args["hours"])

	b.clock.Advance(time.Second)
	found, err := b.payees.Find(t.Context(), o.TraderID, p.ID)
	require.NoError(t, err)
	require.Equal(t, payee.Active, found.State(b.clock.Now()))
	require.Equal(t, []string{"payee.add"}, b.acts(o))
	require.Equal(t, []trader.MoneyOut{{Act: trader.SaveAddress, Place: home.Address}}, b.prover.acts, "the proof is one for this act")
	require.Equal(t, []string{"en message.payee_added.subject map[payee:0x5aAe…eAed]"}, b.told(o))
}

func TestADatabaseThatIsAskedDirectlyCoolsToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.add(b.owner(), home)
	for _, sql := range []string{
		`UPDATE payees SET usable_from = created_at WHERE id = $1`, `UPDATE payees SET address = '0x0' WHERE id = $1`, `DELETE FROM payees WHERE id = $1`,
		`INSERT INTO payees (trader_id, kind, label, coin, chain, address, usable_from, created_at) SELECT trader_id, kind, '', coin, chain, 'x', now(), now() FROM payees WHERE id = $1`,
	} {
		_, err := b.db.Pool.Exec(t.Context(), sql, p.ID)
		require.Error(t, err, sql)
	}
}

func TestRemovingIsForGoodAfterADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.add(o, home)
	b.clock.Advance(24 * time.Hour)
	_, err := b.payees.Find(t.Context(), o.TraderID, p.ID)
	require.NoError(t, err)

	removed, err := b.tryRemove(o, payee.OnChain, p.ID)
	require.NoError(t, err)
	require.Equal(t, payee.Removed, removed.State(b.clock.Now()))
	_, err = b.payees.Find(t.Context(), o.TraderID, p.ID)
	require.ErrorIs(t, err, payee.ErrUnknown)
	_, err = b.tryRemove(o, payee.OnChain, p.ID)
	require.ErrorIs(t, err, payee.ErrUnknown)
	list := func() []payee.Payee {
		list, err := b.payees.List(t.Context(), o, payee.OnChain)
		require.NoError(t, err)
		return list
	}
	require.Len(t, list(), 1)
	require.Equal(t, b.clock.Now().Add(24*time.Hour), list()[0].GoneAt().UTC())
	b.clock.Advance(24*time.Hour - time.Second)
	require.Len(t, list(), 1)
	_, err = b.tryAdd(o, home)
	require.ErrorIs(t, err, payee.ErrRemoved)
	require.Equal(t, "Home", errs.As(err).Args["label"])
	b.clock.Advance(time.Second)
	require.Empty(t, list())
	_, err = b.tryRestore(o, payee.OnChain, p.ID)
	require.ErrorIs(t, err, payee.ErrUnknown, "too late")

	again := b.add(o, home)
	require.NotEqual(t, p.ID, again.ID)
	require.Equal(t, payee.Cooling, again.State(b.clock.Now()), "saved anew, it cools anew")
	require.Equal(t, []string{"payee.add", "payee.remove", "payee.add"}, b.acts(o))
	require.Len(t, b.told(o), 3)
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	with := func(change func(*payee.Address)) payee.Address {
		a := home
		change(&a)
		return a
	}
	fields := map[string]payee.Address{
		"coin":    with(func(a *payee.Address) { a.Coin = "DOGE" }),
		"chain":   with(func(a *payee.Address) { a.Chain = "bitcoin" }),
		"address": with(func(a *payee.Address) { a.Address = evm[:30] }),
		"memo":    with(func(a *payee.Address) { a.Memo = "17" }),
		"label":   with(func(a *payee.Address) { a.Label = " " }),
	}
	o := b.owner()
	for field, a := range fields {
		_, err := b.tryAdd(o, a)
		require.NotNil(t, errs.As(err), field)
		require.NotEmpty(t, errs.As(err).Fields[field], "%s: %v", field, err)
	}
	for _, label := range []string{strings.Repeat("x", 41), "a\nb", "a\u202eb", "\xff", "a\x00b"} {
		_, err := b.tryAdd(o, with(func(a *payee.Address) { a.Label = label }))
		require.NotEmpty(t, errs.As(err).Fields["label"], "%q", label)
	}
	_, err := b.tryAdd(o, with(func(a *payee.Address) { a.Chain = "tron" }))
	require.ErrorIs(t, err, payee.ErrChain)
	require.Zero(t, b.prover.asked, "no code is spent on what is wrong anyway")
	require.Zero(t, b.count(`SELECT count(*) FROM payees`))
	b.add(o, with(func(a *payee.Address) { a.Label = strings.Repeat("ж", 40) }))
}

func TestOnlyWhatIsPaidIsSaved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	coins, err := b.payees.Coins()
	require.NoError(t, err)
	require.Len(t, coins, 1)
	require.Equal(t, ledger.Currency, coins[0].ID)
	_, err = b.tryAdd(o, payee.Address{Coin: "BTC", Chain: "bitcoin", Address: segwit, Label: "Cold"})
	require.NotNil(t, errs.As(err))
	require.NotEmpty(t, errs.As(err).Fields["coin"], "nothing is paid in it")
	_, err = payee.Normal("BTC", "bitcoin", segwit)
	require.NoError(t, err, "deposits know it")
	b.add(o, home)
}

func TestOneAddressIsSavedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	b.add(o, home)
	again := home
	again.Address, again.Label = strings.ToLower(evm), "Twice"
	_, err := b.tryAdd(o, again)
	require.ErrorIs(t, err, payee.ErrExists)
	require.Equal(t, "Home", errs.As(err).Args["label"])
	b.add(b.owner(), home) // another trader may save it too
}

func TestALookalikeIsConfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	first, second := home, home
	first.Address = "0x11aa" + strings.Repeat("1", 32) + "2b2b"
	second.Address, second.Label = "0x11cc"+strings.Repeat("3", 32)+"2b2b", "Alike"
	b.add(o, first)
	_, err := b.tryAdd(o, second)
	require.ErrorIs(t, err, payee.ErrLookalike)
	require.Equal(t, "Home", errs.As(err).Args["label"])
	apart := second
	apart.Address, apart.Label = "0x12cc"+strings.Repeat("3", 32)+"2b2b", "Apart"
	b.add(o, apart)
	second.Confirmed = true
	b.add(o, second)
}

func TestAtMostTwenty(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	for n := range 18 {
		b.add(o, numbered(n))
	}
	b.bind(o, bank)
	var group errgroup.Group
	var refused atomic.Int32
	for n := range 4 { // for one free slot
		group.Go(func() error {
			_, err := b.payees.Add(t.Context(), o, numbered(100+n), proof, b.keyed(o))
			if errors.Is(err, payee.ErrTooMany) {
				refused.Add(1)
				return nil
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.EqualValues(t, 3, refused.Load())
	require.EqualValues(t, 20, b.count(`SELECT count(*) FROM payees WHERE trader_id = $1 AND removed_at IS NULL`, o.TraderID))
	list, err := b.payees.List(t.Context(), o, payee.OnChain)
	require.NoError(t, err)
	_, err = b.tryRemove(o, payee.OnChain, list[0].ID)
	require.NoError(t, err)
	b.add(o, numbered(200))
}

func TestOthersAreUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, stranger := b.owner(), b.owner()
	address, account := b.add(o, home), b.bind(o, bank)
	b.clock.Advance(25 * time.Hour)
	for _, id := range []int64{address.ID, account.ID, 1, -1, 1 << 60} {
		_, err := b.payees.Find(t.Context(), stranger.TraderID, id)
		require.ErrorIs(t, err, payee.ErrUnknown)
		for _, kind := range []payee.Kind{payee.OnChain, payee.AtBank} {
			_, err = b.tryRemove(stranger, kind, id)
			require.ErrorIs(t, err, payee.ErrUnknown)
			_, err = b.tryRestore(stranger, kind, id)
			require.ErrorIs(t, err, payee.ErrUnknown)
		}
		_, err = b.payees.Prefer(t.Context(), stranger, id)
		require.ErrorIs(t, err, payee.ErrUnknown)
		_, err = b.payees.Rebind(t.Context(), stranger, id, bank, proof, b.keyed(stranger))
		require.ErrorIs(t, err, payee.ErrUnknown)
	}
	_, err := b.tryRemove(o, payee.AtBank, address.ID)
	require.ErrorIs(t, err, payee.ErrUnknown, "an address is no bank account")
	_, err = b.payees.Prefer(t.Context(), o, address.ID)
	require.ErrorIs(t, err, payee.ErrUnknown)
	stranger.AccountID = o.AccountID
	_, err = b.payees.List(t.Context(), stranger, payee.OnChain)
	require.ErrorIs(t, err, ledger.ErrAccount)
	for _, id := range []int64{address.ID, account.ID} {
		_, err = b.payees.Find(t.Context(), o.TraderID, id)
		require.NoError(t, err)
	}
}

func TestMockAccountsHaveNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.bind(o, bank)
	o.AccountID = b.account(o.TraderID, ledger.Mock)
	for name, try := range calls(b, o, p.ID) {
		require.ErrorIs(t, try(), payee.ErrMock, name)
	}
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM payees WHERE removed_at IS NULL`))
}

func TestNothingWhileSwitchedOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.bind(o, bank)
	b.turn("false")
	for name, try := range calls(b, o, p.ID) {
		require.ErrorIs(t, try(), payee.ErrOff, name)
	}
	b.turn("true")
	_, err := b.payees.List(t.Context(), o, payee.AtBank)
	require.NoError(t, err)
}

// calls lists every request that a trader may make.
func calls(b *bundle, o ledger.Owner, id int64) map[string]func() error {
	failing := func(_ any, err error) error { return err }
	return map[string]func() error{
		"Add":              func() error { return failing(b.payees.Add(b.Context(), o, home, proof, b.keyed(o))) },
		"Bind":             func() error { return failing(b.payees.Bind(b.Context(), o, bank, proof, b.keyed(o))) },
		"Rebind":           func() error { return failing(b.payees.Rebind(b.Context(), o, id, bank, proof, b.keyed(o))) },
		"Remove":           func() error { return failing(b.payees.Remove(b.Context(), o, payee.AtBank, id, proof, b.keyed(o))) },
		"Restore":          func() error { return failing(b.payees.Restore(b.Context(), o, payee.AtBank, id, proof, b.keyed(o))) },
		"Prefer":           func() error { return failing(b.payees.Prefer(b.Context(), o, id)) },
		"SetWhitelistOnly": func() error { return failing(b.payees.SetWhitelistOnly(b.Context(), o, true, proof, b.keyed(o))) },
		"List":             func() error { return failing(b.payees.List(b.Context(), o, payee.AtBank)) },
	}
}

func TestWithoutProofNothingChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.bind(o, bank)
	gone := b.add(o, other)
	_, err := b.tryRemove(o, payee.OnChain, gone.ID)
	require.NoError(t, err)
	before, told, answers := b.acts(o), b.told(o), b.count(`SELECT count(*) FROM idempotency_keys`)
	renamed := bank
	renamed.Label = "Another"
	for _, wrong := range []trader.Proof{{}, {Code: proof.Code}, {PaymentPassword: proof.PaymentPassword}} {
		for name, try := range map[string]func() error{
			"Add": func() error { _, err := b.payees.Add(t.Context(), o, home, wrong, b.keyed(o)); return err },
			"Rebind": func() error {
				_, err := b.payees.Rebind(t.Context(), o, p.ID, renamed, wrong, b.keyed(o))
				return err
			},
			"Remove": func() error {
				_, err := b.payees.Remove(t.Context(), o, payee.AtBank, p.ID, wrong, b.keyed(o))
				return err
			},
			"Restore": func() error {
				_, err := b.payees.Restore(t.Context(), o, payee.OnChain, gone.ID, wrong, b.keyed(o))
				return err
			},
			"SetWhitelistOnly": func() error {
				_, err := b.payees.SetWhitelistOnly(t.Context(), o, true, wrong, b.keyed(o))
				return err
			},
		} {
			require.ErrorIs(t, try(), errProof, name)
		}
	}
	require.Equal(t, before, b.acts(o))
	require.Equal(t, told, b.told(o))
	require.Equal(t, answers, b.count(`SELECT count(*) FROM idempotency_keys`))
}

func TestARepeatedWriteIsAnsweredWithoutAnotherProof(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prover.once = true
	o := b.owner()
	r := b.keyed(o)
	first, err := b.payees.Add(t.Context(), o, home, proof, r)
	require.NoError(t, err)
	again, err := b.payees.Add(t.Context(), o, home, proof, r)
	require.NoError(t, err)
	require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
	require.Equal(t, 1, b.prover.asked)
	r.Body = []byte("another")
	_, err = b.payees.Add(t.Context(), o, home, proof, r)
	require.ErrorIs(t, err, idempotency.ErrKeyReused)
	r.Key = ""
	_, err = b.payees.Add(t.Context(), o, other, proof, r)
	require.ErrorIs(t, err, idempotency.ErrKeyMissing)
}

func TestEightAtOnceSaveOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	var group errgroup.Group
	var saved atomic.Int32
	for range 8 {
		group.Go(func() error {
			_, err := b.payees.Add(t.Context(), o, home, proof, b.keyed(o))
			if err == nil {
				saved.Add(1)
			} else if !errors.Is(err, payee.ErrExists) {
				return err
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	require.EqualValues(t, 1, saved.Load())
	require.Len(t, b.acts(o), 1)
}

func TestAPayoutAndARemovalLineUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.add(o, home)
	b.clock.Advance(24 * time.Hour)
	removed := make(chan error, 1)
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := b.payees.FindTx(tx, o.TraderID, p.ID)
		require.NoError(t, err)
		go func() {
			_, err := b.payees.Remove(t.Context(), o, payee.OnChain, p.ID, proof, b.keyed(o))
			removed <- err
		}()
		require.Eventually(t, func() bool {
			return b.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
		}, time.Minute, time.Millisecond)
		require.Empty(t, removed)
		return nil
	}))
	require.NoError(t, <-removed)
	_, err := b.payees.Find(t.Context(), o.TraderID, p.ID)
	require.ErrorIs(t, err, payee.ErrUnknown)
}

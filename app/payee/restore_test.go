package payee_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/payee"
)

func TestWhatIsRestoredIsAsItWas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	cooling := b.add(o, home)
	remove := func(kind payee.Kind, id int64) {
		_, err := b.tryRemove(o, kind, id)
		require.NoError(t, err)
		_, err = b.payees.Find(t.Context(), o.TraderID, id)
		require.ErrorIs(t, err, payee.ErrUnknown, "from that moment nothing can be sent there")
	}
	b.clock.Advance(time.Hour)
	remove(payee.OnChain, cooling.ID)
	b.clock.Advance(time.Hour)
	back, err := b.tryRestore(o, payee.OnChain, cooling.ID)
	require.NoError(t, err)
	require.Equal(t, payee.Cooling, back.State(b.clock.Now()))
	require.WithinDuration(t, start.Add(24*time.Hour), back.UsableFrom, 0, "its cooling has gone on")
	require.Nil(t, back.GoneAt())
	_, err = b.tryRestore(o, payee.OnChain, cooling.ID)
	require.ErrorIs(t, err, payee.ErrUnknown, "a living one has nothing to restore")

	b.clock.Advance(22 * time.Hour)
	remove(payee.OnChain, cooling.ID)
	b.clock.Advance(24*time.Hour - time.Second)
	back, err = b.tryRestore(o, payee.OnChain, cooling.ID)
	require.NoError(t, err)
	require.Equal(t, payee.Active, back.State(b.clock.Now()), "its cooling was over meanwhile")
	_, err = b.payees.Find(t.Context(), o.TraderID, cooling.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"payee.add", "payee.remove", "payee.restore", "payee.remove", "payee.restore"}, b.acts(o))
	require.Equal(t, "en message.payee_restored.subject map[payee:0x5aAe…eAed]", b.told(o)[2])
}

func TestABankAccountIsRestored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	elsewhere := bank
	elsewhere.IBAN, elsewhere.Label = "NL91 ABNA 0417 1643 00", "Other"
	first := b.bind(o, bank)
	_, err := b.tryRemove(o, payee.AtBank, first.ID)
	require.NoError(t, err)
	_, err = b.tryBind(o, bank)
	require.ErrorIs(t, err, payee.ErrRemoved)
	_, err = b.tryRestore(o, payee.OnChain, first.ID)
	require.ErrorIs(t, err, payee.ErrUnknown, "a bank account is no address")
	back, err := b.tryRestore(o, payee.AtBank, first.ID)
	require.NoError(t, err)
	require.True(t, back.Preferred, "the only one is proposed")

	second := b.bind(o, elsewhere)
	_, err = b.tryRemove(o, payee.AtBank, first.ID)
	require.NoError(t, err)
	_, err = b.payees.Rebind(t.Context(), o, second.ID, bank, proof, b.keyed(o))
	require.ErrorIs(t, err, payee.ErrRemoved, "nor in another's place")
	_, err = b.payees.Prefer(t.Context(), o, second.ID)
	require.NoError(t, err)
	back, err = b.tryRestore(o, payee.AtBank, first.ID)
	require.NoError(t, err)
	require.False(t, back.Preferred, "another one is proposed by now")
}

func TestRestoringKeepsTheRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.add(o, home)
	_, err := b.tryRemove(o, payee.OnChain, p.ID)
	require.NoError(t, err)
	b.only(o, true)
	_, err = b.tryRestore(o, payee.OnChain, p.ID)
	require.ErrorIs(t, err, payee.ErrOnlySaved)

	o = b.owner()
	p = b.add(o, home)
	_, err = b.tryRemove(o, payee.OnChain, p.ID)
	require.NoError(t, err)
	for n := range payee.MaxLiving {
		b.add(o, numbered(n))
	}
	_, err = b.tryRestore(o, payee.OnChain, p.ID)
	require.ErrorIs(t, err, payee.ErrTooMany)
	b.add(b.owner(), home) // another trader's removal has no effect
}

func TestEightAtOnceRestoreOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.add(o, home)
	_, err := b.tryRemove(o, payee.OnChain, p.ID)
	require.NoError(t, err)
	var group errgroup.Group
	var restored atomic.Int32
	for range 8 {
		group.Go(func() error {
			_, err := b.tryRestore(o, payee.OnChain, p.ID)
			if err == nil {
				restored.Add(1)
			} else if !errors.Is(err, payee.ErrUnknown) {
				return err
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	require.EqualValues(t, 1, restored.Load())
	require.Len(t, b.acts(o), 3)
}

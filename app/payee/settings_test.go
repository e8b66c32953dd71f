package payee_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/payee"
	"candor/app/platform/db"
)

func TestOnlySavedAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	holds := func() bool {
		s, err := b.payees.Settings(t.Context(), o.TraderID)
		require.NoError(t, err)
		return s.OnlySaved(b.clock.Now())
	}
	require.False(t, holds(), "nobody asked for it")
	b.only(o, false)
	require.Empty(t, b.acts(o), "nothing changed")

	b.only(o, true)
	require.True(t, holds(), "at once")
	s := b.only(o, false)
	require.WithinDuration(t, start.Add(24*time.Hour), *s.Ending(b.clock.Now()), 0)
	b.clock.Advance(24*time.Hour - time.Second)
	s = b.only(o, false)
	require.WithinDuration(t, start.Add(24*time.Hour), *s.Ending(b.clock.Now()), 0, "asking twice neither shortens nor lengthens it")
	require.True(t, holds())
	b.clock.Advance(time.Second)
	require.False(t, holds())
	require.Nil(t, s.Ending(b.clock.Now()))
	b.only(o, false)
	require.False(t, holds())

	b.only(o, true)
	require.True(t, holds())
	b.only(o, false)
	b.clock.Advance(time.Hour)
	b.only(o, true)
	b.clock.Advance(48 * time.Hour)
	require.True(t, holds(), "taken back in time")
	require.Equal(t, []string{"payee.whitelist_on", "payee.whitelist_off", "payee.whitelist_on", "payee.whitelist_off", "payee.whitelist_on"}, b.acts(o))
	require.Len(t, b.told(o), 5)
}

func TestTwoSwitchesAtOnceMakeOneChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			_, err := b.payees.SetWhitelistOnly(t.Context(), o, true, proof, b.keyed(o))
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.Equal(t, []string{"payee.whitelist_on"}, b.acts(o))
}

func TestNothingNewWhileOnlySavedAddressesCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, stranger := b.owner(), b.owner()
	address, account := b.add(o, home), b.bind(o, bank)
	elsewhere, instead, renamed := bank, bank, bank
	elsewhere.IBAN, instead.IBAN, renamed.Label = "NL91 ABNA 0417 1643 00", "GB33 BUKB 2020 1555 5555 55", "Another"
	saving := func() map[string]func() error {
		failing := func(_ any, err error) error { return err }
		return map[string]func() error{
			"Add":    func() error { return failing(b.tryAdd(o, other)) },
			"Bind":   func() error { return failing(b.tryBind(o, elsewhere)) },
			"Rebind": func() error { return failing(b.payees.Rebind(t.Context(), o, account.ID, instead, proof, b.keyed(o))) },
		}
	}
	refused := func(when string) {
		asked := b.prover.asked
		for name, save := range saving() {
			require.ErrorIs(t, save(), payee.ErrOnlySaved, "%s %s", name, when)
		}
		require.Equal(t, asked, b.prover.asked, "no code is spent on what is refused anyway")
	}
	b.only(o, true)
	refused("while it is on")
	b.only(o, false)
	b.clock.Advance(24*time.Hour - time.Second)
	refused("until it has ended")
	b.add(stranger, other) // another trader's rule has no effect
	_, err := b.payees.Find(t.Context(), o.TraderID, address.ID)
	require.ErrorIs(t, err, payee.ErrCooling, "it cools as ever")
	_, err = b.payees.Rebind(t.Context(), o, account.ID, renamed, proof, b.keyed(o))
	require.NoError(t, err, "a name leads nowhere else")
	b.clock.Advance(time.Second)
	for name, save := range saving() {
		require.NoError(t, save(), "%s after it has ended", name)
	}
	b.only(o, true)
	_, err = b.tryRemove(o, payee.OnChain, address.ID)
	require.NoError(t, err, "deleting is always possible")
}

func TestSavingAndSwitchingOnAtOnceLineUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 6 {
		o := b.owner()
		var group errgroup.Group
		for n := range 4 {
			group.Go(func() error {
				_, err := b.tryAdd(o, numbered(n))
				if errors.Is(err, payee.ErrOnlySaved) {
					return nil
				}
				return err
			})
		}
		group.Go(func() error {
			_, err := b.payees.SetWhitelistOnly(t.Context(), o, true, proof, b.keyed(o))
			return err
		})
		require.NoError(t, group.Wait())
		acts := b.acts(o)
		require.Equal(t, "payee.whitelist_on", acts[len(acts)-1], "nothing was saved after it was on: %v", acts)
		require.Len(t, acts, 1+int(b.count(`SELECT count(*) FROM payees WHERE trader_id = $1`, o.TraderID)))
	}
}

func TestWhoWaitsForTheSwitchIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	b.add(o, home)
	saved := make(chan error, 1)
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Conn.Exec(t.Context(), `UPDATE payee_settings SET whitelist_only = true WHERE trader_id = $1`, o.TraderID)
		require.NoError(t, err)
		go func() {
			_, err := b.tryAdd(o, other)
			saved <- err
		}()
		require.Eventually(t, func() bool {
			return b.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
		}, time.Minute, time.Millisecond)
		require.Empty(t, saved)
		return nil
	}))
	require.ErrorIs(t, <-saved, payee.ErrOnlySaved)
}

package payee_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
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
	require.Equal(t, start.Add(24*time.Hour), *s.Ending(b.clock.Now()))
	b.clock.Advance(24*time.Hour - time.Second)
	s = b.only(o, false)
	require.Equal(t, start.Add(24*time.Hour), *s.Ending(b.clock.Now()), "asking twice neither shortens nor lengthens it")
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

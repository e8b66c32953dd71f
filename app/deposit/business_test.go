package deposit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/db"
)

func TestHasOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(1), b.owner(1)
	has := func(o ledger.Owner) bool {
		found, err := deposit.HasOpen(t.Context(), b.db.Pool, o.TraderID)
		require.NoError(t, err)
		return found
	}
	require.False(t, has(o))
	d := b.request(o, 100*usdt)
	require.True(t, has(o))
	require.False(t, has(other))
	_, err := b.tryCancel(o, d.ID)
	require.NoError(t, err)
	require.False(t, has(o))
}

// TestHasOpenWhileADepositIsGone keeps a credited deposit open from the moment it is gone until it is reversed.
func TestHasOpenWhileADepositIsGone(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o, _, d := c.missing("100")
	require.Equal(t, deposit.Credited, d.State)
	found, err := deposit.HasOpen(t.Context(), c.db.Pool, o.TraderID)
	require.NoError(t, err)
	require.True(t, found)
}

// credited are a trader's credited deposits; the tests of reversals look at them too.
func credited(t *testing.T, d *db.DB, o ledger.Owner) deposit.Outcomes {
	t.Helper()
	found, err := deposit.CountOutcomes(t.Context(), d.Pool, []int64{o.TraderID})
	require.NoError(t, err)
	return found[o.TraderID]
}

// TestCountOutcomes counts credited deposits for their own trader, and none that is on its way.
func TestCountOutcomes(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o, other := c.owner(1), c.owner(1)
	c.request(o, 100*usdt)
	require.Zero(t, credited(t, c.db, o))
	for _, amount := range []string{"100", "50"} {
		id, _ := c.receive(c.address(o), amount)
		require.Equal(t, deposit.Credited, c.mine(id).State)
	}
	require.Equal(t, deposit.Outcomes{TraderID: o.TraderID, Settled: 2}, credited(t, c.db, o))
	require.Zero(t, credited(t, c.db, other))
}

// TestHouse knows the house's accounts however they are written, and its addresses on their own chain only.
func TestHouse(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	c.exec(`UPDATE pay_channels SET iban = 'gb82 west 1234 5698 7654 32' WHERE id = 8`)
	for iban, want := range map[string]bool{"GB82WEST12345698765432": true, "DE00": true, "GB82WEST12345698765433": false, "": false} {
		ours, err := c.deposits.IsHouseAccount(t.Context(), c.db.Pool, iban)
		require.NoError(t, err)
		require.Equal(t, want, ours, iban)
	}
	a := c.address(c.owner(1))
	for place, want := range map[[2]string]bool{{"tron", a.Address}: true, {"ethereum", a.Address}: false, {"tron", a.Address[1:]}: false} {
		ours, err := c.deposits.IsHouseAddress(t.Context(), c.db.Pool, place[0], place[1])
		require.NoError(t, err)
		require.Equal(t, want, ours, place)
	}
}

func TestOwns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(1), b.owner(1)
	d := b.request(o, 100*usdt)
	for id, want := range map[int64]bool{o.TraderID: true, other.TraderID: false} {
		own, err := b.deposits.Owns(t.Context(), id, d.ID)
		require.NoError(t, err)
		require.Equal(t, want, own)
	}
}

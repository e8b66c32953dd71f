package deposit_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/money"
)

func TestOwnersOfCoins(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o, other := c.owner(1), c.owner(1)
	mine, theirs := c.address(o), c.address(other)
	_, d := c.receive(mine, "100")
	require.NotEmpty(t, d.TxHash)
	owners := func(words string, below int64, limit int) []int64 {
		ids, err := c.deposits.TradersByAddressOrHash(t.Context(), words, below, limit)
		require.NoError(t, err)
		return ids
	}
	require.Equal(t, []int64{o.TraderID}, owners(" "+mine.Address+" ", 0, 10))
	require.Equal(t, []int64{other.TraderID}, owners(theirs.Address, 0, 10))
	require.Equal(t, []int64{o.TraderID}, owners(d.TxHash, 0, 10))
	require.Equal(t, []int64{o.TraderID}, owners(strings.ToUpper(d.TxHash), 0, 10), "in whatever letters")
	require.Empty(t, owners(d.TxHash, o.TraderID, 10), "below its trader there is nobody")
	require.Empty(t, owners(mine.Address, o.TraderID, 10))
	for _, words := range []string{"", mine.Address[:len(mine.Address)-1], d.TxHash[:len(d.TxHash)-1], "marta@example.com", "%"} {
		require.Empty(t, owners(words, 0, 10), words)
	}

	// Two traders of one transaction: newest first, page by page.
	_, second := c.receive(theirs, "7")
	c.exec(`UPDATE deposits SET tx_hash = $1 WHERE id = $2`, d.TxHash, second.ID)
	require.Equal(t, []int64{other.TraderID, o.TraderID}, owners(d.TxHash, 0, 10))
	require.Equal(t, []int64{other.TraderID}, owners(d.TxHash, 0, 1))
	require.Equal(t, []int64{o.TraderID}, owners(d.TxHash, other.TraderID, 10))
}

func TestADepositByItsReference(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(0)
	d := b.request(o, 100*money.Unit)
	referred := func(words string) int64 {
		id, err := b.deposits.ByReference(t.Context(), words)
		require.NoError(t, err)
		return id
	}
	require.Equal(t, d.ID, referred(d.Reference))
	require.Equal(t, d.ID, referred(strings.ReplaceAll(strings.ToLower(d.Reference), "-", " ")), "as a statement prints it")
	for _, words := range []string{"", "CD-", d.Reference[:len(d.Reference)-1], d.Reference + "2", "CD-%", d.Number()} {
		require.Zero(t, referred(words), words)
	}
}

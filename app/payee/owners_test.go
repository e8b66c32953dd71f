package payee_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/payee"
)

func TestOwners(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const checksummed, base58 = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW"
	saves := func(chain, address string) int64 {
		o := b.owner()
		b.exec(`INSERT INTO payees (trader_id, kind, coin, chain, address, label, usable_from, created_at) VALUES ($1, 'address', 'USDT', $2, $3, 'Mine', $4, $5)`,
			o.TraderID, chain, address, start, start.Add(-payee.Cooldown))
		return o.TraderID
	}
	first, second, third := saves("ethereum", checksummed), saves("ethereum", checksummed), saves("tron", base58)
	owners := func(words string, below int64, limit int) []int64 {
		ids, err := b.payees.Owners(t.Context(), words, below, limit)
		require.NoError(t, err)
		return ids
	}
	require.Equal(t, []int64{second, first}, owners(checksummed, 0, 10))
	require.Equal(t, []int64{second, first}, owners(strings.ToLower(checksummed), 0, 10), "in a form without a checksum")
	require.Equal(t, []int64{second}, owners(checksummed, 0, 1))
	require.Equal(t, []int64{first}, owners(checksummed, second, 10))
	require.Empty(t, owners(checksummed, first, 10))
	require.Equal(t, []int64{third}, owners(" "+base58, 0, 10))
	for _, words := range []string{"", "marta@example.com", checksummed[:41], strings.Replace(checksummed, "aA", "Aa", 1), strings.ToLower(base58), "%", "0x" + strings.Repeat("0", 40)} {
		require.Empty(t, owners(words, 0, 10), words)
	}
}

// TestSharing finds whoever saved the same account, or the same address with the same memo, at any time.
func TestSharing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	address := func(o ledger.Owner, memo string) { // no chain has a memo yet
		b.exec(`
			INSERT INTO payees (trader_id, kind, coin, chain, address, memo, label, usable_from, created_at) VALUES ($1, 'address', 'USDT', 'tron', $2, $3, 'Exchange', $4, $5)`,
			o.TraderID, tronOne, memo, start, start.Add(-payee.Cooldown))
	}
	one, two, three := b.owner(), b.owner(), b.owner()
	removed := b.bind(one, bank)
	_, err := b.tryRemove(one, payee.AtBank, removed.ID)
	require.NoError(t, err)
	b.bind(two, bank)
	address(two, "1")
	address(three, "1")
	b.bind(three, second)
	other := b.owner()
	address(other, "2")
	sharing := func(o ledger.Owner, limit int) []int64 {
		ids, err := payee.Sharing(t.Context(), b.db.Pool, o.TraderID, limit)
		require.NoError(t, err)
		return ids
	}
	require.Equal(t, []int64{one.TraderID, three.TraderID}, sharing(two, 5))
	require.Equal(t, []int64{one.TraderID}, sharing(two, 1))
	require.Equal(t, []int64{two.TraderID}, sharing(one, 5), "removed by the trader")
	require.Equal(t, []int64{two.TraderID}, sharing(three, 5))
	require.Empty(t, sharing(other, 5), "another memo is another account")
}

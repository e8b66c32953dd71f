package payee_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

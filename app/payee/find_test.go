package payee_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/payee"
	"candor/app/platform/vault/vaulttest"
)

// TestSearch finds payees by their numbers and by the names of holders, which stay sealed.
func TestSearch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.owner(), b.owner()
	first, other := b.bind(one, bank), b.bind(two, second)
	found := func(words string) (ids []int64, exact bool) {
		list, exact, err := b.payees.Search(t.Context(), words, 10)
		require.NoError(t, err)
		for _, p := range list {
			ids = append(ids, p.ID)
		}
		return ids, exact
	}
	require.NotEqual(t, bank.IBAN[len(bank.IBAN)-4:], second.IBAN[len(second.IBAN)-4:])
	ending := first.IBAN[len(first.IBAN)-4:]
	for words, exact := range map[string]bool{
		first.IBAN: true, strings.ToLower(bank.IBAN): true, first.IBAN[:4] + " " + first.IBAN[4:]: true, ending: false, bank.Holder + " " + ending: false, ending + " " + strings.ToUpper(bank.Holder): false,
	} {
		ids, whole := found(words)
		require.Equal(t, []int64{first.ID}, ids, words)
		require.Equal(t, exact, whole, words)
	}
	for _, words := range []string{"", ending[:3], ending + " Nobody", first.IBAN[:12], "%", ending + " -", "Nobody Nowhere"} {
		ids, _ := found(words)
		require.Empty(t, ids, words)
	}
	ids, _ := found(second.Holder)
	require.Contains(t, ids, other.ID)
	_, err := b.tryRemove(one, payee.AtBank, first.ID)
	require.NoError(t, err)
	ids, _ = found(ending)
	require.Equal(t, []int64{first.ID}, ids, "a removed one too")

	owners, err := b.payees.OwnersNamed(t.Context(), bank.Holder, 0, 10)
	require.NoError(t, err)
	require.Contains(t, owners, one.TraderID)
	owners, err = b.payees.OwnersNamed(t.Context(), bank.IBAN, 0, 10)
	require.NoError(t, err)
	require.Equal(t, []int64{one.TraderID}, owners)
	owners, err = b.payees.OwnersNamed(t.Context(), bank.IBAN, one.TraderID, 10)
	require.NoError(t, err)
	require.Empty(t, owners)

	elsewhere := payee.New(payee.Config{DB: b.db, Clock: b.clock, Vault: vaulttest.New(t)})
	list, _, err := elsewhere.Search(t.Context(), second.Holder, 10)
	require.NoError(t, err)
	require.Empty(t, list, "the tags of another key match nothing")
	require.False(t, vaulttest.Found(vaulttest.Dump(t, b.db.Pool), bank.Holder))
}

package kyc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
	"candor/app/platform/vault/vaulttest"
)

// TestTradersNamed finds traders by the words of names that stay sealed.
func TestTradersNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	found := func(words string) []kyc.Named {
		list, err := b.kyc.TradersNamed(t.Context(), words, 0, 10)
		require.NoError(t, err)
		return list
	}
	verified, drafted := b.owner(), b.owner()
	require.Empty(t, found("Erika Mustermann"))
	b.approved(verified)
	b.save(drafted, kyc.Filled{FullName: text("Erika José Mustermann")})
	both := []kyc.Named{{TraderID: drafted.TraderID}, {TraderID: verified.TraderID, Verified: true}}
	for _, words := range []string{"Erika Mustermann", "mustermann, ERIKA", "Mustermann", "Érika Müstermann"} {
		require.Equal(t, both, found(words), words)
	}
	require.Equal(t, both[:1], found("jose mustermann erika"))
	for _, words := range []string{"", "Er", "Erik", "Mustermann Max", "Erika Max Mustermann", "%"} {
		require.Empty(t, found(words), words)
	}
	next, err := b.kyc.TradersNamed(t.Context(), "Mustermann", drafted.TraderID, 10)
	require.NoError(t, err)
	require.Equal(t, both[1:], next)

	t.Run("OnlyUnderTheNewestNameOfAnApplication", func(t *testing.T) {
		b := b.in(t)
		b.save(drafted, kyc.Filled{FullName: text("Ada Lovelace")})
		require.Equal(t, both[1:], found("Mustermann"))
		require.Equal(t, []kyc.Named{{TraderID: drafted.TraderID}}, found("Lovelace Ada"))
		b.save(drafted, kyc.Filled{FullName: text("")})
		require.Empty(t, found("Lovelace Ada"))
	})
	t.Run("TagsOfAnotherKeyMatchNothing", func(t *testing.T) {
		other := kyc.New(kyc.Config{DB: b.db, Clock: b.clock, Vault: vaulttest.New(t)})
		list, err := other.TradersNamed(t.Context(), "Mustermann", 0, 10)
		require.NoError(t, err)
		require.Empty(t, list)
	})
	t.Run("OfTheShreddedNothingIsFound", func(t *testing.T) {
		b := b.in(t)
		b.at(b.clock.Now().AddDate(20, 0, 0), func() {
			_, err := b.kyc.Shred(t.Context(), verified.TraderID, "asked for by the trader")
			require.NoError(t, err)
		})
		require.Empty(t, found("Mustermann"))
		require.Zero(t, b.count(`SELECT count(*) FROM kyc_name_words`))
	})
}

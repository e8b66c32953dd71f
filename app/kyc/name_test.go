package kyc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
	"candor/app/ledger"
)

func TestSameName(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"Tess Trader", "TESS  TRADER"}, {"Tess Trader", "Trader, Tess"}, {"José Núñez", "JOSE NUNEZ"}, {"Tess Anna Trader", "Tess Trader"},
		{"Seán O'Neill", "Sean ONeill"}, {"Anne-Marie Weiß", "Anne Marie Weiß"}, {"王小明", "王小明"}, {"Ｔｅｓｓ Trader", "Tess Trader"},
	} {
		require.True(t, kyc.SameName(pair[0], pair[1]), pair)
		require.True(t, kyc.SameName(pair[1], pair[0]), pair)
	}
	for _, pair := range [][2]string{
		{"Tess Trader", "Tess"}, {"Tess Trader", "Tom Trader"}, {"Tess Trader", ""}, {"", ""}, {"Tess Tess", "Tess Trader"}, {"王小明", "王小"}, {"Tess Trader", "Acme Trader Ltd"},
	} {
		require.False(t, kyc.SameName(pair[0], pair[1]), pair)
		require.False(t, kyc.SameName(pair[1], pair[0]), pair)
	}
}

// TestHolderIs checks that only a valid verification gives a trader's name.
func TestHolderIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(), b.owner()
	requireIs := func(o ledger.Owner, holder string, want bool) {
		t.Helper()
		is, err := b.kyc.HolderIs(t.Context(), o.TraderID, holder)
		require.NoError(t, err)
		require.Equal(t, want, is, holder)
	}
	name := *b.filled().FullName
	requireIs(o, name, false)
	b.submitted(other)
	requireIs(other, name, false) // not reviewed yet
	b.approved(o)
	requireIs(o, strings.ToUpper(name), true)
	requireIs(o, "Otto Other", false)
	requireIs(other, name, false)
	verified, err := b.kyc.VerifiedName(t.Context(), o.TraderID)
	require.NoError(t, err)
	require.Equal(t, name, verified)
	verified, err = b.kyc.VerifiedName(t.Context(), other.TraderID)
	require.NoError(t, err)
	require.Empty(t, verified)
}

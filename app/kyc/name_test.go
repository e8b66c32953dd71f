package kyc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
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

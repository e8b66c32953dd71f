package trader_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"

	"candor/app/trader"
)

func TestCountriesHaveTheirPresentNames(t *testing.T) {
	t.Parallel()
	for iso, want := range map[string][2]string{
		"SZ": {"Eswatini", "斯威士兰"}, "MK": {"North Macedonia", "北马其顿"}, "TR": {"Türkiye", "土耳其"}, "CZ": {"Czechia", "捷克"}, "DE": {"Germany", "德国"}, "??": {"??", "??"},
	} {
		c := trader.Country{ISO: iso}
		require.Equal(t, want, [2]string{c.NameIn(language.BritishEnglish), c.NameIn(language.MustParse("zh-CN"))})
		require.Equal(t, want[0], c.Name())
	}
}

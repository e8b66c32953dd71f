package server

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/personal"
)

var (
	tableWhole   = regexp.MustCompile(`(?ms)^CREATE TABLE (\w+) \((.*?)^\);`)
	aboutTraders = regexp.MustCompile(`(?m)^\s+trader_id\s|REFERENCES traders\(`)
)

// TestEveryTableAboutTradersIsDeclared reads the schema: whoever adds a table about traders says what happens to it when an account closes.
func TestEveryTableAboutTradersIsDeclared(t *testing.T) {
	t.Parallel()
	tables := []string{"traders"}
	eachFile(t, ".sql", func(_, text string) {
		for _, found := range tableWhole.FindAllStringSubmatch(text, -1) {
			if aboutTraders.MatchString(found[2]) {
				tables = append(tables, found[1])
			}
		}
	})
	require.Contains(t, tables, "payees")
	require.NotContains(t, tables, "products")
	declared := map[string]personal.Treatment{}
	for _, source := range (services{}).personalSources(nil) {
		for table, treatment := range source.Tables {
			require.NotContains(t, declared, table, "declared twice")
			declared[table] = treatment
		}
	}
	for _, table := range tables {
		require.Contains(t, declared, table, "what happens to it when an account closes?")
	}
	for table := range declared {
		require.Contains(t, append(tables, "accounts"), table, "no such table about traders")
	}
}

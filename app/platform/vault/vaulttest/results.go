package vaulttest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// RequireNoKeysInResults requires that no stored result of a write contains the key of a sealed value: with a second copy of its key, a value that is shredded
// could still be read. There must be such keys in a table, and stored results.
func RequireNoKeysInResults(t testing.TB, q Querier, table string, columns ...string) {
	t.Helper()
	read := func(sql string) [][]byte {
		rows, err := q.Query(t.Context(), sql)
		require.NoError(t, err)
		list, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
		require.NoError(t, err)
		require.NotEmpty(t, list, sql)
		return list
	}
	results := bytes.Join(read(`SELECT result FROM idempotency_keys WHERE result IS NOT NULL`), nil)
	for _, column := range columns {
		for _, key := range read(fmt.Sprintf(`SELECT %s FROM %s WHERE %[1]s IS NOT NULL`, column, table)) {
			require.NotContains(t, string(results), base64.StdEncoding.EncodeToString(key), "%s of %s", column, table)
		}
	}
}

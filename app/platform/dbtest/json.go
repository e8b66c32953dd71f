package dbtest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// JSON is a value as JSON: two results that are stored alike have the same.
func JSON(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

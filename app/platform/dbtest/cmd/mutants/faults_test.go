package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEachFaultHasItsPlace checks that each fault still applies: its text occurs exactly once in its file.
func TestEachFaultHasItsPlace(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, f := range faults {
		require.False(t, names[f.name], "two faults are called %s", f.name)
		names[f.name] = true
		text, err := os.ReadFile(filepath.Join("../../../../..", f.file))
		require.NoError(t, err, f.name)
		assert.Equal(t, 1, strings.Count(string(text), f.text), "%s in %s", f.name, f.file)
		require.NotEqual(t, f.text, f.replacement, f.name)
	}
}

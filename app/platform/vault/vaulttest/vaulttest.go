// Package vaulttest makes vaults for tests.
package vaulttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/vault"
)

// New makes a vault with keys of its own.
func New(t testing.TB) *vault.Vault {
	t.Helper()
	v, err := vault.Load(t.TempDir(), false)
	require.NoError(t, err)
	return v
}

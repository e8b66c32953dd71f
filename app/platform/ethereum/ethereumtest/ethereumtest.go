// Package ethereumtest signs texts as a wallet does, for tests.
package ethereumtest

import (
	"encoding/hex"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/stretchr/testify/require"

	"candor/app/platform/ethereum"
)

// Wallet is an account with its key.
type Wallet struct{ key *secp256k1.PrivateKey }

// New makes a wallet with a random key.
func New(t testing.TB) Wallet {
	t.Helper()
	key, err := secp256k1.GeneratePrivateKey()
	require.NoError(t, err)
	return Wallet{key}
}

// Of is the wallet of a key in hexadecimal.
func Of(t testing.TB, key string) Wallet {
	t.Helper()
	raw, err := hex.DecodeString(key)
	require.NoError(t, err)
	return Wallet{secp256k1.PrivKeyFromBytes(raw)}
}

// Address is the account's address.
func (w Wallet) Address() ethereum.Address { return ethereum.AddressOf(w.key.PubKey()) }

// Sign signs a text as personal_sign does.
func (w Wallet) Sign(text string) string {
	compact := ecdsa.SignCompact(w.key, ethereum.Digest(text), false)
	return "0x" + hex.EncodeToString(append(compact[1:], compact[0]))
}

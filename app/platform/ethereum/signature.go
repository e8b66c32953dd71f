package ethereum

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// ErrSignature refuses what is not one signature of a key over a text.
var ErrSignature = errors.New("not a signature of an account")

const (
	signatureSize = 65 // r, s and v
	firstID       = 27 // of v, where it is not 0 or 1
)

// Digest is the hash that wallets sign for a text with personal_sign (EIP-191, version 0x45).
func Digest(text string) []byte {
	return keccak(fmt.Appendf(nil, "\x19Ethereum Signed Message:\n%d", len(text)), []byte(text))
}

// Recover returns the address whose key signed a text with personal_sign. The signature is in hexadecimal after 0x, with a low s: another form of the same
// signature counts as none. It returns ErrSignature.
func Recover(text, signature string) (a Address, err error) {
	raw, err := parseSignature(signature)
	if err != nil {
		return a, err
	}
	key, _, err := ecdsa.RecoverCompact(raw, Digest(text))
	if err != nil {
		return a, ErrSignature
	}
	return AddressOf(key), nil
}

// parseSignature returns a signature with the recovery id first, as the library reads it.
func parseSignature(text string) ([]byte, error) {
	digits, prefixed := strings.CutPrefix(text, "0x")
	if !prefixed || len(digits) != 2*signatureSize {
		return nil, ErrSignature
	}
	raw, err := hex.DecodeString(digits)
	if err != nil {
		return nil, ErrSignature
	}
	v := raw[signatureSize-1]
	if v >= firstID {
		v -= firstID
	}
	var s secp256k1.ModNScalar
	if overflow := s.SetByteSlice(raw[32:64]); v > 1 || overflow || s.IsOverHalfOrder() {
		return nil, ErrSignature
	}
	return append([]byte{firstID + v}, raw[:64]...), nil
}

// AddressOf is the address of a public key: the last 20 bytes of its hash.
func AddressOf(key *secp256k1.PublicKey) (a Address) {
	hash := keccak(key.SerializeUncompressed()[1:])
	copy(a[:], hash[len(hash)-len(a):])
	return a
}

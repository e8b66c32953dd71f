// Package ethereum checks what a log-in with an Ethereum wallet consists of: addresses (EIP-55), signatures (EIP-191) and the signed text (EIP-4361).
package ethereum

import (
	"encoding/hex"
	"errors"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Refusals of addresses.
var (
	ErrShape    = errors.New("not 0x and 40 hexadecimal digits")
	ErrChecksum = errors.New("the letters' case does not match the address")
)

// Address is an account's address.
type Address [20]byte

// ParseAddress reads 40 hexadecimal digits after 0x. Mixed case carries a checksum (EIP-55), which must match; a single case carries none. It returns ErrShape
// or ErrChecksum.
func ParseAddress(text string) (a Address, err error) {
	if len(text) != 2+2*len(a) || !strings.EqualFold(text[:2], "0x") {
		return a, ErrShape
	}
	digits := text[2:]
	if _, err := hex.Decode(a[:], []byte(digits)); err != nil {
		return Address{}, ErrShape
	}
	if mixed := digits != strings.ToLower(digits) && digits != strings.ToUpper(digits); mixed && digits != a.String()[2:] {
		return Address{}, ErrChecksum
	}
	return a, nil
}

// String is the address with its checksum: a letter is in upper case where its nibble of the text's hash is 8 or more.
func (a Address) String() string {
	out := []byte(hex.EncodeToString(a[:]))
	nibbles := hex.EncodeToString(keccak(out))
	for i, digit := range out {
		if digit >= 'a' && nibbles[i] >= '8' {
			out[i] = digit - 'a' + 'A'
		}
	}
	return "0x" + string(out)
}

// Lower is the address in lower case, the form for comparisons.
func (a Address) Lower() string { return "0x" + hex.EncodeToString(a[:]) }

// Short is the address with its middle left out, only to recognise it by.
func (a Address) Short() string {
	full := a.String()
	return full[:6] + "…" + full[len(full)-4:]
}

// keccak is the hash of Ethereum: Keccak-256, from before SHA-3 was a standard.
func keccak(parts ...[]byte) []byte {
	hash := sha3.NewLegacyKeccak256()
	for _, part := range parts {
		hash.Write(part)
	}
	return hash.Sum(nil)
}

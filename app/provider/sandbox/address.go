package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"golang.org/x/crypto/sha3"
)

// addressOn is a well-formed address of a chain without an owner; equal references give equal addresses.
func addressOn(chain, reference string) (address string, ok bool) {
	seed := sha256.Sum256([]byte("sandbox " + chain + " " + reference))
	key := seed[:20]
	switch chain {
	case "ethereum":
		return ethereum(key), true
	case "tron":
		return base58.CheckEncode(key, 0x41), true
	case "bitcoin":
		words, err := bech32.ConvertBits(key, 8, 5, true)
		if err != nil {
			return "", false
		}
		address, err = bech32.Encode("bc", append([]byte{0}, words...))
		return address, err == nil
	}
	return "", false
}

// ethereum formats 20 bytes with the checksum of EIP-55.
func ethereum(key []byte) string {
	digits := hex.EncodeToString(key)
	hash := sha3.NewLegacyKeccak256()
	hash.Write([]byte(digits))
	nibbles := hex.EncodeToString(hash.Sum(nil))
	out := []byte(digits)
	for i := range out {
		if nibbles[i] >= '8' {
			out[i] = strings.ToUpper(string(out[i]))[0]
		}
	}
	return "0x" + string(out)
}

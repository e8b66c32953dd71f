package ledger

import "strings"

// ReferenceKey is the form in which bank references and transaction hashes are compared: "AB-12 34" and "ab1234" are one payment. The database's
// reference_key follows the same rule.
func ReferenceKey(reference string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		case r < 0x80, r == 0xa0, r >= 0x2000 && r <= 0x206f, r == 0x2212, r == 0x3000: // punctuation, spaces and hyphens
			return -1
		default:
			return r
		}
	}, reference)
}

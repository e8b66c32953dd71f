package bankfile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// The characters of a name and of a text that count in a key: MT940 cuts names and texts that camt.053 and CSV give in full.
const (
	keyNameLength = 50
	keyTextLength = 140
)

// Key is the fingerprint of a line of an account: hexadecimal, 64 characters. It is the same whenever the line is read again, from an overlapping statement or
// another format, if that gives the same bank reference, or none in both, and whole days. Account is the caller's name of the account, as formats name it
// differently. With a bank reference the key also holds day and amount, as some banks use one reference for a payment, its charges and its reversal, or begin
// again each year.
func (l Line) Key(account string) string {
	if l.BankReference == "" {
		return l.ContentKey(account)
	}
	return digest(l.reference(account), l.ReferenceOrdinal)
}

// ContentKey is the fingerprint without the bank's reference, from account, day, amount, counterparty, text and ordinal. It recognises a line in a format that
// leaves out the reference. The value date doesn't count, as some formats leave it out.
func (l Line) ContentKey(account string) string { return digest(l.content(account), l.Ordinal) }

func (l Line) reference(account string) string {
	return fmt.Sprintf("%q", []string{"reference", account, l.Currency, l.Booked.String(), strconv.FormatInt(l.Amount, 10), compact(l.BankReference)})
}

func (l Line) content(account string) string {
	return fmt.Sprintf("%q", []string{
		"content", account, l.Currency, l.Booked.String(), strconv.FormatInt(l.Amount, 10), fold(l.Counterparty, keyNameLength), fold(l.Text, keyTextLength),
	})
}

func digest(text string, ordinal int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", text, ordinal))
	return hex.EncodeToString(sum[:])
}

// Package bankfiletest writes bank statements as banks do, from a list of lines, for tests.
package bankfiletest

import (
	"strings"

	"candor/app/platform/bankfile"
)

// Statement completes a statement of lines in the order of booking: index, currency and missing value dates of each line, the period, and both balances from the
// opening one. It needs at least one line.
func Statement(id, account, currency string, opening int64, lines ...bankfile.Line) bankfile.Statement {
	s := bankfile.Statement{ID: id, Account: account, Currency: currency, Lines: lines}
	s.From, s.To = lines[0].Booked, lines[len(lines)-1].Booked
	closing := opening
	for i := range lines {
		lines[i].Index, lines[i].Currency = i+1, currency
		if lines[i].Value.IsZero() {
			lines[i].Value = lines[i].Booked
		}
		closing += lines[i].Amount
	}
	s.Opening = &bankfile.Balance{Date: s.From, Amount: opening}
	s.Closing = &bankfile.Balance{Date: s.To, Amount: closing}
	return s
}

// magnitude is an amount without its sign.
func magnitude(amount int64, currency string) string {
	return strings.TrimPrefix(bankfile.FormatAmount(amount, currency), "-")
}

// chunks cuts a text into pieces of a number of characters.
func chunks(text string, size int) (out []string) {
	runes := []rune(text)
	for len(runes) > size {
		out = append(out, string(runes[:size]))
		runes = runes[size:]
	}
	return append(out, string(runes))
}

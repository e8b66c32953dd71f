package bankfiletest

import (
	"cmp"
	"fmt"
	"strings"

	"candor/app/platform/bankfile"
)

// MT940 writes statements as MT940 messages with field 86 in the German structure, whose limits it cuts to: 54 characters of a name, and what remains of 378 with the
// reference for a text. A question mark becomes a full stop, as it separates subfields.
func MT940(statements ...bankfile.Statement) []byte {
	var out strings.Builder
	for _, s := range statements {
		fmt.Fprintf(&out, ":20:%s\r\n:25:%s\r\n:28C:%05d/%03d\r\n", s.ID, s.Account, s.Sequence, cmp.Or(s.Page, 1))
		swiftBalance(&out, "60", s.Opening, s.Currency)
		for _, line := range s.Lines {
			swiftLine(&out, line)
		}
		swiftBalance(&out, "62", s.Closing, s.Currency)
		out.WriteString("-\r\n")
	}
	return []byte(out.String())
}

func swiftBalance(out *strings.Builder, field string, b *bankfile.Balance, currency string) {
	letter, mark := "F", "C"
	if b.Interim {
		letter = "M"
	}
	if b.Amount < 0 {
		mark = "D"
	}
	fmt.Fprintf(out, ":%s%s:%s%s%s%s\r\n", field, letter, mark, b.Date.Time().Format("060102"), currency, swiftAmount(b.Amount, currency))
}

// swiftAmount always has a comma, also without decimals.
func swiftAmount(value int64, currency string) string {
	whole, fraction, _ := strings.Cut(magnitude(value, currency), ".")
	return whole + "," + fraction
}

func swiftLine(out *strings.Builder, line bankfile.Line) {
	mark := map[bool]string{false: "C", true: "D"}[line.Amount < 0]
	if line.Reversal {
		mark = map[bool]string{false: "RD", true: "RC"}[line.Amount < 0]
	}
	payers := "NONREF"
	if line.Reference != "" {
		payers = "KREF+" // it is in field 86
	}
	fmt.Fprintf(out, ":61:%s%s%s%sNTRF%s", line.Value.Time().Format("060102"), line.Booked.Time().Format("0102"), mark, swiftAmount(line.Amount, line.Currency), payers)
	if line.BankReference != "" {
		out.WriteString("//" + line.BankReference)
	}
	out.WriteString("\r\n:86:" + strings.Join(chunks(info(line), 65), "\r\n") + "\r\n")
}

// info is field 86: the text in subfields 20 to 29 and 60 to 63, account and name in 31 to 33.
func info(line bankfile.Line) string {
	var parts []string
	if line.Reference != "" {
		parts = chunks("EREF+"+harmless(line.Reference), 27)
	}
	if line.Text != "" {
		parts = append(parts, chunks("SVWZ+"+harmless(line.Text), 27)...)
	}
	codes := []string{"20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "60", "61", "62", "63"}
	var out, more strings.Builder
	out.WriteString("166?00TRANSFER")
	for i, part := range parts[:min(len(parts), len(codes))] {
		into := &out
		if i >= 10 {
			into = &more
		}
		into.WriteString("?" + codes[i] + part)
	}
	if line.CounterpartyAccount != "" {
		out.WriteString("?31" + line.CounterpartyAccount)
	}
	if line.Counterparty != "" {
		for i, part := range chunks(harmless(line.Counterparty), 27) {
			if i < 2 {
				fmt.Fprintf(&out, "?%d%s", 32+i, part)
			}
		}
	}
	return out.String() + more.String()
}

func harmless(text string) string { return strings.ReplaceAll(text, "?", ".") }

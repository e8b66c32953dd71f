package bankfiletest

import (
	"bytes"
	"encoding/csv"
	"strings"

	"candor/app/platform/bankfile"
)

// CSV writes a statement as a bank with semicolons, decimal commas and a running balance does, and the mapping that reads it.
func CSV(s bankfile.Statement) ([]byte, bankfile.Mapping) {
	m := bankfile.Mapping{
		Delimiter: ";", Decimal: ",", DateLayout: "DD.MM.YYYY", HeaderRow: 1, Sign: bankfile.Signed,
		Date: "Booking date", Value: "Value date", Amount: "Amount", Currency: "Currency", Counterparty: "Counterparty", Account: "Counterparty account",
		Reference: "End-to-end reference", Text: []string{"Description"}, BankReference: "Bank reference", Balance: "Balance",
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma, w.UseCRLF = ';', true
	rows := [][]string{{m.Date, m.Value, m.Amount, m.Currency, m.Counterparty, m.Account, m.Reference, m.Text[0], m.BankReference, m.Balance}}
	balance := s.Opening.Amount
	for _, line := range s.Lines {
		balance += line.Amount
		rows = append(rows, []string{
			day(line.Booked), day(line.Value), comma(line.Amount, s.Currency), s.Currency, line.Counterparty, line.CounterpartyAccount, line.Reference, line.Text,
			line.BankReference, comma(balance, s.Currency),
		})
	}
	_ = w.WriteAll(rows) // a buffer takes everything
	return out.Bytes(), m
}

func day(d bankfile.Date) string { return d.Time().Format("02.01.2006") }

func comma(amount int64, currency string) string {
	return strings.ReplaceAll(bankfile.FormatAmount(amount, currency), ".", ",")
}

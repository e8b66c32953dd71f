package bankfile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/bankfile"
	"candor/app/platform/bankfile/bankfiletest"
)

// holds reads a file and, if it is accepted, wants what every accepted file has.
func holds(t *testing.T, raw []byte, o bankfile.Options) {
	t.Helper()
	file, err := bankfile.Read(raw, o)
	if err != nil {
		require.Empty(t, file)
		return
	}
	require.NotEmpty(t, file.Statements)
	rows := strings.Count(string(raw), "\n") + strings.Count(string(raw), "\r") + 1
	seen := map[string]bool{}
	for _, s := range file.Statements {
		require.Regexp(t, `^[A-Z]{3}$`, s.Currency)
		sum := int64(0)
		for i, line := range s.Lines {
			require.Equal(t, i+1, line.Index)
			require.True(t, line.Row >= 1 && line.Row <= rows, "line %d of %d", line.Row, rows)
			require.Equal(t, s.Currency, line.Currency)
			require.False(t, line.Booked.IsZero() || line.Value.IsZero())
			key := line.Key(s.Account)
			require.False(t, seen[key], "two lines have one key")
			seen[key] = true
			sum += line.Amount
		}
		if s.Opening != nil && s.Closing != nil {
			require.Equal(t, s.Closing.Amount, s.Opening.Amount+sum)
		}
	}
	again, err := bankfile.Read(raw, o)
	require.NoError(t, err)
	require.Equal(t, file, again)
}

func FuzzCAMT(f *testing.F) {
	f.Add(bankfiletest.CAMT053(month()))
	f.Add(camt(bal("ITBD", "1", "CRDT") + bal("CLBD", "3", "CRDT") + ntry("2", "CRDT", `<NtryDtls><TxDtls><Refs><EndToEndId>E</EndToEndId></Refs><Amt Ccy="EUR">1</Amt></TxDtls><TxDtls><Amt Ccy="EUR">1</Amt></TxDtls></NtryDtls>`)))
	f.Add([]byte("<Document><BkToCstmrStmt><Stmt/></BkToCstmrStmt></Document>"))
	f.Fuzz(func(t *testing.T, raw []byte) { holds(t, raw, bankfile.Options{}) })
}

func FuzzMT940(f *testing.F) {
	f.Add(bankfiletest.MT940(month()))
	f.Add([]byte(swift("C260302EUR112,50", ":61:2603030302RDR12,50NTRFX//B\nowner", ":86:/EREF/E//CNTP/A/B/C/D//REMI/USTD//text")))
	f.Add([]byte("{1:F01}{4:\n:20:A\n:60F:C260301EUR0,\n:61:260302C1,NTRFX\n:86:166?20EREF+A?21SVWZ+B?31C?32D\n:62M:C260301EUR1,\n-}"))
	f.Fuzz(func(t *testing.T, raw []byte) { holds(t, raw, bankfile.Options{}) })
}

func FuzzCSV(f *testing.F) {
	csv, _ := bankfiletest.CSV(month())
	f.Add(csv, ";", ",", "DD.MM.YYYY", 1, 0, "signed")
	f.Add([]byte("day,amount,balance\n2026-03-03,-2,9\n2026-03-02,\"1,000.50\",11\n"), ",", ".", "YYYY-MM-DD", 1, 0, "inverted")
	f.Add([]byte("x\nday|in|out|kind\n2.3.26|1||C\n\nTotal|1\n"), "|", ".", "D.M.YY", 2, 1, "separate")
	f.Fuzz(func(t *testing.T, raw []byte, delimiter, decimal, layout string, header, footer int, sign string) {
		guessed, err := bankfile.GuessMapping(raw)
		require.NoError(t, err)
		if guessed.Currency == "" && guessed.FixedCurrency == "" {
			guessed.FixedCurrency = "EUR"
		}
		holds(t, raw, bankfile.Options{Mapping: &guessed})
		m := bankfile.Mapping{
			Delimiter: delimiter, Decimal: decimal, DateLayout: layout, HeaderRow: header, FooterRows: footer, Sign: bankfile.Sign(sign), FixedCurrency: "EUR",
			Date: "1", Amount: "2", Credit: "2", Debit: "3", Indicator: "4", CreditWord: "C", DebitWord: "D", Balance: "3", Text: []string{"4"},
		}
		if header > 0 {
			m.Date, m.Amount, m.Credit, m.Debit, m.Indicator, m.Balance, m.Text = "day", "amount", "in", "out", "kind", "", nil
		}
		holds(t, raw, bankfile.Options{Mapping: &m, Account: ours})
	})
}

func FuzzWriteCreditTransfers(f *testing.F) {
	f.Add("Anna Smith", "Payout", "WD-1", "000123", "WESTGB2L", int64(100), "EUR")
	f.Add("Jürgen & <b>", "\x00\xff", "W/D", "", "", int64(1), "JPY")
	f.Fuzz(func(t *testing.T, name, text, id, account, bic string, amount int64, currency string) {
		p := payment(id)
		p.CreditorName, p.Text, p.CreditorIBAN, p.CreditorAccount, p.CreditorBIC, p.Amount, p.Currency = name, text, "", account, bic, amount, currency
		b := batch(p)
		if _, err := bankfile.WriteCreditTransfers(b); err != nil {
			return
		}
		out, _ := written(t, b)
		transfer := out.Groups[0].Transfers[0]
		require.Equal(t, []string{id, bankfile.FormatAmount(amount, currency)}, []string{transfer.EndToEnd, transfer.Amount.Value})
		for _, part := range []string{transfer.Name, transfer.Text, transfer.Account} {
			require.Regexp(t, `^[A-Za-z0-9/?:().,'+ -]*$`, part)
		}
		require.True(t, len(transfer.Name) <= 70 && transfer.Name != "" && len(transfer.Text) <= 140 && len(transfer.Account) <= 34)
	})
}

package bankfile_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/bankfile"
	"candor/app/platform/errs"
)

// plain is the mapping of a file with the columns day and amount.
func plain() bankfile.Mapping {
	return bankfile.Mapping{Delimiter: ",", Decimal: ".", DateLayout: "YYYY-MM-DD", HeaderRow: 1, Sign: bankfile.Signed, Date: "day", Amount: "amount", FixedCurrency: "EUR"}
}

func readCSV(raw string, m bankfile.Mapping) (bankfile.File, error) {
	return bankfile.Read([]byte(raw), bankfile.Options{Mapping: &m, Account: ours})
}

func csvLines(t *testing.T, raw string, m bankfile.Mapping) []bankfile.Line {
	t.Helper()
	file, err := readCSV(raw, m)
	require.NoError(t, err)
	require.Len(t, file.Statements, 1)
	return file.Statements[0].Lines
}

func amounts(lines []bankfile.Line) (out []int64) {
	for _, line := range lines {
		out = append(out, line.Amount)
	}
	return out
}

func TestMappingIsKeptAsJSON(t *testing.T) {
	t.Parallel()
	m := plain()
	m.Text = []string{"text", "more"}
	raw, err := json.Marshal(m)
	require.NoError(t, err)
	require.JSONEq(t, `{"delimiter":",","decimal":".","date_layout":"YYYY-MM-DD","header_row":1,"footer_rows":0,"sign":"signed","date":"day","amount":"amount","fixed_currency":"EUR","text":["text","more"]}`, string(raw))
	var back bankfile.Mapping
	require.NoError(t, json.Unmarshal(raw, &back))
	require.Equal(t, m, back)
}

func TestMappingValidate(t *testing.T) {
	t.Parallel()
	require.NoError(t, plain().Validate())
	for name, test := range map[string]struct {
		change func(*bankfile.Mapping)
		field  string
	}{
		"NoDelimiter":      {func(m *bankfile.Mapping) { m.Delimiter = "" }, "delimiter"},
		"LongDelimiter":    {func(m *bankfile.Mapping) { m.Delimiter = ",," }, "delimiter"},
		"NewlineDelimiter": {func(m *bankfile.Mapping) { m.Delimiter = "\n" }, "delimiter"},
		"Decimal":          {func(m *bankfile.Mapping) { m.Decimal = "" }, "decimal"},
		"NoLayout":         {func(m *bankfile.Mapping) { m.DateLayout = "" }, "date_layout"},
		"NoDay":            {func(m *bankfile.Mapping) { m.DateLayout = "YYYY-MM" }, "date_layout"},
		"TwoDays":          {func(m *bankfile.Mapping) { m.DateLayout = "DD-MM-YYYY-DD" }, "date_layout"},
		"OddLayout":        {func(m *bankfile.Mapping) { m.DateLayout = "YYY-MM-DD" }, "date_layout"},
		"LowerLayout":      {func(m *bankfile.Mapping) { m.DateLayout = "yyyy-mm-dd" }, "date_layout"},
		"HeaderRow":        {func(m *bankfile.Mapping) { m.HeaderRow = -1 }, "header_row"},
		"FooterRows":       {func(m *bankfile.Mapping) { m.FooterRows = -1 }, "footer_rows"},
		"Sign":             {func(m *bankfile.Mapping) { m.Sign = "" }, "sign"},
		"Date":             {func(m *bankfile.Mapping) { m.Date = "" }, "date"},
		"Amount":           {func(m *bankfile.Mapping) { m.Amount = "" }, "amount"},
		"Credit":           {func(m *bankfile.Mapping) { m.Sign, m.Debit = bankfile.Separate, "out" }, "credit"},
		"Debit":            {func(m *bankfile.Mapping) { m.Sign, m.Credit = bankfile.Separate, "in" }, "debit"},
		"Indicator":        {func(m *bankfile.Mapping) { m.Sign = bankfile.Indicated }, "indicator"},
		"CreditWord":       {func(m *bankfile.Mapping) { m.Sign, m.Indicator = bankfile.Indicated, "x" }, "credit_word"},
		"SameWords": {func(m *bankfile.Mapping) {
			m.Sign, m.Indicator, m.CreditWord, m.DebitWord = bankfile.Indicated, "x", "c", "C"
		}, "debit_word"},
		"NoCurrency":    {func(m *bankfile.Mapping) { m.FixedCurrency = "" }, "currency"},
		"TwoCurrencies": {func(m *bankfile.Mapping) { m.Currency = "ccy" }, "fixed_currency"},
		"BadCurrency":   {func(m *bankfile.Mapping) { m.FixedCurrency = "eur" }, "fixed_currency"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := plain()
			test.change(&m)
			_, err := readCSV("day,amount\n2026-03-02,1\n", m)
			require.Equal(t, m.Validate(), err)
			require.Contains(t, errs.As(err).Fields, test.field)
		})
	}
}

func TestCSVDates(t *testing.T) {
	t.Parallel()
	for layout, text := range map[string]string{
		"YYYY-MM-DD": "2026-03-02", "DD.MM.YYYY": "02.03.2026", "D.M.YYYY": "2.3.2026", "DD.MM.YY": "02.03.26", "DD/MM/YYYY": "02/03/2026", "MM/DD/YYYY": "03/02/2026",
		"YYYYMMDD": "20260302", "DD-MM-YYYY": "02-03-2026", "YYYY MM DD": "2026 03 02",
	} {
		m := plain()
		m.DateLayout = layout
		line := csvLines(t, "day,amount\n"+text+",1\n", m)[0]
		require.Equal(t, []bankfile.Date{day(2), day(2)}, []bankfile.Date{line.Booked, line.Value}, layout)
	}
	for _, text := range []string{"2026-03-02 13:14:15", "2026-03-02T13:14:15Z"} {
		require.Equal(t, day(2), csvLines(t, "day,amount\n"+text+",1\n", plain())[0].Booked, "the time of day doesn't count")
	}
	for _, text := range []string{"", "02.03.2026", "2026-02-30", "2026-3-2", "20260302", "yesterday"} {
		_, err := readCSV("day,amount\n"+text+",1\n", plain())
		refused(t, err, bankfile.ErrDate, "line", "2", "value", text)
	}
}

func TestCSVNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1": 1_00, "1.5": 1_50, "-1.50": -1_50, "+1.50": 1_50, "1.50-": -1_50, "(1.50)": -1_50, "−1.50": -1_50, "1,234.50": 1234_50, "1,234,567": 1234567_00, "1'234.50": 1234_50,
		"1 234.50": 1234_50, "1\u00a0234.50": 1234_50, "€ 1.50": 1_50, "1.50 EUR": 1_50, "-€1.50": -1_50, ".50": 50, "1.500": 1_50, "0": 0, "-92233720368547758.07": -9223372036854775807,
	} {
		require.Equal(t, want, csvLines(t, "day;amount\n2026-03-02;"+text+"\n", semicolons("."))[0].Amount, text)
	}
	for text, want := range map[string]int64{"1,5": 1_50, "1.234,50": 1234_50, "-1.234.567,00": -1234567_00, "1234": 1234_00, "1’234,50": 1234_50} {
		require.Equal(t, want, csvLines(t, "day;amount\n2026-03-02;"+text+"\n", semicolons(","))[0].Amount, text)
	}
	for decimal, texts := range map[string][]string{
		".": {"", "-", ".", "1.", "x", "1.505", "1,5", "1,23.50", "1,2345", ",123", "1,234.5.6", "1.5e3", "--1", "-1-", "1.50 USD", "0x10", "92233720368547758.08", "NaN", "١"},
		",": {"1.5", "1.50", "12.34,50", "1,234.50", "1,505"},
	} {
		for _, text := range texts {
			_, err := readCSV("day;amount\n2026-03-02;"+text+"\n", semicolons(decimal))
			refused(t, err, bankfile.ErrAmount, "line", "2", "value", text)
		}
	}
}

func semicolons(decimal string) bankfile.Mapping {
	m := plain()
	m.Delimiter, m.Decimal = ";", decimal
	return m
}

func TestCSVSigns(t *testing.T) {
	t.Parallel()
	t.Run("Inverted", func(t *testing.T) {
		t.Parallel()
		m := plain()
		m.Sign = bankfile.Inverted
		require.Equal(t, []int64{-1_00, 2_00}, amounts(csvLines(t, "day,amount\n2026-03-02,1\n2026-03-02,-2\n", m)))
	})
	t.Run("Separate", func(t *testing.T) {
		t.Parallel()
		m := plain()
		m.Sign, m.Amount, m.Credit, m.Debit = bankfile.Separate, "", "in", "out"
		require.Equal(t, []int64{1_00, -2_00, -3_00, 0, 4_00}, amounts(csvLines(t, "day,in,out\n2026-03-02,1,\n2026-03-02,,2\n2026-03-02,,-3\n2026-03-02,0,0\n2026-03-02,4,0.00\n", m)))
		for _, cells := range []string{",", "1,2", "-1,", "x,", ",x", "1,x"} {
			_, err := readCSV("day,in,out\n2026-03-02,"+cells+"\n", m)
			require.ErrorIs(t, err, bankfile.ErrAmount, cells)
		}
	})
	t.Run("Indicated", func(t *testing.T) {
		t.Parallel()
		m := plain()
		m.Sign, m.Indicator, m.CreditWord, m.DebitWord = bankfile.Indicated, "kind", "H", "S"
		require.Equal(t, []int64{1_00, -2_00}, amounts(csvLines(t, "day,amount,kind\n2026-03-02,1,h\n2026-03-02,2,S\n", m)))
		_, err := readCSV("day,amount,kind\n2026-03-02,1,X\n", m)
		refused(t, err, bankfile.ErrDirection, "line", "2", "value", "X")
		_, err = readCSV("day,amount,kind\n2026-03-02,-1,S\n", m)
		refused(t, err, bankfile.ErrAmount, "line", "2", "value", "-1")
	})
}

func TestCSVRows(t *testing.T) {
	t.Parallel()
	t.Run("AboveAndBelowTheLinesAreSkipped", func(t *testing.T) {
		t.Parallel()
		m := plain()
		m.HeaderRow, m.FooterRows = 4, 2
		lines := csvLines(t, "Bank \"of\" Example\nAccount,\"1\"\n\nday,amount\n\n2026-03-02,1\n,\n2026-03-03,2\nTotal,3\nEnd,\n", m)
		require.Equal(t, []int64{1_00, 2_00}, amounts(lines))
		require.Equal(t, []int{6, 8}, []int{lines[0].Row, lines[1].Row})
		_, err := readCSV("a\nb\nc\nday,amount\n2026-03-02,1\n2026-03-02,x\nTotal,3\nEnd,\n", m)
		refused(t, err, bankfile.ErrAmount, "line", "6", "value", "x")
	})
	t.Run("WithoutHeaderColumnsAreNumbers", func(t *testing.T) {
		t.Parallel()
		m := plain()
		m.HeaderRow, m.Date, m.Amount, m.Text = 0, "3", "1", []string{"2", "4"}
		line := csvLines(t, "1.50,Deposit,2026-03-02,SP-1\n", m)[0]
		require.Equal(t, []any{day(2), int64(1_50), "Deposit SP-1"}, []any{line.Booked, line.Amount, line.Text})
		for _, column := range []string{"0", "-1", "day", "501", ""} {
			m.Value = column
			_, err := readCSV("1.50,Deposit,2026-03-02\n", m)
			if column == "" {
				require.NoError(t, err)
				continue
			}
			refused(t, err, bankfile.ErrColumn, "column", column)
		}
	})
	t.Run("MissingColumnsAreNamed", func(t *testing.T) {
		t.Parallel()
		m := plain()
		m.Text = []string{"words"}
		_, err := readCSV("day,amount\n2026-03-02,1\n", m)
		refused(t, err, bankfile.ErrColumn, "column", "words")
		require.Len(t, csvLines(t, " Day ,AMOUNT,Words\n2026-03-02,1\n", m), 1, "case and spaces don't count, and a short row has empty cells")
	})
	t.Run("BrokenQuotesAreNamed", func(t *testing.T) {
		t.Parallel()
		_, err := readCSV("day,amount\n2026-03-02,1\n2026-03-02,\"2\n2026-03-02,3\n", plain())
		refused(t, err, bankfile.ErrBroken, "line", "3")
		_, err = readCSV("day,amount\n2026-03-02,1\n2026-03-02,2\"\n", plain())
		refused(t, err, bankfile.ErrBroken, "line", "3")
	})
	t.Run("TooManyColumnsAreNamed", func(t *testing.T) {
		t.Parallel()
		require.Len(t, csvLines(t, "day,amount\n2026-03-02,1"+strings.Repeat(",", 498)+"\n", plain()), 1)
		_, err := readCSV("day,amount\n2026-03-02,1"+strings.Repeat(",", 499)+"\n", plain())
		refused(t, err, bankfile.ErrBroken, "line", "2")
	})
	t.Run("NoLines", func(t *testing.T) {
		t.Parallel()
		for _, raw := range []string{"day,amount\n", "day,amount\n,\n", "day,amount"} {
			_, err := readCSV(raw, plain())
			refused(t, err, bankfile.ErrEmpty)
		}
	})
	t.Run("Limit", func(t *testing.T) {
		t.Parallel()
		_, err := readCSV("day,amount\n"+strings.Repeat("2026-03-02,1\n", bankfile.MaxLines+1), plain())
		refused(t, err, bankfile.ErrTooManyLines, "limit", strconv.Itoa(bankfile.MaxLines))
	})
}

func TestCSVCurrencies(t *testing.T) {
	t.Parallel()
	m := plain()
	m.FixedCurrency, m.Currency = "", "ccy"
	file, err := readCSV("day,amount,ccy\n2026-03-02,1,USD\n2026-03-02,2.5,jpy\n2026-03-03,3,USD\n", m)
	refused(t, err, bankfile.ErrAmount, "line", "3", "value", "2.5")
	require.Empty(t, file)
	file, err = readCSV("day,amount,ccy\n2026-03-02,1,USD\n2026-03-02,2,jpy\n2026-03-03,3,USD\n", m)
	require.NoError(t, err)
	require.Len(t, file.Statements, 2, "each currency is a statement of its own")
	require.Equal(t, []string{"USD", "JPY"}, []string{file.Statements[0].Currency, file.Statements[1].Currency})
	require.Equal(t, []int64{1_00, 3_00}, amounts(file.Statements[0].Lines))
	require.Equal(t, []int64{2}, amounts(file.Statements[1].Lines))
	_, err = readCSV("day,amount,ccy\n2026-03-02,1,\n", m)
	refused(t, err, bankfile.ErrCurrency, "line", "2", "value", "")
}

func TestCSVBalances(t *testing.T) {
	t.Parallel()
	m := plain()
	m.Balance = "balance"
	rows := func(rows ...string) string { return "day,amount,balance\n" + strings.Join(rows, "\n") + "\n" }
	statement := func(t *testing.T, raw string) bankfile.Statement {
		file, err := readCSV(raw, m)
		require.NoError(t, err)
		return file.Statements[0]
	}
	t.Run("OldestFirst", func(t *testing.T) {
		t.Parallel()
		s := statement(t, rows("2026-03-02,1,11", "2026-03-03,-2,9"))
		require.Equal(t, []any{bankfile.Balance{Date: day(2), Amount: 10_00}, bankfile.Balance{Date: day(3), Amount: 9_00}}, []any{*s.Opening, *s.Closing})
	})
	t.Run("NewestFirstIsTurned", func(t *testing.T) {
		t.Parallel()
		s := statement(t, rows("2026-03-03,-2,9", "2026-03-03,3,11", "2026-03-02,1,8"))
		require.Equal(t, []int64{1_00, 3_00, -2_00}, amounts(s.Lines))
		require.Equal(t, []int{1, 4}, []int{s.Lines[0].Index, s.Lines[0].Row})
		require.Equal(t, []int64{7_00, 9_00}, []int64{s.Opening.Amount, s.Closing.Amount})
	})
	t.Run("TheBalancesTellTheOrderOfOneDay", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []int64{3_00, 1_00}, amounts(statement(t, rows("2026-03-02,1,14", "2026-03-02,3,13")).Lines))
		require.Equal(t, []int64{1_00, 3_00}, amounts(statement(t, rows("2026-03-02,1,11", "2026-03-02,3,14")).Lines))
	})
	t.Run("WithoutBalancesTheDatesTellIt", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []int64{3_00, 1_00}, amounts(csvLines(t, "day,amount\n2026-03-03,1\n2026-03-02,3\n", plain())))
	})
	t.Run("SomeMayBeMissing", func(t *testing.T) {
		t.Parallel()
		s := statement(t, rows("2026-03-02,1,", "2026-03-02,2,13", "2026-03-03,4,", "2026-03-03,5,22"))
		require.Equal(t, []int64{10_00, 22_00}, []int64{s.Opening.Amount, s.Closing.Amount})
		s = statement(t, rows("2026-03-02,1,11", "2026-03-03,4,"))
		require.Equal(t, int64(10_00), s.Opening.Amount)
		require.Nil(t, s.Closing)
	})
	t.Run("AGapIsNamed", func(t *testing.T) {
		t.Parallel()
		_, err := readCSV(rows("2026-03-02,1,11", "2026-03-02,1,12", "2026-03-03,1,14"), m)
		refused(t, err, bankfile.ErrRunning, "line", "4", "balance", "14.00", "made", "13.00", "currency", "EUR")
		_, err = readCSV(rows("2026-03-03,1,14", "2026-03-02,1,12", "2026-03-02,1,11"), m)
		refused(t, err, bankfile.ErrRunning, "line", "2", "balance", "14.00", "made", "13.00", "currency", "EUR")
	})
	t.Run("ARepeatedRowIsNamed", func(t *testing.T) {
		t.Parallel()
		_, err := readCSV(rows("2026-03-02,1,11", "2026-03-02,1,11"), m)
		require.ErrorIs(t, err, bankfile.ErrRunning)
	})
	t.Run("ABadOneIsNamed", func(t *testing.T) {
		t.Parallel()
		_, err := readCSV(rows("2026-03-02,1,x"), m)
		refused(t, err, bankfile.ErrAmount, "line", "2", "value", "x")
	})
}

func TestGuessMapping(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		raw  string
		want bankfile.Mapping
		line bankfile.Line
	}{
		"German": {
			"Umsätze Girokonto\nKonto;DE89370400440532013000\n\nBuchungstag;Valutadatum;Beguenstigter/Zahlungspflichtiger;Kontonummer/IBAN;Verwendungszweck;Kundenreferenz (End-to-End);Betrag;Währung;Saldo nach Buchung\n" +
				"02.03.2026;03.03.2026;Jürgen Müller;GB82 WEST 1234 5698 7654 32;Deposit SP-7781;E2E-1;1.250,00;EUR;2.250,00\n",
			bankfile.Mapping{Delimiter: ";", Decimal: ",", DateLayout: "DD.MM.YYYY", HeaderRow: 4, Sign: bankfile.Signed, Date: "Buchungstag", Value: "Valutadatum", Amount: "Betrag", Currency: "Währung",
				Counterparty: "Beguenstigter/Zahlungspflichtiger", Account: "Kontonummer/IBAN", Reference: "Kundenreferenz (End-to-End)", Text: []string{"Verwendungszweck"}, Balance: "Saldo nach Buchung"},
			bankfile.Line{Row: 5, Booked: day(2), Value: day(3), Amount: 1250_00, Currency: "EUR", Counterparty: "Jürgen Müller", CounterpartyAccount: theirs, Reference: "E2E-1", Text: "Deposit SP-7781"},
		},
		"SeparateColumns": {
			"Date,Description,Paid in (GBP),Paid out (GBP),Balance (GBP)\n03/02/2026,Deposit,\"1,250.00\",,2250.00\n03/25/2026,Payout,,1.00,2249.00\n",
			bankfile.Mapping{Delimiter: ",", Decimal: ".", DateLayout: "MM/DD/YYYY", HeaderRow: 1, Sign: bankfile.Separate, Date: "Date", Credit: "Paid in (GBP)", Debit: "Paid out (GBP)", FixedCurrency: "GBP",
				Text: []string{"Description"}, Balance: "Balance (GBP)"},
			bankfile.Line{Row: 2, Booked: day(2), Value: day(2), Amount: 1250_00, Currency: "GBP", Text: "Deposit"},
		},
		"Indicator": {
			"Booking date\tAmount\tCurrency\tCredit/Debit\tTransaction ID\n2026-03-02\t12.50\tUSD\tCR\tT-1\n2026-03-02\t1.25\tUSD\tDR\tT-2\n",
			bankfile.Mapping{Delimiter: "\t", Decimal: ".", DateLayout: "YYYY-MM-DD", HeaderRow: 1, Sign: bankfile.Indicated, Date: "Booking date", Amount: "Amount", Currency: "Currency", Indicator: "Credit/Debit",
				CreditWord: "CR", DebitWord: "DR", BankReference: "Transaction ID"},
			bankfile.Line{Row: 2, Booked: day(2), Value: day(2), Amount: 12_50, Currency: "USD", BankReference: "T-1"},
		},
		"Chinese": {
			"交易日期,收入,支出,余额,币种,对方户名,对方账号,摘要,交易流水号\n2026/03/02,12.50,,12.50,USD,张伟,6222020200112233445,入金,T-1\n",
			bankfile.Mapping{Delimiter: ",", Decimal: ".", DateLayout: "YYYY/MM/DD", HeaderRow: 1, Sign: bankfile.Separate, Date: "交易日期", Credit: "收入", Debit: "支出", Currency: "币种", Counterparty: "对方户名",
				Account: "对方账号", Text: []string{"摘要"}, BankReference: "交易流水号", Balance: "余额"},
			bankfile.Line{Row: 2, Booked: day(2), Value: day(2), Amount: 12_50, Currency: "USD", Counterparty: "张伟", CounterpartyAccount: "6222020200112233445", BankReference: "T-1", Text: "入金"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := bankfile.GuessMapping([]byte(test.raw))
			require.NoError(t, err)
			require.Equal(t, test.want, m)
			test.line.Index = 1
			require.Equal(t, test.line, csvLines(t, test.raw, m)[0])
		})
	}
	for _, raw := range []string{"", "hello", "1;2\n3;4\n", "\x00\xff"} {
		m, err := bankfile.GuessMapping([]byte(raw))
		require.NoError(t, err)
		require.Zero(t, m, "nothing is known")
		require.Error(t, m.Validate())
	}
	_, err := bankfile.GuessMapping(make([]byte, bankfile.MaxBytes+1))
	refused(t, err, bankfile.ErrTooLarge, "megabytes", "10")
	long := "Datum;Betrag\n" + strings.Repeat("02.03.2026;1,50 ü\n", 10_000)
	m, err := bankfile.GuessMapping([]byte(long))
	require.NoError(t, err)
	require.Equal(t, "Datum", m.Date, "a long file is looked at from its beginning")
}

func TestATableIsToldFromOtherText(t *testing.T) {
	for text, want := range map[string]bool{
		"Date;Amount\n2026-11-02;10,00\n": true,
		"a\tb":                            true,
		"no statement":                    false,
		"no\nstatement\n":                 false,
		"":                                false,
		"<Document>a;b</Document>":        false,
		":20:START\n:25:a;b\n":            false,
	} {
		require.Equal(t, want, bankfile.IsCSV([]byte(text)), "%q", text)
	}
}

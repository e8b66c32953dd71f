package bankfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/bankfile"
	"candor/app/platform/errs"
)

// camt is a document of version 2 around the content of its one Stmt.
func camt(content string) []byte {
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<BkToCstmrStmt><GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-03-03T06:00:00+01:00</CreDtTm></GrpHdr><Stmt><Id>S-1</Id>
<StmtPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></StmtPgntn><ElctrncSeqNb>41</ElctrncSeqNb><LglSeqNb>7</LglSeqNb>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Candor</Nm></Ownr></Acct>
` + content + "</Stmt></BkToCstmrStmt></Document>")
}

func bal(code, amount, indicator string) string {
	return fmt.Sprintf(`<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>`, code, amount, indicator)
}

// ntry is a booking of version 2 with more elements at its end.
func ntry(amount, indicator, more string) string {
	return fmt.Sprintf(`<Ntry><Amt Ccy="EUR">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><ValDt><DtTm>2026-03-03T00:00:00+01:00</DtTm></ValDt>%s</Ntry>`,
		amount, indicator, more)
}

func camtLines(t *testing.T, content string) []bankfile.Line {
	t.Helper()
	return read(t, camt(content), bankfile.Options{}).Statements[0].Lines
}

func TestCAMTStatement(t *testing.T) {
	t.Parallel()
	s := read(t, camt(bal("PRCD", "10.5", "DBIT")+bal("CLBD", "2", "CRDT")+bal("CLAV", "99", "CRDT")+ntry("12.50", "CRDT", "")), bankfile.Options{}).Statements[0]
	require.Equal(t, []any{"S-1", int64(41), int64(2), ours, "EUR", day(2), day(2)}, []any{s.ID, s.Sequence, s.Page, s.Account, s.Currency, s.From, s.To})
	require.Equal(t, &bankfile.Balance{Date: day(2), Amount: -10_50}, s.Opening, "the closing of the statement before opens this one")
	require.Equal(t, &bankfile.Balance{Date: day(2), Amount: 2_00}, s.Closing)
	require.Equal(t, bankfile.Line{Index: 1, Row: 6, Booked: day(2), Value: day(3), Amount: 12_50, Currency: "EUR"}, s.Lines[0])
}

func TestCAMTInterimBalances(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		balances         string
		opening, closing int64
	}{
		"FirstPage":  {bal("OPBD", "1", "CRDT") + bal("ITBD", "3", "CRDT"), 1_00, 3_00},
		"MiddlePage": {bal("ITBD", "1", "CRDT") + bal("ITBD", "3", "CRDT"), 1_00, 3_00},
		"LastPage":   {bal("ITBD", "1", "CRDT") + bal("CLBD", "3", "CRDT"), 1_00, 3_00},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := read(t, camt(test.balances+ntry("2", "CRDT", "")), bankfile.Options{}).Statements[0]
			require.Equal(t, []int64{test.opening, test.closing}, []int64{s.Opening.Amount, s.Closing.Amount})
			require.True(t, s.Opening.Interim || s.Closing.Interim)
			_, err := bankfile.Read(camt(test.balances+ntry("2.01", "CRDT", "")), bankfile.Options{})
			refused(t, err, bankfile.ErrBalance, "statement", "41", "opening", "1.00", "sum", "2.01", "made", "3.01", "closing", "3.00", "currency", "EUR")
		})
	}
	s := read(t, camt(bal("ITBD", "1", "CRDT")+ntry("2", "CRDT", "")), bankfile.Options{}).Statements[0]
	require.Nil(t, s.Opening)
	require.Equal(t, int64(1_00), s.Closing.Amount, "a single interim balance is where the page ends")
}

func TestCAMTDetails(t *testing.T) {
	t.Parallel()
	details := `<NtryDtls><TxDtls><Refs><EndToEndId>E2E-1</EndToEndId></Refs><RltdPties><Dbtr><Nm>Payer  Ltd</Nm></Dbtr><DbtrAcct><Id><IBAN>GB82 WEST 1234 5698 7654 32</IBAN></Id></DbtrAcct>
<Cdtr><Nm>Candor</Nm></Cdtr><CdtrAcct><Id><Othr><Id>0532013000</Id></Othr></Id></CdtrAcct></RltdPties>
<RmtInf><Ustrd>Deposit</Ustrd><Ustrd>SP-7781</Ustrd></RmtInf></TxDtls></NtryDtls><AddtlNtryInf>SEPA CREDIT</AddtlNtryInf>`
	t.Run("ACreditComesFromTheDebtor", func(t *testing.T) {
		t.Parallel()
		line := camtLines(t, ntry("1", "CRDT", "<AcctSvcrRef>B-1</AcctSvcrRef>"+details))[0]
		require.Equal(t, []string{"Payer Ltd", theirs, "E2E-1", "B-1", "Deposit SP-7781"}, []string{line.Counterparty, line.CounterpartyAccount, line.Reference, line.BankReference, line.Text})
	})
	t.Run("ADebitGoesToTheCreditor", func(t *testing.T) {
		t.Parallel()
		line := camtLines(t, ntry("1", "DBIT", details))[0]
		require.Equal(t, []any{int64(-1_00), "Candor", "0532013000", false}, []any{line.Amount, line.Counterparty, line.CounterpartyAccount, line.Reversal})
	})
	t.Run("AReversalKeepsThePartiesAndItsOwnDirection", func(t *testing.T) {
		t.Parallel()
		line := camtLines(t, ntry("1", "DBIT", "<RvslInd>true</RvslInd>"+details))[0]
		require.Equal(t, []any{int64(-1_00), "Payer Ltd", true}, []any{line.Amount, line.Counterparty, line.Reversal})
		require.False(t, camtLines(t, ntry("1", "DBIT", "<RvslInd>false</RvslInd>"+details))[0].Reversal)
	})
	t.Run("AReturnIsNotFromOurselves", func(t *testing.T) {
		t.Parallel()
		back := strings.Replace(strings.Replace(details, "GB82 WEST 1234 5698 7654 32", ours, 1), "Payer  Ltd", "Candor", 1)
		line := camtLines(t, ntry("1", "CRDT", strings.Replace(back, "<Cdtr><Nm>Candor", "<Cdtr><Nm>Payee Ltd", 1)))[0]
		require.Equal(t, []string{"Payee Ltd", "0532013000"}, []string{line.Counterparty, line.CounterpartyAccount}, "our own account as debtor means that the payee sends it back")
	})
	t.Run("NamesOfVersion8AreOneLevelDeeper", func(t *testing.T) {
		t.Parallel()
		line := camtLines(t, strings.Replace(ntry("1", "CRDT", strings.ReplaceAll(details, "<Dbtr><Nm>Payer  Ltd</Nm></Dbtr>", "<Dbtr><Pty><Nm>Payer Ltd</Nm></Pty></Dbtr>")),
			"<Sts>BOOK</Sts>", "<Sts><Cd>BOOK</Cd></Sts>", 1))[0]
		require.Equal(t, "Payer Ltd", line.Counterparty)
	})
	t.Run("StructuredRemittance", func(t *testing.T) {
		t.Parallel()
		structured := `<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId><AcctSvcrRef>T-1</AcctSvcrRef></Refs><RmtInf><Strd><RfrdDocInf><Nb>INV-9</Nb></RfrdDocInf>
<CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf><AddtlRmtInf>march</AddtlRmtInf></Strd></RmtInf></TxDtls></NtryDtls>`
		line := camtLines(t, ntry("1", "CRDT", structured))[0]
		require.Equal(t, []string{"RF18539007547034", "RF18539007547034 INV-9 march", "T-1"}, []string{line.Reference, line.Text, line.BankReference})
	})
	t.Run("WithoutDetailsTheBookingHasItsOwnText", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "FEES MARCH", camtLines(t, ntry("1", "DBIT", "<AddtlNtryInf>FEES\n MARCH</AddtlNtryInf>"))[0].Text)
	})
	t.Run("PendingBookingsAreNone", func(t *testing.T) {
		t.Parallel()
		for _, status := range []string{"<Sts>PDNG</Sts>", "<Sts>INFO</Sts>", "<Sts><Cd>PDNG</Cd></Sts>", "<Sts><Cd>FUTR</Cd></Sts>"} {
			lines := camtLines(t, strings.Replace(ntry("1", "CRDT", ""), "<Sts>BOOK</Sts>", status, 1)+ntry("2", "CRDT", ""))
			require.Len(t, lines, 1, status)
			require.Equal(t, int64(2_00), lines[0].Amount)
		}
	})
}

func TestCAMTSeveralTransactions(t *testing.T) {
	t.Parallel()
	old := func(amount, more string) string {
		return `<TxDtls><Refs>` + more + `</Refs><AmtDtls><TxAmt><Amt Ccy="EUR">` + amount + `</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>part ` + amount + `</Ustrd></RmtInf></TxDtls>`
	}
	batch := func(reference, total string, parts ...string) string {
		return ntry(total, "CRDT", reference+"<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>"+strings.Join(parts, "")+"</NtryDtls><AddtlNtryInf>BATCH</AddtlNtryInf>")
	}
	t.Run("BecomeLines", func(t *testing.T) {
		t.Parallel()
		lines := camtLines(t, batch("<AcctSvcrRef>B-1</AcctSvcrRef>", "3.50", old("1.25", ""), old("2.25", "<AcctSvcrRef>T-2</AcctSvcrRef>")))
		require.Len(t, lines, 2)
		require.Equal(t, []any{int64(1_25), "part 1.25", "B-1/1", 1}, []any{lines[0].Amount, lines[0].Text, lines[0].BankReference, lines[0].Index})
		require.Equal(t, []any{int64(2_25), "part 2.25", "T-2", 2}, []any{lines[1].Amount, lines[1].Text, lines[1].BankReference, lines[1].Index})
	})
	t.Run("OfVersion8HaveAmountAndDirection", func(t *testing.T) {
		t.Parallel()
		lines := camtLines(t, batch("", "3.50", `<TxDtls><Amt Ccy="EUR">5</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`, `<TxDtls><Amt Ccy="EUR">1.5</Amt><CdtDbtInd>DBIT</CdtDbtInd></TxDtls>`))
		require.Equal(t, []int64{5_00, -1_50}, []int64{lines[0].Amount, lines[1].Amount})
		require.Equal(t, []string{"", ""}, []string{lines[0].BankReference, lines[1].BankReference})
	})
	t.Run("WithTheSameReferenceAreCounted", func(t *testing.T) {
		t.Parallel()
		lines := camtLines(t, batch("", "2", old("1", "<AcctSvcrRef>T</AcctSvcrRef>"), old("1", "<AcctSvcrRef>T</AcctSvcrRef>")))
		require.Equal(t, []string{"T/1", "T/2"}, []string{lines[0].BankReference, lines[1].BankReference})
	})
	t.Run("StayOneLineUnlessTheyMakeTheBooking", func(t *testing.T) {
		t.Parallel()
		for name, parts := range map[string][]string{
			"OtherSum":      {old("1", ""), old("2", "")},
			"NoAmount":      {old("3.50", ""), "<TxDtls/>"},
			"OtherCurrency": {old("1", ""), strings.Replace(old("2.50", ""), "EUR", "USD", 1)},
			"BadAmount":     {old("1", ""), old("2,50", "")},
			"TooLarge":      {old("92233720368547758.07", ""), old("92233720368547758.07", "")},
		} {
			lines := camtLines(t, batch("<AcctSvcrRef>B-1</AcctSvcrRef>", "3.50", parts...))
			require.Len(t, lines, 1, name)
			require.Equal(t, []any{int64(3_50), "B-1", "BATCH"}, []any{lines[0].Amount, lines[0].BankReference, lines[0].Text}, name)
		}
	})
}

func TestCAMTVersionsAndPrefixes(t *testing.T) {
	t.Parallel()
	plain := string(camt(ntry("1", "CRDT", "")))
	for _, version := range []string{"02", "03", "04", "06", "08", "10", "13"} {
		raw := strings.ReplaceAll(plain, "053.001.02", "053.001."+version)
		require.Len(t, read(t, []byte(raw), bankfile.Options{}).Statements, 1, version)
	}
	prefixed := strings.NewReplacer("<?", "<?", "</", "</ns0:", "<", "<ns0:", "xmlns=", "xmlns:ns0=").Replace(plain)
	require.Equal(t, int64(1_00), read(t, []byte(prefixed), bankfile.Options{}).Statements[0].Lines[0].Amount)
	bare := strings.Replace(plain, ` xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"`, "", 1)
	require.Len(t, read(t, []byte(bare), bankfile.Options{}).Statements, 1)
}

func TestCAMTAmountsFollowTheCurrency(t *testing.T) {
	t.Parallel()
	for currency, want := range map[string]int64{"JPY": 1234, "KWD": 1234_000, "CLF": 1234_0000, "USD": 1234_00} {
		raw := strings.ReplaceAll(string(camt(ntry("1234", "CRDT", ""))), "EUR", currency)
		require.Equal(t, want, read(t, []byte(raw), bankfile.Options{}).Statements[0].Lines[0].Amount, currency)
	}
	raw := strings.ReplaceAll(string(camt(ntry("1234.500", "CRDT", ""))), "EUR", "JPY")
	_, err := bankfile.Read([]byte(raw), bankfile.Options{})
	refused(t, err, bankfile.ErrAmount, "line", "6", "value", "1234.500")
}

func TestCAMTRefuses(t *testing.T) {
	t.Parallel()
	replaced := func(before, after string) string {
		return strings.Replace(string(camt(ntry("1", "CRDT", ""))), before, after, 1)
	}
	for name, test := range map[string]struct {
		raw  string
		want *errs.Error
		args []string
	}{
		"IntradayReport":    {strings.ReplaceAll(replaced("", ""), "BkToCstmrStmt", "BkToCstmrAcctRpt"), bankfile.ErrFormat, nil},
		"OtherXML":          {"<html><body>hello</body></html>", bankfile.ErrFormat, nil},
		"NoStatement":       {"<Document><BkToCstmrStmt/></Document>", bankfile.ErrEmpty, nil},
		"CutOff":            {string(camt(""))[:400], bankfile.ErrBroken, []string{"line", "5"}},
		"Mismatched":        {"<Document>\n<BkToCstmrStmt>\n</Document>", bankfile.ErrBroken, []string{"line", "3"}},
		"Doctype":           {replaced("<Document", "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\n<Document"), bankfile.ErrBroken, []string{"line", "2"}},
		"Entity":            {replaced("<Sts>", "<AcctSvcrRef>&a;</AcctSvcrRef><Sts>"), bankfile.ErrBroken, []string{"line", "6"}},
		"TooDeep":           {"<Document><BkToCstmrStmt><Stmt>" + strings.Repeat("<a>", 100) + strings.Repeat("</a>", 100) + "</Stmt></BkToCstmrStmt></Document>", bankfile.ErrBroken, []string{"line", "1"}},
		"AmountNegative":    {replaced(">1<", ">-1<"), bankfile.ErrAmount, []string{"line", "6", "value", "-1"}},
		"AmountComma":       {replaced(">1<", ">1,5<"), bankfile.ErrAmount, []string{"line", "6", "value", "1,5"}},
		"AmountExponent":    {replaced(">1<", ">1e5<"), bankfile.ErrAmount, []string{"line", "6", "value", "1e5"}},
		"AmountFractions":   {replaced(">1<", ">1.005<"), bankfile.ErrAmount, []string{"line", "6", "value", "1.005"}},
		"AmountTooLarge":    {replaced(">1<", ">92233720368547758.08<"), bankfile.ErrAmount, []string{"line", "6", "value", "92233720368547758.08"}},
		"AmountMissing":     {replaced(">1<", "><"), bankfile.ErrAmount, []string{"line", "6", "value", ""}},
		"NoDirection":       {replaced("CRDT", "PLUS"), bankfile.ErrDirection, []string{"line", "6", "value", "PLUS"}},
		"NoDate":            {replaced("2026-03-02", "2026-02-30"), bankfile.ErrDate, []string{"line", "6", "value", "2026-02-30"}},
		"NoValueDate":       {replaced("2026-03-03T00", "03.03.2026 00"), bankfile.ErrDate, []string{"line", "6", "value", "03.03.2026 00:00:00+01:00"}},
		"OtherCurrency":     {replaced(`Ccy="EUR"`, `Ccy="USD"`), bankfile.ErrCurrency, []string{"line", "6", "value", "USD"}},
		"NoCurrency":        {replaced(`Ccy="EUR"`, ``), bankfile.ErrCurrency, []string{"line", "6", "value", ""}},
		"OtherBalance":      {string(camt(strings.Replace(bal("OPBD", "1", "CRDT"), "EUR", "USD", 1))), bankfile.ErrCurrency, []string{"line", "6", "value", "USD"}},
		"BadBalance":        {string(camt(bal("CLBD", "x", "CRDT"))), bankfile.ErrAmount, []string{"line", "6", "value", "x"}},
		"SumTooLarge":       {string(camt(ntry("92233720368547758.07", "CRDT", "") + ntry("1", "CRDT", ""))), bankfile.ErrTotal, []string{"statement", "41"}},
		"SumWithOpening":    {string(camt(bal("OPBD", "92233720368547758.07", "CRDT") + bal("CLBD", "1", "CRDT") + ntry("1", "CRDT", ""))), bankfile.ErrTotal, []string{"statement", "41"}},
		"UnknownEncoding":   {replaced("UTF-8", "UTF-7"), bankfile.ErrBroken, []string{"line", "1"}},
		"InvalidCharacters": {replaced("<Sts>", "<AddtlNtryInf>\x01</AddtlNtryInf><Sts>"), bankfile.ErrBroken, []string{"line", "6"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := bankfile.Read([]byte(test.raw), bankfile.Options{})
			refused(t, err, test.want, test.args...)
		})
	}
}

func TestCAMTLimitOfLines(t *testing.T) {
	t.Parallel()
	small := `<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><ValDt><Dt>2026-03-02</Dt></ValDt></Ntry>`
	require.Less(t, len(small)*(bankfile.MaxLines+1), bankfile.MaxBytes)
	lines := camtLines(t, strings.Repeat(small, 500))
	require.Equal(t, 499, lines[499].Ordinal)
	_, err := bankfile.Read(camt(strings.Repeat(small, bankfile.MaxLines+1)), bankfile.Options{})
	refused(t, err, bankfile.ErrTooManyLines, "limit", "100000")
	_, err = bankfile.Read(camt(ntry("1", "CRDT", "<NtryDtls>"+strings.Repeat("<TxDtls/>", bankfile.MaxLines+1)+"</NtryDtls>")), bankfile.Options{})
	refused(t, err, bankfile.ErrTooManyLines, "limit", "100000")
}

package bankfile_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/bankfile"
	"candor/app/platform/errs"
)

// read001 is what a bank reads of a pain.001, by the paths of the standard.
type read001 struct {
	XMLName xml.Name `xml:"urn:iso:std:iso:20022:tech:xsd:pain.001.001.09 Document"`
	Header  struct {
		MsgId, CreDtTm, NbOfTxs, CtrlSum string
		Initiator                        string `xml:"InitgPty>Nm"`
	} `xml:"CstmrCdtTrfInitn>GrpHdr"`
	Groups []read001Group `xml:"CstmrCdtTrfInitn>PmtInf"`
}

type read001Group struct {
	PmtInfId, PmtMtd, NbOfTxs, CtrlSum string
	On                                 string `xml:"ReqdExctnDt>Dt"`
	Debtor                             string `xml:"Dbtr>Nm"`
	IBAN                               string `xml:"DbtrAcct>Id>IBAN"`
	BIC                                string `xml:"DbtrAgt>FinInstnId>BICFI"`
	NoBIC                              string `xml:"DbtrAgt>FinInstnId>Othr>Id"`
	Service                            string `xml:"PmtTpInf>SvcLvl>Cd"`
	ChrgBr                             string
	Transfers                          []read001Transfer `xml:"CdtTrfTxInf"`
}

type read001Transfer struct {
	EndToEnd string `xml:"PmtId>EndToEndId"`
	Service  string `xml:"PmtTpInf>SvcLvl>Cd"`
	Amount   struct {
		Ccy   string `xml:"Ccy,attr"`
		Value string `xml:",chardata"`
	} `xml:"Amt>InstdAmt"`
	ChrgBr  string
	BIC     string `xml:"CdtrAgt>FinInstnId>BICFI"`
	Name    string `xml:"Cdtr>Nm"`
	IBAN    string `xml:"CdtrAcct>Id>IBAN"`
	Account string `xml:"CdtrAcct>Id>Othr>Id"`
	Text    string `xml:"RmtInf>Ustrd"`
}

func debtor() bankfile.Debtor {
	return bankfile.Debtor{Name: "Candor Markets", IBAN: "DE89 3704 0044 0532 0130 00", BIC: "COBADEFFXXX"}
}

func payment(id string) bankfile.Payment {
	return bankfile.Payment{Debtor: debtor(), ExecuteOn: day(5), EndToEndID: id, Amount: 1_250_00, Currency: "EUR", CreditorName: "Anna Smith", CreditorIBAN: theirs, Text: "Payout"}
}

func batch(payments ...bankfile.Payment) bankfile.Batch {
	return bankfile.Batch{MessageID: "CANDOR-2026-03-04-1", Created: time.Date(2026, 3, 4, 10, 30, 0, 0, time.FixedZone("", 3600)), Initiator: "Candor Markets", Payments: payments}
}

func written(t *testing.T, b bankfile.Batch) (out read001, raw string) {
	t.Helper()
	file, err := bankfile.WriteCreditTransfers(b)
	require.NoError(t, err)
	require.NoError(t, xml.Unmarshal(file, &out))
	return out, string(file)
}

func TestWriteCreditTransfers(t *testing.T) {
	t.Parallel()
	first, second, dollars, later, elsewhere := payment("WD-1"), payment("WD-2"), payment("WD-3"), payment("WD-4"), payment("WD-5")
	second.CreditorName, second.CreditorBIC, second.Text, second.Amount = "Jürgen Groß & Söhne", "westgb2l", "", 1
	dollars.Currency, dollars.CreditorIBAN, dollars.CreditorAccount, dollars.CreditorBIC = "USD", "", "000123-456", "CHASUS33"
	later.ExecuteOn, later.Currency, later.Amount = day(6), "JPY", 500
	elsewhere.Debtor = bankfile.Debtor{Name: "Candor Payouts", IBAN: "NO9386011117947"}
	elsewhere.CreditorIBAN = "SA0380000000608010167519"
	out, _ := written(t, batch(first, dollars, second, later, elsewhere))

	require.Equal(t, []string{"CANDOR-2026-03-04-1", "2026-03-04T09:30:00Z", "5", "4250.01", "Candor Markets"},
		[]string{out.Header.MsgId, out.Header.CreDtTm, out.Header.NbOfTxs, out.Header.CtrlSum, out.Header.Initiator})
	var groups []string
	for _, g := range out.Groups {
		groups = append(groups, strings.Join([]string{g.PmtInfId, g.PmtMtd, g.NbOfTxs, g.CtrlSum, g.On, g.Debtor, g.IBAN, g.BIC + g.NoBIC}, " "))
	}
	require.Equal(t, []string{
		"CANDOR-2026-03-04-1-1 TRF 2 1250.01 2026-03-05 Candor Markets DE89370400440532013000 COBADEFFXXX",
		"CANDOR-2026-03-04-1-2 TRF 1 1250.00 2026-03-05 Candor Markets DE89370400440532013000 COBADEFFXXX",
		"CANDOR-2026-03-04-1-3 TRF 1 500.00 2026-03-06 Candor Markets DE89370400440532013000 COBADEFFXXX",
		"CANDOR-2026-03-04-1-4 TRF 1 1250.00 2026-03-05 Candor Payouts NO9386011117947 NOTPROVIDED",
	}, groups)
	var transfers []string
	for _, g := range out.Groups {
		for _, p := range g.Transfers {
			transfers = append(transfers, fmt.Sprint([]string{p.EndToEnd, g.Service + p.Service, p.Amount.Value, p.Amount.Ccy, g.ChrgBr + p.ChrgBr, p.BIC, p.Name, p.IBAN, p.Account, p.Text}))
		}
	}
	require.Equal(t, []string{
		"[WD-1 SEPA 1250.00 EUR SLEV  Anna Smith " + theirs + "  Payout]",
		"[WD-2 SEPA 0.01 EUR SLEV WESTGB2L Juergen Gross + Soehne " + theirs + "  ]",
		"[WD-3  1250.00 USD SHAR CHASUS33 Anna Smith  000123-456 Payout]",
		"[WD-4  500 JPY SHAR  Anna Smith " + theirs + "  Payout]",
		"[WD-5  1250.00 EUR SHAR  Anna Smith SA0380000000608010167519  Payout]",
	}, transfers, "euros to a country outside the SEPA area are no SEPA transfer")
}

// elements are the names of all elements in their order.
func elements(raw string) (found []string) {
	decoder := xml.NewDecoder(strings.NewReader(raw))
	for {
		token, err := decoder.Token()
		if err != nil {
			return found
		}
		if start, ok := token.(xml.StartElement); ok {
			found = append(found, start.Name.Local)
		}
	}
}

// TestTheOrderOfElements holds the file against the sequences of the schema, which banks check.
func TestTheOrderOfElements(t *testing.T) {
	t.Parallel()
	p := payment("WD-1")
	p.CreditorBIC = "WESTGB2L"
	_, raw := written(t, batch(p))
	found := elements(raw)
	require.Equal(t, "Document CstmrCdtTrfInitn GrpHdr MsgId CreDtTm NbOfTxs CtrlSum InitgPty Nm "+
		"PmtInf PmtInfId PmtMtd NbOfTxs CtrlSum PmtTpInf SvcLvl Cd ReqdExctnDt Dt Dbtr Nm DbtrAcct Id IBAN DbtrAgt FinInstnId BICFI ChrgBr "+
		"CdtTrfTxInf PmtId EndToEndId Amt InstdAmt CdtrAgt FinInstnId BICFI Cdtr Nm CdtrAcct Id IBAN RmtInf Ustrd", strings.Join(found, " "))
	require.True(t, strings.HasPrefix(raw, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">`))
}

func TestMixedSchemesAreNamedAtEachTransfer(t *testing.T) {
	t.Parallel()
	outside := payment("WD-2")
	outside.CreditorIBAN = "SA0380000000608010167519"
	out, raw := written(t, batch(payment("WD-1"), outside))
	require.Len(t, out.Groups, 1, "they are of one account, currency and day")
	require.Equal(t, []string{"", ""}, []string{out.Groups[0].Service, out.Groups[0].ChrgBr})
	transfers := out.Groups[0].Transfers
	require.Equal(t, []string{"SEPA", "SLEV", "", "SHAR"}, []string{transfers[0].Service, transfers[0].ChrgBr, transfers[1].Service, transfers[1].ChrgBr})
	require.Contains(t, strings.Join(elements(raw), " "), "CdtTrfTxInf PmtId EndToEndId PmtTpInf SvcLvl Cd Amt InstdAmt ChrgBr Cdtr Nm CdtrAcct Id IBAN RmtInf Ustrd "+
		"CdtTrfTxInf PmtId EndToEndId Amt InstdAmt ChrgBr Cdtr Nm")
}

func TestControlSum(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount   int64
		currency string
		want     string
	}{{1, "EUR", "0.01"}, {100, "EUR", "1.00"}, {1, "KWD", "0.001"}, {1, "CLF", "0.0001"}, {7, "JPY", "7.00"}, {1_234_567_890, "EUR", "12345678.90"}} {
		p := payment("WD-1")
		p.Amount, p.Currency = test.amount, test.currency
		out, _ := written(t, batch(p))
		require.Equal(t, []string{test.want, test.want}, []string{out.Header.CtrlSum, out.Groups[0].CtrlSum}, test.currency)
	}
	yen, dinar := payment("WD-1"), payment("WD-2")
	yen.Currency, yen.Amount, dinar.Currency, dinar.Amount = "JPY", 10, "KWD", 1_005
	out, _ := written(t, batch(yen, dinar))
	require.Equal(t, "11.005", out.Header.CtrlSum, "currencies are added as plain numbers")
}

func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	p := payment(strings.Repeat("E", 35))
	p.CreditorName, p.Text = strings.Repeat("ü", 50), strings.Repeat("word ", 60)
	b := batch(p)
	b.MessageID = strings.Repeat("M", 35)
	out, _ := written(t, b)
	transfer := out.Groups[0].Transfers[0]
	require.Equal(t, strings.Repeat("ue", 35), transfer.Name)
	require.Len(t, transfer.Text, 139, "no space at the end")
	require.Equal(t, strings.Repeat("M", 29)+"-1", out.Groups[0].PmtInfId, "at most 35 characters with the number")
}

func TestTextsCantBreakTheFile(t *testing.T) {
	t.Parallel()
	p := payment("WD-1")
	p.CreditorName, p.Text = "</Nm><IBAN>", "<!-- ]]> & 安"
	out, _ := written(t, batch(p))
	require.Equal(t, []string{"./Nm..IBAN.", "..-- ... + ."}, []string{out.Groups[0].Transfers[0].Name, out.Groups[0].Transfers[0].Text})
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*bankfile.Batch)
		want   *errs.Error
		args   []string
	}{
		"NoPayments":          {func(b *bankfile.Batch) { b.Payments = nil }, bankfile.ErrNoPayments, nil},
		"TooManyPayments":     {func(b *bankfile.Batch) { b.Payments = make([]bankfile.Payment, bankfile.MaxPayments+1) }, bankfile.ErrTooManyPayments, []string{"limit", "10000"}},
		"NoMessageID":         {func(b *bankfile.Batch) { b.MessageID = "" }, bankfile.ErrMessageID, nil},
		"LongMessageID":       {func(b *bankfile.Batch) { b.MessageID = strings.Repeat("M", 36) }, bankfile.ErrMessageID, nil},
		"MessageIDWithMarks":  {func(b *bankfile.Batch) { b.MessageID = "März" }, bankfile.ErrMessageID, nil},
		"NoInitiator":         {func(b *bankfile.Batch) { b.Initiator = " " }, bankfile.ErrInitiator, nil},
		"ChineseInitiator":    {func(b *bankfile.Batch) { b.Initiator = "坎多" }, bankfile.ErrInitiator, nil},
		"NoDebtorName":        {func(b *bankfile.Batch) { b.Payments[1].Debtor.Name = "" }, bankfile.ErrDebtor, []string{"payment", "2"}},
		"DebtorIBAN":          {func(b *bankfile.Batch) { b.Payments[1].Debtor.IBAN = "DE88370400440532013000" }, bankfile.ErrDebtor, []string{"payment", "2"}},
		"DebtorBIC":           {func(b *bankfile.Batch) { b.Payments[1].Debtor.BIC = "COBA" }, bankfile.ErrDebtor, []string{"payment", "2"}},
		"CreditorIBAN":        {func(b *bankfile.Batch) { b.Payments[1].CreditorIBAN = "GB82WEST12345698765433" }, bankfile.ErrIBAN, []string{"payment", "2"}},
		"CreditorBIC":         {func(b *bankfile.Batch) { b.Payments[1].CreditorBIC = "WEST-GB2L" }, bankfile.ErrBIC, []string{"payment", "2"}},
		"NoCreditorName":      {func(b *bankfile.Batch) { b.Payments[1].CreditorName = "\t" }, bankfile.ErrCreditorName, []string{"payment", "2"}},
		"ChineseCreditorName": {func(b *bankfile.Batch) { b.Payments[1].CreditorName = "Zhang 伟" }, bankfile.ErrCreditorName, []string{"payment", "2"}},
		"NoAccount":           {func(b *bankfile.Batch) { b.Payments[1].CreditorIBAN = "" }, bankfile.ErrCreditorAccount, []string{"payment", "2"}},
		"TwoAccounts":         {func(b *bankfile.Batch) { b.Payments[1].CreditorAccount = "123" }, bankfile.ErrCreditorAccount, []string{"payment", "2"}},
		"LongAccount": {func(b *bankfile.Batch) {
			b.Payments[1].CreditorIBAN, b.Payments[1].CreditorAccount = "", strings.Repeat("1", 35)
		}, bankfile.ErrCreditorAccount, []string{"payment", "2"}},
		"AccountWithMarks": {func(b *bankfile.Batch) { b.Payments[1].CreditorIBAN, b.Payments[1].CreditorAccount = "", "12ü" }, bankfile.ErrCreditorAccount, []string{"payment", "2"}},
		"NoEndToEnd":       {func(b *bankfile.Batch) { b.Payments[1].EndToEndID = "" }, bankfile.ErrEndToEnd, []string{"payment", "2"}},
		"LongEndToEnd":     {func(b *bankfile.Batch) { b.Payments[1].EndToEndID = strings.Repeat("E", 36) }, bankfile.ErrEndToEnd, []string{"payment", "2"}},
		"EndToEndSlash":    {func(b *bankfile.Batch) { b.Payments[1].EndToEndID = "/WD" }, bankfile.ErrEndToEnd, []string{"payment", "2"}},
		"EndToEndSlashes":  {func(b *bankfile.Batch) { b.Payments[1].EndToEndID = "W//D" }, bankfile.ErrEndToEnd, []string{"payment", "2"}},
		"EndToEndSpace":    {func(b *bankfile.Batch) { b.Payments[1].EndToEndID = "WD " }, bankfile.ErrEndToEnd, []string{"payment", "2"}},
		"EndToEndTwice":    {func(b *bankfile.Batch) { b.Payments[1].EndToEndID = "WD-1" }, bankfile.ErrSameEndToEnd, []string{"payment", "2", "earlier", "1"}},
		"Nothing":          {func(b *bankfile.Batch) { b.Payments[1].Amount = 0 }, bankfile.ErrPayment, []string{"payment", "2"}},
		"Negative":         {func(b *bankfile.Batch) { b.Payments[1].Amount = -1 }, bankfile.ErrPayment, []string{"payment", "2"}},
		"OverSEPA":         {func(b *bankfile.Batch) { b.Payments[1].Amount = 100_000_000_000 }, bankfile.ErrPayment, []string{"payment", "2"}},
		"Currency":         {func(b *bankfile.Batch) { b.Payments[1].Currency = "USDT" }, bankfile.ErrPayment, []string{"payment", "2"}},
		"NoDay":            {func(b *bankfile.Batch) { b.Payments[1].ExecuteOn = bankfile.Date{} }, bankfile.ErrExecution, []string{"payment", "2"}},
		"TooMuch": {func(b *bankfile.Batch) {
			b.Payments[0].Currency, b.Payments[0].Amount, b.Payments[1].Currency, b.Payments[1].Amount = "JPY", 9e18, "JPY", 9e18
		}, bankfile.ErrControlSum, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := batch(payment("WD-1"), payment("WD-2"))
			test.change(&b)
			raw, err := bankfile.WriteCreditTransfers(b)
			refused(t, err, test.want, test.args...)
			require.Empty(t, raw)
		})
	}
}

func TestTheBatchStaysAsItIs(t *testing.T) {
	t.Parallel()
	p := payment("WD-1")
	p.CreditorName = "Jürgen"
	b := batch(p)
	_, err := bankfile.WriteCreditTransfers(b)
	require.NoError(t, err)
	require.Equal(t, []bankfile.Payment{p}, b.Payments)
}

package bankfiletest

import (
	"encoding/xml"
	"fmt"
	"strings"

	"candor/app/platform/bankfile"
)

// CAMT053 writes statements as one camt.053.001.08.
func CAMT053(statements ...bankfile.Statement) []byte {
	var out strings.Builder
	out.WriteString(xml.Header + `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>` + "\n")
	out.WriteString("<GrpHdr><MsgId>EXAMPLE</MsgId><CreDtTm>2026-01-01T00:00:00Z</CreDtTm></GrpHdr>\n")
	for _, s := range statements {
		statement(&out, s)
	}
	out.WriteString("</BkToCstmrStmt></Document>\n")
	return []byte(out.String())
}

func statement(out *strings.Builder, s bankfile.Statement) {
	out.WriteString("<Stmt>" + element("Id", s.ID))
	if s.Sequence != 0 {
		out.WriteString(element("ElctrncSeqNb", fmt.Sprint(s.Sequence)))
	}
	fmt.Fprintf(out, "<FrToDt><FrDtTm>%sT00:00:00</FrDtTm><ToDtTm>%sT23:59:59</ToDtTm></FrToDt>\n", s.From, s.To)
	out.WriteString("<Acct>" + account(s.Account) + element("Ccy", s.Currency) + "</Acct>\n")
	balance(out, "OPBD", s.Opening, s.Currency)
	balance(out, "CLBD", s.Closing, s.Currency)
	for _, line := range s.Lines {
		entry(out, line)
	}
	out.WriteString("</Stmt>\n")
}

func balance(out *strings.Builder, code string, b *bankfile.Balance, currency string) {
	if b != nil {
		fmt.Fprintf(out, "<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp>%s<Dt><Dt>%s</Dt></Dt></Bal>\n", code, amount(b.Amount, currency), b.Date)
	}
}

func entry(out *strings.Builder, line bankfile.Line) {
	out.WriteString("<Ntry>" + amount(line.Amount, line.Currency))
	if line.Reversal {
		out.WriteString(element("RvslInd", "true"))
	}
	fmt.Fprintf(out, "<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>%s</Dt></BookgDt><ValDt><Dt>%s</Dt></ValDt>", line.Booked, line.Value)
	out.WriteString(element("AcctSvcrRef", line.BankReference) + "<BkTxCd/><NtryDtls><TxDtls><Refs>")
	endToEnd := line.Reference
	if endToEnd == "" {
		endToEnd = "NOTPROVIDED"
	}
	out.WriteString(element("EndToEndId", endToEnd) + "</Refs><RltdPties>")
	party := "Dbtr"
	if (line.Amount >= 0) == line.Reversal {
		party = "Cdtr"
	}
	fmt.Fprintf(out, "<%s><Pty>%s</Pty></%s><%sAcct>%s</%sAcct></RltdPties>", party, element("Nm", line.Counterparty), party, party, account(line.CounterpartyAccount), party)
	out.WriteString("<RmtInf>" + element("Ustrd", line.Text) + "</RmtInf></TxDtls></NtryDtls></Ntry>\n")
}

func account(number string) string {
	if bankfile.ValidIBAN(number) {
		return "<Id>" + element("IBAN", number) + "</Id>"
	}
	return "<Id><Othr>" + element("Id", number) + "</Othr></Id>"
}

func amount(value int64, currency string) string {
	indicator := "CRDT"
	if value < 0 {
		indicator = "DBIT"
	}
	return fmt.Sprintf(`<Amt Ccy="%s">%s</Amt><CdtDbtInd>%s</CdtDbtInd>`, currency, magnitude(value, currency), indicator)
}

// element is an element with a text; nothing without a text.
func element(name, text string) string {
	if text == "" {
		return ""
	}
	var out strings.Builder
	out.WriteString("<" + name + ">")
	_ = xml.EscapeText(&out, []byte(text)) // a builder takes everything
	out.WriteString("</" + name + ">")
	return out.String()
}

package bankfile

import (
	"encoding/xml"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// The writer of pain.001, the customer credit transfer initiation of ISO 20022 (message definition report "Payments Initiation", pain.001.001.09).

const painNamespace = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"

type painDocument struct {
	XMLName  xml.Name         `xml:"Document"`
	Xmlns    string           `xml:"xmlns,attr"`
	Header   painHeader       `xml:"CstmrCdtTrfInitn>GrpHdr"`
	Payments []painInstructed `xml:"CstmrCdtTrfInitn>PmtInf"`
}

type painHeader struct {
	MsgID     string `xml:"MsgId"`
	Created   string `xml:"CreDtTm"`
	Count     int    `xml:"NbOfTxs"`
	Sum       string `xml:"CtrlSum"`
	Initiator string `xml:"InitgPty>Nm"`
}

// painInstructed is PmtInf: the transfers of one account, currency and day. Service level and charge bearer stand here if all transfers share them, which the
// SEPA guidelines recommend, else at each transfer.
type painInstructed struct {
	ID        string         `xml:"PmtInfId"`
	Method    string         `xml:"PmtMtd"`
	Count     int            `xml:"NbOfTxs"`
	Sum       string         `xml:"CtrlSum"`
	Service   *painService   `xml:"PmtTpInf"`
	ExecuteOn string         `xml:"ReqdExctnDt>Dt"`
	Debtor    string         `xml:"Dbtr>Nm"`
	Account   painAccount    `xml:"DbtrAcct"`
	Agent     painAgent      `xml:"DbtrAgt"`
	Charges   string         `xml:"ChrgBr,omitempty"`
	Transfers []painTransfer `xml:"CdtTrfTxInf"`
}

type painAccount struct {
	IBAN  string     `xml:"Id>IBAN,omitempty"`
	Other *painOther `xml:"Id>Othr"`
}

type painOther struct {
	ID string `xml:"Id"`
}

// painAgent is a bank; a debtor's bank without BIC is named NOTPROVIDED, as the IBAN says which it is.
type painAgent struct {
	BIC   string     `xml:"FinInstnId>BICFI,omitempty"`
	Other *painOther `xml:"FinInstnId>Othr"`
}

type painTransfer struct {
	EndToEndID string            `xml:"PmtId>EndToEndId"`
	Service    *painService      `xml:"PmtTpInf"`
	Amount     painAmount        `xml:"Amt>InstdAmt"`
	Charges    string            `xml:"ChrgBr,omitempty"`
	Agent      *painAgent        `xml:"CdtrAgt"`
	Creditor   string            `xml:"Cdtr>Nm"`
	Account    painAccount       `xml:"CdtrAcct"`
	Remittance *painUnstructured `xml:"RmtInf"`
}

type painService struct {
	Code string `xml:"SvcLvl>Cd"`
}

type painAmount struct {
	Currency string `xml:"Ccy,attr"`
	Value    string `xml:",chardata"`
}

type painUnstructured struct {
	Text string `xml:"Ustrd"`
}

// WriteCreditTransfers writes a batch as pain.001.001.09 in UTF-8, with one PmtInf for each debtor account, currency and requested execution date. Payments keep
// their order within it. It returns the refusals of payments and writes all or nothing.
func WriteCreditTransfers(b Batch) ([]byte, error) {
	b, err := b.prepare()
	if err != nil {
		return nil, err
	}
	document := painDocument{Xmlns: painNamespace}
	document.Header = painHeader{
		MsgID: b.MessageID, Created: b.Created.UTC().Format(time.DateOnly + "T15:04:05Z"), Count: len(b.Payments), Initiator: b.Initiator,
	}
	if document.Header.Sum, err = controlSum(b.Payments); err != nil {
		return nil, err
	}
	for i, group := range groups(b.Payments) {
		instructed, err := instruct(fmt.Sprintf("%s-%d", short(b.MessageID), i+1), group)
		if err != nil {
			return nil, err
		}
		document.Payments = append(document.Payments, instructed)
	}
	out, err := xml.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write credit transfers %s: %w", b.MessageID, err)
	}
	return append([]byte(xml.Header), append(out, '\n')...), nil
}

// short leaves room for a hyphen and the number of a group.
func short(id string) string { return strings.TrimRight(id[:min(len(id), idLength-6)], " /") }

// groups are the payments by debtor account, currency and day, in the order of their first payments.
func groups(payments []Payment) (out [][]Payment) {
	type group struct {
		debtor   Debtor
		currency string
		on       Date
	}
	index := map[group]int{}
	for _, p := range payments {
		key := group{p.Debtor, p.Currency, p.ExecuteOn}
		at, known := index[key]
		if !known {
			at = len(out)
			index[key] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], p)
	}
	return out
}

func instruct(id string, group []Payment) (painInstructed, error) {
	first := group[0]
	out := painInstructed{
		ID: id, Method: "TRF", Count: len(group), ExecuteOn: first.ExecuteOn.String(), Debtor: first.Debtor.Name,
		Account: painAccount{IBAN: first.Debtor.IBAN}, Agent: painAgent{BIC: first.Debtor.BIC},
	}
	if first.Debtor.BIC == "" {
		out.Agent.Other = &painOther{"NOTPROVIDED"}
	}
	mixed := slices.ContainsFunc(group, func(p Payment) bool { return p.sepa() != first.sepa() })
	if !mixed {
		out.Service, out.Charges = scheme(first)
	}
	for _, p := range group {
		written := transfer(p)
		if mixed {
			written.Service, written.Charges = scheme(p)
		}
		out.Transfers = append(out.Transfers, written)
	}
	var err error
	out.Sum, err = controlSum(group)
	return out, err
}

// scheme is the service level and who bears the charges: SEPA demands that each side bears those of its own bank, as is usual elsewhere.
func scheme(p Payment) (service *painService, charges string) {
	if p.sepa() {
		return &painService{"SEPA"}, "SLEV"
	}
	return nil, "SHAR"
}

func transfer(p Payment) painTransfer {
	out := painTransfer{
		EndToEndID: p.EndToEndID, Amount: painAmount{p.Currency, FormatAmount(p.Amount, p.Currency)},
		Creditor: p.CreditorName, Account: painAccount{IBAN: p.CreditorIBAN},
	}
	if p.CreditorAccount != "" {
		out.Account.Other = &painOther{p.CreditorAccount}
	}
	if p.CreditorBIC != "" {
		out.Agent = &painAgent{BIC: p.CreditorBIC}
	}
	if p.Text != "" {
		out.Remittance = &painUnstructured{p.Text}
	}
	return out
}

// controlSum adds the amounts of all currencies as plain numbers, as the standard wants. It may have 18 digits.
func controlSum(payments []Payment) (string, error) {
	const decimals, digits = 4, 18 // no currency has more decimals
	sum := new(big.Int)
	for _, p := range payments {
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals-Decimals(p.Currency))), nil)
		sum.Add(sum, unit.Mul(unit, big.NewInt(p.Amount)))
	}
	text := sum.String()
	text = strings.Repeat("0", max(0, decimals+1-len(text))) + text
	whole, fraction := text[:len(text)-decimals], strings.TrimRight(text[len(text)-decimals:], "0")
	if len(fraction) < 2 {
		fraction = (fraction + "00")[:2]
	}
	if len(whole)+len(fraction) > digits {
		return "", ErrControlSum
	}
	return whole + "." + fraction, nil
}

package bankfile

import (
	"fmt"
	"slices"
	"strings"
)

type camtAmount struct {
	Value string `xml:",chardata"`
	Ccy   string `xml:"Ccy,attr"`
}

type camtDate struct{ Dt, DtTm string }

type camtAccount struct {
	IBAN  string `xml:"Id>IBAN"`
	Other string `xml:"Id>Othr>Id"`
}

func (a camtAccount) number() string { return compact(firstOf(a.IBAN, a.Other)) }

// camtParty has its name directly in old versions, and below Pty or Agt since version 8.
type camtParty struct {
	Nm    string
	Party string `xml:"Pty>Nm"`
	Agent string `xml:"Agt>FinInstnId>Nm"`
}

func (p camtParty) name() string { return squeeze(firstOf(p.Nm, p.Party, p.Agent)) }

// camtStatus is a text in old versions and a code below it since version 7.
type camtStatus struct {
	Text string `xml:",chardata"`
	Cd   string
}

// camtEntry is a booking.
type camtEntry struct {
	Amt         camtAmount
	CdtDbtInd   string
	RvslInd     string
	Sts         camtStatus
	BookgDt     camtDate
	ValDt       camtDate
	AcctSvcrRef string
	Details     []camtDetails `xml:"NtryDtls>TxDtls"`
	Info        string        `xml:"AddtlNtryInf"`
}

// camtDetails is one of the transactions that a booking is made of.
type camtDetails struct {
	BankRef   string      `xml:"Refs>AcctSvcrRef"`
	EndToEnd  string      `xml:"Refs>EndToEndId"`
	Amt       *camtAmount // since version 4
	TxAmt     *camtAmount `xml:"AmtDtls>TxAmt>Amt"`
	CdtDbtInd string
	RltdPties struct {
		Dbtr, Cdtr         camtParty
		DbtrAcct, CdtrAcct camtAccount
	}
	Unstructured []string         `xml:"RmtInf>Ustrd"`
	Structured   []camtStructured `xml:"RmtInf>Strd"`
	Info         string           `xml:"AddtlTxInf"`
}

// camtStructured is structured remittance information: the creditor's reference, document numbers, and free text.
type camtStructured struct {
	Reference string   `xml:"CdtrRefInf>Ref"`
	Documents []string `xml:"RfrdDocInf>Nb"`
	Info      []string `xml:"AddtlRmtInf"`
}

// booked reports whether the booking is in the booked balance: pending and informative ones aren't.
func (e camtEntry) booked() bool {
	status := firstOf(strings.TrimSpace(e.Sts.Cd), strings.TrimSpace(e.Sts.Text))
	return status == "" || status == "BOOK"
}

// lines makes one line of a booking, or one for each of several transactions if their amounts make the amount of the booking: some banks give them in the payer's
// currency or before charges, and then the booking counts.
func (e camtEntry) lines(s *Statement, row int) ([]Line, error) {
	whole, err := e.whole(s, row)
	if err != nil {
		return nil, err
	}
	if len(e.Details) > 1 {
		if lines, ok := e.split(whole, s.Account); ok {
			return lines, nil
		}
		whole.Text = firstOf(squeeze(e.Info), whole.Text)
		return []Line{whole}, nil
	}
	if len(e.Details) == 1 {
		e.Details[0].describe(&whole, s.Account)
		whole.BankReference = firstOf(whole.BankReference, reference(e.Details[0].BankRef))
	}
	whole.Text = firstOf(whole.Text, squeeze(e.Info))
	return []Line{whole}, nil
}

// whole is the line of a booking without its transactions.
func (e camtEntry) whole(s *Statement, row int) (Line, error) {
	line := Line{Row: row, Currency: strings.TrimSpace(e.Amt.Ccy), BankReference: reference(e.AcctSvcrRef)}
	line.Reversal = strings.TrimSpace(e.RvslInd) == "true" || strings.TrimSpace(e.RvslInd) == "1"
	s.Currency = firstOf(s.Currency, line.Currency)
	if line.Currency != s.Currency || !currencyCode.MatchString(line.Currency) {
		return line, ErrCurrency.With("line", row).With("value", excerpt(line.Currency))
	}
	var err error
	if line.Amount, err = e.Amt.signed(e.CdtDbtInd, row); err != nil {
		return line, err
	}
	line.Booked, line.Value, err = e.dates(row)
	return line, err
}

// dates are booking and value date, each standing in for the other where it is missing.
func (e camtEntry) dates(row int) (booked, value Date, err error) {
	bookedText := strings.TrimSpace(firstOf(e.BookgDt.Dt, e.BookgDt.DtTm, e.ValDt.Dt, e.ValDt.DtTm))
	valueText := strings.TrimSpace(firstOf(e.ValDt.Dt, e.ValDt.DtTm, bookedText))
	booked, ok := parseISODate(bookedText)
	if !ok {
		return booked, value, ErrDate.With("line", row).With("value", excerpt(bookedText))
	}
	if value, ok = parseISODate(valueText); !ok {
		return booked, value, ErrDate.With("line", row).With("value", excerpt(valueText))
	}
	return booked, value, nil
}

// signed reads an amount, which has no sign of its own, by its credit/debit indicator. That says the direction of a reversal too.
func (a camtAmount) signed(indicator string, row int) (int64, error) {
	text := strings.TrimSpace(a.Value)
	amount, ok := parseAmount(text, '.', strings.TrimSpace(a.Ccy))
	if !ok {
		return 0, ErrAmount.With("line", row).With("value", excerpt(text))
	}
	switch strings.TrimSpace(indicator) {
	case "CRDT":
		return amount, nil
	case "DBIT":
		return -amount, nil
	}
	return 0, ErrDirection.With("line", row).With("value", excerpt(indicator))
}

// split makes a line of each transaction; false when an amount is missing or they don't make the booking.
func (e camtEntry) split(whole Line, account string) ([]Line, bool) {
	references := e.partReferences()
	lines := make([]Line, 0, len(e.Details))
	sum := int64(0)
	for i, details := range e.Details {
		line := whole
		var ok bool
		if line.Amount, ok = details.amount(whole, e.CdtDbtInd); !ok {
			return nil, false
		}
		if sum, ok = add(sum, line.Amount); !ok {
			return nil, false
		}
		details.describe(&line, account)
		line.Text = firstOf(line.Text, squeeze(e.Info))
		line.BankReference = references[i]
		lines = append(lines, line)
	}
	return lines, sum == whole.Amount
}

// amount is the transaction's part of the booking, in the booking's currency and direction if it names no other.
func (d camtDetails) amount(whole Line, indicator string) (int64, bool) {
	amount := d.Amt
	if amount == nil {
		amount = d.TxAmt
	}
	if amount == nil || strings.TrimSpace(amount.Ccy) != whole.Currency {
		return 0, false
	}
	value, err := amount.signed(firstOf(d.CdtDbtInd, indicator), whole.Row)
	return value, err == nil
}

// partReferences are the bank's references of several transactions: a transaction's own if no other has it, else the booking's with the position.
func (e camtEntry) partReferences() []string {
	count := map[string]int{}
	for _, details := range e.Details {
		count[reference(details.BankRef)]++
	}
	out := make([]string, len(e.Details))
	for i, details := range e.Details {
		own := reference(details.BankRef)
		whole := firstOf(reference(e.AcctSvcrRef), own)
		switch {
		case own != "" && count[own] == 1:
			out[i] = own
		case whole != "":
			out[i] = fmt.Sprintf("%s/%d", whole, i+1)
		}
	}
	return out
}

// describe fills in who paid and for what. A reversal keeps the parties of what it takes back.
func (d camtDetails) describe(line *Line, account string) {
	debtor, creditor := d.RltdPties.Dbtr, d.RltdPties.Cdtr
	debtorAccount, creditorAccount := d.RltdPties.DbtrAcct.number(), d.RltdPties.CdtrAcct.number()
	fromDebtor := (line.Amount >= 0) != line.Reversal
	if own := debtorAccount == account; account != "" && own != (creditorAccount == account) {
		fromDebtor = !own // a return may keep the parties too, without being marked as a reversal
	}
	if fromDebtor {
		line.Counterparty, line.CounterpartyAccount = debtor.name(), debtorAccount
	} else {
		line.Counterparty, line.CounterpartyAccount = creditor.name(), creditorAccount
	}
	structured, texts := "", d.Unstructured
	for _, part := range d.Structured {
		structured = firstOf(structured, squeeze(part.Reference))
		texts = append(texts, part.Reference)
		texts = append(texts, part.Documents...)
		texts = append(texts, part.Info...)
	}
	line.Reference = firstOf(reference(d.EndToEnd), structured)
	line.Text = firstOf(squeeze(strings.Join(texts, " ")), squeeze(d.Info))
}

type camtBalance struct {
	Code      string `xml:"Tp>CdOrPrtry>Cd"`
	Sub       string `xml:"Tp>SubTp>Cd"`
	Amt       camtAmount
	CdtDbtInd string
	Dt        camtDate
	row       int
}

func (b camtBalance) code() string { return strings.TrimSpace(b.Code) }

// booked reports whether it is a booked balance, and no available or expected one.
func (b camtBalance) booked() bool {
	return slices.Contains([]string{"OPBD", "PRCD", "CLBD", "ITBD"}, b.code())
}

// setBalances picks the balances: opening is OPBD or the closing of the statement before, closing is CLBD; a page has interim ones, ITBD, in their order.
func (s *Statement) setBalances(balances []camtBalance) error {
	found := map[string]*Balance{}
	var interim []*Balance
	for _, b := range balances {
		balance, err := b.read(s)
		if err != nil {
			return err
		}
		if code := b.code(); code == "ITBD" {
			interim = append(interim, balance)
		} else if found[code] == nil {
			found[code] = balance
		}
	}
	s.Opening, s.Closing = found["OPBD"], found["CLBD"]
	if s.Opening == nil {
		s.Opening = found["PRCD"]
	}
	if s.Opening == nil && len(interim) > 0 && (s.Closing != nil || len(interim) > 1) {
		s.Opening, interim = interim[0], interim[1:]
	}
	if s.Closing == nil && len(interim) > 0 {
		s.Closing = interim[len(interim)-1]
	}
	if !currencyCode.MatchString(s.Currency) {
		return ErrCurrency.With("line", s.Row).With("value", excerpt(s.Currency))
	}
	s.setPeriod()
	return nil
}

func (b camtBalance) read(s *Statement) (*Balance, error) {
	currency := strings.TrimSpace(b.Amt.Ccy)
	s.Currency = firstOf(s.Currency, currency)
	if currency != s.Currency {
		return nil, ErrCurrency.With("line", b.row).With("value", excerpt(currency))
	}
	amount, err := b.Amt.signed(b.CdtDbtInd, b.row)
	date, _ := parseISODate(strings.TrimSpace(firstOf(b.Dt.Dt, b.Dt.DtTm)))
	return &Balance{Date: date, Amount: amount, Interim: b.code() == "ITBD" || strings.TrimSpace(b.Sub) == "INTM"}, err
}

// setPeriod takes the period from the balances, else from the lines, where the statement doesn't name it.
func (s *Statement) setPeriod() {
	if s.From.IsZero() && s.Opening != nil {
		s.From = s.Opening.Date
	}
	if s.To.IsZero() && s.Closing != nil {
		s.To = s.Closing.Date
	}
	first, last := s.From, s.To
	for _, line := range s.Lines {
		if s.From.IsZero() && (first.IsZero() || line.Booked.Compare(first) < 0) {
			first = line.Booked
		}
		if s.To.IsZero() && line.Booked.Compare(last) > 0 {
			last = line.Booked
		}
	}
	s.From, s.To = first, last
}

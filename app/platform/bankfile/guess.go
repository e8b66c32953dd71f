package bankfile

import (
	"encoding/csv"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// headings are what banks call the columns, folded: capitals, letters and digits only. A column goes to the first part of a mapping that knows its heading.
var headings = []struct {
	part  string
	names string
}{
	{"date", "BUCHUNGSTAG BUCHUNGSDATUM BUCHUNG BOOKINGDATE BOOKED POSTINGDATE POSTEDDATE TRANSACTIONDATE DATE DATUM COMPLETEDDATE DATEFINISHED DATECOMPTABLE DATEOPERATION FECHA FECHAOPERACION DATA DATACONTABILE 记账日期 交易日期 入账日期 日期"},
	{"value", "VALUTA VALUTADATUM WERTSTELLUNG WERTSTELLUNGSDATUM VALUEDATE VALUE DATEDEVALEUR DATEVALEUR FECHAVALOR DATAVALUTA 起息日 起息日期"},
	{"indicator", "SOLLHABEN SOLLHABENKENNZEICHEN CREDITDEBIT CREDITDEBITINDICATOR DEBITCREDIT DC CD CRDR DRCR 借贷标志 借贷"},
	{"amount", "BETRAG UMSATZ AMOUNT TRANSACTIONAMOUNT MONTANT IMPORTE IMPORTO BEDRAG 金额 交易金额 发生额"},
	{"credit", "HABEN CREDIT CREDITS CREDITAMOUNT PAIDIN MONEYIN DEPOSIT DEPOSITS GUTSCHRIFT ABONO AVERE 收入 贷方 贷方金额 贷方发生额 收入金额"},
	{"debit", "SOLL DEBIT DEBITS DEBITAMOUNT PAIDOUT MONEYOUT WITHDRAWAL WITHDRAWALS LASTSCHRIFT CARGO DARE 支出 借方 借方金额 借方发生额 支出金额"},
	{"currency", "WAEHRUNG CURRENCY CCY DEVISE MONEDA DIVISA VALUTACODE 币种 货币"},
	{"counterparty", "NAME COUNTERPARTY COUNTERPARTYNAME PAYEE PAYER PAYERNAME BEGUENSTIGTERZAHLUNGSPFLICHTIGER AUFTRAGGEBEREMPFAENGER NAMEZAHLUNGSBETEILIGTER ZAHLUNGSBETEILIGTER PARTNERNAME TEGENPARTIJ 对方户名 对方名称 对手方"},
	{"account", "IBAN COUNTERPARTYACCOUNT COUNTERPARTYIBAN ACCOUNTNUMBER KONTONUMMER KONTONUMMERIBAN IBANZAHLUNGSBETEILIGTER PARTNERIBAN PAYERACCOUNT TEGENREKENING 对方账号 对方账户"},
	{"reference", "ENDTOENDID ENDTOENDREFERENCE ENDTOENDREFERENZ KUNDENREFERENZ KUNDENREFERENZENDTOEND CUSTOMERREFERENCE PAYERREFERENCE PAYMENTREFERENCE REFERENCE REFERENZ"},
	{"bank_reference", "BANKREFERENCE BANKREFERENZ TRANSACTIONID TRANSACTIONREFERENCE TRANSFERWISEID ID 交易流水号 流水号"},
	{"balance", "SALDO SALDONACHBUCHUNG BALANCE RUNNINGBALANCE BALANCEAFTER KONTOSTAND SOLDE 余额 账户余额"},
	{"text", "VERWENDUNGSZWECK BUCHUNGSTEXT DESCRIPTION DETAILS MEMO NARRATIVE TEXT REMITTANCEINFORMATION COMMUNICATION LIBELLE CONCEPTO DESCRIZIONE OMSCHRIJVING 摘要 附言 用途 备注"},
}

// dateLayouts in the order of preference where several fit.
var dateLayouts = []string{"YYYY-MM-DD", "DD.MM.YYYY", "D.M.YYYY", "DD.MM.YY", "DD/MM/YYYY", "D/M/YYYY", "MM/DD/YYYY", "M/D/YYYY", "DD/MM/YY", "MM/DD/YY", "DD-MM-YYYY", "YYYY/MM/DD", "YYYYMMDD"}

var (
	creditWords = []string{"C", "CR", "CRDT", "CREDIT", "H", "HABEN", "+", "贷"}
	debitWords  = []string{"D", "DR", "DBIT", "DEBIT", "S", "SOLL", "-", "借"}
	// currencyInHeading is as in "Amount (EUR)".
	currencyInHeading = regexp.MustCompile(`[(\[ ]([A-Z]{3})[)\]]?$`)
	// lastSign is the last point or comma of an amount with the digits after it.
	lastSign = regexp.MustCompile(`([.,])([0-9]+)[^0-9.,]*$`)
)

// Guesses look at the beginning of a file only.
const (
	guessBytes = 64 << 10
	guessRows  = 60
)

// GuessMapping proposes a mapping for a CSV by its headings and first rows. What it can't tell stays empty: a person completes and confirms it. It returns
// ErrTooLarge.
func GuessMapping(raw []byte) (Mapping, error) {
	if len(raw) > MaxBytes {
		return Mapping{}, ErrTooLarge.With("megabytes", MaxBytes>>20)
	}
	text := decode(raw)
	text = text[:min(len(text), guessBytes)]
	best, bestCount := Mapping{}, 0
	var header []string
	var rows []csvRow
	for _, delimiter := range delimiters {
		all := looseRows(text, delimiter)
		for i, row := range all {
			m := Mapping{Delimiter: delimiter, HeaderRow: row.row}
			if count := m.claim(row.cells); count > bestCount {
				best, bestCount, header, rows = m, count, row.cells, all[i+1:]
			}
		}
	}
	if bestCount == 0 {
		return Mapping{}, nil
	}
	c, err := best.columns(header)
	if err != nil {
		return Mapping{}, err
	}
	best.DateLayout = guessLayout(cellsOf(rows, c.date))
	best.Decimal = guessDecimal(slices.Concat(cellsOf(rows, c.amount), cellsOf(rows, c.credit), cellsOf(rows, c.debit), cellsOf(rows, c.balance)), best.Delimiter)
	best.guessSign(cellsOf(rows, c.indicator))
	return best, nil
}

// Headings are the columns of a CSV that a mapping can name: the headings of its header row, or the numbers from 1 without one.
func (m Mapping) Headings(raw []byte) (out []string) {
	text := decode(raw)
	for i, row := range looseRows(text[:min(len(text), guessBytes)], m.Delimiter) {
		switch {
		case m.HeaderRow == 0:
			for at := range row.cells {
				out = append(out, strconv.Itoa(at+1))
			}
			return out
		case row.row == m.HeaderRow || i > 0 && row.row > m.HeaderRow:
			for _, cell := range row.cells {
				if heading := strings.TrimSpace(cell); heading != "" {
					out = append(out, heading)
				}
			}
			return out
		}
	}
	return nil
}

// looseRows reads rows without complaint, as the delimiter may be the wrong one.
func looseRows(text, delimiter string) (rows []csvRow) {
	if !slices.Contains(delimiters, delimiter) {
		return nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = rune(delimiter[0]), -1, true
	for len(rows) < guessRows {
		cells, err := r.Read()
		if err != nil {
			return rows
		}
		row, _ := r.FieldPos(0)
		rows = append(rows, csvRow{cells, row})
	}
	return rows
}

// hasColumns reports whether a row at the beginning of a text has several cells.
func hasColumns(text string) bool {
	text = text[:min(len(text), guessBytes)]
	return slices.ContainsFunc(delimiters, func(delimiter string) bool {
		return slices.ContainsFunc(looseRows(text, delimiter), func(row csvRow) bool { return len(row.cells) > 1 })
	})
}

// claim gives columns to the parts of the mapping and returns how many have one.
func (m *Mapping) claim(cells []string) (count int) {
	if len(cells) < 2 || len(cells) > maxColumns {
		return 0
	}
	for _, cell := range cells {
		heading := squeeze(cell)
		plainHeading := heading
		if found := currencyInHeading.FindStringSubmatchIndex(heading); found != nil {
			plainHeading = heading[:found[0]]
		}
		part := partOf(heading)
		if part == "" {
			if part = partOf(plainHeading); part != "" {
				m.FixedCurrency = firstOf(m.FixedCurrency, heading[len(plainHeading):])
			}
		}
		if m.give(part, heading) {
			count++
		}
	}
	m.FixedCurrency = strings.Trim(m.FixedCurrency, "([ ])")
	if m.Currency != "" {
		m.FixedCurrency = ""
	}
	return count
}

func partOf(heading string) string {
	name := fold(heading, maxColumns)
	if name == "" {
		return ""
	}
	for _, one := range headings {
		if slices.Contains(strings.Fields(one.names), name) {
			return one.part
		}
	}
	return ""
}

// give names the column of a part unless it has one; text may have several.
func (m *Mapping) give(part, heading string) bool {
	if part == "text" {
		m.Text = append(m.Text, heading)
		return true
	}
	into := map[string]*string{
		"date": &m.Date, "value": &m.Value, "indicator": &m.Indicator, "amount": &m.Amount, "credit": &m.Credit, "debit": &m.Debit, "currency": &m.Currency,
		"counterparty": &m.Counterparty, "account": &m.Account, "reference": &m.Reference, "bank_reference": &m.BankReference, "balance": &m.Balance,
	}[part]
	if into == nil || *into != "" {
		return false
	}
	*into = heading
	return true
}

func cellsOf(rows []csvRow, at int) (cells []string) {
	for _, row := range rows {
		if cell := row.cell(at); cell != "" {
			cells = append(cells, cell)
		}
	}
	return cells
}

// guessLayout is the first layout that most of the dates have; footers are no dates.
func guessLayout(dates []string) (best string) {
	most := 0
	for _, layout := range dateLayouts {
		m, count := Mapping{DateLayout: layout}, 0
		for _, date := range dates {
			if _, refusal := m.date(csvRow{}, date); refusal == nil {
				count++
			}
		}
		if count > most {
			best, most = layout, count
		}
	}
	return best
}

// guessDecimal asks which sign stands before other than three digits. Files with semicolons come from countries with a decimal comma.
func guessDecimal(amounts []string, delimiter string) string {
	commas := 0
	if delimiter == ";" {
		commas = 1
	}
	for _, amount := range amounts {
		if m := lastSign.FindStringSubmatch(amount); m != nil && len(m[2]) != 3 {
			if m[1] == "," {
				commas += 2
			} else {
				commas -= 2
			}
		}
	}
	if commas > 0 {
		return ","
	}
	return "."
}

// guessSign chooses the convention by the columns there are.
func (m *Mapping) guessSign(indicators []string) {
	m.Sign = Signed
	switch {
	case m.Indicator != "" && m.Amount != "":
		m.Sign = Indicated
		for _, indicator := range indicators {
			if slices.Contains(creditWords, strings.ToUpper(indicator)) {
				m.CreditWord = indicator
			}
			if slices.Contains(debitWords, strings.ToUpper(indicator)) {
				m.DebitWord = indicator
			}
		}
	case m.Amount == "" && m.Credit != "" && m.Debit != "":
		m.Sign = Separate
	}
	if m.Sign != Separate {
		m.Credit, m.Debit = "", ""
	}
	if m.Sign != Indicated {
		m.Indicator = ""
	}
}

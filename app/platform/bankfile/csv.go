package bankfile

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"candor/app/platform/errs"
)

// The reader of CSV (RFC 4180, with any of the usual delimiters). There is no standard of its columns: a Mapping says what they hold.

// csvRow is one row, and the line of the file where it begins.
type csvRow struct {
	cells []string
	row   int
}

// csvLine is a line with the balance after it, if its row has one.
type csvLine struct {
	Line
	balance *int64
}

// readCSV makes a statement for each currency, in the order of their first lines.
func readCSV(text string, m Mapping, account string) ([]Statement, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	header, rows, err := m.rows(text)
	if err != nil {
		return nil, err
	}
	c, err := m.columns(header)
	if err != nil {
		return nil, err
	}
	var currencies []string
	lines := map[string][]csvLine{}
	for _, row := range rows {
		line, refusal := m.line(c, row)
		if refusal != nil {
			return nil, refusal
		}
		if lines[line.Currency] == nil {
			currencies = append(currencies, line.Currency)
		}
		lines[line.Currency] = append(lines[line.Currency], line)
	}
	var statements []Statement
	for _, currency := range currencies {
		s, err := csvStatement(lines[currency])
		if err != nil {
			return nil, err
		}
		s.Account = account
		statements = append(statements, s)
	}
	return statements, nil
}

// rows are the header row and the rows of lines; empty rows are skipped.
func (m Mapping) rows(text string) (header []string, rows []csvRow, err error) {
	body, skipped := text, 0
	for ; skipped < m.HeaderRow-1; skipped++ {
		_, body, _ = strings.Cut(body, "\n")
	}
	if wide := wideRow(body, m.Delimiter); wide > 0 {
		return nil, nil, ErrBroken.With("line", wide+skipped)
	}
	r := csv.NewReader(strings.NewReader(body))
	r.Comma = rune(m.Delimiter[0])
	r.FieldsPerRecord = -1
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, ErrBroken.With("line", brokenRow(err)+skipped)
		}
		row, _ := r.FieldPos(0)
		if header == nil && m.HeaderRow > 0 {
			header = cells
			continue
		}
		if strings.TrimSpace(strings.Join(cells, "")) != "" {
			rows = append(rows, csvRow{cells, row + skipped})
		}
		if len(rows) > MaxLines+m.FooterRows {
			return nil, nil, ErrTooManyLines.With("limit", MaxLines)
		}
	}
	return header, rows[:max(0, len(rows)-m.FooterRows)], nil
}

// wideRow is the first line of a text with too many delimiters, from 1; 0 if none has.
func wideRow(text, delimiter string) int {
	row := 0
	for line := range strings.SplitSeq(text, "\n") {
		if row++; strings.Count(line, delimiter) >= maxColumns {
			return row
		}
	}
	return 0
}

func brokenRow(err error) int {
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		return broken.StartLine
	}
	return 1
}

// cell is a cell of a row; empty if the mapping or the row has none.
func (r csvRow) cell(at int) string {
	if at < 0 || at >= len(r.cells) {
		return ""
	}
	return squeeze(r.cells[at])
}

func (m Mapping) line(c columns, row csvRow) (line csvLine, refusal *errs.Error) {
	line.Row = row.row
	line.Currency = firstOf(m.FixedCurrency, strings.ToUpper(row.cell(c.currency)))
	if !currencyCode.MatchString(line.Currency) {
		return line, ErrCurrency.With("line", row.row).With("value", excerpt(line.Currency))
	}
	if line.Booked, refusal = m.date(row, row.cell(c.date)); refusal != nil {
		return line, refusal
	}
	if line.Value, refusal = m.date(row, firstOf(row.cell(c.value), row.cell(c.date))); refusal != nil {
		return line, refusal
	}
	if line.Amount, refusal = m.amount(c, row, line.Currency); refusal != nil {
		return line, refusal
	}
	if text := row.cell(c.balance); text != "" {
		balance, ok := m.number(text, line.Currency)
		if !ok {
			return line, ErrAmount.With("line", row.row).With("value", excerpt(text))
		}
		line.balance = &balance
	}
	line.Counterparty, line.CounterpartyAccount = row.cell(c.counterparty), compact(row.cell(c.account))
	line.Reference, line.BankReference = reference(row.cell(c.reference)), reference(row.cell(c.bankReference))
	var texts []string
	for _, at := range c.text {
		texts = append(texts, row.cell(at))
	}
	line.Text = squeeze(strings.Join(texts, " "))
	return line, nil
}

func (m Mapping) date(row csvRow, text string) (Date, *errs.Error) {
	day := text
	if !strings.Contains(m.DateLayout, " ") {
		day, _, _ = strings.Cut(strings.Replace(text, "T", " ", 1), " ") // without the time of day
	}
	date, ok := parseDate(m.layout(), day)
	if !ok {
		return date, ErrDate.With("line", row.row).With("value", excerpt(text))
	}
	return date, nil
}

// amount is the signed amount of a row by the sign convention.
func (m Mapping) amount(c columns, row csvRow, currency string) (int64, *errs.Error) {
	text, inverted := row.cell(c.amount), m.Sign == Inverted
	switch m.Sign {
	case Separate:
		return m.separate(c, row, currency)
	case Indicated:
		indicator := row.cell(c.indicator)
		if inverted = strings.EqualFold(indicator, m.DebitWord); !inverted && !strings.EqualFold(indicator, m.CreditWord) {
			return 0, ErrDirection.With("line", row.row).With("value", excerpt(indicator))
		}
	}
	amount, ok := m.number(text, currency)
	if !ok || m.Sign == Indicated && amount < 0 { // both a sign and an indicator could mean either
		return 0, ErrAmount.With("line", row.row).With("value", excerpt(text))
	}
	if inverted {
		return -amount, nil
	}
	return amount, nil
}

// separate reads the columns of credits and debits: one holds the amount, the other is empty or zero. Some banks write debits with a minus.
func (m Mapping) separate(c columns, row csvRow, currency string) (int64, *errs.Error) {
	creditText, debitText := row.cell(c.credit), row.cell(c.debit)
	credit, creditOK := m.number(firstOf(creditText, "0"), currency)
	debit, debitOK := m.number(firstOf(debitText, "0"), currency)
	switch {
	case creditText == "" && debitText == "", !creditOK, !debitOK, credit != 0 && debit != 0, credit < 0:
		return 0, ErrAmount.With("line", row.row).With("value", excerpt(creditText+" "+debitText))
	case debit > 0:
		return -debit, nil
	}
	return credit + debit, nil
}

// number reads an amount as people write it: with a sign before or after, thousands in groups of three, the currency beside it.
func (m Mapping) number(text, currency string) (int64, bool) {
	text = strings.NewReplacer("−", "-", "\u00a0", "", "\u202f", "", " ", "", currency, "", "€", "", "$", "", "£", "", "¥", "").Replace(text)
	negative := false
	switch {
	case strings.HasPrefix(text, "-"):
		negative, text = true, text[1:]
	case strings.HasSuffix(text, "-"):
		negative, text = true, text[:len(text)-1]
	case strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")"):
		negative, text = true, text[1:len(text)-1]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	whole, fraction, point := strings.Cut(text, m.Decimal)
	whole, ok := ungroup(whole, m.Decimal)
	if !ok || point && fraction == "" {
		return 0, false
	}
	if whole == "" && point {
		whole = "0" // some banks write .50
	}
	amount, ok := parseAmount(whole+"."+fraction, '.', currency)
	if negative {
		amount = -amount
	}
	return amount, ok
}

// ungroup removes the separators of thousands: all the same, before groups of three digits.
func ungroup(whole, decimal string) (string, bool) {
	for _, separator := range []string{",", ".", "'", "’"} {
		groups := strings.Split(whole, separator)
		if separator == decimal || len(groups) == 1 {
			continue
		}
		if len(groups[0]) == 0 || len(groups[0]) > 3 || slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 }) {
			return "", false
		}
		return strings.Join(groups, ""), true
	}
	return whole, true
}

// csvStatement puts the lines of one currency in the order of booking and holds them against their running balance.
func csvStatement(lines []csvLine) (Statement, error) {
	lines, refusal := inOrder(lines)
	if refusal != nil {
		return Statement{}, refusal
	}
	s := Statement{Currency: lines[0].Currency, Row: lines[0].Row}
	for _, line := range lines {
		s.Lines = append(s.Lines, line.Line)
		s.Row = min(s.Row, line.Row)
	}
	s.setPeriod()
	s.Opening, s.Closing = runningBalances(lines, s.From, s.To)
	return s, nil
}

// inOrder is lines as they are or, if the newest stand first, reversed: by the balances where they tell, else by the dates.
func inOrder(lines []csvLine) ([]csvLine, *errs.Error) {
	reversed := slices.Clone(lines)
	slices.Reverse(reversed)
	asIs, turned := brokenAt(lines), brokenAt(reversed)
	follow, followTurned := asIs == nil, turned == nil
	newestFirst := lines[0].Booked.Compare(lines[len(lines)-1].Booked) > 0
	switch {
	case follow && (!followTurned || !newestFirst):
		return lines, nil
	case followTurned:
		return reversed, nil
	case newestFirst:
		return nil, turned
	}
	return nil, asIs
}

// brokenAt is the refusal of the first line whose balance doesn't follow from the one before; nil if all follow.
func brokenAt(lines []csvLine) *errs.Error {
	var running *int64
	for _, line := range lines {
		if running != nil {
			next, ok := add(*running, line.Amount)
			if !ok {
				return ErrTotal.With("statement", line.Currency)
			}
			if line.balance != nil && *line.balance != next {
				return ErrRunning.With("line", line.Row).With("balance", FormatAmount(*line.balance, line.Currency)).
					With("made", FormatAmount(next, line.Currency)).With("currency", line.Currency)
			}
			running = &next
		}
		if line.balance != nil {
			running = line.balance
		}
	}
	return nil
}

// runningBalances are the balances before the first and after the last line, as far as the balances of the lines give them.
func runningBalances(lines []csvLine, from, to Date) (opening, closing *Balance) {
	sum := int64(0)
	for i, line := range lines {
		var ok bool
		if sum, ok = add(sum, line.Amount); !ok {
			return nil, nil
		}
		if line.balance == nil {
			continue
		}
		if opening == nil {
			before, ok := add(*line.balance, -sum)
			if !ok {
				return nil, nil
			}
			opening = &Balance{Date: from, Amount: before}
		}
		closing = nil
		if i == len(lines)-1 {
			closing = &Balance{Date: to, Amount: *line.balance}
		}
	}
	return opening, closing
}

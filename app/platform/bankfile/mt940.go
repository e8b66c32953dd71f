package bankfile

import (
	"iter"
	"regexp"
	"strconv"
	"strings"

	"candor/app/platform/errs"
)

// The reader of MT940, the customer statement message of SWIFT (Standards MT, category 9, "MT 940 Customer Statement Message", fields 20, 25, 28C, 60a, 61, 86 and
// 62a), with or without the blocks around the message text.

var (
	swiftStart = regexp.MustCompile(`(?m)\A(\{1:|:20:)|^:60[FM]:`)
	swiftField = regexp.MustCompile(`^:([0-9]{2}[A-Z]?|NS):(.*)$`)
	// balanceForm are the subfields of 60a and 62a: mark, date, currency, amount.
	balanceForm = regexp.MustCompile(`^([CD])([0-9]{6})([A-Z]{3})([0-9]{1,15},[0-9]{0,4})$`)
	// lineForm are the subfields of 61: value date, entry date, mark, funds code, amount, transaction type, references.
	lineForm = regexp.MustCompile(`^([0-9]{6})([0-9]{4})?(R?[CD])([A-Z])?([0-9]{1,15},[0-9]{0,4})([A-Z][A-Z0-9]{3})(.*)$`)
	// pointer stands in field 61 when the payer's reference is in field 86.
	pointer = regexp.MustCompile(`^[A-Z]{4}\+$|^(EREF|KREF|PREF|MARF)$`)
	numbers = regexp.MustCompile(`^([0-9]{1,9})(?:/([0-9]{1,9}))?$`)
)

// swiftValue is one field of a message: its lines without the tag, and the line of the file where it begins.
type swiftValue struct {
	tag   string
	lines []string
	row   int
}

// readMT940 reads all messages of a file. Fields of other messages, and fields that say nothing of bookings, are ignored.
func readMT940(text string) ([]Statement, error) {
	r := &mt940Reader{}
	for field := range swiftFields(text) {
		if err := r.field(field); err != nil {
			return nil, err
		}
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	return r.statements, nil
}

// swiftFields yields the fields of a file. A line that begins no field goes on with the one before; "-" ends a message.
func swiftFields(text string) iter.Seq[swiftValue] {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return func(yield func(swiftValue) bool) {
		var field swiftValue
		row := 0
		for line := range strings.SplitSeq(text, "\n") {
			row++
			ends := strings.HasPrefix(line, "{") || strings.HasPrefix(line, "-}") || strings.TrimSpace(line) == "-"
			if strings.HasPrefix(line, "{") {
				_, line, _ = strings.Cut(line, "{4:")
			}
			m := swiftField.FindStringSubmatch(line)
			if (m != nil || ends) && field.tag != "" {
				if !yield(field) {
					return
				}
				field = swiftValue{}
			}
			switch {
			case m != nil:
				field = swiftValue{m[1], []string{m[2]}, row}
			case field.tag != "" && strings.TrimSpace(line) != "":
				field.lines = append(field.lines, line)
			}
		}
		if field.tag != "" {
			yield(field)
		}
	}
}

// mt940Reader collects the statements of a file, field by field.
type mt940Reader struct {
	statements []Statement
	open       bool // a statement without its closing balance
	described  bool // the last field 61 still waits for its field 86
	lines      int
}

func (r *mt940Reader) current() *Statement { return &r.statements[len(r.statements)-1] }

func (r *mt940Reader) field(f swiftValue) error {
	value := strings.TrimSpace(f.lines[0])
	if f.tag == "20" {
		if err := r.end(); err != nil {
			return err
		}
		r.statements = append(r.statements, Statement{ID: value, Row: f.row})
		r.open, r.described = true, false
		return nil
	}
	if len(r.statements) == 0 {
		return ErrMalformed.With("line", f.row).With("value", excerpt(":"+f.tag+":"+value))
	}
	s := r.current()
	switch f.tag {
	case "25", "25P":
		s.Account = swiftAccount(value)
	case "28C", "28":
		if m := numbers.FindStringSubmatch(value); m != nil {
			s.Sequence, _ = strconv.ParseInt(m[1], 10, 64)
			s.Page, _ = strconv.ParseInt(m[2], 10, 64)
		}
	case "60F", "60M":
		return s.readBalance(&s.Opening, f)
	case "62F", "62M":
		r.described = false
		return s.readBalance(&s.Closing, f)
	case "61":
		return r.line(f)
	case "86":
		if r.described {
			describe(&s.Lines[len(s.Lines)-1], f.lines)
		}
		r.described = false
	}
	return nil
}

// end closes a statement: it must have both balances, which the standard demands.
func (r *mt940Reader) end() error {
	if !r.open {
		return nil
	}
	s := r.current()
	if s.Opening == nil || s.Closing == nil {
		return ErrMalformed.With("line", s.Row).With("value", excerpt(":20:"+s.ID))
	}
	s.setPeriod()
	r.open = false
	return nil
}

// swiftAccount is the account of field 25. Some banks write the currency after an IBAN.
func swiftAccount(value string) string {
	account := compact(value)
	if cut := len(account) - 3; cut > 0 && ValidIBAN(account[:cut]) && currencyCode.MatchString(account[cut:]) {
		return account[:cut]
	}
	return account
}

func (s *Statement) readBalance(into **Balance, f swiftValue) error {
	value := strings.TrimSpace(f.lines[0])
	m := balanceForm.FindStringSubmatch(value)
	if m == nil || *into != nil {
		return ErrMalformed.With("line", f.row).With("value", excerpt(":"+f.tag+":"+value))
	}
	s.Currency = firstOf(s.Currency, m[3])
	if m[3] != s.Currency {
		return ErrCurrency.With("line", f.row).With("value", m[3])
	}
	date, ok := parseShortDate(m[2])
	if !ok {
		return ErrDate.With("line", f.row).With("value", m[2])
	}
	amount, ok := parseAmount(m[4], ',', m[3])
	if !ok {
		return ErrAmount.With("line", f.row).With("value", m[4])
	}
	if m[1] == "D" {
		amount = -amount
	}
	*into = &Balance{Date: date, Amount: amount, Interim: strings.HasSuffix(f.tag, "M")}
	return nil
}

// line reads a field 61. Its second line, if any, is for the account owner and stands in for a missing field 86.
func (r *mt940Reader) line(f swiftValue) error {
	s := r.current()
	m := lineForm.FindStringSubmatch(strings.TrimSpace(f.lines[0]))
	if m == nil || s.Opening == nil || s.Closing != nil {
		return ErrMalformed.With("line", f.row).With("value", excerpt(":61:"+f.lines[0]))
	}
	if r.lines++; r.lines > MaxLines {
		return ErrTooManyLines.With("limit", MaxLines)
	}
	line := Line{Row: f.row, Currency: s.Currency, Reversal: strings.HasPrefix(m[3], "R")}
	if refusal := line.readDates(m[1], m[2]); refusal != nil {
		return refusal
	}
	amount, ok := parseAmount(m[5], ',', s.Currency)
	if !ok {
		return ErrAmount.With("line", f.row).With("value", m[5])
	}
	if line.Amount = amount; m[3] == "D" || m[3] == "RC" { // the reversal of a credit takes money out
		line.Amount = -amount
	}
	payers, banks, _ := strings.Cut(m[7], "//")
	if line.BankReference = reference(banks); !pointer.MatchString(payers) {
		line.Reference = reference(payers)
	}
	line.Text = squeeze(strings.Join(f.lines[1:], " "))
	s.Lines = append(s.Lines, line)
	r.described = true
	return nil
}

// readDates reads the value date and the entry date, which has no year and may be left out.
func (l *Line) readDates(value, entry string) *errs.Error {
	var ok bool
	if l.Value, ok = parseShortDate(value); !ok {
		return ErrDate.With("line", l.Row).With("value", value)
	}
	if l.Booked = l.Value; entry == "" {
		return nil
	}
	if l.Booked, ok = nearestDate(entry, l.Value); !ok {
		return ErrDate.With("line", l.Row).With("value", entry)
	}
	return nil
}

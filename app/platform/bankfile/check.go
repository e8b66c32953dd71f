package bankfile

import "strconv"

// check holds the statements of a file against their balances, numbers their lines and refuses what is there twice.
func check(statements []Statement) error {
	if len(statements) == 0 {
		return ErrEmpty
	}
	for _, s := range statements {
		if err := checkBalance(s); err != nil {
			return err
		}
	}
	if err := number(statements); err != nil {
		return err
	}
	return checkRepeated(statements)
}

// checkBalance wants opening + lines = closing where the statement gives both.
func checkBalance(s Statement) error {
	sum := int64(0)
	for _, line := range s.Lines {
		var ok bool
		if sum, ok = add(sum, line.Amount); !ok {
			return ErrTotal.With("statement", s.name())
		}
	}
	if !s.proven() {
		return nil
	}
	made, ok := add(s.Opening.Amount, sum)
	if !ok {
		return ErrTotal.With("statement", s.name())
	}
	if made == s.Closing.Amount {
		return nil
	}
	return ErrBalance.With("statement", s.name()).With("opening", FormatAmount(s.Opening.Amount, s.Currency)).With("sum", FormatAmount(sum, s.Currency)).
		With("made", FormatAmount(made, s.Currency)).With("closing", FormatAmount(s.Closing.Amount, s.Currency)).With("currency", s.Currency)
}

// proven reports whether both balances are given: lines that make the one from the other are neither missing nor there twice.
func (s Statement) proven() bool { return s.Opening != nil && s.Closing != nil }

// name is what a refusal calls the statement.
func (s Statement) name() string {
	if s.Sequence != 0 {
		return strconv.FormatInt(s.Sequence, 10)
	}
	return excerpt(firstOf(s.ID, s.Account, s.Currency))
}

// number gives each line its index and its ordinals among equal lines. A line that equals an earlier one in its bank reference and all else is a duplicate, unless
// the balances of their statement prove both.
func number(statements []Statement) error {
	type place struct{ statement, row int }
	contents, references, seen := map[string]int{}, map[string]int{}, map[string]place{}
	for i, s := range statements {
		for j := range s.Lines {
			line := &s.Lines[j]
			line.Index = j + 1
			content, reference := line.content(s.Account), line.reference(s.Account)
			line.Ordinal = contents[content]
			contents[content]++
			if line.BankReference == "" {
				continue
			}
			line.ReferenceOrdinal = references[reference]
			references[reference]++
			earlier, twice := seen[content+reference]
			if twice && (earlier.statement != i || !s.proven()) {
				return ErrDuplicate.With("line", line.Row).With("earlier", earlier.row)
			}
			seen[content+reference] = place{i, line.Row}
		}
	}
	return nil
}

// checkRepeated refuses a statement that is in the file twice. One without lines does no harm.
func checkRepeated(statements []Statement) error {
	type identity struct {
		id, account, currency string
		sequence, page        int64
		from, to              Date
		opening, closing      Balance
		lines                 int
		first                 string
	}
	seen := map[identity]int{}
	for _, s := range statements {
		if !s.proven() || len(s.Lines) == 0 {
			continue
		}
		first := s.Lines[0].content(s.Account)
		this := identity{s.ID, s.Account, s.Currency, s.Sequence, s.Page, s.From, s.To, *s.Opening, *s.Closing, len(s.Lines), first}
		if row, twice := seen[this]; twice {
			return ErrRepeated.With("statement", s.name()).With("line", s.Row).With("earlier", row)
		}
		seen[this] = s.Row
	}
	return nil
}

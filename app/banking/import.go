package banking

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/platform/bankfile"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/platform/vault"
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{detailKey}

var detailKey = vault.Column{Table: "bank_lines", Name: "detail_key"}

// Imported is the result of an import.
type Imported struct {
	Statements []Statement
	New        int // lines
	Known      int // lines that an earlier file had
}

// File is a file to import.
type File struct {
	Raw       []byte
	AccountID int               // whose statement it is; 0 where the file says so, as all but CSV files do
	Mapping   *bankfile.Mapping // how a CSV file is read, kept for the account's next files; nil is the kept one
}

// Import reads a file of statements and keeps the lines that are new. Refusals: those of bankfile, ErrTwice, ErrAccount, ErrCurrency, ErrFuture.
func (s *Service) Import(ctx context.Context, by audit.Actor, f File) (out Imported, err error) {
	accounts, err := s.Accounts(ctx)
	if err != nil {
		return out, err
	}
	file, err := s.read(accounts, f)
	if err != nil {
		return out, err
	}
	sum := sha256.Sum256(f.Raw)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		out = Imported{}
		for _, statement := range file.Statements {
			account, err := accountOf(accounts, f.AccountID, statement)
			if err != nil {
				return err
			}
			if err := s.storeTx(ctx, tx, by, account, string(file.Format), sum[:], statement, &out); err != nil {
				return err
			}
		}
		return s.keepMappingTx(ctx, tx, by, f)
	})
	if err != nil {
		return out, err
	}
	if err := s.Suggest(ctx); err != nil { // the lines are there; the periodic job suggests their cases
		slog.ErrorContext(ctx, "suggest cases for imported lines", "error", err)
	}
	return out, nil
}

// read reads the file; a CSV file by its own mapping or that of its account.
func (s *Service) read(accounts []Account, f File) (bankfile.File, error) {
	options := bankfile.Options{Mapping: f.Mapping}
	for _, a := range accounts {
		if a.ID != f.AccountID {
			continue
		}
		options.Account = a.IBAN
		if kept, err := a.CSV(); err != nil {
			return bankfile.File{}, err
		} else if f.Mapping == nil {
			options.Mapping = kept
		}
	}
	return bankfile.Read(f.Raw, options)
}

// CSV is how the account's CSV files are read; nil before the first one.
func (a Account) CSV() (*bankfile.Mapping, error) {
	if len(a.Mapping) == 0 {
		return nil, nil //nolint:nilnil // no mapping is no error
	}
	m := new(bankfile.Mapping)
	if err := json.Unmarshal(a.Mapping, m); err != nil {
		return nil, fmt.Errorf("read the mapping of bank account %d: %w", a.ID, err)
	}
	return m, nil
}

// keepMappingTx keeps a new mapping for the next files of the account.
func (s *Service) keepMappingTx(ctx context.Context, tx *db.Tx, by audit.Actor, f File) error {
	if f.Mapping == nil {
		return nil
	}
	mapping, err := json.Marshal(f.Mapping)
	if err != nil {
		return err
	}
	if _, err := tx.Conn.Exec(ctx, `UPDATE bank_accounts SET mapping = $2 WHERE id = $1`, f.AccountID, mapping); err != nil {
		return fmt.Errorf("keep the mapping of bank account %d: %w", f.AccountID, err)
	}
	entry := audit.By(by, s.clock.Now(), "banking.mapping", "bank_account", f.AccountID)
	entry.After = string(mapping)
	return audit.RecordTx(ctx, tx, entry)
}

// accountOf finds the open account of a statement. Refusals: ErrAccount, ErrCurrency.
func accountOf(accounts []Account, named int, st bankfile.Statement) (Account, error) {
	number := NormalNumber(st.Account)
	for _, a := range accounts {
		fits := a.IBAN == number
		if number == "" {
			fits = a.ID == named
		}
		if !fits || named != 0 && a.ID != named || !a.Open {
			continue
		}
		if st.Currency != "" && st.Currency != a.Currency {
			return a, ErrCurrency.With("currency", st.Currency).With("account", a.Name)
		}
		return a, nil
	}
	return Account{}, ErrAccount.With("number", ending(number))
}

// ending is the end of an account's number.
func ending(number string) string {
	if len(number) <= 4 {
		return number
	}
	return "…" + number[len(number)-4:]
}

// NormalNumber is an account's number in capitals, without spaces.
func NormalNumber(text string) string {
	return strings.ToUpper(strings.Join(strings.Fields(text), ""))
}

// storeTx stores a statement with its new lines.
func (s *Service) storeTx(ctx context.Context, tx *db.Tx, by audit.Actor, account Account, format string, sum []byte, in bankfile.Statement, out *Imported) error {
	st, follows, err := s.statementTx(tx, by, account, format, sum, in)
	if err != nil {
		return err
	}
	if err := tx.Rows.Create(&st).Error; err != nil {
		return fmt.Errorf("store a bank statement: %w", err)
	}
	if err := vault.LockTx(ctx, tx); err != nil {
		return err
	}
	fresh, err := s.linesTx(ctx, tx, account, st, follows, in.Lines)
	if err != nil {
		return err
	}
	out.Statements, out.New, out.Known = append(out.Statements, st), out.New+fresh, out.Known+len(in.Lines)-fresh
	entry := audit.By(by, s.clock.Now(), "banking.import", "bank_statement", st.ID)
	after, err := json.Marshal(map[string]any{"account": account.Name, "number": st.Number, "lines": len(in.Lines), "new": fresh, "gap": st.Gap})
	if err != nil {
		return err
	}
	entry.After = string(after)
	tx.Publish(audit.Recorded, []byte("bank_line:all")) // pages that list lines hear of the new ones
	return audit.RecordTx(ctx, tx, entry)
}

// ahead is how far a bank's day may be ahead of our clock: it may be tomorrow there.
const ahead = 24 * time.Hour

// statementTx is the row of a statement. It follows when it begins on the day and with the balance that the one before ended with, so that none of its lines is in
// that one. A file that was imported already is refused with ErrTwice.
func (s *Service) statementTx(tx *db.Tx, by audit.Actor, account Account, format string, sum []byte, in bankfile.Statement) (st Statement, follows bool, err error) {
	var before Statement
	err = errors.Join(
		tx.Rows.Exec(`SELECT pg_advisory_xact_lock(hashtext('bank_statement'), ?)`, account.ID).Error,
		tx.Rows.Where("account_id = ? AND sha256 = ? AND number = ?", account.ID, sum, in.ID).Limit(1).Find(&before).Error,
	)
	if err != nil {
		return st, false, fmt.Errorf("look for the same statement: %w", err)
	}
	if before.ID != 0 {
		return st, false, ErrTwice.With("number", before.DisplayNumber())
	}
	st = Statement{
		AccountID: account.ID, SHA256: sum, Format: format, Number: in.ID, ImportedBy: by.ID, ImportedAt: s.clock.Now(),
	}
	st.FirstDay, st.LastDay = days(in)
	if st.LastDay.After(s.clock.Now().Add(ahead)) || slices.ContainsFunc(in.Lines, func(l bankfile.Line) bool { return day(l.Booked).After(s.clock.Now().Add(ahead)) }) {
		return st, false, ErrFuture.With("day", st.LastDay.Format(time.DateOnly))
	}
	for _, balance := range []struct {
		in  *bankfile.Balance
		out **int64
	}{{in.Opening, &st.Opening}, {in.Closing, &st.Closing}} {
		if balance.in == nil {
			continue
		}
		amount, err := scaled(balance.in.Amount, account.Currency)
		if err != nil {
			return st, false, err
		}
		*balance.out = &amount
	}
	if st.Opening == nil {
		return st, false, nil
	}
	var again int64
	err = errors.Join(
		tx.Rows.Where("account_id = ? AND closing IS NOT NULL AND last_day <= ?", account.ID, st.FirstDay).Order("last_day DESC, id DESC").Limit(1).Find(&before).Error,
		tx.Rows.Model(&Statement{}).Where("account_id = ? AND first_day = ? AND last_day = ? AND opening = ? AND closing IS NOT DISTINCT FROM ?",
			account.ID, st.FirstDay, st.LastDay, st.Opening, st.Closing).Count(&again).Error,
	)
	if err != nil {
		return st, false, fmt.Errorf("look for the statement before: %w", err)
	}
	st.Gap = before.ID != 0 && *before.Closing != *st.Opening && again == 0
	return st, before.ID != 0 && !st.Gap && again == 0 && before.LastDay.Equal(st.FirstDay), nil
}

// linesTx stores the lines that no earlier file had, and returns their number.
func (s *Service) linesTx(ctx context.Context, tx *db.Tx, account Account, st Statement, follows bool, lines []bankfile.Line) (int, error) {
	seen, err := knownTx(ctx, tx, account, lines)
	if err != nil {
		return 0, err
	}
	var fresh []bankfile.Line
	for _, in := range lines {
		// A statement that begins where the one before ended, on the same day, has other lines, however equal they look.
		for follows && seen.has(in, account) {
			in.Ordinal, in.ReferenceOrdinal = in.Ordinal+1, in.ReferenceOrdinal+1
		}
		if !seen.has(in, account) {
			seen.add(in.Key(account.IBAN), content(in, account))
			fresh = append(fresh, in)
		}
	}
	ids, err := newIDsTx(ctx, tx, len(fresh))
	if err != nil || len(fresh) == 0 {
		return 0, err
	}
	rows := make([]Line, len(fresh))
	for i, in := range fresh {
		if rows[i], err = s.line(account, st, ids[i], in); err != nil {
			return 0, err
		}
	}
	if err := tx.Rows.CreateInBatches(rows, linesAtOnce).Error; err != nil {
		return 0, fmt.Errorf("store the lines of statement %d: %w", st.ID, err)
	}
	return len(rows), nil
}

// linesAtOnce is how many lines are stored by one statement of SQL.
const linesAtOnce = 500

// known are the lines that an account has: their keys, and how many there are of each content.
type known struct {
	keys     map[string]bool
	contents map[string]int
}

func (k known) add(key, content string) {
	k.keys[key] = true
	k.contents[content]++
}

// content is what a line says besides the bank's reference, as one key for all lines that say the same.
func content(in bankfile.Line, account Account) string {
	in.Ordinal = 0
	return in.ContentKey(account.IBAN)
}

// knownTx reads the account's lines of the days of new ones. statementTx has locked the account against another import.
func knownTx(ctx context.Context, tx *db.Tx, account Account, lines []bankfile.Line) (k known, err error) {
	k = known{map[string]bool{}, map[string]int{}}
	var days []time.Time
	for _, l := range lines {
		days = append(days, day(l.Booked))
	}
	rows, err := tx.Conn.Query(ctx, `SELECT key, content_key FROM bank_lines WHERE account_id = $1 AND booked_on = ANY ($2)`, account.ID, days)
	if err != nil {
		return k, fmt.Errorf("look for known lines of bank account %d: %w", account.ID, err)
	}
	var key, content string
	_, err = pgx.ForEachRow(rows, []any{&key, &content}, func() error {
		k.add(key, content)
		return nil
	})
	if err != nil {
		return k, fmt.Errorf("look for known lines of bank account %d: %w", account.ID, err)
	}
	return k, nil
}

// has reports whether the account has a line already: by its key, or by its content where one of the two files had no bank's reference.
func (k known) has(in bankfile.Line, account Account) bool {
	if in.BankReference == "" {
		return k.keys[in.Key(account.IBAN)] || k.contents[content(in, account)] > in.Ordinal
	}
	return k.keys[in.Key(account.IBAN)] || k.keys[in.ContentKey(account.IBAN)]
}

// newIDsTx takes ids for new lines: what a line says is sealed under its id.
func newIDsTx(ctx context.Context, tx *db.Tx, n int) ([]int64, error) {
	rows, err := tx.Conn.Query(ctx, `SELECT nextval(pg_get_serial_sequence('bank_lines', 'id')) FROM generate_series(1, $1)`, n)
	if err != nil {
		return nil, fmt.Errorf("number bank lines: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("number bank lines: %w", err)
	}
	return ids, nil
}

// line is the row of a new line.
func (s *Service) line(account Account, st Statement, id int64, in bankfile.Line) (line Line, err error) {
	line = Line{
		ID: id, StatementID: st.ID, AccountID: account.ID, Key: in.Key(account.IBAN), ContentKey: content(in, account), BookedOn: day(in.Booked), ValueOn: day(in.Value),
		Reference: paymentReference(in.Reference + " " + in.Text), BankReference: in.BankReference, State: Unmatched, Version: 1,
	}
	if line.Amount, err = scaled(in.Amount, account.Currency); err != nil {
		return line, err
	}
	words, err := json.Marshal(Detail{Counterparty: in.Counterparty, Account: in.CounterpartyAccount, Text: strings.TrimSpace(in.Reference + " " + in.Text)})
	if err != nil {
		return line, err
	}
	sealed, err := s.vault.Seal(owner(id), words)
	line.DetailKey, line.DetailSealed = sealed.WrappedKey, sealed.Ciphertext
	return line, err
}

func owner(id int64) string { return fmt.Sprintf("bank_lines:%d|detail", id) }

// scaled is an amount in 10^-6 of a currency.
func scaled(amount int64, currency string) (int64, error) {
	return money.MulDiv(amount, money.Pow10(money.Scale-bankfile.Decimals(currency)), 1, money.Down)
}

// days are the first and the last day of a statement; of a file that does not say, those of its lines.
func days(in bankfile.Statement) (first, last time.Time) {
	if !in.From.IsZero() && !in.To.IsZero() {
		return day(in.From), day(in.To)
	}
	for i, line := range in.Lines {
		booked := day(line.Booked)
		if i == 0 || booked.Before(first) {
			first = booked
		}
		if booked.After(last) {
			last = booked
		}
	}
	return first, last
}

func day(d bankfile.Date) time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// referenceForm finds what may be the payment reference of a deposit: banks drop dashes, break lines and change case.
var referenceForm = regexp.MustCompile(`(?i)CD[-\s]*(?:[0-9A-Z][-\s]*){8}`)

// paymentReference is the first payment reference of a deposit in a payer's words; empty without one.
func paymentReference(words string) string {
	for _, found := range referenceForm.FindAllString(words, -1) {
		if reference, ok := deposit.ReadReference(found); ok {
			return reference
		}
	}
	return ""
}

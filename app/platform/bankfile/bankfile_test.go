package bankfile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"candor/app/platform/bankfile"
	"candor/app/platform/bankfile/bankfiletest"
	"candor/app/platform/errs"
)

const (
	ours   = "DE89370400440532013000"
	theirs = "GB82WEST12345698765432"
)

func day(d int) bankfile.Date { return bankfile.Date{Year: 2026, Month: 3, Day: d} }

// month is a statement of three days, with what formats treat differently: umlauts, long names and texts, equal lines, a reversal.
func month() bankfile.Statement {
	return bankfiletest.Statement("2026-03", ours, "EUR", 100_000_00,
		bankfile.Line{Booked: day(2), Value: day(3), Amount: 1_250_00, Counterparty: "Jürgen Müller-Lüdenscheidt", CounterpartyAccount: theirs, Reference: "E2E-1", BankReference: "B-1", Text: "Deposit SP-7781"},
		bankfile.Line{Booked: day(2), Amount: -999_99, Counterparty: "Nordic Trading Partners International ApS", CounterpartyAccount: theirs, Reference: "WD-20001", BankReference: "B-2", Text: "Payout of the second of March for the account ending 4711, thank you for trading with us"},
		bankfile.Line{Booked: day(3), Amount: 50_00, Counterparty: "Anna Smith", CounterpartyAccount: theirs, Text: "Top up"},
		bankfile.Line{Booked: day(3), Amount: 50_00, Counterparty: "Anna Smith", CounterpartyAccount: theirs, Text: "Top up"},
		bankfile.Line{Booked: day(4), Amount: -1_250_00, Counterparty: "Jürgen Müller-Lüdenscheidt", CounterpartyAccount: theirs, Reference: "E2E-1", BankReference: "B-1", Text: "Deposit SP-7781", Reversal: true},
	)
}

func read(t *testing.T, raw []byte, o bankfile.Options) bankfile.File {
	t.Helper()
	file, err := bankfile.Read(raw, o)
	require.NoError(t, err)
	return file
}

// refused wants a refusal with exactly these arguments, as name, value, name, value.
func refused(t *testing.T, err error, want *errs.Error, args ...string) {
	t.Helper()
	require.ErrorIs(t, err, want)
	got := errs.As(err).Args
	require.Len(t, got, len(args)/2, "%v", got)
	for i := 0; i < len(args); i += 2 {
		require.Equal(t, args[i+1], got[args[i]], args[i])
	}
}

func keys(s bankfile.Statement) (keys []string) {
	for _, line := range s.Lines {
		keys = append(keys, line.Key("bank-1"))
	}
	return keys
}

func TestTheFormatsSayTheSame(t *testing.T) {
	t.Parallel()
	want := month()
	want.Sequence, want.Page = 12, 1
	csv, mapping := bankfiletest.CSV(want)
	files := map[bankfile.Format]bankfile.File{
		bankfile.CAMT053: read(t, bankfiletest.CAMT053(want), bankfile.Options{}),
		bankfile.MT940:   read(t, bankfiletest.MT940(want), bankfile.Options{}),
		bankfile.CSV:     read(t, csv, bankfile.Options{Mapping: &mapping, Account: "DE89 3704 0044 0532 0130 00"}),
	}
	for format, file := range files {
		require.Equal(t, format, file.Format)
		require.Len(t, file.Statements, 1)
		got := file.Statements[0]
		require.Equal(t, []any{want.Account, want.Currency, want.From, want.To, want.Opening, want.Closing}, []any{got.Account, got.Currency, got.From, got.To, got.Opening, got.Closing}, format)
		if format != bankfile.CSV {
			require.Equal(t, []any{want.ID, want.Sequence}, []any{got.ID, got.Sequence}, format)
		}
		require.Equal(t, keys(files[bankfile.CAMT053].Statements[0]), keys(got), "%s gives the same keys", format)
		for i, line := range got.Lines {
			require.Positive(t, line.Row, format)
			if format == bankfile.CSV {
				line.Reversal = want.Lines[i].Reversal // CSV can't say it
			}
			line.Row, line.Ordinal, line.ReferenceOrdinal = 0, 0, 0
			require.Equal(t, want.Lines[i], line, "%s line %d", format, i+1)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	whole := read(t, bankfiletest.CAMT053(month()), bankfile.Options{}).Statements[0]

	t.Run("AreDifferentForEachLine", func(t *testing.T) {
		t.Parallel()
		seen := map[string]bool{}
		for _, key := range keys(whole) {
			require.Len(t, key, 64)
			require.False(t, seen[key], "the two equal lines and the reversal with the same bank reference are lines of their own")
			seen[key] = true
		}
		require.NotEqual(t, whole.Lines[0].Key("bank-1"), whole.Lines[0].Key("bank-2"), "another account has another line")
	})
	t.Run("AreTheSameInAnOverlappingStatement", func(t *testing.T) {
		t.Parallel()
		overlap := bankfiletest.Statement("2026-03b", ours, "EUR", 100_250_01, month().Lines[2:]...)
		got := read(t, bankfiletest.MT940(overlap), bankfile.Options{}).Statements[0]
		require.Equal(t, keys(whole)[2:], keys(got))
	})
	t.Run("FollowTheBankReference", func(t *testing.T) {
		t.Parallel()
		line := whole.Lines[0]
		line.Text, line.Counterparty, line.Value = "another text", "somebody", day(9)
		require.Equal(t, whole.Lines[0].Key("x"), line.Key("x"))
		require.NotEqual(t, whole.Lines[0].ContentKey("x"), line.ContentKey("x"))
		line.BankReference = "B-9"
		require.NotEqual(t, whole.Lines[0].Key("x"), line.Key("x"))
	})
	t.Run("WithoutOneFollowTheContent", func(t *testing.T) {
		t.Parallel()
		line := whole.Lines[2]
		require.Equal(t, line.ContentKey("x"), line.Key("x"))
		for name, change := range map[string]func(*bankfile.Line){
			"Day":          func(l *bankfile.Line) { l.Booked = day(9) },
			"Amount":       func(l *bankfile.Line) { l.Amount = -l.Amount },
			"Currency":     func(l *bankfile.Line) { l.Currency = "USD" },
			"Counterparty": func(l *bankfile.Line) { l.Counterparty = "Bob Smith" },
			"Text":         func(l *bankfile.Line) { l.Text = "Top up 2" },
			"Ordinal":      func(l *bankfile.Line) { l.Ordinal++ },
		} {
			other := line
			change(&other)
			require.NotEqual(t, line.Key("x"), other.Key("x"), name)
		}
		other := line
		other.Counterparty, other.Text, other.Value, other.Row, other.Index = "ANNA  SMITH", "Topup", day(9), 99, 99
		require.Equal(t, line.Key("x"), other.Key("x"), "case, spaces and the value date don't count")
		other.Counterparty = "安娜"
		chinese := other.Key("x")
		other.Counterparty = "安妮"
		require.NotEqual(t, chinese, other.Key("x"), "letters of any script count")
	})
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	_, err := bankfile.Read(make([]byte, bankfile.MaxBytes+1), bankfile.Options{})
	refused(t, err, bankfile.ErrTooLarge, "megabytes", "10")
	for name, raw := range map[string]string{"Nothing": "", "Text": "hello", "CSVWithoutMapping": "a;b\n1;2\n", "Picture": "\xff\xd8\xff\xe0"} {
		_, err := bankfile.Read([]byte(raw), bankfile.Options{})
		require.ErrorIs(t, err, bankfile.ErrFormat, name)
	}
}

func TestTheBalancesMustHold(t *testing.T) {
	t.Parallel()
	broken := month()
	broken.Closing.Amount -= 1
	csv, mapping := bankfiletest.CSV(month())
	for name, raw := range map[string][]byte{"camt": bankfiletest.CAMT053(broken), "mt940": bankfiletest.MT940(broken)} {
		_, err := bankfile.Read(raw, bankfile.Options{})
		require.ErrorIs(t, err, bankfile.ErrBalance, name)
		args := errs.As(err).Args
		require.Equal(t, []string{"100000.00", "-899.99", "99100.01", "99100.00", "EUR"}, []string{args["opening"], args["sum"], args["made"], args["closing"], args["currency"]}, name)
	}
	_, err := bankfile.Read([]byte(strings.Replace(string(csv), "100300,01", "100300,02", 1)), bankfile.Options{Mapping: &mapping})
	refused(t, err, bankfile.ErrRunning, "line", "4", "balance", "100300.02", "made", "100300.01", "currency", "EUR")

	open := month()
	open.Closing = nil
	require.Nil(t, read(t, bankfiletest.CAMT053(open), bankfile.Options{}).Statements[0].Closing, "without both there is nothing to hold")
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	one := bankfile.Line{Booked: day(2), Amount: 5_00, BankReference: "B-1", Text: "Top up"}
	other := one
	other.Text = "Top up again"

	t.Run("ALineTwiceInAnUnprovenStatementIsRefused", func(t *testing.T) {
		t.Parallel()
		s := bankfiletest.Statement("1", ours, "EUR", 0, one, one)
		s.Closing = nil
		_, err := bankfile.Read(bankfiletest.CAMT053(s), bankfile.Options{})
		refused(t, err, bankfile.ErrDuplicate, "line", "8", "earlier", "7")
	})
	t.Run("BalancesProveThemBoth", func(t *testing.T) {
		t.Parallel()
		got := read(t, bankfiletest.CAMT053(bankfiletest.Statement("1", ours, "EUR", 0, one, one)), bankfile.Options{}).Statements[0]
		require.NotEqual(t, got.Lines[0].Key("x"), got.Lines[1].Key("x"))
	})
	t.Run("AnotherTextIsAnotherLine", func(t *testing.T) {
		t.Parallel()
		s := bankfiletest.Statement("1", ours, "EUR", 0, one, other)
		s.Closing = nil
		got := read(t, bankfiletest.CAMT053(s), bankfile.Options{}).Statements[0]
		require.NotEqual(t, got.Lines[0].Key("x"), got.Lines[1].Key("x"))
	})
	t.Run("ALineInTwoStatementsIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := bankfile.Read(bankfiletest.CAMT053(bankfiletest.Statement("1", ours, "EUR", 0, one), bankfiletest.Statement("2", ours, "EUR", 5_00, one)), bankfile.Options{})
		refused(t, err, bankfile.ErrDuplicate, "line", "14", "earlier", "8")
		got := read(t, bankfiletest.CAMT053(bankfiletest.Statement("1", ours, "EUR", 0, one), bankfiletest.Statement("2", theirs, "EUR", 5_00, one)), bankfile.Options{})
		require.Len(t, got.Statements, 2, "another account may have an equal line")
	})
	t.Run("AStatementTwiceIsRefused", func(t *testing.T) {
		t.Parallel()
		plain := one
		plain.BankReference = ""
		first, second := bankfiletest.Statement("1", ours, "EUR", 0, plain), bankfiletest.Statement("1", ours, "EUR", 0, plain)
		_, err := bankfile.Read(bankfiletest.CAMT053(first, second), bankfile.Options{})
		refused(t, err, bankfile.ErrRepeated, "statement", "1", "line", "10", "earlier", "4")
		third := bankfiletest.Statement("1", ours, "EUR", 5_00, plain)
		require.Len(t, read(t, bankfiletest.CAMT053(first, third), bankfile.Options{}).Statements, 2, "the next balance makes it another one")
	})
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	csv, mapping := bankfiletest.CSV(month())
	camt := bankfiletest.CAMT053(month())
	latin := func(raw []byte) []byte {
		out, err := charmap.ISO8859_1.NewEncoder().Bytes(raw)
		require.NoError(t, err)
		return out
	}
	wide := func(raw []byte) []byte {
		out, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(raw)
		require.NoError(t, err)
		return out
	}
	marked := func(raw []byte) []byte { return append([]byte("\uFEFF"), raw...) }
	declared := func(raw []byte, encoding string) []byte {
		return []byte(strings.Replace(string(raw), "UTF-8", encoding, 1))
	}
	for name, raw := range map[string][]byte{
		"MT940Latin": latin(bankfiletest.MT940(month())), "MT940UTF8": bankfiletest.MT940(month()), "MT940Marked": marked(bankfiletest.MT940(month())),
		"CSVLatin": latin(csv), "CSVMarked": marked(csv), "CSVUTF16": wide(csv),
		"CamtLatin": latin(declared(camt, "ISO-8859-1")), "CamtLatin9": latin(declared(camt, "iso-8859-15")), "CamtMarked": marked(camt), "CamtUTF16": wide(declared(camt, "UTF-16")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, "Jürgen Müller-Lüdenscheidt", read(t, raw, bankfile.Options{Mapping: &mapping}).Statements[0].Lines[0].Counterparty)
		})
	}
	_, err := bankfile.Read(declared(camt, "EBCDIC-US"), bankfile.Options{})
	require.ErrorIs(t, err, bankfile.ErrBroken)
	_, err = bankfile.Read(latin(camt), bankfile.Options{})
	require.ErrorIs(t, err, bankfile.ErrBroken, "declared as UTF-8 but isn't")
}

package bankfile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/bankfile"
	"candor/app/platform/errs"
)

// swift is a message with its balances around fields, one per line. The account was opened with 100.00 and the lines must make the closing balance.
func swift(closing string, fields ...string) string {
	return ":20:STARTUMS\n:25:DE89370400440532013000EUR\n:28C:00012/003\n:60F:C260301EUR100,00\n" + strings.Join(append(fields, ":62F:"+closing, "-"), "\n") + "\n"
}

// swiftOne reads the one line of a credit of 12.50.
func swiftOne(t *testing.T, fields ...string) bankfile.Line {
	t.Helper()
	lines := read(t, []byte(swift("C260302EUR112,50", fields...)), bankfile.Options{}).Statements[0].Lines
	require.Len(t, lines, 1)
	return lines[0]
}

func TestMT940Statement(t *testing.T) {
	t.Parallel()
	s := read(t, []byte(swift("D260302EUR12,5", ":61:2603030302D112,50NTRFREF-1//B-1")), bankfile.Options{}).Statements[0]
	require.Equal(t, []any{"STARTUMS", int64(12), int64(3), ours, "EUR", day(1), day(2), 1},
		[]any{s.ID, s.Sequence, s.Page, s.Account, s.Currency, s.From, s.To, s.Row}, "the currency after the IBAN is no part of the account")
	require.Equal(t, &bankfile.Balance{Date: day(1), Amount: 100_00}, s.Opening)
	require.Equal(t, &bankfile.Balance{Date: day(2), Amount: -12_50}, s.Closing)
	require.Equal(t, []bankfile.Line{{Index: 1, Row: 5, Booked: day(2), Value: day(3), Amount: -112_50, Currency: "EUR", Reference: "REF-1", BankReference: "B-1"}}, s.Lines)
}

func TestMT940Files(t *testing.T) {
	t.Parallel()
	one, two := swift("C260302EUR112,50", ":61:260302C12,50NMSCNONREF"), strings.Replace(swift("C260303EUR100,00"), "STARTUMS", "SECOND", 1)
	block := "{1:F01BANKDEFFAXXX0000000000}{2:I940BANKDEFFXXXXN}{4:\n"
	blocks := block + strings.TrimSuffix(one, "-\n") + "-}{5:}\n"
	for name, raw := range map[string]string{
		"Several":       one + two,
		"WithoutHyphen": strings.ReplaceAll(one, "\n-\n", "\n") + two,
		"Windows":       strings.ReplaceAll(one+two, "\n", "\r\n"),
		"OldMac":        strings.ReplaceAll(one+two, "\n", "\r"),
		"Blocks":        blocks + block + two,
		"BlankLines":    "\n\n" + strings.ReplaceAll(one+two, "-\n", "-\n\n\n"),
		"LinesBefore":   "BANKNL2A\n940\nBANKNL2A\n" + strings.Replace(one, ":28C:", ":28:", 1) + two,
		"HyphenBefore":  "-\n" + one + two,
		"OtherFields":   strings.ReplaceAll(one+two, ":62F:", ":NS:22something\n:62F:") + ":64:C260303EUR1,00\n:86:a word about the statement\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := read(t, []byte(raw), bankfile.Options{})
			require.Equal(t, bankfile.MT940, file.Format)
			require.Len(t, file.Statements, 2)
			require.Equal(t, []string{"STARTUMS", "SECOND"}, []string{file.Statements[0].ID, file.Statements[1].ID})
			require.Len(t, file.Statements[0].Lines, 1)
			require.Empty(t, file.Statements[0].Lines[0].Text, "what follows the closing balance is not about the last line")
		})
	}
}

func TestMT940Pages(t *testing.T) {
	t.Parallel()
	first := strings.NewReplacer(":62F:", ":62M:", "00012/003", "12/1").Replace(swift("C260302EUR112,50", ":61:260302C12,50NMSCNONREF"))
	second := strings.NewReplacer(":60F:C260301EUR100,00", ":60M:C260302EUR112,50", "00012/003", "12/2").Replace(swift("C260302EUR110,00", ":61:260302D2,50NCHGNONREF"))
	pages := read(t, []byte(first+second), bankfile.Options{}).Statements
	require.Equal(t, []int64{1, 2}, []int64{pages[0].Page, pages[1].Page})
	require.True(t, pages[0].Closing.Interim && pages[1].Opening.Interim)
	require.False(t, pages[0].Opening.Interim || pages[1].Closing.Interim)
}

func TestMT940Line(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		field string
		want  bankfile.Line
	}{
		"WithoutEntryDate":   {":61:260303C12,5NTRFNONREF", bankfile.Line{Booked: day(3), Value: day(3)}},
		"WithFundsCode":      {":61:2603030302CR12,50NTRFX", bankfile.Line{Booked: day(2), Value: day(3), Reference: "X"}},
		"ReversalOfADebit":   {":61:2603030302RD12,50NTRFX", bankfile.Line{Booked: day(2), Value: day(3), Reference: "X", Reversal: true}},
		"ReversalWithFunds":  {":61:2603030302RDR12,50NTRFX", bankfile.Line{Booked: day(2), Value: day(3), Reference: "X", Reversal: true}},
		"ReferenceWithSlash": {":61:2603030302C12,50NTRFA/B C//D/E//F", bankfile.Line{Booked: day(2), Value: day(3), Reference: "A/B C", BankReference: "D/E//F"}},
		"BankHasNone":        {":61:2603030302C12,50S940X//NONREF", bankfile.Line{Booked: day(2), Value: day(3), Reference: "X"}},
		"ReferenceElsewhere": {":61:2603030302C12,50NTRFKREF+//B-1", bankfile.Line{Booked: day(2), Value: day(3), BankReference: "B-1"}},
		"ReferenceIn86":      {":61:2603030302C12,50NTRFEREF//B-1", bankfile.Line{Booked: day(2), Value: day(3), BankReference: "B-1"}},
		"ReferenceLikeIt":    {":61:2603030302C12,50NTRFEREF1//B-1", bankfile.Line{Booked: day(2), Value: day(3), Reference: "EREF1", BankReference: "B-1"}},
		"Supplementary":      {":61:2603030302C12,50NTRFX\nfor  the owner", bankfile.Line{Booked: day(2), Value: day(3), Reference: "X", Text: "for the owner"}},
		"BookedNextYear":     {":61:2612310102C12,50NTRFX", bankfile.Line{Booked: bankfile.Date{Year: 2027, Month: 1, Day: 2}, Value: bankfile.Date{Year: 2026, Month: 12, Day: 31}, Reference: "X"}},
		"BookedLastYear":     {":61:2601021231C12,50NTRFX", bankfile.Line{Booked: bankfile.Date{Year: 2025, Month: 12, Day: 31}, Value: bankfile.Date{Year: 2026, Month: 1, Day: 2}, Reference: "X"}},
		"LeapDay":            {":61:2802290229C12,50NTRFX", bankfile.Line{Booked: bankfile.Date{Year: 2028, Month: 2, Day: 29}, Value: bankfile.Date{Year: 2028, Month: 2, Day: 29}, Reference: "X"}},
		"LastCentury":        {":61:991231C12,50NTRFX", bankfile.Line{Booked: bankfile.Date{Year: 1999, Month: 12, Day: 31}, Value: bankfile.Date{Year: 1999, Month: 12, Day: 31}, Reference: "X"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.want.Index, test.want.Row, test.want.Amount, test.want.Currency = 1, 5, 12_50, "EUR"
			require.Equal(t, test.want, swiftOne(t, test.field))
		})
	}
	reversedCredit := read(t, []byte(swift("C260302EUR87,50", ":61:2603030302RC12,50NTRFX")), bankfile.Options{}).Statements[0].Lines[0]
	require.Equal(t, []any{int64(-12_50), true}, []any{reversedCredit.Amount, reversedCredit.Reversal}, "the reversal of a credit takes money out")
}

func TestMT940Info(t *testing.T) {
	t.Parallel()
	type parts struct{ Counterparty, Account, Reference, Text string }
	for name, test := range map[string]struct {
		info string // lines of field 86
		want parts
	}{
		"German": {"166?00GUTSCHRIFT?109310?20EREF+E2E-1?21SVWZ+Deposit trader 10004?22SP-7781?30MARKDEF1820?31" + theirs + "\n?32Jürgen Müller?34166",
			parts{"Jürgen Müller", theirs, "E2E-1", "Deposit trader 10004 SP-7781"}},
		"GermanFullSubfields": {"166?20SVWZ+Deposit of trader 1000?214 SP-7781?32Internationale Handelsgesel?33lschaft",
			parts{"Internationale Handelsgesellschaft", "", "X", "Deposit of trader 10004 SP-7781"}},
		"GermanWithoutTags":  {"166?00GUTSCHRIFT?20Deposit?21SP-7781?60and more", parts{"", "", "X", "Deposit SP-7781 and more"}},
		"GermanOnlyBooking":  {"808?00ENTGELT", parts{"", "", "X", "ENTGELT"}},
		"GermanNoReference":  {"166?20EREF+NOTPROVIDED?21KREF+K-1?22SVWZ+Deposit?23ABWA+Somebody else", parts{"", "", "X", "Deposit"}},
		"GermanTagsInside":   {"166?20EREF+E2E-1 SVWZ+Deposit?21IBAN+GB82 WEST 1234 5698 76?225432 BIC+WESTGB2L", parts{"", theirs, "E2E-1", "Deposit"}},
		"GermanRepeatedTag":  {"166?20EREF+E2E-1?21SVWZ+Deposit?22EREF+FORGED?31" + theirs + "?32Payer?33 ?20IBAN+DE00", parts{"Payer", theirs, "E2E-1", "Deposit"}},
		"OtherSeparator":     {"166~00X~20SVWZ+Deposit~32Payer", parts{"Payer", "", "X", "Deposit"}},
		"Slashes":            {"/TRTP/SEPA OVERBOEKING/IBAN/" + theirs + "/BIC/WESTGB2L/NAME/Payer L\ntd/REMI/Deposit SP-7781/EREF/E2E-1", parts{"Payer Ltd", theirs, "E2E-1", "Deposit SP-7781"}},
		"SlashesCounter":     {"/EREF/E2E-1//CNTP/" + theirs + "/WESTGB2L/Payer Ltd/London//REMI/USTD//Deposit 1/2//", parts{"Payer Ltd", theirs, "E2E-1", "Deposit 1/2"}},
		"SlashesStructured":  {"/REMI/STRD/CUR/RF18539007547034/", parts{"", "", "X", "RF18539007547034"}},
		"SlashesOrdering":    {"/ORDP//NAME/Payer Ltd/REMI/Deposit/ISDT/2026-03-02", parts{"Payer Ltd", "", "X", "Deposit"}},
		"SlashesNoReference": {"/EREF/NOTPROVIDED/REMI/Deposit", parts{"", "", "X", "Deposit"}},
		"SlashesWrapped":     {"/TRTP/SEPA OVERBOEKING/IBAN/GB82WEST12345\n698765432/BIC/WESTGB2L \n/NAME/Payer Ltd/REMI/Deposit/EREF/NOTPRO\nVIDED", parts{"Payer Ltd", theirs, "X", "Deposit"}},
		"SlashesSpaced":      {"/TRTP/iDEAL/REMI/Deposit/EREF/NOTPRO VIDED", parts{"", "", "X", "Deposit"}},
		"Plain":              {"Deposit SP-7781\nfrom Payer Ltd", parts{"", "", "X", "Deposit SP-7781 from Payer Ltd"}},
		"PlainFullLine":      {strings.Repeat("a", 65) + "\nbc", parts{"", "", "X", strings.Repeat("a", 65) + "bc"}},
		"PlainWithSlash":     {"Invoice 1/NAME/2", parts{"", "", "X", "Invoice 1/NAME/2"}},
		"PlainNumber":        {"166 deposits", parts{"", "", "X", "166 deposits"}},
		"Empty":              {"", parts{"", "", "X", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := swiftOne(t, ":61:2603030302C12,50NTRFX//B-1", ":86:"+test.info)
			require.Equal(t, test.want, parts{line.Counterparty, line.CounterpartyAccount, line.Reference, line.Text})
			require.Equal(t, "B-1", line.BankReference)
		})
	}
	line := swiftOne(t, ":61:2603030302C12,50NTRFX\nowner", ":86:166?32Payer")
	require.Equal(t, "owner", line.Text, "field 61 has the text that field 86 lacks")
	line = swiftOne(t, ":61:2603030302C12,50NTRFX", ":86:first", ":86:second")
	require.Equal(t, "first", line.Text, "a line has one field 86")
}

func TestMT940Refuses(t *testing.T) {
	t.Parallel()
	fine := ":61:2603030302C12,50NTRFX"
	changed := func(before, after string) string {
		return strings.Replace(swift("C260302EUR112,50", fine), before, after, 1)
	}
	for name, test := range map[string]struct {
		raw  string
		want *errs.Error
		args []string
	}{
		"NoClosing":          {changed(":62F:C260302EUR112,50", ""), bankfile.ErrMalformed, []string{"line", "1", "value", ":20:STARTUMS"}},
		"NoOpening":          {changed(":60F:C260301EUR100,00\n", ""), bankfile.ErrMalformed, []string{"line", "4", "value", fine}},
		"NoStart":            {changed(":20:STARTUMS\n", ""), bankfile.ErrMalformed, []string{"line", "1", "value", ":25:DE89370400440532013000EUR"}},
		"TwoOpenings":        {changed(fine, ":60F:C260301EUR100,00\n"+fine), bankfile.ErrMalformed, []string{"line", "5", "value", ":60F:C260301EUR100,00"}},
		"LineAfterClosing":   {strings.Replace(swift("C260302EUR112,50", fine), "\n-", "\n"+fine+"\n-", 1), bankfile.ErrMalformed, []string{"line", "7", "value", fine}},
		"BalanceMark":        {changed(":60F:C", ":60F:X"), bankfile.ErrMalformed, []string{"line", "4", "value", ":60F:X260301EUR100,00"}},
		"BalanceDate":        {changed(":60F:C260301", ":60F:C261301"), bankfile.ErrDate, []string{"line", "4", "value", "261301"}},
		"BalanceAmount":      {changed("EUR100,00", "EUR100,001"), bankfile.ErrAmount, []string{"line", "4", "value", "100,001"}},
		"BalanceCurrency":    {changed("EUR112,50", "USD112,50"), bankfile.ErrCurrency, []string{"line", "6", "value", "USD"}},
		"LineWithoutComma":   {changed("12,50N", "1250N"), bankfile.ErrMalformed, []string{"line", "5", "value", ":61:2603030302C1250NTRFX"}},
		"LineWithPoint":      {changed("12,50N", "12.50N"), bankfile.ErrMalformed, []string{"line", "5", "value", ":61:2603030302C12.50NTRFX"}},
		"LineWithSign":       {changed("C12,50N", "C-12,50N"), bankfile.ErrMalformed, []string{"line", "5", "value", ":61:2603030302C-12,50NTRFX"}},
		"LineWithFractions":  {changed("12,50N", "12,505N"), bankfile.ErrAmount, []string{"line", "5", "value", "12,505"}},
		"LineWithoutMark":    {changed("0302C12", "030212"), bankfile.ErrMalformed, []string{"line", "5", "value", ":61:260303030212,50NTRFX"}},
		"LineValueDate":      {changed(":61:260303", ":61:260230"), bankfile.ErrDate, []string{"line", "5", "value", "260230"}},
		"LineEntryDate":      {changed("0302C12", "0229C12"), bankfile.ErrDate, []string{"line", "5", "value", "0229"}},
		"LineLong":           {changed("X\n", "X"+strings.Repeat("y", 50)+"\n:61:bad\n"), bankfile.ErrMalformed, []string{"line", "6", "value", ":61:bad"}},
		"Balances":           {changed("112,50", "112,51"), bankfile.ErrBalance, []string{"statement", "12", "opening", "100.00", "sum", "12.50", "made", "112.50", "closing", "112.51", "currency", "EUR"}},
		"SecondIsIncomplete": {swift("C260302EUR112,50", fine) + ":20:A\n:25:B\n", bankfile.ErrMalformed, []string{"line", "8", "value", ":20:A"}},
		"FirstIsIncomplete":  {":20:A\n:25:B\n" + swift("C260302EUR112,50", fine), bankfile.ErrMalformed, []string{"line", "1", "value", ":20:A"}},
		"OnlyBlocks":         {"{1:F01}{2:I940}{4:\n-}", bankfile.ErrEmpty, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := bankfile.Read([]byte(test.raw), bankfile.Options{})
			refused(t, err, test.want, test.args...)
		})
	}
}

func TestMT940LimitOfLines(t *testing.T) {
	t.Parallel()
	_, err := bankfile.Read([]byte(":20:A\n:60F:C260301EUR0,\n"+strings.Repeat(":61:260302C1,NTRFX\n", bankfile.MaxLines+1)+":62F:C260301EUR100001,\n"), bankfile.Options{})
	refused(t, err, bankfile.ErrTooManyLines, "limit", "100000")
}

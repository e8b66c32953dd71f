package bankfile

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFormatAmount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value    int64
		currency string
		want     string
	}{
		{0, "EUR", "0.00"}, {5, "EUR", "0.05"}, {-5, "EUR", "-0.05"}, {123456, "EUR", "1234.56"}, {-123456, "JPY", "-123456"}, {0, "JPY", "0"}, {1, "KWD", "0.001"}, {12345, "CLF", "1.2345"},
		{math.MaxInt64, "EUR", "92233720368547758.07"}, {math.MinInt64, "EUR", "-92233720368547758.08"},
	} {
		text := FormatAmount(test.value, test.currency)
		require.Equal(t, test.want, text)
		if test.value >= 0 {
			back, ok := parseAmount(text, '.', test.currency)
			require.True(t, ok)
			require.Equal(t, test.value, back)
		}
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b int64
		ok   bool
	}{{1, 2, true}, {math.MaxInt64, 0, true}, {math.MinInt64, 0, true}, {math.MaxInt64, 1, false}, {math.MinInt64, -1, false}, {math.MaxInt64, math.MinInt64, true}} {
		sum, ok := add(test.a, test.b)
		require.Equal(t, test.ok, ok, test)
		if ok {
			require.Equal(t, test.a+test.b, sum)
		}
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	d, same := Date{2026, time.March, 2}, Date{2026, time.March, 2}
	require.Equal(t, "2026-03-02", d.String())
	require.Equal(t, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), d.Time())
	require.Equal(t, d, DateOf(time.Date(2026, 3, 2, 23, 59, 0, 0, time.FixedZone("", -8*3600))), "the day of its own zone")
	require.Equal(t, []int{0, -1, 1, -1}, []int{d.Compare(same), d.Compare(Date{2026, time.March, 3}), d.Compare(Date{2026, time.February, 28}), d.Compare(Date{2027, time.January, 1})})
	require.True(t, Date{}.IsZero())
	require.Empty(t, Date{}.String())
	require.False(t, d.IsZero())
}

func TestValidIBAN(t *testing.T) {
	t.Parallel()
	for _, iban := range []string{"DE89370400440532013000", "GB82WEST12345698765432", "FR1420041010050500013M02606", "NO9386011117947", "MT84MALT011000012345MTLCAST001S", "SA0380000000608010167519"} {
		require.True(t, ValidIBAN(iban), iban)
		require.False(t, ValidIBAN(iban[:len(iban)-1]), "cut off")
		require.False(t, ValidIBAN(iban[:4]+"1"+iban[5:]) && iban[4] != '1', "one character changed")
	}
	for _, iban := range []string{"", "DE", "DE88370400440532013000", "de89370400440532013000", "DE89 3704 0044 0532 0130 00", "DE8937040044053201300Ü", "0089370400440532013000", "DE89" + strings.Repeat("0", 31)} {
		require.False(t, ValidIBAN(iban), iban)
	}
}

func TestTransliterate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Jürgen Groß": "Juergen Gross", "ÄÖÜ": "AeOeUe", "u\u0308": "ue", "Łukasz Świątek": "Lukasz Swiatek", "Ñandú": "Nandu", "Ærø": "AEro", "Þór": "THor", "İstanbul ı": "Istanbul i", "Nguyễn": "Nguyen",
		"A & B": "A + B", "it’s “so”": "it's 'so'", "a\tb\n c": "a b c", "50 €": "50 EUR", "ﬁ½": "fi.", "a@b#c": "a.b.c", "Plain (1/2): a-b, c.d + 'e'?": "Plain (1/2): a-b, c.d + 'e'?", "": "",
	} {
		got, lost := transliterate(text, 99)
		require.Equal(t, want, got)
		require.Equal(t, text == "ﬁ½", lost, text)
	}
	for _, text := range []string{"张伟", "Иван", "Γιώργος", "محمد"} {
		_, lost := transliterate(text, 99)
		require.True(t, lost, text)
	}
	cut, _ := transliterate("1234 678", 5)
	require.Equal(t, "1234", cut)
}

func TestFold(t *testing.T) {
	t.Parallel()
	require.Equal(t, fold("Müller & Söhne", 99), fold("MUELLER  & SOEHNE", 99))
	require.Equal(t, "ABC1", fold(" a.b-c/1 ", 99))
	require.Equal(t, "AB", fold("abc", 2))
	require.Equal(t, "张伟", fold("张 伟。", 99))
	require.Equal(t, "SS", fold("ß", 99))
}

package money

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	t.Parallel()
	good := map[string]int64{"0": 0, "1": 1_000_000, "-1.5": -1_500_000, "0.000001": 1, "12.5000000000": 12_500_000, "00012": 12_000_000}
	for text, want := range good {
		got, err := Parse(text, Scale)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	bad := []string{"", "-", ".5", "5.", "+1", "1e3", "NaN", "Infinity", "1,000", " 1", "1 ", "0x1", "--1", "1.2.3", "٣", "123456789012345678901"}
	for _, text := range bad {
		_, err := Parse(text, Scale)
		require.ErrorIs(t, err, ErrSyntax, text)
	}
	_, err := Parse("0.0000001", Scale)
	require.ErrorIs(t, err, ErrPrecision)
	_, err = Parse("99999999999999999999", Scale)
	require.ErrorIs(t, err, ErrOverflow)
}

func TestParseNearest(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"1.393125": 139313, "1.393124": 139312, "1.39": 139000, "-1.393125": -139313} {
		got, err := ParseNearest(text, 5)
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	require.Equal(t, "-0.000001", Format(-1, 6))
	require.Equal(t, "12.500000", Format(12_500_000, 6))
	require.Equal(t, "12.5", Trim(12_500_000, 6))
	require.Equal(t, "100", Trim(100_000_000, 6))
	require.Equal(t, "7", Format(7, 0))
	require.Equal(t, "100", Trim(100, 0))
	require.Equal(t, "-9223372036854.775808", Format(math.MinInt64, 6))
}

func TestRoundingIsExactAgainstRationals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.Int64Range(-1e12, 1e12).Draw(rt, "a"), rapid.Int64Range(-1e12, 1e12).Draw(rt, "b")
		c := rapid.Int64Range(1, 1e12).Draw(rt, "c")
		if rapid.Bool().Draw(rt, "negative") {
			c = -c
		}
		for _, rounding := range []Rounding{HalfAway, Up, Down} {
			got, err := MulDiv(a, b, c, rounding)
			want := reference(new(big.Int).Mul(big.NewInt(a), big.NewInt(b)), big.NewInt(c), rounding)
			if !want.IsInt64() {
				require.ErrorIs(t, err, ErrOverflow)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, want.Int64(), got)
		}
	})
}

func TestRatioIsExactAgainstRationals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, top int64) int64 { return rapid.Int64Range(-top, top).Draw(rt, name) }
		a, b, c := draw("a", 1e14), draw("b", 1e12), draw("c", 1e9)
		d, e := rapid.Int64Range(1, 1e9).Draw(rt, "d"), rapid.Int64Range(1, 1e9).Draw(rt, "e")
		product := new(big.Int).Mul(new(big.Int).Mul(big.NewInt(a), big.NewInt(b)), big.NewInt(c))
		got, err := Ratio(HalfAway, []int64{a, b, c}, []int64{d, e})
		want := reference(product, new(big.Int).Mul(big.NewInt(d), big.NewInt(e)), HalfAway)
		if !want.IsInt64() {
			require.ErrorIs(t, err, ErrOverflow)
			return
		}
		require.NoError(t, err)
		require.Equal(t, want.Int64(), got)
	})
}

// reference rounds with big integers, independently of the package.
func reference(n, d *big.Int, r Rounding) *big.Int {
	q, m := new(big.Int).QuoRem(new(big.Int).Abs(n), new(big.Int).Abs(d), new(big.Int))
	twice := new(big.Int).Lsh(m, 1)
	if (r == Up && m.Sign() > 0) || (r == HalfAway && twice.Cmp(new(big.Int).Abs(d)) >= 0) {
		q.Add(q, big.NewInt(1))
	}
	if n.Sign()*d.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

func TestDivisionByZeroIsRefused(t *testing.T) {
	t.Parallel()
	_, err := MulDiv(1, 1, 0, HalfAway)
	require.ErrorIs(t, err, ErrOverflow)
	_, err = Ratio(HalfAway, []int64{1}, []int64{1, 0})
	require.ErrorIs(t, err, ErrOverflow)
}

func TestAddRefusesToWrap(t *testing.T) {
	t.Parallel()
	_, err := Add(math.MaxInt64, 1)
	require.ErrorIs(t, err, ErrOverflow)
	_, err = Add(math.MinInt64, -1)
	require.ErrorIs(t, err, ErrOverflow)
	sum, err := Add(5, 0)
	require.NoError(t, err)
	require.Equal(t, int64(5), sum)
}

func BenchmarkRatio(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = Ratio(HalfAway, []int64{139_313, 250_000, 100_000}, []int64{100_000, 1_000_000})
	}
}

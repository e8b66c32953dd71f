package trader

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVeil(t *testing.T) {
	t.Parallel()
	of := func(text string, kind Contact) MaskedContact {
		if kind == PhoneContact {
			return Trader{Phone: &text}.MaskContact(kind)
		}
		return Trader{Email: &text}.MaskContact(kind)
	}
	require.Equal(t, MaskedContact{"ma", "a@example.com"}, of("marta@example.com", MailContact))
	require.Equal(t, MaskedContact{"m", "@example.com"}, of("mars@example.com", MailContact), "short names keep one letter")
	require.Equal(t, MaskedContact{"a", "@example.com"}, of("a@example.com", MailContact))
	require.Equal(t, MaskedContact{"+34", "418"}, of("+34600123418", PhoneContact))
	require.Equal(t, MaskedContact{"+1", "671"}, of("+12025550671", PhoneContact))
	require.Equal(t, MaskedContact{"+", ""}, of("12", PhoneContact), "what is no number shows nothing")
	require.Equal(t, MaskedContact{}, Trader{}.MaskContact(MailContact))
	require.Empty(t, Trader{}.Contact("password_hash"))
}

func TestUIDRange(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string][2]int64{
		"1":         {10_000_000, 19_999_999},
		"1000":      {10_000_000, 10_009_999},
		"10000015":  {10_000_015, 10_000_015},
		"100000150": {100_000_150, 100_000_150},
		"0":         {0, 9_999_999},
	} {
		first, last := uidRange(digits)
		require.Equal(t, want, [2]int64{first, last}, digits)
	}
}

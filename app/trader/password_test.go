package trader

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/errs"
)

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	for password, reason := range map[string]string{
		"":                                 "field.password_short",
		"1234567":                          "field.password_short",
		"😀😀😀😀😀😀😀":                          "field.password_short", // seven characters, 28 bytes
		"😀😀😀😀😀😀😀😀":                         "",
		"        ":                         "",
		"no rule about signs":              "",
		"\xff\xff\xff\xff\xff\xff\xff\xff": "field.password_short",
		"12345678":                         "field.password_common",
		"PASSWORD":                         "field.password_common",
		"P@ssw0rd":                         "field.password_common",
		"password and more":                "",
		strings.Repeat("x", 128):           "",
		strings.Repeat("ü", 128):           "",
		strings.Repeat("x", 129):           "field.password_long",
		strings.Repeat("x", 1<<20):         "field.password_long",
	} {
		err := CheckPassword(password)
		if reason == "" {
			require.NoError(t, err, "%.20q", password)
			continue
		}
		require.Equal(t, map[string]string{"password": reason}, errs.As(err).Fields, "%.20q", password)
	}
}

func TestHasher(t *testing.T) {
	t.Parallel()

	t.Run("MatchesOnlyTheWholePassword", func(t *testing.T) {
		t.Parallel()
		h := NewHasher()
		long := strings.Repeat("x", 72) + "y" + strings.Repeat("x", 20)
		hash, err := h.Hash(t.Context(), Account(1), long)
		require.NoError(t, err)
		for password, want := range map[string]bool{long: true, strings.Replace(long, "y", "z", 1): false, long[:72]: false, long + " ": false, "": false} {
			match, err := h.Matches(t.Context(), Account(1), password, hash)
			require.NoError(t, err)
			require.Equal(t, want, match)
		}
		again, err := h.Hash(t.Context(), Account(1), long)
		require.NoError(t, err)
		require.NotEqual(t, hash, again, "salted")
	})
	t.Run("NoPasswordMatchesNoHash", func(t *testing.T) {
		t.Parallel()
		h := NewHasher()
		for _, password := range []string{"", "x", "password"} {
			match, err := h.Matches(t.Context(), Account(1), password, "")
			require.NoError(t, err, "it compares with a decoy, which costs the same")
			require.False(t, match)
		}
	})
	t.Run("TheDecoyCostsWhatAHashCosts", func(t *testing.T) {
		t.Parallel()
		hash, err := NewHasher().Hash(t.Context(), Account(1), "correct horse battery")
		require.NoError(t, err)
		cost := func(hash string) []string { return strings.Split(hash, "$")[:4] }
		require.Equal(t, cost(hash), cost(decoy))
		require.Len(t, decoy, len(hash))
	})
	t.Run("StrangersTakeNoTurnOfOthers", func(t *testing.T) {
		t.Parallel()
		h := NewHasher()
		var leave []func()
		for n := range max(1, runtime.GOMAXPROCS(0)/4) {
			left, err := h.enter(t.Context(), Stranger(fmt.Sprint("198.51.100.", n)))
			require.NoError(t, err)
			leave = append(leave, left)
		}
		ended, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := h.Hash(ended, Stranger("203.0.113.1"), "correct horse battery")
		require.ErrorIs(t, err, context.DeadlineExceeded, "it waits for a turn")
		_, err = h.Matches(ended, Stranger("203.0.113.1"), "correct horse battery", "")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		for _, by := range []By{Account(10000001), Invited("203.0.113.1")} {
			_, err := h.Hash(t.Context(), by, "correct horse battery")
			require.NoError(t, err)
		}
		for _, l := range leave {
			l()
		}
		_, err = h.Hash(t.Context(), Stranger("203.0.113.1"), "correct horse battery")
		require.NoError(t, err)
	})
}

func TestMask(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"anna.smith@example.com": "an***h@example.com", "anna@example.com": "a***@example.com", "a@example.com": "*@example.com",
		"+4915123456789": "+49***89", "": "*", "åäöüß@example.com": "åä***ß@example.com",
	} {
		require.Equal(t, want, Mask(text))
	}
}

func TestCountries(t *testing.T) {
	t.Parallel()
	require.True(t, isCountry("DE"))
	require.True(t, isCountry("GE"))
	for _, iso := range []string{"", "de", "XX", "001", "DEU", "D\x00"} {
		require.False(t, isCountry(iso), "%q", iso)
	}
	for _, c := range Countries() {
		require.Regexp(t, `^[A-Z]{2}$`, c.ISO)
		require.Regexp(t, `^\d{1,4}$`, c.AreaCode)
		require.NotEmpty(t, c.Name())
	}
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for mail, is := range map[string]bool{
		"anna@demo.example": true, "anna@demo.example.com": false, "demo.example@mail.com": false, "anna@example": false, "anna@not-demo.example": false, "": false,
	} {
		require.Equal(t, is, Trader{Email: &mail}.Example(), mail)
	}
	require.False(t, Trader{}.Example(), "who came by telephone, and a guest")
}

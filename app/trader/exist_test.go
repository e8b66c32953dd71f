package trader_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/session"
)

func TestExists(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register(anna)
	b.register(bert)
	ask := func(account, from string) (bool, error) {
		return b.traders.Exists(t.Context(), account, b.solved(), from)
	}
	for account, want := range map[string]bool{anna: true, " ANNA@example.com ": true, "+49 1512 3456789": true, "carl@example.com": false, "+4915123456780": false} {
		known, err := ask(account, ip)
		require.NoError(t, err)
		require.Equal(t, want, known, account)
	}
	_, err := b.traders.Exists(t.Context(), anna, "", ip)
	require.ErrorIs(t, err, session.ErrVerify)
	solution := b.solved()
	_, err = b.traders.Exists(t.Context(), anna, solution, ip)
	require.NoError(t, err)
	_, err = b.traders.Exists(t.Context(), anna, solution, ip)
	require.ErrorIs(t, err, session.ErrVerifyWrong, "a solution pays for one answer")
	requireField(t, "account", "field.account", func() error { _, err := ask("anna", ip); return err }())

	for n := 3; n < 20; n++ {
		_, err := ask(anna, fmt.Sprint("192.0.3.", n))
		require.NoError(t, err)
	}
	_, err = ask(anna, "192.0.3.99")
	require.ErrorIs(t, err, session.ErrThrottle, "an address is answered for a few times a day")
	_, err = ask("nobody@example.com", "192.0.3.99")
	require.NoError(t, err)
	b.clock.Advance(25 * time.Hour)
	_, err = ask(anna, "192.0.3.99")
	require.NoError(t, err)
	for n := range 59 {
		_, err := ask(fmt.Sprint("one", n, "@example.com"), "192.0.3.99")
		require.NoError(t, err)
	}
	_, err = ask("last@example.com", "192.0.3.99")
	require.ErrorIs(t, err, session.ErrThrottle, "a source asks only so often")
}

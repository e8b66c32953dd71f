package deposit_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/app/keyring"
	"candor/app/platform/db"
	"candor/app/platform/vault"
)

func (b *bundle) sender(d deposit.Deposit) string {
	b.Helper()
	name, err := b.deposits.SenderName(b.Context(), d)
	require.NoError(b, err)
	return name
}

// sealed is a name sealed for a deposit.
func (b *bundle) sealed(d deposit.Deposit, name string) (s vault.Sealed) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		s, err = vault.NewNames(b.keys, "deposits", "sender_name").SealTx(b.Context(), tx, d.TraderID, d.ID, name)
		return err
	}))
	return s
}

// row is a deposit's row as text, bytes in hexadecimal.
func (b *bundle) row(id int64) (text string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT d::text FROM deposits d WHERE id = $1`, id).Scan(&text))
	return text
}

// clearTextHash hashes the facts of an approved deposit with a name in clear text.
func clearTextHash(d deposit.Deposit, sender string) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d|%d|%d|%s|%d|%s|%d|%d|%s|%s", d.ID, d.TraderID, d.AccountID, d.Currency, d.Amount, d.Reference, *d.FileID, *d.Received, *d.BankReference, sender))
	return sum[:]
}

func TestSendersAreSealed(t *testing.T) {
	t.Parallel()

	t.Run("NoRowHoldsThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.matched(b.owner(1), 50*usdt)
		require.NotContains(t, b.row(d.ID), traderName)
		require.NotContains(t, b.row(d.ID), hex.EncodeToString([]byte(traderName)))
		require.Contains(t, b.row(d.ID), d.Reference, "the search finds what is there")
		require.Equal(t, traderName, b.sender(b.read(d.ID)))
		c, err := b.deposits.Case(t.Context(), d.ID)
		require.NoError(t, err)
		require.Equal(t, traderName, c.SenderName)
		list, _, err := b.deposits.Find(t.Context(), deposit.Search{ID: d.ID}, deposit.Cursor{}, 10)
		require.NoError(t, err)
		require.Equal(t, traderName, b.sender(list[0]))
	})
	t.Run("NoHashTellsThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.read(b.approved(b.owner(1)).ID)
		require.NotEmpty(t, d.ShownHash)
		require.NotEqual(t, clearTextHash(d, traderName), d.ShownHash, "whoever guesses the name can't tell")
	})
	t.Run("TheNameOfAnotherIsNotConfirmed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d, other := b.claim(b.checker, b.approved(b.owner(1)).ID), b.approved(b.owner(1))
		b.exec(`UPDATE deposits SET (sender_name_key, sender_name_sealed) = (SELECT sender_name_key, sender_name_sealed FROM deposits WHERE id = $2) WHERE id = $1`, d.ID, other.ID)
		_, err := b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.ErrorIs(t, err, deposit.ErrChanged)
		moved := b.read(d.ID)
		b.exec(`UPDATE deposits SET shown_hash = $2 WHERE id = $1`, d.ID, clearTextHash(moved, string(moved.SenderNameSealed))) // by an attacker who knows the hash
		_, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.ErrorIs(t, err, vault.ErrUnreadable)
		_, err = b.deposits.Case(t.Context(), d.ID)
		require.ErrorIs(t, err, vault.ErrUnreadable)
		require.Zero(t, b.postings())
		require.Equal(t, traderName, b.sender(b.read(other.ID)))
	})
	t.Run("NobodyDropsItsKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.matched(b.owner(1), 50*usdt)
		for column, want := range map[string]string{"sender_name_key = NULL": "deposits_sender_name_sealed"} {
			_, err := b.keeper.Pool.Exec(t.Context(), `UPDATE deposits SET `+column+` WHERE id = $1`, d.ID)
			require.ErrorContains(t, err, want)
		}
	})
	t.Run("TheyAreRotated", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.approved(b.owner(1))
		before := b.read(d.ID)
		ring := keyring.New(b.db, b.clock, b.keys, deposit.SealedColumns)
		require.NoError(t, ring.Rotate(t.Context()))
		require.ErrorIs(t, ring.Retire(t.Context()), keyring.ErrStale)
		n, err := ring.Rewrap(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.NoError(t, ring.Retire(t.Context()))
		d = b.claim(b.checker, d.ID)
		_, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.NoError(t, err, "an approval outlives a rotation")
		require.Equal(t, traderName, b.sender(b.read(d.ID)))
		require.Equal(t, traderName, b.sender(before), "a row read before the rotation names the older key")
	})
}

package withdrawal_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/keyring"
	"candor/app/platform/vault"
	"candor/app/withdrawal"
)

// row is a withdrawal's row as text, bytes in hexadecimal.
func (b *bundle) row(id int64) (text string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT w::text FROM withdrawals w WHERE id = $1`, id).Scan(&text))
	return text
}

func (b *bundle) requireHolder(id int64) {
	b.Helper()
	name, err := b.withdrawals.Holder(b.Context(), b.read(id))
	require.NoError(b, err)
	require.Equal(b, holder, name)
}

// clearTextHash hashes the facts of a withdrawal with a name in clear text.
func clearTextHash(w withdrawal.Withdrawal, holder string) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d|%d|%d|%d|%s|%s|%d|%d|%q|%q|%s|%s|%s|%s|%q",
		w.ID, w.TraderID, w.AccountID, w.PayeeID, w.Kind, w.Currency, w.Amount, w.Fee, holder, w.Bank, w.IBAN, w.BIC, w.Chain, w.Address, w.Memo))
	return sum[:]
}

func TestHoldersAreSealed(t *testing.T) {
	t.Parallel()

	t.Run("NoRowHoldsThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		w := b.requested(o, 100*usdt)
		require.NotContains(t, b.row(w.ID), holder)
		require.NotContains(t, b.row(w.ID), hex.EncodeToString([]byte(holder)))
		require.Contains(t, b.row(w.ID), "Specimen Bank", "the search finds what is there")
		b.requireHolder(w.ID)
		c, err := b.withdrawals.Case(t.Context(), w.ID)
		require.NoError(t, err)
		require.Equal(t, holder, c.Holder)
		list, _, err := b.withdrawals.List(t.Context(), o.TraderID, withdrawal.Filter{Limit: 10})
		require.NoError(t, err)
		name, err := b.withdrawals.Holder(t.Context(), list[0])
		require.NoError(t, err)
		require.Equal(t, holder, name)
		_, err = b.withdrawals.HolderOf(t.Context(), b.owner(1, 0).TraderID, w.ID)
		require.ErrorIs(t, err, withdrawal.ErrUnknown, "somebody else's")
	})
	t.Run("NoHashTellsThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		w := b.in(b.owner(1, 1_000*usdt), withdrawal.Approved1)
		found, err := b.withdrawals.Approvals(t.Context(), w)
		require.NoError(t, err)
		require.Len(t, found[w.ID].Facts, sha256.Size)
		require.NotEqual(t, clearTextHash(w, holder), found[w.ID].Facts, "whoever guesses the name can't tell")
	})
	t.Run("TheNameOfAnotherIsNeitherApprovedNorSent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		asked, approved, queued, other := b.requested(o, 100*usdt), b.in(o, withdrawal.Approved1), b.in(o, withdrawal.Queued), b.requested(o, 100*usdt)
		for _, w := range []withdrawal.Withdrawal{asked, approved, queued} {
			b.database.Tamper(t, fmt.Sprintf(`UPDATE withdrawals SET (holder_key, holder_sealed) = (SELECT holder_key, holder_sealed FROM withdrawals WHERE id = %d) WHERE id = %d`, other.ID, w.ID))
			if w.Approval != nil { // by an attacker who knows the hash of the facts
				b.database.Tamper(t, fmt.Sprintf(`UPDATE approvals SET facts = '\x%x' WHERE id = %d`, b.read(w.ID).Facts(), *w.Approval))
			}
			_, err := b.withdrawals.Case(t.Context(), w.ID)
			require.ErrorIs(t, err, vault.ErrUnreadable)
		}
		_, err := b.approve(b.maker, asked.ID)
		require.ErrorIs(t, err, vault.ErrUnreadable)
		_, err = b.approve(b.checker, approved.ID)
		require.ErrorIs(t, err, vault.ErrUnreadable)
		_, err = b.by(b.maker, queued.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return b.withdrawals.Begin(t.Context(), b.maker, w.ID, w.Version, payer)
		})
		require.ErrorIs(t, err, vault.ErrUnreadable)
		b.requireHolder(other.ID)
		_, err = b.withdrawals.Cancel(t.Context(), o.Owner, asked.ID, b.keyed(o))
		require.NoError(t, err, "its money can come back")
		b.requireProved()
	})
	t.Run("TheyAreRotated", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		w := b.in(b.owner(1, 1_000*usdt), withdrawal.Approved1)
		before := b.read(w.ID)
		ring := keyring.New(b.db, b.clock, b.keys, withdrawal.SealedColumns)
		require.NoError(t, ring.Rotate(t.Context()))
		require.ErrorIs(t, ring.Retire(t.Context()), keyring.ErrStale)
		n, err := ring.Rewrap(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		_, err = b.approve(b.checker, w.ID)
		require.NoError(t, err, "an approval outlives a rotation")
		b.requireHolder(w.ID)
		require.NoError(t, ring.Retire(t.Context()))
		name, err := b.withdrawals.Holder(t.Context(), before)
		require.NoError(t, err, "a row read before the rotation names the older key")
		require.Equal(t, holder, name)
	})
}

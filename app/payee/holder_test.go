package payee_test

import (
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/keyring"
	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/vault"
)

func (b *bundle) holder(o ledger.Owner, id int64) string {
	b.Helper()
	name, err := b.payees.HolderOf(b.Context(), o.TraderID, id)
	require.NoError(b, err)
	return name
}

// row reads a payee's row as text, bytes in hexadecimal.
func (b *bundle) row(id int64) (text string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT p::text FROM payees p WHERE id = $1`, id).Scan(&text))
	return text
}

func TestHoldersAreSealed(t *testing.T) {
	t.Parallel()

	t.Run("NoRowHoldsThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner()
		p := b.bind(o, bank)
		require.NotContains(t, b.row(p.ID), bank.Holder)
		require.NotContains(t, b.row(p.ID), hex.EncodeToString([]byte(bank.Holder)))
		require.Contains(t, b.row(p.ID), bank.Bank, "the search finds what is there")
		require.Equal(t, bank.Holder, b.holder(o, p.ID))
		list, err := b.payees.List(t.Context(), o, payee.AtBank)
		require.NoError(t, err)
		name, err := b.payees.Holder(t.Context(), list[0])
		require.NoError(t, err)
		require.Equal(t, bank.Holder, name)
		require.Empty(t, b.holder(o, b.add(o, home).ID), "nobody holds an address")
		_, err = b.payees.HolderOf(t.Context(), b.owner().TraderID, p.ID)
		require.ErrorIs(t, err, payee.ErrUnknown, "somebody else's")
	})
	t.Run("EachBelongsToItsRow", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner()
		one, two := b.bind(o, bank), b.bind(o, second)
		b.database.Tamper(t, fmt.Sprintf(`UPDATE payees SET (holder_key, holder_sealed) = (SELECT holder_key, holder_sealed FROM payees WHERE id = %d) WHERE id = %d`, two.ID, one.ID))
		_, err := b.payees.HolderOf(t.Context(), o.TraderID, one.ID)
		require.ErrorIs(t, err, vault.ErrUnreadable, "the name of another payee")
		_, err = b.payees.Rebind(t.Context(), o, one.ID, bank, proof, b.keyed(o))
		require.ErrorIs(t, err, vault.ErrUnreadable, "and nobody is taken for its holder")
		require.Equal(t, second.Holder, b.holder(o, two.ID))
		stranger := b.owner()
		b.database.Tamper(t, fmt.Sprintf(`UPDATE payees SET trader_id = %d WHERE id = %d`, stranger.TraderID, two.ID))
		_, err = b.payees.HolderOf(t.Context(), stranger.TraderID, two.ID)
		require.ErrorIs(t, err, vault.ErrUnreadable, "the payee of another trader")
	})
	t.Run("NobodyChangesOrDropsIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner()
		p, address := b.bind(o, bank), b.add(o, home)
		for sql, want := range map[string]string{
			`UPDATE payees SET holder_sealed = 'x' WHERE id = $1`:                     "never changes",
			`UPDATE payees SET holder_key = NULL, holder_sealed = NULL WHERE id = $1`: "never changes",
			`UPDATE payees SET holder_key = NULL WHERE id = $1`:                       "payees_holder_sealed",
			`UPDATE payees SET holder_key = 'x', holder_sealed = 'x' WHERE id = $1`:   "never changes",
		} {
			_, err := b.db.Pool.Exec(t.Context(), sql, p.ID)
			require.ErrorContains(t, err, want, sql)
		}
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE payees SET holder_key = 'x', holder_sealed = 'x' WHERE id = $1`, address.ID)
		require.ErrorContains(t, err, "never changes", "nor does an address get one")
		_, err = b.db.Pool.Exec(t.Context(), `
			INSERT INTO payees (trader_id, kind, label, bank, iban, bic, usable_from, created_at) SELECT trader_id, kind, label, bank, 'DE1', bic, usable_from, created_at FROM payees WHERE id = $1`, p.ID)
		require.ErrorContains(t, err, "payees_check1", "a bank account has a holder")
	})
	t.Run("TheyAreRotated", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner()
		p := b.bind(o, bank)
		before, err := b.payees.List(t.Context(), o, payee.AtBank)
		require.NoError(t, err)
		ring := keyring.New(b.db, b.clock, b.keys, payee.SealedColumns)
		require.NoError(t, ring.Rotate(t.Context()))
		require.ErrorIs(t, ring.Retire(t.Context()), keyring.ErrStale)
		n, err := ring.Rewrap(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.NoError(t, ring.Retire(t.Context()))
		require.Equal(t, bank.Holder, b.holder(o, p.ID))
		name, err := b.payees.Holder(t.Context(), before[0])
		require.NoError(t, err, "a row read before the rotation names the older key")
		require.Equal(t, bank.Holder, name)
		err = b.db.InTx(t.Context(), func(tx *db.Tx) error {
			name, err = b.payees.HolderTx(t.Context(), tx, before[0])
			return err
		})
		require.NoError(t, err)
		require.Equal(t, bank.Holder, name)
		b.database.Tamper(t, fmt.Sprintf(`DELETE FROM payees WHERE id = %d`, p.ID))
		_, err = b.payees.Holder(t.Context(), before[0])
		require.ErrorIs(t, err, vault.ErrUnreadable, "but not once it is deleted")
	})
	t.Run("ARequestIsKnownAgainWithoutTellingIt", func(t *testing.T) {
		t.Parallel()
		b, other := setup(t), setup(t)
		mark := func(b *bundle, request string) string {
			out, err := b.payees.Fingerprint([]byte(request))
			require.NoError(t, err)
			return string(out)
		}
		require.Equal(t, mark(b, "one"), mark(b, "one"))
		require.NotEqual(t, mark(b, "one"), mark(b, "two"))
		require.NotEqual(t, mark(b, "one"), mark(other, "one"), "nobody without the keys can tell")
	})
}

package staff_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/keyring"
	"candor/app/platform/vault"
	"candor/app/staff"
)

// row is a person's row as text, with bytes in hexadecimal.
func (b *bundle) row(t *testing.T, id int64) (text string) {
	t.Helper()
	require.NoError(t, b.db.Pool.QueryRow(ctx, `SELECT s::text FROM staff s WHERE id = $1`, id).Scan(&text))
	return text
}

func (b *bundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := b.db.Pool.Exec(ctx, sql, args...)
	require.NoError(t, err)
}

// signIn signs a person in with their authenticator's current code.
func (b *bundle) signIn(t *testing.T, p staff.Person) error {
	t.Helper()
	_, err := b.SignInCode(ctx, p.ID, b.code(t, b.secret[p.ID]), nobody)
	return err
}

func TestSecretsOfAuthenticatorsAreSealed(t *testing.T) {
	t.Parallel()

	t.Run("NoRowHoldsThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		root := b.first(t)
		bea := b.join(t, root, "bea@example.com", "Bea")
		for _, p := range []staff.Person{root, bea} {
			secret := b.secret[p.ID]
			require.NotEmpty(t, secret)
			require.NotContains(t, b.row(t, p.ID), secret)
			require.NotContains(t, b.row(t, p.ID), hex.EncodeToString([]byte(secret)))
			require.NoError(t, b.signIn(t, p))
		}
	})
	t.Run("EachBelongsToItsPerson", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		root := b.first(t)
		bea := b.join(t, root, "bea@example.com", "Bea")
		b.exec(t, `UPDATE staff SET (totp_key, totp_sealed) = (SELECT totp_key, totp_sealed FROM staff WHERE id = $2) WHERE id = $1`, root.ID, bea.ID)
		b.secret[root.ID] = b.secret[bea.ID]
		require.ErrorIs(t, b.signIn(t, root), vault.ErrUnreadable, "somebody else's authenticator opens nothing")
		require.NoError(t, b.signIn(t, bea))
	})
	t.Run("TheyAreRotated", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		root := b.first(t)
		example := b.join(t, root, "bea@demo.example", "Bea")
		ring := keyring.New(b.db, b.clock, b.keys, staff.SealedColumns)
		require.NoError(t, ring.Rotate(ctx))
		require.ErrorIs(t, ring.Retire(ctx), keyring.ErrStale)
		n, err := ring.Rewrap(ctx)
		require.NoError(t, err)
		require.Equal(t, 2, n)
		require.NoError(t, ring.Retire(ctx))
		require.NoError(t, b.signIn(t, root))
		secret, err := b.ExampleSecret(ctx, example)
		require.NoError(t, err, "a row read before the rotation names the older key")
		require.Equal(t, b.secret[example.ID], secret)
	})
	t.Run("OnlyExamplesTellTheirs", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		root := b.first(t)
		_, err := b.ExampleSecret(ctx, root)
		require.ErrorIs(t, err, staff.ErrUnknown)
		example := b.join(t, root, "bea@demo.example", "Bea")
		secret, err := b.ExampleSecret(ctx, example)
		require.NoError(t, err)
		require.Equal(t, b.secret[example.ID], secret)
	})
}

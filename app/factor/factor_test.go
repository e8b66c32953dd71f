package factor_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"candor/app/factor"
	"candor/app/factor/factortest"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/vault/vaulttest"
	"candor/app/session"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const (
	origin      = "https://app.example.com"
	staffOrigin = "https://desk.example.com"
)

type bundle struct {
	*testing.T
	db      *db.DB
	clock   *clock.Fixed
	factors *factor.Service
}

func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	c := clock.NewFixed(start)
	factors, err := factor.New(factor.Config{
		DB: d, Clock: c, Vault: vaulttest.New(t), Sessions: session.New(d, c, nil),
		Traders: factor.Site{Domain: "example.com", Origins: []string{origin}}, Staff: factor.Site{Domain: "desk.example.com", Origins: []string{staffOrigin}},
	})
	require.NoError(t, err)
	return &bundle{T: t, db: d, clock: c, factors: factors}
}

// trader makes a trader and returns them as an owner.
func (b *bundle) trader() factor.Owner {
	b.Helper()
	var id int64
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		SELECT 't' || n || '@example.com', 'T', '', 'DE', 'I' || n, now() FROM (SELECT count(*) AS n FROM traders) counted RETURNING id`).Scan(&id))
	return factor.Trader(id)
}

func (b *bundle) member() factor.Owner {
	b.Helper()
	var id int64
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES ('m@example.com', 'M', 'active', now()) RETURNING id`).Scan(&id))
	return factor.Staff(id)
}

func (b *bundle) inTx(act func(tx *db.Tx) error) error { return b.db.InTx(b.Context(), act) }

// authenticator sets up an authenticator and returns its secret. Its first code has been used.
func (b *bundle) authenticator(o factor.Owner) string {
	b.Helper()
	secret := b.offer(o)
	require.NoError(b, b.inTx(func(tx *db.Tx) error { return b.factors.ConfirmAuthenticatorTx(b.Context(), tx, o, b.code(secret)) }))
	return secret
}

func (b *bundle) offer(o factor.Owner) string {
	b.Helper()
	var offered factor.Secret
	require.NoError(b, b.inTx(func(tx *db.Tx) (err error) {
		offered, err = b.factors.OfferAuthenticatorTx(b.Context(), tx, o, "T***")
		return err
	}))
	require.Contains(b, offered.Address, offered.Text)
	return offered.Text
}

func (b *bundle) code(secret string) string {
	b.Helper()
	code, err := totp.GenerateCode(secret, b.clock.Now())
	require.NoError(b, err)
	return code
}

func (b *bundle) check(o factor.Owner, code string) error {
	_, err := b.factors.CheckCode(b.Context(), o, factor.InSession, code)
	return err
}

// passkey adds a passkey of an owner.
func (b *bundle) passkey(o factor.Owner, at string) *factortest.Passkey {
	b.Helper()
	key, response := factortest.New(b, at, b.creation(o))
	require.NoError(b, b.add(o, response))
	return key
}

func (b *bundle) creation(o factor.Owner) (creation *factor.Creation) {
	b.Helper()
	require.NoError(b, b.inTx(func(tx *db.Tx) (err error) {
		creation, err = b.factors.NewPasskeyTx(b.Context(), tx, o, "T***")
		return err
	}))
	return creation
}

func (b *bundle) add(o factor.Owner, response []byte) error {
	return b.inTx(func(tx *db.Tx) error {
		_, err := b.factors.AddPasskeyTx(b.Context(), tx, o, " My phone ", response)
		return err
	})
}

func (b *bundle) request() *factor.Request {
	b.Helper()
	request, err := b.factors.NewLogin()
	require.NoError(b, err)
	return request
}

func (b *bundle) login(response []byte) (id int64, err error) {
	err = b.inTx(func(tx *db.Tx) error {
		id, err = b.factors.LoginTx(b.Context(), tx, response)
		return err
	})
	return id, err
}

func (b *bundle) ask(o factor.Owner, about string) *factor.Request {
	b.Helper()
	request, err := b.factors.NewConfirmation(b.Context(), o, about)
	require.NoError(b, err)
	return request
}

func (b *bundle) confirm(o factor.Owner, about string, response []byte) error {
	return b.inTx(func(tx *db.Tx) error { return b.factors.ConfirmTx(b.Context(), tx, o, about, response) })
}

func (b *bundle) of(o factor.Owner) factor.Factors {
	b.Helper()
	f, err := b.factors.Read(b.Context(), o)
	require.NoError(b, err)
	return f
}

func TestAuthenticator(t *testing.T) {
	t.Parallel()
	t.Run("A code works once, and its neighbours in time too", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.trader()
		require.False(t, b.of(o).Any())
		secret := b.authenticator(o)
		require.Equal(t, start, b.of(o).AuthenticatorAt.UTC())
		used := b.code(secret)
		require.ErrorIs(t, b.check(o, used), factor.ErrCode, "it has confirmed the secret")
		b.clock.Advance(time.Minute)
		next := b.code(secret)
		b.clock.Advance(30 * time.Second) // a step late
		require.NoError(t, b.check(o, next))
		require.ErrorIs(t, b.check(o, next), factor.ErrCode)
		b.clock.Advance(2 * time.Minute)
		old := b.code(secret)
		b.clock.Advance(time.Minute + time.Second)
		require.ErrorIs(t, b.check(o, old), factor.ErrCode, "two steps late")
	})
	t.Run("An offer needs a right code in time, and leaves the one in use alone until then", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.trader()
		first := b.authenticator(o)
		b.clock.Advance(time.Minute)
		second := b.offer(o)
		confirm := func(code string) error {
			return b.inTx(func(tx *db.Tx) error { return b.factors.ConfirmAuthenticatorTx(b.Context(), tx, o, code) })
		}
		require.ErrorIs(t, confirm("000000"), factor.ErrCode)
		require.NoError(t, b.check(o, b.code(first)))
		b.clock.Advance(16 * time.Minute)
		require.ErrorIs(t, confirm(b.code(second)), factor.ErrExpired)
		third := b.offer(o)
		require.NoError(t, confirm(b.code(third)))
		b.clock.Advance(time.Minute)
		require.ErrorIs(t, b.check(o, b.code(first)), factor.ErrCode)
		require.NoError(t, b.check(o, b.code(third)))
		require.ErrorIs(t, confirm(b.code(third)), factor.ErrExpired, "no offer is left")
	})
	t.Run("Five wrong codes in a row wait, whatever follows", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.trader()
		secret := b.authenticator(o)
		b.clock.Advance(time.Minute)
		for try := range 5 {
			last, err := b.factors.CheckCode(t.Context(), o, factor.InSession, "12345x")
			require.ErrorIs(t, err, factor.ErrCode)
			require.Equal(t, try == 4, last)
		}
		require.ErrorIs(t, b.check(o, b.code(secret)), session.ErrThrottle)
		b.clock.Advance(16 * time.Minute)
		require.NoError(t, b.check(o, b.code(secret)))
	})
	t.Run("One of fifty concurrent uses of a code counts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.trader()
		secret := b.authenticator(o)
		b.clock.Advance(time.Minute)
		require.EqualValues(t, 1, together(50, func() bool { return b.check(o, b.code(secret)) == nil }))
	})
	t.Run("A secret is sealed for its owner", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.trader(), b.trader()
		secret := b.authenticator(o)
		b.authenticator(other)
		_, err := b.db.Pool.Exec(t.Context(), `
			UPDATE authenticators a SET secret_key = o.secret_key, secret_sealed = o.secret_sealed FROM authenticators o
			WHERE o.owner_id = (SELECT id FROM factor_owners WHERE trader_id = $1) AND a.owner_id = (SELECT id FROM factor_owners WHERE trader_id = $2)`, o.TraderID, other.TraderID)
		require.NoError(t, err)
		b.clock.Advance(time.Minute)
		require.Error(t, b.check(other, b.code(secret)))
		require.NoError(t, b.check(o, b.code(secret)))
	})
}

// together runs an act many times at once and counts the successes.
func together(times int, act func() bool) int64 {
	var done atomic.Int64
	var all sync.WaitGroup
	for range times {
		all.Go(func() {
			if act() {
				done.Add(1)
			}
		})
	}
	all.Wait()
	return done.Load()
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.trader(), b.trader()
	b.authenticator(o)
	fresh := func(o factor.Owner) (codes []string) {
		require.NoError(t, b.inTx(func(tx *db.Tx) (err error) {
			codes, err = b.factors.NewRecoveryCodesTx(b.Context(), tx, o)
			return err
		}))
		return codes
	}
	use := func(o factor.Owner, code string) error {
		_, err := b.factors.UseRecoveryCode(b.Context(), o, factor.InSession, code, b.inTx)
		return err
	}
	codes := fresh(o)
	require.Len(t, codes, 10)
	require.True(t, factor.IsRecoveryCode(codes[0]))
	require.NoError(t, use(o, " "+strings.ToLower(strings.ReplaceAll(codes[0], "-", " "))), "however it is typed")
	require.ErrorIs(t, use(o, codes[0]), factor.ErrCode, "it works once")
	require.ErrorIs(t, use(other, codes[1]), factor.ErrCode)
	require.Equal(t, 9, b.of(o).RecoveryCodes)
	effect := errors.New("the effect failed")
	_, err := b.factors.UseRecoveryCode(b.Context(), o, factor.InSession, codes[1], func(use func(tx *db.Tx) error) error {
		return b.inTx(func(tx *db.Tx) error { return errors.Join(use(tx), effect) })
	})
	require.ErrorIs(t, err, effect)
	require.Equal(t, 9, b.of(o).RecoveryCodes, "a code whose effect failed is not used up")
	require.EqualValues(t, 1, together(5, func() bool { return use(o, codes[1]) == nil }))
	newer := fresh(o)
	b.clock.Advance(time.Hour)
	require.ErrorIs(t, use(o, codes[2]), factor.ErrCode)
	require.NoError(t, use(o, newer[2]))
	require.NoError(t, use(o, strings.NewReplacer("O", "0", "I", "1", "B", "8").Replace(newer[3])), "as it is misread on paper")
	require.NoError(t, b.inTx(func(tx *db.Tx) error { return b.factors.RemoveAuthenticatorTx(b.Context(), tx, o) }))
	require.Zero(t, b.of(o).RecoveryCodes, "they go with the last factor")
}

// TestRecoveryCodesOfStaff: members of staff keep an authenticator besides, so that the codes outlive the passkeys.
func TestRecoveryCodesOfStaff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.member()
	b.passkey(o, staffOrigin)
	b.passkey(o, staffOrigin)
	require.NoError(t, b.inTx(func(tx *db.Tx) error {
		_, err := b.factors.NewRecoveryCodesTx(b.Context(), tx, o)
		return err
	}))
	first := b.of(o).Passkeys[0].ID
	require.NoError(t, b.inTx(func(tx *db.Tx) error { return b.factors.RemovePasskeyTx(b.Context(), tx, o, first) }))
	require.Len(t, b.of(o).Passkeys, 1)
	require.NoError(t, b.inTx(func(tx *db.Tx) error { return b.factors.RemovePasskeysTx(b.Context(), tx, o) }))
	require.Empty(t, b.of(o).Passkeys)
	require.Equal(t, 10, b.of(o).RecoveryCodes)
	require.NoError(t, b.inTx(func(tx *db.Tx) error { return b.factors.RemoveRecoveryCodesTx(b.Context(), tx, o) }))
	require.Zero(t, b.of(o).RecoveryCodes)
}

func TestPasskey(t *testing.T) {
	t.Parallel()
	t.Run("It logs its owner in, again and again", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.trader()
		b.passkey(b.trader(), origin)
		key := b.passkey(o, origin)
		listed := b.of(o).Passkeys
		require.Len(t, listed, 1)
		require.Equal(t, "My phone", listed[0].Name)
		require.Nil(t, listed[0].LastUsedAt)
		for range 3 {
			id, err := b.login(key.Answer(b.request()))
			require.NoError(t, err)
			require.Equal(t, o.TraderID, id)
		}
		require.NotNil(t, b.of(o).Passkeys[0].LastUsedAt)
	})
	t.Run("An answer counts once, however many come at once", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		key := b.passkey(b.trader(), origin)
		answer := key.Answer(b.request())
		require.EqualValues(t, 1, together(20, func() bool {
			_, err := b.login(answer)
			return err == nil
		}))
		_, err := b.login(answer)
		require.ErrorIs(t, err, factor.ErrExpired)
	})
	t.Run("What is not an answer of the owner's to the challenge is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.trader()
		key, other := b.passkey(o, origin), b.passkey(b.trader(), origin)
		refuse := func(want error, response []byte) {
			t.Helper()
			_, err := b.login(response)
			require.ErrorIs(t, err, want)
		}
		refuse(factor.ErrPasskey, nil)
		refuse(factor.ErrPasskey, []byte(`{"id":"x"}`))
		refuse(factor.ErrPasskey, key.Answer(b.ask(o, "a withdrawal")))
		foreign := *key
		foreign.Origin = "https://candor.evil.example"
		refuse(factor.ErrPasskey, foreign.Answer(b.request()))
		unverified := *key
		unverified.Verified = false
		refuse(factor.ErrPasskey, unverified.Answer(b.request()))
		late := b.request()
		b.clock.Advance(factor.ChallengeLife + time.Second)
		refuse(factor.ErrExpired, key.Answer(late))
		b.login(key.Answer(b.request()))
		copied := *key
		copied.Counter = 0
		refuse(factor.ErrPasskey, copied.Answer(b.request()))
		require.ErrorIs(t, b.confirm(o, "a withdrawal", other.Answer(b.ask(o, "a withdrawal"))), factor.ErrPasskey)
		require.ErrorIs(t, b.confirm(o, "another withdrawal", key.Answer(b.ask(o, "a withdrawal"))), factor.ErrPasskey)
		require.NoError(t, b.confirm(o, "a withdrawal", key.Answer(b.ask(o, "a withdrawal"))))
	})
	t.Run("A removed one proves nothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.trader(), b.trader()
		key := b.passkey(o, origin)
		id := b.of(o).Passkeys[0].ID
		remove := func(o factor.Owner) error {
			return b.inTx(func(tx *db.Tx) error { return b.factors.RemovePasskeyTx(b.Context(), tx, o, id) })
		}
		rename := func(o factor.Owner, name string) error {
			return b.inTx(func(tx *db.Tx) error { return b.factors.RenamePasskeyTx(b.Context(), tx, o, id, name) })
		}
		require.ErrorIs(t, remove(other), factor.ErrNone)
		require.ErrorIs(t, rename(other, "Mine"), factor.ErrNone)
		require.ErrorIs(t, rename(o, strings.Repeat("x", 61)), factor.ErrName)
		for _, name := range []string{"", " ", "\u200b", "\u202eabc", "a\u2066b", "\u3164"} {
			require.Error(t, rename(o, name), "%q", name)
		}
		require.NoError(t, rename(o, " My\r\nlaptop "))
		require.Equal(t, "My laptop", b.of(o).Passkeys[0].Name)
		require.NoError(t, rename(o, "Laptop"))
		require.Equal(t, "Laptop", b.of(o).Passkeys[0].Name)
		asked := b.ask(o, "an act")
		require.NoError(t, remove(o))
		require.ErrorIs(t, b.confirm(o, "an act", key.Answer(asked)), factor.ErrPasskey)
		_, err := b.login(key.Answer(b.request()))
		require.ErrorIs(t, err, factor.ErrPasskey)
		_, err = b.factors.NewConfirmation(t.Context(), o, "an act")
		require.ErrorIs(t, err, factor.ErrNone)
	})
	t.Run("It is made once, for the owner that was asked", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.trader(), b.trader()
		_, response := factortest.New(t, origin, b.creation(o))
		require.ErrorIs(t, b.add(other, response), factor.ErrPasskey)
		require.NoError(t, b.add(o, response))
		require.ErrorIs(t, b.add(o, response), factor.ErrExpired)
		_, elsewhere := factortest.New(t, "https://candor.evil.example", b.creation(o))
		require.ErrorIs(t, b.add(o, elsewhere), factor.ErrPasskey)
		for len(b.of(o).Passkeys) < 20 {
			b.passkey(o, origin)
		}
		require.ErrorIs(t, b.inTx(func(tx *db.Tx) error {
			_, err := b.factors.NewPasskeyTx(b.Context(), tx, o, "T***")
			return err
		}), factor.ErrMostKeys)
	})
	t.Run("One of staff opens no trader's account", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		member := b.member()
		key := b.passkey(member, staffOrigin)
		require.NoError(t, b.confirm(member, "an act", key.Answer(b.ask(member, "an act"))))
		_, err := b.login(key.Answer(b.request()))
		require.ErrorIs(t, err, factor.ErrPasskey)
	})
	t.Run("A site without a domain has none", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		bare, err := factor.New(factor.Config{DB: b.db, Clock: b.clock, Vault: vaulttest.New(t), Sessions: session.New(b.db, b.clock, nil)})
		require.NoError(t, err)
		_, err = bare.NewLogin()
		require.ErrorIs(t, err, factor.ErrNoSite)
	})
}

func TestRemoveAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.trader()
	remove := func() (had bool) {
		require.NoError(t, b.inTx(func(tx *db.Tx) (err error) {
			had, err = b.factors.RemoveAllTx(b.Context(), tx, o)
			return err
		}))
		return had
	}
	require.False(t, remove())
	b.authenticator(o)
	b.passkey(o, origin)
	require.True(t, remove())
	require.False(t, b.of(o).Any())
	b.clock.Advance(time.Hour)
	require.NoError(t, b.factors.Sweep(t.Context()))
}

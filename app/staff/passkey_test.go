package staff_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/factor"
	"candor/app/factor/factortest"
	"candor/app/session"
	"candor/app/staff"
)

// passkey adds a passkey of a person's own.
func (b *bundle) passkey(t *testing.T, p staff.Person) *factortest.Passkey {
	t.Helper()
	key, answer := b.created(t, p)
	require.NoError(t, b.AddPasskey(ctx, by(p), " Laptop ", answer))
	return key
}

// created is a passkey that the browser has created and nobody has stored.
func (b *bundle) created(t *testing.T, p staff.Person) (*factortest.Passkey, []byte) {
	t.Helper()
	creation, err := b.NewPasskey(ctx, by(p))
	require.NoError(t, err)
	return factortest.New(t, origin, creation)
}

func (b *bundle) askSignIn(t *testing.T, p staff.Person) *factor.Request {
	t.Helper()
	request, err := b.AskSignIn(ctx, p.ID)
	require.NoError(t, err)
	return request
}

func (b *bundle) askStep(t *testing.T, p staff.Person, s staff.Step) *factor.Request {
	t.Helper()
	request, err := b.AskStep(ctx, p.ID, s)
	require.NoError(t, err)
	return request
}

// kinds are the kinds of the messages to an address, the newest first.
func (b *bundle) kinds(t *testing.T, email string) (kinds []string) {
	t.Helper()
	list, err := b.outbox.List(ctx, email, 20)
	require.NoError(t, err)
	for _, m := range list {
		kinds = append(kinds, m.Kind)
	}
	return kinds
}

func TestSignInPasskey(t *testing.T) {
	t.Parallel()
	t.Run("ItTakesThePlaceOfTheCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		require.Nil(t, b.askSignIn(t, p), "nothing is asked of a person without one")
		key := b.passkey(t, p)
		request := b.askSignIn(t, p)
		answer := key.Answer(request)
		in, err := b.SignInPasskey(ctx, p.ID, answer, nobody)
		require.NoError(t, err)
		require.Equal(t, p.ID, in.ID)
		require.Equal(t, b.clock.Now(), b.read(t, p.ID).SignedInAt.UTC())
		require.Equal(t, 1, b.logged(t, "staff.sign_in", audit.Done))
		_, err = b.SignInPasskey(ctx, p.ID, answer, nobody)
		require.ErrorIs(t, err, factor.ErrExpired, "an answer counts once")
	})
	t.Run("OfAnotherPersonItOpensNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, _ := b.admins(t)
		key, other := b.passkey(t, first), b.passkey(t, second)
		_, err := b.SignInPasskey(ctx, first.ID, other.Answer(b.askSignIn(t, second)), nobody)
		require.ErrorIs(t, err, factor.ErrPasskey)
		_, err = b.SignInPasskey(ctx, first.ID, other.Answer(b.askSignIn(t, first)), nobody)
		require.ErrorIs(t, err, factor.ErrPasskey)
		_, err = b.SignInPasskey(ctx, first.ID, []byte(`{}`), nobody)
		require.ErrorIs(t, err, factor.ErrPasskey)
		require.Equal(t, 3, b.logged(t, "staff.refuse_passkey", audit.Failed))
		_, err = b.SignInPasskey(ctx, first.ID, key.Answer(b.askStep(t, first, step)), nobody)
		require.ErrorIs(t, err, factor.ErrPasskey, "a decision is no sign-in")
	})
	t.Run("WaitsFiveMinutes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		key := b.passkey(t, p)
		request := b.askSignIn(t, p)
		b.clock.Advance(factor.ChallengeLife + time.Second)
		_, err := b.SignInPasskey(ctx, p.ID, key.Answer(request), nobody)
		require.ErrorIs(t, err, factor.ErrExpired)
	})
	t.Run("IsWorthNothingOnceThePersonIsDisabledOrReset", func(t *testing.T) {
		t.Parallel()
		acts := map[string]func(*bundle, staff.Person, staff.Person) error{
			"disable": func(b *bundle, admin, p staff.Person) error { return b.Disable(ctx, by(admin), p.ID, p.Version) },
			"reset": func(b *bundle, admin, p staff.Person) error {
				return b.ResetAuthenticator(ctx, by(admin), p.ID, p.Version)
			},
			"afresh": func(b *bundle, admin, p staff.Person) error { return b.ResetAccess(ctx, by(admin), p.ID, p.Version) },
		}
		for name, act := range acts {
			b := setup(t)
			admin, second, _ := b.admins(t)
			key := b.passkey(t, second)
			_, err := b.NewRecoveryCodes(ctx, by(second))
			require.NoError(t, err)
			answer := key.Answer(b.askSignIn(t, second))
			require.NoError(t, act(b, admin, second), name)
			_, err = b.SignInPasskey(ctx, second.ID, answer, nobody)
			require.ErrorIs(t, err, factor.ErrPasskey, name)
			f, err := b.Factors(ctx, second.ID)
			require.NoError(t, err)
			require.Empty(t, f.Passkeys, name)
			require.Zero(t, f.RecoveryCodes, name)
		}
	})
}

func TestCheckPasskey(t *testing.T) {
	t.Parallel()
	t.Run("ATouchConfirmsOneActOnOneCase", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		key := b.passkey(t, p)
		for name, other := range map[string]staff.Step{
			"another case": {Act: step.Act, About: "withdrawal 8"}, "another act": {Act: "withdrawal.confirm", About: step.About}, "a sign-in": {},
		} {
			require.ErrorIs(t, b.CheckPasskey(ctx, by(p), other, key.Answer(b.askStep(t, p, step))), factor.ErrPasskey, name)
		}
		answer := key.Answer(b.askStep(t, p, step))
		require.NoError(t, b.CheckPasskey(ctx, by(p), step, answer))
		require.ErrorIs(t, b.CheckPasskey(ctx, by(p), step, answer), factor.ErrExpired, "and only once")
	})
	t.Run("OfAColleagueIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, _ := b.admins(t)
		key := b.passkey(t, first)
		require.ErrorIs(t, b.CheckPasskey(ctx, by(second), step, key.Answer(b.askStep(t, first, step))), factor.ErrPasskey)
	})
	t.Run("RefusedOnesAreRecordedAndSignNobodyOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		b.passkey(t, p)
		for range 7 {
			require.ErrorIs(t, b.CheckPasskey(ctx, by(p), step, []byte("no passkey")), factor.ErrPasskey)
		}
		_, err := b.Signed(ctx, p.ID, p.SessionEpoch)
		require.NoError(t, err)
		require.Equal(t, 7, b.logged(t, "staff.refuse_passkey", audit.Failed))
		require.NoError(t, b.CheckCode(ctx, by(p), step, b.code(t, b.secret[p.ID])), "a refused signature is no guess of a code")
	})
	t.Run("ItCoversAsACodeDoes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		key := b.passkey(t, p)
		sessionID, err := b.OpenSession(ctx, p, session.Device{IP: "192.0.2.9"})
		require.NoError(t, err)
		covering := staff.Step{Session: sessionID, Act: step.Act, About: step.About, Covers: 2}
		require.NoError(t, b.CheckPasskey(ctx, by(p), covering, key.Answer(b.askStep(t, p, covering))))
		cover, err := b.Covered(ctx, sessionID)
		require.NoError(t, err)
		require.Equal(t, 2, cover.Left)
		require.Equal(t, 1, b.logged(t, "staff.step_up_covers", audit.Done))
	})
	t.Run("ARefusedOneCoversNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		key := b.passkey(t, p)
		sessionID, err := b.OpenSession(ctx, p, session.Device{IP: "192.0.2.9"})
		require.NoError(t, err)
		covering := staff.Step{Session: sessionID, Act: step.Act, About: "withdrawal 8", Covers: 2}
		require.ErrorIs(t, b.CheckPasskey(ctx, by(p), covering, key.Answer(b.askStep(t, p, step))), factor.ErrPasskey)
		cover, err := b.Covered(ctx, sessionID)
		require.NoError(t, err)
		require.Zero(t, cover.Left)
	})
}

func TestOwnPasskeys(t *testing.T) {
	t.Parallel()
	t.Run("AddedRenamedAndRemovedTheyAreRecordedAndTold", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		b.passkey(t, p)
		f, err := b.Factors(ctx, p.ID)
		require.NoError(t, err)
		require.Equal(t, "Laptop", f.Passkeys[0].Name)
		id := f.Passkeys[0].ID
		require.ErrorIs(t, b.RenamePasskey(ctx, by(p), id, " "), factor.ErrName)
		require.ErrorIs(t, b.RenamePasskey(ctx, by(p), id, strings.Repeat("x", 61)), factor.ErrName)
		require.NoError(t, b.RenamePasskey(ctx, by(p), id, "Security key"))
		renamed, err := b.Passkey(ctx, p.ID, id)
		require.NoError(t, err)
		require.Equal(t, "Security key", renamed.Name)
		require.NoError(t, b.RemovePasskey(ctx, by(p), id))
		require.ErrorIs(t, b.RemovePasskey(ctx, by(p), id), factor.ErrNone)
		for _, action := range []string{"staff.add_passkey", "staff.rename_passkey", "staff.remove_passkey"} {
			require.Equal(t, 1, b.logged(t, action, audit.Done), action)
		}
		require.Equal(t, []string{"staff_passkey_removed", "staff_passkey_added"}, b.kinds(t, p.Email))
	})
	t.Run("AColleaguesAreOutOfReach", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, _ := b.admins(t)
		b.passkey(t, second)
		f, err := b.Factors(ctx, second.ID)
		require.NoError(t, err)
		id := f.Passkeys[0].ID
		require.ErrorIs(t, b.RenamePasskey(ctx, by(first), id, "Mine"), factor.ErrNone)
		require.ErrorIs(t, b.RemovePasskey(ctx, by(first), id), factor.ErrNone)
		_, err = b.Passkey(ctx, first.ID, id)
		require.ErrorIs(t, err, factor.ErrNone)
		_, answer := b.created(t, second)
		require.ErrorIs(t, b.AddPasskey(ctx, by(first), "Mine", answer), factor.ErrPasskey, "made for a colleague")
	})
	t.Run("NobodyWhoIsDisabledMeanwhileAddsOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, second, _ := b.admins(t)
		_, answer := b.created(t, second)
		require.NoError(t, b.Disable(ctx, by(admin), second.ID, second.Version))
		require.ErrorIs(t, b.AddPasskey(ctx, by(second), "Laptop", answer), staff.ErrSignedOut)
		_, err := b.NewPasskey(ctx, by(second))
		require.ErrorIs(t, err, staff.ErrSignedOut)
	})
	t.Run("WithoutADomainNothingIsAsked", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		b.passkey(t, p)
		factors, err := factor.New(factor.Config{DB: b.db, Clock: b.clock, Vault: b.keys})
		require.NoError(t, err)
		bare := staff.New(staff.Config{DB: b.db, Clock: b.clock, Factors: factors, Approvals: approval.New(b.db, b.clock, nil)})
		request, err := bare.AskSignIn(ctx, p.ID)
		require.NoError(t, err)
		require.Nil(t, request)
		_, err = bare.NewPasskey(ctx, by(p))
		require.ErrorIs(t, err, factor.ErrNoSite)
	})
}

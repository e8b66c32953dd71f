package trader_test

import (
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/factor/factortest"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
)

var origin = audit.Actor{IP: ip, TraceID: "trace-0003"}

// guarded is a trader who sets up factors.
type guarded struct {
	*bundle
	session.Principal
	account string
	secret  string // of the authenticator
}

func (b *bundle) guarded(account string) *guarded {
	b.Helper()
	return &guarded{bundle: b, Principal: b.principal(b.register(account).Token), account: account}
}

// proof is a proof of the trader with a code that was sent.
func (g *guarded) proof(a trader.SecurityAct) trader.SecurityProof {
	g.Helper()
	g.clock.Advance(2 * time.Minute)
	require.NoError(g, g.traders.SendSecurityCode(g.Context(), g.Principal, a, ip))
	return trader.SecurityProof{Password: password, Code: g.lastCode(g.account), From: origin}
}

// confirmed is a proof of the trader with the authenticator.
func (g *guarded) confirmed(a trader.SecurityAct) trader.SecurityProof {
	g.Helper()
	return trader.SecurityProof{Password: password, Code: g.confirm(a.Act()), From: origin}
}

func (g *guarded) confirm(a trader.Act) string {
	g.Helper()
	confirmation, err := g.traders.ConfirmByCode(g.Context(), g.Principal, a, g.totp(), origin)
	require.NoError(g, err)
	return confirmation
}

// totp is the authenticator's next code.
func (g *guarded) totp() string {
	g.Helper()
	g.clock.Advance(time.Minute)
	code, err := totp.GenerateCode(g.secret, g.clock.Now())
	require.NoError(g, err)
	return code
}

// authenticator sets one up and returns the recovery codes.
func (g *guarded) authenticator() []string {
	g.Helper()
	offered, err := g.traders.OfferAuthenticator(g.Context(), g.Principal, g.proof(trader.SetAuthenticator))
	require.NoError(g, err)
	g.secret = offered.Text
	codes, err := g.traders.ConfirmAuthenticator(g.Context(), g.Principal, g.totp(), origin)
	require.NoError(g, err)
	return codes
}

func (g *guarded) locked() string {
	g.Helper()
	_, reason, err := g.traders.WithdrawalLock(g.Context(), g.TraderID)
	require.NoError(g, err)
	return reason
}

func (g *guarded) loginWith(secret, factorCode string, d session.Device) error {
	_, err := g.traders.Login(g.Context(), trader.Credentials{Account: g.account, Password: secret, Factor: factorCode, Device: d, TraceID: "trace-0004"})
	return err
}

func TestSecondFactor(t *testing.T) {
	t.Parallel()
	t.Run("Whoever guesses codes elsewhere stops neither the owner's device nor a session nor a recovery code", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		codes := g.authenticator()
		for range 5 {
			require.ErrorIs(t, g.loginWith(password, "000000", device(9)), factor.ErrCode)
		}
		require.ErrorIs(t, g.loginWith(password, g.totp(), device(9)), session.ErrThrottle)
		require.NoError(t, g.loginWith(password, g.totp(), device(1)), "on a known device")
		g.confirm(trader.Act{Purpose: session.SecurityCode, About: string(trader.ChangePassword)})
		require.NoError(t, g.loginWith(password, codes[0], device(9)), "a recovery code can't be guessed")
		for range 5 {
			require.ErrorIs(t, g.loginWith(password, "000000", device(1)), factor.ErrCode)
		}
		require.ErrorIs(t, g.loginWith(password, g.totp(), device(1)), session.ErrThrottle, "a known device waits after its own")
	})
	t.Run("A log-in asks for it after the right password, on any device, and for no other code", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		require.Len(t, g.authenticator(), 10)
		require.Empty(t, g.locked(), "a first factor weakens nothing")
		for n := 1; n <= 2; n++ {
			err := g.loginWith(password, "", device(n))
			require.ErrorIs(t, err, trader.ErrFactorRequired)
			require.Equal(t, map[string]string{"authenticator": "true", "passkeys": "false"}, errs.As(err).Args)
			require.ErrorIs(t, g.loginWith("a wrong password", g.totp(), device(n)), trader.ErrCredentials)
			require.ErrorIs(t, g.loginWith(password, "123456", device(n)), factor.ErrCode)
			require.NoError(t, g.loginWith(password, g.totp(), device(n)))
		}
		require.Equal(t, trader.LockNewDevice, g.locked())
	})
	t.Run("Five wrong ones after the right password are told to the owner", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		g.authenticator()
		for range 5 {
			require.ErrorIs(t, g.loginWith(password, "123456", device(7)), factor.ErrCode)
		}
		require.ErrorIs(t, g.loginWith(password, g.totp(), device(7)), session.ErrThrottle)
		require.Contains(t, g.messages(anna)[0].Body, "message.factor_failures.body")
	})
	t.Run("A forgotten password does not go around it", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		g.authenticator()
		require.NoError(t, g.traders.SendForgottenPasswordCode(t.Context(), anna, g.solved(), ip))
		require.NoError(t, g.traders.ReplaceForgottenPassword(t.Context(), trader.ForgottenPassword{Account: anna, New: "a new long password", Code: g.lastCode(anna), From: origin}))
		require.ErrorIs(t, g.loginWith("a new long password", "", device(1)), trader.ErrFactorRequired)
	})
	t.Run("It confirms acts in place of codes, each act alone and once", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		early := g.proof(trader.NewRecoveryCodes)
		g.authenticator()
		require.ErrorIs(t, g.traders.SendSecurityCode(t.Context(), g.Principal, trader.NewRecoveryCodes, ip), trader.ErrConfirm)
		require.ErrorIs(t, g.traders.SendPaymentPasswordCode(t.Context(), g.Principal, ip), trader.ErrConfirm)
		require.ErrorIs(t, g.traders.SendMoneyOutCode(t.Context(), g.Principal, trader.MoneyOut{Act: trader.OnlySaved}, nil, ip), trader.ErrConfirm)
		require.NoError(t, g.traders.SendFreezeCode(t.Context(), g.Principal, ip), "freezing needs no factor")
		renew := func(proof trader.SecurityProof) error {
			_, err := g.traders.ReplaceRecoveryCodes(t.Context(), g.Principal, proof)
			return err
		}
		require.ErrorIs(t, renew(early), trader.ErrConfirm, "a code that was sent before")
		require.ErrorIs(t, renew(g.confirmed(trader.RemoveAuthenticator)), session.ErrCode, "another act's")
		proof := g.confirmed(trader.NewRecoveryCodes)
		require.NoError(t, renew(proof))
		require.ErrorIs(t, renew(proof), session.ErrCode)
		late := g.confirmed(trader.NewRecoveryCodes)
		g.clock.Advance(session.ConfirmationLife + time.Second)
		require.ErrorIs(t, renew(late), session.ErrCode)
		wrong := g.confirmed(trader.NewRecoveryCodes)
		wrong.Password = "a wrong password"
		require.ErrorIs(t, renew(wrong), trader.ErrLoginPassword)
	})
	t.Run("A recovery code replaces a lost one, moves no money, and locks withdrawals", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		codes := g.authenticator()
		require.NoError(t, g.loginWith(password, codes[0], device(1)))
		require.Equal(t, trader.LockRecoveryCode, g.locked())
		require.Contains(t, g.messages(anna)[0].Body, "message.recovery_code_used.body")
		require.ErrorIs(t, g.loginWith(password, codes[0], device(1)), factor.ErrCode)
		_, err := g.traders.ConfirmByCode(t.Context(), g.Principal, trader.Act{Purpose: session.MoneyOutCode}, codes[1], origin)
		require.ErrorIs(t, err, trader.ErrRecoveryNotHere)
		confirmation, err := g.traders.ConfirmByCode(t.Context(), g.Principal, trader.RemoveAuthenticator.Act(), codes[1], origin)
		require.NoError(t, err)
		require.NoError(t, g.traders.RemoveAuthenticator(t.Context(), g.Principal, trader.SecurityProof{Password: password, Code: confirmation, From: origin}))
		require.NoError(t, g.loginWith(password, "", device(1)))
		f, err := g.traders.SecondFactors(t.Context(), g.Principal)
		require.NoError(t, err)
		require.False(t, f.Any())
		require.Zero(t, f.RecoveryCodes)
	})
	t.Run("A passkey logs in alone and confirms one act", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		g, other := b.guarded(anna), b.guarded("carl@example.com")
		creation, err := g.traders.NewPasskey(t.Context(), g.Principal, g.proof(trader.AddPasskey))
		require.NoError(t, err)
		key, response := factortest.New(t, site, creation)
		_, err = g.traders.AddPasskey(t.Context(), other.Principal, "Theirs", response, origin)
		require.ErrorIs(t, err, factor.ErrPasskey)
		codes, err := g.traders.AddPasskey(t.Context(), g.Principal, "Phone", response, origin)
		require.NoError(t, err)
		require.Len(t, codes, 10)
		require.ErrorIs(t, g.loginWith(password, "", device(1)), trader.ErrFactorRequired)

		request, err := g.traders.NewPasskeyLogin()
		require.NoError(t, err)
		opened, err := g.traders.LoginByPasskey(t.Context(), key.Answer(request), device(2), "trace-0005")
		require.NoError(t, err)
		require.Equal(t, g.TraderID, opened.Trader.ID)
		require.Equal(t, trader.LockNewDevice, g.locked())

		act := trader.Act{Purpose: session.MoneyOutCode, About: trader.MoneyOut{Act: trader.OnlySaved}.About()}
		ask, err := g.traders.NewConfirmation(t.Context(), g.Principal, act)
		require.NoError(t, err)
		answer := key.Answer(ask)
		_, err = g.traders.ConfirmByPasskey(t.Context(), other.Principal, act, answer, origin)
		require.ErrorIs(t, err, factor.ErrPasskey)
		_, err = g.traders.ConfirmByPasskey(t.Context(), g.Principal, trader.Act{Purpose: session.MoneyOutCode, About: "another"}, answer, origin)
		require.ErrorIs(t, err, factor.ErrPasskey)
		confirmation, err := g.traders.ConfirmByPasskey(t.Context(), g.Principal, act, answer, origin)
		require.NoError(t, err)
		require.ErrorIs(t, g.traders.Prove(t.Context(), g.TraderID, trader.Proof{Code: confirmation, From: origin, For: trader.MoneyOut{Act: trader.OnlySaved}}), trader.ErrPaymentPasswordUnset)
	})
	t.Run("Guests have none, and every change is an event of the owner's", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		g := b.guarded(anna)
		g.authenticator()
		require.NoError(t, g.traders.RemoveAuthenticator(t.Context(), g.Principal, g.confirmed(trader.RemoveAuthenticator)))
		require.Equal(t, trader.LockAuthenticatorChange, g.locked())
		events, next, err := g.traders.SecurityEvents(t.Context(), g.Principal, 0, 10)
		require.NoError(t, err)
		require.Zero(t, next)
		var kinds []string
		for _, e := range events {
			kinds = append(kinds, e.Kind)
		}
		require.Equal(t, []string{"remove_authenticator", "hold", "set_authenticator", "register"}, kinds)
		require.Equal(t, ip, events[0].IP)
		require.Equal(t, "system", events[1].By)

		visit, err := b.traders.Try(t.Context(), trader.Visit{Language: "de", Device: device(9)})
		require.NoError(t, err)
		guest := b.principal(visit.Token)
		_, err = b.traders.SecondFactors(t.Context(), guest)
		require.ErrorIs(t, err, trader.ErrGuest)
		_, err = b.traders.OfferAuthenticator(t.Context(), guest, trader.SecurityProof{})
		require.ErrorIs(t, err, trader.ErrGuest)
	})
}

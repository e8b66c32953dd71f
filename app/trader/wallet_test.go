package trader_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/factor"
	"candor/app/ledger"
	"candor/app/notice"
	"candor/app/platform/ethereum/ethereumtest"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
)

const ethereumChain = 1

func (b *bundle) allowWallets() *bundle {
	b.Helper()
	b.set(switches.Web3LoginKey, "true")
	return b
}

func choice(w ethereumtest.Wallet) trader.WalletChoice {
	return trader.WalletChoice{Address: w.Address().String(), ChainID: ethereumChain}
}

// walletText is the text for a wallet's log-in from a device.
func (b *bundle) walletText(w ethereumtest.Wallet, d session.Device) session.WalletText {
	b.Helper()
	text, err := b.traders.NewWalletLogin(b.Context(), choice(w), b.solved(), d)
	require.NoError(b, err)
	return text
}

// signed is a proof of a wallet from a device.
func (b *bundle) signed(w ethereumtest.Wallet, d session.Device) trader.WalletProof {
	b.Helper()
	text := b.walletText(w, d)
	return trader.WalletProof{ID: text.ID, Signature: w.Sign(text.Text), Device: d, TraceID: "trace-0006"}
}

func (b *bundle) walletLogin(p trader.WalletProof, factorCode string) (trader.Opened, error) {
	return b.traders.LoginByWallet(b.Context(), p, factorCode)
}

// link links a wallet with a code.
func (g *guarded) link(w ethereumtest.Wallet) {
	g.Helper()
	text, err := g.traders.NewWalletLink(g.Context(), g.Principal, choice(w), g.proof(trader.LinkWallet))
	require.NoError(g, err)
	require.NoError(g, g.traders.LinkWallet(g.Context(), g.Principal, text.ID, w.Sign(text.Text), origin))
}

// linked is a trader with a linked wallet.
func linked(t *testing.T) (*guarded, ethereumtest.Wallet) {
	t.Helper()
	g, w := setup(t).allowWallets().guarded(anna), ethereumtest.New(t)
	g.link(w)
	return g, w
}

func TestWalletLogin(t *testing.T) {
	t.Parallel()
	t.Run("A linked wallet opens a session on the real account, and a new device locks withdrawals", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		text := g.walletText(w, device(2))
		require.True(t, strings.HasPrefix(text.Text, "example.com wants you to sign in with your Ethereum account:\n"+w.Address().String()+"\n"), text.Text)
		require.Contains(t, text.Text, "\nURI: https://example.com\nVersion: 1\nChain ID: 1\nNonce: "+text.ID+"\n")
		opened, err := g.walletLogin(trader.WalletProof{ID: text.ID, Signature: w.Sign(text.Text), Device: device(2), TraceID: "trace-0006"}, "")
		require.NoError(t, err)
		require.Equal(t, []any{g.TraderID, ledger.Real}, []any{opened.Trader.ID, opened.Account.Book})
		require.Equal(t, g.TraderID, g.principal(opened.Token).TraderID)
		require.Contains(t, g.acts(), "trader.login")
		require.Contains(t, g.messages(anna)[0].Body, "message.new_device.body")
		require.EqualValues(t, 1, g.count(`SELECT count(*) FROM withdrawal_locks WHERE reason = 'new_device'`))
	})
	t.Run("A text counts once", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		proof := g.signed(w, device(1))
		_, err := g.walletLogin(proof, "")
		require.NoError(t, err)
		_, err = g.walletLogin(proof, "")
		require.ErrorIs(t, err, session.ErrWalletText)
	})
	t.Run("Of concurrent calls with a text one opens a session", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		proof := g.signed(w, device(1))
		results := make(chan error)
		for range 10 {
			go func() {
				_, err := g.walletLogin(proof, "")
				results <- err
			}()
		}
		opened := 0
		for range 10 {
			if err := <-results; err == nil {
				opened++
			} else {
				require.ErrorIs(t, err, session.ErrWalletText)
			}
		}
		require.Equal(t, 1, opened)
	})
	t.Run("A text expires after five minutes", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		proof := g.signed(w, device(1))
		g.clock.Advance(5*time.Minute - time.Second)
		_, err := g.walletLogin(proof, "")
		require.NoError(t, err)
		proof = g.signed(w, device(1))
		g.clock.Advance(5 * time.Minute)
		_, err = g.walletLogin(proof, "")
		require.ErrorIs(t, err, session.ErrWalletText)
		require.NoError(t, g.sessions.SweepGuesses(t.Context()))
		g.clock.Advance(time.Second)
		require.NoError(t, g.sessions.SweepGuesses(t.Context()))
		require.Zero(t, g.count(`SELECT count(*) FROM wallet_texts`))
	})
	t.Run("A text counts from the device that asked for it alone", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		proof := g.signed(w, device(1))
		proof.Device = device(2)
		_, err := g.walletLogin(proof, "")
		require.ErrorIs(t, err, session.ErrWalletText)
		proof.Device = device(1)
		_, err = g.walletLogin(proof, "")
		require.NoError(t, err)
	})
	t.Run("Only the wallet's own signature of exactly the text counts", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		text := g.walletText(w, device(1))
		for name, other := range map[string]string{
			"another domain": w.Sign(strings.Replace(text.Text, "example.com wants", "example.org wants", 1)), "another page": w.Sign(strings.Replace(text.Text, site, "https://example.org", 1)),
			"another chain": w.Sign(strings.Replace(text.Text, "Chain ID: 1", "Chain ID: 10", 1)), "another text": w.Sign(g.walletText(w, device(1)).Text),
			"another wallet": ethereumtest.New(t).Sign(text.Text), "a contract's": "0x" + strings.Repeat("ab", 200), "none": "",
		} {
			_, err := g.walletLogin(trader.WalletProof{ID: text.ID, Signature: other, Device: device(1)}, "")
			require.ErrorIs(t, err, session.ErrWalletSignature, name)
		}
		_, err := g.walletLogin(trader.WalletProof{ID: text.ID, Signature: w.Sign(text.Text), Device: device(1)}, "")
		require.NoError(t, err)
		for _, id := range []string{"", "zz", text.ID[:30], strings.Repeat("0", 32)} {
			_, err := g.walletLogin(trader.WalletProof{ID: id, Signature: w.Sign(text.Text), Device: device(1)}, "")
			require.ErrorIs(t, err, session.ErrWalletText, id)
		}
	})
	t.Run("Asking costs a solved challenge, and names no unknown chain, address or device", func(t *testing.T) {
		t.Parallel()
		b, w := setup(t).allowWallets(), ethereumtest.New(t)
		ask := func(c trader.WalletChoice, solution string, d session.Device) error {
			_, err := b.traders.NewWalletLogin(t.Context(), c, solution, d)
			return err
		}
		require.ErrorIs(t, ask(choice(w), "", device(1)), session.ErrVerify)
		solution := b.solved()
		require.NoError(t, ask(choice(w), solution, device(1)))
		require.ErrorIs(t, ask(choice(w), solution, device(1)), session.ErrVerifyWrong)
		for _, chain := range []int64{0, -1, 5, 11155111} {
			require.ErrorIs(t, ask(trader.WalletChoice{Address: w.Address().String(), ChainID: chain}, b.solved(), device(1)), trader.ErrWalletChain)
		}
		for _, chain := range []int64{10, 56, 137, 8453, 42161} {
			require.NoError(t, ask(trader.WalletChoice{Address: w.Address().Lower(), ChainID: chain}, b.solved(), device(1)))
		}
		requireField(t, "address", "field.address", ask(trader.WalletChoice{Address: "0x12", ChainID: 1}, b.solved(), device(1)))
		requireField(t, "deviceId", "field.length", ask(choice(w), b.solved(), session.Device{Fingerprint: "short"}))
		require.EqualValues(t, 6, b.count(`SELECT count(*) FROM wallet_texts`))
	})
	t.Run("The second factor is asked for as after a password, and the text stays for its answer", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		g.authenticator()
		proof := g.signed(w, device(1))
		_, err := g.walletLogin(proof, "")
		require.ErrorIs(t, err, trader.ErrFactorRequired)
		_, err = g.walletLogin(proof, "123456")
		require.ErrorIs(t, err, factor.ErrCode)
		code := g.totp()
		_, err = g.walletLogin(proof, code)
		require.NoError(t, err)
		_, err = g.walletLogin(proof, g.totp())
		require.ErrorIs(t, err, session.ErrWalletText)
	})
	t.Run("A frozen account stays closed, and says so only to the wallet", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		require.NoError(t, g.traders.SendFreezeCode(t.Context(), g.Principal, ip))
		require.NoError(t, g.traders.Freeze(t.Context(), g.Principal, g.lastCode(anna), origin))
		proof := g.signed(w, device(1))
		_, err := g.walletLogin(trader.WalletProof{ID: proof.ID, Signature: ethereumtest.New(t).Sign("x"), Device: device(1)}, "")
		require.ErrorIs(t, err, session.ErrWalletSignature)
		_, err = g.walletLogin(proof, "")
		require.ErrorIs(t, err, trader.ErrLoginRestricted)
	})
	t.Run("A wallet without an account learns so after signing", func(t *testing.T) {
		t.Parallel()
		b, w := setup(t).allowWallets(), ethereumtest.New(t)
		_, err := b.walletLogin(b.signed(w, device(1)), "")
		require.ErrorIs(t, err, trader.ErrWalletUnknown)
	})
	t.Run("Switched off, nothing of it works but unlinking", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		proof := g.signed(w, device(1))
		text, err := g.traders.NewWalletLink(t.Context(), g.Principal, choice(w), g.proof(trader.LinkWallet))
		require.ErrorIs(t, err, trader.ErrWalletSet)
		g.exec(`UPDATE switches SET value = 'false'`)
		require.NoError(t, g.switches.Reload(t.Context()))
		_, err = g.walletLogin(proof, "")
		require.ErrorIs(t, err, trader.ErrWalletsOff)
		_, err = g.traders.NewWalletLogin(t.Context(), choice(w), g.solved(), device(1))
		require.ErrorIs(t, err, trader.ErrWalletsOff)
		_, err = g.traders.NewWalletLink(t.Context(), g.Principal, choice(w), g.proof(trader.LinkWallet))
		require.ErrorIs(t, err, trader.ErrWalletsOff)
		require.ErrorIs(t, g.traders.LinkWallet(t.Context(), g.Principal, text.ID, "", origin), trader.ErrWalletsOff)
		_, err = g.traders.RegisterByWallet(t.Context(), trader.WalletRegistration{WalletProof: proof, Enrolment: enrolment})
		require.ErrorIs(t, err, trader.ErrWalletsOff)
		require.NoError(t, g.traders.UnlinkWallet(t.Context(), g.Principal, g.proof(trader.UnlinkWallet), nil))
	})
}

func TestLinkWallet(t *testing.T) {
	t.Parallel()
	t.Run("It takes a proof and the wallet's signature, locks withdrawals and is told", func(t *testing.T) {
		t.Parallel()
		g, w := setup(t).allowWallets().guarded(anna), ethereumtest.New(t)
		_, err := g.traders.NewWalletLink(t.Context(), g.Principal, choice(w), trader.SecurityProof{Password: "a wrong password", Code: "123456", From: origin})
		require.ErrorIs(t, err, trader.ErrLoginPassword)
		_, err = g.traders.NewWalletLink(t.Context(), g.Principal, choice(w), g.proof(trader.UnlinkWallet))
		require.ErrorIs(t, err, session.ErrCode, "another act's code")
		g.link(w)
		require.Equal(t, trader.LockWalletChange, g.locked())
		until, _, err := g.traders.WithdrawalLock(t.Context(), g.TraderID)
		require.NoError(t, err)
		require.Equal(t, 24*time.Hour, until.Sub(g.clock.Now()))
		told := g.messages(anna)[0]
		require.Contains(t, told.Body, "message.wallet_linked.body")
		require.Contains(t, told.Body, w.Address().Short())
		require.Contains(t, g.acts(), "trader.link_wallet")
		seen, err := g.traders.Security(t.Context(), g.Principal)
		require.NoError(t, err)
		require.Equal(t, w.Address().String(), seen.Wallet)
		events, _, err := g.traders.SecurityEvents(t.Context(), g.Principal, 0, 10)
		require.NoError(t, err)
		require.Equal(t, "link_wallet", events[0].Kind)
	})
	t.Run("A second factor confirms it", func(t *testing.T) {
		t.Parallel()
		g, w := setup(t).allowWallets().guarded(anna), ethereumtest.New(t)
		g.authenticator()
		require.ErrorIs(t, g.traders.SendSecurityCode(t.Context(), g.Principal, trader.LinkWallet, ip), trader.ErrConfirm)
		_, err := g.traders.NewWalletLink(t.Context(), g.Principal, choice(w), g.confirmed(trader.LinkWallet))
		require.NoError(t, err)
	})
	t.Run("A text for a log-in links nothing, a text for a link logs nobody in, and another trader's counts for none", func(t *testing.T) {
		t.Parallel()
		b, w := setup(t).allowWallets(), ethereumtest.New(t)
		g, other := b.guarded(anna), b.guarded("carl@example.com")
		login := b.signed(w, device(1))
		require.ErrorIs(t, g.traders.LinkWallet(t.Context(), g.Principal, login.ID, login.Signature, origin), session.ErrWalletText)
		text, err := g.traders.NewWalletLink(t.Context(), g.Principal, choice(w), g.proof(trader.LinkWallet))
		require.NoError(t, err)
		require.ErrorIs(t, other.traders.LinkWallet(t.Context(), other.Principal, text.ID, w.Sign(text.Text), origin), session.ErrWalletText)
		_, err = b.walletLogin(trader.WalletProof{ID: text.ID, Signature: w.Sign(text.Text), Device: device(1)}, "")
		require.ErrorIs(t, err, session.ErrWalletText)
		require.ErrorIs(t, g.traders.LinkWallet(t.Context(), g.Principal, text.ID, ethereumtest.New(t).Sign(text.Text), origin), session.ErrWalletSignature)
		require.NoError(t, g.traders.LinkWallet(t.Context(), g.Principal, text.ID, w.Sign(text.Text), origin))
		require.ErrorIs(t, g.traders.LinkWallet(t.Context(), g.Principal, text.ID, w.Sign(text.Text), origin), session.ErrWalletText, "once")
	})
	t.Run("A wallet belongs to one account, and an account has one wallet", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		other := g.bundle.guarded("carl@example.com")
		text, err := other.traders.NewWalletLink(t.Context(), other.Principal, choice(w), other.proof(trader.LinkWallet))
		require.NoError(t, err, "asking does not tell")
		require.ErrorIs(t, other.traders.LinkWallet(t.Context(), other.Principal, text.ID, w.Sign(text.Text), origin), trader.ErrWalletTaken)
		_, err = g.traders.NewWalletLink(t.Context(), g.Principal, choice(ethereumtest.New(t)), g.proof(trader.LinkWallet))
		require.ErrorIs(t, err, trader.ErrWalletSet)
	})
	t.Run("An unlinked wallet logs in no more", func(t *testing.T) {
		t.Parallel()
		g, w := linked(t)
		proof := g.signed(w, device(1))
		require.NoError(t, g.traders.UnlinkWallet(t.Context(), g.Principal, g.proof(trader.UnlinkWallet), nil))
		require.Contains(t, g.messages(anna)[0].Body, "message.wallet_unlinked.body")
		require.Contains(t, g.acts(), "trader.unlink_wallet")
		_, err := g.walletLogin(proof, "")
		require.ErrorIs(t, err, trader.ErrWalletUnknown)
		require.ErrorIs(t, g.traders.UnlinkWallet(t.Context(), g.Principal, g.proof(trader.UnlinkWallet), nil), trader.ErrNoWallet)
	})
	t.Run("A guest links nothing", func(t *testing.T) {
		t.Parallel()
		b, w := setup(t).allowWallets(), ethereumtest.New(t)
		p := b.principal(b.guest().Token)
		_, err := b.traders.NewWalletLink(t.Context(), p, choice(w), trader.SecurityProof{})
		require.ErrorIs(t, err, trader.ErrGuest)
		require.ErrorIs(t, b.traders.LinkWallet(t.Context(), p, "", "", origin), trader.ErrGuest)
		require.ErrorIs(t, b.traders.UnlinkWallet(t.Context(), p, trader.SecurityProof{}, nil), trader.ErrGuest)
	})
}

// walletTrader is a trader whose only way in is a wallet.
type walletTrader struct {
	*guarded
	wallet ethereumtest.Wallet
	box    *notice.Service
}

func (b *bundle) openByWallet(w ethereumtest.Wallet, e trader.Enrolment) (trader.Opened, error) {
	b.Helper()
	return b.traders.RegisterByWallet(b.Context(), trader.WalletRegistration{WalletProof: b.signed(w, device(1)), Enrolment: e})
}

func byWallet(t *testing.T) walletTrader {
	t.Helper()
	b, w := setup(t).allowWallets(), ethereumtest.New(t)
	messenger, box := b.messenger()
	b.config.Messenger = messenger
	b.traders = trader.New(b.config)
	opened, err := b.openByWallet(w, enrolment)
	require.NoError(t, err)
	return walletTrader{&guarded{bundle: b, Principal: b.principal(opened.Token)}, w, box}
}

// confirms is the wallet's confirmation of a first contact or, without a contact, of its removal.
func (w walletTrader) confirms(contact string) *trader.SignedText {
	w.Helper()
	text, err := w.traders.NewWalletConfirmation(w.Context(), w.Principal, ethereumChain, contact)
	require.NoError(w, err)
	return &trader.SignedText{ID: text.ID, Signature: w.wallet.Sign(text.Text)}
}

// firstContact binds the first contact, and logs in with it.
func (w *walletTrader) firstContact(contact string) {
	w.Helper()
	require.NoError(w, w.traders.SendContactCode(w.Context(), w.Principal, contact, ip))
	change := trader.ContactChange{Contact: contact, Code: w.lastCode(contact), Proof: trader.SecurityProof{Password: password, From: origin}, Wallet: w.confirms(contact)}
	require.NoError(w, w.traders.ChangeContact(w.Context(), w.Principal, change))
	w.account = contact
}

func TestRegisterByWallet(t *testing.T) {
	t.Parallel()
	t.Run("It opens a real account without a contact, which the wallet logs in to", func(t *testing.T) {
		t.Parallel()
		w := byWallet(t)
		require.True(t, w.Contactless)
		found, account, err := w.traders.Find(t.Context(), w.Principal)
		require.NoError(t, err)
		require.Equal(t, ledger.Real, account.Book)
		require.Equal(t, w.wallet.Address().Short(), found.MaskedName())
		require.Empty(t, found.PasswordHash)
		require.NotEmpty(t, found.InviteCode)
		require.Contains(t, w.acts(), "trader.register")
		opened, err := w.walletLogin(w.signed(w.wallet, device(2)), "")
		require.NoError(t, err)
		require.Equal(t, w.TraderID, opened.Trader.ID)
		require.EqualValues(t, 1, w.count(`SELECT count(*) FROM user_messages WHERE trader_id = $1 AND key = 'message.new_device' AND in_app`, w.TraderID), "told in the app")
		require.Zero(t, w.count(`SELECT count(*) FROM outbox`))
	})
	t.Run("It takes the agreements, a country and a real invitation, and once", func(t *testing.T) {
		t.Parallel()
		b := setup(t).allowWallets()
		w, inviter := ethereumtest.New(t), b.register(anna)
		with := func(change func(e *trader.Enrolment)) error {
			e := enrolment
			change(&e)
			_, err := b.traders.RegisterByWallet(t.Context(), trader.WalletRegistration{WalletProof: b.signed(w, device(2)), Enrolment: e})
			return err
		}
		requireField(t, "accepted", "field.accepted", with(func(e *trader.Enrolment) { e.Accepted = false }))
		requireField(t, "country", "field.choice", with(func(e *trader.Enrolment) { e.Country = "ZZ" }))
		requireField(t, "invitationCode", "field.unknown", with(func(e *trader.Enrolment) { e.Invitation = "NOBODY" }))
		require.NoError(t, with(func(e *trader.Enrolment) { e.Invitation = inviter.Trader.InviteCode }))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM traders WHERE invited_by = $1 AND wallet = $2`, inviter.Trader.ID, w.Address().Lower()))
		require.ErrorIs(t, with(func(*trader.Enrolment) {}), trader.ErrWalletTaken)
	})
	t.Run("Each try of an invitation costs a signature", func(t *testing.T) {
		t.Parallel()
		b := setup(t).allowWallets()
		w, inviter := ethereumtest.New(t), b.register(anna).Trader
		register := func(proof trader.WalletProof, invitation string) error {
			e := enrolment
			e.Invitation = invitation
			_, err := b.traders.RegisterByWallet(t.Context(), trader.WalletRegistration{WalletProof: proof, Enrolment: e})
			return err
		}
		proof := b.signed(w, device(2))
		requireField(t, "invitationCode", "field.unknown", register(proof, "NOBODY"))
		require.ErrorIs(t, register(proof, inviter.InviteCode), session.ErrWalletText)
		require.NoError(t, register(b.signed(w, device(2)), inviter.InviteCode))
	})
	t.Run("A closed account invites nobody", func(t *testing.T) {
		t.Parallel()
		b := setup(t).allowWallets()
		closed := b.register(anna).Trader
		b.exec(`UPDATE traders SET closes_at = now(), closed_at = now(), email = NULL, password_hash = NULL WHERE id = $1`, closed.ID)
		e := enrolment
		e.Invitation = closed.InviteCode
		_, err := b.traders.RegisterByWallet(t.Context(), trader.WalletRegistration{WalletProof: b.signed(ethereumtest.New(t), device(2)), Enrolment: e})
		requireField(t, "invitationCode", "field.unknown", err)
	})
	t.Run("A log-in that finds no account leaves the text, an accepted request uses it up", func(t *testing.T) {
		t.Parallel()
		b := setup(t).allowWallets()
		w := ethereumtest.New(t)
		proof := b.signed(w, device(1))
		_, err := b.walletLogin(proof, "")
		require.ErrorIs(t, err, trader.ErrWalletUnknown)
		_, err = b.traders.RegisterByWallet(t.Context(), trader.WalletRegistration{WalletProof: proof, Enrolment: enrolment})
		require.NoError(t, err)
		_, err = b.traders.RegisterByWallet(t.Context(), trader.WalletRegistration{WalletProof: proof, Enrolment: enrolment})
		require.ErrorIs(t, err, session.ErrWalletText)
		_, err = b.walletLogin(proof, "")
		require.ErrorIs(t, err, session.ErrWalletText)
	})
	t.Run("Before a contact is bound, nothing that guards money works", func(t *testing.T) {
		t.Parallel()
		w := byWallet(t)
		proof := trader.SecurityProof{Password: password, Code: "123456", From: origin}
		for name, err := range map[string]error{
			"unlink the only way in": w.traders.UnlinkWallet(t.Context(), w.Principal, proof, nil), "security code": w.traders.SendSecurityCode(t.Context(), w.Principal, trader.AddPasskey, ip),
			"payment password code": w.traders.SendPaymentPasswordCode(t.Context(), w.Principal, ip),
			"money code":            w.traders.SendMoneyOutCode(t.Context(), w.Principal, trader.MoneyOut{Act: trader.OnlySaved}, nil, ip),
			"money out":             w.traders.Prove(t.Context(), w.TraderID, trader.Proof{PaymentPassword: "314159", Code: "123456"}),
			"payment password":      w.traders.SetPaymentPassword(t.Context(), w.Principal, trader.PaymentPasswordChange{LoginPassword: password, New: "314159", Code: "123456"}),
			"freeze":                w.traders.Freeze(t.Context(), w.Principal, "123456", origin), "phrase": w.traders.SetPhrase(t.Context(), w.Principal, "hello there", password, origin),
			"device": w.traders.RemoveDevice(t.Context(), w.Principal, 0, trader.SecurityProof{Password: password, From: origin}),
		} {
			require.ErrorIs(t, err, trader.ErrContactFirst, name)
		}
		require.ErrorIs(t, w.traders.SendPasswordReset(t.Context(), w.hire("Rita Reviewer"), w.TraderID, "The trader called."), trader.ErrNoResetPlace)
		_, err := w.db.Pool.Exec(t.Context(), `UPDATE traders SET wallet = NULL WHERE id = $1`, w.TraderID)
		require.ErrorContains(t, err, "traders_registered")
	})
	t.Run("The wallet confirms the first contact, which brings a password; the second needs a proof", func(t *testing.T) {
		t.Parallel()
		w := byWallet(t)
		require.NoError(t, w.traders.SendContactCode(t.Context(), w.Principal, anna, ip))
		signed := w.confirms(anna)
		change := func(secret, code string) error {
			return w.traders.ChangeContact(t.Context(), w.Principal, trader.ContactChange{Contact: anna, Code: code, Proof: trader.SecurityProof{Password: secret, From: origin}, Wallet: signed})
		}
		requireField(t, "password", "field.password_short", change("short", w.lastCode(anna)))
		require.ErrorIs(t, change(password, "123456"), session.ErrCode)
		require.NoError(t, change(password, w.lastCode(anna)))
		require.Equal(t, trader.LockContactChange, w.locked())
		require.Contains(t, w.messages(anna)[0].Body, "message.contact_changed.body")
		opened, err := w.login(anna, password, "", device(1))
		require.NoError(t, err)
		w.Principal = w.principal(opened.Token)
		require.False(t, w.Contactless)
		require.Equal(t, trader.Mask(anna), opened.Trader.MaskedName(), "the name follows")
		require.ErrorIs(t, w.traders.ChangeContact(t.Context(), w.Principal, trader.ContactChange{Contact: bert, Code: "123456", Proof: trader.SecurityProof{Password: "another long password", From: origin}}), trader.ErrLoginPassword)
	})
	t.Run("Neither a session nor another text of the wallet sets the first contact", func(t *testing.T) {
		t.Parallel()
		w := byWallet(t)
		require.NoError(t, w.traders.SendContactCode(t.Context(), w.Principal, anna, ip))
		code := w.lastCode(anna)
		change := func(signed *trader.SignedText) error {
			return w.traders.ChangeContact(t.Context(), w.Principal, trader.ContactChange{Contact: anna, Code: code, Proof: trader.SecurityProof{Password: password, From: origin}, Wallet: signed})
		}
		require.ErrorIs(t, change(nil), trader.ErrWalletConfirm)
		login := w.signed(w.wallet, device(2))
		require.ErrorIs(t, change(&trader.SignedText{ID: login.ID, Signature: login.Signature}), session.ErrWalletText, "for a log-in")
		require.ErrorIs(t, change(w.confirms("")), session.ErrWalletText, "to unlink")
		require.ErrorIs(t, change(w.confirms("thief@elsewhere.example")), session.ErrWalletText, "for another contact")
		text, err := w.traders.NewWalletConfirmation(t.Context(), w.Principal, ethereumChain, anna)
		require.NoError(t, err)
		require.Contains(t, text.Text, anna)
		require.ErrorIs(t, change(&trader.SignedText{ID: text.ID, Signature: ethereumtest.New(t).Sign(text.Text)}), session.ErrWalletSignature, "by another wallet")
		old := w.confirms(anna)
		w.clock.Advance(session.WalletTextLife)
		require.ErrorIs(t, change(old), session.ErrWalletText, "too old")
		require.NoError(t, change(w.confirms(anna)))
		_, err = w.traders.NewWalletConfirmation(t.Context(), w.bundle.guarded("carl@example.com").Principal, ethereumChain, "")
		require.ErrorIs(t, err, trader.ErrNoWallet)
	})
	t.Run("For three days after a changed contact only the wallet itself unlinks it", func(t *testing.T) {
		t.Parallel()
		bound := func() walletTrader {
			w := byWallet(t)
			w.firstContact(anna)
			return w
		}
		unlink := func(w walletTrader, signed *trader.SignedText) error {
			return w.traders.UnlinkWallet(t.Context(), w.Principal, w.proof(trader.UnlinkWallet), signed)
		}
		w := bound()
		require.ErrorIs(t, unlink(w, nil), trader.ErrWalletConfirm)
		require.ErrorIs(t, unlink(w, w.confirms(bert)), session.ErrWalletText)
		require.NoError(t, unlink(w, w.confirms("")))
		w = bound()
		w.clock.Advance(73 * time.Hour)
		require.NoError(t, unlink(w, nil))
	})
	t.Run("Whoever lost the wallet unlinks it after support has let them in", func(t *testing.T) {
		t.Parallel()
		w := byWallet(t)
		w.exec(`INSERT INTO granted_contacts (trader_id, contact, asked_at, expires_at) SELECT max(id), 'found@example.com', now(), $1 FROM traders`, w.clock.Now().Add(time.Hour))
		w.account = "found@example.com"
		code := w.forgottenCode(w.account)
		require.NoError(t, w.traders.ReplaceForgottenPassword(t.Context(), trader.ForgottenPassword{Account: w.account, New: password, Code: code, From: origin}))
		w.clock.Advance(time.Minute)
		opened, err := w.login(w.account, password, "", device(1))
		require.NoError(t, err)
		w.Principal = w.principal(opened.Token)
		require.NoError(t, w.traders.UnlinkWallet(t.Context(), w.Principal, w.proof(trader.UnlinkWallet), nil))
	})
	t.Run("Switched off, wallets still confirm", func(t *testing.T) {
		t.Parallel()
		w := byWallet(t)
		w.exec(`UPDATE switches SET value = 'false'`)
		require.NoError(t, w.switches.Reload(t.Context()))
		w.firstContact(anna)
		require.NoError(t, w.traders.UnlinkWallet(t.Context(), w.Principal, w.proof(trader.UnlinkWallet), w.confirms("")))
	})
	t.Run("Of two first contacts at once one is bound", func(t *testing.T) {
		t.Parallel()
		w := byWallet(t)
		results := make(chan error)
		for _, contact := range []string{anna, bert} {
			require.NoError(t, w.traders.SendContactCode(t.Context(), w.Principal, contact, ip))
			change := trader.ContactChange{Contact: contact, Code: w.lastCode(contact), Proof: trader.SecurityProof{Password: "the password of " + contact, From: origin}, Wallet: w.confirms(contact)}
			go func() { results <- w.traders.ChangeContact(t.Context(), w.Principal, change) }()
		}
		first, second := <-results, <-results
		require.True(t, (first == nil) != (second == nil), "%v, %v", first, second)
		require.EqualValues(t, 1, w.count(`SELECT num_nonnulls(email, phone) FROM traders WHERE id = $1`, w.TraderID))
	})
}

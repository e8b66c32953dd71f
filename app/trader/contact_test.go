package trader_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
)

func (g *guarded) change(contact, contactCode string, proof trader.SecurityProof) error {
	return g.traders.ChangeContact(g.Context(), g.Principal, trader.ContactChange{Contact: contact, Code: contactCode, Proof: proof})
}

// contactCode sends a code to a new contact and returns it.
func (g *guarded) contactCode(contact string) string {
	g.Helper()
	require.NoError(g, g.traders.SendContactCode(g.Context(), g.Principal, contact, ip))
	return g.lastCode(contact)
}

func TestChangeContact(t *testing.T) {
	t.Parallel()
	const next = "anna@new.example"
	t.Run("Both contacts are proven and told, and withdrawals are locked for three days", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		proof, code := g.proof(trader.ChangeContact), g.contactCode(next)
		require.NoError(t, g.change(next, code, proof))
		until, reason, err := g.traders.WithdrawalLock(t.Context(), g.TraderID)
		require.NoError(t, err)
		require.Equal(t, trader.LockContactChange, reason)
		require.Equal(t, g.clock.Now().Add(72*time.Hour), until.UTC())
		for _, to := range []string{anna, next} {
			require.Contains(t, g.messages(to)[0].Body, "message.contact_changed.body")
			require.NotContains(t, g.messages(to)[0].Body, next, "the new one is masked")
		}
		_, err = g.login(anna, password, "", device(1))
		require.ErrorIs(t, err, trader.ErrCredentials)
		opened, err := g.login(next, password, "", device(1))
		require.NoError(t, err)
		require.Equal(t, next, opened.Trader.Name)
		require.ErrorIs(t, g.change("third@new.example", code, proof), session.ErrCode)
	})
	t.Run("A telephone is bound beside the e-mail address, which codes still go to", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		require.NoError(t, g.change(bert, g.contactCode(bert), g.proof(trader.ChangeContact)))
		_, err := g.login(bert, password, "", device(1))
		require.NoError(t, err)
		g.proof(trader.ChangePassword)
		require.Contains(t, g.messages(anna)[0].Body, "change_password")
	})
	t.Run("Neither a session, a password nor a mailbox is enough", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		code := g.contactCode(next)
		proof := g.proof(trader.ChangeContact)
		without := func(change func(p *trader.SecurityProof)) trader.SecurityProof {
			p := proof
			change(&p)
			return p
		}
		require.ErrorIs(t, g.change(next, code, without(func(p *trader.SecurityProof) { p.Password = "" })), trader.ErrLoginPassword)
		require.Equal(t, session.ErrCode, errs.As(g.change(next, code, without(func(p *trader.SecurityProof) { p.Code = "000000" }))), "the code of the proof")
		require.Equal(t, trader.ErrContactCode, errs.As(g.change(next, "000000", proof)), "the code of the new contact")
		require.Equal(t, trader.ErrContactCode, errs.As(g.change("other@new.example", code, proof)), "the code is the contact's")
		require.NoError(t, g.change(next, code, proof))
	})
	t.Run("Another trader's contact is not revealed, and not taken", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		g := b.guarded(anna)
		b.register("carl@example.com")
		require.NoError(t, g.traders.SendContactCode(t.Context(), g.Principal, "carl@example.com", ip), "the same response")
		require.Contains(t, g.messages("carl@example.com")[0].Body, "message.contact_known.body")
		code := g.contactCode(next)
		b.exec(`UPDATE traders SET email = $1 WHERE email = 'carl@example.com'`, next) // meanwhile
		require.ErrorIs(t, g.change(next, code, g.proof(trader.ChangeContact)), trader.ErrContact)
		requireField(t, "account", "field.contact_same", g.traders.SendContactCode(t.Context(), g.Principal, anna, ip))
		requireField(t, "account", "field.account", g.traders.SendContactCode(t.Context(), g.Principal, "anna", ip))
	})
	t.Run("A code for one trader proves the contact for nobody else, who neither voids it nor uses up its tries", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		g, thief := b.guarded(anna), b.guarded("carl@example.com")
		proof, stolen := g.proof(trader.ChangeContact), thief.proof(trader.ChangeContact)
		code := g.contactCode(next)
		for range 4 {
			require.ErrorIs(t, thief.change(next, code, stolen), trader.ErrContactCode, "without a code of their own")
		}
		thief.contactCode(next)
		require.ErrorIs(t, thief.change(next, code, stolen), trader.ErrContactCode, "with one")
		require.NoError(t, g.change(next, code, proof))
	})
}

func TestContactCodesAreLimited(t *testing.T) {
	t.Parallel()
	const victim = "victim@elsewhere.example"
	send := func(g *guarded, contact string) error {
		return g.traders.SendContactCode(g.Context(), g.Principal, contact, ip)
	}
	t.Run("A trader has five an hour and ten a day, whatever the contacts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		g, other := b.guarded(anna), b.guarded("carl@example.com")
		stranger := func(n int) string {
			if n%2 == 0 {
				return fmt.Sprintf("victim%d@elsewhere.example", n)
			}
			return fmt.Sprintf("+41791234%03d", n)
		}
		for n := range 5 {
			require.NoError(t, send(g, stranger(n)))
			if n < 4 {
				require.ErrorIs(t, send(g, stranger(n)), session.ErrCodeSoon, "a refused request doesn't count")
			}
		}
		require.ErrorIs(t, send(g, stranger(5)), session.ErrThrottle)
		require.Empty(t, g.messages(stranger(5)))
		require.NoError(t, send(other, stranger(5)), "another trader's count is their own")
		g.clock.Advance(61 * time.Minute)
		for n := range 5 {
			require.NoError(t, send(g, stranger(10+n)))
		}
		g.clock.Advance(61 * time.Minute)
		require.ErrorIs(t, send(g, stranger(20)), session.ErrCodeCap)
		g.clock.Advance(24 * time.Hour)
		require.NoError(t, send(g, stranger(20)))
	})
	t.Run("All traders share a contact's ten a day, but for the first of each", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		g, strangers := b.guarded(anna), []*guarded{b.guarded("carl@example.com"), b.guarded("dora@example.com"), b.guarded("emil@example.com")}
		for n := range 10 {
			require.NoError(t, send(strangers[n%2], victim))
			g.clock.Advance(13 * time.Minute)
		}
		require.ErrorIs(t, send(strangers[0], victim), session.ErrCodeCap)
		proof, code := g.proof(trader.ChangeContact), g.contactCode(victim)
		require.ErrorIs(t, send(g, victim), session.ErrCodeCap, "their second one")
		require.NoError(t, send(strangers[2], victim), "another's first one")
		require.NoError(t, g.change(victim, code, proof))
	})
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	const next = "another long password"
	change := func(g *guarded, to string, keep bool, proof trader.SecurityProof) error {
		return g.traders.ChangePassword(g.Context(), g.Principal, trader.PasswordChange{New: to, KeepOthers: keep, SecurityProof: proof})
	}
	t.Run("It ends the other sessions unless told otherwise, and locks withdrawals for a day", func(t *testing.T) {
		t.Parallel()
		for _, keep := range []bool{false, true} {
			g := setup(t).guarded(anna)
			other, err := g.login(anna, password, "", device(1))
			require.NoError(t, err)
			require.NoError(t, change(g, next, keep, g.proof(trader.ChangePassword)))
			require.Equal(t, trader.LockPasswordChange, g.locked())
			require.Contains(t, g.messages(anna)[0].Body, "message.password_changed.body")
			if keep {
				g.principal(other.Token)
			} else {
				g.requireDead(other.Token)
			}
			g.devices(20)
			_, err = g.login(anna, password, "", device(1))
			require.ErrorIs(t, err, trader.ErrCredentials)
			_, err = g.login(anna, next, "", device(1))
			require.NoError(t, err)
		}
	})
	t.Run("It needs the current one, a code for this, and a good new one", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		proof := g.proof(trader.ChangePassword)
		wrong := proof
		wrong.Password = next
		require.ErrorIs(t, change(g, "a third long password", false, wrong), trader.ErrLoginPassword)
		requireField(t, "newPassword", "field.password_same", change(g, password, false, proof))
		requireField(t, "newPassword", "field.password_short", change(g, "short", false, proof))
		requireField(t, "newPassword", "field.password_common", change(g, "password1", false, proof))
		require.ErrorIs(t, change(g, next, false, g.proof(trader.ChangeContact)), session.ErrCode)
		require.NoError(t, change(g, next, false, g.proof(trader.ChangePassword)))
	})
}

// devices lists the trader's devices page by page.
func (g *guarded) devices(size int) (all []session.Seen) {
	g.Helper()
	for after := int64(0); ; {
		list, next, err := g.traders.Devices(g.Context(), g.Principal, after, size)
		require.NoError(g, err)
		require.LessOrEqual(g, len(list), size)
		all = append(all, list...)
		if after = next; next == 0 {
			return all
		}
	}
}

// another logs in from another device, with the factor where there is one, and returns the token.
func (g *guarded) another(n int) string {
	g.Helper()
	g.clock.Advance(2 * time.Minute)
	c := trader.Credentials{Account: g.account, Password: password, Device: device(n)}
	if g.secret != "" {
		c.Factor = g.totp()
	} else {
		require.NoError(g, g.traders.SendLoginCode(g.Context(), c))
		c.Code = g.lastCode(g.account)
	}
	opened, err := g.traders.Login(g.Context(), c)
	require.NoError(g, err)
	return opened.Token
}

// event is the newest security event of a kind.
func (g *guarded) event(kind string) trader.SecurityEvent {
	g.Helper()
	list, _, err := g.traders.SecurityEvents(g.Context(), g.Principal, 0, 100)
	require.NoError(g, err)
	at := slices.IndexFunc(list, func(e trader.SecurityEvent) bool { return e.Kind == kind })
	require.GreaterOrEqual(g, at, 0, "no event %s", kind)
	return list[at]
}

func TestDevices(t *testing.T) {
	t.Parallel()
	t.Run("A removed device is signed out and new at its next log-in", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		g, stranger := b.guarded(anna), b.guarded("carl@example.com")
		require.NoError(t, g.traders.SendLoginCode(t.Context(), trader.Credentials{Account: anna, Password: password, Device: device(2)}))
		other, err := g.login(anna, password, g.lastCode(anna), device(2))
		require.NoError(t, err)
		require.Len(t, g.devices(20), 2)
		id := g.principal(other.Token).DeviceID
		remove := func(p session.Principal, id int64, secret string) error {
			return g.traders.RemoveDevice(t.Context(), p, id, trader.SecurityProof{Password: secret, From: origin})
		}
		require.ErrorIs(t, remove(g.Principal, id, "a wrong password"), trader.ErrLoginPassword)
		require.ErrorIs(t, remove(stranger.Principal, id, password), trader.ErrDevice)
		require.ErrorIs(t, remove(g.Principal, g.DeviceID, password), trader.ErrDevice, "the one in use")
		require.NoError(t, remove(g.Principal, id, password))
		g.requireDead(other.Token)
		require.ErrorIs(t, remove(g.Principal, id, password), trader.ErrDevice)
		_, err = g.login(anna, password, "", device(2))
		require.ErrorIs(t, err, trader.ErrCodeRequired)
		require.Len(t, g.devices(20), 1)
		require.Equal(t, "Unknown device", g.event("remove_device").About)
	})
	t.Run("A second factor signs out in place of the password, once, and a code without a factor", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		token := g.another(2)
		remove := func(code string) error {
			return g.traders.RemoveDevice(t.Context(), g.Principal, g.principal(token).DeviceID, trader.SecurityProof{Code: code, From: origin})
		}
		require.ErrorIs(t, remove(g.proof(trader.ChangeContact).Code), session.ErrCode, "a code for another act")
		require.NoError(t, remove(g.proof(trader.RemoveDevices).Code))
		g.requireDead(token)

		g.authenticator()
		token = g.another(3)
		require.ErrorIs(t, remove("123456"), trader.ErrConfirm)
		require.ErrorIs(t, remove(g.confirm(trader.ChangeContact.Act())), session.ErrCode, "a confirmation of another act")
		confirmation := g.confirm(trader.RemoveDevices.Act())
		require.NoError(t, remove(confirmation))
		g.requireDead(token)
		token = g.another(4)
		require.ErrorIs(t, remove(confirmation), session.ErrCode, "used up")
		g.principal(token)
	})
	t.Run("The list goes on until its last page", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		g, stranger := b.guarded(anna), b.guarded("carl@example.com")
		g.exec(`INSERT INTO devices (trader_id, fingerprint, name, first_seen_at, last_seen_at, last_ip, removed_at)
			SELECT $1, n::text::bytea, 'Device ' || n, $2, $2, '', CASE WHEN n > 120 THEN $2::timestamptz END FROM generate_series(1, 150) n`, g.TraderID, start.Add(-time.Hour))
		for _, size := range []int{7, 50, 121, 200} {
			names := map[string]bool{}
			for _, d := range g.devices(size) {
				names[d.Name] = true
			}
			require.Len(t, names, 121, "the own one and those that are not removed, none twice")
		}
		require.Len(t, stranger.devices(20), 1)
		list, next, err := g.traders.Devices(t.Context(), stranger.Principal, g.DeviceID, 20)
		require.NoError(t, err)
		require.Zero(t, next)
		require.Empty(t, list, "another trader's device is no beginning")
	})
	t.Run("All others go at once", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		others := []string{g.another(2), g.another(3), g.another(4)}
		require.NoError(t, g.traders.RemoveDevice(t.Context(), g.Principal, 0, trader.SecurityProof{Password: password, From: origin}))
		for _, token := range others {
			g.requireDead(token)
		}
		list := g.devices(20)
		require.Len(t, list, 1)
		require.Equal(t, g.DeviceID, list[0].ID)
	})
	t.Run("A session that moves to another network and browser ends, and its owner is told", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
		for _, usual := range []session.Device{{IP: ip}, {IP: otherIP}, {IP: ip, UserAgent: chrome}} {
			_, err := b.sessions.Check(t.Context(), opened.Token, usual)
			require.NoError(t, err)
		}
		_, err := b.sessions.Check(t.Context(), opened.Token, session.Device{IP: otherIP, UserAgent: chrome})
		require.ErrorIs(t, err, session.ErrToken)
		b.requireDead(opened.Token)
		require.Contains(t, b.messages(anna)[0].Body, "message.session_moved.body")
		require.Contains(t, b.acts(), "trader.end_moved_session")
	})
}

func TestPhrase(t *testing.T) {
	t.Parallel()
	g := setup(t).guarded(anna)
	set := func(phrase, secret string) error {
		return g.traders.SetPhrase(t.Context(), g.Principal, phrase, secret, origin)
	}
	require.ErrorIs(t, set("blue heron", "a wrong password"), trader.ErrLoginPassword)
	requireField(t, "phrase", "field.phrase", set("abc", password))
	require.NoError(t, set("  blue \n heron ", password))
	require.NoError(t, g.traders.SendForgottenPasswordCode(t.Context(), anna, g.solved(), ip))
	for _, m := range g.messages(anna)[:2] {
		require.Contains(t, m.Body, "phrase:blue heron")
		require.NotContains(t, m.Subject, "heron")
	}
	require.NoError(t, set("", password))
	require.NotContains(t, g.messages(anna)[0].Body, "heron")
}

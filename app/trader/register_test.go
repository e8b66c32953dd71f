package trader_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/mail"
	"candor/app/platform/passwords"
	"candor/app/session"
	"candor/app/trader"
)

func TestSendRegisterCode(t *testing.T) {
	t.Parallel()

	t.Run("ANewAddressGetsACode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for account, want := range map[string]mail.Message{
			" Anna@Example.COM ": {Channel: mail.Mail, Recipient: anna},
			"+49 151 2345 6789 ": {Channel: mail.SMS, Recipient: bert},
		} {
			require.NoError(t, b.sendRegisterCode(account, ip))
			sent := b.messages(want.Recipient)
			require.Len(t, sent, 1)
			require.Equal(t, want.Channel, sent[0].Channel)
			require.Regexp(t, `^de message.register_code.body map\[code:\d{6}\]$`, sent[0].Body)
		}
	})
	t.Run("AKnownAddressGetsANoticeAndTheCallerTheSameAnswer", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		b.clock.Advance(session.ResendAfter)
		for range 2 {
			known, unknown := b.sendRegisterCode(anna, ip), b.sendRegisterCode("new@example.com", otherIP)
			require.Equal(t, unknown, known)
		}
		sent := b.messages(anna)
		require.Len(t, sent, 2)
		require.Contains(t, sent[0].Body, "message.register_known")
		require.NotRegexp(t, `\d{6}`, sent[0].Body)
	})
	t.Run("WhatIsNoAddressIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, account := range []string{
			"", " ", "anna", "anna@", "@example.com", "anna@example", "Anna <anna@example.com>", "anna@example.com\r\nBcc: x@example.com",
			"anna@example.com,bert@example.com", `"anna b"@example.com`, "anna b@example.com", "anna@exam\x00ple.com", "an\xffna@example.com",
			strings.Repeat("a", 250) + "@example.com", "\u202eanna@example.com", "an\u200bna@example.com", "anna@exa\u00admple.com", "an\u00a0na@example.com", "an\u3164na@example.com", "an\u2800na@example.com", "an\u034fna@example.com",
		} {
			requireField(t, "account", "field.account", b.sendRegisterCode(account, ip))
		}
		for _, account := range []string{"+", "+49", "+1 555", "+4915123456789012345", "+49151234567a9\x00"} {
			requireField(t, "account", "field.phone", b.sendRegisterCode(account, ip))
		}
		require.Zero(t, b.count(`SELECT count(*) FROM outbox`))
	})
	t.Run("NoTextGoesToANumberThatCostsMoreOrEarns", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for name, number := range map[string]string{
			"premium rate": "+41 900 123 456", "premium rate of the United States": "+1 900 234 5678", "shared cost": "+44 843 123 4567", "free of charge": "+1 800 234 5678",
			"satellite": "+8816 1234 5678", "a land line": "+49 30 123456",
		} {
			require.NotNil(t, errs.As(b.sendRegisterCode(number, ip)), name)
			requireField(t, "account", "field.phone", b.sendRegisterCode(number, ip))
		}
		require.Zero(t, b.count(`SELECT count(*) FROM outbox`))
	})
	t.Run("ASourceAndACountryGetFewTexts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		number := func(n int) string { return fmt.Sprintf("+49151234%05d", n) }
		for n := range 10 {
			require.NoError(t, b.sendRegisterCode(number(n), ip))
		}
		require.ErrorIs(t, b.sendRegisterCode(number(10), ip), session.ErrThrottle)
		require.NoError(t, b.sendRegisterCode(anna, ip), "mail costs nothing")
		for n := 10; n < 200; n++ {
			require.NoError(t, b.sendRegisterCode(number(n), fmt.Sprintf("203.0.113.%d", n)))
		}
		require.ErrorIs(t, b.sendRegisterCode(number(200), otherIP), session.ErrThrottle)
		require.NoError(t, b.sendRegisterCode("+41791870318", otherIP), "another country")
		require.EqualValues(t, 201, b.count(`SELECT count(*) FROM outbox WHERE channel = 'sms'`))
		b.clock.Advance(time.Hour + time.Second)
		require.NoError(t, b.sendRegisterCode(number(200), otherIP))
		require.ErrorIs(t, b.sendRegisterCode(number(201), ip), session.ErrThrottle, "a source waits for a day")
	})
	t.Run("WithoutAMessageThereIsNoCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.registerCode(anna)
		solution := b.solved()
		require.ErrorIs(t, b.traders.SendRegisterCode(t.Context(), anna, "de", solution, ip), session.ErrCodeSoon)
		require.ErrorIs(t, b.traders.SendRegisterCode(t.Context(), bert, "de", solution, ip), session.ErrVerifyWrong, "a refused request has used its solution up")
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM codes`))
		require.Len(t, b.messages(anna), 1)
	})
}

func TestRegister(t *testing.T) {
	t.Parallel()

	for name, account := range map[string]string{"ByMail": anna, "ByPhone": bert} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			opened := b.register(account)
			require.Equal(t, account, opened.Trader.Name)
			require.Equal(t, []int{trader.Ordinary, trader.AuthNone, 0}, []int{opened.Trader.Type, opened.Trader.AuthStatus, opened.Trader.Level})
			require.Equal(t, account == anna, opened.Trader.Email != nil)
			require.Equal(t, account == bert, opened.Trader.Phone != nil)
			require.Equal(t, []any{ledger.Real, trader.Ordinary, int64(0)}, []any{opened.Account.Book, opened.Account.Type, opened.Account.Worth()})
			p := b.principal(opened.Token)
			require.Equal(t, []int64{opened.Trader.ID, opened.Account.ID}, []int64{p.TraderID, p.AccountID})
			read, own, err := b.traders.Find(t.Context(), p)
			require.NoError(t, err)
			require.Equal(t, opened.Trader.ID, read.ID)
			require.Equal(t, opened.Account.ID, own.ID)
			require.Equal(t, []string{"trader.register"}, b.acts())
			_, err = b.login(account, password, "", device(1))
			require.NoError(t, err, "the device of the registration is known")
		})
	}
	t.Run("APasswordIsKeptAsArgon2id", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.hashWith(passwords.InProcess{})
		b.register(anna)
		var hash string
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT password_hash FROM traders`).Scan(&hash))
		require.Regexp(t, `^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`, hash)
	})
	t.Run("AWrongCodeIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.registerCode(anna)
		other := b.registerCode("other@example.com")
		for _, wrong := range []string{"", "12345", "x", code + "0"} {
			_, err := b.traders.Register(t.Context(), registration(anna, wrong))
			require.ErrorIs(t, err, session.ErrCode)
		}
		if code != other {
			_, err := b.traders.Register(t.Context(), registration("other@example.com", code))
			require.ErrorIs(t, err, session.ErrCode)
		}
		_, err := b.traders.Register(t.Context(), registration("never@example.com", code))
		require.ErrorIs(t, err, session.ErrCode)
		require.Zero(t, b.count(`SELECT count(*) FROM traders`))
		_, err = b.traders.Register(t.Context(), registration(anna, code))
		require.NoError(t, err)
	})
	t.Run("ATakenAddressAnswersAWrongCodeLikeAFreeOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		b.clock.Advance(session.ResendAfter)
		require.NoError(t, b.sendRegisterCode(anna, ip))
		b.registerCode("free@example.com")
		for range 6 {
			_, taken := b.traders.Register(t.Context(), registration(anna, "xxxxxx"))
			_, free := b.traders.Register(t.Context(), registration("free@example.com", "xxxxxx"))
			require.ErrorIs(t, taken, session.ErrCode)
			require.Equal(t, free, taken)
		}
	})
	t.Run("ATakenAddressIsRefusedEvenWithARightCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		b.clock.Advance(session.ResendAfter)
		var code string
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
			code, err = b.sessions.IssueCodeTx(t.Context(), tx, session.RegisterCode.To(anna), session.Stranger(ip))
			return err
		}))
		r := registration("ANNA@example.com", code)
		r.Password = "another password of anna"
		_, err := b.traders.Register(t.Context(), r)
		require.ErrorIs(t, err, trader.ErrTaken)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM traders`))
		_, err = b.login(anna, r.Password, "", device(1))
		require.ErrorIs(t, err, trader.ErrCredentials)
	})
	t.Run("WeakPasswordsAreRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.registerCode(anna)
		for secret, reason := range map[string]string{
			"": "short", "1234567": "short", "ünïcödé": "short", "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8": "short", "password": "common", "PassWord1": "common",
			"candor123": "common", strings.Repeat("x", 129): "long",
		} {
			r := registration(anna, code)
			r.Password = secret
			_, err := b.traders.Register(t.Context(), r)
			requireField(t, "password", "field.password_"+reason, err)
		}
		r := registration(anna, code)
		r.Password = "8 signs!"
		_, err := b.traders.Register(t.Context(), r)
		require.NoError(t, err, "the refused ones have not used a try up")
	})
	t.Run("WhatIsMissingIsNamed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.registerCode(anna)
		for field, change := range map[string]func(*trader.Registration){
			"account field.account":   func(r *trader.Registration) { r.Account = "anna" },
			"accepted field.accepted": func(r *trader.Registration) { r.Accepted = false },
			"country field.choice":    func(r *trader.Registration) { r.Country = "XX" },
			"country  field.choice":   func(r *trader.Registration) { r.Country = "de" },
			"deviceId field.length":   func(r *trader.Registration) { r.Device.Fingerprint = strings.Repeat("f", 15) },
			"deviceId  field.length":  func(r *trader.Registration) { r.Device.Fingerprint = strings.Repeat("f", 65) },
			"deviceId   field.length": func(r *trader.Registration) { r.Device.Fingerprint = "" },
		} {
			r := registration(anna, code)
			change(&r)
			_, err := b.traders.Register(t.Context(), r)
			parts := strings.Fields(field)
			requireField(t, parts[0], parts[1], err)
		}
		_, err := b.traders.Register(t.Context(), registration(anna, code))
		require.NoError(t, err)
	})
	t.Run("AnInvitationNamesTheInviter", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		inviter := b.register(anna)
		r := registration("guest@example.com", b.registerCode("guest@example.com"))
		r.Device = device(2)
		for _, unknown := range []string{"NOBODY22", inviter.Trader.InviteCode + "A", "%", "a\x00b", "\xff"} {
			r.Invitation = unknown
			_, err := b.traders.Register(t.Context(), r)
			require.Equal(t, trader.ErrInvitation, err, "%q", unknown)
			b.exec(`UPDATE codes SET tries = 0`)
			b.exec(`UPDATE code_requests SET tries = 0`)
		}
		r.Invitation = " " + strings.ToLower(inviter.Trader.InviteCode) + " "
		r.Device = device(1)
		_, err := b.traders.Register(t.Context(), r)
		require.Equal(t, trader.ErrOwnInvitation, err, "from a device that the inviter has used")
		r.Device = device(2)
		guest, err := b.traders.Register(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, inviter.Trader.ID, *guest.Trader.InvitedBy)
		require.NotEqual(t, inviter.Trader.InviteCode, guest.Trader.InviteCode)
	})
	t.Run("ARefusalAfterTheCodeCountsTheTryAndKeepsTheCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		r := registration(anna, b.registerCode(anna))
		r.Invitation = "NOBODY22"
		for range 4 {
			_, err := b.traders.Register(t.Context(), r)
			require.ErrorIs(t, err, trader.ErrInvitation)
		}
		r.Invitation = ""
		_, err := b.traders.Register(t.Context(), r)
		require.NoError(t, err)
		require.EqualValues(t, 5, b.count(`SELECT tries FROM codes`))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM traders`))
	})
	t.Run("OfEightAtOnceOneBecomesATrader", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.registerCode(anna)
		forms := []string{anna, "Anna@example.com", "ANNA@EXAMPLE.COM", " anna@example.com "}
		var registered atomic.Int32
		var group errgroup.Group
		for n := range 8 {
			group.Go(func() error {
				_, err := b.traders.Register(t.Context(), registration(forms[n%len(forms)], code))
				if err == nil {
					registered.Add(1)
				} else if !errors.Is(err, session.ErrCode) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, registered.Load())
		for _, table := range []string{"traders", "accounts WHERE kind <> 'house'", "trader_sessions", "devices", "audit_entries"} {
			require.EqualValues(t, 1, b.count(`SELECT count(*) FROM `+table), table)
		}
	})
}

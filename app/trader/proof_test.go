package trader_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
)

// rule is an act for codes in tests where the act does not matter.
var rule = trader.MoneyOut{Act: trader.OnlySaved}

// moneyOutCode waits a minute and requests a code.
func (b *bundle) moneyOutCode(p session.Principal, account string) string {
	b.Helper()
	b.clock.Advance(session.ResendAfter)
	require.NoError(b, b.traders.SendMoneyOutCode(b.Context(), p, rule, nil, ip))
	return b.lastCode(account)
}

// prove requests a code and proves with it.
func (b *bundle) prove(p session.Principal, digits string) error {
	b.Helper()
	t, err := b.traders.Trader(b.Context(), p.TraderID)
	require.NoError(b, err)
	return b.proveWith(p, digits, b.moneyOutCode(p, t.Name))
}

func (b *bundle) proveWith(p session.Principal, digits, code string) error {
	return b.traders.Prove(b.Context(), p.TraderID, trader.Proof{PaymentPassword: digits, Code: code, For: rule})
}

// mistype enters a wrong payment password several times.
func (b *bundle) mistype(p session.Principal, times int) {
	b.Helper()
	for range times {
		require.Error(b, b.proveWith(p, "000001", ""))
	}
}

func TestProve(t *testing.T) {
	t.Parallel()

	t.Run("RightUsesTheCodeUp", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.moneyOutCode(p, anna)
		require.NoError(t, b.proveWith(p, pin, code))
		require.ErrorIs(t, b.proveWith(p, pin, code), session.ErrCode)
		require.NoError(t, b.prove(p, pin))
	})
	t.Run("OfEightAtOnceOneIsGood", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.moneyOutCode(p, anna)
		require.EqualValues(t, 1, b.eight(func(int) error { return b.proveWith(p, pin, code) }, session.ErrCode, trader.ErrPaymentPasswordLocked))
		b.clock.Advance(30 * time.Minute)
		require.NoError(t, b.prove(p, pin))
	})
	t.Run("OfEightWrongOnesAtOnceFiveAreCompared", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		require.Zero(t, b.eight(func(int) error { return b.proveWith(p, otherPin, "") }, trader.ErrPaymentPassword, trader.ErrPaymentPasswordLocked))
		require.EqualValues(t, 5, b.count(`SELECT failures FROM payment_passwords`))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.lock_payment_password'`))
		requireLocked(t, "1800", b.proveWith(p, pin, ""))
	})
	t.Run("ASixthThatWasOnItsWayIsNotCounted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		for range 5 {
			require.NoError(t, b.traders.CountTry(t.Context(), p.TraderID))
		}
		requireLocked(t, "1800", b.traders.CountTry(t.Context(), p.TraderID))
		require.EqualValues(t, 5, b.count(`SELECT failures FROM payment_passwords`))
	})
	t.Run("FiveWrongOnesLockItForHalfAnHour", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.moneyOutCode(p, anna)
		for _, left := range []string{"4", "3", "2", "1"} {
			requireLeft(t, left, b.proveWith(p, otherPin, code))
		}
		requireLocked(t, "1800", b.proveWith(p, otherPin, code))
		require.Contains(t, b.messages(anna)[0].Body, "message.payment_password_locked")
		requireLocked(t, "1800", b.proveWith(p, pin, code))
		requireLocked(t, "1800", b.proveWith(p, "", code))
		until := b.clock.Now().Add(30 * time.Minute)
		require.Equal(t, until, b.security(p).LockedUntil.UTC())
		b.clock.Set(until.Add(-time.Millisecond))
		requireLocked(t, "1", b.proveWith(p, pin, b.code(p)))
		b.clock.Set(until)
		require.Nil(t, b.security(p).LockedUntil)
		require.NoError(t, b.prove(p, pin))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.lock_payment_password'`))
	})
	t.Run("AfterTheLockThereAreFiveAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		b.mistype(p, 5)
		b.clock.Advance(30 * time.Minute)
		for _, left := range []string{"4", "3", "2", "1"} {
			requireLeft(t, left, b.proveWith(p, otherPin, ""))
		}
		requireLocked(t, "1800", b.proveWith(p, otherPin, ""))
	})
	t.Run("ARightOneForgetsTheWrongOnes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		b.mistype(p, 4)
		require.ErrorIs(t, b.proveWith(p, pin, "xxxxxx"), session.ErrCode)
		requireLeft(t, "4", b.proveWith(p, otherPin, ""))
	})
	t.Run("NoneIsRefusedAndNotCounted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		for range 6 {
			require.ErrorIs(t, b.proveWith(p, "", "xxxxxx"), trader.ErrPaymentPasswordMissing)
		}
		require.NoError(t, b.prove(p, pin))
	})
	t.Run("WhatCouldNotBeComparedIsNotCounted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		b.mistype(p, 4)
		b.exec(`UPDATE payment_passwords SET hash = 'unreadable'`)
		for range 3 {
			err := b.proveWith(p, pin, "")
			require.Error(t, err)
			require.Nil(t, errs.As(err), "%v", err)
		}
		require.EqualValues(t, 4, b.count(`SELECT failures FROM payment_passwords WHERE locked_until IS NULL`))
	})
	t.Run("NeverSetIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		code := b.moneyOutCode(p, anna)
		for _, digits := range []string{"", pin, "null"} {
			require.ErrorIs(t, b.proveWith(p, digits, code), trader.ErrPaymentPasswordUnset)
		}
	})
	t.Run("NoOtherFormOfTheDigitsFits", func(t *testing.T) {
		t.Parallel()
		for _, digits := range []string{" " + pin, pin + " ", pin[:5], "0" + pin, pin + "\x00", "\xff", "null", "[482915]", "٤٨٢٩١٥", password} {
			b := setup(t)
			p := b.withPin(anna)
			requireLeft(t, "4", b.proveWith(p, digits, ""))
		}
	})
	t.Run("ACodeOfAnotherPurposeIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		require.ErrorIs(t, b.proveWith(p, pin, b.paymentCode(p, anna)), session.ErrCode)
		require.ErrorIs(t, b.proveWith(p, pin, b.loginCode(anna)), session.ErrCode)
		require.NoError(t, b.prove(p, pin))
	})
	t.Run("ACodeOfAnotherActIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		sent := trader.MoneyOut{Act: trader.Withdraw, Payee: 7, Amount: 120}
		saved := trader.MoneyOut{Act: trader.SaveAddress, Place: "T abc"}
		for _, acts := range [][2]trader.MoneyOut{
			{sent, {Act: trader.Withdraw, Payee: 8, Amount: 120}}, {sent, {Act: trader.Withdraw, Payee: 7, Amount: 121}}, {sent, {Act: trader.DeletePayee, Payee: 7, Amount: 120}},
			{sent, {}}, {saved, {Act: trader.SaveAddress, Place: "Tabd"}}, {saved, {Act: trader.SaveAddress, Place: "tabc"}}, {saved, {Act: trader.SaveAccount, Place: "Tabc"}},
		} {
			b.clock.Advance(24 * time.Hour)
			require.NoError(t, b.traders.SendMoneyOutCode(t.Context(), p, acts[0], map[string]any{"payee": "P", "amount": "1"}, ip))
			proof := trader.Proof{PaymentPassword: pin, Code: b.lastCode(anna)}
			require.ErrorIs(t, b.traders.Prove(t.Context(), p.TraderID, proof.Of(acts[1])), session.ErrCode, "%v", acts)
			right := acts[0]
			right.Place = strings.ReplaceAll(right.Place, " ", "")
			require.NoError(t, b.traders.Prove(t.Context(), p.TraderID, proof.Of(right)), "%v", acts)
		}
	})
	t.Run("AWrongPaymentPasswordDoesNotTouchTheCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.moneyOutCode(p, anna)
		b.mistype(p, 4)
		require.Zero(t, b.count(`SELECT tries FROM codes WHERE purpose = 'money_out' AND used_at IS NULL`))
		require.NoError(t, b.proveWith(p, pin, code))
	})
	t.Run("AnothersCodeOrPaymentPasswordIsOfNoUse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second := b.withPin(anna), b.withPin(bert)
		code := b.moneyOutCode(first, anna)
		require.ErrorIs(t, b.proveWith(second, pin, code), session.ErrCode)
		b.mistype(second, 5)
		require.NoError(t, b.proveWith(first, pin, code), "each has a count of its own")
	})
}

// code requests a money-out code now.
func (b *bundle) code(p session.Principal) string {
	b.Helper()
	require.NoError(b, b.traders.SendMoneyOutCode(b.Context(), p, rule, nil, ip))
	return b.lastCode(anna)
}

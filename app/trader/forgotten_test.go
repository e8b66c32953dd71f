package trader_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
)

const renewed = "a wholly different sentence"

func (b *bundle) forgottenCode(account string) string {
	b.Helper()
	b.clock.Advance(session.ResendAfter)
	require.NoError(b, b.traders.SendForgottenPasswordCode(b.Context(), account, b.solved(), ip))
	return b.lastCode(account)
}

func (b *bundle) replaceForgotten(account, code string) error {
	return b.traders.ReplaceForgottenPassword(b.Context(), trader.ForgottenPassword{Account: account, New: renewed, Code: code, From: audit.Actor{IP: ip, TraceID: "trace"}})
}

func TestForgottenPassword(t *testing.T) {
	t.Parallel()

	t.Run("TheCodeSetsANewOneEndsSessionsAndHoldsMoney", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		require.Positive(t, b.sessionsOf(id))
		code := b.forgottenCode(anna)
		require.NoError(t, b.replaceForgotten(strings.ToUpper(anna), code))
		require.Zero(t, b.sessionsOf(id))
		b.requireLock(id, b.clock.Now().Add(24*time.Hour), trader.LockPasswordChange)
		require.Contains(t, b.messages(anna)[0].Body, "message.password_reset.body")
		_, err := b.login(anna, password, "", device(1))
		require.ErrorIs(t, err, trader.ErrCredentials)
		_, err = b.login(anna, renewed, "", device(1))
		require.NoError(t, err)
		require.ErrorIs(t, b.replaceForgotten(anna, code), session.ErrCode, "a code works once")
		require.Contains(t, b.acts(), "trader.reset_password")
	})
	t.Run("NoOtherCodeDoes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		b.register(bert)
		others := []string{"", "xxxxxx", b.loginCode(anna)}
		b.clock.Advance(session.ResendAfter)
		require.NoError(t, b.traders.SendForgottenPasswordCode(t.Context(), bert, b.solved(), ip))
		code := b.forgottenCode(anna)
		for _, wrong := range others {
			if wrong != code {
				require.ErrorIs(t, b.replaceForgotten(anna, wrong), session.ErrCode)
			}
		}
		require.Positive(t, b.sessionsOf(id))
		_, err := b.login(anna, password, "", device(1))
		require.NoError(t, err)
		b.clock.Advance(session.CodeLife)
		require.ErrorIs(t, b.replaceForgotten(anna, code), session.ErrCode, "too old")
	})
	t.Run("FiveWrongOnesKillTheCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		code := b.forgottenCode(anna)
		for range 5 {
			require.ErrorIs(t, b.replaceForgotten(anna, "xxxxxx"), session.ErrCode)
		}
		require.ErrorIs(t, b.replaceForgotten(anna, code), session.ErrCode)
	})
	t.Run("AnUnknownAccountGetsTheSameAnswersAndNothingIsSent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.traders.SendForgottenPasswordCode(t.Context(), anna, b.solved(), ip))
		require.Empty(t, b.messages(anna))
		require.ErrorIs(t, b.traders.SendForgottenPasswordCode(t.Context(), anna, b.solved(), ip), session.ErrCodeSoon, "it is throttled as a known one is")
		require.ErrorIs(t, b.replaceForgotten(anna, "123456"), session.ErrCode)
	})
	t.Run("NobodyLearnsFromTheAnswersWhetherThereIsAnAccount", func(t *testing.T) {
		t.Parallel()
		const usual, other, elsewhere = "192.0.2.17", "192.0.2.18", "198.51.100.1"
		answers := func(b *bundle) (all []string) {
			ask := func(source string) {
				all = append(all, fmt.Sprint(errs.As(b.traders.SendForgottenPasswordCode(b.Context(), anna, b.solved(), source))))
			}
			for range 2 { // the first codes, and the next ones
				for _, source := range []string{usual, elsewhere, elsewhere, other, usual, other} {
					ask(source)
				}
				b.clock.Advance(session.ResendAfter)
			}
			for range 12 { // until the daily limit is used up
				for _, source := range []string{usual, elsewhere, other} {
					ask(source)
				}
				b.clock.Advance(session.CodeLife)
			}
			return all
		}
		known, unknown := setup(t), setup(t)
		known.register(anna)
		for _, source := range []string{usual, other} {
			known.exec(`INSERT INTO devices (trader_id, fingerprint, name, first_seen_at, last_seen_at, last_ip) SELECT id, convert_to($1, 'UTF8'), '', $2, $2, $1 FROM traders`, source, start)
		}
		require.Equal(t, answers(unknown), answers(known))
	})
	t.Run("AWeakPasswordUsesNoTryUp", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		code := b.forgottenCode(anna)
		for range 6 {
			err := b.traders.ReplaceForgottenPassword(t.Context(), trader.ForgottenPassword{Account: anna, New: "short", Code: code})
			requireField(t, "password", "field.password_short", err)
		}
		require.NoError(t, b.replaceForgotten(anna, code))
	})
}

func TestSendPasswordReset(t *testing.T) {
	t.Parallel()
	const reason = "Asked for it by phone, case 4711"

	t.Run("TheTraderGetsTheCodeAndStaffDoNot", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		lead := b.hire("Support lead 01")
		require.NoError(t, b.traders.SendPasswordReset(t.Context(), lead, id, reason))
		code := b.lastCode(anna)
		entries, _, err := audit.NewLog(b.db).List(t.Context(), audit.Filter{Action: "trader.send_password_reset"})
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.Equal(t, []any{lead.ID, `{"reason":"` + reason + `"}`}, []any{entries[0].ActorID, entries[0].After})
		require.NotContains(t, entries[0].Before+entries[0].After, code)
		require.Positive(t, b.sessionsOf(id), "nothing changes until the trader uses it")
		require.NoError(t, b.replaceForgotten(anna, code), "it is the code of a forgotten password")
	})
	t.Run("TheCodeMayBeTypedAtAnotherAddress", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		require.NoError(t, b.traders.SendPasswordReset(t.Context(), b.hire("Support lead 01"), id, reason))
		elsewhere := trader.ForgottenPassword{Account: anna, New: renewed, Code: "000000", From: audit.Actor{IP: "198.51.100.77", TraceID: "trace"}}
		require.ErrorIs(t, b.traders.ReplaceForgottenPassword(t.Context(), elsewhere), session.ErrCode)
		elsewhere.Code = b.lastCode(anna)
		require.NoError(t, b.traders.ReplaceForgottenPassword(t.Context(), elsewhere))
	})
	t.Run("ThreeInADay", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id, other := b.register(anna).Trader.ID, b.register(bert).Trader.ID
		send := func(who int64, by string) error {
			return b.traders.SendPasswordReset(t.Context(), b.hire(by), who, reason)
		}
		for _, by := range []string{"A", "B", "C"} {
			require.NoError(t, send(id, by))
			b.clock.Advance(time.Hour)
		}
		sent := len(b.messages(anna))
		require.ErrorIs(t, send(id, "D"), trader.ErrResets, "whoever asks")
		require.Len(t, b.messages(anna), sent)
		require.NoError(t, send(other, "E"), "another trader's are counted apart")
		b.clock.Advance(21*time.Hour - time.Second)
		require.ErrorIs(t, send(id, "F"), trader.ErrResets)
		b.clock.Advance(2 * time.Second)
		require.NoError(t, send(id, "G"), "the first is a day old")
		require.ErrorIs(t, send(id, "H"), trader.ErrResets, "the second is not")
	})
	t.Run("OfEightAtOnceOneIsSent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		lead := b.hire("Support lead 01")
		before := len(b.messages(anna))
		require.EqualValues(t, 1, b.eight(func(int) error { return b.traders.SendPasswordReset(t.Context(), lead, id, reason) }, session.ErrCodeSoon))
		require.Len(t, b.messages(anna), before+1)
	})
	t.Run("RefusalsLeaveNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		lead := b.hire("Support lead 01")
		before := b.count(`SELECT count(*) FROM outbox`)
		for _, none := range []string{"", "a\x00b", strings.Repeat("x", trader.LongestNote+1)} {
			require.Error(t, b.traders.SendPasswordReset(t.Context(), lead, id, none))
		}
		require.ErrorIs(t, b.traders.SendPasswordReset(t.Context(), lead, b.guest().Trader.ID, reason), trader.ErrGuest)
		require.ErrorIs(t, b.traders.SendPasswordReset(t.Context(), lead, 1, reason), ledger.ErrAccount)
		require.Equal(t, before, b.count(`SELECT count(*) FROM outbox`))
		require.Zero(t, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.send_password_reset'`))
	})
}

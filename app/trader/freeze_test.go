package trader_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/session"
	"candor/app/trader"
)

// freezeCode waits a minute and requests a code.
func (b *bundle) freezeCode(p session.Principal, account string) string {
	b.Helper()
	b.clock.Advance(session.ResendAfter)
	require.NoError(b, b.traders.SendFreezeCode(b.Context(), p, ip))
	return b.lastCode(account)
}

func (b *bundle) sessionsOf(traderID int64) int64 {
	b.Helper()
	return b.count(`SELECT count(*) FROM trader_sessions WHERE trader_id = $1 AND ended_at IS NULL`, traderID)
}

func TestFreeze(t *testing.T) {
	t.Parallel()

	t.Run("MoneyAndLoggingInAreFrozenUntilOnePersonLiftsThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p, other := b.withPin(anna), b.withPin(bert)
		require.Positive(t, b.sessionsOf(p.TraderID))
		require.NoError(t, b.traders.Freeze(t.Context(), p, b.freezeCode(p, anna), audit.Actor{IP: ip, TraceID: "trace"}))
		require.Equal(t, []trader.RestrictionKind{trader.RestrictWithdraw, trader.RestrictLogin}, b.activeKinds(p.TraderID))
		require.Zero(t, b.sessionsOf(p.TraderID))
		require.Empty(t, b.activeKinds(other.TraderID))
		require.Positive(t, b.sessionsOf(other.TraderID))
		require.ErrorIs(t, b.proveWith(p, pin, ""), trader.ErrMoneyRestricted)
		require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.freeze' AND actor_kind = 'trader' AND actor_id = $1`, p.TraderID))

		history, err := b.traders.RestrictionHistory(t.Context(), p.TraderID, 10)
		require.NoError(t, err)
		require.Len(t, history, 2)
		risk := b.hire("Risk 01")
		for _, restriction := range history {
			require.Equal(t, trader.SelfFrozen, restriction.Reason)
			require.Zero(t, restriction.SetBy)
			require.Empty(t, restriction.Setter)
			require.Nil(t, restriction.UntilAt)
			_, err := b.traders.Lift(t.Context(), risk, p.TraderID, restriction.ID, restriction.Version, "Called back")
			require.NoError(t, err)
		}
		require.Empty(t, b.activeKinds(p.TraderID))
	})
	t.Run("WithoutTheCodeNothingIs", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		money := b.moneyOutCode(p, anna)
		code := b.freezeCode(p, anna)
		for _, wrong := range []string{"", "000000", money} {
			if wrong == code {
				continue
			}
			require.ErrorIs(t, b.traders.Freeze(t.Context(), p, wrong, audit.Actor{IP: ip, TraceID: "trace"}), session.ErrCode)
		}
		require.Empty(t, b.activeKinds(p.TraderID))
		require.Positive(t, b.sessionsOf(p.TraderID))
		require.NoError(t, b.traders.Freeze(t.Context(), p, code, audit.Actor{IP: ip, TraceID: "trace"}))
	})
	t.Run("WhatStaffHaveSetStays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		r := b.restrict(p.TraderID, trader.RestrictWithdraw, 0)
		require.NoError(t, b.traders.Freeze(t.Context(), p, b.freezeCode(p, anna), audit.Actor{IP: ip, TraceID: "trace"}))
		list, err := b.traders.Restrictions(t.Context(), p.TraderID)
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Equal(t, []any{r.ID, "unusual_activity"}, []any{list[0].ID, list[0].Reason})
		require.Equal(t, trader.SelfFrozen, list[1].Reason)
	})
	t.Run("StaffCanNotChooseTheReason", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		wanted := restrictionRequest(p.TraderID, trader.RestrictLogin, 0)
		wanted.Reason = trader.SelfFrozen
		_, err := b.traders.Restrict(t.Context(), b.hire("Risk 01"), wanted)
		requireField(t, "reason", "field.choice", err)
	})
	t.Run("FromTheDemoAccountToo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		mock, err := b.traders.Switch(t.Context(), b.principal(b.register(anna).Token), trader.Destination{Type: trader.MockType}, origin)
		require.NoError(t, err)
		p := b.principal(mock.Token)
		require.True(t, p.Mock())
		require.NoError(t, b.traders.Freeze(t.Context(), p, b.freezeCode(p, anna), origin))
		require.EqualValues(t, 2, b.count(`SELECT count(*) FROM trader_restrictions WHERE ended_at IS NULL`))
	})
	t.Run("AnAccountThatWasClosingIsKept", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		b.exec(`UPDATE traders SET closes_at = $1`, b.clock.Now().Add(24*time.Hour))
		require.NoError(t, b.traders.Freeze(t.Context(), p, b.freezeCode(p, anna), origin))
		require.Zero(t, b.count(`SELECT count(*) FROM traders WHERE closes_at IS NOT NULL`), "its owner can't log in to keep it")
	})
	t.Run("OfEightAtOnceOneFreezes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.freezeCode(p, anna)
		require.EqualValues(t, 1, b.eight(func(int) error { return b.traders.Freeze(t.Context(), p, code, audit.Actor{IP: ip, TraceID: "trace"}) }, session.ErrCode))
		require.Len(t, b.activeKinds(p.TraderID), 2)
	})
}

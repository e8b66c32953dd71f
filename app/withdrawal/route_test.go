package withdrawal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/provider"
	"candor/app/withdrawal"
)

// TestTwoPeopleSetARoute has a provider send what staff sent before, once two people agreed, and staff again once one person suspended the route.
func TestTwoPeopleSetARoute(t *testing.T) {
	t.Parallel()
	s := setup(t).withProvider()
	_, err := s.db.Pool.Exec(t.Context(), `UPDATE payout_routes SET enabled = false`)
	require.NoError(t, err)
	_, err = s.withdrawals.DraftRoute(t.Context(), s.maker, withdrawal.Route{Kind: withdrawal.ByBank, Provider: "nobody"})
	require.ErrorContains(t, err, "provider")
	_, err = s.withdrawals.DraftRoute(t.Context(), s.maker, withdrawal.Route{Kind: withdrawal.Crypto, Chain: "abacus", Provider: "sandbox"})
	require.ErrorContains(t, err, "chain")
	_, err = s.withdrawals.DraftRoute(t.Context(), s.maker, withdrawal.Route{Kind: withdrawal.ByAgent, Provider: "sandbox"})
	require.ErrorIs(t, err, withdrawal.ErrRouteTwice)
	draft, err := s.withdrawals.DraftRoute(t.Context(), s.maker, withdrawal.Route{Kind: withdrawal.ByBank, Provider: "sandbox"})
	require.NoError(t, err)
	require.True(t, draft.Draft())
	require.Empty(t, s.in(s.owner(1, 1_000*usdt), withdrawal.Queued).Provider, "a draft sends nothing")

	change := func(enabled bool) (approval.Approval, error) {
		now, err := s.withdrawals.Route(t.Context(), int64(draft.ID))
		require.NoError(t, err)
		return s.withdrawals.RequestRoute(t.Context(), s.maker, now.ID, now.Version, "sandbox", enabled, "The contract of 16 November")
	}
	_, err = change(false)
	require.ErrorIs(t, err, withdrawal.ErrRouteSame)
	a, err := change(true)
	require.NoError(t, err)
	require.ErrorIs(t, s.withdrawals.RouteChanges().Agree(t.Context(), s.maker, a), approval.ErrSamePerson)
	require.NoError(t, s.withdrawals.RouteChanges().Agree(t.Context(), s.checker, a))
	require.Equal(t, "sandbox", s.in(s.owner(1, 1_000*usdt), withdrawal.Queued).Provider)
	_, err = s.db.Pool.Exec(t.Context(), `UPDATE payout_routes SET provider = 'other' WHERE id = $1`, draft.ID)
	require.ErrorContains(t, err, "approval", "the database refuses what nobody approved")

	now, err := s.withdrawals.Route(t.Context(), int64(draft.ID))
	require.NoError(t, err)
	require.NoError(t, s.withdrawals.SuspendRoute(t.Context(), s.checker, now.ID, now.Version, "The provider has an outage"))
	require.Empty(t, s.in(s.owner(1, 1_000*usdt), withdrawal.Queued).Provider)
	require.ErrorIs(t, s.withdrawals.SuspendRoute(t.Context(), s.checker, now.ID, now.Version+1, "The provider has an outage"), withdrawal.ErrRouteState)
	require.NoError(t, withdrawal.SeedSandbox(t.Context(), s.db, []provider.Provider{{ID: "sandbox"}}), "a start leaves it suspended")
	now, err = s.withdrawals.Route(t.Context(), int64(draft.ID))
	require.NoError(t, err)
	require.False(t, now.Enabled)
}

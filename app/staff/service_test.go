package staff_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/staff"
)

func TestDisable(t *testing.T) {
	t.Parallel()
	t.Run("EndsSessionsAtOnceAndForGood", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, p := b.admins(t)
		require.NoError(t, b.Disable(ctx, by(admin), p.ID, p.Version))
		_, err := b.Signed(ctx, p.ID, p.SessionEpoch)
		require.ErrorIs(t, err, staff.ErrSignedOut)
		require.NoError(t, b.Enable(ctx, by(admin), p.ID, p.Version+1))
		_, err = b.Signed(ctx, p.ID, p.SessionEpoch)
		require.ErrorIs(t, err, staff.ErrSignedOut, "a session of before stays dead")
		_, err = b.SignIn(ctx, p.Email, password, session.Device{}, nobody)
		require.NoError(t, err)
		require.Equal(t, 1, b.logged(t, "staff.disable", audit.Done))
		require.Equal(t, 1, b.logged(t, "staff.enable", audit.Done))
	})
	t.Run("OneselfIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, _ := b.admins(t)
		require.ErrorIs(t, b.Disable(ctx, by(admin), admin.ID, admin.Version), staff.ErrSelf)
		require.ErrorIs(t, b.Enable(ctx, by(admin), admin.ID, admin.Version), staff.ErrSelf)
	})
	t.Run("TheLastSuperAdminIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, third := b.admins(t)
		require.NoError(t, b.Disable(ctx, by(second), first.ID, first.Version))
		require.ErrorIs(t, b.Disable(ctx, by(third), second.ID, second.Version), staff.ErrLastAdmin)
	})
	t.Run("TwoWhoDisableEachOtherLeaveOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, _ := b.admins(t)
		var group sync.WaitGroup
		var errA, errB error
		group.Go(func() { errA = b.Disable(ctx, by(first), second.ID, second.Version) })
		group.Go(func() { errB = b.Disable(ctx, by(second), first.ID, first.Version) })
		group.Wait()
		require.True(t, (errA == nil) != (errB == nil), "%v, %v", errA, errB)
		require.ErrorIs(t, errors.Join(errA, errB), staff.ErrLastAdmin)
	})
	t.Run("AnOldVersionDoesNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, p := b.admins(t)
		require.ErrorIs(t, b.Disable(ctx, by(admin), p.ID, p.Version-1), db.ErrChanged)
		require.Equal(t, staff.Active, b.read(t, p.ID).State)
		require.Zero(t, b.logged(t, "staff.disable", audit.Done))
	})
	t.Run("TwiceIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, p := b.admins(t)
		require.NoError(t, b.Disable(ctx, by(admin), p.ID, p.Version))
		require.ErrorIs(t, b.Disable(ctx, by(admin), p.ID, p.Version+1), staff.ErrState)
		require.ErrorIs(t, b.Disable(ctx, by(admin), 99_999, 1), staff.ErrUnknown)
	})
}

func TestStartAfresh(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, p := b.admins(t)
	_, err := b.AskRole(ctx, by(first), p.ID, staff.Auditor)
	require.NoError(t, err)
	old := b.secret[p.ID]
	require.ErrorIs(t, b.ResetAccess(ctx, by(p), p.ID, p.Version), staff.ErrSelf)
	require.ErrorIs(t, b.ResetAccess(ctx, by(first), p.ID, p.Version-1), db.ErrChanged)
	require.NoError(t, b.ResetAccess(ctx, by(first), p.ID, p.Version))
	_, err = b.Signed(ctx, p.ID, p.SessionEpoch)
	require.ErrorIs(t, err, staff.ErrSignedOut)
	_, err = b.SignIn(ctx, p.Email, password, session.Device{}, nobody)
	require.ErrorIs(t, err, staff.ErrSignIn)
	require.Empty(t, b.read(t, p.ID).Roles, "whoever reads the mail gets an empty account")

	back := b.completeLink(t, b.sent(t, p.Email), staff.Entry{Password: "another long password"})
	require.Equal(t, p.ID, back.ID)
	require.NotEqual(t, old, b.secret[p.ID])
	_, err = b.SignIn(ctx, p.Email, "another long password", session.Device{}, nobody)
	require.NoError(t, err)
	require.NoError(t, b.ResetAccess(ctx, by(first), second.ID, second.Version))
	require.ErrorIs(t, b.ResetAccess(ctx, by(p), first.ID, first.Version), staff.ErrLastAdmin)
}

func TestList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, third := b.admins(t)
	list, err := b.List(ctx, 0, 2)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []staff.Role{staff.SuperAdmin}, list[0].Roles)
	require.Equal(t, []int64{first.ID, second.ID}, []int64{list[0].ID, list[1].ID})
	list, err = b.List(ctx, second.ID, 2)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, third.ID, list[0].ID)
}

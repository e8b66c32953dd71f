package staff_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/staff"
)

// TestChangesOfStaffAreTold: whoever acts with the session of a super admin is heard by its owner, by the other super admins and by the person concerned.
func TestChangesOfStaffAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, third := b.admins(t)
	told := func(p staff.Person, kind string) (subjects []string) {
		list, err := b.outbox.List(ctx, p.Email, 50)
		require.NoError(t, err)
		for _, m := range list {
			if m.Kind == kind {
				subjects = append(subjects, m.Subject)
			}
		}
		return subjects
	}
	before := len(told(first, "staff_changed"))
	invited, err := b.Invite(ctx, by(first), "new@example.com", "New person")
	require.NoError(t, err)
	_, err = b.AskRole(ctx, by(first), third.ID, staff.SupportAgent)
	require.NoError(t, err)
	_, err = b.AskRole(ctx, by(first), third.ID, staff.FinanceMaker)
	require.NoError(t, err)
	require.NoError(t, b.RevokeRole(ctx, by(first), third.ID, staff.SupportAgent))
	require.NoError(t, b.SetPhone(ctx, by(first), third.ID, b.read(t, third.ID).Version, "+41791234567"))
	require.NoError(t, b.ResetAuthenticator(ctx, by(first), third.ID, b.read(t, third.ID).Version))
	require.NoError(t, b.Disable(ctx, by(first), third.ID, b.read(t, third.ID).Version))
	require.NoError(t, b.Enable(ctx, by(first), third.ID, b.read(t, third.ID).Version))
	require.NoError(t, b.EndSession(ctx, by(first), third.ID, b.browse(t, b.read(t, third.ID))))
	require.Len(t, told(first, "staff_changed"), before+9, "also whoever did it: it may have been a thief")
	require.Len(t, told(second, "staff_changed"), 9)
	require.Len(t, told(third, "staff_account_changed"), 6, "not of what is only requested, nor of what a link says")
	require.Empty(t, told(third, "staff_changed"))
	require.Empty(t, told(invited, "staff_account_changed"))
	require.Contains(t, told(second, "staff_changed"), first.Name+" invited New person, new@example.com")
	require.Contains(t, told(third, "staff_account_changed"), first.Name+" granted Third the role Support agent")
	require.ErrorIs(t, b.Disable(ctx, by(first), third.ID, 1), db.ErrChanged)
	require.Len(t, told(first, "staff_changed"), before+9, "nothing is told of what did not happen")
}

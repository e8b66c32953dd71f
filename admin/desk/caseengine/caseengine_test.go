package caseengine_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/desk/caseengine"
	"candor/app/platform/errs"
)

func TestVerdict(t *testing.T) {
	t.Parallel()
	state, why := errors.New("not in this state"), errors.New("not you")
	require.NoError(t, caseengine.May.Refusal(state))
	require.True(t, caseengine.May.Offered())
	require.Equal(t, why, caseengine.No(why).Refusal(state))
	require.True(t, caseengine.No(why).Offered(), "it is shown, and locked")
	require.Equal(t, state, caseengine.Verdict{}.Refusal(state))
	require.False(t, caseengine.Verdict{}.Offered())
	require.False(t, caseengine.Never(why).Offered(), "the pages leave it out")
	require.Equal(t, why, caseengine.Never(why).Refusal(state), "and the refusal says why")
	require.False(t, caseengine.Rights(nil)[caseengine.Claim].Offered(), "what is not listed is not offered")
}

func TestCursor(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 14, 32, 5, 123456000, time.UTC)
	for _, c := range []caseengine.Cursor{{At: at, ID: 80014}, {ID: 7}} {
		require.Equal(t, c, caseengine.ReadCursor(c.String()))
	}
	for _, wrong := range []string{"", ".", "1", "1.", ".1", "a.1", "1.a", "-1.1", "1.-1", "1.0", "1.2.3"} {
		require.Zero(t, caseengine.ReadCursor(wrong), wrong)
	}
}

func TestConflictingLocksWhatTheMemberCouldDo(t *testing.T) {
	t.Parallel()
	why, role, claim := errs.New(errs.Forbidden, "conflict"), errs.New(errs.Forbidden, "role"), errs.New(errs.Conflict, "claim")
	rights := func() caseengine.Rights {
		return caseengine.Rights{"approve": caseengine.May, "send": caseengine.No(claim), "lead": caseengine.No(role), "freeze": caseengine.May, caseengine.Release: caseengine.May, "none": {}}
	}
	require.Equal(t, caseengine.Rights{
		"approve": caseengine.No(why), "send": caseengine.No(why), "lead": caseengine.No(role), "freeze": caseengine.May, caseengine.Release: caseengine.May, "none": {},
	}, rights().Conflicting(why, "freeze"))
	require.Equal(t, rights(), rights().Conflicting(nil), "without a conflict nothing is locked")
}

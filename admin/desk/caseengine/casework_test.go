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
	require.False(t, caseengine.Rights(nil)[caseengine.Claim].Offered(), "what is not listed is not offered")
}

func TestCursor(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 14, 32, 5, 123456000, time.UTC)
	when, id := caseengine.ReadCursor(caseengine.Cursor(&at, 80014))
	require.Equal(t, []any{at, int64(80014)}, []any{when, id})
	when, id = caseengine.ReadCursor(caseengine.Cursor(nil, 7))
	require.Equal(t, []any{time.UnixMicro(0).UTC(), int64(7)}, []any{when, id})
	for _, wrong := range []string{"", ".", "1", "1.", ".1", "a.1", "1.a", "-1.1", "1.-1", "1.2.3"} {
		when, id = caseengine.ReadCursor(wrong)
		require.True(t, when.IsZero() && id == 0, wrong)
	}
}

func TestWithOpen(t *testing.T) {
	t.Parallel()
	same := func(a, b int) bool { return a == b }
	open := 3
	require.Equal(t, []int{1, 2}, caseengine.WithOpen([]int{1, 2}, nil, same))
	require.Equal(t, []int{1, 3}, caseengine.WithOpen([]int{1, 3}, &open, same))
	require.Equal(t, []int{3, 1, 2}, caseengine.WithOpen([]int{1, 2}, &open, same))
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

package staff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/staff"
)

func TestViews(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.first(t)
	other := by(p)
	other.ID = b.join(t, p, "other@example.com", "Another person").ID
	const list = "/admin/withdrawals"
	names := func(id int64, path string) (out []string) {
		views, err := b.Views(ctx, id, path)
		require.NoError(t, err)
		for _, v := range views {
			out = append(out, v.Name+" "+v.Query)
		}
		return out
	}
	require.NoError(t, b.SaveView(ctx, by(p), list, staff.View{Name: "  Large   ones ", Query: "least=10000"}))
	require.NoError(t, b.SaveView(ctx, by(p), list, staff.View{Name: "Large ones", Query: "least=20000"}), "the same name again")
	require.NoError(t, b.SaveView(ctx, by(p), "/admin/deposits", staff.View{Name: "Large ones", Query: "least=1"}))
	require.Equal(t, []string{"Large ones least=20000"}, names(p.ID, list))
	require.Empty(t, names(other.ID, list), "a view is its owner’s")
	for _, name := range []string{"", "  ", strings.Repeat("x", staff.ViewNameLength+1)} {
		require.Error(t, b.SaveView(ctx, by(p), list, staff.View{Name: name, Query: "a=1"}), name)
	}
	require.Error(t, b.SaveView(ctx, by(p), list, staff.View{Name: "Everything"}))
	for n := range 7 {
		require.NoError(t, b.SaveView(ctx, by(p), list, staff.View{Name: fmt.Sprint("View ", n), Query: "a=1"}))
	}
	require.ErrorIs(t, b.SaveView(ctx, by(p), list, staff.View{Name: "One too many", Query: "a=1"}), staff.ErrViews)

	views, err := b.Views(ctx, p.ID, list)
	require.NoError(t, err)
	require.NoError(t, b.RemoveView(ctx, other, views[0].ID))
	require.Len(t, names(p.ID, list), 8, "nobody removes another’s")
	require.NoError(t, b.RemoveView(ctx, by(p), views[0].ID))
	require.Len(t, names(p.ID, list), 7)
	require.NoError(t, b.RemoveView(ctx, by(p), views[0].ID), "twice")
	require.Equal(t, 1, b.logged(t, "staff.remove_view", audit.Done))
}

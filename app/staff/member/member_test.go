package member_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/staff/member"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

func TestMembers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, err := db.Open(ctx, dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	add := func(name, state string) (id int64) {
		require.NoError(t, d.Pool.QueryRow(ctx, `INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, $3, now()) RETURNING id`, name+"@desk.example", name, state).Scan(&id))
		return id
	}
	zoe, amy, joe := add("zoe", "active"), add("amy", "disabled"), add("joe", "invited")

	names, err := member.Names(ctx, d.Pool, joe, 0, zoe, 1, zoe)
	require.NoError(t, err)
	require.Equal(t, map[int64]string{zoe: "zoe", joe: "joe"}, names, "nobody and an unknown member have no name")
	names, err = member.Names(ctx, d.Pool)
	require.NoError(t, err)
	require.Empty(t, names)

	for id, name := range map[int64]string{amy: "amy", 0: "", 1: ""} {
		got, err := member.Name(ctx, d.Pool, id)
		require.NoError(t, err)
		require.Equal(t, name, got)
	}

	active, err := member.Active(ctx, d.Pool)
	require.NoError(t, err)
	require.Equal(t, []member.Member{{ID: zoe, Name: "zoe", Email: "zoe@desk.example", Active: true}}, active)
	found, err := member.Find(ctx, d.Pool, amy, zoe, 1)
	require.NoError(t, err)
	require.Equal(t, []member.Member{active[0], {ID: amy, Name: "amy", Email: "amy@desk.example"}}, found)
	require.Equal(t, []int64{zoe, amy}, member.IDs(found))

	require.Equal(t, zoe, member.ID(&zoe))
	require.Zero(t, member.ID(nil))
}

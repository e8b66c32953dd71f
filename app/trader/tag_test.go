package trader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/trader"
)

func TestTheListOfTags(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lead := audit.Actor{Kind: audit.Staff, ID: b.hired("Lead"), Name: "Lead"}
	vip, err := b.traders.MakeTag(t.Context(), lead, trader.TagDraft{Name: "  Key   client ", Colour: trader.TagViolet})
	require.NoError(t, err)
	require.Equal(t, "Key client", vip.Name)
	for want, d := range map[error]trader.TagDraft{
		trader.ErrTagNameTaken: {Name: "KEY CLIENT", Colour: trader.TagRed}, trader.ErrTagColour: {Name: "Other", Colour: "pink"}, trader.ErrTagName: {Name: " ", Colour: trader.TagRed},
	} {
		_, err := b.traders.MakeTag(t.Context(), lead, d)
		require.Equal(t, errs.As(want).Fields, errs.As(err).Fields)
	}
	_, err = b.traders.MakeTag(t.Context(), lead, trader.TagDraft{Name: strings.Repeat("x", trader.LongestTag+1), Colour: trader.TagRed})
	require.Equal(t, errs.As(trader.ErrTagName).Fields, errs.As(err).Fields)

	change := func(id int64, version int, name string) error {
		return b.traders.ChangeTag(t.Context(), lead, id, version, trader.TagDraft{Name: name, Colour: trader.TagBlue})
	}
	require.NoError(t, change(vip.ID, 1, "Partner"))
	require.ErrorIs(t, change(vip.ID, 1, "Late"), db.ErrChanged, "another version than the one shown")
	require.ErrorIs(t, change(999, 1, "Nobody"), trader.ErrTag)
	require.ErrorIs(t, b.traders.RestoreTag(t.Context(), lead, vip.ID, 2), trader.ErrTagState)
	require.NoError(t, b.traders.RetireTag(t.Context(), lead, vip.ID, 2))
	require.ErrorIs(t, b.traders.RetireTag(t.Context(), lead, vip.ID, 3), trader.ErrTagState)
	require.NoError(t, b.traders.RestoreTag(t.Context(), lead, vip.ID, 3))
	list, err := b.traders.Tags(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, []any{"Partner", trader.TagBlue, 4}, []any{list[0].Name, list[0].Colour, list[0].Version})
	require.EqualValues(t, 4, b.count(`SELECT count(*) FROM audit_entries WHERE action LIKE 'tag.%' AND target_id = $1`, fmt.Sprint(vip.ID)))
}

func TestTagsOfTraders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent := audit.Actor{Kind: audit.Staff, ID: b.hired("Agent"), Name: "Agent"}
	listed := func(name string) trader.Tag {
		tag, err := b.traders.MakeTag(t.Context(), agent, trader.TagDraft{Name: name, Colour: trader.TagGrey})
		require.NoError(t, err)
		return tag
	}
	vip, old := listed("VIP"), listed("Complains")
	marta, lena := b.named("marta"), b.named("lena")
	set := func(id int64, on, off []int64) error { return b.traders.SetTags(t.Context(), agent, id, on, off) }
	names := func(id int64) (out []string) {
		tags, err := b.traders.TagsOf(t.Context(), marta, lena)
		require.NoError(t, err)
		for _, tag := range tags[id] {
			out = append(out, tag.Name)
		}
		return out
	}
	tagged := func(f trader.ListFilter) (out []int64) {
		list, _, err := b.traders.Filtered(t.Context(), f, 0, 10)
		require.NoError(t, err)
		for _, l := range list {
			out = append(out, l.ID)
		}
		return out
	}
	require.NoError(t, set(marta, []int64{vip.ID, old.ID}, nil))
	require.NoError(t, set(marta, []int64{vip.ID}, nil), "it has it already")
	require.NoError(t, set(lena, nil, []int64{vip.ID}), "it has not")
	require.Equal(t, []string{"Complains", "VIP"}, names(marta))
	require.Empty(t, names(lena))
	require.Equal(t, []int64{marta}, tagged(trader.ListFilter{TagID: vip.ID}))
	require.Empty(t, tagged(trader.ListFilter{TagID: vip.ID, Restriction: trader.RestrictTrade}))
	n, err := b.traders.CountTagged(t.Context(), vip.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)

	require.NoError(t, b.traders.RetireTag(t.Context(), agent, old.ID, 1))
	require.ErrorIs(t, set(lena, []int64{old.ID}, nil), trader.ErrTagState, "nobody gets a retired tag")
	require.Equal(t, []string{"Complains", "VIP"}, names(marta), "who has it keeps it")
	require.NoError(t, set(marta, nil, []int64{old.ID, vip.ID}), "it can be taken off")
	require.Empty(t, names(marta))
	require.Empty(t, tagged(trader.ListFilter{TagID: vip.ID}))
	require.ErrorIs(t, set(marta, []int64{999}, nil), trader.ErrTag)
	require.Error(t, set(1, []int64{vip.ID}, nil))
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.tag' AND target_id = $1`, fmt.Sprint(marta)))
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.untag' AND after LIKE '%"tag"%' AND target_id = $1`, fmt.Sprint(marta)))
	_, err = b.traders.MakeTag(t.Context(), audit.Actor{Kind: audit.Staff, ID: agent.ID}, trader.TagDraft{Name: "vip", Colour: trader.TagRed})
	require.Error(t, err)
}

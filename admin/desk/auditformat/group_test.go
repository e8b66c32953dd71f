package auditformat_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/desk/auditformat"
	"candor/app/audit"
)

// TestGroup writes entries as actor and action, newest first; a group is its newest entry and the number of its times.
func TestGroup(t *testing.T) {
	t.Parallel()
	data, view, mark := "kyc.read_data", "kyc.view", "kyc.mark"
	entries := func(pairs ...any) (list []audit.Entry) {
		for i := 0; i < len(pairs); i += 2 {
			at := time.Unix(int64(1000-i), 0)
			list = append(list, audit.Entry{At: at, ActorKind: audit.Staff, ActorID: int64(pairs[i].(int)), Action: pairs[i+1].(string), TargetKind: "kyc", TargetID: "1"})
		}
		return list
	}
	for name, c := range map[string]struct {
		entries []audit.Entry
		want    []any
	}{
		"Nothing":                       {nil, nil},
		"ReadsOfOnePersonAreJoined":     {entries(1, view, 1, data, 1, view, 1, data), []any{view, 2, data, 2}},
		"AnotherPersonEndsTheRun":       {entries(1, view, 2, view, 1, view), []any{view, 1, view, 1, view, 1}},
		"AnActDoesNotEndTheRun":         {entries(1, view, 1, mark, 1, view), []any{view, 2, mark, 1}},
		"AClaimEndsTheRun":              {entries(1, view, 1, "kyc.claim", 1, view), []any{view, 1, "kyc.claim", 1, view, 1}},
		"ReadsDoNotPartActs":            {entries(1, mark, 1, data, 1, mark, 1, view, 1, mark), []any{mark, 3, data, 1, view, 1}},
		"AnotherActPartsActs":           {entries(1, mark, 1, "kyc.release", 1, mark), []any{mark, 1, "kyc.release", 1, mark, 1}},
		"AnActOfAnotherPersonIsItsOwn":  {entries(1, mark, 2, mark), []any{mark, 1, mark, 1}},
		"WithoutAKeyEveryEntryIsItsOwn": {entries(1, "kyc.attach", 1, "kyc.attach"), []any{"kyc.attach", 1, "kyc.attach", 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []any
			for _, g := range auditformat.Group(c.entries, func(e audit.Entry) string {
				if e.Action == "kyc.attach" {
					return ""
				}
				return e.Action
			}) {
				got = append(got, g.Action, len(g.Times))
				require.Equal(t, g.At, g.Times[0])
			}
			require.Equal(t, c.want, got)
		})
	}
	denied := entries(1, view, 1, view)
	denied[0].Result = audit.Denied
	require.Len(t, auditformat.Group(denied, func(e audit.Entry) string { return e.Action }), 2, "a refusal is no read")
}

// TestReads: only what somebody looked at is joined, in a row.
func TestReads(t *testing.T) {
	t.Parallel()
	entry := func(id, actor int64, action string) audit.Entry {
		return audit.Entry{ID: id, ActorKind: audit.Staff, ActorID: actor, Action: action, TargetKind: "deposit", TargetID: "5"}
	}
	var shown [][2]int64
	for _, g := range auditformat.Reads([]audit.Entry{
		entry(7, 1, "deposit.view_proof"), entry(6, 1, "deposit.view_proof"), entry(5, 2, "deposit.view_proof"), entry(4, 2, "deposit.reject"), entry(3, 2, "deposit.reject"),
	}) {
		shown = append(shown, [2]int64{g.ID, int64(len(g.Times))})
	}
	require.Equal(t, [][2]int64{{7, 2}, {5, 1}, {4, 1}, {3, 1}}, shown, "the newest, and how many")
}

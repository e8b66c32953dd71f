package auditformat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/desk/auditformat"
	"candor/app/audit"
)

func TestReadsInARowAreOneLine(t *testing.T) {
	t.Parallel()
	read := func(id, actor int64, action, target string) audit.Entry {
		return audit.Entry{ID: id, ActorKind: audit.Staff, ActorID: actor, Action: action, TargetKind: "kyc", TargetID: target, Result: audit.Done}
	}
	groups := auditformat.Grouped([]audit.Entry{
		read(9, 1, "kyc.view", "5"), read(8, 1, "kyc.view", "5"), read(7, 2, "kyc.view", "5"), read(6, 2, "kyc.view", "6"), read(5, 2, "kyc.approve", "6"),
		read(4, 2, "kyc.approve", "6"), read(3, 2, "kyc.view", "6"), read(2, 2, "kyc.read_data", "6"),
	})
	var sizes []int
	for _, g := range groups {
		sizes = append(sizes, len(g.All))
	}
	require.Equal(t, []int{2, 1, 1, 1, 1, 1, 1}, sizes, "a decision is never grouped")
	require.True(t, groups[0].Has(8))
	require.False(t, groups[0].Has(7))
}

package withdrawal_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "withdrawal_kind", ".", "Kind")
	d.RequireLabels(t, "withdrawal_state", ".", "State")
	d.RequireLabels(t, "payout_batch_state", ".", "BatchState")
}

package deposit_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "deposit_kind", ".", "Kind")
	d.RequireLabels(t, "deposit_state", ".", "State")
}

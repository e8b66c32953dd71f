package switches_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "switch_change_kind", ".", "Kind")
	d.RequireLabels(t, "stop_verdict", ".", "Verdict")
}

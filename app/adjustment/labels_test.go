package adjustment_test

import (
	"testing"

	"candor/app/adjustment"
	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "adjustment_case", ".", "CaseKind")
	d.RequireLabels(t, "adjustment_reason", ".", "", adjustment.Reasons...)
}

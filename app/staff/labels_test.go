package staff_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "staff_state", ".", "State")
	d.RequireLabels(t, "staff_link_purpose", ".", "Purpose")
}

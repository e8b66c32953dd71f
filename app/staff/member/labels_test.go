package member_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	dbtest.New(t).RequireLabels(t, "staff_duty", ".", "Duty")
}

package banking_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "bank_line_cause", ".", "Cause")
	d.RequireLabels(t, "bank_line_state", ".", "State")
}

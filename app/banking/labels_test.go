package banking_test

import (
	"testing"

	"candor/app/banking"
	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	causes := make([]string, len(banking.Causes))
	for i, cause := range banking.Causes {
		causes[i] = string(cause)
	}
	d.RequireLabels(t, "bank_line_cause", ".", "Cause", causes...)
	d.RequireLabels(t, "bank_line_state", ".", "State", string(banking.Unmatched), string(banking.Matched), string(banking.Explained))
}

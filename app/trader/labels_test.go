package trader_test

import (
	"testing"

	"candor/app/platform/dbtest"
	"candor/app/trader"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "restriction_kind", ".", "RestrictionKind")
	d.RequireLabels(t, "restriction_reason", ".", "SelfFrozen*", trader.RestrictionReasons...)
	d.RequireLabels(t, "tag_colour", ".", "TagColour")
	d.RequireLabels(t, "message_category", ".", "Category")
	d.RequireLabels(t, "withdrawal_lock_reason", ".", "Lock*")
}

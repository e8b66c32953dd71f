package market

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "product_class", ".", "Class")
	d.RequireLabels(t, "margin_model", ".", "MarginModel")
	d.RequireLabels(t, "trading_mode", ".", "Mode")
	d.RequireLabels(t, "swap_model", ".", "SwapModel")
}

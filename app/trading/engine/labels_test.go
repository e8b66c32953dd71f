package engine

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for enum, constants := range map[string]string{
		"side": "Side", "order_type": "OrderType", "order_source": "source*", "order_status": "OrderStatus", "order_end_reason": "EndReason", "time_in_force": "TimeInForce",
		"position_state": "State*", "close_reason": "CloseReason", "fill_entry": "Entry*", "fill_rule": "Rule", "charge_kind": "ChargeKind",
	} {
		d.RequireLabels(t, enum, "..", constants)
	}
}

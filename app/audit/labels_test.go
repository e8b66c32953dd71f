package audit_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "audit_actor_kind", ".", "ActorKind")
	d.RequireLabels(t, "audit_result", ".", "Result")
}

package provider_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "provider_event_kind", ".", "About*")
	d.RequireLabels(t, "provider_event_state", ".", "", "done", "new")
}

package mail_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "outbox_channel", ".", "Channel")
	d.RequireLabels(t, "outbox_state", ".", "State")
}

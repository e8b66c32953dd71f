package support_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "conversation_state", ".", "State")
	d.RequireLabels(t, "chat_call_direction", ".", "Direction")
	d.RequireLabels(t, "chat_author", ".", "Author")
	d.RequireLabels(t, "chat_message_kind", ".", "Kind")
}

package notice_test

import (
	"testing"

	"candor/app/notice"
	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for enum, constants := range map[string]string{"notice_kind": "Kind", "notice_state": "State"} {
		d.RequireLabels(t, enum, ".", constants)
	}
	for enum, values := range map[string][]string{
		"notice_severity": notice.Severities, "notice_audience": notice.Audiences, "notice_frequency": notice.Frequencies, "notice_shape": {notice.Tall, notice.Wide},
	} {
		d.RequireLabels(t, enum, ".", "", values...)
	}
}

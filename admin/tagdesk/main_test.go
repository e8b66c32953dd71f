package tagdesk_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

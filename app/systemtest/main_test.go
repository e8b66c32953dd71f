package systemtest

import (
	"os"
	"path/filepath"
	"testing"

	"candor/app/platform/dbtest"
)

func TestMain(m *testing.M) {
	dbtest.Run(m, func() error { return os.RemoveAll(filepath.Dir(programBinary())) })
}

package systemtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"candor/app/platform/dbtest"
	"candor/app/platform/upload"
	"candor/app/server"
)

// TestMain also renders an upload, when it is started for that.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == server.RenderCommand {
		if err := upload.Work(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dbtest.Run(m, func() error { return os.RemoveAll(filepath.Dir(programBinary())) })
}

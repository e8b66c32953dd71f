package dbtest

import (
	"errors"
	"os"
	"syscall"
)

// alive reports whether a process exists, whichever user owns it.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = process.Release() }()
	return !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

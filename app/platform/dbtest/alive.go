package dbtest

import (
	"errors"
	"os"
	"syscall"
)

// alive says whether a process exists, whoever owns it.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = process.Release() }()
	return !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

package embeddedpg

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dieWithUs does nothing: macOS has no such signal, and a server whose program was
// killed goes on until it is stopped.
func dieWithUs(*syscall.SysProcAttr, bool) {}

// serverOn trusts the pid file if the process it names is alive.
func serverOn(cluster string) (pid int, running bool) {
	text, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err = strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid <= 0 {
		return 0, false
	}
	err = syscall.Kill(pid, 0)
	return pid, err == nil || err == syscall.EPERM
}

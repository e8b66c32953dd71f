package embeddedpg

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dieWithUs has the kernel stop the server when this process dies: cleanly, or at once
// when the data is discarded anyway.
func dieWithUs(attr *syscall.SysProcAttr, fast bool) {
	attr.Pdeathsig = syscall.SIGINT
	if fast {
		attr.Pdeathsig = syscall.SIGQUIT
	}
}

// serverOn finds a PostgreSQL process that runs in the cluster. All of them, sessions
// included, have it as their working directory.
func serverOn(cluster string) (pid int, running bool) {
	dirs, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range dirs {
		if dir, err := os.Readlink(link); err != nil || dir != cluster {
			continue
		}
		name, err := os.ReadFile(filepath.Join(filepath.Dir(link), "comm"))
		if err == nil && strings.TrimSpace(string(name)) == "postgres" {
			pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(link)))
			return pid, true
		}
	}
	return 0, false
}

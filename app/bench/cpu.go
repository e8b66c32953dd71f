package bench

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ownCPU is this process's CPU time so far.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// clockTick is the unit of /proc's times, 1/100 s on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// childrenCPU is the CPU time so far of the processes whose parent is pid: a PostgreSQL server's backends. It is 0 without /proc.
func childrenCPU(pid int) time.Duration {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	total := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) < 13 || fields[1] != strconv.Itoa(pid) {
			continue
		}
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		total += user + system
	}
	return time.Duration(total) * clockTick
}

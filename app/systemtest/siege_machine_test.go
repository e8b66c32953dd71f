//go:build chaos

package systemtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clockTicks is USER_HZ, the unit of CPU times in /proc: 100 on every Linux that Go runs on.
const clockTicks = 100

// machine measures a siege's use of the computer: by the server, its database and this process.
type machine struct{ server, postgres int }

func newMachine(t *testing.T, c *chaos) *machine {
	t.Helper()
	return &machine{server: c.process.Process.Pid, postgres: c.postgres.PID()}
}

// phase is the measurements of one part of a siege.
type phase struct {
	orders []time.Duration // of honest orders, from the request to the complete answer
	logins []time.Duration // of honest log-ins, the same
	prices int64           // price messages to honest sockets
	gap    time.Duration   // longest time between two of one socket
	memory int64           // maximum resident memory of the server, in bytes
	cores  usage[float64]  // CPU seconds per second
}

// usage is the use of the machine by each part.
type usage[N float64 | time.Duration] struct{ Server, Database, Harness N }

func (u usage[N]) all() N { return u.Server + u.Database + u.Harness }

// settle waits until every honest trader has acted so many times and the server has warmed up.
func (m *machine) settle(t *testing.T, h *traderLoad, acts int64) {
	t.Helper()
	require.Eventually(t, func() bool { return h.everyoneActed(acts) }, time.Minute, 50*time.Millisecond, "%v", h.refusals())
}

// phase measures for the given length. During an attack it governs the attack's rate by its CPU time.
func (m *machine) phase(t *testing.T, h *traderLoad, length time.Duration, a *attack) *phase {
	t.Helper()
	p := &phase{}
	h.begin()
	if a != nil {
		a.start()
	}
	began, used := time.Now(), m.used(t)
	last, lastUsed := began, used
	for time.Since(began) < length {
		time.Sleep(250 * time.Millisecond) // sampling interval
		p.memory = max(p.memory, m.resident(t))
		now, usedNow := time.Now(), m.used(t)
		if span := now.Sub(last); a != nil && span >= time.Second {
			a.govern((usedNow.all()-lastUsed.all()).Seconds()/span.Seconds() - h.calmCores)
			last, lastUsed = now, usedNow
		}
	}
	took, now := time.Since(began).Seconds(), m.used(t)
	p.cores = usage[float64]{(now.Server - used.Server).Seconds() / took, (now.Database - used.Database).Seconds() / took, (now.Harness - used.Harness).Seconds() / took}
	if a == nil {
		h.calmCores = p.cores.all()
	}
	h.collect(p)
	return p
}

// percentile is a percentile of sorted times.
func percentile(times []time.Duration, percent int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	return times[min(len(times)-1, len(times)*percent/100)]
}

func (p *phase) summary() map[string]any {
	return map[string]any{
		"orders": len(p.orders), "p50Ms": millis(percentile(p.orders, 50)), "p99Ms": millis(percentile(p.orders, 99)), "loginP50Ms": millis(percentile(p.logins, 50)), "loginMaxMs": millis(percentile(p.logins, 100)), "prices": p.prices, "gapMs": millis(p.gap),
		"memoryMB": p.memory >> 20, "cores": map[string]any{"server": round2(p.cores.Server), "database": round2(p.cores.Database), "harness": round2(p.cores.Harness)},
	}
}

func millis(d time.Duration) float64 { return round2(float64(d) / float64(time.Millisecond)) }

func round2(f float64) float64 { return float64(int64(f*100+0.5)) / 100 }

// used is the CPU time of the server, of its database with all connections, and of this process.
func (m *machine) used(t *testing.T) (used usage[time.Duration]) {
	t.Helper()
	var own syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	used.Harness = time.Duration(own.Utime.Nano() + own.Stime.Nano())
	processes, err := os.ReadDir("/proc")
	require.NoError(t, err)
	for _, entry := range processes {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		s, ok := readStat(pid)
		if !ok {
			continue // it has ended; its parent counts it
		}
		switch {
		case pid == m.server:
			used.Server += s.used + s.ended
		case s.parent == m.server: // compares passwords
			used.Server += s.used
		case pid == m.postgres:
			used.Database += s.used + s.ended
		case s.parent == m.postgres:
			used.Database += s.used
		}
	}
	return used
}

// processStat is the state of a process in /proc.
type processStat struct {
	parent      int
	used, ended time.Duration // its own, and that of its reaped children
	resident    int64         // bytes
}

func readStat(pid int) (s processStat, ok bool) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, false
	}
	_, rest, ok := strings.Cut(string(raw), ") ") // the name before it may contain anything
	fields := strings.Fields(rest)
	if !ok || len(fields) < 22 {
		return s, false
	}
	number := func(n int) int { value, _ := strconv.Atoi(fields[n]); return value }
	ticks := func(n int) time.Duration { return time.Duration(number(n)) * time.Second / clockTicks }
	return processStat{parent: number(1), used: ticks(11) + ticks(12), ended: ticks(13) + ticks(14), resident: int64(number(21) * os.Getpagesize())}, true
}

// resident is the memory of the server and its child processes, in bytes.
func (m *machine) resident(t *testing.T) (bytes int64) {
	t.Helper()
	processes, err := os.ReadDir("/proc")
	require.NoError(t, err)
	for _, entry := range processes {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if s, ok := readStat(pid); ok && (pid == m.server || s.parent == m.server) {
			bytes += s.resident
		}
	}
	require.Positive(t, bytes, "the server has ended")
	return bytes
}

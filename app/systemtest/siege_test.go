//go:build chaos

package systemtest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/server"
)

// The limits of make siege for the service to honest traders. The short run of make test checks only counts: times on a busy machine decide no test.
const (
	siegeTraders = 500
	siegeSources = 2_000
	siegeRatio   = 2.0              // p99 of honest orders under attack, over p99 of the calm before and after
	siegeMemory  = 200 << 20        // bytes that the server may take more than before
	siegeGap     = time.Second      // between two price messages of a socket
	siegeCores   = 1.0              // of two: the attack's share of the machine, on both sides
	siegeShort   = 24 * time.Second // an ordinary test run; SIEGE sets another length in seconds
)

// siegePlan is the length of each part of a siege.
type siegePlan struct {
	calm, attack, after time.Duration
	warmUp              int64 // acts of each honest trader before it begins
	checksTimes         bool
}

func readSiegePlan(t *testing.T) siegePlan {
	t.Helper()
	whole, warmUp := siegeShort, int64(1)
	if text := os.Getenv("SIEGE"); text != "" {
		seconds, err := strconv.Atoi(text)
		require.NoError(t, err)
		whole, warmUp = time.Duration(seconds)*time.Second, 2
	}
	return siegePlan{calm: whole / 4, attack: whole * 5 / 8, after: whole / 8, warmUp: warmUp, checksTimes: whole > siegeShort}
}

// TestSiege lets 500 honest traders trade, log in and upload while 2,000 sources attack the built program in every way at once. No honest trader may be
// refused, prices must continue, and afterwards the program verifies all its data.
func TestSiege(t *testing.T) {
	plan := readSiegePlan(t)
	c := newChaos(t, 1)
	attackers := c.clients(t)
	h := newTraderLoad(t, c)
	m := newMachine(t, c)
	h.start(t)
	m.settle(t, h, plan.warmUp)

	calm := m.phase(t, h, plan.calm, nil)
	attack := newAttack(t, c, attackers, h)
	siege := m.phase(t, h, plan.attack, attack)
	attack.stop(t)
	after := m.phase(t, h, plan.after, nil)
	h.end(t)

	require.NoError(t, c.interrupt(t))
	code, stdout, stderr := c.run(t, "verify", "--json")
	var proved server.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &proved), "%s%s", stdout, stderr)
	calm.orders = slices.Sorted(slices.Values(slices.Concat(calm.orders, after.orders)))
	ratio := float64(percentile(siege.orders, 99)) / float64(percentile(calm.orders, 99))
	line, err := json.Marshal(map[string]any{
		"goal": "siege", "commit": os.Getenv("COMMIT"), "seconds": int((plan.calm + plan.attack + plan.after).Seconds()), "traders": siegeTraders, "sources": siegeSources,
		"calm": calm.summary(), "siege": siege.summary(), "after": after.summary(), "ratioOfP99": round2(ratio), "ratioOfP50": round2(float64(percentile(siege.orders, 50)) / float64(percentile(calm.orders, 50))),
		"memoryMB": (siege.memory - calm.memory) >> 20, "attackCores": round2(siege.cores.all() - calm.cores.all()), "attacks": attack.counts(), "refused": h.refusals(), "proved": proved.Proved, "ok": proved.OK,
	})
	require.NoError(t, err)
	fmt.Println(string(line))
	if len(h.refusals())+len(attack.serverErrors()) > 0 {
		t.Log(errorLines(c.output.String()))
	}

	require.Empty(t, h.refusals(), "an honest trader was refused")
	require.Empty(t, attack.serverErrors(), "an attack was answered with an error of ours")
	for kind := range attackKinds {
		require.Positive(t, attack.answered(kind), "nothing of this attack reached the server: %s", kind)
	}
	for _, p := range []*phase{calm, siege, after} {
		require.NotEmpty(t, p.orders)
		require.Positive(t, p.prices)
	}
	require.Zero(t, code, "%s%s", stdout, stderr)
	require.True(t, proved.OK)
	if !plan.checksTimes {
		return
	}
	for _, kind := range []string{"slow writers", "slow uploads"} {
		require.Greater(t, attack.answered(kind), attack.counts()[kind]["open"], "the server ended no connection of: %s", kind)
	}
	require.LessOrEqual(t, ratio, siegeRatio, "p99 of honest orders")
	require.LessOrEqual(t, siege.memory-calm.memory, int64(siegeMemory), "memory of the server")
	require.LessOrEqual(t, siege.gap, siegeGap, "between two prices")
	require.LessOrEqual(t, siege.cores.all()-calm.cores.all(), siegeCores*1.05, "the attack took more than half of the machine: its figures say nothing")
}

// errorLines are the first errors in the program's log.
func errorLines(log string) string {
	var errors []string
	for _, line := range strings.Split(log, "\n") {
		if strings.Contains(line, "ERROR") && len(errors) < 40 {
			errors = append(errors, line)
		}
	}
	return strings.Join(errors, "\n")
}

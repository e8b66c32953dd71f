package audit

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var leafActor = Actor{Kind: Staff, ID: 101, Name: "Finance maker 02", IP: "192.0.2.7", TraceID: "trace-0001"}

func leafOf(actor Actor) string {
	e := By(actor, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), "deposit.approve", "deposit", 50001)
	e.ID, e.Before, e.After = 7, `{"state":"in_review"}`, `{"state":"credited"}`
	leaf := e.leaf()
	return hex.EncodeToString(leaf[:])
}

// TestLeafOfAnOldEntry pins the hash of an entry from before roles and agents were stored: chains sealed then must still verify.
func TestLeafOfAnOldEntry(t *testing.T) {
	t.Parallel()
	const old = "fcf315cdb06d190f70e96780a40d2282e487ebd7bfe4fc43cd2a9f05bfdd775d"
	require.Equal(t, old, leafOf(leafActor))
	seen := map[string]bool{old: true}
	for _, more := range [][2]string{{"risk", ""}, {"", "risk"}, {"risk", "curl"}, {"ris", "kcurl"}, {"riskcurl", ""}} {
		actor := leafActor
		actor.Roles, actor.Agent = more[0], more[1]
		leaf := leafOf(actor)
		require.False(t, seen[leaf], "%v hashes as another entry", more)
		seen[leaf] = true
	}
}

func TestAgentsAreKeptAsTheyCanBeShown(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux) Äö 浏览器":        "Mozilla/5.0 (X11; Linux) Äö 浏览器",
		"a\x00b\r\nc\x1b[31md\u202ee\u200bf":     "abc[31mdef",
		"\xffcurl\xc3":                           "curl",
		strings.Repeat("x", agentLimit):          strings.Repeat("x", agentLimit),
		strings.Repeat("x", agentLimit+1):        strings.Repeat("x", agentLimit),
		strings.Repeat("x", agentLimit-1) + "Äö": strings.Repeat("x", agentLimit-1),
		"": "",
	} {
		require.Equal(t, want, By(Actor{Agent: given}, time.Now(), "a", "b", 1).Agent)
	}
}

package provider

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/platform/refusals"
)

// TestRefusedIsALineOfTheLog logs the first refusal of each kind in a minute with the facts to investigate it, then each tenfold count, and no name made up by
// the sender. It sets the process-wide logger, so it runs alone.
func TestRefusedIsALineOfTheLog(t *testing.T) { //nolint:paralleltest // see above
	var out bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&out, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	c := clock.NewFixed(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	s := &Service{clock: c, providers: map[string]Provider{"acme": {}}}
	lines := func() []string {
		list := strings.Split(strings.TrimSpace(out.String()), "\n")
		out.Reset()
		return list
	}
	for range 1_000 {
		s.Refused(t.Context(), "acme", "provider.event", "192.0.2.1", "trace-1")
	}
	got := lines()
	require.Len(t, got, 4, "the first, the tenth, the hundredth and the thousandth")
	for _, want := range []string{`"level":"WARN"`, `"provider":"acme"`, `"reason":"provider.event"`, `"source":"192.0.2.1"`, `"trace":"trace-1"`, `"count":1}`} {
		require.Contains(t, strings.Replace(got[0], `"count":1,"trace":"trace-1"}`, `"trace":"trace-1","count":1}`, 1), want)
	}
	s.Refused(t.Context(), "acme", "too_large", "192.0.2.1", "trace-2")
	s.Refused(t.Context(), "acme", "provider.event", "192.0.2.2", "trace-3")
	require.Len(t, lines(), 2, "another reason, another source")
	s.Refused(t.Context(), "</script>made up", "provider.event", "192.0.2.1", "trace-4")
	require.NotContains(t, strings.Join(lines(), ""), "made up")
	c.Advance(time.Minute)
	s.Refused(t.Context(), "acme", "provider.event", "192.0.2.1", "trace-5")
	require.Len(t, lines(), 1, "another minute")
}

// TestAFloodOfSourcesIsBounded writes a bounded number of lines in a minute, for any number of sources. It sets the process-wide logger, so it runs alone.
func TestAFloodOfSourcesIsBounded(t *testing.T) { //nolint:paralleltest // see above
	var out bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&out, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	c := clock.NewFixed(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	s := &Service{clock: c, providers: map[string]Provider{"acme": {}}}
	lines := func() int { return strings.Count(out.String(), "\n") }
	for n := range 50_000 {
		s.Refused(t.Context(), "acme", "provider.event", fmt.Sprint(n), "trace-1")
	}
	require.Equal(t, refusals.Most+5, lines(), "each of the first, then 1, 10, 100, 1,000 and 10,000 others")
	c.Advance(time.Minute)
	s.Refused(t.Context(), "acme", "provider.event", "late", "trace-2")
	require.Equal(t, refusals.Most+6, lines(), "the next minute begins anew")
}

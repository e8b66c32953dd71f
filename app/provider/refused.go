package provider

import (
	"context"
	"log/slog"

	"candor/app/platform/refusals"
)

// Refused logs that an event was refused, in one line without what it held: at most a few lines of each kind in a minute.
func (s *Service) Refused(ctx context.Context, id, reason, source, trace string) {
	if _, known := s.providers[id]; !known {
		id = "unknown" // the name is the sender's
	}
	if as, n, log := s.refused.Count(refusals.Kind{Subject: id, Reason: reason, Source: source}, s.clock.Now()); log {
		slog.WarnContext(ctx, "an event of a provider was refused", "provider", as.Subject, "reason", as.Reason, "source", as.Source, "count", n, "trace", trace)
	}
}

package provider

import (
	"context"
	"log/slog"

	"candor/app/platform/refusals"
)

// Refused logs a refused event in one line without its content: at most a few lines of each kind in a minute.
func (s *Service) Refused(ctx context.Context, id, reason, source, trace string) {
	if _, known := s.providers[id]; !known {
		id = "unknown" // the sender made up the name
	}
	if as, n, log := s.refused.Count(refusals.Kind{Subject: id, Reason: reason, Source: source}, s.clock.Now()); log {
		slog.WarnContext(ctx, "an event of a provider was refused", "provider", as.Subject, "reason", as.Reason, "source", as.Source, "count", n, "trace", trace)
	}
}

package jobs

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

type riverTx = pgx.Tx

// loud logs each failed job once.
type loud struct{}

func (loud) HandleError(_ context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	slog.Error("a job failed", "kind", job.Kind, "attempt", job.Attempt, "error", err)
	return nil
}

func (loud) HandlePanic(_ context.Context, job *rivertype.JobRow, value any, trace string) *river.ErrorHandlerResult {
	slog.Error("a job panicked", "kind", job.Kind, "attempt", job.Attempt, "panic", value, "trace", trace)
	return nil
}

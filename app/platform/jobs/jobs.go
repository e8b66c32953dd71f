// Package jobs runs work that must happen after a transaction, and work that returns on a schedule, on any number of servers (River).
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"candor/app/platform/db"
)

// Queue takes jobs and, once started, works on them.
type Queue struct {
	workers  *river.Workers
	periodic []*river.PeriodicJob
	client   *river.Client[riverTx]
	insert   *river.Client[riverTx]
}

// New makes a queue on the house's connections. Register workers and schedules, then Start.
func New(pool *db.Pool) (*Queue, error) {
	insert, err := river.NewClient(riverpgxv5.New(pool.Of(db.House)), &river.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return &Queue{workers: river.NewWorkers(), insert: insert}, nil
}

// River's queues, each with workers of its own: messages, of which strangers can cause thousands, delay neither money nor the books.
const (
	Default  = river.QueueDefault
	Messages = "messages"
)

// Priorities of jobs within a queue. A job of a higher one is worked on first.
const (
	High   = 1
	Normal = 2
)

// Handle registers the work of one kind of job.
func Handle[T river.JobArgs](q *Queue, work func(ctx context.Context, args T) error) {
	river.AddWorker(q.workers, river.WorkFunc(func(ctx context.Context, job *river.Job[T]) error { return work(ctx, job.Args) }))
}

// unfinished are the states of a periodic job while no other one like it is added.
var unfinished = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateScheduled}

// Every schedules a job; the elected server adds it at the start and then at the interval, unless one is still to be done or running: however slow it is, it
// takes one worker. It is tried once, for the next one comes by itself.
func (q *Queue) Every(interval time.Duration, args river.JobArgs) {
	q.periodic = append(q.periodic, river.NewPeriodicJob(river.PeriodicInterval(interval),
		func() (river.JobArgs, *river.InsertOpts) {
			return args, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unfinished}}
		}, &river.PeriodicJobOpts{RunOnStart: true}))
}

// AddTx adds a job that exists only if the transaction commits.
func (q *Queue) AddTx(ctx context.Context, tx *db.Tx, args river.JobArgs) error {
	return q.AddToTx(ctx, tx, Default, Normal, args)
}

// AddToTx is AddTx for one of the queues and a priority.
func (q *Queue) AddToTx(ctx context.Context, tx *db.Tx, queue string, priority int, args river.JobArgs) error {
	if _, err := q.insert.InsertTx(ctx, tx.Conn, args, &river.InsertOpts{Queue: queue, Priority: priority}); err != nil {
		return fmt.Errorf("add job %s: %w", args.Kind(), err)
	}
	return nil
}

// How long a job may run, and when one that still seems to run is taken from a server that must have died with it. Jobs may come twice.
const (
	longest = time.Minute
	stuck   = 2 * time.Minute
)

// Start begins to work until Stop.
func (q *Queue) Start(ctx context.Context, pool *db.Pool) (err error) {
	q.client, err = river.NewClient(riverpgxv5.New(pool.Of(db.House)), &river.Config{
		Queues:               map[string]river.QueueConfig{Default: {MaxWorkers: 4}, Messages: {MaxWorkers: 8}},
		Workers:              q.workers,
		PeriodicJobs:         q.periodic,
		JobTimeout:           longest,
		RescueStuckJobsAfter: stuck,
		Logger:               slog.New(slog.DiscardHandler),
		ErrorHandler:         loud{},
	})
	if err == nil {
		err = q.client.Start(ctx)
	}
	if err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	return nil
}

// Stop lets the running jobs end.
func (q *Queue) Stop(ctx context.Context) error {
	if q.client == nil {
		return nil
	}
	return q.client.Stop(ctx)
}

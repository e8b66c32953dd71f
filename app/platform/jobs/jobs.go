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
	workers *river.Workers
	client  *river.Client[riverTx]
	insert  *river.Client[riverTx]
}

// New makes a queue on the connections of db.House. Register workers with Handle, then Start.
func New(pool *db.Pool) (*Queue, error) {
	insert, err := river.NewClient(riverpgxv5.New(pool.Of(db.House)), &river.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return &Queue{workers: river.NewWorkers(), insert: insert}, nil
}

// River's queues, each with its own workers: messages, of which strangers can cause thousands, delay neither money nor the books.
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

// Periodic is scheduled work. The elected server adds its job at the start and then after each period, unless one is still waiting or
// running: however slow it is, it takes one worker. It is tried once, because the next one follows by itself.
type Periodic struct {
	Name string
	Each time.Duration
	Run  func(context.Context) error
}

// periodic is the job of a Periodic.
type periodic struct {
	Name string `json:"name"`
}

// Kind names the job.
func (periodic) Kind() string { return "periodic" }

// unfinished are the states in which a periodic job keeps another one like it from being added.
var unfinished = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateScheduled}

// schedule converts a list into River's schedule, and registers its worker.
func (q *Queue) schedule(list []Periodic) (out []*river.PeriodicJob) {
	run := map[string]func(context.Context) error{}
	for _, p := range list {
		run[p.Name] = p.Run
		add := func() (river.JobArgs, *river.InsertOpts) {
			return periodic{p.Name}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unfinished}}
		}
		out = append(out, river.NewPeriodicJob(river.PeriodicInterval(p.Each), add, &river.PeriodicJobOpts{RunOnStart: true}))
	}
	Handle(q, func(ctx context.Context, job periodic) error {
		if work, known := run[job.Name]; known {
			return work(ctx)
		}
		return river.JobCancel(fmt.Errorf("no periodic job %q", job.Name)) // added by another version
	})
	return out
}

// AddTx adds a job that exists only if the transaction commits.
func (q *Queue) AddTx(ctx context.Context, tx *db.Tx, args river.JobArgs) error {
	return q.AddToTx(ctx, tx, Default, Normal, args)
}

// AddToTx is AddTx with a queue and a priority.
func (q *Queue) AddToTx(ctx context.Context, tx *db.Tx, queue string, priority int, args river.JobArgs) error {
	if _, err := q.insert.InsertTx(ctx, tx.Conn, args, &river.InsertOpts{Queue: queue, Priority: priority}); err != nil {
		return fmt.Errorf("add job %s: %w", args.Kind(), err)
	}
	return nil
}

// How long a job may run, and after how long a running job is taken from a server that must have died. Jobs may run twice.
const (
	longest = time.Minute
	stuck   = 2 * time.Minute
)

// keep is how long a completed job stays: there is one each second.
const keep = time.Hour

// Start works on jobs, and on the periodic ones of the list, until Stop.
func (q *Queue) Start(ctx context.Context, pool *db.Pool, list []Periodic) (err error) {
	schedule := q.schedule(list)
	q.client, err = river.NewClient(riverpgxv5.New(pool.Of(db.House)), &river.Config{
		Queues:                      map[string]river.QueueConfig{Default: {MaxWorkers: 4}, Messages: {MaxWorkers: 8}},
		Workers:                     q.workers,
		PeriodicJobs:                schedule,
		JobTimeout:                  longest,
		RescueStuckJobsAfter:        stuck,
		CompletedJobRetentionPeriod: keep,
		Logger:                      slog.New(slog.DiscardHandler),
		ErrorHandler:                loud{},
	})
	if err == nil {
		err = q.client.Start(ctx)
	}
	if err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	return nil
}

// Stop lets the running jobs finish.
func (q *Queue) Stop(ctx context.Context) error {
	if q.client == nil {
		return nil
	}
	return q.client.Stop(ctx)
}
